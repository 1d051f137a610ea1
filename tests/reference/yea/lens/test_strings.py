"""Bare and quoted strings (YEA 9.1)."""

import string

import pytest

from reference.yea.lens.strings import quoted, string_text
from tests.reference.yea.lens.node import ask_node, needs_node

BARE = [
    "hello world",
    "a@b.c/x+y-z:(1)'!?&%$#*=<>~^_",
    "a  b",
    "--",
    "True",
    "nulls",
    "-true",
    "01",
    "00",
    "-01",
    "1.",
    ".5",
    "-.5",
    "+1",
    "1e",
    "1e+",
    "0x1",
    "1-2",
    "1 2",
    "1.5.2",
    "1e5e5",
    "2026-01-01T00:00Z",
    "Infinity",
    "NaN",
    "~",
    "'",
]


@pytest.mark.parametrize("text", BARE)
def test_a_string_of_the_listed_characters_is_bare(text: str) -> None:
    """No quotes where the text cannot be taken for another scalar."""
    assert string_text(text) == text


QUOTED = [
    ("", '""'),
    (" ", '" "'),
    (" a", '" a"'),
    ("a ", '"a "'),
    ("-", '"-"'),
    ("true", '"true"'),
    ("false", '"false"'),
    ("null", '"null"'),
    ("0", '"0"'),
    ("-0", '"-0"'),
    ("-1", '"-1"'),
    ("10", '"10"'),
    ("1.5", '"1.5"'),
    ("0.0", '"0.0"'),
    ("1e5", '"1e5"'),
    ("1E+2", '"1E+2"'),
    ("-1.5e-7", '"-1.5e-7"'),
    ("a,b", '"a,b"'),
    ("a;b", '"a;b"'),
    ('a"b', '"a\\"b"'),
    ("a\\b", '"a\\\\b"'),
    ("a|b", '"a|b"'),
    ("[x]", '"[x]"'),
    ("{x}", '"{x}"'),
    ("a`b", '"a`b"'),
    ("é", '"é"'),
    ("…", '"…"'),
    ("☃", '"☃"'),
    ("🎉", '"🎉"'),
    ("a\u00a0b", '"a\u00a0b"'),
    ("\u0661", '"\u0661"'),
    ("\uff11", '"\uff11"'),
    ("abc\n", '"abc\\n"'),
    ("1\n", '"1\\n"'),
    ("true\n", '"true\\n"'),
    ("-\n", '"-\\n"'),
    ("a\tb", '"a\\tb"'),
    ("\b\f\n\r\t", '"\\b\\f\\n\\r\\t"'),
    ("\x00\x01\x0b\x1f", '"\\u0000\\u0001\\u000b\\u001f"'),
    ("\x7f\u2028\u2029é", '"\x7f\u2028\u2029é"'),
    ("a\ud800b", '"a\\ud800b"'),
    ("\udfff", '"\\udfff"'),
    ("\udf89\ud83c", '"\\udf89\\ud83c"'),
    ("\ud83c\udf89", '"🎉"'),
    ("\ud83c\ud83c\udf89", '"\\ud83c🎉"'),
]


@pytest.mark.parametrize(("text", "rendered"), QUOTED, ids=[ascii(text) for text, _ in QUOTED])
def test_any_other_string_is_quoted(text: str, rendered: str) -> None:
    """A trailing newline, a look-alike of another scalar, or any other character makes it quoted."""
    assert string_text(text) == rendered


def test_exactly_the_listed_characters_are_bare() -> None:
    """Of all characters of the basic plane, alone in a string that is no number or keyword."""
    listed = set(string.ascii_letters + string.digits + "_@./+-:()'!?&%$#*=<>~^ ")
    bare = {chr(code) for code in range(0x10000) if string_text(f"x{chr(code)}x")[0] == "x"}
    assert bare == listed


@needs_node
def test_quoting_is_what_node_stringifies() -> None:
    """Every UTF-16 unit by itself, surrogates included."""
    texts = [f"<{chr(code)}>" for code in range(0x10000)]
    assert [quoted(text) for text in texts] == ask_node("input.map(text => JSON.stringify(text))", texts)
