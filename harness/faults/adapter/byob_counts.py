"""Faults of `byob.tokens`: counts that are nearly right (BYOB 8)."""

import re
from collections.abc import Callable
from math import ceil, floor

from harness.faults.adapter.tools import Row, register
from reference.byob.tokens import count

IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003134f]")


def _by(round_: Callable[[float], int]) -> Callable[[str], int]:
    """The rule with another way of rounding."""

    def counted(text: str) -> int:
        cjk = len(IDEOGRAPH.findall(text))
        return cjk + round_((len(text) - cjk) / 4)

    return counted


def _within(ranges: str) -> Callable[[str], int]:
    """The rule with other ranges of CJK characters."""
    found = re.compile(f"[{ranges}]")
    return lambda text: (cjk := len(found.findall(text))) + ceil((len(text) - cjk) / 4)


def _runs(text: str) -> int:
    return len(IDEOGRAPH.findall(text)) + sum(ceil(len(run) / 4) for run in IDEOGRAPH.split(text))


def _larger(text: str) -> int:
    cjk = len(IDEOGRAPH.findall(text))
    return max(cjk, ceil((len(text) - cjk) / 4))


COUNTS: tuple[tuple[str, str, str, Callable[[str], int]], ...] = (
    ("floor", "Rounds down.", "1-letter 5-letters digits ideograph-and-letter five-between", _by(floor)),
    ("nearest", "Rounds to the nearest.", "1-letter 2-letters 5-letters", _by(round)),
    ("plus-one", "Adds one to n/4.", "0-letters 4-letters 1000-letters", _by(lambda value: floor(value) + 1)),
    ("at-least-one", "Counts one token for nothing.", "0-letters", lambda text: max(1, count(text))),
    ("words", "Counts words.", "sentence 1000-letters words-of-one-letter", lambda text: len(text.split())),
    ("by-three", "Divides by three.", "4-letters sentence", lambda text: ceil(len(text) / 3)),
    (
        "blanks-free",
        "Does not count blanks.",
        "eight-blanks one-newline blank-between",
        lambda text: count(re.sub(r"\s", "", text)),
    ),
    ("trimmed", "Strips blanks at the ends.", "blanks-around one-newline", lambda text: count(text.strip())),
    (
        "line-ends",
        "Takes carriage return and newline for one character.",
        "carriage-return-and-newline",
        lambda text: count(text.replace("\r\n", "\n")),
    ),
    (
        "null-ends",
        "Stops at a null character.",
        "null-character",
        lambda text: count(text.split("\0")[0]),
    ),
    (
        "bytes",
        "Divides the bytes of UTF-8 by four.",
        "nine-ideographs five-simplified 1000-ideographs",
        lambda text: ceil(len(text.encode("utf-8", "surrogatepass")) / 4),
    ),
    (
        "all-by-four",
        "Divides every character by four.",
        "two-ideographs four-of-japan 1000-ideographs ideograph-and-letter",
        lambda text: ceil(len(text) / 4),
    ),
    (
        "cjk-double",
        "Counts two tokens for a CJK character.",
        "one-ideograph four-of-japan",
        lambda text: count(text) + len(IDEOGRAPH.findall(text)),
    ),
    (
        "runs-apart",
        "Rounds up every run between CJK characters on its own.",
        "two-letters-on-each-side one-letter-on-each-side letters-between long-and-mixed",
        _runs,
    ),
    (
        "larger-only",
        "Takes the larger of the two counts.",
        "ideograph-and-letter ideographs-first blank-between",
        _larger,
    ),
    ("range-late", "Begins the ideographs one too late.", "first-of-the-range", _within("\u4e01-\u9fff")),
    ("range-early", "Ends the ideographs at U+7FFF.", "last-of-unicode-1", _within("\u4e00-\u7fff")),
    ("kana-only", "Knows kana, but no ideographs.", "middle-of-the-range two-ideographs", _within("\u3040-\u30ff")),
    (
        "repeats-once",
        "Counts a character that comes again once.",
        "same-again 1000-ideographs",
        lambda text: len(set(IDEOGRAPH.findall(text))) + ceil(len(IDEOGRAPH.sub("", text)) / 4),
    ),
    (
        "punctuation-apart",
        "Counts each sign of punctuation as a token.",
        "punctuation json-text ascii-punctuation",
        lambda text: len(re.findall(r"[^\w\s]", text)) + count(re.sub(r"[^\w\s]", "", text)),
    ),
    (
        "escapes-read",
        "Reads escapes in the text once more.",
        "backslashes",
        lambda text: count(re.sub(r"\\(u[0-9a-f]{4}|n)", "x", text)),
    ),
)


def _row(words: str, says: str, kills: str, counted: Callable[[str], int]) -> Row:
    return words, says, kills, lambda arguments: {"count": counted(arguments["text"])}


register("byob.tokens", *(_row(*entry) for entry in COUNTS))
