"""Walks over JSON values, level by level and without recursion.

A level is all values at one depth, so most of the work on it is a few calls over a whole list.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from reference.yea.types import MAX_INTEGER, Json

SHALLOW = 256
"""The depth to which the standard library's reader and writer are used: well inside the stack."""

_PLAIN_TYPES = frozenset({str, int, float, bool, type(None), dict, list})


def levels(value: Json) -> Iterator[tuple[list[Any], list[str]]]:
    """The values at each depth, from the top, with the keys of the objects among them."""
    level: list[Any] = [value]
    while level:
        objects = [item for item in level if isinstance(item, dict)]
        yield level, list(chain.from_iterable(objects))
        arrays = [item for item in level if isinstance(item, list)]
        level = list(chain.from_iterable(arrays))
        for item in objects:
            level.extend(item.values())


def strings(value: Json) -> Iterator[list[str]]:
    """The strings and keys at each depth."""
    for level, keys in levels(value):
        yield [item for item in level if isinstance(item, str)] + keys


def is_plain(value: Json, *, floats: bool = True) -> bool:
    """Whether the standard library's writer spells a value as ECMAScript does, lone surrogates aside.

    So: it is shallow, of the exact JSON types with string keys, its ints are exact in a float, and its
    floats are of a size and shape that both spell alike.
    floats: False to call every value with a float not plain.
    """
    for depth, (level, keys) in enumerate(levels(value)):
        types = set(map(type, level))
        if depth > SHALLOW or not types <= _PLAIN_TYPES or not set(map(type, keys)) <= {str}:
            return False
        if int in types:
            integers = [item for item in level if type(item) is int]
            if max(integers) > MAX_INTEGER or min(integers) < -MAX_INTEGER:
                return False
        if float in types and not (floats and all(map(_spelt_alike, level))):
            return False
    return True


def _spelt_alike(item: object) -> bool:
    return type(item) is not float or (1e-4 <= abs(item) < 1e15 and not item.is_integer())
