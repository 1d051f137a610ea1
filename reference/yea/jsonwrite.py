"""A JSON writer for any depth: one loop and a stack of its own, no recursion.

`jsontext` and `canonical` use it where the standard library's writer would exhaust the interpreter's stack,
or would spell a number another way.
"""

from collections.abc import Callable, Iterator
from json.encoder import encode_basestring
from typing import Any

from reference.yea.types import Json

_WORDS: dict[Any, str] = {None: "null", True: "true", False: "false"}


def write(value: Json, number: Callable[[int | float], str], *, sort_keys: bool) -> str:
    """The compact JSON text of a value.

    number: spells an int or float, and may refuse it by raising.
    sort_keys: whether keys come in the order of their code points, or as they stand.
    Control characters, quotes and backslashes are escaped, everything else is literal, lone surrogates too.
    Raises TypeError for what is no JSON value.
    """
    parts: list[str] = []
    stack: list[tuple[Iterator[tuple[str, Json]], str]] = []
    pending: Iterator[tuple[str, Json]] = iter([("", value)])
    closing = ""
    while True:
        for lead, item in pending:
            parts.append(lead)
            if isinstance(item, (dict, list)):
                stack.append((pending, closing))
                if isinstance(item, dict):
                    parts.append("{")
                    pending, closing = _members(item, sort_keys), "}"
                else:
                    parts.append("[")
                    pending, closing = _elements(item), "]"
                break
            parts.append(_scalar(item, number))
        else:
            parts.append(closing)
            if not stack:
                return "".join(parts)
            pending, closing = stack.pop()


def _members(item: dict[str, Json], sort_keys: bool) -> Iterator[tuple[str, Json]]:
    """Each value of an object, led by the comma and the key before it."""
    for name in item:
        if not isinstance(name, str):
            raise TypeError(f"a key is a string, not {name!r}")
    comma = ""
    for name in sorted(item) if sort_keys else item:
        yield f"{comma}{encode_basestring(name)}:", item[name]
        comma = ","


def _elements(item: list[Json]) -> Iterator[tuple[str, Json]]:
    """Each element of an array, led by the comma before it."""
    comma = ""
    for element in item:
        yield comma, element
        comma = ","


def _scalar(item: Json, number: Callable[[int | float], str]) -> str:
    if isinstance(item, str):
        return encode_basestring(item)
    if item is None or isinstance(item, bool):
        return _WORDS[item]
    if isinstance(item, (int, float)):
        return number(item)
    raise TypeError(f"no JSON value: {type(item).__name__}")
