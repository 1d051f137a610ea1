"""What all five topologies have in common."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.topologies import POLICIES, Turn
from tests.reference.byob.making import config

TOPOLOGIES: dict[str, dict[str, Any]] = {
    "broadcast": {"kind": "broadcast", "order": ["a", "b", "c"], "rounds": 2},
    "debate": {"kind": "debate", "pro": "a", "con": "b", "judge": "c", "rounds": 2},
    "pipeline": {"kind": "pipeline", "stages": ["a", "b", "c"], "rounds": 2},
    "hub_spoke": {"kind": "hub_spoke", "hub": "a", "spokes": ["b", "c"], "rounds": 2},
    "delegation": {"kind": "delegation", "hub": "a", "reports": {"a": ["b"], "b": ["c"]}, "rounds": 2},
}
DECIDERS = {"broadcast": (), "debate": ("c",), "pipeline": ("c",), "hub_spoke": ("a",), "delegation": ("a",)}


def test_there_are_five() -> None:
    assert {kind: policy.kind for kind, policy in POLICIES.items()} == dict(zip(TOPOLOGIES, TOPOLOGIES, strict=True))


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_a_sound_config_passes_and_names_its_seats(kind: str) -> None:
    made = config(TOPOLOGIES[kind])
    POLICIES[kind].check(made)
    assert POLICIES[kind].seats(made) == ("a", "b", "c")


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_who_decides_by_default(kind: str) -> None:
    assert POLICIES[kind].deciders(config(TOPOLOGIES[kind])) == DECIDERS[kind]


moves = st.lists(
    st.tuples(st.sampled_from(["say", "pass"]), st.lists(st.sampled_from(["*", "@a", "@b", "@c", "@d", "role:x"]))),
    max_size=30,
)


@given(st.sampled_from(sorted(TOPOLOGIES)), moves)
def test_only_seats_of_the_topology_get_the_floor_and_turns_come_to_an_end(
    kind: str, moves: list[tuple[Any, list[str]]]
) -> None:
    made, policy = config(TOPOLOGIES[kind]), POLICIES[kind]
    grant, hubs = policy.opening(made), 0
    for word, to in moves:
        if grant is None:
            return
        assert grant.holder in policy.seats(made)
        hubs += grant.holder == "a"
        grant = policy.after(made, grant.state, Turn(grant.holder, word, tuple(to)))
    assert hubs <= 2 or grant is None


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_the_same_turn_goes_on_in_the_same_way(kind: str) -> None:
    made, policy = config(TOPOLOGIES[kind]), POLICIES[kind]
    opening = policy.opening(made)
    assert opening is not None
    state = dict(opening.state)
    turns = [policy.after(made, opening.state, Turn("a", "say", ("@b",))) for _ in range(2)]
    assert turns[0] == turns[1]
    assert opening.state == state
