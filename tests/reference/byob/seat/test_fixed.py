"""The fixed texts: nothing of a withheld post is in what goes to the table instead (BYOB 9)."""

from typing import Any

import pytest

from reference.byob.seat import fixed, posts

SECRET = "sk-abc"
PASS = {"kind": "pass", "body": "Withheld by the owner's disclosure rules."}
RESULT = "The result is withheld by the owner's disclosure rules."


@pytest.mark.parametrize(
    ("post", "instead"),
    [
        ({"kind": "say", "body": SECRET, "to": [SECRET], "refs": [SECRET]}, PASS),
        ({"kind": "pass", "body": SECRET}, PASS),
        ({"kind": "proposal", "body": "b", "effects": [{"args": SECRET}]}, PASS),
        ({"kind": "decision", "body": SECRET}, PASS),
        (
            {"kind": "receipt", "task": "task-3", "artifact": SECRET, "body": SECRET},
            {"kind": "status", "task": "task-3", "state": "failed", "body": RESULT},
        ),
        (
            {"kind": "verify", "task": "task-3", "result": "fail", "body": SECRET, "refs": [SECRET]},
            {"kind": "verify", "task": "task-3", "result": "fail"},
        ),
        (
            {"kind": "status", "task": "task-3", "state": "running", "body": SECRET},
            {"kind": "status", "task": "task-3", "state": "running"},
        ),
        ({"kind": "raise_hand", "body": SECRET}, {"kind": "raise_hand"}),
    ],
    ids=lambda value: str(value["kind"]),
)
def test_what_goes_instead_of_a_withheld_post(post: dict[str, Any], instead: dict[str, Any]) -> None:
    got = fixed.instead(post)
    assert got == instead
    posts.check(got)
    assert all(text in fixed.TEXTS for text in posts.own_texts(got))
