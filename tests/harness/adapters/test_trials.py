"""The selftest's part for adapters: each operation with its controls and its faults."""

import pytest

from harness.adapters import trials
from harness.adapters.operations import BYOB_OPERATIONS, YEA_OPERATIONS
from harness.faults import adapter as faults


@pytest.mark.parametrize(("protocol", "operations"), [("yea", YEA_OPERATIONS), ("byob", BYOB_OPERATIONS)])
def test_every_operation_of_a_protocol_is_tried(protocol: str, operations: dict[str, object]) -> None:
    assert set(trials.operations(protocol)) == operations.keys()


def test_a_protocol_without_pure_functions_has_none_to_try() -> None:
    assert trials.operations("byob-bridge") == []


@pytest.mark.parametrize("op", BYOB_OPERATIONS)
def test_every_fault_of_byob_is_killed_and_the_controls_hold(op: str) -> None:
    made = trials.run(op)
    assert [(trial.name, trial.result, trial.why) for trial in made if not trial.good] == []
    names = {trial.name for trial in made if not trial.name.startswith("control")}
    assert names == {fault.id for fault in faults.load().values() if fault.op == op}
    assert len(made) == len(names) + 2


def test_a_refusal_is_nonsense_where_another_code_is_due() -> None:
    case = trials._cases("byob.transition")["byob.transition/approved-receipt"]
    assert trials._outcome(case, {"error": {"code": "E_NOT_FLOOR"}}) == "failed"


def test_what_is_open_only_warns() -> None:
    case = trials._cases("byob.transition")["byob.transition/running-status-failed"]
    assert trials._outcome(case, {"ok": {"state": "stalled"}}) == "warned"
