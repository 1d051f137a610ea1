"""Walks over JSON values, level by level and without recursion.

A level is all values at one depth, from the top.
"""

from collections.abc import Callable, Iterator
from typing import Any

from reference.yea.types import MAX_INTEGER, Json

SHALLOW = 256
"""The depth to which the standard library's reader and writer are used: well inside the stack."""


def strings(value: Json) -> Iterator[list[str]]:
    """The strings and keys of a value, those of one level at a time."""
    level: list[Any] = [value]
    while level:
        yield [item for item in level if isinstance(item, str)]
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                yield list(item)
                below += item.values()
            elif isinstance(item, list):
                below += item
        level = below


def is_plain(value: Json, accepts_float: Callable[[float], bool]) -> bool:
    """Whether the standard library's writer can be trusted with a value.

    So it is shallow, and made of the exact JSON types only: string keys, integers in [−2^53+1, 2^53−1],
    and floats that `accepts_float` accepts.
    """
    level: list[Any] = [value]
    least, most = -MAX_INTEGER, MAX_INTEGER
    for _ in range(SHALLOW):
        below: list[Any] = []
        for item in level:
            kind = type(item)
            if kind is str:
                continue
            if kind is int:
                if least <= item <= most:
                    continue
                return False
            if item is None or kind is bool:
                continue
            if kind is dict:
                for key in item:
                    if type(key) is not str:
                        return False
                below += item.values()
            elif kind is list:
                below += item
            elif kind is not float or not accepts_float(item):
                return False
        if not below:
            return True
        level = below
    return False
