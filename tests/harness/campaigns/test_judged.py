"""A failure as two answers, with the place where they part."""

import json
from typing import Any

import pytest

from fuzz.calls import Call
from harness.adapters.operations import answer
from harness.campaigns.judged import asked, differences, parted, said


def call(operation: str, arguments: dict[str, Any], made: Any = None) -> Call:
    return Call(operation, arguments, answer(operation, arguments) if made is None else made)


def test_right_answers_make_no_difference() -> None:
    frame = json.dumps({"kind": "ANSWER", "data": list(range(200))})
    calls = (call("canonical", {"json": "[1]"}), call("fit", {"json": frame, "budget": 20}))
    assert differences(calls, ("YEA-10-01",)) == []


def test_a_wrong_answer_is_told_beside_the_right_one() -> None:
    (made,) = differences((call("canonical", {"json": "[1]"}, {"ok": {"text": "[1 ]"}}),), ("YEA-10-01",))
    assert (made.wanted, made.case.clauses) == ({"ok": {"text": "[1]"}}, ("YEA-10-01",))


def test_a_refusal_has_a_code_where_the_text_fixes_it() -> None:
    wrong = {"error": {"code": "E_OTHER"}}
    (made,) = differences((call("byob.transition", {"state": "verified", "event": "approve"}, wrong),), ("BYOB-9-64",))
    assert made.wanted == {"error": True, "code": "E_TASK_STATE"}
    assert differences((call("canonical", {"json": "1.5"}, wrong),), ("YEA-10-16",)) == []


def test_no_answer_is_a_difference() -> None:
    (made,) = differences((call("proof.verify", {}, {"broke": "it ended"}),), ("YEA-6.5-01",))
    assert said(made.call.answer) == "no answer: it ended"


def test_a_frame_that_breaks_no_rule_is_no_difference() -> None:
    frame = {"kind": "ANSWER", "data": [1, 2, 3]}
    spoilt = {"ok": {"json": json.dumps({**frame, "data": [1]})}}
    arguments = {"json": json.dumps(frame), "budget": 0}
    assert len(differences((call("fit", arguments, spoilt),), ("YEA-8-10",))) == 1


@pytest.mark.parametrize(
    ("wanted", "got", "width", "shown"),
    [
        ("abc", "abd", 60, ("abc", "abd", "  ^ they part at character 3")),
        ("abc", "ab", 60, ("abc", "ab", "  ^ they part at character 3")),
        ("", "a", 60, ("", "a", "^ they part at character 1")),
        ("0123456789", "01234x6789", 2, ("…3456…", "…34x6…", "   ^ they part at character 6")),
    ],
)
def test_two_texts_are_shown_around_where_they_part(
    wanted: str, got: str, width: int, shown: tuple[str, str, str]
) -> None:
    assert parted(wanted, got, width) == shown


def test_what_was_asked_can_be_pasted() -> None:
    line = asked(call("canonical", {"json": '"\ud800\n"'}))
    assert json.loads(line) == {"id": 1, "op": "canonical", "json": '"\ud800\n"'}
    assert line.isascii() and "\n" not in line
