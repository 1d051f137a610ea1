"""The values that YEA is made of, as Python sees them.

One alias for a JSON value and one rule for "integer". JSON has no integer type: a number is an integer
when it has no fractional part and lies in [−2^53+1, 2^53−1] (YEA 9.2). Python adds two traps, which this
rule closes: a bool is an int, and a float may be whole.
"""

from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_INTEGER = 2**53 - 1
"""The largest integer of YEA; the smallest is its negative (YEA 9.2, 10)."""


def as_integer(value: object) -> int | None:
    """The integer that a JSON value is, or None when it is none (YEA 9.2).

    By value, not by spelling: 1.0 is 1 and -0.0 is 0. A bool, a fraction, and a number outside
    [−2^53+1, 2^53−1] are no integers. Never raises.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        value = int(value) if value.is_integer() else None
    if isinstance(value, int) and -MAX_INTEGER <= value <= MAX_INTEGER:
        return int(value)
    return None
