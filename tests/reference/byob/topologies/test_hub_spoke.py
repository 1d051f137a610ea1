"""hub_spoke: the hub hands the floor to a spoke, whose turn returns it (BYOB 7)."""

import pytest

from reference.byob.errors import ByobError
from reference.byob.topologies.hub_spoke import HubSpoke
from tests.reference.byob.making import config, entry, seat
from tests.reference.byob.topologies.playing import PASS, holders

HUB = HubSpoke()
SEATS = {each.id: each for each in (seat("hub"), seat("x", role="critic"), seat("y"), seat("z"), seat("guest"))}


def hub(**members: object) -> dict[str, object]:
    return config({"kind": "hub_spoke", "hub": "hub", "spokes": ["x", "y", "z"], **members})


def test_a_say_to_a_spoke_hands_it_the_floor_and_its_turn_returns_it() -> None:
    assert holders(hub(), ["@x", "*", "@y", PASS]) == ["hub", "x", "hub", "y", "hub"]


@pytest.mark.parametrize("to", ["*", "@hub", "role:critic", "@guest", "x", ""])
def test_a_say_that_addresses_no_spoke_leaves_the_floor_with_the_hub(to: str) -> None:
    assert holders(hub(), [to, to]) == ["hub", "hub", "hub"]


def test_of_several_spokes_the_first_gets_the_floor() -> None:
    assert holders(hub(), ["* @guest @y @x", "*"]) == ["hub", "y", "hub"]


def test_a_spoke_cannot_hand_the_floor_on() -> None:
    assert holders(hub(), ["@x", "@y", "@y", "@hub"]) == ["hub", "x", "hub", "y", "hub"]


def test_rounds_count_the_turns_of_the_hub_and_the_last_spoke_answers() -> None:
    assert holders(hub(rounds=2), ["@x", "*", "@y", "*"]) == ["hub", "x", "hub", "y", None]
    assert holders(hub(rounds=2), ["*", "*"]) == ["hub", "hub", None]
    assert holders(hub(rounds=1), ["*"]) == ["hub", None]


def test_without_rounds_the_hub_goes_on() -> None:
    assert holders(hub(), ["*"] * 100) == ["hub"] * 101


def test_a_pass_of_the_hub_ends_the_rounds_and_one_of_a_spoke_does_not() -> None:
    assert holders(hub(rounds=50), [PASS]) == ["hub", None]
    assert holders(hub(rounds=50), ["@x", PASS, PASS]) == ["hub", "x", "hub", None]


def test_hands_change_no_turn() -> None:
    assert holders(hub(), [("*", ("x",)), ("@y", ("x",))]) == ["hub", "hub", "y"]


def test_without_a_list_every_other_seat_is_a_spoke() -> None:
    made = config({"kind": "hub_spoke", "hub": "hub", "rounds": 2})
    assert holders(made, ["@guest", "@x", "@x", "*"]) == ["hub", "guest", "hub", "x", None]
    assert HUB.seats(made) == ("hub",)
    assert not HUB.sees(made, "guest", entry("x"), SEATS)


def test_without_a_list_the_hub_is_no_spoke_all_the_same() -> None:
    made = config({"kind": "hub_spoke", "hub": "hub"})
    assert HUB.sees(made, "hub", entry("x"), SEATS)
    assert not HUB.may_hand(made["topology"], "hub", "hub")


def seen(reader: str, *to: str) -> set[str]:
    """The authors of whom a seat sees an entry with these addresses, whatever its kind."""
    found = [
        {author for author in SEATS if author != reader and HUB.sees(hub(), reader, entry(author, kind, *to), SEATS)}
        for kind in ("say", "pass", "raise_hand")
    ]
    assert found[0] == found[1] == found[2]
    return found[0]


def test_the_hub_sees_everything_and_so_does_a_seat_outside() -> None:
    assert seen("hub") == {"x", "y", "z", "guest"}
    assert seen("guest") == {"hub", "x", "y", "z"}


@pytest.mark.parametrize("spoke", ["x", "y", "z"])
def test_a_spoke_sees_the_hub_only(spoke: str) -> None:
    assert seen(spoke) == seen(spoke, "@hub") == {"hub"}


def test_a_spoke_sees_what_is_addressed_to_it() -> None:
    assert seen("x", "@x") == seen("x", "role:critic") == {"hub", "y", "z", "guest"}
    assert seen("z", "@x") == seen("z", "role:critic") == {"hub"}


def test_an_entry_without_addresses_is_addressed_to_nobody() -> None:
    bare = {"seq": 4, "seat": "y", "kind": "pass"}
    assert not HUB.sees(hub(), "x", bare, SEATS)


def test_the_hub_is_no_spoke() -> None:
    with pytest.raises(ByobError, match=r"E_CONFIG: topology\.spokes must not name the hub itself"):
        HUB.check(hub(spokes=["x", "hub"]))
