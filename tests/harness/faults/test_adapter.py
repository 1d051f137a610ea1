"""Every adapter fault is caught by the cases that it claims, and by a few more at most of what is right."""

from collections import Counter
from typing import Any

import pytest

from harness.adapters import invariants
from harness.adapters.operations import BYOB_OPERATIONS, OPERATIONS, YEA_OPERATIONS
from harness.catalogue import catalogue
from harness.errors import CatalogueError, UsageError
from harness.faults import adapter
from harness.faults.adapter import AdapterFault
from vectors import Case, answers, load, suites

CASES: dict[str, Case] = {case.id: case for suite in suites() for file in load(suite) for case in file.cases}
FAULTS = adapter.load()
SHOULD = "YEA-8-09"  # a breach of it only warns


def passes(case: Case, answer: dict[str, Any]) -> bool:
    """Whether an answer does not fail a case."""
    if case.compare == "invariants":
        return "ok" in answer and {clause for clause, _ in invariants.problems(case.input, answer["ok"])} <= {SHOULD}
    return answers.is_right(case, answer)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_caught_by_every_case_that_it_claims(name: str) -> None:
    entry = FAULTS[name]
    claimed = [CASES[case] for case in entry.kills]
    assert [case.id for case in claimed if passes(case, entry.wrong(dict(case.input)))] == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_claimed_case_can_fail_and_not_only_warn(name: str) -> None:
    assert [case for case in FAULTS[name].kills if CASES[case].basis == "open"] == []


def test_every_operation_has_at_least_five_faults() -> None:
    counts = Counter(entry.op for entry in FAULTS.values())
    assert {op for op in (*YEA_OPERATIONS, *BYOB_OPERATIONS) if counts[op] < 5} == set()


@pytest.mark.parametrize("protocol", suites())
def test_every_clause_of_the_pure_functions_is_broken_by_a_fault(protocol: str) -> None:
    broken = {clause for entry in FAULTS.values() for case in entry.kills for clause in CASES[case].clauses}
    judged = {clause for case in CASES.values() if case.basis != "open" for clause in case.clauses}
    clauses = catalogue(protocol).clauses.values()
    due = {each.id for each in clauses if each.plane == "adapter" and each.level != "MAY" and each.id in judged}
    assert due, "the catalogue has clauses that only an adapter shows"
    assert due - broken == set()


def test_every_operation_of_a_fault_is_one_of_the_reference() -> None:
    assert {entry.op for entry in FAULTS.values()} <= OPERATIONS.keys()


def wrong(arguments: dict[str, Any]) -> dict[str, Any]:
    """Answers nothing."""
    return {"ok": arguments}


def test_a_repeated_id_is_refused() -> None:
    with pytest.raises(CatalogueError, match="repeated id"):
        adapter.add(next(iter(FAULTS.values())))


def test_a_claim_of_another_operation_is_refused() -> None:
    with pytest.raises(CatalogueError, match="another operation"):
        adapter.add(AdapterFault("adapter/x/y", "est", "wrong.", ("hash/proposal",), wrong))


def test_a_fault_without_a_claim_is_refused() -> None:
    with pytest.raises(CatalogueError, match="no claimed case"):
        adapter.adapter_fault("adapter/x/y", "est")(wrong)


def test_a_fault_is_found_with_or_without_its_prefix() -> None:
    assert adapter.find("est/bytes") is adapter.find("adapter/est/bytes")


def test_an_unknown_fault_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="est/nothing"):
        adapter.find("est/nothing")
