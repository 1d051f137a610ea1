import inspect
import json
import math
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.yea.jsontext import JsonError, dumps, has_lone_surrogate, loads
from reference.yea.types import Json
from tests.reference.yea.lens.node import ask_node, needs_node

DEEP = 300
"""Past this the standard library is not asked: every rule is tested on both sides of it."""


def buried(text: str) -> str:
    """The text as the innermost value of a deep one, so that the other reader gets it."""
    return "[" * DEEP + text + "]" * DEEP


def unburied(value: Json) -> Json:
    for _ in range(DEEP):
        assert isinstance(value, list)
        [value] = value
    return value


def both(text: str) -> Json:
    """What both readers read."""
    value, other = loads(text), unburied(loads(buried(text)))
    assert repr(value) == repr(other)
    assert repr(loads(text.encode())) == repr(value)
    return value


READ: list[tuple[str, Json]] = [
    ("null", None),
    (" true ", True),
    ("\t\n\r false\t\n\r ", False),
    ("0", 0),
    ("-0", 0),
    ("-1", -1),
    ("9007199254740993", 9007199254740993),
    ("1.0", 1.0),
    ("-0.0", -0.0),
    ("1e3", 1000.0),
    ("1E+3", 1000.0),
    ("1e-3", 0.001),
    ("0e0", 0.0),
    ("5e-324", 5e-324),
    ("1e400", math.inf),
    ("-1e400", -math.inf),
    ("1e-400", 0.0),
    ('""', ""),
    ('"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
    ('"\\u00e9\\u00E9"', "éé"),
    ('"\\ud83c\\udf89"', "🎉"),
    ('"\\uD83C\\uDF89"', "🎉"),
    ('"🎉\x7f\u2028\ufeff"', "🎉\x7f\u2028\ufeff"),
    ('"\\ud800"', "\ud800"),
    ('"a\\ud800b"', "a\ud800b"),
    ('"\\udf89\\ud83c"', "\udf89\ud83c"),
    ('"\\ud83c\\ud83c\\udf89"', "\ud83c🎉"),
    ('"\\ud83cx\\udf89"', "\ud83cx\udf89"),
    ('{"\\ud800":1}', {"\ud800": 1}),
    ("[]", []),
    ("[ ]", []),
    ("{}", {}),
    ("{ \n}", {}),
    ("[1,2 , 3]", [1, 2, 3]),
    ("[[],[[]],{}]", [[], [[]], {}]),
    ('{"a":{"b":[{}]},"c":[]}', {"a": {"b": [{}]}, "c": []}),
    ('{"a" : 1 , "b" : [ ] }', {"a": 1, "b": []}),
    ('{"":0}', {"": 0}),
    ('{"__proto__":1,"constructor":{}}', {"__proto__": 1, "constructor": {}}),
    ('["]","[","}","{",",",":","\\"","\\\\"]', ["]", "[", "}", "{", ",", ":", '"', "\\"]),
]


@pytest.mark.parametrize(("text", "value"), READ, ids=lambda item: ascii(item)[:40])
def test_json_is_read(text: str, value: Json) -> None:
    assert repr(both(text)) == repr(value)


REFUSED = [
    "",
    " ",
    "nul",
    "nulll",
    "True",
    "NaN",
    "Infinity",
    "-Infinity",
    "-NaN",
    "undefined",
    "01",
    "-01",
    "+1",
    "-",
    ".5",
    "1.",
    "1.e5",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "١",
    "１",
    "1 2",
    "'a'",
    '"',
    '"a',
    '"\\"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12G4"',
    '"\\u+123"',
    '"\\u 123"',
    '"\\uD83C\\u12"',
    '"\\ud800\\"',
    '"\n"',
    '"\t"',
    '"\x00"',
    '"\x1f"',
    "[",
    "]",
    "[1",
    "[1,",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "[,]",
    "{",
    "}",
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1]',
    "{1:2}",
    "{a:1}",
    "{null:1}",
    "{,}",
    '{"a":1}{"b":2}',
    "[]]",
    "[][]",
    "// x\n1",
    "/* x */1",
    "1 // x",
    "\u00a01",
    "1\u00a0",
    "\x0b1",
    "\x0c1",
    "\u20281",
    "\ufeff1",
    "1\x00",
    "\x00",
    "[1]\ufeff",
    "[NaN]",
    '{"a":-Infinity}',
]


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_what_is_not_json_is_refused(text: str) -> None:
    for candidate in (text, text.encode()):
        with pytest.raises(JsonError):
            loads(candidate)
    with pytest.raises(JsonError):
        loads(buried(text + " " if text.strip() else "[,]"))


@pytest.mark.parametrize(
    "data",
    [
        b"\xff",
        b'"\xff"',
        b'"\xc3"',
        b'"\xc0\x80"',
        b'"\xed\xa0\x80"',
        b'"\xf4\x90\x80\x80"',
        b"\xef\xbb\xbf1",
        b"\xfe\xff\x00\x31",
        "[1]".encode("utf-16"),
        "1".encode("utf-32"),
    ],
    ids=repr,
)
def test_bytes_that_are_not_utf_8_are_refused(data: bytes) -> None:
    with pytest.raises(JsonError):
        loads(data)


