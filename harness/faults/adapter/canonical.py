"""Faults of `canonical`: a small writer of JSON, of which each row gets one thing wrong (YEA 10)."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from harness.faults.adapter.tools import Row, read, register

MAX = 2**53 - 1
LONE = re.compile("[\ud800-\udfff]")
SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
ESCAPES = {**{code: f"\\u{code:04x}" for code in range(32)}, **SHORT}


def _number(value: int | float) -> str:
    if value != int(value) or abs(value) > MAX:
        raise ValueError("no integer of 53 bits")
    return str(int(value))


def _surrogates(text: str) -> str:
    if LONE.search(text):
        raise ValueError("a lone surrogate")
    return text


def _text(value: str) -> str:
    return f'"{_surrogates(value).translate(ESCAPES)}"'


@dataclass(frozen=True)
class Writer:
    """A writer of canonical JSON; every field is a place where implementations go wrong."""

    order: Callable[[Iterable[str]], list[str]] = sorted
    text: Callable[[str], str] = _text
    key: Callable[[str], str] = _text
    number: Callable[[Any], str] = _number
    comma: str = ","
    colon: str = ":"
    keep: Callable[[Any], bool] = lambda value: True

    def write(self, value: Any) -> str:
        """The text of a value."""
        if isinstance(value, dict):
            names = self.order(name for name, item in value.items() if self.keep(item))
            return "{" + self.comma.join(f"{self.key(n)}{self.colon}{self.write(value[n])}" for n in names) + "}"
        if isinstance(value, list):
            return "[" + self.comma.join(map(self.write, value)) + "]"
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool):
            return json.dumps(value)
        return self.number(value)


def _by(key: Callable[[str], Any]) -> Callable[[Iterable[str]], list[str]]:
    return lambda names: sorted(names, key=key)


def by_utf_16(names: Iterable[str]) -> list[str]:
    """Names by their UTF-16 units, as JavaScript, Java and C# sort them."""
    return sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass"))


def _javascript_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda n: (0, int(n), "") if re.fullmatch(r"0|[1-9][0-9]*", n) else (1, 0, n))


def _spelled(change: Callable[[str], str]) -> Writer:
    """A writer that writes strings and keys otherwise."""
    return Writer(text=change, key=change)


def _more(escapes: dict[int, str]) -> Callable[[str], str]:
    table = {**ESCAPES, **escapes}
    return lambda value: f'"{_surrogates(value).translate(table)}"'


def lenient(value: str) -> str:
    """A string with its lone surrogates replaced by U+FFFD."""
    return f'"{LONE.sub(chr(0xFFFD), value).translate(ESCAPES)}"'


def _escaped_lone(value: str) -> str:
    return '"' + LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", value.translate(ESCAPES)) + '"'


def _any_number(value: Any) -> str:
    """As Python's own writer has it."""
    return json.dumps(value)


def _integers_of_any_size(value: Any) -> str:
    if value != int(value):
        raise ValueError("a fraction")
    return str(int(value))


def _minus_zero(value: Any) -> str:
    return "-0" if isinstance(value, float) and str(value) == "-0.0" else _number(value)


def _range_off(value: Any) -> str:
    if abs(value) >= MAX:
        raise ValueError("out of range")
    return _number(value)


