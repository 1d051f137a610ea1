"""Faults of `lens.value` in numbers, strings, keys and their order (YEA 9.1)."""

import json
import math
import re
from collections.abc import Callable, ItemsView
from decimal import Decimal
from typing import Any

from harness.faults.adapter.overriding import value_row
from harness.faults.adapter.tools import register
from reference.yea.lens import order, strings, values
from reference.yea.numbers import number_text

CHARACTERS = r"A-Za-z0-9_@./+\-:() '!?&%$#*=<>~^"
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
NEVER = "(?!)"
RESERVED = frozenset({"-", "true", "false", "null"})
LONE = re.compile("[\ud800-\udfff]")


def _python_number(number: float) -> str:
    return str(number)


def _digits_17(number: float) -> str:
    return number_text(number) if isinstance(number, int) else f"{number:.17g}"


def _fixed(number: float) -> str:
    text = f"{Decimal(repr(number)):f}"
    return text.removesuffix(".0") if number else "0"


def _signed_zero(number: float) -> str:
    return "-0" if number == 0 and math.copysign(1, number) < 0 else number_text(number)


def _late_exponent(number: float) -> str:
    """The switching points of other languages: 1e+15 and 0.00001."""
    return f"{number:g}" if number and (abs(number) >= 1e15 or abs(number) < 1e-5) else number_text(number)


def _text(is_bare: Callable[[str], Any]) -> Callable[[str], str]:
    return lambda text: text if is_bare(text) else _quoted(text)


def _is_bare(
    text: str, characters: str = f"[{CHARACTERS}]+", number: str = NUMBER, end: str = r"\Z", *, trimmed: bool = True
) -> bool:
    return (
        re.match(f"(?:{characters}){end}", text) is not None
        and (text.strip(" ") == text or not trimmed)
        and text not in RESERVED
        and re.fullmatch(number, text) is None
    )


