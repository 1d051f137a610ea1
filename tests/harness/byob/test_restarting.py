"""Checks that restart a host: sound on one that keeps its tables, not applicable on one that keeps nothing."""

from harness import check as checks
from harness.byob import laboratory
from harness.byob.laboratory import NOT_RESTARTED
from harness.clock import virtual_now
from harness.selection import Matcher
from reports.model import Outcome
from tests.odd_table import OddHost

RESTARTING = sorted(id for id, each in checks.load("byob").items() if each.restarts)
select: Matcher = RESTARTING.__contains__


def test_a_host_that_keeps_its_tables_passes_them() -> None:
    rows = laboratory.examine(select=select)
    assert sorted((row.id, row.outcome) for row in rows) == [(id, Outcome.PASSED) for id in RESTARTING]


def test_a_host_that_keeps_nothing_is_told_that_they_do_not_apply() -> None:
    rows = laboratory.examine_app(lambda: OddHost(virtual_now).app(), select)
    wanted = [(id, Outcome.NOT_APPLICABLE, NOT_RESTARTED) for id in RESTARTING]
    assert sorted((row.id, row.outcome, row.why) for row in rows) == wanted
