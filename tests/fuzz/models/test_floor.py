"""A session on a table by the model: floor control, the bot depth and the ways to end (BYOB 8)."""

from typing import Any

import pytest

from fuzz.models.floor import Floor

DUO = {"kind": "broadcast", "order": ["a", "b"], "rounds": 50}
BOTS = {"a": "bot", "b": "bot"}
LONG = {"any": [{"max_entries": 1000}]}


def model(topology: dict[str, Any] | None = None, seats: dict[str, str] | None = None, **config: Any) -> Floor:
    """Return a model of a table; DUO with two bots and a far end unless told otherwise."""
    return Floor({"topology": topology or DUO, "termination": LONG, **config}, seats or BOTS)


def say(floor: Floor, *seats: str) -> None:
    for seat in seats:
        assert floor.post(seat, "say")


def test_only_the_holder_may_post_on_the_floor_plane() -> None:
    floor = model(floor={"decision_by": ["a", "b"]})
    assert [floor.answers("a", kind) for kind in ("say", "pass", "proposal", "decision")] == [{"ok"}] * 4
    assert [floor.answers("b", kind) for kind in ("say", "pass", "proposal", "decision")] == [{"E_NOT_FLOOR"}] * 4
    assert floor.answers("b", "raise_hand") == {"ok"}


def test_one_grant_allows_one_say() -> None:
    floor = model()
    say(floor, "a")
    assert floor.answers("a", "say") == {"E_NOT_FLOOR"}
    assert floor.holders() == {"b"}


def test_a_proposal_does_not_end_the_turn() -> None:
    floor = model()
    floor.post("a", "proposal")
    assert floor.holders() == {"a"}


def test_a_human_may_say_at_any_time_and_leaves_the_floor() -> None:
    floor = model(seats={**BOTS, "h": "human"})
    assert (floor.answers("h", "say"), floor.answers("h", "proposal")) == ({"ok"}, {"E_NOT_FLOOR"})
    say(floor, "h")
    assert floor.holders() == {"a"}


def test_two_faults_in_one_request_may_be_refused_for_either() -> None:
    floor = model()
    assert floor.answers("b", "decision") == {"E_NOT_FLOOR", "E_NOT_DECIDER"}
    assert floor.answers("b", "say", ["@ghost"]) == {"E_NOT_FLOOR", "E_ADDRESS"}
    assert floor.answers("a", "say", ["@ghost"]) == {"E_ADDRESS"}


def test_the_depth_limit_gives_the_floor_to_a_human_and_the_policy_resumes() -> None:
    floor = model(seats={**BOTS, "h": "human"}, floor={"max_bot_depth": 3})
    say(floor, "a", "b")
    assert floor.holders() == {"a"}
    say(floor, "a")
    assert floor.holders() == {"h"}
    assert floor.answers("b", "say") == {"E_NOT_FLOOR"}
    say(floor, "h")
    assert floor.holders() == {"b"}


def test_a_human_say_resets_the_depth() -> None:
    floor = model(seats={**BOTS, "h": "human"}, floor={"max_bot_depth": 3})
    say(floor, "a", "b", "h", "a", "b")
    assert floor.holders() == {"a"}


def test_without_a_human_the_depth_limit_closes_the_table() -> None:
    floor = model(floor={"max_bot_depth": 3})
    say(floor, "a", "b", "a")
    assert (floor.holders(), floor.reasons(), floor.may_be_open()) == ({None}, {"depth_exhausted"}, False)


def test_the_depth_is_32_unless_it_is_configured() -> None:
    floor = model()
    say(floor, *["a", "b"] * 15, "a")
    assert floor.must_be_open()
    say(floor, "b")
    assert not floor.may_be_open()


def test_only_says_count_towards_the_depth() -> None:
    floor = model(floor={"max_bot_depth": 3})
    for seat in ["a", "b"] * 5:
        floor.post(seat, "pass")
    assert floor.must_be_open()


@pytest.mark.parametrize(("ends", "closes"), [(["decision"], True), ([{"max_entries": 1000}], False)])
def test_a_decision_closes_a_table_that_says_so(ends: list[Any], closes: bool) -> None:
    floor = model(floor={"decision_by": ["a"]}, termination={"any": ends})
    floor.post("a", "decision")
    assert floor.may_be_open() is not closes
    assert floor.holders() == ({None} if closes else {"a", "b"})  # whether it ends the turn is open: BYOB-Q068


