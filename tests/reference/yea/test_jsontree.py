from collections import OrderedDict
from typing import Any

import pytest

from reference.yea.jsontree import SHALLOW, is_plain, strings


def nested(levels: int) -> Any:
    value: Any = 0
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        "x",
        [],
        {},
        [[], {}],
        {"a": [None, False, "\ud800"]},
        2**53 - 1,
        -(2**53) + 1,
        nested(SHALLOW - 1),
    ],
    ids=lambda value: ascii(value)[:20],
)
def test_a_shallow_value_of_the_exact_types_is_plain(value: Any) -> None:
    assert is_plain(value, accepts_float=lambda number: False)


@pytest.mark.parametrize(
    "value",
    [
        2**53,
        -(2**53),
        (),
        [()],
        {1: 2},
        {"a": {None: 1}},
        OrderedDict(),
        {"a": b""},
        1.5,
        [[1.0]],
        nested(SHALLOW),
        nested(100_000),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_other_is_not(value: Any) -> None:
    assert not is_plain(value, accepts_float=lambda number: False)


def test_the_caller_says_which_floats_are_plain() -> None:
    assert is_plain([1.5, {"a": 2.5}], accepts_float=lambda number: number > 1)
    assert not is_plain([1.5, {"a": 0.5}], accepts_float=lambda number: number > 1)


def test_every_string_and_key_is_found_once() -> None:
    value: Any = {"a": ["b", {"c": "d", "e": [["f"]]}, 1], "g": "h", "i": None}
    assert sorted(text for texts in strings(value) for text in texts) == list("abcdefghi")
