"""Measures, quantities and limits: what a commit uses up, in exact decimals (YEA 5.1, 6.3).

A quantity is a JSON object {"amount", "scale"?, "unit"?}. Its exact value is kept as a whole number of
10^−18, the smallest step that a scale allows, so values compare and add as integers and nothing rounds.
"""

import re

from reference.yea.types import Json, as_integer

MAX_SCALE = 18

_STEP: tuple[int, ...] = tuple(10 ** (MAX_SCALE - scale) for scale in range(MAX_SCALE + 1))
"""What one of each scale is worth, in units of 10^−18."""

_MEASURE = re.compile(r"[a-z][a-z0-9_.\-]{0,63}")
_UNIT = re.compile(r"[A-Za-z0-9_./%\-]{1,32}")
_QUANTITY = frozenset({"amount", "scale", "unit"})
_LIMIT = frozenset({"of", "max", "scale", "unit"})


class QuantityError(ValueError):
    """A value that is no quantity or limit."""


def is_measure_name(name: object) -> bool:
    """Whether a value is 1–64 of a-z, 0-9, _, . and -, starting with a letter (YEA 5.1)."""
    return isinstance(name, str) and _MEASURE.fullmatch(name) is not None


def is_quantity(value: Json) -> bool:
    """Whether a value is a quantity: amount in [0, 2^53−1], scale in [0, 18], unit of 1–32 (YEA 5.1).

    A further member makes it malformed, and so does a null scale or unit.
    """
    return isinstance(value, dict) and value.keys() <= _QUANTITY and _in_range(value, "amount")


def is_limit(value: Json) -> bool:
    """Whether a value is a limit: a measure `of`, and a max, scale and unit like a quantity's (YEA 6.3)."""
    return (
        isinstance(value, dict)
        and value.keys() <= _LIMIT
        and is_measure_name(value.get("of"))
        and _in_range(value, "max")
    )


def uses_valid(value: Json) -> bool:
    """Whether a present `uses` is well-formed: an object from measure names to quantities (YEA 5.1)."""
    return isinstance(value, dict) and all(map(is_measure_name, value)) and all(map(is_quantity, value.values()))


def value(quantity: Json, amount: str = "amount") -> int:
    """The exact value of a quantity, in units of 10^−18 (YEA 5.1).

    amount: the member that holds the number; "max" for a limit. A sum may be past the range of an amount.
    Raises QuantityError when there is no number to read.
    """
    number, scale = _number_and_scale(quantity, amount)
    return number * _STEP[scale]


def same_unit(quantity: dict[str, Json], limit: dict[str, Json]) -> bool:
    """Whether both have the same unit string or both have none (YEA 6.3)."""
    return quantity.get("unit") == limit.get("unit")


def add(first: dict[str, Json], second: dict[str, Json]) -> dict[str, Json]:
    """The exact sum of two quantities, at the larger scale and with the second's unit (YEA 6.3).

    Raises QuantityError when one is no quantity.
    """
    scale = max(_number_and_scale(item, "amount")[1] for item in (first, second))
    total = (value(first) + value(second)) // _STEP[scale]
    unit = {"unit": second["unit"]} if "unit" in second else {}
    return {"amount": total, "scale": scale, **unit}


def render(quantity: Json) -> str:
    """A quantity in plain decimal with exactly `scale` digits after the point, then its unit (YEA 9.2).

    {"amount": 2290, "scale": 2, "unit": "USD"} is "22.90 USD". Raises QuantityError when it is malformed.
    """
    if not isinstance(quantity, dict) or not is_quantity(quantity):
        raise QuantityError("not a quantity")
    number, scale = _number_and_scale(quantity, "amount")
    digits = str(number).rjust(scale + 1, "0")
    point = len(digits) - scale
    decimal = f"{digits[:point]}.{digits[point:]}" if scale else digits
    return f"{decimal} {quantity['unit']}" if "unit" in quantity else decimal


def _in_range(value: dict[str, Json], amount: str) -> bool:
    number, scale, unit = (
        as_integer(value.get(amount)),
        as_integer(value.get("scale", 0)),
        value.get("unit", "-"),
    )
    return (
        number is not None
        and number >= 0
        and scale is not None
        and 0 <= scale <= MAX_SCALE
        and isinstance(unit, str)
        and _UNIT.fullmatch(unit) is not None
    )


def _number_and_scale(quantity: Json, amount: str) -> tuple[int, int]:
    if not isinstance(quantity, dict):
        raise QuantityError("a quantity is an object")
    number, scale = quantity.get(amount), as_integer(quantity.get("scale", 0))
    if isinstance(number, float):
        number = as_integer(number)
    if not isinstance(number, int) or isinstance(number, bool) or scale is None or not 0 <= scale <= MAX_SCALE:
        raise QuantityError(f"a quantity has an integer {amount!r} and a scale from 0 to {MAX_SCALE}")
    return number, scale
