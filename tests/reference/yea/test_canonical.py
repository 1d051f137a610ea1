import inspect
import json
import sys
from collections import OrderedDict
from enum import IntEnum, StrEnum

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference.yea import jsontext
from reference.yea.canonical import CanonicalError, canonical
from reference.yea.types import Json
from tests.reference.yea.lens.node import ask_node, needs_node


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-1, "-1"),
        (10, "10"),
        (100000000000000, "100000000000000"),
        (2**53 - 1, "9007199254740991"),
        (-(2**53) + 1, "-9007199254740991"),
        ("", '""'),
        ([], "[]"),
        ({}, "{}"),
        ([[], {}, ""], '[[],{},""]'),
        ([3, 1, 2], "[3,1,2]"),
        ([True, False, None], "[true,false,null]"),
        ({"a": [1, {"b": 2}]}, '{"a":[1,{"b":2}]}'),
        (
            {"b": 1, "a": 2, "A": 3, "_": 4, "aa": 5, "a b": 6, "": 7, "10": 8, "9": 9},
            '{"":7,"10":8,"9":9,"A":3,"_":4,"a":2,"a b":6,"aa":5,"b":1}',
        ),
        ({"z": {"y": [3, {"x": None}], "a": []}, "m": {}}, '{"m":{},"z":{"a":[],"y":[3,{"x":null}]}}'),
        ({"__proto__": 1, "constructor": 2}, '{"__proto__":1,"constructor":2}'),
    ],
    ids=str,
)
def test_the_canonical_text(value: Json, text: str) -> None:
    assert canonical(value) == text


def test_keys_are_sorted_by_code_point_and_not_by_utf_16_unit() -> None:
    assert canonical({"\U0001f600": 2, "\uff61": 1, "\ue000": 0}) == '{"\ue000":0,"\uff61":1,"\U0001f600":2}'


def test_seven_characters_have_escapes_of_two_characters() -> None:
    assert canonical('"\\\b\f\n\r\t') == '"\\"\\\\\\b\\f\\n\\r\\t"'


def test_other_controls_are_escaped_in_lowercase_hex() -> None:
    short = "\b\f\n\r\t"
    for code in range(0x20):
        if chr(code) not in short:
            assert canonical(chr(code)) == f'"\\u{code:04x}"'
    assert canonical("\x00\x1f\x0b") == '"\\u0000\\u001f\\u000b"'


@pytest.mark.parametrize(
    "text", ["/", "<", "\x7f", "\x80", "é", "\u2028\u2029", "\ufeff", "🎉", "'", "\ufffe"], ids=ascii
)
def test_every_other_character_is_literal(text: str) -> None:
    assert canonical(text) == f'"{text}"'
    assert canonical({text: text}) == f'{{"{text}":"{text}"}}'


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\udbff", "\udc00", "\udfff", "a\ud800b", "\udf89\ud83c", "\ud83c\udf89", "é\udfff"],
    ids=ascii,
)
def test_a_surrogate_in_a_string_or_key_is_refused(text: str) -> None:
    values: list[Json] = [
        text,
        ["ok", text],
        {"s": text},
        {text: 1},
        [{"a": {"b": [{text: None}]}}],
        {"a": 1.0, "s": text},
    ]
    for value in values:
        with pytest.raises(CanonicalError, match="lone surrogate"):
            canonical(value)


def test_keys_that_are_equal_once_their_halves_are_joined_are_refused() -> None:
    with pytest.raises(CanonicalError):
        canonical({"\ud83c\udf89": 1, "🎉": 2})


