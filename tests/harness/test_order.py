"""The order of a run: what begins first, what runs alone, and which transports have to heed each other."""

from typing import Any

import pytest

from harness.check import Check
from harness.order import Order, order
from harness.profile import Profile, Role
from harness.targets.base import Target
from tests.harness.peers import answering, brief, target
from tests.harness.plans import make, passing

STREAMS = ("tcp", "tls", "stdio")


def targets(*names: str) -> dict[str, Target]:
    return {name: target(answering(brief), name) for name in names}


def ordered(*checks: Check, over: tuple[str, ...] = STREAMS, profile: Profile | None = None, seed: int = 0) -> Order:
    return order(checks, targets(*over), profile or Profile("p"), seed)


def names(items: list[Any]) -> list[str]:
    return [f"{check.title}@{transport}" for check, transport in items]


def worlds(made: Order) -> list[tuple[list[str], bool]]:
    return [(sorted(world.transports), world.apart) for world in made.worlds]


def test_transports_with_one_state_are_one_world() -> None:
    assert worlds(ordered()) == [(["tcp", "tls"], False), (["stdio"], True)]
    assert worlds(ordered(profile=Profile("p", stdio_state="shared"))) == [(["stdio", "tcp", "tls"], False)]
    assert worlds(ordered(over=("stdio",))) == [(["stdio"], True)]
    assert worlds(ordered(over=("tcp",))) == [(["tcp"], False)]


def test_a_transport_is_of_one_world() -> None:
    made = ordered()
    assert made.world_of("tls") is made.world_of("tcp") is made.worlds[0]
    assert made.world_of("stdio") is made.worlds[1]
    with pytest.raises(StopIteration):
        made.world_of("http")


def test_each_world_has_what_runs_over_its_transports() -> None:
    shared = Profile("p", roles={"risky": Role("risky", "a.write", {}, shared=True)})
    made = ordered(
        make("plain", passing),
        make("alone", passing, alone=True),
        make("uses", passing, also=("risky",)),
        profile=shared,
    )
    first, apart = made.worlds
    assert sorted(names(first.together)) == ["plain@tcp", "plain@tls"]
    assert sorted(names(first.alone)) == ["alone@tcp", "alone@tls", "uses@tcp", "uses@tls"]
    assert (names(apart.together), sorted(names(apart.alone))) == (["plain@stdio"], ["alone@stdio", "uses@stdio"])
    assert sorted(names(made.together)) == sorted(names(first.together + apart.together))
    assert made.items == made.together + first.alone + apart.alone


def test_what_waits_begins_first_and_what_restarts_ends_last() -> None:
    checks = [make(f"c{number}", passing) for number in range(20)]
    checks += [make("z", passing, restarts=True), make("wait", passing, waits=True), make("y", passing, restarts=True)]
    checks += [make(f"alone{number}", passing, alone=True) for number in range(3)]
    for seed in range(5):
        made = ordered(*checks, over=("tcp",), seed=seed)
        assert names(made.together)[0] == "wait@tcp"
        assert sorted(names(made.worlds[0].alone[:3])) == ["alone0@tcp", "alone1@tcp", "alone2@tcp"]
        assert names(made.worlds[0].alone[3:]) == ["y@tcp", "z@tcp"]
