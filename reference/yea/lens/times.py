"""Times and durations in Lens (YEA 9.2)."""

from datetime import UTC, datetime, timedelta

from reference.yea.lens.values import scalar_text
from reference.yea.types import Json, as_integer

LAST_SECOND = 253402300799
"""9999-12-31T23:59:59Z, the last time that has a rendering of its own."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"d": 86400, "h": 3600, "m": 60}


def time_text(value: Json) -> str:
    """Unix seconds as UTC YYYY-MM-DDTHH:MMZ, with seconds where they are not 0.

    Anything but an integer in [0, 253402300799] is its lean scalar.
    """
    seconds = as_integer(value)
    if seconds is None or not 0 <= seconds <= LAST_SECOND:
        return scalar_text(value)
    moment = _EPOCH + timedelta(seconds=seconds)
    return moment.isoformat(timespec="seconds" if moment.second else "minutes").removesuffix("+00:00") + "Z"


def duration_text(value: Json) -> str:
    """Seconds in the largest of d, h, m and s that divides them exactly; 0 is 0s.

    Anything but an integer is its lean scalar.
    """
    seconds = as_integer(value)
    if seconds is None:
        return scalar_text(value)
    for unit, size in _UNITS.items():
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
