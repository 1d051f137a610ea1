"""What a fault trips beside its claims is explained, or stands out."""

from dataclasses import replace

import pytest

from harness import faults, kinship, reaches
from harness.catalogue import catalogue
from harness.check import PROTOCOL_TRANSPORTS
from harness.faults import yea_client
from harness.matrix import Tripped, section_of, summary, tripped
from reports.model import Finding, Level, Outcome, Row
from tests.reports.samples import row

FAULT = "yea/kind-of-its-own"
FAR = reaches.reaches(FAULT)


def broken(name: str, *clauses: str, outcome: Outcome = Outcome.FAILED) -> Row:
    findings = tuple(Finding(clause, Level.RULE, False, "w", "g", outcome) for clause in clauses)
    return replace(row(outcome, name=name), findings=findings)


EXPLAINED = {
    "the same clause": ("yea/x", ("YEA-8-01", "YEA-4.4-01"), "clause", "both find YEA-4.4-01 broken"),
    "the same section": ("yea/x", ("YEA-4.4-09",), "section", "both are of YEA-4.4"),
    "the same rule again": ("yea/x", ("YEA-4.5-09",), "kin", kinship.kin("YEA-4.4", "YEA-4.5")),
    "section 7": ("yea/x", ("YEA-7-02",), "kin", kinship.kin("YEA-7", "YEA-4.4")),
    "a fault that reaches far": (FAULT, ("YEA-2.3-01",), "reach", FAR),
    "nothing": ("yea/x", ("YEA-2.3-01",), "", ""),
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_a_row_is_explained_by_what_is_nearest(name: str) -> None:
    fault, clauses, how, because = EXPLAINED[name]
    found = tripped(fault, [broken("yea/1/a", *clauses)], ["yea/1/claim"], ["YEA-4.4-01"])
    assert found == (Tripped("yea/1/a", clauses[0], how, because),)
    assert bool(because) is bool(how)


def test_claims_and_rows_that_did_not_fail_trip_nothing() -> None:
    rows = [
        broken("yea/1/claim", "YEA-2.3-01"),
        *(row(outcome, name=f"yea/1/{outcome}") for outcome in (Outcome.PASSED, Outcome.UNTESTED)),
        row(Outcome.NOT_APPLICABLE, name="yea/1/na"),
    ]
    assert tripped("yea/x", rows, ["yea/1/claim"], ["YEA-4.4-01"]) == ()


def test_an_error_of_ours_is_never_explained() -> None:
    (found,) = tripped(FAULT, [row(Outcome.ERROR, name="yea/1/a")], [], ["YEA-2.1-02"])
    assert found == Tripped("yea/1/a", "", "", "")


def test_one_transport_without_an_explanation_is_enough() -> None:
    rows = [broken("yea/1/a", "YEA-4.4-01"), broken("yea/1/a", "YEA-2.3-01"), broken("yea/1/a", "YEA-4.4-02")]
    assert tripped("yea/x", rows, [], ["YEA-4.4-01"]) == (Tripped("yea/1/a", "YEA-2.3-01", "", ""),)


def test_the_summary_counts_each_explanation() -> None:
    also = [Tripped("a", "c", how, how) for how in ("kin", "kin", "")]
    assert summary(also) == (
        "beside their claims the faults trip 3 checks: 0 by the same clause, 0 by one of the same section, "
        "2 by one that says the same rule again, 0 because the fault reaches that far, 1 without an explanation"
    )


def test_kin_is_mutual_and_of_known_sections_each_pair_once() -> None:
    known = {section_of(clause) for protocol in PROTOCOLS for clause in catalogue(protocol).clauses}
    pairs = [frozenset(pair) for *pair, _ in kinship.KIN]
    assert len(set(pairs)) == len(pairs)
    assert {*frozenset().union(*pairs)} - {kinship.ALL} <= known
    assert all(kinship.kin(one, other) == kinship.kin(other, one) != "" for one, other, _ in kinship.KIN)
    assert kinship.kin("YEA-2.3", "YEA-4.4") == ""


PROTOCOLS = ("yea", *PROTOCOL_TRANSPORTS)


def test_every_fault_that_reaches_far_is_known_and_stands_once() -> None:
    named = [fault for those in reaches.REACHES.values() for fault in those]
    known = {fault for protocol in PROTOCOLS for fault in faults.load(protocol)} | {*yea_client.load()}
    assert len(set(named)) == len(named)
    assert {*named} <= known
