"""Who has the floor, and how much may be said (BYOB 7, 8)."""

import pytest

from tests.reference.byob.playing import DEBATE, Play, code, effect, order


@pytest.fixture
def play() -> Play:
    """Two bots that speak in turn."""
    return Play().create(floor={"max_chars": 10}).bots("a", "b")


def test_the_first_grant_waits_for_the_first_speaker() -> None:
    play = Play().create().bots("b")
    assert play.words() == ["table_opened", "seat_joined"]
    play.bots("a")
    assert (play.words()[2:], play.holder()) == (["seat_joined", "floor_granted"], "a")


def test_a_later_grant_waits_for_its_seat_and_then_goes_where_it_should() -> None:
    play = Play().create().bots("a")
    play.say("a")
    assert play.holder() is None
    assert code(play.say, "a") == "E_NOT_FLOOR"
    play.bots("c")
    assert play.holder() is None
    play.bots("b")
    assert (play.holder(), play.last("floor_granted")["policy"]) == ("b", {"turn": 2})


def test_a_grant_carries_the_policy_state_and_the_size_budget(play: Play) -> None:
    entry = play.last("floor_granted")
    assert {name: entry[name] for name in ("seat", "kind", "holder", "policy", "max_chars")} == {
        "seat": "core",
        "kind": "system",
        "holder": "a",
        "policy": {"turn": 1},
        "max_chars": 10,
    }
    assert "max_chars" not in Play().create("u").bots("a").last("floor_granted")


def test_each_turn_has_one_grant(play: Play) -> None:
    play.say("a"), play.passes("b"), play.say("a")
    assert play.words()[4:] == ["say", "floor_granted", "pass", "floor_granted", "say", "floor_granted"]
    assert [entry["holder"] for entry in play.ledger() if entry.get("event") == "floor_granted"] == ["a", "b", "a", "b"]


@pytest.mark.parametrize("kind", ["say", "pass", "proposal", "decision"])
def test_only_the_holder_writes_on_the_floor_plane(play: Play, kind: str) -> None:
    before = play.ledger()
    members = {"effects": [effect("tao")]} if kind == "proposal" else {}
    assert code(play.post, "b", kind, body="x", **members) == "E_NOT_FLOOR"
    assert play.ledger() == before


def test_who_has_no_floor_may_raise_a_hand_and_takes_it_from_nobody(play: Play) -> None:
    entry = play.post("b", "raise_hand")
    assert (entry["kind"], play.holder(), play.words()[-1]) == ("raise_hand", "a", "raise_hand")


def test_a_raised_hand_is_served_after_the_current_turn_and_the_round_goes_on_where_it_stood() -> None:
    play = Play().create(topology=order("a", "b", "c")).bots("a", "b", "c")
    play.post("c", "raise_hand"), play.post("c", "raise_hand")
    play.say("a")
    assert play.holder() == "c"
    play.say("c")
    assert play.holder() == "b"


def test_proposals_do_not_end_the_turn() -> None:
    play = Play().create().bots("a", "b").join("worker", caps=[{"resource": "board", "actions": ["reorder"]}])
    play.propose("a", effect("tao")), play.propose("a", effect("tao"))
    assert play.holder() == "a"


def test_a_decision_that_does_not_close_the_table_leaves_the_floor() -> None:
    play = Play().create(floor={"decision_by": ["a"]}).bots("a", "b")
    play.post("a", "decision", body="So be it.")
    assert (play.holder(), play.reason()) == ("a", None)


def test_humans_say_at_any_time_and_leave_the_floor_where_it_is(play: Play) -> None:
    play.human("h")
    play.say("h", "I have something to say")
    assert (play.holder(), play.words()[-1]) == ("a", "say")
    assert [code(play.post, "h", kind, body="x", effects=[effect("tao")]) for kind in ("pass", "proposal")] == [
        "E_NOT_FLOOR",
        "E_NOT_FLOOR",
    ]


def test_humans_say_before_anybody_has_the_floor() -> None:
    play = Play().create().human("h")
    play.say("h")
    assert play.words() == ["table_opened", "seat_joined", "say"]


def test_a_human_in_the_order_has_turns_like_everybody() -> None:
    play = Play().create(topology=order("h", "b")).human("h").bots("b")
    play.say("h")
    assert play.holder() == "b"
    play.say("h"), play.say("b")
    assert play.holder() == "h"
    play.passes("h")
    assert play.holder() == "b"


def test_an_over_long_body_is_cut_and_flagged(play: Play) -> None:
    entry = play.say("a", "0123456789ABC")
    assert (entry["body"], entry["truncated"]) == ("0123456789", True)
    assert play.ledger()[entry["seq"] - 1] == entry


def test_a_body_of_the_limit_is_whole(play: Play) -> None:
    entry = play.say("a", "0123456789")
    assert (entry["body"], "truncated" in entry) == ("0123456789", False)


def test_the_limit_counts_code_points(play: Play) -> None:
    assert play.say("a", "\U0001f600" * 11)["body"] == "\U0001f600" * 10


@pytest.mark.parametrize(("kind", "cut"), [("proposal", True), ("decision", True), ("pass", False)])
def test_what_counts_tokens_is_cut(kind: str, cut: bool) -> None:
    play = Play().create(floor={"max_chars": 4, "decision_by": ["a"]}).bots("a")
    play.join("worker", caps=[{"resource": "board", "actions": ["reorder"]}])
    members = {"effects": [effect("tao")]} if kind == "proposal" else {}
    entry = play.post("a", kind, body="too long", **members)
    assert (entry["body"], entry.get("truncated", False)) == ("too " if cut else "too long", cut)


def test_a_humans_say_out_of_turn_is_cut_too(play: Play) -> None:
    assert play.human("h").say("h", "0123456789ABC")["truncated"] is True


def test_debate_goes_to_the_judge_and_ends() -> None:
    play = Play().create(topology=DEBATE).bots("pro", "con", "judge")
    play.say("pro"), play.say("con")
    assert play.holder() == "judge"
    play.say("judge")
    assert play.reason() == "rounds_exhausted"
