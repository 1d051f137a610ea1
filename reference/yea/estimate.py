"""The token estimate (YEA 8).

The number of leftmost, non-overlapping matches of

    [A-Za-z]+|[0-9]{1,3}|\\n {2,}|[^ \\t\\n\\r\\f\\vA-Za-z0-9]

over code points. No two alternatives can begin with the same character, so each kind of match is counted
on its own, over one byte for each code point.
"""

_CONTINUATION = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that do not begin a code point."""

_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_DIGITS = frozenset(b"0123456789")
_BLANKS = frozenset(b" \t\n\r\f\v")
_SIGNS = frozenset(range(256)) - _LETTERS - _DIGITS - _BLANKS


def _classes(letter: bytes, digit: bytes, sign: bytes) -> bytes:
    of = {**dict.fromkeys(_LETTERS, letter), **dict.fromkeys(_DIGITS, digit), **dict.fromkeys(_SIGNS, sign)}
    return b"".join(of.get(byte, b" ") for byte in range(256))


_LETTER_RUNS = _classes(letter=b"a", digit=b" ", sign=b" ")
_DIGIT_RUNS = _classes(letter=b" ", digit=b"0", sign=b" ")
_NOT_SIGNS = bytes(_LETTERS | _DIGITS | _BLANKS)


def est(text: str) -> int:
    """The estimated number of tokens of a text (YEA 8). Linear in its length."""
    data = text.encode("utf-8", "surrogatepass")
    signs = len(data.translate(None, _NOT_SIGNS + _CONTINUATION))
    letters = (b" " + data).translate(_LETTER_RUNS).count(b" a")
    digits = (b" " + data).translate(_DIGIT_RUNS)
    # Three digits count one, and so does what is left of a run.
    triples = digits.count(b"000")
    rests = digits.replace(b"000", b" ").count(b" 0")
    return signs + letters + triples + rests + data.count(b"\n  ")
