"""Finding things by value in what a host sends, of any shape and depth."""

from typing import Any

import pytest

from harness.byob import reading
from harness.targets.hosts import ABSENT, Answer

ENTRY = {"seq": 3, "event": "floor_granted", "data": {"to": ["a", {"who": "b"}], "n": 0}}


def test_walking_yields_near_values_first() -> None:
    assert [path for path, _ in reading.walk({"a": [1], "b": 2})] == [(), ("a",), ("b",), ("a", 0)]


def test_depth_and_width_are_bounded() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    assert sum(1 for _ in reading.walk(deep)) == reading.MOST
    assert sum(1 for _ in reading.walk([0] * 1_000_000)) == 1_000_001  # one level more than the bound at most


HELD: list[tuple[Any, bool]] = [
    ("b", True),
    ("a", True),
    ("who", False),
    (0, True),
    (False, False),
    ({"who": "b"}, True),
]


@pytest.mark.parametrize(("value", "held"), HELD)
def test_a_value_is_held_whole_and_true_is_no_number(value: Any, held: bool) -> None:
    assert reading.holds(ENTRY, value) is held


def test_a_text_is_mentioned_inside_strings_and_keys() -> None:
    assert reading.mentions({"x": ["say hello"]}, "hello")
    assert reading.mentions({"hello there": 1}, "hello")
    assert not reading.mentions({"x": 1}, "hello")


def test_members_are_found_at_any_depth() -> None:
    assert reading.members({"state": 1, "x": [{"state": 2}]}, "state") == [1, 2]


@pytest.mark.parametrize(
    ("path", "value"),
    [(("data", "to", 1, "who"), "b"), (("data", "to", 5), ABSENT), (("seq", "x"), ABSENT), ((), ENTRY)],
)
def test_a_path_leads_somewhere_or_nowhere(path: reading.Path, value: Any) -> None:
    assert reading.at(ENTRY, path) == value


ENTRIES = [{"seq": 1}, {"seq": 2}]
LINES = [("content-type", "application/x-ndjson")]
LEDGERS: dict[str, tuple[Any, bytes, str, Any]] = {
    "a list": (ENTRIES, b"", "application/json", ENTRIES),
    "an object with entries": ({"entries": ENTRIES, "of": []}, b"", "application/json", ENTRIES),
    "an object with one list": ({"items": ENTRIES, "n": 2}, b"", "application/json", ENTRIES),
    "an object with two lists": ({"one": [], "two": []}, b"", "application/json", None),
    "lines": (ABSENT, b'{"seq": 1}\n{"seq": 2}\n', "application/x-ndjson", ENTRIES),
    "one line": ({"seq": 1}, b'{"seq": 1}\n', "application/jsonl", ENTRIES[:1]),
    "broken lines": (ABSENT, b'{"seq": 1\n', "application/x-ndjson", None),
    "a list of texts": (["x"], b"", "application/json", None),
    "a text": ("x", b"", "application/json", None),
    "an object of entries": ({"1": ENTRIES[0]}, b"", "application/json", None),
}


@pytest.mark.parametrize("name", LEDGERS)
def test_a_ledger_has_one_of_three_shapes(name: str) -> None:
    value, body, kind, entries = LEDGERS[name]
    answer = Answer("GET", "/tables/x/ledger", ABSENT, 200, {"content-type": kind}, body, value)
    assert reading.entries_of(answer) == entries


TOTALS: list[tuple[Any, int | None]] = [
    ({"tokens_used": 12, "decisions": [{"seq": 3}]}, 12),
    ({"budget": {"tokens_used": 0}}, 0),
    ({"token_total": 5, "tasks": [{"tokens": 9}]}, 5),
    ({"tokens_used": 7, "token_limit": 100}, 7),
    ({"tokens_used": 7, "tokens_left": 3}, 7),
    ({"tokens_used": 7, "tokens_said": 3}, None),
    ({"total": 7}, None),
    ({"tokens_used": True}, None),
    (ABSENT, None),
]


@pytest.mark.parametrize(("memory", "total"), TOTALS)
def test_the_token_total_is_the_only_integer_that_says_so(memory: Any, total: int | None) -> None:
    assert reading.total_of(memory) == total


@pytest.mark.parametrize(("entry", "seq"), [({"seq": 4}, 4), ({"seq": "4"}, 0), ({"seq": True}, 0), ({}, 0), ("x", 0)])
def test_a_seq_is_an_integer(entry: Any, seq: int) -> None:
    assert reading.seq_of(entry) == seq


def test_entries_are_chosen_by_kind_and_event() -> None:
    note, grant, say = ({"kind": "system", "event": name} for name in ("note", "floor_granted", "say"))
    posted = {"kind": "say", "event": "note"}
    entries = [note, grant, say, posted]
    assert reading.events(entries, "note") == [note]
    assert reading.of_kind(entries, "say", "pass") == [posted]
    assert reading.without_notes(entries) == [grant, say, posted]


def test_task_ids_are_found_once_each() -> None:
    value = {"task": "task-12", "more": ["task-12", "task-0", "task-3", "a task-4"]}
    assert reading.task_ids(value) == ["task-12", "task-3"]
