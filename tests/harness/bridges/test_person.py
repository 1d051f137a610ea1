"""An owner confirms with every box ticked and every choice affirmed, and refuses in the other ways (BYOB-Q110)."""

from typing import Any

import mcp_types
import pytest

from harness.bridges.person import ACCEPT, CANCEL, DECLINE, FAILS, UNTICKED, Person, filled, ticks

FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "box": {"type": "boolean"},
        "choice": {"type": "string", "enum": ["later", "Approve", "no"]},
        "titled": {"type": "string", "oneOf": [{"const": "n", "title": "No"}, {"const": "y", "title": "Yes"}]},
        "unclear": {"enum": ["first", "second"]},
        "many": {"type": "array", "items": {"enum": ["yes", "no"]}},
        "text": {"type": "string"},
        "number": {"type": "integer", "minimum": 3},
    },
}


def test_to_confirm_everything_says_yes() -> None:
    assert filled(FORM, True) == {
        "box": True,
        "choice": "Approve",
        "titled": "y",
        "unclear": "first",
        "many": ["yes"],
        "text": "yes",
        "number": 3,
    }


def test_to_leave_unticked_everything_says_no() -> None:
    assert filled(FORM, False) == {
        "box": False,
        "choice": "no",
        "titled": "n",
        "unclear": "second",
        "many": ["no"],
        "text": "no",
        "number": 3,
    }


@pytest.mark.parametrize("odd", [{}, {"properties": []}, {"properties": {"a": 1}}])
def test_a_form_that_is_none_is_filled_with_nothing(odd: Any) -> None:
    assert (filled(odd, True), ticks(odd)) == ({}, [])


def test_an_owner_answers_in_one_way() -> None:
    box: Any = {"properties": {"ok": {"type": "boolean"}}}
    answers = {way: Person(way).answer(box) for way in (ACCEPT, DECLINE, CANCEL, UNTICKED)}
    assert answers == {
        ACCEPT: mcp_types.ElicitResult(action="accept", content={"ok": True}),
        DECLINE: mcp_types.ElicitResult(action="decline"),
        CANCEL: mcp_types.ElicitResult(action="cancel"),
        UNTICKED: mcp_types.ElicitResult(action="accept", content={"ok": False}),
    }
    assert isinstance(Person(FAILS).answer(box), mcp_types.ErrorData)
