"""Executing: the three ends of a commit (YEA 4.4)."""

from collections.abc import Callable
from typing import Any

import pytest

from reference.yea.service import ApplyError, Call, Clarify, Event, Intent, Job, Pause, Plan, Service
from reference.yea.types import Json
from tests.reference.yea.service.driving import K1, A, Caller, code, grant, spend

USES: dict[str, Json] = {"spend": {"amount": 1, "unit": "USD"}}
ONE = spend("spend", 1)


class Work(Intent):
    """Does what the test says, and counts how often it began."""

    name, summary = "work", "work"
    params: dict[str, Json] = {}

    def __init__(self, do: Callable[[], Job]) -> None:
        self.do = do
        self.begun = 0

    def plan(self, params: dict[str, Json], call: Call) -> list[Plan] | Clarify:
        return [Plan(summary="s", effects=[], job={}, uses=USES)]

    def apply(self, job: dict[str, Json], call: Call) -> Job:
        self.begun += 1
        return (yield from self.do())

    def revert(self, job: dict[str, Json], call: Call) -> Job:
        return (yield from self.do())


def working(do: Callable[[], Job]) -> tuple[Caller, Work]:
    """A caller of a service whose one capability does this."""
    work = Work(do)
    service = Service(id="conformance.naysayer.example", name="n", summary="s", capabilities=[work], trusted=[A.public])
    return Caller(service), work


def test_events_come_before_the_receipt_and_the_time_of_the_commit_is_its_end() -> None:
    def do() -> Job:
        yield Event("half", 0.5)
        yield Pause(3)
        yield Event("whole", 1, {"a": 1})
        return {"done": True}

    caller, _ = working(do)
    proposal = caller.propose("work", {})
    frame = caller.framed(caller.commit(proposal))
    replies = caller.replies(frame)
    assert [reply["re"] for reply in replies] == [frame["id"]] * 3
    assert len({reply["id"] for reply in replies}) == 3
    assert {k: v for k, v in replies[0].items() if k != "id"} == {
        "yea": 1,
        "re": frame["id"],
        "kind": "EVENT",
        "message": "half",
        "progress": 0.5,
    }
    assert replies[1]["data"] == {"a": 1}
    assert replies[2]["receipt"]["at"] == int(caller.now)
    assert replies[2]["receipt"]["result"] == {"done": True}


def test_an_event_that_is_too_long_is_not_sent() -> None:
    def do() -> Job:
        yield Event("x" * (1 << 20))
        return None

    caller, _ = working(do)
    assert [reply["kind"] for reply in caller.replies(caller.commit(caller.propose("work", {})))] == ["RECEIPT"]


def test_progress_is_from_0_to_1() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Event("x", 50)


def test_an_exception_in_an_apply_gives_everything_back_and_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def do() -> Job:
        yield Event("starting")
        raise RuntimeError("the secret is 42")

    caller, work = working(do)
    token = grant(A, K1, ONE)
    proposal = caller.propose("work", {}, token)
    for _ in range(2):
        replies = caller.replies(caller.commit(proposal, token))
        assert [reply["kind"] for reply in replies] == ["EVENT", "ERROR"]
        assert (replies[1]["code"], replies[1]["message"]) == ("internal", "the service failed to answer this request")
    assert work.begun == 2
    assert "the secret is 42" in caplog.text


def test_an_apply_that_is_no_generator_and_raises_gives_everything_back(caplog: pytest.LogCaptureFixture) -> None:
    def do() -> Job:
        raise RuntimeError("at once")

    caller, work = working(do)
    work.apply = lambda job, call: do()  # type: ignore[method-assign]
    proposal = caller.propose("work", {})
    for _ in range(2):
        assert code(caller.send(caller.commit(proposal))) == "internal"
    assert "at once" in caplog.text


def test_an_apply_error_is_the_reply() -> None:
    def do() -> Job:
        yield from ()
        raise ApplyError("unavailable", "try later", retry=3)

    caller, _ = working(do)
    reply = caller.send(caller.commit(caller.propose("work", {})))
    assert (code(reply), reply["message"], reply["retry"]) == ("unavailable", "try later", 3)


def interrupted() -> tuple[Caller, Work, Any, str]:
    """A commit that was stopped after it had started: caller, capability, proposal, grant."""

    def do() -> Job:
        yield Pause(5)
        return None

    caller, work = working(do)
    token = grant(A, K1, ONE)
    proposal = caller.propose("work", {}, token)
    steps = caller.begin(caller.commit(proposal, token))
    assert next(steps) == Pause(5)
    steps.close()
    return caller, work, proposal, token


def test_an_interrupted_commit_is_in_doubt_and_never_applied_again() -> None:
    caller, work, proposal, token = interrupted()
    for _ in range(2):
        reply = caller.send(caller.commit(proposal, token))
        assert code(reply) == "unavailable"
        assert "outcome is unknown" in reply["message"]
    assert work.begun == 1
    assert code(caller.send(caller.commit(proposal, grant(A, K1, {"verbs": ["ASK"]})))) == "forbidden"


def test_a_commit_in_doubt_counts_for_limits() -> None:
    caller, _, _, token = interrupted()
    other = caller.propose("work", {}, token)
    assert code(caller.send(caller.commit(other, token))) == "consent_required"


def test_a_commit_in_doubt_stops_auto_commits_for_900_s() -> None:
    caller, _, _, _ = interrupted()
    auto = caller.send(caller.auto("work", {}, name="one"))
    assert code(auto) == "PROPOSALS"
    caller.now += 899
    assert code(caller.send(caller.auto("work", {}, name="two"))) == "PROPOSALS"
    caller.now += 1
    assert code(caller.send(caller.auto("work", {}, name="three"))) == "RECEIPT"


def test_a_commit_that_another_process_left_running_is_in_doubt() -> None:
    caller, _ = working(lambda: iter_pause())
    proposal = caller.propose("work", {})
    steps = caller.begin(caller.commit(proposal))
    next(steps)
    after, work = working(lambda: iter_pause())
    after.service.store = caller.service.store
    assert code(after.send(after.commit(proposal))) == "unavailable"
    assert code(after.send(after.auto("work", {}, name="one"))) == "PROPOSALS"
    assert work.begun == 0


def iter_pause() -> Job:
    """A job that takes a while."""
    yield Pause(1)
    return None


def test_a_receipt_that_cannot_be_kept_leaves_the_commit_in_doubt(caplog: pytest.LogCaptureFixture) -> None:
    def do() -> Job:
        yield from ()
        return None

    caller, work = working(do)
    proposal = caller.propose("work", {})

    def full(*_: object) -> None:
        raise OSError("disk full")

    caller.service.store.receipts.put = full  # type: ignore[assignment, method-assign]
    assert code(caller.send(caller.commit(proposal))) == "internal"
    assert code(caller.send(caller.commit(proposal))) == "unavailable"
    assert work.begun == 1
    assert "disk full" in caplog.text


def test_an_interrupted_undo_is_in_doubt_and_never_done_again() -> None:
    jobs = iter([iter_pause, iter_pause])
    caller, _ = working(lambda: next(jobs)())
    receipt = caller.committed("work", {})
    steps = caller.begin(caller.undo(receipt))
    next(steps)
    steps.close()
    assert code(caller.send(caller.undo(receipt))) == "unavailable"


def test_a_full_store_refuses_before_anything_is_done() -> None:
    caller, work = working(iter_pause)
    caller.service.ROOM = caller.service.ROOM | {"receipts": 1}
    caller.committed("work", {})
    assert code(caller.send(caller.commit(caller.propose("work", {})))) == "limit"
    assert work.begun == 1