def _parses(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_finite_number(text: str) -> bool:
    return re.fullmatch(NUMBER, text) is not None and math.isfinite(float(text))


def _escaping(table: dict[int, str]) -> Callable[[str], str]:
    return lambda text: _quoted(text).translate(table)


def _upper_escapes(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: f"\\u{match[1].upper()}", _quoted(text))


def _replaced(text: str) -> str:
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _quoted(LONE.sub("\ufffd", paired))


def _unpaired(text: str) -> str:
    """As a writer does that looks at UTF-16 units one by one."""
    return re.sub("[^\x00-\uffff]", lambda match: json.dumps(match[0])[1:-1], _quoted(text))


def _short_only(text: str) -> str:
    return _quoted(text).replace("\\b", "\\u0008").replace("\\f", "\\u000c")


def _raw_keys(lines: list[str], indent: str, value: dict[str, Any]) -> None:
    for key, item in order.members(value):
        values._add_member(lines, indent, key, item)


Members = Callable[[dict[str, Any]], ItemsView[str, Any]]


def _indices_first(is_index: Callable[[str], Any], key: Callable[[str], Any] = int) -> Members:
    def members(value: dict[str, Any]) -> ItemsView[str, Any]:
        indices = sorted(filter(is_index, value), key=key)
        return ({name: value[name] for name in indices} | value).items()

    return members


def _sorted_by(key: Callable[[str], Any]) -> Members:
    return lambda value: {name: value[name] for name in sorted(value, key=key)}.items()


def _inherited(value: dict[str, Any]) -> ItemsView[str, Any]:
    """As in an object whose prototype is ECMAScript's: such a name seems to be there already."""
    names = {"constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"}
    return {key: item for key, item in _members(value) if key not in names}.items()


def _utf_16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


_quoted, _members = strings.quoted, order.members

NUMBERS = (
    value_row(
        "python-floats",
        "Spells numbers as Python does.",
        "number-one-with-fraction number-seven-zeros number-ten-to-16 list-number-spellings",
        number_text=_python_number,
    ),
    value_row(
        "seventeen-digits",
        "Writes doubles with 17 digits.",
        "number-tenth number-shortest-digits number-five-zeros",
        number_text=_digits_17,
    ),
    value_row(
        "no-exponents",
        "Writes every number out, without an exponent.",
        "number-seven-zeros number-ten-to-21 number-largest-double",
        number_text=_fixed,
    ),
    value_row(
        "keeps-negative-zero",
        "Writes -0 with its sign.",
        "number-negative-zero-fraction number-negative-zero-exponent",
        number_text=_signed_zero,
    ),
    value_row(
        "other-switching-points",
        "Begins the exponents at 1e15 and below 1e-5, as printf's %g does.",
        "number-ten-to-20 number-six-zeros number-largest-safe-integer",
        number_text=_late_exponent,
    ),
)

STRINGS = (
    value_row(
        "dollar-before-newline",
        "Matches bare strings with a $ that also matches before a final line break.",
        "quoted-trailing-newline key-trailing-newline",
        string_text=_text(lambda text: _is_bare(text, end="$")),
    ),
    value_row(
        "unicode-letters",
        "Takes letters and digits beyond ASCII for bare characters.",
        "quoted-letter-beyond-ascii quoted-digits-beyond-ascii key-beyond-ascii",
        string_text=_text(lambda text: _is_bare(text, rf"[{CHARACTERS}\w]+")),
    ),
    value_row(
        "comma-is-bare",
        "Leaves a comma bare.",
        "quoted-comma table-scalars-of-all-kinds key-bare-and-quoted",
        string_text=_text(lambda text: _is_bare(text, f"[{CHARACTERS},]+")),
    ),
    value_row(
        "spaces-at-the-ends",
        "Leaves strings with spaces at their ends bare.",
        "space-first space-last space-alone key-spaces-at-the-ends",
        string_text=_text(lambda text: _is_bare(text, trimmed=False)),
    ),
    value_row(
        "keywords-are-bare",
        "Leaves the keywords bare.",
        "keyword-true keyword-null keyword-dash table-scalars-of-all-kinds",
        string_text=_text(lambda text: text in RESERVED or _is_bare(text)),
    ),
    value_row(
        "keywords-of-any-case",
        "Takes True and NULL for keywords.",
        "keyword-look-alikes",
        string_text=_text(lambda text: text.lower() not in RESERVED and _is_bare(text)),
    ),
    value_row(
        "number-by-parsing",
        "Finds what looks like a number by parsing it.",
        "digits-leading-zeros digits-bare-points digits-plus digits-other-notations keyword-look-alikes",
        string_text=_text(lambda text: _is_bare(text) and not _parses(text)),
    ),
    value_row(
        "number-in-range",
        "Leaves digits bare that are past the range of doubles.",
        "digits-past-the-doubles digits-400",
        string_text=_text(lambda text: _is_bare(text, number=NEVER) and not _is_finite_number(text)),
    ),
    value_row(
        "numbers-without-exponent",
        "Does not know numbers with an exponent.",
        "digits-exponent digits-capital-exponent",
        string_text=_text(lambda text: _is_bare(text, number=r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")),
    ),
    value_row(
        "words-only",
        "Quotes everything but words.",
        "bare-every-character bare-inner-spaces bare-comment-and-url",
        string_text=_text(lambda text: _is_bare(text, r"[A-Za-z0-9_]+")),
    ),
    value_row(
        "colons-quoted",
        "Quotes a string with a colon in it, as if it could be taken for a key.",
        "bare-colon-inside bare-every-character",
        string_text=_text(lambda text: ":" not in text and _is_bare(text)),
    ),
    value_row(
        "keys-as-they-are",
        "Writes keys without the string rule.",
        "key-bare-and-quoted key-number-alike order-indices-first",
        _add_entries=_raw_keys,
    ),
)

ESCAPES = (
    value_row(
        "ascii-only",
        "Escapes everything that is not ASCII.",
        "quoted-emoji quoted-letter-beyond-ascii quoted-byte-order-mark",
        quoted=json.dumps,
    ),
    value_row(
        "line-separators-escaped",
        "Escapes U+2028 and U+2029.",
        "escape-none-for-line-separators key-beyond-ascii",
        quoted=_escaping({0x2028: "\\u2028", 0x2029: "\\u2029"}),
    ),
    value_row("del-escaped", "Escapes DEL.", "escape-none-for-delete", quoted=_escaping({0x7F: "\\u007f"})),
    value_row(
        "c1-escaped",
        "Escapes U+0080 to U+009F.",
        "escape-none-for-c1",
        quoted=_escaping({code: f"\\u{code:04x}" for code in range(0x80, 0xA0)}),
    ),
    value_row(
        "html-escaped",
        "Escapes <, > and &, as Go's writer does.",
        "escape-none-for-html",
        quoted=_escaping({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}),
    ),
    value_row(
        "slash-escaped",
        "Escapes the slash, as PHP's writer does.",
        "escape-none-for-slash escape-quote-and-backslash",
        quoted=_escaping({ord("/"): "\\/"}),
    ),
    value_row("long-escapes", "Has no \\b and \\f.", "escape-short", quoted=_short_only),
    value_row(
        "upper-hex",
        "Writes escapes in capitals.",
        "escape-controls surrogate-high surrogate-in-compact-json",
        quoted=_upper_escapes,
    ),
    value_row(
        "lone-surrogates-replaced",
        "Replaces lone surrogates by U+FFFD.",
        "surrogate-high surrogate-low surrogate-reversed-pair surrogate-before-a-pair surrogate-in-a-key",
        quoted=_replaced,
    ),
    value_row(
        "pairs-escaped",
        "Escapes both halves of a pair.",
        "quoted-emoji quoted-emoji-as-escapes surrogate-before-a-pair",
        quoted=_unpaired,
    ),
)

KEYS = (
    value_row(
        "keys-sorted",
        "Sorts keys by code points, as canonical JSON does.",
        "order-as-written order-nested",
        members=_sorted_by(lambda name: name),
    ),
    value_row(
        "keys-by-utf-16-units",
        "Sorts keys by UTF-16 units.",
        "order-as-written order-astral-keys",
        members=_sorted_by(_utf_16),
    ),
    value_row(
        "keys-as-written",
        "Leaves keys that are array indices where they were written.",
        "order-indices-first order-limits-of-indices order-nested order-of-columns",
        members=lambda value: value.items(),
    ),
    value_row(
        "indices-as-text",
        "Sorts array indices as text.",
        "order-indices-first",
        members=_indices_first(order._is_index, key=str),
    ),
    value_row(
        "any-digits-are-indices",
        "Takes every key of digits for an array index.",
        "order-limits-of-indices order-no-indices",
        members=_indices_first(str.isdecimal),
    ),
    value_row(
        "index-before-newline",
        "Takes a key for an array index that has a line break at its end.",
        "order-index-and-newline",
        members=_indices_first(lambda name: re.match(r"(0|[1-9][0-9]*)$", name) and int(name) < 2**32 - 1),
    ),
    value_row(
        "signed-indices",
        "Knows array indices up to 2147483647 only.",
        "order-past-31-bits order-limits-of-indices",
        _LAST_INDEX=2**31 - 1,
    ),
    value_row(
        "inherited-names-lost",
        "Loses keys that every ECMAScript object inherits.",
        "key-inherited-names table-inherited-names",
        members=_inherited,
    ),
)


register("lens.value", *NUMBERS, *STRINGS, *ESCAPES, *KEYS)
