"""Faults of `quantity` (YEA 5.1, 9.2)."""

from collections.abc import Callable
from typing import Any

from harness.faults.adapter.tools import Row, read, register


def _decimal(amount: int, scale: int) -> str:
    digits = str(amount).rjust(scale + 1, "0")
    return f"{digits[: len(digits) - scale]}.{digits[len(digits) - scale :]}" if scale else digits


def _stripped(amount: int, scale: int) -> str:
    return _decimal(amount, scale).rstrip("0").rstrip(".") if scale else str(amount)


Spell = Callable[[int, int, str], str]


def _plain(decimal: Callable[[int, int], str]) -> Spell:
    return lambda amount, scale, unit: f"{decimal(amount, scale)} {unit}" if unit else decimal(amount, scale)


def _unpadded(amount: int, scale: int) -> str:
    whole, rest = divmod(amount, 10**scale)
    return f"{whole}.{rest}" if scale else str(whole)


SPELLINGS: tuple[tuple[str, str, str, Spell], ...] = (
    (
        "floating-point",
        "Divides in floating point and writes what comes out.",
        "trailing-zero one-at-scale-18 one-at-scale-7 odd-at-scale-17",
        _plain(lambda amount, scale: str(amount / 10**scale) if scale else str(amount)),
    ),
    (
        "fixed-floating-point",
        "Divides in floating point and writes the digits it asks for.",
        "odd-at-scale-17 odd-at-scale-2",
        _plain(lambda amount, scale: f"{amount / 10**scale:.{scale}f}"),
    ),
    (
        "zeros-dropped",
        "Drops zeros after the point.",
        "trailing-zero trailing-zeros-all zero-at-scale-2",
        _plain(_stripped),
    ),
    (
        "zeros-lost",
        "Loses the zeros between the point and the digits.",
        "zeros-after-the-point one-at-scale-18 zero-at-scale-2",
        _plain(_unpadded),
    ),
    (
        "no-leading-zero",
        "Writes no 0 before the point.",
        "less-than-one digits-equal-scale",
        _plain(lambda amount, scale: _decimal(amount, scale).removeprefix("0") or "0"),
    ),
    (
        "always-two-digits",
        "Writes two digits after the point, whatever the scale.",
        "one scale-0 half-cent less-than-one",
        _plain(lambda amount, scale: f"{amount / 10**scale:.2f}"),
    ),
    (
        "grouped",
        "Groups the digits.",
        "thousands largest round-million",
        _plain(lambda amount, scale: f"{amount:,}" if not scale else _decimal(amount, scale)),
    ),
    (
        "unit-first",
        "Writes the unit first.",
        "two-digits whole-with-unit unit-percent",
        lambda amount, scale, unit: f"{unit} {_decimal(amount, scale)}" if unit else _decimal(amount, scale),
    ),
    (
        "space-always",
        "Writes the space even where there is no unit.",
        "one zero",
        lambda amount, scale, unit: f"{_decimal(amount, scale)} {unit}",
    ),
    (
        "no-space",
        "Writes no space before the unit.",
        "two-digits unit-percent",
        lambda amount, scale, unit: _decimal(amount, scale) + unit,
    ),
    (
        "unit-corrected",
        "Writes units in capitals.",
        "unit-small-letters whole-with-unit",
        lambda amount, scale, unit: _plain(_decimal)(amount, scale, unit.upper()),
    ),
    (
        "currencies-known",
        "Gives yen no digits after the point.",
        "unit-jpy",
        lambda amount, scale, unit: (
            _plain(_decimal)(amount // 100 if unit == "JPY" else amount, 0, unit)
            if unit == "JPY"
            else _plain(_decimal)(amount, scale, unit)
        ),
    ),
    (
        "point-always",
        "Writes a point at scale 0.",
        "one scale-0 whole-with-unit",
        _plain(lambda amount, scale: _decimal(amount, scale) if scale else f"{amount}."),
    ),
)


def _spelling(words: str, says: str, kills: str, spell: Spell) -> Row:
    def run(arguments: dict[str, Any]) -> dict[str, Any]:
        value = read(arguments)
        return {"text": spell(int(value["amount"]), int(value.get("scale", 0)), value.get("unit", ""))}

    return words, says, kills, run


register("quantity", *(_spelling(*entry) for entry in SPELLINGS))
