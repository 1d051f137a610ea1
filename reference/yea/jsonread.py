"""A JSON reader for any depth: one loop and a stack of its own, no recursion (RFC 8259).

`jsontext` uses it where the standard library's reader would exhaust the interpreter's stack. The library
still reads each string, number and word. Linear in the length of the text.
"""

import re
from json import JSONDecodeError, JSONDecoder

from reference.yea.types import Json

_NEXT = re.compile(r"[ \t\n\r]*([^ \t\n\r])")
_REST = re.compile(r"[ \t\n\r]*\Z")


class JsonError(ValueError):
    """A text that is not one JSON value (RFC 8259)."""


def read(text: str, scalars: JSONDecoder) -> Json:
    """The value of a JSON text of any depth.

    scalars: reads the strings, numbers and words.
    Keys keep their order; of a repeated key the last value counts. Raises JsonError for any other text.
    """
    containers: list[list[Json] | dict[str, Json]] = []
    keys: list[str] = []  # one for each open object: the key whose value is being read
    end = 0
    while True:
        char, end = _next(text, end)
        value: Json
        if char == "[":
            value = []
            after, past = _next(text, end)
            if after != "]":
                containers.append(value)
                continue
            end = past
        elif char == "{":
            value = {}
            after, past = _next(text, end)
            if after != "}":
                containers.append(value)
                key, end = _key(text, end, scalars)
                keys.append(key)
                continue
            end = past
        else:
            value, end = _scalar(text, end - 1, scalars)
        # The value is whole: put it in its place, and close every container that ends with it.
        while containers:
            container = containers[-1]
            char, end = _next(text, end)
            if isinstance(container, list):
                container.append(value)
                if char == ",":
                    break
                closing = "]"
            else:
                container[keys[-1]] = value
                if char == ",":
                    keys[-1], end = _key(text, end, scalars)
                    break
                keys.pop()
                closing = "}"
            if char != closing:
                raise _unexpected(text, end - 1)
            value = containers.pop()
        else:
            if not _REST.match(text, end):
                raise _unexpected(text, end)
            return value


def _next(text: str, position: int) -> tuple[str, int]:
    """The next character that is no blank, and the position after it."""
    found = _NEXT.match(text, position)
    if found is None:
        raise JsonError(f"the text ends at {len(text)}, before its value does")
    return found[1], found.end()


def _key(text: str, position: int, scalars: JSONDecoder) -> tuple[str, int]:
    """The key at `position` and the position after its colon."""
    char, start = _next(text, position)
    if char != '"':
        raise _unexpected(text, start - 1)
    key, end = _scalar(text, start - 1, scalars)
    char, end = _next(text, end)
    if char != ":":
        raise _unexpected(text, end - 1)
    return str(key), end


def _scalar(text: str, start: int, scalars: JSONDecoder) -> tuple[Json, int]:
    """The string, number or word at `start`, and the position after it."""
    try:
        value, end = scalars.raw_decode(text, start)
    except JSONDecodeError as error:
        raise JsonError(str(error)) from None
    return value, end


def _unexpected(text: str, position: int) -> JsonError:
    return JsonError(f"unexpected {text[position : position + 20]!r} at {position}")
