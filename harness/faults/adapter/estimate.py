"""Faults of `est`: other expressions, and other ideas of a character (YEA 8)."""

import re
import unicodedata
from collections.abc import Callable

from harness.faults.adapter.tools import Row, register
from reference.yea.estimate import est

RULE = r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]"


def _count(expression: str, flags: int = 0) -> Callable[[str], int]:
    compiled = re.compile(expression, flags)
    return lambda text: len(compiled.findall(text))


def _units(text: str) -> int:
    """Characters past U+FFFF count as two."""
    return est(text) + sum(character > "\uffff" for character in text)


def _bytes(text: str) -> int:
    return est(text) + sum(len(character.encode()) - 1 for character in text if character > "\x7f")


def _graphemes(text: str) -> int:
    joined = re.sub("[\u0300-\u036f\U0001f3fb-\U0001f3ff]|\u200d.", "", text)
    return est(joined)


COUNTS: tuple[tuple[str, str, str, Callable[[str], int]], ...] = (
    ("length-by-four", "Divides the length by four.", "alphabet words long-word", lambda text: -(-len(text) // 4)),
    ("bytes", "Counts the bytes of other characters.", "emoji euro accented cjk", _bytes),
    ("utf-16-units", "Counts UTF-16 units.", "emoji emoji-flag mathematical-letters many-emoji", _units),
    ("graphemes", "Counts what a reader sees as one character once.", "emoji-family combining-accent", _graphemes),
    (
        "normalised",
        "Normalises the text first.",
        "combining-accent hangul-jamo",
        lambda text: est(unicodedata.normalize("NFC", text)),
    ),
    (
        "unicode-letters",
        "Takes every Unicode letter for a letter.",
        "accented cyrillic cjk fullwidth",
        _count(r"[^\W\d_]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\v\w]|_"),
    ),
    (
        "unicode-digits",
        "Takes every Unicode digit for a digit.",
        "arabic-digits fullwidth",
        _count(r"[A-Za-z]+|\d{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z\d]"),
    ),
    (
        "case-ignored",
        "Matches without regard to case, so that long s and the Kelvin sign are letters.",
        "long-s-and-kelvin",
        _count(RULE, re.IGNORECASE),
    ),
    (
        "unicode-blanks",
        "Takes every Unicode blank for a blank.",
        "no-break-space other-unicode-blanks next-line-and-separators separators-28-to-31",
        _count(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^\sA-Za-z0-9]"),
    ),
    (
        "words",
        "Takes letters, digits and _ for one run.",
        "digits-and-letters camel-case-and-snake-case underscores",
        _count(r"[A-Za-z0-9_]+|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9_]"),
    ),
    (
        "digit-runs",
        "Counts a run of digits as one.",
        "digits-4 digits-10 long-number",
        _count(RULE.replace("{1,3}", "+")),
    ),
    ("digits-one-by-one", "Counts every digit.", "digits-3 digits-7", _count(RULE.replace("{1,3}", ""))),
    (
        "every-newline",
        "Counts every newline.",
        "newline lines many-newlines",
        _count(r"[A-Za-z]+|[0-9]{1,3}|\n *|[^ \t\n\r\f\vA-Za-z0-9]"),
    ),
    (
        "one-space-indents",
        "Counts a newline and one space.",
        "newline-one-space newline-space-tab",
        _count(RULE.replace("{2,}", "+")),
    ),
    (
        "indentation-free",
        "Does not count indentation.",
        "newline-two-spaces indented-line indented-lines",
        _count(RULE.replace(r"\n {2,}|", "")),
    ),
    (
        "spaces-indent",
        "Counts two spaces wherever they are.",
        "spaces two-spaces-first carriage-return-spaces",
        _count(RULE.replace(r"\n {2,}", " {2,}")),
    ),
    (
        "punctuation-runs",
        "Counts a run of other characters as one.",
        "punctuation json-text long-punctuation",
        _count(RULE + "+"),
    ),
    (
        "controls-free",
        "Does not count control characters.",
        "controls separators-28-to-31",
        lambda text: est(re.sub("[\x00-\x1f\x7f]", lambda match: match[0] if match[0] in "\n\t " else " ", text)),
    ),
)


def _row(words: str, says: str, kills: str, count: Callable[[str], int]) -> Row:
    return words, says, kills, lambda arguments: {"count": count(arguments["text"])}


register("est", *(_row(*entry) for entry in COUNTS))
