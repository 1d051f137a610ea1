from dataclasses import replace

import pytest

from reports.model import (
    INTERRUPTED,
    ClauseInfo,
    Footer,
    Level,
    Outcome,
    Report,
    Row,
    Run,
    Unreached,
)
from reports.verdict import (
    Verdict,
    exit_code,
    gaps,
    run_verdict,
    unsupported,
    verdict,
    worst_verdict,
)
from tests.reports import samples
from tests.reports.samples import HEADER, PASSED, row

DONE = Footer(complete=True)


def run(*rows: Row, footer: Footer | None = DONE) -> Run:
    """A run in which every clause was exercised, and whatever is added."""
    return Run(HEADER, (*PASSED, *rows), footer)


def report(*rows: Row, footer: Footer | None = DONE) -> Report:
    return Report((run(*rows, footer=footer),))


def without(clause: str, *, declared: bool) -> Report:
    """A report in which one clause was not exercised."""
    rows = tuple(each for each in PASSED if each.clauses != (clause,))
    footer = Footer(complete=True, unreached=(Unreached(clause, "the profile has no role", declared),))
    return Report((Run(HEADER, rows, footer),))


@pytest.mark.parametrize("name", samples.REPORTS)
def test_each_sample_has_its_verdict(name: str) -> None:
    assert verdict(samples.REPORTS[name]) is samples.VERDICTS[name]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome.PASSED, "conforming"),
        (Outcome.WARNED, "conforming"),
        (Outcome.NOT_APPLICABLE, "conforming"),
        (Outcome.UNTESTED, "partial"),
        (Outcome.ERROR, "partial"),
        (Outcome.FAILED, "non-conforming"),
    ],
)
def test_one_row_more_makes_the_verdict(outcome: Outcome, expected: str) -> None:
    assert run_verdict(run(row(outcome))) == expected


def test_an_operation_that_an_adapter_lacks_leaves_the_verdict_partial() -> None:
    library = replace(HEADER, scope=replace(HEADER.scope, role="library"))
    made = Report((Run(library, (*PASSED, row(Outcome.NOT_APPLICABLE)), DONE),))
    assert (verdict(made), unsupported(made.runs[0])) == ("partial", 1)
    assert (exit_code(made), exit_code(made, strict=True)) == (0, 1)
    assert verdict(Report((Run(library, PASSED, DONE),))) == "conforming"


@pytest.mark.parametrize("outcome", Outcome)
def test_nothing_hides_a_failure(outcome: Outcome) -> None:
    assert run_verdict(run(row(Outcome.FAILED), row(outcome, name="yea/2.1/other"))) == "non-conforming"


@pytest.mark.parametrize("level", Level)
def test_only_a_binding_clause_leaves_a_gap(level: Level) -> None:
    more = replace(HEADER, clauses=(*HEADER.clauses, ClauseInfo("YEA-9-01", level, "9")))
    made = Run(more, PASSED, DONE)
    binding = level in ("MUST", "MUST NOT", "RULE")
    assert run_verdict(made) == ("partial" if binding else "conforming")
    assert [clause.id for clause in gaps(made)] == (["YEA-9-01"] if binding else [])


@pytest.mark.parametrize("footer", [None, Footer(complete=False), Footer(complete=True, interrupted="target gone")])
def test_an_incomplete_run_is_partial(footer: Footer | None) -> None:
    assert run_verdict(run(footer=footer)) == "partial"


def test_a_run_that_judged_nothing_is_partial() -> None:
    bare = replace(HEADER, clauses=())
    assert run_verdict(Run(bare, (), DONE)) == "partial"
    assert run_verdict(Run(bare, (row(Outcome.NOT_APPLICABLE),), DONE)) == "partial"


@pytest.mark.parametrize("one", Verdict)
@pytest.mark.parametrize("other", Verdict)
def test_the_worst_of_two_verdicts(one: Verdict, other: Verdict) -> None:
    order = ["conforming", "partial", "non-conforming"]
    assert worst_verdict([one, other]) == max(one, other, key=order.index)


@pytest.mark.parametrize(
    ("made", "code", "strict_code"),
    [
        (report(), 0, 0),
        (report(row(Outcome.WARNED)), 0, 0),
        (report(row(Outcome.NOT_APPLICABLE)), 0, 0),
        (report(row(Outcome.FAILED)), 1, 1),
        (report(row(Outcome.UNTESTED)), 1, 1),
        (report(row(Outcome.ERROR)), 3, 3),
        (report(row(Outcome.FAILED), row(Outcome.ERROR)), 1, 1),
        (report(footer=None), 3, 3),
        (report(footer=Footer(complete=False)), 1, 1),
        (report(footer=Footer(complete=False, interrupted="target gone")), 1, 1),
        (report(row(Outcome.FAILED), footer=Footer(complete=False, interrupted=INTERRUPTED)), 130, 130),
        (report(row(Outcome.ERROR), footer=Footer(complete=False, interrupted=INTERRUPTED)), 130, 130),
        (without("YEA-2.1-02", declared=True), 0, 1),
        (without("YEA-2.1-02", declared=False), 1, 1),
        (without("YEA-8-04", declared=False), 0, 0),
        (samples.EMPTY, 2, 2),
        (Report((Run(replace(HEADER, clauses=()), (row(Outcome.NOT_APPLICABLE),), DONE),)), 1, 1),
        (samples.BOTH, 0, 0),
        (Report((*samples.BOTH.runs, run(row(Outcome.FAILED)))), 1, 1),
        (Report((*samples.BOTH.runs, run(footer=None))), 3, 3),
    ],
)
def test_the_exit_code(made: Report, code: int, strict_code: int) -> None:
    assert (exit_code(made), exit_code(made, strict=True)) == (code, strict_code)
