"""broadcast: round-robin with raised hands (BYOB 7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.topologies import POLICIES, Turn
from reference.byob.topologies.broadcast import Broadcast
from tests.reference.byob.making import config, entry, seat
from tests.reference.byob.topologies.playing import PASS, holders

BROADCAST = Broadcast()


def three(**members: object) -> dict[str, object]:
    return config({"kind": "broadcast", "order": ["a", "b", "c"], **members})


def test_the_floor_goes_round_in_the_configured_order() -> None:
    assert holders(three(rounds=2), ["*"] * 6) == ["a", "b", "c", "a", "b", "c", None]


def test_a_pass_yields_the_floor_and_addresses_change_nothing() -> None:
    assert holders(three(rounds=1), [PASS, "@a", PASS]) == ["a", "b", "c", None]


def test_without_rounds_there_is_one() -> None:
    assert holders(three(), ["*"] * 3) == ["a", "b", "c", None]


def test_a_seat_may_stand_in_the_order_twice() -> None:
    made = config({"kind": "broadcast", "order": ["a", "b", "a"], "rounds": 2})
    assert holders(made, ["*"] * 6) == ["a", "b", "a", "a", "b", "a", None]
    assert BROADCAST.seats(made) == ("a", "b")


def test_a_hand_is_served_right_after_the_current_turn_and_the_round_goes_on() -> None:
    assert holders(three(rounds=1), [("*", ("c",)), "*", "*", "*"]) == ["a", "c", "b", "c", None]


def test_hands_are_served_in_the_order_in_which_they_were_raised() -> None:
    moves = [("*", ("c", "v")), ("*", ("v",)), "*", "*", "*"]
    assert holders(three(rounds=1), moves) == ["a", "c", "v", "b", "c", None]


def test_a_hand_raised_while_another_is_served_waits_for_the_end_of_that_turn() -> None:
    assert holders(three(rounds=1), [("*", ("c",)), ("*", ("a",)), "*", "*"]) == ["a", "c", "a", "b", "c"]


def test_the_hand_of_the_next_seat_gets_no_extra_turn() -> None:
    assert holders(three(rounds=1), [("*", ("b",)), "*", "*"]) == ["a", "b", "c", None]
    assert holders(three(rounds=1), [("*", ("b", "a")), ("*", ("a",)), "*", "*"]) == ["a", "b", "a", "c", None]


def test_a_hand_raised_in_the_last_turn_is_served_before_the_end() -> None:
    assert holders(three(rounds=1), ["*", "*", ("*", ("a",)), "*"]) == ["a", "b", "c", "a", None]


def test_the_holders_own_hand_gives_it_another_turn() -> None:
    assert holders(three(rounds=1), [("*", ("a",)), "*"]) == ["a", "a", "b"]


def test_a_seat_outside_the_order_gets_the_floor_by_its_hand() -> None:
    assert holders(three(rounds=1), [("*", ("guest",)), "*"]) == ["a", "guest", "b"]


hands = st.lists(st.lists(st.sampled_from("abcdv"), unique=True, max_size=3), max_size=20)


@given(hands, st.integers(1, 3))
def test_whatever_hands_are_raised_the_regular_turns_come_in_order(raised: list[list[str]], rounds: int) -> None:
    made, grant = three(rounds=rounds), BROADCAST.opening(three(rounds=rounds))
    waiting: dict[str, None] = {}
    regular = 0
    for new in raised:
        if grant is None:
            break
        waiting.pop(grant.holder, None)  # a grant serves the hand of its seat
        if grant.state["turn"] > regular:
            regular += 1
            assert (grant.state["turn"], grant.holder) == (regular, "abc"[(regular - 1) % 3])
        waiting.update(dict.fromkeys(new))
        first = next(iter(waiting), None)
        grant = BROADCAST.after(made, grant.state, Turn(grant.holder, "say", (), tuple(waiting)))
        if first is not None:
            assert grant is not None
            assert grant.holder == first
    assert regular <= 3 * rounds


@pytest.mark.parametrize("reader", ["a", "b", "guest"])
@pytest.mark.parametrize("kind", ["say", "pass", "raise_hand"])
def test_everyone_sees_everything(reader: str, kind: str) -> None:
    seats = {id: seat(id) for id in ("a", "b", "c", "guest")}
    assert POLICIES["broadcast"].sees(three(), reader, entry("c", kind, "@a"), seats)
