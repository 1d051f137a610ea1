"""Every property holds for the reference, and fails on an adapter with a fault that it is about."""

from typing import Any

import pytest

from fuzz import campaign, properties
from fuzz.targets import Answer, Arguments
from harness.adapters.blocking import OwnOperations
from harness.adapters.operations import answer
from harness.adapters.serving import with_fault
from harness.faults import adapter as faults

FOUND = {
    "adapter/canonical/keys-by-utf-16-units": "canonical/agrees",
    "adapter/canonical/lone-surrogates-replaced": "canonical/agrees",
    "adapter/canonical/spaces": "canonical/agrees",
    "adapter/canonical/fractions": "canonical/agrees",
}


class Faulty:
    def __init__(self, fault_id: str) -> None:
        fault = faults.find(fault_id)
        self._table = with_fault(fault.op, fault.wrong)

    def call(self, operation: str, arguments: Arguments) -> Answer:
        return answer(operation, arguments, self._table)


def run(name: str, target: Any, examples: int) -> campaign.Outcome:
    entry = properties.load()[name]
    return campaign.run(entry, target, examples=examples, seconds=None, chosen=1, database=None)


@pytest.mark.parametrize("name", sorted(properties.load()))
def test_the_reference_holds(name: str) -> None:
    outcome = run(name, OwnOperations(), 150)
    assert (outcome.failure, outcome.flaky, outcome.examples >= 100) == ("", False, True)


@pytest.mark.parametrize(("fault", "name"), FOUND.items())
def test_a_fault_is_found_and_shrunk(fault: str, name: str) -> None:
    outcome = run(name, Faulty(fault), 2000)
    assert outcome.failure != ""
    assert len(outcome.smallest) < 200


def test_the_same_seed_finds_the_same_smallest_input() -> None:
    made = [run("canonical/agrees", Faulty("adapter/canonical/spaces"), 500).smallest for _ in range(2)]
    assert made[0] == made[1]


class Lacking:
    def call(self, operation: str, arguments: Arguments) -> Answer:
        return {"unsupported": True}


class Dying:
    def call(self, operation: str, arguments: Arguments) -> Answer:
        return {"broke": "it ended with exit code 1"}


def test_a_missing_operation_is_not_a_pass() -> None:
    outcome = run("canonical/agrees", Lacking(), 10)
    assert (outcome.unsupported, outcome.failure) == ("canonical", "")


def test_a_target_that_dies_has_failed() -> None:
    outcome = run("canonical/agrees", Dying(), 10)
    assert "it ended with exit code 1" in outcome.failure
