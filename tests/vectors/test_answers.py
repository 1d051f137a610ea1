"""Which answers are right."""

from dataclasses import replace
from typing import Any

import pytest

from vectors import Case, answers

CASE = Case("est/word", "est", {"text": "word"}, ({"ok": {"count": 1}},), ("YEA-8-01",))
REFUSED = replace(CASE, expected=({"error": True},))


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ({"ok": {"count": 1}}, True),
        ({"ok": {"count": 2}}, False),
        ({"ok": {"count": True}}, False),
        ({"ok": {"count": "1"}}, False),
        ({"ok": {"count": 1, "more": 1}}, False),
        ({"ok": {}}, False),
        ({"ok": None}, False),
        ({"ok": 1}, False),
        ({"error": {}}, False),
        ({}, False),
    ],
)
def test_an_ok_compares_whole(answer: dict[str, Any], right: bool) -> None:
    assert answers.is_right(CASE, answer) is right


def test_a_whole_number_is_the_same_with_a_point() -> None:
    assert answers.is_right(CASE, {"ok": {"count": 1.0}})


@pytest.mark.parametrize(
    ("answer", "right"),
    [({"error": {}}, True), ({"error": {"code": "forbidden"}}, True), ({"ok": {"count": 1}}, False), ({}, False)],
)
def test_a_refusal_is_any_error(answer: dict[str, Any], right: bool) -> None:
    assert answers.is_right(REFUSED, answer) is right


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ({"error": {"code": "E_TASK_STATE"}}, True),
        ({"error": {"code": "E_OTHER"}}, False),
        ({"error": {}}, False),
        ({"error": "E_TASK_STATE"}, False),
    ],
)
def test_a_code_that_is_wanted_has_to_be_there(answer: dict[str, Any], right: bool) -> None:
    wanted = replace(CASE, expected=({"error": True, "code": "E_TASK_STATE"},))
    assert answers.is_right(wanted, answer) is right


def test_any_of_several_answers_is_right() -> None:
    either = replace(CASE, expected=({"ok": {"count": 1}}, {"error": True}))
    assert [
        answers.is_right(either, answer) for answer in ({"ok": {"count": 1}}, {"error": {}}, {"ok": {"count": 2}})
    ] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("op", sorted(answers.MEANS_FALSE))
def test_an_error_of_a_question_means_false(op: str) -> None:
    no = replace(CASE, op=op, expected=({"ok": {"valid": False}},))
    yes = replace(CASE, op=op, expected=({"ok": {"valid": True}},))
    assert (answers.is_right(no, {"error": {}}), answers.is_right(yes, {"error": {}})) == (True, False)


def as_json(compare: str, wanted: str, got: Any, *ignores: str) -> bool:
    """Whether JSON text is right where another is wanted."""
    case = replace(CASE, expected=({"ok": {"json": wanted}},), compare=compare, ignores=ignores)
    return answers.is_right(case, {"ok": {"json": got}})


@pytest.mark.parametrize(
    ("wanted", "got", "right"),
    [
        ('{"a":1,"b":[2]}', '{ "b": [2.0], "a": 1 }', True),
        ("[1,2]", "[2,1]", False),
        ("[1]", "[true]", False),
        ("[1]", "[1", False),
        ("[1]", "[" * 100_000, False),
        ("[1]", [1], False),
        ("[null]", "[]", False),
    ],
)
def test_json_compares_by_value(wanted: str, got: Any, right: bool) -> None:
    assert as_json("json", wanted, got) is right


@pytest.mark.parametrize(
    ("wanted", "got", "right"),
    [
        ('[{"a":1},{"b":2}]', '[{"b":2},{"a":1}]', True),
        ('[{"a":1},{"a":1}]', '[{"a":1}]', False),
        ("[[1,2]]", "[[2,1]]", False),
        ("[1,true]", "[true,1]", True),
        ("[1,1]", "[1,true]", False),
    ],
)
def test_any_order_is_that_of_the_outermost_array(wanted: str, got: str, right: bool) -> None:
    assert as_json("json-any-order", wanted, got) is right


def test_ignored_members_do_not_count() -> None:
    wanted = '[{"op":"other","target":"t"}]'
    assert as_json("json-any-order", wanted, '[{"op":"other","target":"t","detail":"x"}]', "detail")
    assert not as_json("json-any-order", wanted, '[{"op":"other","target":"t","more":"x"}]', "detail")


def test_invariants_are_not_decided_here() -> None:
    with pytest.raises(ValueError, match="by invariants"):
        answers.is_right(replace(CASE, compare="invariants"), {"ok": {"json": "{}"}})