def test_a_raw_surrogate_is_no_utf_8() -> None:
    with pytest.raises(JsonError, match="UTF-8"):
        loads('"\ud800"')


def test_keys_keep_their_order_and_the_last_of_a_repeated_one_counts() -> None:
    for text in ('{"b":1,"10":2,"2":3,"b":4}', buried('{"b":1,"10":2,"2":3,"b":4}')):
        value = loads(text) if text[0] == "{" else unburied(loads(text))
        assert isinstance(value, dict)
        assert list(value.items()) == [("b", 4), ("10", 2), ("2", 3)]


@pytest.mark.parametrize("text", ["1.0", "1e3", "1E3", "-0", "-0.0", "0.0", "1.5", "1e400", '{"a":[1.0]}', "[-0]"])
def test_a_number_that_is_no_minimal_integer_can_be_refused(text: str) -> None:
    loads(text)
    for candidate in (text, buried(text)):
        with pytest.raises(JsonError, match="minimal"):
            loads(candidate, minimal_integers=True)


def test_minimal_integers_and_strings_like_other_numbers_pass() -> None:
    text = '[0,-1,10,9007199254740992,"1.0","-0","1e3",{"1e3":"-0.0"}]'
    assert loads(text, minimal_integers=True) == json.loads(text)
    assert unburied(loads(buried(text), minimal_integers=True)) == json.loads(text)


@pytest.mark.parametrize("minimal", [False, True])
@pytest.mark.parametrize("digits", [308, 309, 4300, 4301, 1_000_000])
def test_integers_of_any_length_are_read_in_linear_time(digits: int, minimal: bool) -> None:
    for sign in ("", "-"):
        value = loads(sign + "9" * digits, minimal_integers=minimal)
        assert isinstance(value, int if digits + len(sign) <= 308 else float) or digits == 308
        assert float(value) == float(sign + "9" * digits)  # type: ignore[arg-type]
        deep = unburied(loads(buried(sign + "9" * digits), minimal_integers=minimal))
        assert deep == value


@pytest.mark.parametrize(
    "number", ["0." + "1" * 10**6, "1" * 10**6 + ".5", "1" * 10**6 + "e5", "1e" + "9" * 10**6, "0." + "0" * 10**6 + "1"]
)
def test_fractions_of_any_length_are_read_in_linear_time(number: str) -> None:
    assert loads(number) == float(number)
    assert loads(f"[{number},{number}]") == [float(number)] * 2


def test_the_interpreters_limit_on_digits_changes_nothing() -> None:
    text = "9" * 5000
    limit = sys.get_int_max_str_digits()
    try:
        for digits in (0, 640):
            sys.set_int_max_str_digits(digits)
            assert loads(text) == math.inf
            assert loads("[" + "9" * 308 + "]") == [10**308 - 1]
    finally:
        sys.set_int_max_str_digits(limit)


SHAPES = [("[", "]"), ('{"a":', "}"), ('[1,"]",{"k\\"[":', '},"\\\\"]'), ("[[],{},", "]"), ("[ ", " ]")]


@pytest.mark.parametrize("depth", [1, 127, 128, 255, 256, 257, 1000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), SHAPES, ids=ascii)
def test_any_depth_is_read_and_written(depth: int, opening: str, closing: str) -> None:
    text = opening * depth + "null" + closing * depth
    value = loads(text.encode())
    assert dumps(value) == text.replace(" ", "")
    assert not has_lone_surrogate(value)


def test_deep_text_that_breaks_off_or_goes_wrong_is_refused() -> None:
    for text in (
        "[" * 10**6,
        "{" * 10**6,
        '{"a":' * 10**5,
        "[" * 10**5 + "}",
        "[" * 10**5 + '"',
        "[{" * 10**5,
        "]" * 10**6,
    ):
        with pytest.raises(JsonError):
            loads(text)


