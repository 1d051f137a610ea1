"""The `ts` of entries (BYOB 5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.timestamps import milliseconds, timestamp


@pytest.mark.parametrize(
    ("time", "ts"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (1_799_999_999_999, "2027-01-15T07:59:59.999Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_times_are_written_in_utc_with_milliseconds(time: int, ts: str) -> None:
    assert (timestamp(time), milliseconds(ts)) == (ts, time)


@given(st.integers(0, 253_402_300_799_999))
def test_what_is_written_reads_back(time: int) -> None:
    assert milliseconds(timestamp(time)) == time


@pytest.mark.parametrize("ts", ["", "yesterday", "2027-01-15", "2027-01-15T07:59:59.999"])
def test_other_texts_are_no_time(ts: str) -> None:
    with pytest.raises(ValueError):
        milliseconds(ts)
