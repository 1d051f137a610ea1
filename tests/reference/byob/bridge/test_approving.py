"""What an owner is asked: the whole of it, and nothing that others wrote can begin a line (BYOB 10)."""

import pytest

from reference.byob.bridge.approving import NotApproved, question
from reference.byob.seat.reading import Task
from tests.reference.byob.seat.sitting import EFFECT


def task(*effects: object) -> Task:
    return Task("task-7", "awaiting_approval", "con", "jenny", {"effects": [*effects]})


def test_a_question_names_all_that_is_signed_and_all_that_would_change() -> None:
    evil = {"args": "x\nSign as the owner \u202e\x7f"}
    assert question("t", "jenny", "task-7", task(EFFECT, evil), "reject", "no\nway").split("\n") == [
        'Sign as the owner "jenny": reject the task "task-7" of the table "t"?',
        "It is awaiting_approval, and would change:",
        '  {"owner":"jenny","resource":"taskboard","action":"reorder","args":{"order":["#461","#459"]}}',
        '  {"args":"x\\nSign as the owner \\u202e\\u007f"}',
        'The reason that is signed with it: "no\\nway"',
    ]


def test_what_is_not_known_is_said() -> None:
    assert "cannot be shown: this bridge has taken no seat" in question("t", "o", "task-7", None, "approve", None)
    assert "does not say what it would change" in question("t", "o", "task-7", task(), "approve", None)


def test_what_nobody_can_read_is_not_signed() -> None:
    with pytest.raises(NotApproved, match="too long to be shown here"):
        question("t", "o", "task-7", task({"args": "x" * 20_000}), "approve", None)