HOSTILE = {
    "quotes": '"' * 10**6,
    "backslashes": "\\" * 10**6,
    "a string of backslashes": '"' + "\\\\" * 500_000 + '"',
    "escapes": '"' + "\\ud83c" * 160_000 + '"',
    "blanks": " " * 10**6,
    "empty arrays": "[" + "[]," * 330_000 + "[]]",
    "brackets in a string": '["' + "[" * 10**6 + '"]',
    "long integers": "[" + ",".join(["9" * 4300] * 240) + "]",
    "longest integers": "[" + ",".join(["9" * 308] * 3300) + "]",
    "minus signs": "-" * 10**6,
    "blanks before depth": "[" * 300 + " " * 10**6 + "]" * 300,
    "one key again and again": "{" + '"a":0,' * 160_000 + '"a":1}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read(name: str) -> None:
    try:
        value = loads(HOSTILE[name])
    except JsonError as error:
        assert len(str(error)) < 300
    else:
        dumps(value)
        has_lone_surrogate(value)


def test_a_caller_deep_in_the_stack_gets_the_same_value_and_text() -> None:
    text = '[{"a":' * 100 + "1" + "}]" * 100

    def deeper(levels: int) -> str:
        return deeper(levels - 1) if levels else dumps(loads(text))

    assert deeper(sys.getrecursionlimit() - len(inspect.stack()) - 120) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        ([True, False], "[true,false]"),
        ({"b": 1, "10": 2, "a": 3}, '{"b":1,"10":2,"a":3}'),
        ([1.0, -0.0, 1.5, 1e21, 1e-7, 0.00001], "[1,0,1.5,1e+21,1e-7,0.00001]"),
        ([math.inf, -math.inf, math.nan], "[null,null,null]"),
        ([10**400, -(10**400)], "[null,null]"),
        ([2**53 + 1, 12345678901234567890], "[9007199254740992,12345678901234567000]"),
        ('"\\\b\f\n\r\t\x00\x1f/\x7f\u2028é🎉', '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\x7f\u2028é🎉"'),
        ("a\ud800b", '"a\\ud800b"'),
        ("\udfff", '"\\udfff"'),
        ({"\ud800": ["\udc00"]}, '{"\\ud800":["\\udc00"]}'),
        ("\ud83c\udf89\ud83c", '"🎉\\ud83c"'),
        ({"": {"": []}}, '{"":{"":[]}}'),
    ],
    ids=ascii,
)
def test_values_are_written_as_ecmascript_writes_them(value: Json, text: str) -> None:
    assert dumps(value) == text
    assert dumps([1.0, value]) == f"[1,{text}]"
    assert text.encode().decode() == text


@pytest.mark.parametrize("value", [(1,), {1: 2}, {None: 1}, {"a": {1}}, b"a", 1j], ids=repr)
def test_what_is_no_json_value_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError):
        dumps(value)


@pytest.mark.parametrize(
    ("value", "lone"),
    [
        (None, False),
        (1.5, False),
        ("é🎉", False),
        ("\ud800", True),
        ("\udfff", True),
        ("a\udc00b", True),
        ([["x", {"y": "\ud800"}]], True),
        ({"\ud800": 1}, True),
        ({"a": [{"b": {"\udfff": None}}]}, True),
        (["a\ud83c", "\udf89b"], True),
        (["🎉", {"🎉": "🎉"}], False),
    ],
    ids=ascii,
)
def test_a_lone_surrogate_is_found_at_any_place(value: Json, lone: bool) -> None:
    assert has_lone_surrogate(value) is lone


def test_a_lone_surrogate_is_found_at_any_depth() -> None:
    assert has_lone_surrogate(loads('[{"a":' * 50_000 + '"\\ud800"' + "}]" * 50_000))
    assert has_lone_surrogate(loads('[{"\\udc00":' + '[{"a":' * 50_000 + "1" + "}]" * 50_000 + "}]"))
    assert not has_lone_surrogate(loads('[{"a":' * 50_000 + '"\\ud83c\\udf89"' + "}]" * 50_000))


texts = st.text(st.sampled_from('aé🎉\u2028"\\\n\x00[]{}:,'), max_size=4)
numbers = st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
)


@given(values, st.sampled_from([None, 1, "\t"]))
def test_both_readers_read_what_the_standard_library_reads(value: Json, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    assert both(text) == json.loads(text) == value


@given(values)
def test_what_is_written_reads_back_as_doubles(value: Json) -> None:
    text = dumps(value)
    doubles = json.loads(json.dumps(value), parse_int=float)
    assert json.loads(text, parse_int=float) == doubles
    assert list(map(str, flat(loads(text)))) == list(map(str, flat(json.loads(text))))


def flat(value: Json) -> list[str]:
    """The keys and scalars of a value in the order of the text."""
    if isinstance(value, dict):
        return [part for name, item in value.items() for part in [name, *flat(item)]]
    if isinstance(value, list):
        return [part for item in value for part in flat(item)]
    return [repr(value)]


@given(st.text(st.sampled_from('[]{}",:\\ 1-.eE\nntrufalsu0'), max_size=12))
def test_both_readers_refuse_the_same_texts(text: str) -> None:
    def outcome(candidate: str) -> str:
        try:
            return repr(loads(candidate) if candidate == text else unburied(loads(candidate)))
        except (JsonError, AssertionError, ValueError):
            return "refused"

    if outcome(text) != "refused":
        assert outcome(buried(text)) == outcome(text)
    elif "]" not in text:
        assert outcome(buried(text)) == "refused"


@needs_node
def test_node_reads_and_refuses_the_same_texts() -> None:
    texts = [text for text, _ in READ if '"10"' not in text] + REFUSED

    def ours(text: str) -> str | None:
        try:
            return dumps(loads(text))
        except JsonError:
            return None

    theirs = ask_node(
        "input.map(text => { try { return JSON.stringify(JSON.parse(text)); } catch { return null; } })", texts
    )
    assert [ours(text) for text in texts] == theirs
