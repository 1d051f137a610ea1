"""Checks of bridges: each has been seen red, every clause on bridges has one. `naysayer selftest` runs the faults."""

from harness import check, faults, monitors
from harness.bridges.session import PROTOCOL
from harness.catalogue import catalogue
from harness.commands.clauses import coverage, uncovered
from harness.scope import reach
from harness.selftest import LABS, Trial, _unloadable

KNOWN = {*check.load(PROTOCOL), *monitors.load(PROTOCOL)}
CLAIMED = {claim for fault in faults.load(PROTOCOL).values() for claim in fault.kills}


def test_every_check_and_monitor_has_a_fault() -> None:
    assert sorted(KNOWN ^ CLAIMED) == []


def test_every_clause_in_reach_is_named_by_a_check() -> None:
    known = catalogue(PROTOCOL)
    assert len(reach(known)) == 27
    assert uncovered(known, coverage(PROTOCOL)) == []


def test_a_bridge_that_cannot_be_made_is_told_apart_from_a_killed_one() -> None:
    assert _unloadable(PROTOCOL) == Trial(
        "control: a fault that cannot load",
        "passed",
        why="TargetError: a bridge: the handshake got no answer: the bridge cannot be made: RuntimeError: made to fail",
    )


def test_nonsense_passes_no_check() -> None:
    rows = LABS[PROTOCOL].nonsense()
    assert {str(row.outcome) for row in rows if row.id in check.load(PROTOCOL)} == {"failed"}
