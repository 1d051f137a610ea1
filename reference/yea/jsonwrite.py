"""A JSON writer for any depth: one loop and a stack of its own, no recursion.

`jsontext` and `canonical` use it where the standard library's writer would exhaust the interpreter's stack,
or would spell a number another way.
"""

from collections.abc import Callable, Iterable, Iterator
from json import JSONEncoder
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

from reference.yea.types import Json


def write_shallow(value: Json, encoder: JSONEncoder) -> str | None:
    """What the standard library writes for a value, or None when the caller's stack has no room left."""
    try:
        return encoder.encode(value)
    except RecursionError:
        return None


def write(value: Json, number: Callable[[int | float], str], *, sort_keys: bool) -> str:
    """The compact JSON text of a value of any depth.

    number: spells an int or float, and may refuse it by raising.
    sort_keys: whether keys come in the order of their code points, or as they stand.
    Control characters, quotes and backslashes are escaped, everything else is literal, lone surrogates too.
    Raises TypeError for what is no JSON value.
    """
    parts: list[str] = []  # every value is followed by a comma, which the end of its container takes back
    stack: list[tuple[Iterator[Any], str]] = []
    items: Iterator[Any] = iter((value,))
    closing = ""
    while True:
        for entry in items:
            item = entry
            if closing == "}":
                name, item = entry
                parts += encode_basestring(name), ":"
            if isinstance(item, (dict, list)):
                stack.append((items, closing))
                if isinstance(item, dict):
                    parts.append("{")
                    items, closing = iter(_members(item, sort_keys)), "}"
                else:
                    parts.append("[")
                    items, closing = iter(item), "]"
                break
            parts += _scalar(item, number), ","
        else:
            if parts[-1] == ",":
                parts.pop()
            if not stack:
                return "".join(parts)
            parts += closing, ","
            items, closing = stack.pop()


def _members(item: dict[str, Json], sort_keys: bool) -> Iterable[tuple[str, Json]]:
    for name in item:
        if not isinstance(name, str):
            raise TypeError(f"a key is a string, not {name!r}")
    return sorted(item.items(), key=itemgetter(0)) if sort_keys else item.items()


def _scalar(item: Json, number: Callable[[int | float], str]) -> str:
    if isinstance(item, str):
        return encode_basestring(item)
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, (int, float)):
        return number(item)
    raise TypeError(f"no JSON value: {type(item).__name__}")
