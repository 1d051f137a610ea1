"""Times and durations (YEA 9.2)."""

import pytest

from reference.yea.lens.times import duration_text, time_text
from reference.yea.types import Json

TIMES: list[tuple[Json, str]] = [
    (0, "1970-01-01T00:00Z"),
    (-0.0, "1970-01-01T00:00Z"),
    (1, "1970-01-01T00:00:01Z"),
    (59, "1970-01-01T00:00:59Z"),
    (60, "1970-01-01T00:01Z"),
    (951782400, "2000-02-29T00:00Z"),
    (1790000000, "2026-09-21T14:13:20Z"),
    (1790000040, "2026-09-21T14:14Z"),
    (1790000040.0, "2026-09-21T14:14Z"),
    (1790000041, "2026-09-21T14:14:01Z"),
    (253402300740, "9999-12-31T23:59Z"),
    (253402300799, "9999-12-31T23:59:59Z"),
    (253402300800, "253402300800"),
    (-1, "-1"),
    (1.5, "1.5"),
    (1e21, "1e+21"),
    (2**64, "18446744073709552000"),
    (None, "-"),
    (True, "true"),
    (False, "false"),
    ("soon", "soon"),
    ("1790000000", '"1790000000"'),
    ([1], "[1]"),
    ({"a": [1, 2]}, '{"a":[1,2]}'),
]


@pytest.mark.parametrize(("value", "text"), TIMES, ids=[str(value) for value, _ in TIMES])
def test_a_time_is_utc_and_anything_else_its_lean_scalar(value: Json, text: str) -> None:
    """Integers of [0, 253402300799] are times; seconds show only when they are not 0."""
    assert time_text(value) == text


DURATIONS: list[tuple[Json, str]] = [
    (0, "0s"),
    (-0.0, "0s"),
    (1, "1s"),
    (45, "45s"),
    (59, "59s"),
    (60, "1m"),
    (61, "61s"),
    (90, "90s"),
    (120, "2m"),
    (3599, "3599s"),
    (3600, "1h"),
    (3600.0, "1h"),
    (3601, "3601s"),
    (3660, "61m"),
    (5400, "90m"),
    (86399, "86399s"),
    (86400, "1d"),
    (86401, "86401s"),
    (86460, "1441m"),
    (90000, "25h"),
    (172800, "2d"),
    (-3600, "-1h"),
    (-90, "-90s"),
    (2**53 - 1, "9007199254740991s"),
    (-(2**53) + 1, "-9007199254740991s"),
    (2**53, "9007199254740992"),
    (-(2**53), "-9007199254740992"),
    (1.5, "1.5"),
    (True, "true"),
    ("soon", "soon"),
    ("60", '"60"'),
    ({"a": 1}, '{"a":1}'),
    (None, "-"),
]


@pytest.mark.parametrize(("value", "text"), DURATIONS, ids=[str(value) for value, _ in DURATIONS])
def test_a_duration_takes_the_largest_unit_that_divides_it(value: Json, text: str) -> None:
    """Days, hours, minutes or seconds without remainder; what is no integer is its lean scalar."""
    assert duration_text(value) == text
