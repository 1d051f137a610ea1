"""What a runner does next: one projection in, the most urgent action first (BYOB 6, 8, 9)."""

from typing import Any

import pytest

from reference.byob.seat import fixed, reading
from reference.byob.seat.deciding import MOST_TRIES, Execute, Mind, Report, Speak, Verify, Yield
from tests.reference.byob.seat.sitting import projection as told

FLOOR = {"holder": "con", "you_have_floor": True, "grant_seq": 4, "max_chars": 50}
SAY = {"kind": "say", "body": "hello there"}


def task(state: str, executor: Any = "con", number: int = 3) -> dict[str, Any]:
    return {"id": f"task-{number}", "state": state, "executor": executor}


def read(**members: Any) -> reading.Projection:
    return reading.projection(told(**members))


def own(seq: int, kind: str, **members: Any) -> dict[str, Any]:
    return {"seq": seq, "seat": "con", "kind": kind, **members}


# --- the floor -------------------------------------------------------------------------------------


def test_without_the_floor_and_without_a_task_there_is_nothing_to_do() -> None:
    assert Mind("con").decide(read()) == []


def test_with_the_floor_it_speaks() -> None:
    mind = Mind("con")
    assert mind.decide(read(floor=FLOOR)) == [Speak()]
    assert (mind.max_chars, mind.prefix["topic"], mind.cursor) == (50, "T", 9)


def test_on_a_closed_table_it_does_not_speak() -> None:
    assert Mind("con").decide(read(floor=FLOOR, status="closed")) == []


def test_a_post_that_may_be_lost_is_made_again_as_long_as_it_is_not_seen() -> None:
    mind = Mind("con")
    mind.decide(read(floor=FLOOR))
    mind.posting(SAY)
    assert mind.decide(read(floor=FLOOR)) == [Speak(SAY)]
    proposal = {"kind": "proposal", "body": "p", "effects": [{"owner": "o"}]}
    mind.posting(proposal)
    other = own(10, "proposal", body="p", effects=[])
    assert mind.decide(read(floor=FLOOR, cursor=10, tail=[other])) == [Speak(proposal)]
    seen = own(11, "proposal", body="p", effects=[{"owner": "o"}])
    assert mind.decide(read(floor=FLOOR, cursor=11, tail=[seen])) == [Speak()]


def test_a_say_that_was_cut_is_seen_as_made() -> None:
    mind = Mind("con")
    mind.decide(read(floor=FLOOR))
    mind.posting(SAY)
    hub = read(floor=FLOOR, cursor=10, tail=[own(10, "say", body="hello", truncated=True)])
    assert mind.decide(hub) == [Speak()]


def test_a_new_grant_forgets_what_was_to_be_said_in_the_last_one() -> None:
    mind = Mind("con")
    mind.decide(read(floor=FLOOR))
    mind.posting(SAY)
    mind.not_taken("E_ADDRESS: no")
    assert mind.refused == "E_ADDRESS: no"
    assert mind.decide(read(floor={**FLOOR, "grant_seq": 9})) == [Speak()]
    assert mind.refused == ""


def test_after_many_tries_in_one_turn_it_yields() -> None:
    mind = Mind("con")
    for _ in range(MOST_TRIES):
        assert mind.decide(read(floor=FLOOR)) == [Speak()]
        mind.posting(SAY)
        mind.not_taken("E_SCHEMA")
    assert mind.decide(read(floor=FLOOR)) == [Yield()]
    assert mind.decide(read(floor=FLOOR, cursor=10, tail=[own(10, "say")])) == [Speak()]


def test_entries_are_folded_once_and_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reference.byob.seat.deciding.MOST_ENTRIES", 2)
    mind = Mind("con")
    tail = [{"seq": number, "kind": "say"} for number in (7, 8, 9)]
    mind.decide(read(tail=tail))
    mind.decide(read(tail=tail))
    assert [entry["seq"] for entry in mind.entries] == [8, 9]


# --- tasks -----------------------------------------------------------------------------------------

RUNNING = own(5, "status", task="task-3", state="running")
GIVEN_UP = fixed.failed("task-3", fixed.INTERRUPTED)


