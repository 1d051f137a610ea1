"""The state machine of BYOB 9: each state with each event, by a drawing of our own."""

import pytest

from reference.byob.errors import ByobError
from reference.byob.tasks import ENDED, EVENTS, STATES, TRANSITIONS, WATCHED, after, event_of

DRAWN = """
awaiting_approval  approve         approved
awaiting_approval  reject          rejected
approved           status:running  running
approved           status:failed   failed
approved           watchdog        stalled
running            status:running  running
running            status:failed   failed
running            receipt         reported
running            watchdog        stalled
reported           verify:pass     verified
reported           verify:fail     failed
stalled            status:running  running
"""
ALLOWED = {(state, event): following for state, event, following in map(str.split, DRAWN.split("\n")[1:-1])}
ALL = [(state, event) for state in STATES for event in EVENTS]


@pytest.mark.parametrize(("state", "event"), ALL)
def test_each_state_with_each_event(state: str, event: str) -> None:
    if (state, event) in ALLOWED:
        assert after(state, event) == ALLOWED[state, event]
        return
    with pytest.raises(ByobError) as raised:
        after(state, event)
    assert raised.value.code == "E_TASK_STATE"
    assert state in raised.value.message
    assert event in raised.value.message


def test_states_and_events_are_those_of_the_drawing() -> None:
    assert set(STATES) == {state for state, _ in ALLOWED} | {*ALLOWED.values()}
    assert set(EVENTS) == {event for _, event in ALLOWED}


def test_the_message_says_what_the_state_takes() -> None:
    with pytest.raises(ByobError, match="while the task is reported: it takes verify:pass, verify:fail"):
        after("reported", "receipt")
    with pytest.raises(ByobError, match="while the task is verified: nothing changes it any more"):
        after("verified", "receipt")


def test_every_state_is_reached_and_the_ended_ones_are_left_by_nothing() -> None:
    assert {"awaiting_approval", *TRANSITIONS.values()} == set(STATES)
    assert set(STATES) - {state for state, _ in TRANSITIONS} == ENDED


def test_the_watchdog_waits_in_the_states_that_it_can_stall() -> None:
    assert {state for state, event in TRANSITIONS if event == "watchdog"} == WATCHED


@pytest.mark.parametrize(("state", "event"), [("done", "receipt"), ("running", "status:done"), ("", "")])
def test_an_unknown_word_is_a_mistake_and_no_refusal(state: str, event: str) -> None:
    with pytest.raises(ValueError, match="'"):
        after(state, event)


def test_another_table_can_stand_in() -> None:
    assert after("rejected", "approve", {("rejected", "approve"): "approved"}) == "approved"


@pytest.mark.parametrize(
    ("post", "event"),
    [
        ({"kind": "status", "state": "running"}, "status:running"),
        ({"kind": "status", "state": "failed"}, "status:failed"),
        ({"kind": "receipt", "artifact": {"state": "failed"}}, "receipt"),
        ({"kind": "verify", "result": "pass"}, "verify:pass"),
        ({"kind": "verify", "result": "fail"}, "verify:fail"),
    ],
)
def test_a_post_about_a_task_is_an_event(post: dict[str, object], event: str) -> None:
    assert event_of(post) == event
    assert event in EVENTS
