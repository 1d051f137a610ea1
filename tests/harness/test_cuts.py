"""Paths, losses and `more` entries of cut replies."""

import pytest

from harness import cuts
from harness.cuts import Loss, More

FRAME = {"data": {"events": [{"note": "x"}, [1, 2]], "a.b": {"c": "text"}, "0": [5], "d[e].f": "odd"}}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("data.events", [{"note": "x"}, [1, 2]]),
        ("data.events.0.note", "x"),
        ("data.events[0].note", "x"),
        ("data.events[1][1]", 2),
        ("data.a.b.c", "text"),
        ("data.0", [5]),
        ("data.d[e].f", "odd"),
        ("data[d[e].f]", "odd"),
        ("data[events][0][note]", "x"),
    ],
)
def test_a_path_leads_to_its_place(path: str, value: object) -> None:
    spot = cuts.locate(FRAME, path)
    assert spot is not None
    assert spot.value == value


@pytest.mark.parametrize("path", ["", "data.nothing", "data.events.2", "data.events.-1", "data.events.x", "." * 1000])
def test_a_path_to_nothing_is_none(path: str) -> None:
    assert cuts.locate(FRAME, path) is None


def test_a_path_with_many_ways_to_read_it_ends() -> None:
    frame: dict[str, object] = {}
    for length in range(1, 60):
        frame[".".join(["a"] * length)] = frame
    assert cuts.locate(frame, ".".join(["a"] * 150) + ".b") is None


@pytest.mark.parametrize(
    ("whole", "kept", "losses"),
    [
        ({"a": [1, 2, 3]}, {"a": [1, 2, 3]}, []),
        ({"a": [1, 2, 3]}, {"a": [1]}, [Loss(("a",), "items", 2)]),
        ([["x", "y"], 2], [["x"]], [Loss((), "items", 1), Loss((0,), "items", 1)]),
        ("abcdef", "abc…", [Loss((), "text", 3)]),
        ("abcdef", "abc", [Loss((), "text", 3)]),
        ("abcdef", "abd…", [Loss((), "changed")]),
        ({"a": 1, "b": 2}, {"a": 1}, [Loss((), "changed")]),
        ([1], [1, 2], [Loss((), "changed")]),
        ([1, 2], [2], [Loss((), "items", 1), Loss((0,), "changed")]),
        (True, 1, [Loss((), "changed")]),
        ({"a": []}, {"a": None}, [Loss(("a",), "changed")]),
    ],
)
def test_losses_are_tails_or_changes(whole: object, kept: object, losses: list[Loss]) -> None:
    assert cuts.losses(whole, kept) == losses


def test_deep_values_are_compared_without_recursion() -> None:
    whole: list[object] = []
    kept: list[object] = []
    for _ in range(50_000):
        whole, kept = [whole], [kept]
    assert cuts.losses(whole, kept) == []


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"handle": "h", "path": "data", "remaining": 1, "est": 5}, None),
        ({"handle": "h", "path": "data", "remaining": 1, "est": 5, "x": None}, None),
        ("h", 'an entry that is no object: "h"'),
        ({"handle": 1, "path": "data", "remaining": 1, "est": 5}, "handle 1, not a string"),
        ({"handle": "h", "remaining": 1, "est": 5}, "path null, not a string"),
        ({"handle": "h", "path": "data", "remaining": True, "est": 5}, "remaining true, not an integer"),
        ({"handle": "h", "path": "data", "remaining": 1, "est": 5.5}, "est 5.5, not an integer"),
    ],
)
def test_a_more_entry_has_four_members(entry: object, problem: str | None) -> None:
    assert cuts.more_problem(entry) == problem


def test_malformed_more_entries_are_passed_over() -> None:
    good = {"handle": "h", "path": "data", "remaining": 1, "est": 5}
    assert cuts.more_of({"more": [good, 5]}) == [More("h", "data", 1, 5)]
    assert cuts.more_of({"more": good}) == []
    assert cuts.more_of({}) == []


@pytest.mark.parametrize(
    ("frame", "options", "cuttable"),
    [
        ({"kind": "ANSWER", "data": {"a": {"b": [1]}}}, {}, True),
        ({"kind": "ANSWER", "data": {"a": [], "t": "x" * 200 + "…"}}, {}, False),
        ({"kind": "ANSWER", "data": "x" * 201}, {}, True),
        ({"kind": "ANSWER", "data": {"items": [{"a": 1}]}}, {}, True),
        ({"kind": "ANSWER", "data": {"items": [{"a": 1}]}}, {"expanding": True}, False),
        ({"kind": "ANSWER", "data": {"items": [1, 2]}}, {"expanding": True}, True),
        ({"kind": "ANSWER", "data": {"items": [{"effects": [1]}]}}, {"expanding": True}, True),
        ({"kind": "ANSWER", "data": {"items": [{"effects": [1]}]}}, {"expanding": True, "whole_items": True}, False),
        ({"kind": "PROPOSALS", "proposals": [{"effects": [1, 2]}]}, {}, False),
        ({"kind": "PROPOSALS", "proposals": [{"data": {"rows": [1]}}]}, {}, True),
        ({"kind": "PROPOSALS", "proposals": [{}, {}]}, {}, True),
        ({"kind": "BRIEF", "capabilities": [{"params": {"a": []}}]}, {}, False),
        ({"kind": "RECEIPT", "receipt": {"effects": [1], "result": {"rows": [1]}}}, {}, True),
        ({"kind": "RECEIPT", "receipt": {"effects": [1]}}, {}, False),
        ({"kind": "ERROR", "message": "x" * 500}, {}, False),
    ],
)
def test_only_what_the_section_names_can_be_cut(
    frame: dict[str, object], options: dict[str, bool], cuttable: bool
) -> None:
    assert cuts.still_cuttable(frame, **options) is cuttable