@pytest.mark.parametrize(
    ("state", "tail", "wanted"),
    [
        ("awaiting_approval", [], None),
        ("approved", [], "execute"),
        ("running", [RUNNING], "give up"),
        ("stalled", [], "execute"),
        ("stalled", [RUNNING], "give up"),
        ("reported", [RUNNING], None),
        ("verified", [], None),
        ("failed", [], None),
        ("rejected", [], None),
    ],
)
def test_what_a_new_runner_does_about_a_task(state: str, tail: list[dict[str, Any]], wanted: str | None) -> None:
    got = Mind("con").decide(read(my_tasks=[task(state)], tail=tail))
    found = reading.task(task(state))
    assert got == {None: [], "execute": [Execute(found)], "give up": [Report(found, GIVEN_UP)]}[wanted]


def test_a_task_of_another_executor_is_left_alone_and_one_of_nobody_is_tried() -> None:
    mine = task("approved", None, 4)
    assert Mind("con").decide(read(my_tasks=[task("approved", "pro"), mine])) == [Execute(reading.task(mine))]


def test_a_bot_that_does_not_execute_leaves_its_tasks() -> None:
    assert Mind("con", executes=False).decide(read(my_tasks=[task("approved")])) == []


def test_nothing_is_executed_twice() -> None:
    mind = Mind("con")
    running = reading.task(task("running"))
    mind.starting("task-3")
    assert mind.decide(read(my_tasks=[task("running")])) == [Execute(running)]  # the bot was not asked yet
    mind.executing("task-3")
    assert mind.decide(read(my_tasks=[task("running")])) == []
    receipt = {"kind": "receipt", "task": "task-3", "artifact": 1}
    mind.reporting("task-3", receipt)
    assert mind.decide(read(my_tasks=[task("running")])) == [Report(running, receipt)]
    mind.settled("task-3")
    assert mind.decide(read(my_tasks=[task("running")])) == []


def test_the_floor_comes_before_tasks_and_tasks_before_verdicts() -> None:
    receipt = {"seq": 6, "seat": "pro", "kind": "receipt", "task": "task-5", "artifact": 1}
    got = Mind("con", verifies=True).decide(read(floor=FLOOR, my_tasks=[task("approved")], tail=[receipt]))
    assert got == [Speak(), Execute(reading.task(task("approved"))), Verify(receipt)]


# --- verdicts --------------------------------------------------------------------------------------


def receipt(seq: int, seat: str = "pro", **members: Any) -> dict[str, Any]:
    return {"seq": seq, "seat": seat, "kind": "receipt", "task": "task-5", "artifact": 1, **members}


def test_a_receipt_of_another_seat_is_verified_once() -> None:
    mind = Mind("con", verifies=True)
    assert mind.decide(read(tail=[receipt(6)])) == [Verify(receipt(6))]
    mind.settled("task-5")
    assert mind.decide(read(tail=[receipt(6)])) == []


def test_what_somebody_has_verified_and_ones_own_is_not() -> None:
    verdict = {"seq": 7, "seat": "judge", "kind": "verify", "task": "task-5", "result": "pass"}
    assert Mind("con", verifies=True).decide(read(tail=[receipt(6), verdict])) == []
    assert Mind("con", verifies=True).decide(read(tail=[receipt(6, "con")])) == []
    assert Mind("con", verifies=True).decide(read(tail=[receipt(6, task="no task")])) == []
    assert Mind("con").decide(read(tail=[receipt(6)])) == []


# --- the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "tasks", "done"),
    [
        ("open", [], False),
        ("closed", [], True),
        ("closed", [task("awaiting_approval")], False),
        ("closed", [task("running")], False),
        ("closed", [task("reported"), task("failed", number=4)], True),
        ("closed", [task("running", "pro")], True),
    ],
)
def test_it_goes_when_the_table_is_closed_and_no_task_of_its_own_is_open(
    status: str, tasks: list[dict[str, Any]], done: bool
) -> None:
    assert Mind("con").finished(read(status=status, my_tasks=tasks), None) is done


def test_one_that_verifies_waits_for_what_others_execute() -> None:
    mind = Mind("con", verifies=True)

    def memory(*tasks: dict[str, Any]) -> reading.Memory:
        return reading.memory({"decisions": [], "tasks": [*tasks], "status": "closed"})

    closed = read(status="closed")
    assert not mind.finished(closed, memory(task("approved", "pro")))
    assert not mind.finished(closed, memory(task("reported", "pro")))
    assert mind.finished(closed, memory(task("reported", "con"), task("verified", "pro", 4)))
    mind.settled("task-3")
    assert mind.finished(closed, memory(task("reported", "pro")))
