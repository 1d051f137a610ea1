import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.text import cut, plain, wellformed
from tests.reports.samples import EVIL, HUGE

anything = st.text(st.characters(exclude_categories=()))


def test_a_short_text_is_not_cut() -> None:
    assert cut("a" * 64, 64) == "a" * 64


def test_a_long_text_says_what_is_missing() -> None:
    assert cut("a" * 1000, 100) == "a" * 75 + "… [925 more characters]"


@given(st.integers(0, 100_000), st.integers(64, 500))
def test_a_cut_text_is_within_its_limit_and_cut_once(size: int, limit: int) -> None:
    once = cut("a" * size, limit)
    assert len(once) <= limit
    assert cut(once, limit) == once


def test_a_limit_without_room_for_the_note_is_refused() -> None:
    with pytest.raises(ValueError, match="a limit of 63"):
        cut("a", 63)


def test_lone_surrogates_are_written_out() -> None:
    assert wellformed("a\ud800\udfffb😀") == "a\\ud800\\udfffb😀"


@given(anything)
def test_a_wellformed_text_encodes(text: str) -> None:
    wellformed(text).encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain · → é 😀 日本 ❤️", "plain · → é 😀 日本 ❤️"),
        ("\x1b[31m\x07\x00\x7f\x9b", "\\x1b[31m\\x07\\x00\\x7f\\x9b"),
        ("a\r\n\tb", "a\\r\\n\\tb"),
        ("\u202eabc\u2066\u200b\ufeff", "\\u202eabc\\u2066\\u200b\\ufeff"),
        ("\u2028\u2029\u0085\xad", "\\u2028\\u2029\\x85\\xad"),
        ("\ud800 \udfff", "\\ud800 \\udfff"),
        ("\U000e0041\U000e0101", "\\U000e0041\\U000e0101"),
        ("\ue000\uffff\u3164", "\\ue000\\uffff\\u3164"),
        ("[red]x[/red]", "[red]x[/red]"),
    ],
)
def test_what_a_terminal_could_obey_or_hide_is_written_out(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_lines_are_kept_on_demand_only() -> None:
    assert plain("a\nb\r\n", lines=True) == "a\nb\\r\n"


@given(anything, st.booleans())
def test_plain_text_is_printable(text: str, lines: bool) -> None:
    shown = plain(text, lines=lines)
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not {char for char in shown if unicodedata.category(char) in bad} - ({"\n"} if lines else set())
    assert plain(shown, lines=lines) == shown


@pytest.mark.parametrize("text", [HUGE, EVIL * 100_000, "\x00" * 10_000_000, chr(sys.maxunicode) * 1_000_000])
def test_ten_megabytes_are_bounded(text: str) -> None:
    assert len(plain(text, 500)) <= 500
