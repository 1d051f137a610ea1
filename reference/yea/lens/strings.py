"""Strings in lean notation, bare or quoted, and in compact JSON, always quoted (YEA 9.1)."""

import re
from json.encoder import encode_basestring

_INNER = r"A-Za-z0-9_@./+\-:()'!?&%$#*=<>~^"
_JSON_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"

_BARE = re.compile(rf"(?!(?:-|true|false|null|{_JSON_NUMBER})\Z)[{_INNER}](?:[{_INNER} ]*[{_INNER}])?")
"""What may stand without quotes: the listed characters, no space at either end, no other scalar's spelling."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def string_text(text: str) -> str:
    """A string as a lean scalar or an object key: bare where that is unambiguous, else quoted."""
    return text if _BARE.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """A string as ECMAScript JSON.stringify writes it: a lone surrogate is \\uXXXX in lowercase hex.

    Two surrogates that stand next to each other as a pair are the one character that they make.
    """
    written = encode_basestring(text)
    if written.isascii() or not _SURROGATE.search(written):
        return written
    paired = written.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", paired)
