"""The times of ledger entries: milliseconds since 1970 inside, ISO 8601 in UTC outside (BYOB 5)."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def timestamp(milliseconds: int) -> str:
    """The `ts` of an entry: 1_799_999_999_000 is 2027-01-15T07:59:59.000Z. Up to the year 9999."""
    time = _EPOCH + milliseconds * _MILLISECOND
    return time.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def milliseconds(ts: str) -> int:
    """The milliseconds since 1970 that a `ts` says. Raises ValueError for a text without a time or zone."""
    time = datetime.fromisoformat(ts)
    if time.tzinfo is None:
        raise ValueError(f"a time has a zone: {ts!r}")
    return (time - _EPOCH) // _MILLISECOND