def test_a_table_closes_when_its_turns_run_out_even_if_that_is_not_listed() -> None:
    floor = model({**DUO, "rounds": 1}, termination={"any": ["decision"]})
    say(floor, "a")
    assert floor.must_be_open()
    say(floor, "b")
    assert floor.reasons() == {"rounds_exhausted"}


def test_the_budget_closes_the_table_when_it_is_exceeded_not_when_it_is_reached() -> None:
    floor = model(termination={"any": [{"budget_tokens": 100}]})
    floor.post("a", "say", tokens=60)
    floor.post("b", "say", tokens=40)
    assert floor.must_be_open()
    floor.post("a", "say", tokens=1)
    assert floor.reasons() == {"budget_tokens"}


def test_a_pass_does_not_count_into_the_budget() -> None:
    floor = model(termination={"any": [{"budget_tokens": 10}]})
    floor.post("a", "pass", tokens=50)
    assert floor.must_be_open()


def test_max_entries_closes_somewhere_between_all_entries_and_posts_alone() -> None:
    floor = model(termination={"any": [{"max_entries": 30}]}, floor={"max_bot_depth": 100})
    say(floor, "a", "b")
    assert floor.must_be_open()
    floor.saw("a")
    for turn in range(28):
        say(floor, "ab"[turn % 2])
        floor.saw("ba"[turn % 2])
    assert floor.may_be_open()
    say(floor, "a")
    assert floor.reasons() == {"max_entries"}


def test_after_the_close_nothing_is_accepted_on_the_floor_plane() -> None:
    floor = model(seats={**BOTS, "h": "human"})
    floor.close()
    assert floor.answers("h", "say") == {"E_TABLE_CLOSED"}
    assert floor.answers("a", "say") == {"E_TABLE_CLOSED", "E_NOT_FLOOR"}
    assert floor.answers("a", "raise_hand") == {"E_TABLE_CLOSED", "ok"}


def test_what_a_host_shows_narrows_the_readings_and_a_breach_leaves_them() -> None:
    floor = model({"kind": "hub_spoke", "hub": "h", "spokes": ["x"], "rounds": 2}, {"h": "bot", "x": "bot"})
    floor.post("h", "say")
    assert (floor.saw("x"), floor.saw("h")) == (False, True)
    floor.post("h", "say")
    assert floor.saw(None, closed=True)
    assert (floor.holders(), floor.saw("h")) == ({None}, False)


def test_a_post_that_no_reading_accepts_changes_nothing() -> None:
    floor = model()
    before = floor.states
    assert (floor.post("b", "say"), floor.states) == (False, before)


DECIDERS = {
    "broadcast": (DUO, ()),
    "debate": ({"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 1}, ("j",)),
    "pipeline": ({"kind": "pipeline", "stages": ["s1", "s2"], "rounds": 1}, ("s2",)),
    "hub_spoke": ({"kind": "hub_spoke", "hub": "h", "spokes": ["x"], "rounds": 1}, ("h",)),
    "delegation": ({"kind": "delegation", "hub": "r", "reports": {"r": ["m"]}, "rounds": 1}, ("r",)),
}


@pytest.mark.parametrize("name", DECIDERS)
def test_who_decides_by_default_and_by_the_config(name: str) -> None:
    topology, deciders = DECIDERS[name]
    assert model(topology).deciders() == deciders
    assert model(topology, floor={"decision_by": ["z"]}).deciders() == ("z",)


def test_a_hand_that_is_raised_again_before_its_turn_resumes_may_be_served_once_more() -> None:
    trio = {"kind": "broadcast", "order": ["a", "b", "c"], "rounds": 5}
    floor = model(trio, {"a": "bot", "b": "bot", "c": "bot", "h": "human"}, floor={"max_bot_depth": 2})
    say(floor, "a")
    floor.post("a", "raise_hand")
    say(floor, "b")  # a is next by its hand, but the human comes first
    assert floor.saw("h")
    floor.post("a", "raise_hand")
    say(floor, "h", "a")
    assert floor.holders() == {"a", "c"}
