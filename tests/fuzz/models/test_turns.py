"""The floor order of each topology, by the spec's own table (BYOB 7)."""

from typing import Any

import pytest

from fuzz.models.turns import Place, Turn, after, opening, sequence

SAY = Turn("say")
BROADCAST = {"kind": "broadcast", "order": ["a", "b", "c"], "rounds": 2}
DEBATE = {"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 2}
PIPELINE = {"kind": "pipeline", "stages": ["s1", "s2", "s3"], "rounds": 2}
HUB = {"kind": "hub_spoke", "hub": "h", "spokes": ["x", "y"], "rounds": 2}
TREE = {"kind": "delegation", "hub": "r", "reports": {"r": ["m", "n"], "m": ["k"]}, "rounds": 2}


def play(topology: dict[str, Any], *moves: Turn) -> list[set[str | None]]:
    """Return who may hold the floor at the start and after each of the turns."""
    places: set[Place | None] = {opening(topology)}
    seen = [_holders(places)]
    for move in moves:
        places = {each for place in places if place is not None for each in after(topology, place, move)}
        seen.append(_holders(places))
    return seen


def _holders(places: set[Place | None]) -> set[str | None]:
    return {None if place is None else place.holder for place in places}


ORDERS = {
    "broadcast": (BROADCAST, ["a", "b", "c", "a", "b", "c"]),
    "debate": (DEBATE, ["p", "c", "p", "c", "j"]),
    "pipeline": (PIPELINE, ["s1", "s2", "s3", "s1", "s2", "s3"]),
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_fixed_order_is_followed_to_its_end(name: str) -> None:
    topology, order = ORDERS[name]
    assert sequence(topology) == order
    ends: set[str | None] = {None, "j"} if name == "debate" else {None}  # a judge may keep the floor: BYOB-Q069
    assert play(topology, *[SAY] * len(order)) == [*({seat} for seat in order), ends]


def test_a_hub_hands_over_and_gets_the_floor_back_until_its_turns_are_used() -> None:
    to_x, to_y = Turn("say", ("x",)), Turn("say", ("y",))
    assert play(HUB, to_x, SAY, to_y, SAY) == [{"h"}, {"x"}, {"h"}, {"y", None}, {None}]


def test_a_hub_that_names_no_spoke_keeps_the_floor_or_ends_the_rounds() -> None:
    assert play(HUB, SAY) == [{"h"}, {"h"}]
    assert play(HUB, SAY, SAY) == [{"h"}, {"h"}, {"h", None}]


@pytest.mark.parametrize("topology", [HUB, TREE])
def test_a_pass_of_the_hub_or_root_ends_the_rounds(topology: dict[str, Any]) -> None:
    assert play(topology, Turn("pass"))[1] == {None}


def test_a_spoke_hands_the_floor_to_nobody_else() -> None:
    assert play(HUB, Turn("say", ("x",)), Turn("say", ("y",)))[-1] == {"h"}


def test_the_floor_walks_back_up_one_manager_at_a_time() -> None:
    down = [Turn("say", ("m",)), Turn("say", ("k",))]
    assert play(TREE, *down, SAY, SAY) == [{"r"}, {"m"}, {"k"}, {"m"}, {"r"}]


def test_the_floor_goes_to_direct_reports_only() -> None:
    assert play(TREE, Turn("say", ("k",)))[-1] == {"r"}
    assert play(TREE, Turn("say", ("m",)), Turn("say", ("n",)))[-1] == {"r"}


def test_one_raised_hand_is_served_right_after_the_turn() -> None:
    served = after(BROADCAST, opening(BROADCAST), SAY, ("c",))
    assert _holders(set(served)) == {"c"}
    assert {(place.extra, place.moved) for place in served if place} == {(True, frozenset()), (True, frozenset({2}))}


def test_after_a_served_hand_the_round_goes_on_where_it_stood() -> None:
    served = after(BROADCAST, opening(BROADCAST), SAY, ("c",))
    resumed = {each for place in served if place for each in after(BROADCAST, place, SAY)}
    assert _holders(resumed) == {"b"}
    then = {each for place in resumed if place for each in after(BROADCAST, place, SAY)}
    assert _holders(then) == {"c", "a"}  # its own turn is kept, or was moved: BYOB-Q067


def test_where_the_text_is_open_a_hand_may_be_served_or_not() -> None:
    assert _holders(set(after(BROADCAST, opening(BROADCAST), SAY, ("b",)))) == {"b"}
    assert _holders(set(after(BROADCAST, opening(BROADCAST), SAY, ("c", "x")))) == {"b", "c", "x"}
    assert _holders(set(after(PIPELINE, opening(PIPELINE), SAY, ("s3",)))) == {"s2", "s3"}
