"""Canonical JSON: sorted keys, no whitespace, and ECMAScript's spelling of everything else (BYOB 4)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.canonical import canonical
from reference.yea import jsontext
from reference.yea.types import Json

SPELT: list[tuple[Json, str]] = [
    (None, "null"),
    (True, "true"),
    (0, "0"),
    (-0.0, "0"),
    (1.0, "1"),
    (0.1, "0.1"),
    (1e21, "1e+21"),
    (1e-7, "1e-7"),
    (2**53 - 1, "9007199254740991"),
    (2**60, "1152921504606847000"),
    (float("inf"), "null"),
    ([3, 1, 2], "[3,1,2]"),
    ([], "[]"),
    ({}, "{}"),
    ({"b": 1, "a": {"d": 1, "c": [{"f": 1, "e": None}]}}, '{"a":{"c":[{"e":null,"f":1}],"d":1},"b":1}'),
    ({"10": 1, "9": 2, "": 3, "a": 4, "B": 5}, '{"":3,"10":1,"9":2,"B":5,"a":4}'),
    ({"é": "ü/\x7f", "e": '"\\'}, '{"e":"\\"\\\\","é":"ü/\x7f"}'),
    ("\b\t\n\f\r\x00\x1f", '"\\b\\t\\n\\f\\r\\u0000\\u001f"'),
    ("\ud800", '"\\ud800"'),
    (" a  b ", '" a  b "'),
]


@pytest.mark.parametrize(("value", "text"), SPELT)
def test_the_canonical_text(value: Json, text: str) -> None:
    assert canonical(value) == text


def test_keys_sort_by_utf_16_units_so_astral_keys_come_before_the_end_of_the_plane() -> None:
    assert canonical({"\uff61": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\uff61":1}'


def test_keys_with_half_a_pair_have_their_place_too() -> None:
    assert canonical({"\ue000": 1, "\ud800": 2, "a": 3}) == '{"a":3,"\\ud800":2,"\ue000":1}'


def test_depth_is_no_matter() -> None:
    value: Json = {}
    for _ in range(5000):
        value = {"b": [value], "a": 1}
    assert canonical(value) == '{"a":1,"b":[' * 5000 + "{}" + "]}" * 5000


def test_the_value_itself_stays_as_it_is() -> None:
    value: Json = {"b": [{"d": 1, "c": 2}], "a": 1}
    canonical(value)
    assert json.dumps(value) == '{"b": [{"d": 1, "c": 2}], "a": 1}'


@pytest.mark.parametrize("value", [{1: 2}, {"a": {2: 3}}, [{None: 1}], b"", {"a"}, object()])
def test_what_is_no_json_value_has_no_text(value: Json) -> None:
    with pytest.raises(TypeError):
        canonical(value)


def test_a_key_that_is_no_string_is_shown() -> None:
    with pytest.raises(TypeError, match="a key is a string, not 2"):
        canonical({"a": {2: 3}})  # type: ignore[dict-item]


scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(values)
def test_the_canonical_text_of_a_canonical_text_is_the_same(value: Json) -> None:
    text = canonical(value)
    assert canonical(jsontext.loads(text)) == text


@given(st.dictionaries(st.text(), values), st.randoms())
def test_the_order_of_members_is_no_matter(value: dict[str, Json], random: object) -> None:
    members = list(value.items())
    random.shuffle(members)  # type: ignore[attr-defined]
    assert canonical(dict(members)) == canonical(value)


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(max_codepoint=0xD7FF)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=0xD7FF)), inner),
    max_leaves=20,
)


@given(plain)
def test_the_standard_library_agrees_where_it_spells_alike(value: Json) -> None:
    assert canonical(value) == json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
