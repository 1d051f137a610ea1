"""Bytes that are no frame: what counts as acted on, as turned away, and as one reply too many."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness.context import Context
from harness.targets.base import Exchange, Frame, Http, Target
from harness.unreadable import acted_on, expect_no_more, not_a_frame, turned_away
from reports.model import Outcome
from tests.harness.peers import BRIEF, line, target
from tests.harness.plans import RULE, run_one

BAD_FRAME = {"kind": "ERROR", "code": "bad_frame", "message": "no"}


def exchange(reply: dict[str, Any] | None, status: int | None = None) -> Exchange:
    frames = [] if reply is None else [Frame(reply, 1, 0.0)]
    return Exchange(b"", frames, http=None if status is None else Http(status, ""))


CASES = {
    "silence": (exchange(None), False, False),
    "bad_frame": (exchange(BAD_FRAME), False, True),
    "a success": (exchange(BRIEF), True, True),
    "a frame of no kind": (exchange({"kind": 5}), False, True),
    "HTTP 400": (exchange(None, 400), False, True),
    "HTTP 500": (exchange(None, 500), False, False),
    "HTTP 200 with nothing in it": (exchange(None, 200), False, False),
    "HTTP 200 with an ERROR": (exchange(BAD_FRAME, 200), False, True),
}


@pytest.mark.parametrize("name", CASES)
def test_silence_refusal_and_success_are_told_apart(name: str) -> None:
    seen, acted, away = CASES[name]
    assert (acted_on(seen), turned_away(seen)) == (acted, away)


def peer(*replies: dict[str, Any] | None, close: bool = False) -> Target:
    """A service that answers a line that is no frame by these replies (None: by nothing), and frames by BRIEF."""

    async def serve(reader: Any, writer: Any) -> None:
        while request := await reader.readline():
            if request.startswith(b"{"):
                name = request.partition(b'"id":"')[2].partition(b'"')[0].decode()
                writer.write(line({"yea": 1, "id": f"s-{name}", "re": name, **BRIEF}))
            elif close:
                writer.close()
                return
            else:
                said = [reply for reply in replies if reply is not None]
                writer.write(b"".join(line({"yea": 1, "id": f"s{n}", "re": "?", **r}) for n, r in enumerate(said)))

    return target(serve)


def probing(*, lenient: bool) -> Callable[[Context], Awaitable[None]]:
    async def body(t: Context) -> None:
        conn = await t.connect()
        usable = await not_a_frame(t, RULE, b"[1]", "a list", conn, lenient=lenient)
        if usable:
            await expect_no_more(t, RULE, conn, "it")

    return body


TARGETS: dict[str, tuple[Target, Outcome, Outcome]] = {
    "refuses": (peer(BAD_FRAME), Outcome.PASSED, Outcome.PASSED),
    "refuses under another code": (peer({**BAD_FRAME, "code": "internal"}), Outcome.WARNED, Outcome.WARNED),
    "is silent": (peer(None), Outcome.WARNED, Outcome.WARNED),
    "hangs up": (peer(close=True), Outcome.WARNED, Outcome.WARNED),
    "acts on it": (peer(BRIEF), Outcome.FAILED, Outcome.WARNED),
    "refuses it twice": (peer(BAD_FRAME, BAD_FRAME), Outcome.FAILED, Outcome.FAILED),
}


@pytest.mark.parametrize("name", TARGETS)
def test_only_acting_on_it_and_answering_twice_fail(name: str) -> None:
    at, strict, lenient = TARGETS[name]
    assert run_one(probing(lenient=False), targets=[at]).outcome == strict
    assert run_one(probing(lenient=True), targets=[at]).outcome == lenient


def test_a_service_that_answers_nobody_afterwards_fails() -> None:
    async def serve(reader: Any, writer: Any) -> None:
        await reader.readline()
        writer.write(line({"yea": 1, "id": "s", "re": "?", **BAD_FRAME}))
        await reader.read()

    assert run_one(probing(lenient=True), targets=[target(serve)]).outcome == Outcome.FAILED
