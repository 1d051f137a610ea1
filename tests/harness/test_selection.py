"""`-k`: names match whole path parts from the start, and expressions have the usual precedence."""

import pytest

from harness.errors import UsageError
from harness.selection import compile_selection, everything, hint, matches

IDS = (
    "yea/1/a-rule",
    "yea/4.3/plans",
    "yea/4.3.1/auto-commits",
    "yea/4.4/hash-mismatch-conflicts",
    "yea/4.4/commit-gets-a-receipt",
    "yea/10/canonical",
    "byob/4.4/seats",
)

NAMES: dict[str, set[str]] = {
    "yea": set(IDS[:6]),
    "yea/": set(IDS[:6]),
    "yea/1": {IDS[0]},
    "yea/10": {IDS[5]},
    "yea/4": set(IDS[1:5]),
    "yea/4.3": {IDS[1], IDS[2]},
    "yea/4.3.1": {IDS[2]},
    "yea/4.4/hash-mismatch-conflicts": {IDS[3]},
    "/yea/4.4/hash-mismatch-conflicts/": {IDS[3]},
    "yea/4.4/hash": set(),
    "yea/4.4/hash-mismatch-conflicts/more": set(),
    "ye": set(),
    "4.4": set(),
    "yea//4.4": set(),
    "yea/4.": set(),
    "YEA": set(),
    "byob": {IDS[6]},
    "byob.x": set(),
}

EXPRESSIONS: dict[str, set[str]] = {
    "yea/1 or yea/10": {IDS[0], IDS[5]},
    "yea and not yea/4": {IDS[0], IDS[5]},
    "not yea": {IDS[6]},
    "not not yea/1": {IDS[0]},
    "not not not yea": {IDS[6]},
    # `and` binds tighter than `or`
    "yea/1 or yea/4.4 and yea/4.4/commit-gets-a-receipt": {IDS[0], IDS[4]},
    "(yea/1 or yea/4.4) and yea/4.4/commit-gets-a-receipt": {IDS[4]},
    # `not` binds tighter than both
    "not yea/4 and yea": {IDS[0], IDS[5]},
    "not (yea/4 or byob)": {IDS[0], IDS[5]},
    "not yea/4 or yea/4.3": {IDS[0], IDS[1], IDS[2], IDS[5], IDS[6]},
    "((yea/1))": {IDS[0]},
    "  yea/1\tor\nyea/10  ": {IDS[0], IDS[5]},
    "(yea/1)or(yea/10)": {IDS[0], IDS[5]},
    "nothing": set(),
}

MALFORMED = {
    "": "-k needs an expression, for example -k 'yea/4.4 and not hash'",
    "   ": "-k needs an expression, for example -k 'yea/4.4 and not hash'",
    "and": "-k 'and': a check id is missing",
    "yea and": "-k 'yea and': a check id is missing",
    "yea or or yea": "-k 'yea or or yea': a check id is missing",
    "not": "-k 'not': a check id is missing",
    "()": "-k '()': a check id is missing",
    "(yea": "-k '(yea': a closing parenthesis is missing",
    "(yea or": "-k '(yea or': a check id is missing",
    "yea)": "-k 'yea)': ')' is out of place",
    "yea yea": "-k 'yea yea': 'yea' is out of place",
    "yea (byob)": "-k 'yea (byob)': '(' is out of place",
    "yea not byob": "-k 'yea not byob': 'not' is out of place",
    "(" * 51 + "yea" + ")" * 51: "-k: too many parentheses",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_matches_whole_path_parts(name: str) -> None:
    assert {check_id for check_id in IDS if matches(name, check_id)} == NAMES[name]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_combine_names(text: str) -> None:
    assert set(filter(compile_selection(text), IDS)) == EXPRESSIONS[text]


@pytest.mark.parametrize("text", MALFORMED)
def test_a_malformed_expression_is_explained(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        compile_selection(text)
    assert str(caught.value) == MALFORMED[text]


def test_everything_selects_everything() -> None:
    assert all(map(everything, IDS))


def test_a_long_expression_is_read_like_a_short_one() -> None:
    many = 2_000
    assert list(filter(compile_selection(" or ".join(["byob/1"] * many + ["yea/1"])), IDS)) == [IDS[0]]
    assert list(filter(compile_selection(" and ".join(["yea/1"] * many)), IDS)) == [IDS[0]]
    assert list(filter(compile_selection("not " * 2_001 + "yea"), IDS)) == [IDS[6]]
    assert list(filter(compile_selection("(" * 50 + "yea/1" + ")" * 50), IDS)) == [IDS[0]]


HINTS = {
    "yea/4.4/hash": "names match whole parts, and none is 'yea/4.4/hash': try yea/4.4/hash-mismatch-conflicts",
    "yea/4.": "names match whole parts, and none is 'yea/4.': try yea/4.3.1/auto-commits, yea/4.3/plans or "
    "yea/4.4/commit-gets-a-receipt",
    # none begins so: those that contain it
    "hash": "names match whole parts, and none is 'hash': try yea/4.4/hash-mismatch-conflicts",
    "4.4 and yea": "names match whole parts, and none is '4.4': try byob/4.4/seats, yea/4.4/commit-gets-a-receipt or "
    "yea/4.4/hash-mismatch-conflicts",
    # none contains it: those that are spelled like it
    "yea/4.4/commit-gets-receipts": "names match whole parts, and none is 'yea/4.4/commit-gets-receipts': try "
    "yea/4.4/commit-gets-a-receipt",
    "yea/10 and (not yea or seat)": "names match whole parts, and none is 'seat': try byob/4.4/seats",
    # nothing is near, or every name matches something
    "yea/99": "",
    "yea/1 and yea/10": "",
}


@pytest.mark.parametrize("text", HINTS)
def test_an_empty_selection_has_a_hint_what_a_name_may_mean(text: str) -> None:
    select = compile_selection(text)
    assert not any(map(select, IDS))
    assert hint(select, IDS) == HINTS[text]


def test_everything_needs_no_hint() -> None:
    assert hint(everything, IDS) == ""


def test_a_long_malformed_expression_is_shown_in_part() -> None:
    with pytest.raises(UsageError) as caught:
        compile_selection("yea or " * 5000)
    assert len(str(caught.value)) < 300
