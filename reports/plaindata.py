"""Dataclasses to plain JSON values and back, strictly.

`to_plain` follows the fields of a dataclass; `from_plain` follows its annotations, refuses unknown and
missing members and wrong types, and says where. It knows just the types that the report model uses.
"""

import math
import types
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]
T = TypeVar("T")


class ShapeError(ValueError):
    """A plain value does not have the shape of the dataclass; the message says where."""


def to_plain(value: object) -> Plain:
    """A dataclass, tuple or scalar of the model as what `json.dumps` takes."""
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"the model holds no {type(value).__name__}")


def from_plain(kind: type[T], value: object, place: str = "") -> T:
    """The `kind` (a dataclass) that `value` describes. Raises ShapeError, naming the member to blame."""
    made = _read(kind, value, place)
    assert isinstance(made, kind)  # noqa: S101 - narrows the type; _read made it
    return made


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: object, place: str) -> Any:
    if is_dataclass(kind):
        return _read_record(kind, value, place)
    origin = get_origin(kind)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(place, "a list", value)
        item = get_args(kind)[0]
        return tuple(_read(item, entry, f"{place}[{index}]") for index, entry in enumerate(value))
    if origin in (types.UnionType, Union):
        if value is None:
            return None
        return _read(next(option for option in get_args(kind) if option is not types.NoneType), value, place)
    return _read_scalar(kind, value, place)


def _read_scalar(kind: Any, value: object, place: str) -> Any:
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise _wrong(place, f"one of {', '.join(kind)}", value)
    if kind is float:
        # A bool is an int to Python, a whole float may lack its point, and a huge integer has no float.
        if isinstance(value, float) and math.isfinite(value):
            return value
        if type(value) is int and abs(value) < 2**53:
            return float(value)
        raise _wrong(place, "a number", value)
    if type(value) is not kind:
        raise _wrong(place, {str: "a string", int: "an integer", bool: "true or false"}[kind], value)
    return value


def _read_record(kind: Any, value: object, place: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(place, "an object", value)
    known = {field.name: field for field in fields(kind)}
    dot = f"{place}." if place else ""
    for name in value:
        if name not in known:
            raise ShapeError(f"unknown member {dot}{name!s:.80}")
    required = [name for name, field in known.items() if field.default is MISSING and name not in value]
    if required:
        raise ShapeError(f"member {dot}{required[0]} is missing")
    hints = _hints(kind)
    made = {name: _read(hints[name], entry, dot + name) for name, entry in value.items()}
    try:
        return kind(**made)
    except ValueError as problem:
        raise ShapeError(f"{place or 'the object'}: {problem}") from problem


def _wrong(place: str, wanted: str, value: object) -> ShapeError:
    return ShapeError(f"{place or 'the value'} must be {wanted}, not {repr(value)[:80]}")
