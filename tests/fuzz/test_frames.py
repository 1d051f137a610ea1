"""Framing on a live service: what is told of a child that hangs up, on a wire that is made up."""

import json
import signal
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from fuzz import campaign, properties
from fuzz.strategies.streams import Stream
from fuzz.targets import Seen

ANSWERED = properties.load()["frames/answered"]
NO_FRAME = Stream((b"no frame",))
HALF = Stream((b"no frame",), (), b"half")


class Ending:
    """A wire whose other side ends: at the first thing that is sent on a connection, or with the input."""

    streams = large = True

    def __init__(self, exit_code: int, *, at_once: bool) -> None:
        self.ended = Seen(closed=True, exit_code=exit_code)
        self.at_once = at_once

    def begin(self, *, fresh: bool) -> bool:
        return True

    def send(self, pieces: Sequence[bytes], awaited: Collection[str], more: int = 0) -> Seen:
        first, *_ = b"".join(pieces).split(b"\n")
        if b"no frame" in first:
            return self.ended if self.at_once else Seen()
        reply: dict[str, Any] = {"re": json.loads(first)["id"], "kind": "ERROR", "code": "not_found"}
        return Seen((reply,))

    def finish(self) -> Seen | None:
        return self.ended

    def silent(self) -> str:
        return ""

    def revive(self) -> bool:
        return False


def told(stream: Stream, wire: Ending) -> tuple[str, dict[str, int]]:
    """What is wrong, and the events but for the sort of example."""
    one = replace(ANSWERED, examples=st.just(stream))
    made = campaign.run(one, wire, examples=1, seconds=None, chosen=1, database=None, shrink=False)
    return made.failure, {name: count for name, count in made.events.items() if name != "spoiled"}


@pytest.mark.parametrize(("stream", "at_once"), [(NO_FRAME, True), (HALF, False)])
@pytest.mark.parametrize(
    ("exit_code", "said"),
    [
        (0, {}),
        (1, {"exit code 1 after what is no frame": 1}),
        (-signal.SIGTERM, {"SIGTERM after what is no frame": 1}),
    ],
)
def test_a_child_that_hangs_up_with_an_exit_code_is_told_of(
    stream: Stream, at_once: bool, exit_code: int, said: dict[str, int]
) -> None:
    assert told(stream, Ending(exit_code, at_once=at_once)) == ("", said)


@pytest.mark.parametrize(("stream", "at_once"), [(NO_FRAME, True), (HALF, False)])
def test_a_child_that_crashes_has_failed(stream: Stream, at_once: bool) -> None:
    wrong, _ = told(stream, Ending(-signal.SIGSEGV, at_once=at_once))
    assert wrong.removeprefix("when the input ended within a line: ") == "the service crashed: SIGSEGV ended it"
