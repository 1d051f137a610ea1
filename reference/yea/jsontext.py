"""JSON text in and out, strictly and at any depth (RFC 8259).

The standard library does the work where it can. It cannot go deeper than the interpreter's stack, takes
quadratic time on huge integers, accepts NaN, and spells numbers in Python's way; so a text is looked over
first, and what is too deep goes through `jsonread` and `jsonwrite`. Everything here is linear in the size
of its input.
"""

import re
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder, JSONEncoder
from typing import NoReturn

from reference.yea import jsonread, jsontree, jsonwrite
from reference.yea.jsonread import JsonError
from reference.yea.numbers import NO_NUMBERS, number_text
from reference.yea.types import Json

__all__ = ["JsonError", "dumps", "has_lone_surrogate", "loads"]

_LONGEST_INTEGER = 308
"""Digits of an integer that is read as an int. A longer one may be past the range of a float."""

_PASSES = 3
"""Levels that are taken off a text from the inside before the rest of its depth is counted."""

_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_NOT_STRUCTURE = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS = bytes.maketrans(b"[]{}", b"\x01\xff\x01\xff")
_SURROGATE = re.compile("[\ud800-\udfff]")


def loads(text: str | bytes, *, minimal_integers: bool = False) -> Json:
    """The value of a JSON text (RFC 8259), of any depth.

    Keys keep their order; of a repeated key the last value counts. A \\uXXXX escape that is half a pair is
    kept as a lone surrogate. A number without fraction and exponent of up to 308 characters is an int, any
    other a float (1e400 is infinity, as in ECMAScript).
    minimal_integers: also refuse every number that is no integer in minimal form: 1.0, 1e3, -0 (YEA 6.2).
    Raises JsonError for any other text: bytes that are not UTF-8, a byte order mark, NaN, Infinity.
    """
    try:
        data = text if isinstance(text, bytes) else text.encode()
        text = data.decode()
    except UnicodeError as error:
        raise JsonError(f"not UTF-8: {error}") from None
    decoder = _PLAIN
    if minimal_integers:
        decoder = _MINIMAL
    elif _has_long_integer(data):
        decoder = _BOUNDED
    if _too_deep(data):
        return jsonread.read(text, decoder)
    try:
        value: Json = decoder.decode(text)
    except JSONDecodeError as error:
        raise JsonError(str(error)) from None
    except RecursionError:
        # The caller stands deep in the stack itself.
        return jsonread.read(text, decoder)
    return value


def dumps(value: Json) -> str:
    """The compact JSON text of a value, of any depth, as ECMAScript's JSON.stringify writes it.

    Keys come as they stand in the dict. A lone surrogate is written as a \\uXXXX escape, an infinity or NaN
    as null. The text is always encodable as UTF-8. Raises TypeError for what is no JSON value.
    """
    text = None
    if jsontree.is_plain(value, accepts_float=_spelt_alike):
        text = jsonwrite.write_shallow(value, _ENCODER)
    if text is None:
        text = jsonwrite.write(value, _number_text, sort_keys=False)
    if _encodable(text):
        return text
    # Two halves beside each other are the one character that they make.
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", paired)


def has_lone_surrogate(value: Json) -> bool:
    """Whether any string or key in a value, at any depth, holds a lone surrogate (YEA 10)."""
    return any(not _encodable("".join(strings)) for strings in jsontree.strings(value))


def _number_text(number: int | float) -> str:
    text = number_text(number)
    return "null" if text in NO_NUMBERS else text


def _spelt_alike(number: float) -> bool:
    """Whether Python spells a float as ECMAScript does. It may say no where they do agree."""
    return 1e-4 <= abs(number) < 1e15 and not number.is_integer()


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _too_deep(data: bytes) -> bool:
    """Whether a text nests deeper than the standard library may go; at doubt it does. Linear."""
    if data.count(b"[") + data.count(b"{") <= jsontree.SHALLOW:
        return False
    # Without its escaped pairs a text has a quote only where a string begins or ends.
    quoted = data.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in data else data
    brackets = quoted.translate(None, _NOT_STRUCTURE).replace(b'""', b"")
    if b'"' in brackets:
        brackets = b"".join(brackets.split(b'"')[::2])
    # Each pass takes the innermost level away, so flat texts end here.
    for _ in range(_PASSES):
        brackets = brackets.replace(b"{}", b"").replace(b"[]", b"")
    return max(accumulate(memoryview(brackets.translate(_STEPS)).cast("b")), default=0) > jsontree.SHALLOW - _PASSES


def _has_long_integer(data: bytes) -> bool:
    return len(data) > _LONGEST_INTEGER and b"0" * (_LONGEST_INTEGER + 1) in data.translate(_ZEROS)


def _read_integer(token: str) -> int | float:
    # Reading an integer exactly takes quadratic time.
    return int(token) if len(token) <= _LONGEST_INTEGER else float(token)


def _read_minimal(token: str) -> int | float:
    # YEA 6.2: an integer written in minimal form; JSON's grammar leaves only -0 to refuse here
    return _refuse_number(token) if token.startswith("-0") else _read_integer(token)


def _refuse_number(token: str) -> NoReturn:
    raise JsonError(f"not an integer in minimal form: {token[:40]}")


def _refuse_constant(token: str) -> NoReturn:
    raise JsonError(f"no JSON value: {token}")


_PLAIN = JSONDecoder(parse_constant=_refuse_constant)
_BOUNDED = JSONDecoder(parse_constant=_refuse_constant, parse_int=_read_integer)
_MINIMAL = JSONDecoder(parse_constant=_refuse_constant, parse_int=_read_minimal, parse_float=_refuse_number)
_ENCODER = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