@pytest.mark.parametrize(
    "number",
    [
        1.5,
        0.1,
        -2.5,
        1e-7,
        2**53,
        -(2**53),
        2.0**53,
        1e300,
        10**300,
        10**5000,
        float("inf"),
        float("-inf"),
        float("nan"),
    ],
    ids=lambda number: str(number)[:20] if isinstance(number, float) else f"int of {number.bit_length()} bits",
)
def test_a_number_that_is_no_integer_in_range_is_refused(number: float) -> None:
    values: list[Json] = [number, [number], {"a": number}, [[{"a": [number]}]]]
    for value in values:
        with pytest.raises(CanonicalError, match="no integer in"):
            canonical(value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1.0", "1"),
        ("1e3", "1000"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("0e5", "0"),
        ("1e-0", "1"),
        ("9007199254740991.0", "9007199254740991"),
        ("[1.0,2]", "[1,2]"),
    ],
)
def test_a_number_counts_by_its_value(text: str, wanted: str) -> None:
    assert canonical(jsontext.loads(text)) == wanted


class Name(StrEnum):
    A = "a"


class Level(IntEnum):
    TWO = 2


def test_subclasses_of_the_json_types_are_read_as_those() -> None:
    assert canonical(OrderedDict([("b", Level.TWO), (Name.A, Name.A)])) == '{"a":"a","b":2}'


@pytest.mark.parametrize(
    "value",
    [(1, 2), {1: 2}, {None: 1}, {"a": 1, 2: 3}, {"a": {1, 2}}, b"a", object, 1j],
    ids=repr,
)
def test_what_is_no_json_value_is_refused(value: Json) -> None:
    with pytest.raises(CanonicalError):
        canonical(value)


@pytest.mark.parametrize("depth", [63, 64, 65, 255, 256, 257, 258, 1000, 100_000])
@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[1,{"k":', "}]")], ids=["arrays", "objects", "both"]
)
def test_any_depth_is_written(depth: int, opening: str, closing: str) -> None:
    text = opening * depth + "0" + closing * depth
    assert canonical(jsontext.loads(text)) == text


def test_a_caller_deep_in_the_stack_gets_the_same_text() -> None:
    value = jsontext.loads("[" * 200 + "]" * 200)

    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else canonical(value)

    assert deeper(sys.getrecursionlimit() - len(inspect.stack()) - 120) == "[" * 200 + "]" * 200


keys = st.text(st.sampled_from('aAzé\uff61\U0001f600\n"\\\x00 0'), max_size=3)
scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=5)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4))


@given(values)
@example({"\U0001f600": {"\uff61": [-0.0, 1.0, {"b": 1, "a": 2}]}})
def test_the_two_writers_agree_and_the_text_reads_back(value: Json) -> None:
    text = canonical(value)
    assert json.loads(text) == value
    # One number that the fast writer does not take sends the same value through the other one.
    assert canonical([1.0, value]) == f"[1,{text}]"
    assert text.encode().decode() == text


NODE_CANONICAL = r"""
(() => {
  const order = (a, b) => {
    const x = [...a].map(c => c.codePointAt(0)), y = [...b].map(c => c.codePointAt(0));
    for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i] - y[i];
    return x.length - y.length;
  };
  const canonical = v => {
    if (Array.isArray(v)) return "[" + v.map(canonical).join(",") + "]";
    if (v && typeof v === "object")
      return "{" + Object.keys(v).sort(order).map(k => JSON.stringify(k) + ":" + canonical(v[k])).join(",") + "}";
    return JSON.stringify(v);
  };
  return input.map(text => canonical(JSON.parse(text)));
})()
"""


@needs_node
def test_node_writes_the_same() -> None:
    texts = [
        '{"b":1,"a":"\\u2028\\u007f\\u0080/\\u0000\\u001f","A":[-0,1.0,1e3,0.1e1],"10":{},"9":[]}',
        '{"\\ud83d\\ude00":1,"\\uff61":2,"\\ue000":3,"z":4,"\\u0000":5}',
        '["\\u0008\\u0009\\u000a\\u000b\\u000c\\u000d\\u000e","\\"\\\\\\/",{"":{"":[[[]]]}}]',
        '{"a":1,"b":2,"a":3}',
        "[9007199254740991,-9007199254740991,0,-1,10000000000000000e-16]",
    ]
    assert [canonical(jsontext.loads(text)) for text in texts] == ask_node(NODE_CANONICAL, texts)
