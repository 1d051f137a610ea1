"""Canonical JSON, the text that YEA hashes and signs (YEA 10).

Keys sorted by code point, no whitespace, only integers of at most 53 bits, everything literal but what JSON
must escape. A value with a lone surrogate or another number has no canonical form and is refused.
"""

from json import JSONEncoder

from reference.yea import jsontree, jsonwrite
from reference.yea.types import Json, as_integer

_ENCODER = JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"), sort_keys=True)


class CanonicalError(ValueError):
    """A value that has no canonical form."""


def canonical(value: Json) -> str:
    """The canonical JSON text of a value of any depth (YEA 10). It always encodes as UTF-8.

    Numbers count by value: 1.0 is written 1, and -0 is written 0.
    Raises CanonicalError for a fraction, a number outside [−2^53+1, 2^53−1], a lone surrogate in a string
    or key, and for what is no JSON value.
    """
    text = None
    if jsontree.is_plain(value, accepts_float=_no_float):
        text = jsonwrite.write_shallow(value, _ENCODER)
    if text is None:
        try:
            text = jsonwrite.write(value, _integer_text, sort_keys=True)
        except TypeError as error:
            raise CanonicalError(str(error)) from None
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            lone = text[max(0, error.start - 20) : error.end + 20]
            raise CanonicalError(f"a lone surrogate has no canonical form: {lone!r}") from None
    return text


def _no_float(number: float) -> bool:
    return False


def _integer_text(number: int | float) -> str:
    integer = as_integer(number)
    if integer is None:
        raise CanonicalError(f"no integer in [-2^53+1, 2^53-1]: {_short(number)}")
    return str(integer)


def _short(number: int | float) -> str:
    # An integer of thousands of digits cannot always be printed.
    return repr(number) if isinstance(number, float) or number.bit_length() < 256 else "a huge integer"
