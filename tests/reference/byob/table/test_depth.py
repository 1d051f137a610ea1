"""Bot depth (BYOB 8)."""

from tests.reference.byob.playing import Play, code, order


def _play(depth: int | None = 3, **members: object) -> Play:
    floor = {} if depth is None else {"max_bot_depth": depth}
    return Play().create(floor=floor, **members).bots("a", "b")


def test_at_the_limit_a_seated_human_has_the_floor_and_then_the_policy_goes_on_where_it_stopped() -> None:
    play = _play().human("h")
    play.say("a"), play.say("b"), play.say("a")
    grant = play.last("floor_granted")
    assert (grant["holder"], grant["policy"], grant["reason"]) == ("h", {"turn": 3}, "max_bot_depth")
    assert [code(play.say, seat) for seat in "ab"] == ["E_NOT_FLOOR", "E_NOT_FLOOR"]
    play.say("h")
    assert (play.holder(), play.last("floor_granted")["policy"]) == ("b", {"turn": 4})
    assert "reason" not in play.last("floor_granted")


def test_without_a_seated_human_the_table_closes() -> None:
    play = _play()
    play.say("a"), play.say("b"), play.say("a")
    assert (play.reason(), play.words()[-2:]) == ("depth_exhausted", ["say", "table_closed"])


def test_a_human_say_out_of_turn_resets_the_count() -> None:
    play = _play().human("h")
    play.say("a"), play.say("b"), play.say("h"), play.say("a"), play.say("b")
    assert play.holder() == "a"
    play.say("a")
    assert play.holder() == "h"


def test_a_say_of_another_human_leaves_the_floor_with_the_one_who_was_asked() -> None:
    play = _play(1).human("h").human("i")
    play.say("a")
    play.say("i")
    assert play.holder() == "h"
    play.say("h")
    assert play.holder() == "b"


def test_only_says_count() -> None:
    play = _play(2).human("h")
    play.say("a"), play.passes("b"), play.passes("a"), play.say("b")
    assert play.holder() == "h"


def test_a_human_who_passes_has_not_spoken_and_the_next_one_is_asked() -> None:
    play = _play(1).human("h").human("i")
    play.say("a"), play.passes("h")
    assert play.holder() == "i"
    play.passes("i")
    assert play.holder() == "h"
    play.say("h")
    assert play.holder() == "b"


def test_thirty_two_bot_says_are_the_limit_when_none_is_configured() -> None:
    play = _play(None)
    for turn in range(31):
        play.say("ab"[turn % 2])
    assert play.reason() is None
    play.say("b")
    assert play.reason() == "depth_exhausted"


def test_a_humans_regular_turn_resets_the_count() -> None:
    play = Play().create(topology=order("a", "b", "h"), floor={"max_bot_depth": 3}).bots("a", "b").human("h")
    for seat in ("a", "b", "h") * 3:
        play.say(seat)
    assert (play.holder(), play.reason()) == ("a", None)


def test_turns_that_have_run_out_end_the_table_before_a_human_is_asked() -> None:
    play = _play(2, topology=order("a", "b", rounds=1)).human("h")
    play.say("a"), play.say("b")
    assert play.reason() == "rounds_exhausted"


def test_the_limit_holds_after_a_restart() -> None:
    play = _play(2).human("h")
    play.say("a"), play.restart(), play.say("b")
    assert play.holder() == "h"
    play.restart(), play.say("h")
    assert play.holder() == "a"


def test_hands_wait_while_a_human_is_asked_and_are_served_then() -> None:
    play = Play().create(topology=order("a", "b", "c"), floor={"max_bot_depth": 1}).bots("a", "b", "c").human("h")
    play.post("c", "raise_hand"), play.say("a"), play.say("h")
    assert play.holder() == "c"
