"""The words of the protocol cover it: every kind is in one plane, and governance leaves three kinds to the policy."""

from reference.byob.types import COUNTED, EVENTS, FLOOR_KINDS, GOVERNANCE, KINDS, POST_KINDS, WORK_KINDS, Task


def test_there_are_eleven_kinds_of_which_seats_write_eight() -> None:
    assert len(KINDS) == len(set(KINDS)) == 11
    assert set(KINDS) - set(POST_KINDS) == {"system", "approval", "rejection"}


def test_there_are_eight_events() -> None:
    assert len(EVENTS) == len(set(EVENTS)) == 8


def test_what_seats_write_needs_the_floor_or_is_work_or_asks_for_the_floor() -> None:
    assert set(POST_KINDS) == FLOOR_KINDS | WORK_KINDS | {"raise_hand"}
    assert not FLOOR_KINDS & WORK_KINDS


def test_the_policy_hides_say_pass_and_raise_hand_only() -> None:
    assert set(KINDS) - GOVERNANCE == {"say", "pass", "raise_hand"}


def test_tokens_count_for_what_has_a_body_on_the_floor() -> None:
    assert {"say", "proposal", "decision"} == COUNTED


def test_a_task_shows_all_it_has() -> None:
    effect = {"owner": "jenny", "resource": "board", "action": "move"}
    assert Task("task-7", "approved", "jenny", "bot", (effect,), 7).shown() == {
        "id": "task-7",
        "state": "approved",
        "owner": "jenny",
        "executor": "bot",
        "effects": [effect],
        "opened_by": 7,
    }
