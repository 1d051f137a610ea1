"""No check fails a conforming table host, however odd, and what it may warn about is a short list."""

from collections import Counter

import pytest

from harness import clock
from harness.byob import laboratory
from reports.model import Outcome, Row
from tests.odd_table import FREEDOMS, OddHost

# What a host with every freedom is warned of; each rests on a reading that the text leaves open.
WARNED = {
    "byob/2/header-on-undefined-paths": "BYOB-Q006",
    "byob/6/prefix-hash-is-lower-case-hex": "BYOB-Q057",
    "byob/6/prefix-hash-of-every-seat": "BYOB-Q057",
}
# Why a check may not apply, whatever the host is like: it is in this process and keeps nothing.
LACKING = ("this host keeps nothing that would outlast a restart",)


@pytest.fixture(scope="module", params=[frozenset[str](), frozenset(FREEDOMS)], ids=["none", "all"])
def rows(request: pytest.FixtureRequest) -> list[Row]:
    """Every row of a run against the odd host with these freedoms."""
    return laboratory.examine_app(lambda: OddHost(clock.virtual_now, request.param).app())


def test_nothing_fails_the_odd_host(rows: list[Row]) -> None:
    unfair = [f"{row.outcome} {row.id}: {row.why}" for row in rows if row.outcome in UNFAIR]
    assert unfair == []
    assert Counter(row.outcome for row in rows)[Outcome.PASSED] > 280


UNFAIR = (Outcome.FAILED, Outcome.ERROR, Outcome.UNTESTED)


def test_it_is_warned_of_open_readings_only(rows: list[Row]) -> None:
    warned = {row.id: row.why for row in rows if row.outcome is Outcome.WARNED}
    assert {i: why for i, why in warned.items() if "the text is open: BYOB-Q" not in why and i not in WARNED} == {}


def test_only_what_it_lacks_does_not_apply(rows: list[Row]) -> None:
    lacking = {row.why for row in rows if row.outcome is Outcome.NOT_APPLICABLE}
    assert {why for why in lacking if not why.startswith(LACKING)} == set()
