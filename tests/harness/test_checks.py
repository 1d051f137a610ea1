"""Every check and monitor has been seen green and red: `naysayer selftest` runs the faults, this holds the claims."""

import pytest

from harness import check, faults, monitors
from harness.catalogue import catalogue
from harness.commands.clauses import coverage, uncovered
from harness.faults import adapter
from vectors import load

BOTH = pytest.mark.parametrize("protocol", ["yea", "byob"])


def known(protocol: str) -> set[str]:
    return {*check.load(protocol), *monitors.load(protocol)}


def claimed(protocol: str) -> set[str]:
    return {claim for fault in faults.load(protocol).values() for claim in fault.kills}


@BOTH
def test_every_check_and_monitor_has_a_fault(protocol: str) -> None:
    assert sorted(known(protocol) - claimed(protocol)) == []


@BOTH
def test_no_fault_claims_a_check_that_is_not_there(protocol: str) -> None:
    assert sorted(claimed(protocol) - known(protocol)) == []


def test_every_operation_of_the_vectors_has_faults() -> None:
    operations = {file.op for file in load("yea")}
    assert operations - {fault.op for fault in adapter.load().values()} == set()


@BOTH
def test_every_clause_in_reach_is_named_by_a_check(protocol: str) -> None:
    assert uncovered(catalogue(protocol), coverage(protocol)) == []


@BOTH
def test_checks_and_monitors_share_no_id(protocol: str) -> None:
    assert set(check.load(protocol)) & set(monitors.load(protocol)) == set()
