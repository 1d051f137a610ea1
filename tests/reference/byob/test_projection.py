"""The prefix, the tail and the rest of a projection, made of a view that stands still (BYOB 6)."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.projection import fixed, prefix, prefix_hash, project, tail_entry
from reference.byob.types import Entry, Seat, Status, Task
from reference.byob.validating import validate
from tests.reference.byob.making import capability, config, seat

TOPOLOGY = {"kind": "broadcast", "order": ["a", "b"]}
CAPABILITY = capability("board", "move", requires_approval=True)
TASK = Task("task-2", "approved", "jenny", "b", ({"owner": "jenny", "resource": "board", "action": "move"},), 2)


@dataclass
class Still:
    """A table's state, as far as a projection reads it."""

    config: dict[str, Any] = field(default_factory=lambda: config(TOPOLOGY, termination={"any": ["decision"]}))
    seats: dict[str, Seat] = field(default_factory=lambda: {"a": seat("a"), "b": seat("b", "jenny", CAPABILITY)})
    entries: list[Entry] = field(default_factory=list)
    decisions: list[Entry] = field(default_factory=list)
    unfinished: dict[str, dict[str, Task]] = field(default_factory=dict)
    holder: str | None = "a"
    grant_seq: int | None = 3
    status: Status = "open"


def said(seq: int, author: str = "a", **members: Any) -> Entry:
    ts = f"2026-11-03T12:00:00.{seq:03}Z"
    return {"seq": seq, "table": "t", "seat": author, "kind": "say", "to": ["*"], "body": "Hm.", **members, "ts": ts}


def test_the_whole_projection() -> None:
    entries = [said(1), said(2, "b"), said(3)]
    state = Still(entries=entries, unfinished={"jenny": {TASK.id: TASK}})
    state.config["floor"] = {"max_chars": 1500}
    shown = project(state, "b", 1, lambda entry: entry["seat"] == "a")
    assert shown == {
        "protocol": "byob/0.1",
        "table": "t",
        "seat": "b",
        "prefix": prefix(state),
        "prefix_hash": prefix_hash(prefix(state)),
        "tail": [{"seq": 3, "table": "t", "seat": "a", "kind": "say", "to": ["*"], "body": "Hm."}],
        "cursor": 3,
        "floor": {"holder": "a", "you_have_floor": False, "grant_seq": 3, "max_chars": 1500},
        "status": "open",
        "my_tasks": [TASK.shown()],
    }
    validate("projection", shown)


def test_the_whole_prefix() -> None:
    state = Still(decisions=[said(7, kind="decision", body="#461 first.", effects=[], truncated=True)])
    state.seats["h"] = Seat("h", "tao", "human", {"bot": "by hand", "proxy": True, "capabilities": []}, "chair")
    assert prefix(state) == {
        "topic": "Which one?",
        "rules": {"topology": TOPOLOGY, "floor": {}, "termination": {"any": ["decision"]}},
        "seats": [
            {"seat": "a", "owner": "tao", "kind": "bot", "bot": "a script", "proxy": False, "capabilities": []},
            {
                "seat": "b",
                "owner": "jenny",
                "kind": "bot",
                "bot": "a script",
                "proxy": False,
                "capabilities": [CAPABILITY],
            },
            {
                "seat": "h",
                "owner": "tao",
                "kind": "human",
                "role": "chair",
                "bot": "by hand",
                "proxy": True,
                "capabilities": [],
            },
        ],
        "decisions": [{"seq": 7, "seat": "a", "body": "#461 first."}],
    }


def test_the_hash_is_the_sha_256_of_the_canonical_text_in_hex() -> None:
    text = '{"a":[1,{"c":"é","d":null}],"b":true}'
    assert prefix_hash({"b": True, "a": [1, {"d": None, "c": "é"}]}) == hashlib.sha256(text.encode()).hexdigest()


members = st.dictionaries(st.text(max_size=4), st.integers() | st.text() | st.lists(st.booleans()), max_size=8)


@given(members, st.randoms())
def test_the_hash_does_not_depend_on_the_order_of_members(made: dict[str, Any], random: Any) -> None:
    shuffled = list(made.items())
    random.shuffle(shuffled)
    assert prefix_hash(dict(shuffled)) == prefix_hash(made)


@given(members)
def test_the_hash_depends_on_every_member(made: dict[str, Any]) -> None:
    for name in made:
        assert prefix_hash({each: value for each, value in made.items() if each != name}) != prefix_hash(made)
        assert prefix_hash({**made, name: [made[name]]}) != prefix_hash(made)


