from dataclasses import replace

import pytest

from reports.model import (
    Finding,
    Footer,
    Level,
    Outcome,
    Report,
    Row,
    Run,
    Unreached,
    explain,
    worst,
)
from tests.reports import samples
from tests.reports.samples import HUGE


def test_there_are_exactly_six_outcomes() -> None:
    assert list(Outcome) == ["passed", "failed", "warned", "not_applicable", "untested", "error"]


def test_exercised_are_the_clauses_that_were_evaluated_not_those_a_check_may_name() -> None:
    untested = replace(samples.row(Outcome.UNTESTED), clauses=tuple(samples.SAYS))
    run = Run(samples.HEADER, (untested, samples.row(clause="YEA-8-04")), Footer(complete=True))
    assert run.exercised == {"YEA-8-04"}


def test_the_footer_adds_to_what_was_exercised_but_never_beyond_the_scope() -> None:
    run = Run(samples.HEADER, (), Footer(complete=True, exercised=("YEA-8-04", "YEA-9-99")))
    assert run.exercised == {"YEA-8-04"}


def test_every_unreached_clause_has_a_reason() -> None:
    known = Unreached("YEA-4.4-03", "needs --slow", declared=True)
    run = Run(samples.HEADER, (samples.row(),), Footer(complete=True, unreached=(known,)))
    assert run.unreached == (
        Unreached("YEA-2.1-01", "no check evaluated it", declared=False),
        known,
        Unreached("YEA-8-04", "no check evaluated it", declared=False),
    )


def test_a_clause_that_was_exercised_is_not_unreached_whatever_the_footer_says() -> None:
    wrong = Unreached("YEA-2.1-02", "no", declared=True)
    run = Run(samples.HEADER, (samples.row(),), Footer(complete=True, unreached=(wrong,)))
    assert "YEA-2.1-02" not in {clause.id for clause in run.unreached}


def test_a_run_without_a_footer_gives_that_as_the_reason() -> None:
    assert {clause.why for clause in samples.TORN.runs[0].unreached} == {"the run did not reach its end"}


@pytest.mark.parametrize(
    ("footer", "complete"),
    [
        (None, False),
        (Footer(complete=True), True),
        (Footer(complete=False), False),
        (Footer(complete=True, interrupted="interrupted"), False),
    ],
)
def test_a_run_is_complete_only_if_its_footer_says_so(footer: Footer | None, complete: bool) -> None:
    run = Run(samples.HEADER, (), footer)
    assert run.complete is complete
    assert Report((samples.CONFORMING.runs[0], run)).complete is complete


def test_counts_name_every_outcome() -> None:
    assert samples.EMPTY.counts == dict.fromkeys(Outcome, 0)
    assert samples.FAILING.counts == dict.fromkeys(Outcome, 1)
    assert samples.BOTH.counts[Outcome.PASSED] == 5


def test_a_report_needs_a_run() -> None:
    with pytest.raises(ValueError, match="at least one run"):
        Report(())


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_impossible_times_are_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="a row cannot take"):
        replace(samples.row(), seconds=seconds)


def test_huge_text_is_cut_as_it_enters() -> None:
    row = replace(samples.row(), why=HUGE, title=HUGE, replay=HUGE)
    found = Finding("YEA-8-04", Level.SHOULD, False, HUGE, HUGE, Outcome.WARNED)
    footer = Footer(complete=True, notes=(HUGE,), unreached=(Unreached("YEA-8-04", HUGE, declared=False),))
    texts = [row.why, row.title, row.replay, found.wanted, found.got, *footer.notes, footer.unreached[0].why]
    assert max(map(len, texts)) <= 4096
    assert all("more characters]" in text for text in texts)


def test_a_row_is_known_by_its_check_and_transport() -> None:
    row: Row = samples.row(name="yea/2.1/x", transport=None)
    assert row.key == ("yea/2.1/x", None)


@pytest.mark.parametrize(
    ("found", "taken"),
    [
        (["passed"], "passed"),
        (["passed", "not_applicable"], "passed"),
        (["not_applicable"], "not_applicable"),
        (["passed", "warned"], "warned"),
        (["warned", "untested"], "untested"),
        (["untested", "error"], "error"),
        (["error", "failed", "passed"], "failed"),
    ],
)
def test_a_row_takes_the_worst_of_its_findings(found: list[str], taken: str) -> None:
    assert worst(map(Outcome, found)) is Outcome(taken)


def test_nothing_evaluated_is_no_pass() -> None:
    with pytest.raises(ValueError, match="no outcome"):
        worst(())


def test_findings_are_explained_one_a_line() -> None:
    found = (
        samples.finding("YEA-2.1-01", Outcome.FAILED),
        samples.finding("YEA-2.1-02", Outcome.PASSED),
        samples.finding("YEA-8-04", Outcome.WARNED, "120 tokens", "121"),
    )
    assert explain(found) == (
        "YEA-2.1-01 (RULE): wanted ERROR bad_frame; got silence\nYEA-8-04 (SHOULD): wanted 120 tokens; got 121"
    )
