"""Faults of `lens.value` that do not answer the same value alike twice (YEA 9), as concurrent or hashed code does."""

import itertools
from collections.abc import Callable
from typing import Any

from harness.faults.adapter.overriding import value_row
from harness.faults.adapter.tools import register
from reference.yea.lens import order, values

_members, _table = order.members, values._table


def _turner() -> Callable[[list[Any]], list[Any]]:
    """Return a function that puts a list into another wrong order each time, if it is long enough for two."""
    count = itertools.count()

    def turn(items: list[Any]) -> list[Any]:
        start = 1 + next(count) % (len(items) - 1) if len(items) > 1 else 0
        return [*items[start:], *items[:start]]

    return turn


def _any_order() -> Callable[[dict[str, Any]], Any]:
    turn = _turner()
    return lambda value: dict(turn(list(_members(value)))).items()


def _as_they_finish() -> Callable[[list[Any]], Any]:
    turn = _turner()

    def table(value: list[Any]) -> Any:
        made = _table(value)
        return None if made is None else (made[0], turn(made[1]))

    return table


register(
    "lens.value",
    value_row(
        "map-order",
        "Goes through an object in another order each time, as Go does.",
        "literals-as-members",
        members=_any_order(),
    ),
    value_row(
        "rows-as-they-finish",
        "Renders the rows of a table side by side and takes them as they come.",
        "table-of-ten-rows",
        _table=_as_they_finish(),
    ),
)