def test_only_a_join_or_a_decision_changes_the_prefix() -> None:
    state = Still()
    before = fixed(state)
    state.entries.append(said(4))
    state.holder, state.grant_seq, state.status = None, None, "closed"
    state.unfinished["jenny"] = {TASK.id: TASK}
    assert fixed(state) == before
    state.seats["c"] = seat("c")
    joined = fixed(state)
    assert joined.hash != before.hash
    state.decisions.append(said(5, kind="decision"))
    assert fixed(state).hash not in (before.hash, joined.hash)


def test_what_is_known_of_the_prefix_is_taken_as_it_is() -> None:
    state = Still()
    known = fixed(state)
    shown = project(state, "a", 0, bool, known)
    assert shown == project(state, "a", 0, bool)
    assert shown["prefix"] is known.prefix


@pytest.mark.parametrize(("since", "seqs"), [(0, [1, 2, 3]), (1, [2, 3]), (2, [3]), (3, []), (99, []), (-5, [1, 2, 3])])
def test_the_tail_starts_after_since_and_the_cursor_is_the_last_seq(since: int, seqs: list[int]) -> None:
    state = Still(entries=[said(1), said(2), said(3)])
    shown = project(state, "a", since, bool)
    assert ([entry["seq"] for entry in shown["tail"]], shown["cursor"]) == (seqs, 3)


def test_the_cursor_passes_what_the_seat_may_not_see() -> None:
    shown = project(Still(entries=[said(1), said(2)]), "a", 0, lambda _: False)
    assert (shown["tail"], shown["cursor"]) == ([], 2)


@given(st.lists(st.booleans(), max_size=20), st.integers(0, 20))
def test_an_early_tail_is_the_beginning_of_a_later_one(shown: list[bool], early: int) -> None:
    entries = [said(seq) for seq in range(1, len(shown) + 1)]

    def tail(count: int) -> list[Entry]:
        seen: list[Entry] = project(Still(entries=entries[:count]), "a", 0, lambda e: shown[e["seq"] - 1])["tail"]
        return seen

    assert tail(len(entries))[: len(tail(early))] == tail(early)


@pytest.mark.parametrize(("seat_id", "tasks"), [("a", []), ("b", [TASK.shown()]), ("h", [TASK.shown()])])
def test_my_tasks_are_those_of_the_seats_owner(seat_id: str, tasks: list[Any]) -> None:
    state = Still(unfinished={"jenny": {TASK.id: TASK}, "omar": {}})
    state.seats["h"] = seat("h", "jenny", kind="human")
    assert project(state, seat_id, 0, bool)["my_tasks"] == tasks


@pytest.mark.parametrize(
    ("holder", "floor"),
    [
        ("a", {"holder": "a", "you_have_floor": True, "grant_seq": 3}),
        ("b", {"holder": "b", "you_have_floor": False, "grant_seq": 3}),
        (None, {"holder": None, "you_have_floor": False, "grant_seq": None}),
    ],
)
def test_the_floor(holder: str | None, floor: dict[str, Any]) -> None:
    assert project(Still(holder=holder), "a", 0, bool)["floor"] == floor


CUTS: list[tuple[dict[str, Any], int | None, dict[str, Any]]] = [
    ({"body": "abcde"}, 5, {"body": "abcde"}),
    ({"body": "abcde"}, None, {"body": "abcde"}),
    ({"body": "abcdef"}, 5, {"body": "abcde", "refs": ["entry:9"]}),
    ({"body": "abcdef", "refs": ["mem-1"]}, 5, {"body": "abcde", "refs": ["mem-1", "entry:9"]}),
    ({"body": "abcdef", "refs": ["entry:9"]}, 5, {"body": "abcde", "refs": ["entry:9"]}),
    ({"body": "世界世界"}, 2, {"body": "世界", "refs": ["entry:9"]}),
    ({"body": "\N{GRINNING FACE}" * 3}, 2, {"body": "\N{GRINNING FACE}" * 2, "refs": ["entry:9"]}),
    ({"artifact": "abcdef"}, 5, {"artifact": "abcdef"}),
    ({"decisions": [{"body": "abcdef"}]}, 5, {"decisions": [{"body": "abcdef"}]}),
]


@pytest.mark.parametrize(("members", "limit", "shown"), CUTS)
def test_a_long_body_is_cut_and_names_itself(members: dict[str, Any], limit: int | None, shown: dict[str, Any]) -> None:
    entry = {"seq": 9, "kind": "say", **members, "ts": "2026-11-03T12:00:00.000Z"}
    before = repr(entry)
    assert tail_entry(entry, limit) == {"seq": 9, "kind": "say", **shown}
    assert repr(entry) == before


def test_the_limit_is_the_configs() -> None:
    state = Still(entries=[said(1, body="abcdef")])
    state.config["projection"] = {"inline_limit": 2}
    assert [entry["body"] for entry in project(state, "a", 0, bool)["tail"]] == ["ab"]
