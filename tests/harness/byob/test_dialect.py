"""A host's dialect: shapes that it takes, and where its system entries keep what they tell."""

from typing import Any

import pytest

from harness.byob.dialect import REPORTS, Dialect, place_of
from harness.targets.hosts import ABSENT

TREE = {"root": ["m", "n"], "m": ["k"]}
SHAPES: dict[str, Any] = {
    "map": TREE,
    "pairs": [["root", "m"], ["root", "n"], ["m", "k"]],
    "list": [{"manager": "root", "reports": ["m", "n"]}, {"manager": "m", "reports": ["k"]}],
    "parents": {"m": "root", "n": "root", "k": "m"},
}


@pytest.mark.parametrize("name", REPORTS)
def test_reports_have_the_shape_that_the_host_takes(name: str) -> None:
    topology = {"kind": "delegation", "hub": "root", "reports": TREE}
    assert Dialect(reports=name).topology(topology) == {**topology, "reports": SHAPES[name]}


def test_spokes_are_left_out_where_the_host_takes_none() -> None:
    topology = {"kind": "hub_spoke", "hub": "h", "spokes": ["x"]}
    assert Dialect().topology(topology) == topology
    assert Dialect(spokes=False).topology(topology) == {"kind": "hub_spoke", "hub": "h"}
    assert topology["spokes"] == ["x"]


def test_decisions_are_called_as_the_host_calls_them() -> None:
    dialect = Dialect(decisions=("approved", "rejected"))
    assert [dialect.word(word) for word in ("approve", "reject", "maybe", 1)] == ["approved", "rejected", "maybe", 1]


GRANT = {"kind": "system", "event": "floor_granted", "seat": "core", "data": {"to": "a", "policy": {"next": "b"}}}


def test_what_an_entry_tells_stands_at_its_place() -> None:
    dialect = Dialect(places={"floor_granted.holder": ("data", "to")})
    assert (dialect.told(GRANT, "holder"), dialect.told(GRANT, "task")) == ("a", ABSENT)
    assert [dialect.tells(GRANT, "holder", seat) for seat in ("a", "b")] == [True, False]


def test_where_the_place_is_not_known_anywhere_will_do() -> None:
    assert [Dialect().tells(GRANT, "holder", seat) for seat in ("a", "b", "c")] == [True, True, False]


def test_a_place_is_what_all_cases_have_in_common() -> None:
    second = {**GRANT, "data": {"to": "b", "policy": {"next": "a"}, "was": "a"}}
    assert place_of([(GRANT, "a"), (second, "b")]) == ("data", "to")
    assert place_of([(GRANT, "a"), (second, "c")]) is None
    assert place_of([]) is None


def test_the_nearest_place_is_taken() -> None:
    assert place_of([({"deep": {"x": "a"}, "who": "a"}, "a")]) == ("who",)


def test_the_dialect_is_told_in_one_sentence() -> None:
    told = Dialect(statuses={"create": 201}, total=("budget", "used"), refuses_extra={"debate"}, parent_token=True)
    assert told.lines() == [
        "Dialect of the host, learned or set in the profile: statuses: create 201; spokes are named; reports as map; "
        "an owner decision says approve or reject; heartbeat_ms from 1000; a sub-table needs its parent's admin token; "
        "the token total at budget.used; no further seats in debate."
    ]
