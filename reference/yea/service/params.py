"""Params against a compact schema (YEA 4.1.1), and fixes for those that do not fit (YEA 7).

The schema is written for models; this service holds requests to it all the same. A param that the schema
does not name is ignored. A null param counts as absent.
"""

import datetime
import re
from collections.abc import Callable

from reference.yea.errors import YeaError
from reference.yea.types import Json, as_integer

MAX_ELEMENTS = 1000
"""The longest array that a param may be."""

SEPARATOR = " — "

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)


def _is_date(value: Json) -> bool:
    return isinstance(value, str) and _parses(datetime.date.fromisoformat, _DATE, value)


def _is_datetime(value: Json) -> bool:
    return isinstance(value, str) and _parses(datetime.datetime.fromisoformat, _DATETIME, value)


def _parses(parse: Callable[[str], object], shape: re.Pattern[str], text: str) -> bool:
    if not shape.fullmatch(text):
        return False
    try:
        parse(text)
    except ValueError:
        return False
    return True


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")


BASES: dict[str, tuple[Callable[[Json], bool], Json]] = {
    "string": (lambda value: isinstance(value, str), "example"),
    "int": (lambda value: as_integer(value) is not None, 1),
    "number": (_is_number, 1),
    "bool": (lambda value: isinstance(value, bool), True),
    "date": (_is_date, "2030-01-31"),
    "datetime": (_is_datetime, "2030-01-31T09:00:00Z"),
    "any": (lambda value: True, "example"),
}
"""The base types: what belongs to each, and a value that does."""


def read_params(schema: dict[str, Json], params: dict[str, Json]) -> dict[str, Json]:
    """The params that the schema names, a whole number for each `int`.

    Raises YeaError `invalid_params`, with one fix that makes every param fit, when one is missing or of
    the wrong type.
    """
    read: dict[str, Json] = {}
    patch: dict[str, Json] = {}
    problems: list[str] = []
    for key, wanted in schema.items():
        name = key.removesuffix("?")
        value = params.get(name)
        if value is None:
            if key == name:
                problems.append(f"`{name}` is missing and must be {describe(wanted)}")
                patch[name] = example(wanted)
        elif fits(wanted, value):
            read[name] = as_integer(value) if base_of(wanted) == "int" else value
        else:
            problems.append(f"`{name}` must be {describe(wanted)}, not {kind_of(value)}")
            patch[name] = example(wanted)
    if problems:
        raise YeaError("invalid_params", "; ".join(problems), fix=[{"say": "send these params", "params": patch}])
    return read


def fits(wanted: Json, value: Json) -> bool:
    """Whether a value is of the type that a schema asks for."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(
            (value.get(key.removesuffix("?")) is None and key.endswith("?"))
            or fits(inner, value.get(key.removesuffix("?")))
            for key, inner in wanted.items()
        )
    if isinstance(wanted, list):
        return _is_array_of(wanted[0], value)
    base = base_of(wanted)
    if base.endswith("[]"):
        return _is_array_of(base.removesuffix("[]"), value)
    if "|" in base:
        return isinstance(value, str) and value in base.split("|")
    return BASES[base][0](value)


def example(wanted: Json) -> Json:
    """A value of the type that a schema asks for."""
    if isinstance(wanted, dict):
        return {key: example(inner) for key, inner in wanted.items() if not key.endswith("?")}
    if isinstance(wanted, list):
        return [example(wanted[0])]
    base = base_of(wanted)
    if base.endswith("[]"):
        return [example(base.removesuffix("[]"))]
    return base.split("|")[0] if "|" in base else BASES[base][1]


def describe(wanted: Json) -> str:
    """The type that a schema asks for, in words."""
    if isinstance(wanted, dict):
        return "an object"
    if isinstance(wanted, list):
        return "an array of objects"
    base = base_of(wanted)
    return "one of " + base.replace("|", ", ") if "|" in base else f"of type {base}"


def kind_of(value: Json) -> str:
    """What a value is, without showing it: its text may be long, and not the service's."""
    names: dict[type, str] = {dict: "an object", list: "an array", str: "this text", bool: "a boolean"}
    return names.get(type(value), "this number")


def base_of(wanted: Json) -> str:
    """The base of a type string, with its `[]` and without its description."""
    return str(wanted).split(SEPARATOR, 1)[0]


def _is_array_of(wanted: Json, value: Json) -> bool:
    return isinstance(value, list) and len(value) <= MAX_ELEMENTS and all(fits(wanted, item) for item in value)