RULE = Writer()
HEX = {code: f"\\u{code:04X}" for code in range(32) if code not in SHORT}
LONG = {code: f"\\u{code:04x}" for code in (8, 12)}
WRITERS: tuple[tuple[str, str, str, Writer], ...] = (
    (
        "keys-by-utf-16-units",
        "Sorts keys by UTF-16 units.",
        "keys-astral keys-astral-escaped keys-astral-deep",
        replace(RULE, order=by_utf_16),
    ),
    (
        "keys-without-case",
        "Sorts keys without regard to case.",
        "keys-ascii",
        replace(RULE, order=_by(lambda name: (name.casefold(), name))),
    ),
    (
        "keys-by-their-escapes",
        "Sorts keys by their escaped text.",
        "keys-that-need-escapes",
        replace(RULE, order=_by(_text)),
    ),
    (
        "keys-like-numbers-first",
        "Puts keys that look like numbers first, as JavaScript's objects do.",
        "keys-like-numbers keys-ascii",
        replace(RULE, order=_javascript_order),
    ),
    (
        "keys-as-they-come",
        "Keeps the keys in the order of the input.",
        "keys-nested array-of-objects keys-many",
        replace(RULE, order=list),
    ),
    (
        "keys-by-length",
        "Sorts keys by length first.",
        "keys-prefixes keys-many",
        replace(RULE, order=_by(lambda name: (len(name), name))),
    ),
    ("spaces", "Writes a space after commas and colons.", "whitespace-between-tokens", Writer(comma=", ", colon=": ")),
    (
        "ascii-only",
        "Escapes everything that is not ASCII.",
        "latin-and-cjk emoji blanks-and-marks",
        _spelled(lambda value: json.dumps(_surrogates(value))),
    ),
    ("del-escaped", "Escapes DEL like a control character.", "del", _spelled(_more({127: "\\u007f"}))),
    (
        "c1-escaped",
        "Escapes U+0080 to U+009F like control characters.",
        "c1-controls",
        _spelled(_more({code: f"\\u{code:04x}" for code in range(128, 160)})),
    ),
    (
        "separators-escaped",
        "Escapes U+2028 and U+2029.",
        "line-separators",
        _spelled(_more({0x2028: "\\u2028", 0x2029: "\\u2029"})),
    ),
    (
        "html-escaped",
        "Escapes <, > and &, as Go's writer does.",
        "html",
        _spelled(_more({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"})),
    ),
    ("slash-escaped", "Escapes the slash, as PHP's writer does.", "slash", _spelled(_more({47: "\\/"}))),
    ("upper-hex", "Writes \\u00XX in capitals.", "other-controls control-in-a-key", _spelled(_more(HEX))),
    (
        "long-escapes",
        "Writes backspace and form feed as \\u00XX.",
        "short-escapes short-escapes-from-long",
        _spelled(_more(LONG)),
    ),
    (
        "normalised",
        "Normalises strings to NFC.",
        "not-normalised",
        _spelled(lambda value: _text(unicodedata.normalize("NFC", value))),
    ),
    (
        "lone-surrogates-replaced",
        "Replaces lone surrogates by U+FFFD.",
        "lone-high lone-low lone-deep-inside lone-in-a-key",
        _spelled(lenient),
    ),
    (
        "lone-surrogates-escaped",
        "Writes lone surrogates as escapes.",
        "lone-high surrogates-reversed lone-in-a-deep-key",
        _spelled(_escaped_lone),
    ),
    (
        "surrogates-in-keys-missed",
        "Looks for lone surrogates in strings, but not in keys.",
        "lone-in-a-key lone-in-a-deep-key",
        replace(RULE, key=_escaped_lone),
    ),
    (
        "python-floats",
        "Writes whole numbers as Python writes a float.",
        "spelled-1-0 spelled-1e3 spelled-1e15 fraction",
        replace(RULE, number=_any_number),
    ),
    (
        "fractions",
        "Writes fractions as ECMAScript would.",
        "fraction fraction-negative fraction-inside",
        replace(RULE, number=lambda value: _number(value) if value == int(value) else repr(value)),
    ),
    (
        "fractions-cut",
        "Cuts fractions off.",
        "fraction fraction-small fraction-near-2-to-51",
        replace(RULE, number=lambda value: _number(int(value))),
    ),
    (
        "integers-of-any-size",
        "Writes integers past 53 bits.",
        "integer-2-to-53 integer-minus-2-to-53 integer-2-to-63 integer-of-25-digits",
        replace(RULE, number=_integers_of_any_size),
    ),
    (
        "largest-integer-refused",
        "Refuses the largest and the smallest integer.",
        "largest-integer smallest-integer",
        replace(RULE, number=_range_off),
    ),
    ("minus-zero", "Writes -0.", "minus-zero-point", replace(RULE, number=_minus_zero)),
    (
        "nulls-dropped",
        "Leaves out members that are null.",
        "null-member keys-nested",
        replace(RULE, keep=lambda value: value is not None),
    ),
)


def _row(words: str, says: str, kills: str, writer: Writer) -> Row:
    return words, says, kills, lambda arguments: {"text": writer.write(read(arguments))}


register("canonical", *(_row(*entry) for entry in WRITERS))
