"""A JSON reader for any depth: one loop and a stack of its own, no recursion (RFC 8259).

`jsontext` uses it where the standard library's reader would exhaust the interpreter's stack. Linear in the
length of the text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from json import JSONDecodeError, decoder
from typing import Any

from reference.yea.types import Json

_scan_string: Any = vars(decoder)["scanstring"]
"""The standard library's reader of one string; it takes the position after the opening quote."""

_NEXT = re.compile(r"[ \t\n\r]*([^ \t\n\r])")
_REST = re.compile(r"[ \t\n\r]*\Z")
_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_WORDS: dict[str, tuple[str, Json]] = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}


class JsonError(ValueError):
    """A text that is not one JSON value (RFC 8259)."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Reads number tokens, and may refuse them by raising JsonError.

    integer: gets a token without fraction and exponent.
    other: gets any other number token.
    """

    integer: Callable[[str], int | float]
    other: Callable[[str], int | float]


def read(text: str, numbers: Numbers) -> Json:
    """The value of a JSON text of any depth.

    Keys keep their order; of a repeated key the last value counts. Raises JsonError for any other text.
    """
    containers: list[list[Json] | dict[str, Json]] = []
    keys: list[str] = []  # of the open objects: the key whose value is being read
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
                key, end = _key(text, end)
                keys.append(key)
                continue
            end = past
        else:
            value, end = _scalar(text, end - 1, numbers)
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
                    keys[-1], end = _key(text, end)
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
        raise JsonError(f"the text ends at {len(text)}, in the middle of a value")
    return found[1], found.end()


def _key(text: str, position: int) -> tuple[str, int]:
    """The key at `position` and the position after its colon."""
    char, start = _next(text, position)
    if char != '"':
        raise _unexpected(text, start - 1)
    key, end = _string(text, start)
    char, end = _next(text, end)
    if char != ":":
        raise _unexpected(text, end - 1)
    return key, end


def _scalar(text: str, start: int, numbers: Numbers) -> tuple[Json, int]:
    """The string, number or word at `start`, and the position after it."""
    char = text[start]
    if char == '"':
        return _string(text, start + 1)
    number = _NUMBER.match(text, start)
    if number is not None:
        return (numbers.other(number[0]) if number[2] else numbers.integer(number[0])), number.end()
    word, value = _WORDS.get(char, ("", None))
    if word and text.startswith(word, start):
        return value, start + len(word)
    raise _unexpected(text, start)


def _string(text: str, start: int) -> tuple[str, int]:
    """The string whose opening quote is before `start`, and the position after its closing quote."""
    try:
        string, end = _scan_string(text, start, True)
    except JSONDecodeError as error:
        raise JsonError(str(error)) from None
    return string, end


def _unexpected(text: str, position: int) -> JsonError:
    return JsonError(f"unexpected {text[position : position + 20]!r} at {position}")
