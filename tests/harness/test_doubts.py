"""Commits in doubt: how one is brought about, and what the answer to a second COMMIT tells of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness.context import Context
from harness.doubts import PATIENCE, brought_about, interrupted, is_held, seen, sent_again
from harness.errors import NotApplicable, Untested
from harness.targets.base import Exchange, Frame, Target
from tests.harness.peers import answering, target
from tests.harness.plans import profile, with_context

PROPOSAL = {"id": "p_1", "hash": "A" * 43, "capability": "a.write"}
Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


def error(code: str) -> dict[str, Any]:
    return {"kind": "ERROR", "code": code}


def exchange(reply: dict[str, Any]) -> Exchange:
    return Exchange({}, [Frame(reply, 1, 0.0)])


def test_what_a_second_commit_gets_tells_whether_it_is_held() -> None:
    held = {
        code: is_held(exchange(error(code))) for code in ("unavailable", "internal", "limit", "expired", "conflict")
    }
    assert held == {"unavailable": True, "internal": True, "limit": True, "expired": False, "conflict": False}
    assert is_held(None)
    assert not is_held(exchange({"kind": "RECEIPT"}))


def test_it_is_put_in_words() -> None:
    assert (seen(None), seen(exchange(error("unavailable")))) == ("no reply", "ERROR unavailable")


class Service:
    """A peer that answers every other COMMIT, the one that is to be cut off, by `first`, and the rest by `after`."""

    def __init__(self, after: Answer, first: Answer = lambda frame: None) -> None:
        self.after, self.first = after, first
        self.restarts = 0
        self.commits = 0

    def answer(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        if frame["verb"] == "INTENT":
            return {"kind": "PROPOSALS", "proposals": [PROPOSAL]}
        self.commits += 1
        return self.first(frame) if self.commits % 2 else self.after(frame)

    async def restart(self) -> None:
        self.restarts += 1

    def target(self, *, restartable: bool = True) -> Target:
        made = target(answering(self.answer))
        made.restart = self.restart if restartable else None
        return made


def doing(script: Callable[[Context], Awaitable[Any]], at: Target) -> Any:
    return with_context(script, at, profile=profile("doubt"))


async def interrupt(t: Context) -> None:
    offer = await t.offer("doubt")
    await interrupted(t, offer, [offer.grant])


def test_a_commit_is_cut_off_by_a_restart() -> None:
    service = Service(lambda frame: None)
    doing(interrupt, service.target())
    assert (service.commits, service.restarts) == (1, 1)


def test_what_cannot_be_restarted_is_not_applicable_and_commits_nothing() -> None:
    service = Service(lambda frame: None)
    with pytest.raises(NotApplicable, match="naysayer did not start this target"):
        doing(interrupt, service.target(restartable=False))
    assert service.commits == 0


def test_a_commit_that_was_done_before_is_not_cut_off() -> None:
    service = Service(lambda frame: None, lambda frame: {"kind": "RECEIPT"})
    with pytest.raises(NotApplicable, match="ended before it could be cut off: RECEIPT"):
        doing(interrupt, service.target())


def test_a_restart_that_fails_ends_the_check() -> None:
    service = Service(lambda frame: None)
    at = service.target()

    async def restart() -> None:
        raise Untested("it did not come up again")

    at.restart = restart
    with pytest.raises(Untested):
        doing(interrupt, at)


def test_a_commit_in_doubt_may_get_no_answer_at_all() -> None:
    service = Service(lambda frame: None)

    async def script(t: Context) -> tuple[Exchange | None, float]:
        offer = await t.offer("doubt")
        begun = asyncio.get_running_loop().time()
        return await sent_again(t, offer, [offer.grant]), asyncio.get_running_loop().time() - begun

    assert doing(script, service.target()) == (None, PATIENCE)


@pytest.mark.parametrize("code", ["unavailable", "internal"])
def test_a_doubt_is_brought_about(code: str) -> None:
    service = Service(lambda frame: error(code))
    assert doing(brought_about, service.target()).code == code
    assert service.restarts == 1


def test_a_commit_that_had_not_begun_is_interrupted_once_more() -> None:
    service = Service(lambda frame: {"kind": "RECEIPT"} if service.restarts < 2 else error("unavailable"))
    assert doing(brought_about, service.target()).code == "unavailable"
    assert service.restarts == 2


def test_a_service_that_holds_nothing_in_doubt_is_not_applicable() -> None:
    service = Service(lambda frame: error("not_found"))
    with pytest.raises(NotApplicable, match="not held in doubt: sent again, it got ERROR not_found"):
        doing(brought_about, service.target())
    assert service.restarts == 2
