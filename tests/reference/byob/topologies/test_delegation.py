"""delegation: the floor goes down a tree by address and walks back up (BYOB 7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.errors import ByobError
from reference.byob.topologies.delegation import Delegation
from tests.reference.byob.making import config, entry, seat
from tests.reference.byob.topologies.playing import PASS, holders

TREE = {"root": ["m", "n"], "m": ["k", "l"], "k": ["i"]}
DELEGATION = Delegation()
SEATS = {id: seat(id, role="lead" if id == "n" else None) for id in ("root", "m", "n", "k", "l", "i", "guest")}


def tree(**members: object) -> dict[str, object]:
    return config({"kind": "delegation", "hub": "root", "reports": TREE, **members})


def test_the_floor_goes_down_by_address_and_walks_back_up_one_manager_at_a_time() -> None:
    assert holders(tree(), ["@m", "@k", "*", "*"]) == ["root", "m", "k", "m", "root"]
    assert holders(tree(), ["@m", "@k", "@i", "*", "*", "*"]) == ["root", "m", "k", "i", "k", "m", "root"]


def test_a_manager_hands_the_floor_down_as_often_as_it_likes() -> None:
    assert holders(tree(), ["@m", "@k", "*", "@l", "*", "@k", "*", "*"]) == [
        "root",
        "m",
        "k",
        "m",
        "l",
        "m",
        "k",
        "m",
        "root",
    ]


@pytest.mark.parametrize("to", ["@k", "@i", "@guest", "@root", "*", "role:lead"])
def test_the_root_hands_it_to_no_seat_but_a_direct_report(to: str) -> None:
    assert holders(tree(), [to]) == ["root", "root"]


@pytest.mark.parametrize("to", ["@root", "@m", "@l", "@n", "@guest"])
def test_a_report_hands_it_to_neither_manager_nor_sibling(to: str) -> None:
    assert holders(tree(), ["@m", "@k", to]) == ["root", "m", "k", "m"]


def test_of_several_addresses_the_first_direct_report_gets_it() -> None:
    assert holders(tree(), ["* @k @n @m"]) == ["root", "n"]


def test_a_pass_walks_up_and_a_pass_of_the_root_ends_the_rounds() -> None:
    assert holders(tree(rounds=50), ["@m", "@k", PASS, PASS, PASS]) == ["root", "m", "k", "m", "root", None]
    assert holders(tree(rounds=50), [PASS]) == ["root", None]


def test_rounds_count_the_turns_of_the_root() -> None:
    assert holders(tree(rounds=2), ["@m", "@k", "*", "*", "@n", "*"]) == ["root", "m", "k", "m", "root", "n", None]
    assert holders(tree(rounds=2), ["*", "*"]) == ["root", "root", None]


downward = st.lists(st.sampled_from(["@m", "@n", "@k", "@l", "@i", "*", PASS]), max_size=25)


@given(downward)
def test_the_floor_moves_along_the_tree_and_returns_to_whoever_handed_it_down(moves: list[str]) -> None:
    made = tree(rounds=3)
    stack: list[str] = []
    path = ["root"]
    played = holders(made, [])
    for move in moves:
        at = path[-1]
        target = move.removeprefix("@")
        if target in TREE.get(at, []):
            stack.append(at)
            path.append(target)
        elif at == "root" and (move == PASS or path.count("root") == 3):
            assert holders(made, moves[: len(path)]) == [*path, None]
            return
        elif at == "root":
            path.append("root")
        elif stack == ["root"] and path.count("root") == 3:
            assert holders(made, moves[: len(path)]) == [*path, None]
            return
        else:
            path.append(stack.pop())
    played = holders(made, moves)
    assert played == path


def seen(reader: str, *to: str) -> set[str]:
    """The authors of whom a seat sees an entry with these addresses, whatever its kind."""
    found = [
        {
            author
            for author in SEATS
            if author != reader and DELEGATION.sees(tree(), reader, entry(author, kind, *to), SEATS)
        }
        for kind in ("say", "pass", "raise_hand")
    ]
    assert found[0] == found[1] == found[2]
    return found[0]


@pytest.mark.parametrize(
    ("reader", "authors"),
    [("root", {"m", "n"}), ("m", {"root", "k", "l"}), ("n", {"root"}), ("k", {"m", "i"}), ("l", {"m"}), ("i", {"k"})],
)
def test_a_seat_sees_its_manager_and_its_direct_reports(reader: str, authors: set[str]) -> None:
    assert seen(reader) == authors


def test_a_seat_sees_what_is_addressed_to_it() -> None:
    assert seen("n", "@n") == seen("n", "role:lead") == set(SEATS) - {"n"}
    assert seen("l", "@n") == {"m"}


def test_a_seat_outside_the_tree_sees_everything() -> None:
    assert seen("guest") == set(SEATS) - {"guest"}


def test_the_seats_are_the_whole_tree() -> None:
    assert DELEGATION.seats(tree()) == ("root", "m", "n", "k", "l", "i")
    assert DELEGATION.deciders(tree()) == ("root",)


@pytest.mark.parametrize(
    ("reports", "message"),
    [
        ({"root": ["m", "m"]}, "topology.reports.root names m, which reports to root already"),
        ({"root": ["m", "n"], "n": ["k"], "m": ["k"]}, "topology.reports.m names k, which reports to n already"),
        ({"root": ["m"], "m": ["root"]}, "topology.reports.m names root, which is the hub"),
        ({"root": ["root"]}, "topology.reports.root names root, which is the hub"),
        ({"root": ["m"], "m": ["m"]}, "topology.reports.m names m, which reports to root already"),
        ({"root": ["m"], "x": ["y"]}, "topology.reports.x is out of reach: no line of reports leads to it"),
        ({"root": [], "x": ["y"], "y": ["x"]}, "topology.reports.x is out of reach: no line of reports leads to it"),
    ],
)
def test_reports_that_form_no_tree_are_refused(reports: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ByobError) as raised:
        DELEGATION.check(tree(reports=reports))
    assert (raised.value.code, raised.value.message) == ("E_CONFIG", message)


@pytest.mark.parametrize("reports", [{}, {"root": []}, {"root": ["m"]}, TREE])
def test_trees_of_any_size_pass(reports: dict[str, list[str]]) -> None:
    DELEGATION.check(tree(reports=reports))


def test_a_line_of_a_thousand_seats_is_no_matter() -> None:
    line = {f"s{n}": [f"s{n + 1}"] for n in range(999)}
    DELEGATION.check(config({"kind": "delegation", "hub": "s0", "reports": line}))


def test_a_tree_has_at_most_a_thousand_seats() -> None:
    whole = {"root": [f"s{number}" for number in range(999)]}
    DELEGATION.check(tree(reports=whole))
    with pytest.raises(ByobError, match=r"topology\.reports must place at most 1000 seats"):
        DELEGATION.check(tree(reports={**whole, "s0": ["one more"]}))
