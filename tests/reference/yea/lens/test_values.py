"""Lean notation of values (YEA 9.1)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.yea.lens import lens_value
from reference.yea.lens.values import member_lines
from reference.yea.types import Json
from tests.reference.yea.lens.test_depth import Nest, nested_arrays, nested_objects


def lines(*parts: str) -> str:
    """A text of these lines."""
    return "\n".join(parts)


RENDERINGS: list[tuple[str, Json, str]] = [
    ("null", None, "-"),
    ("false", False, "false"),
    ("number", 5, "5"),
    ("text", "a b", "a b"),
    ("empty text", "", '""'),
    ("no object members", {}, "{}"),
    ("no elements", [], "items: []"),
    ("members", {"a": 1, "b": "x", "c": None, "d": True}, lines("a: 1", "b: x", "c: -", "d: true")),
    ("empty members", {"a": {}, "b": []}, lines("a: {}", "b: []")),
    ("nested objects", {"a": {"b": {"c": 1}, "d": 2}}, lines("a:", "  b:", "    c: 1", "  d: 2")),
    (
        "keys by the string rule",
        {"has space": 1, "k,v": 2, "": 3, "1": 4, "true": 5, "é": 6, "\ud800": 7, "__proto__": 8},
        lines(
            '"1": 4',
            "has space: 1",
            '"k,v": 2',
            '"": 3',
            '"true": 5',
            '"é": 6',
            '"\\ud800": 7',
            "__proto__: 8",
        ),
    ),
    ("scalar list", {"k": [1, "two", None, True, "a,b"]}, 'k: [1, two, -, true, "a,b"]'),
    ("top array of scalars", [1, 2], "items: [1, 2]"),
    ("top table", [{"a": 1}, {"a": 2}], lines("items[2]{a}:", "  1", "  2")),
    ("table", {"e": [{"id": 1, "t": "x, y"}, {"id": None, "t": 1.5}]}, lines("e[2]{id,t}:", '  1,"x, y"', "  -,1.5")),
    ("table of one", {"e": [{"a b": 1, "c,d": 2}]}, lines('e[1]{a b,"c,d"}:', "  1,2")),
    ("table columns in property order", {"r": [{"b": 1, "1": 2}]}, lines('r[1]{"1",b}:', "  2,1")),
    (
        "rows that differ only in how they are written",
        {"r": [{"b": 1, "1": 2}, {"1": 3, "b": 4}]},
        lines('r[2]{"1",b}:', "  2,1", "  3,4"),
    ),
    (
        "table one level in",
        {"o": {"e": [{"a": 1}, {"a": 2}]}},
        lines("o:", "  e[2]{a}:", "    1", "    2"),
    ),
    (
        "no table: another order",
        {"e": [{"a": 1, "b": 2}, {"b": 2, "a": 1}]},
        lines("e[2]:", "  - a: 1", "    b: 2", "  - b: 2", "    a: 1"),
    ),
    (
        "no table: one key more",
        {"e": [{"a": 1}, {"a": 1, "b": 2}]},
        lines("e[2]:", "  - a: 1", "  - a: 1", "    b: 2"),
    ),
    ("no table: one key less", {"e": [{"a": 1, "b": 2}, {"a": 1}]}, lines("e[2]:", "  - a: 1", "    b: 2", "  - a: 1")),
    ("no table: an array in the last row", {"e": [{"a": 1}, {"a": []}]}, lines("e[2]:", "  - a: 1", "  - a: []")),
    ("no table: an object in the first row", {"e": [{"a": {}}, {"a": 1}]}, lines("e[2]:", "  - a: {}", "  - a: 1")),
    ("no table: a scalar at the end", {"e": [{"a": 1}, 2]}, lines("e[2]:", "  - a: 1", "  - 2")),
    ("no table: an empty object at the end", {"e": [{"a": 1}, {}]}, lines("e[2]:", "  - a: 1", "  - {}")),
    ("no table: only empty objects", {"e": [{}, {}]}, lines("e[2]:", "  - {}", "  - {}")),
    ("no table: only empty arrays", {"e": [[], []]}, lines("e[2]:", "  - []", "  - []")),
    (
        "mixed array",
        {"m": [{"a": 1}, "x", None, {}, [1, "x"], [], [{"x": 1.0}, [2]]]},
        lines("m[7]:", "  - a: 1", "  - x", "  - -", "  - {}", "  - [1, x]", "  - []", '  - [{"x":1},[2]]'),
    ),
    (
        "later entries of an element",
        {"m": [1, {"a": 1, "b": {"c": 2}, "d": [3]}]},
        lines("m[2]:", "  - 1", "  - a: 1", "    b:", "      c: 2", "    d: [3]"),
    ),
    (
        "an object first in an element",
        {"m": [1, {"a": {"x": 1}, "b": 2}]},
        lines("m[2]:", "  - 1", "  - a:", "      x: 1", "    b: 2"),
    ),
    (
        "a table first in an element",
        {"m": [1, {"a": [{"x": 1}, {"x": 2}], "b": 2}]},
        lines("m[2]:", "  - 1", "  - a[2]{x}:", "      1", "      2", "    b: 2"),
    ),
    (
        "a list first in an element",
        {"m": [1, {"a": [{"x": [1]}, 2]}]},
        lines("m[2]:", "  - 1", "  - a[2]:", "      - x: [1]", "      - 2"),
    ),
]


@pytest.mark.parametrize(("value", "text"), [case[1:] for case in RENDERINGS], ids=[case[0] for case in RENDERINGS])
def test_lean_notation(value: Json, text: str) -> None:
    """Each form of 9.1, and each way in which an array just fails to be a table."""
    assert lens_value(value) == text


def test_64_nested_objects_render_in_full() -> None:
    """With 65 the innermost is cut, and the cut renders like any string."""
    keys = ["  " * level + "k:" for level in range(63)]
    assert lens_value(nested_objects(64, 1)) == lines(*keys, "  " * 63 + "k: 1")
    assert lens_value(nested_objects(65, 1)) == lines(*keys, "  " * 63 + 'k: "…"')
    assert lens_value(nested_objects(64, {})) == lines(*keys, "  " * 63 + 'k: "…"')


def test_64_nested_arrays_render_in_full() -> None:
    """They are compact JSON below the first element, which the cut reaches too."""
    assert lens_value(nested_arrays(64, 1)) == lines("items[1]:", "  - " + "[" * 63 + "1" + "]" * 63)
    assert lens_value(nested_arrays(65, 1)) == lines("items[1]:", "  - " + "[" * 63 + '"…"' + "]" * 63)


def test_the_cut_comes_before_the_table_form() -> None:
    """Two objects of level 64 are two strings, and two strings are a scalar list."""
    value = nested_objects(63, [{"a": 1}, {"a": 2}])
    assert lens_value(value).rsplit("\n", 1)[1].strip() == 'k: ["…", "…"]'


def test_a_table_may_hold_cut_values() -> None:
    """An object of level 63 whose only member is cut has only scalars."""
    value = nested_objects(62, [{"a": {}}, {"a": [1]}])
    assert [line.strip() for line in lens_value(value).splitlines()[-3:]] == ["k[2]{a}:", '"…"', '"…"']


@pytest.mark.parametrize("nested", [nested_objects, nested_arrays])
def test_any_depth_renders(nested: Nest) -> None:
    """100,000 levels read like 65."""
    assert lens_value(nested(100_000, 1)) == lens_value(nested(65, 1))


def test_a_member_stands_at_its_indent() -> None:
    """Everything below the first line is further in."""
    assert member_lines("data", {"a": [{"b": 1}]}, "  ") == ["  data:", "    a[1]{b}:", "      1"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3) | st.just("7"), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
@settings(max_examples=200)
def test_every_value_renders_and_renders_the_same_again(value: Json) -> None:
    """Total and deterministic, with neither an empty line nor a blank at a line's end."""
    text = lens_value(value)
    assert text == lens_value(value)
    assert all(line and line[-1] != " " for line in text.split("\n"))
