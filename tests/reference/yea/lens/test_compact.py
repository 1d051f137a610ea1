"""Compact JSON as ECMAScript writes it (YEA 9.2)."""

import json
import math
import random

import pytest

from reference.yea.lens.compact import compact_json
from reference.yea.types import Json
from tests.reference.yea.lens.node import ask_node, needs_node
from tests.reference.yea.test_numbers import random_doubles

TEXTS: list[tuple[Json, str]] = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (1.0, "1"),
    (-0.0, "0"),
    (1e21, "1e+21"),
    (12345678901234567890, "12345678901234567000"),
    (math.inf, "null"),
    (-(10**400), "null"),
    (math.nan, "null"),
    ("", '""'),
    ("bare words", '"bare words"'),
    ("\ud800é/\u0001", '"\\ud800é/\\u0001"'),
    ([], "[]"),
    ({}, "{}"),
    ([[], {}, [{}]], "[[],{},[{}]]"),
    (
        {"b": 1.0, "a": [1e21, "é/\u0001"], "2": None},
        '{"2":null,"b":1,"a":[1e+21,"é/\\u0001"]}',
    ),
    ({"\ud800": {"1": True, "__proto__": False}}, '{"\\ud800":{"1":true,"__proto__":false}}'),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_compact_json_is_what_json_stringify_writes(value: Json, text: str) -> None:
    """No whitespace, keys in property order, numbers per Number::toString, lone surrogates escaped."""
    assert compact_json(value) == text


def random_value(chooser: random.Random, doubles: list[float], depth: int) -> Json:
    """A value of any kind with hostile keys and texts."""
    keys = ["a", "b", "10", "2", "01", "", "__proto__", "é", '"', "\ud800", "4294967295"]
    if depth and chooser.random() < 0.7:
        count = chooser.randint(0, 4)
        if chooser.random() < 0.5:
            return [random_value(chooser, doubles, depth - 1) for _ in range(count)]
        return {key: random_value(chooser, doubles, depth - 1) for key in chooser.sample(keys, count)}
    texts = ["", "x", "a\nb\x00\x7f", "\u2028", "\udfff", "🎉", '\\"']
    choices: list[Json] = [None, True, False, chooser.choice(doubles), chooser.randint(-(2**70), 2**70)]
    return chooser.choice([*choices, chooser.choice(texts)])


@needs_node
def test_random_values_are_written_as_node_writes_them() -> None:
    """The same JSON text, read and written by both."""
    chooser = random.Random(92)
    doubles = random_doubles(2000, seed=93)
    values = [random_value(chooser, doubles, 4) for _ in range(3000)]
    # __proto__ only becomes a member of its own when JSON.parse reads the value there.
    written = ask_node("input.map(text => JSON.stringify(JSON.parse(text)))", [json.dumps(value) for value in values])
    assert [compact_json(value) for value in values] == written
