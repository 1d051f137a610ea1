"""Faults of `uses.valid` (YEA 5.1)."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness.faults.adapter.tools import Row, read, register

MAX = 2**53 - 1
NAME, UNIT = r"[a-z][a-z0-9_.\-]{0,63}", r"[A-Za-z0-9_./%\-]{1,32}"


def _integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _matches(expression: str, flags: int = 0) -> Callable[[Any], bool]:
    compiled = re.compile(expression, flags)
    return lambda value: isinstance(value, str) and compiled.search(value) is not None


_NAME, _UNIT = _matches(rf"\A{NAME}\Z"), _matches(rf"\A{UNIT}\Z")


@dataclass(frozen=True)
class Uses:
    """A check of `uses`; every field is a place where implementations go wrong."""

    name: Callable[[Any], bool] = _NAME
    unit: Callable[[Any], bool] = _UNIT
    amount: Callable[[Any], bool] = lambda value: _integer(value) and 0 <= value <= MAX
    scale: Callable[[Any], bool] = lambda value: _integer(value) and 0 <= value <= 18
    members: Callable[[Any], bool] = lambda quantity: quantity.keys() <= {"amount", "scale", "unit"}
    some: Callable[[Any], bool] = all
    whole: Callable[[Any], Any] = lambda value: value

    def valid(self, value: Any) -> bool:
        """Whether a value of `uses` is well-formed."""
        value = self.whole(value)
        if not isinstance(value, dict):
            return False
        return self.some([self.name(name) and self.quantity(item) for name, item in value.items()])

    def quantity(self, value: Any) -> bool:
        """Whether a value is a quantity."""
        if not isinstance(value, dict) or "amount" not in value or not self.members(value):
            return False
        return (
            self.amount(value["amount"])
            and ("scale" not in value or self.scale(value["scale"]))
            and ("unit" not in value or self.unit(value["unit"]))
        )


RULE = Uses()


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _digits(value: Any) -> bool:
    return _integer(value) or (isinstance(value, str) and value.isdigit())


CHECKS: tuple[tuple[str, str, str, Uses], ...] = (
    (
        "final-newline",
        "Matches with a $ that also matches before a final newline.",
        "name-newline-after unit-newline-after",
        replace(RULE, name=_matches(rf"^{NAME}$"), unit=_matches(rf"^{UNIT}$")),
    ),
    (
        "unanchored",
        "Looks for a good name or unit anywhere in the text.",
        "name-space name-newline-before unit-space unit-space-before",
        replace(RULE, name=_matches(NAME), unit=_matches(UNIT)),
    ),
    (
        "multiline",
        "Matches line by line.",
        "name-newline-after name-newline-before",
        replace(RULE, name=_matches(rf"^{NAME}$", re.MULTILINE)),
    ),
    (
        "case-ignored",
        "Matches without regard to case.",
        "name-capital name-kelvin-sign name-long-s unit-kelvin-sign",
        replace(
            RULE,
            name=_matches(rf"\A{NAME}\Z", re.IGNORECASE),
            unit=_matches(rf"\A{UNIT}\Z", re.IGNORECASE),
        ),
    ),
    (
        "unicode-classes",
        "Takes Unicode letters and digits for ASCII ones.",
        "name-accented-inside name-arabic-digit unit-accented unit-micro",
        replace(RULE, name=_matches(r"\A[^\W\d_A-Z][\w.\-]{0,63}\Z"), unit=_matches(r"\A[\w./%\-]{1,32}\Z")),
    ),
    (
        "any-first-character",
        "Does not look at the first character of a name.",
        "name-digit-first name-mark-first name-proto",
        replace(RULE, name=_matches(r"\A[a-z0-9_.\-]{1,64}\Z")),
    ),
    (
        "any-length",
        "Has no longest name and no longest unit.",
        "name-65 unit-33",
        replace(RULE, name=_matches(r"\A[a-z][a-z0-9_.\-]*\Z"), unit=_matches(r"\A[A-Za-z0-9_./%\-]+\Z")),
    ),
    (
        "zero-is-missing",
        "Takes an amount of 0 for a missing one.",
        "amount-0",
        replace(RULE, amount=lambda value: bool(value) and RULE.amount(value)),
    ),
    (
        "empty-is-missing",
        "Takes an empty unit for a missing one.",
        "unit-empty unit-false",
        replace(RULE, unit=lambda value: not value or RULE.unit(value)),
    ),
    (
        "true-is-1",
        "Takes true for the integer 1.",
        "amount-true amount-false scale-true",
        replace(
            RULE,
            amount=lambda value: isinstance(value, int) and 0 <= value <= MAX,
            scale=lambda value: isinstance(value, int) and 0 <= value <= 18,
        ),
    ),
    (
        "digits-as-text",
        "Takes a string of digits for a number.",
        "amount-string scale-string",
        replace(RULE, amount=_digits, scale=_digits),
    ),
    (
        "fractions",
        "Takes a fraction for an amount.",
        "amount-fraction amount-small-fraction",
        replace(RULE, amount=lambda value: _number(value) and 0 <= value <= MAX),
    ),
    (
        "no-largest-amount",
        "Has no largest amount.",
        "amount-2-to-53 amount-25-digits",
        replace(RULE, amount=lambda value: _integer(value) and value >= 0),
    ),
    (
        "no-largest-scale",
        "Has no largest scale.",
        "scale-19",
        replace(RULE, scale=lambda value: _integer(value) and value >= 0),
    ),
    (
        "negative",
        "Takes negative amounts and scales.",
        "amount-negative scale-negative last-entry-bad",
        replace(RULE, amount=lambda v: _integer(v) and v <= MAX, scale=lambda v: _integer(v) and v <= 18),
    ),
    (
        "further-members",
        "Ignores further members of a quantity.",
        "quantity-further-member quantity-currency",
        replace(RULE, members=lambda quantity: True),
    ),
    (
        "first-entry-only",
        "Looks at the first entry only.",
        "last-entry-bad middle-name-bad",
        replace(RULE, some=lambda entries: not entries or entries[0]),
    ),
    (
        "any-entry",
        "Is content with one good entry.",
        "first-entry-bad last-entry-bad",
        replace(RULE, some=lambda entries: not entries or any(entries)),
    ),
    (
        "nothing-is-empty",
        "Takes null, 0, false and an empty string for an absent value.",
        "null empty-string zero false list",
        replace(RULE, whole=lambda value: value or {}),
    ),
)


def _check(words: str, says: str, kills: str, uses: Uses) -> Row:
    return words, says, kills, lambda arguments: {"valid": uses.valid(read(arguments))}


def _lists_are_objects(value: Any) -> Any:
    return {f"a{at}": item for at, item in enumerate(value)} if isinstance(value, list) else value


register(
    "uses.valid",
    *(_check(*entry) for entry in CHECKS),
    _check(
        "lists-are-objects",
        "Takes a list for an object.",
        "list list-of-quantities",
        replace(RULE, whole=_lists_are_objects),
    ),
)
