"""What counts as an answer: the members that BYOB fixes, and every fair reading of the rest."""

from typing import Any

import pytest

from reference.byob.seat import reading
from reference.byob.seat.errors import BadAnswer
from reference.byob.seat.reading import Task
from tests.reference.byob.seat.sitting import projection

TASK = {"id": "task-3", "state": "approved", "executor": "con", "owner": "jenny", "effects": [{"owner": "jenny"}]}


def test_a_projection() -> None:
    tail = [{"seq": 4, "kind": "say"}, {"seq": 9, "kind": "pass"}]
    floor = {"holder": "con", "you_have_floor": True, "grant_seq": 8, "max_chars": 100}
    got = reading.projection(projection(tail=tail, floor=floor, my_tasks=[TASK], status="closed"))
    assert (got.table, got.seat, got.prefix["topic"], got.prefix_hash, got.cursor) == ("prio", "con", "T", "0" * 64, 9)
    assert (got.holder, got.mine, got.grant_seq, got.max_chars, got.closed) == ("con", True, 8, 100, True)
    assert (got.tail, got.tasks) == (tuple(tail), (Task("task-3", "approved", "con", "jenny", TASK),))


@pytest.mark.parametrize("floor", [None, {}, {"holder": None}, {"holder": 7, "you_have_floor": 1, "grant_seq": "8"}])
def test_a_floor_that_nobody_holds(floor: Any) -> None:
    got = reading.projection(projection(floor=floor))
    assert (got.holder, got.mine, got.grant_seq, got.max_chars) == (None, False, None, None)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"cursor": None}, "has no cursor"),
        ({"cursor": -1}, "has no cursor"),
        ({"cursor": True}, "has no cursor"),
        ({"prefix": []}, "no prefix"),
        ({"prefix_hash": 7}, "no prefix_hash"),
        ({"status": "ajar"}, "the status 'ajar', not open or closed"),
        ({"status": "\x1b[2J"}, r"\\x1b"),
        ({"tail": {}}, "no tail"),
        ({"tail": [7]}, "no ledger entry"),
        ({"tail": [{"seq": 1}]}, "lacks seq and kind"),
        ({"tail": [{"seq": 2, "kind": "say"}, {"seq": 1, "kind": "say"}]}, "not in the order of seq"),
        ({"tail": [{"seq": 2, "kind": "say"}, {"seq": 2, "kind": "say"}]}, "not in the order of seq"),
        ({"tail": [{"seq": 10, "kind": "say"}]}, "up to its cursor"),
        ({"my_tasks": 7}, "no list of tasks"),
        ({"my_tasks": [{"id": "task-1", "state": "done"}]}, "no task"),
        ({"my_tasks": [{"id": "other", "state": "approved"}]}, "no task"),
    ],
)
def test_what_is_no_projection(members: dict[str, Any], said: str) -> None:
    with pytest.raises(BadAnswer, match=said):
        reading.projection(projection(**members))


@pytest.mark.parametrize(
    "told",
    [
        TASK,
        {**TASK, "id": 7, "task": "task-3"},
        {**TASK, "executor": {"seat": "con", "owner": "jenny"}},
    ],
)
def test_every_fair_shape_of_a_task_is_read(told: dict[str, Any]) -> None:
    got = reading.task(told)
    assert (got.id, got.state, got.executor, got.owner, got.effects) == (
        "task-3",
        "approved",
        "con",
        "jenny",
        [{"owner": "jenny"}],
    )


def test_a_task_that_says_little() -> None:
    got = reading.task({"state": "running"}, "task-4")
    assert (got.id, got.executor, got.owner, got.effects) == ("task-4", None, None, [])


def test_a_memory_has_its_tasks_in_a_list_or_a_map() -> None:
    told = {"decisions": [{"seq": 1}, "odd"], "tasks": [TASK], "status": "open", "tokens_used": 7}
    got = reading.memory(told)
    assert (got.decisions, got.tasks[0].id, got.closed, got.body["tokens_used"]) == (({"seq": 1},), "task-3", False, 7)
    named = {"task-3": {key: value for key, value in TASK.items() if key != "id"}}
    assert reading.memory({**told, "tasks": named}).tasks[0].id == "task-3"
    for wrong in ({**told, "decisions": {}}, {**told, "tasks": "none"}, [], {**told, "status": None}):
        with pytest.raises(BadAnswer):
            reading.memory(wrong)


def test_a_ledger_is_bare_or_under_entries() -> None:
    entries = [{"seq": 1, "kind": "system"}]
    assert reading.ledger(entries) == reading.ledger({"entries": entries}) == entries
    for wrong in ({}, [1], None):
        with pytest.raises(BadAnswer):
            reading.ledger(wrong)


def test_ids_come_bare_or_in_an_object() -> None:
    assert {
        reading.named(told, "table") for told in ({"table": "t"}, {"table": {"id": "t"}}, {"table": {"table": "t"}})
    } == {"t"}
    for wrong in ({}, {"table": ""}, {"table": {}}, []):
        with pytest.raises(BadAnswer):
            reading.named(wrong, "table")


@pytest.mark.parametrize("token", [None, "", 7, "with space", "tökén", "line\n"])
def test_a_token_that_cannot_be_one_is_refused_and_never_shown(token: Any) -> None:
    with pytest.raises(BadAnswer) as raised:
        reading.secret({"seat_token": token}, "seat_token")
    assert str(raised.value) == "the host's answer has no usable seat_token"
