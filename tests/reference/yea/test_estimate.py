import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference.yea.estimate import est

PATTERN = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]")


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello", 1),
        ("aB", 1),
        ("hello world", 2),
        ("aéb", 3),
        ("1", 1),
        ("123", 1),
        ("1234", 2),
        ("123456", 2),
        ("1234567", 3),
        ("a1b22", 4),
        ("\n  ", 1),
        ("\n      x", 2),
        ("a\n  b", 3),
        (" ", 0),
        ("\n", 0),
        ("\n x", 1),
        ("\n\n  x", 2),
        ("\n\t\tx", 1),
        ("\n \tx", 1),
        ("a b\tc\r\nd\f\v", 4),
        ("    ", 0),
        ("...", 3),
        ("{}", 2),
        ("_", 1),
        ("a_b", 3),
        ("\u00a0", 1),
        ("\u2028", 1),
        ("\u0085", 1),
        ("\x00", 1),
        ("\x1c\x1d\x1e\x1f", 4),
        ("\x7f", 1),
        ("😀", 1),
        ("é", 1),
        ("日本", 2),
        ("👨‍👩‍👧", 5),
        ("e\u0301", 2),
        ("naïve", 3),
        ("１２", 2),
        ("٣", 1),
        ("\n  \n  ", 2),
        ("x\n   1234y", 5),
        ("\n \n  a", 2),
        ("\ud800", 1),
        ("a\udc00b", 3),
        ("K", 1),  # the Kelvin sign, which some call a letter K
        ("ſ", 1),
    ],
    ids=ascii,
)
def test_the_estimate_counts_code_points_as_section_8_says(text: str, count: int) -> None:
    assert est(text) == count
    assert len(PATTERN.findall(text)) == count


@given(st.text(st.sampled_from("aZ019 \n\t\r\f\v._é😀\ud800\u0085\u00a0\u2028\x00\x7f"), max_size=40))
@example("000000")
@example("00 000 0a0\n  000")
@example("aAa0aA")
def test_the_estimate_is_the_number_of_matches_of_the_expression(text: str) -> None:
    assert est(text) == len(PATTERN.findall(text))


@given(st.text(max_size=60))
def test_so_it_is_for_any_text(text: str) -> None:
    assert est(text) == len(PATTERN.findall(text))
