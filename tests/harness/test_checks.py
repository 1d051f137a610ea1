"""Every check and monitor has been seen green and red: `naysayer selftest` runs the faults, this holds the claims."""

from harness import check, faults, monitors
from harness.catalogue import catalogue
from harness.commands.clauses import coverage, uncovered
from harness.faults import adapter
from vectors import load

KNOWN = {*check.load("yea"), *monitors.load("yea")}


def test_every_check_and_monitor_has_a_fault() -> None:
    claimed = {claim for fault in faults.load("yea").values() for claim in fault.kills}
    assert sorted(KNOWN - claimed) == []


def test_no_fault_claims_a_check_that_is_not_there() -> None:
    claimed = {claim for fault in faults.load("yea").values() for claim in fault.kills}
    assert sorted(claimed - KNOWN) == []


def test_every_operation_of_the_vectors_has_faults() -> None:
    operations = {file.op for file in load("yea")}
    assert operations - {fault.op for fault in adapter.load().values()} == set()


def test_every_clause_in_reach_is_named_by_a_check() -> None:
    assert uncovered(catalogue("yea"), coverage("yea")) == []


def test_checks_and_monitors_share_no_id() -> None:
    assert set(check.load("yea")) & set(monitors.load("yea")) == set()
