from dataclasses import replace

import pytest

from reports.baseline import Known
from reports.model import Outcome, Report, Row
from reports.transcript import Direction, Event
from reports.words import details, known_line, reasons, run_line, unreached_reasons, verdict_line, where
from tests.reports import samples
from tests.reports.samples import EVIL, SAYS, SIGNATURE, event


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("conforming", "CONFORMING: nothing failed in 4 checks; 4 clauses exercised."),
        ("both", "CONFORMING: nothing failed in 5 checks; 5 clauses exercised."),
        (
            "partial",
            "PARTIAL: nothing failed, but not everything was shown: 1 binding clause was not exercised.",
        ),
        (
            "failing",
            "NON-CONFORMING: 1 of 6 checks failed; 1 error of naysayer's own; 1 check untested; "
            "2 binding clauses were not exercised.",
        ),
        (
            "stopped",
            "PARTIAL: nothing failed, but not everything was shown: 1 check untested; "
            "2 binding clauses were not exercised; the run ended early (interrupted).",
        ),
        (
            "torn",
            "PARTIAL: nothing failed, but not everything was shown: 2 binding clauses were not exercised; "
            "the run never wrote its end.",
        ),
        ("empty", "PARTIAL: nothing failed, but not everything was shown: no check ran."),
    ],
)
def test_the_verdict_is_one_plain_sentence(name: str, line: str) -> None:
    assert verdict_line(samples.REPORTS[name]) == line


def test_warnings_stand_beside_a_conforming_verdict() -> None:
    run = samples.CONFORMING.runs[0]
    warned = Report((replace(run, rows=(*run.rows, samples.row(Outcome.WARNED))),))
    assert verdict_line(warned) == ("CONFORMING: nothing failed in 5 checks; 4 clauses exercised; 1 warning.")


def test_a_report_in_which_nothing_applied_says_so() -> None:
    run = replace(samples.EMPTY.runs[0], rows=(samples.row(Outcome.NOT_APPLICABLE),))
    assert "no check applied" in verdict_line(Report((run,)))


def test_each_run_has_its_own_line() -> None:
    assert [run_line(run) for run in samples.BOTH.runs] == ["yea service: conforming", "byob table: conforming"]


def test_a_failed_row_in_full() -> None:
    row = samples.row(Outcome.FAILED, text=f'{{"sig":"{SIGNATURE}"}}', why="seen twice")
    assert details(row, SAYS) == [
        "A check that failed",
        "YEA-2.1-02 (MUST)  An oversize frame is refused.",
        "  wanted  ERROR bad_frame",
        '  got     {"sig":"q0oRkNAA…"}',
        "why  seen twice",
        "exchange (seconds, → sent, ← received)",
        '   0.250 → c1 (96 bytes): {"sig":"q0oRkNAA…"}',
        "   0.500 ← c1 (2 bytes): {}",
        "again  naysayer certify yea://127.0.0.1:7447 --replay yea/2.1/failed-one@tcp",
    ]


def test_a_row_without_findings_shows_what_it_was_about() -> None:
    row = replace(samples.row(Outcome.UNTESTED), transcript=(), title="", replay="", why="a\nb")
    assert details(row, SAYS) == ["YEA-2.1-02  An oversize frame is refused.", "why  a", "     b"]
    assert details(row, {})[0] == "YEA-2.1-02"


def test_a_why_that_repeats_the_findings_is_left_out() -> None:
    row = samples.row(Outcome.FAILED, why='YEA-2.1-02 (MUST): wanted ERROR bad_frame; got {"verb":"HELLO"}')
    assert not [line for line in details(row, SAYS) if line.startswith("why")]


def test_a_long_exchange_is_shown_from_both_ends() -> None:
    row = replace(samples.row(Outcome.FAILED), transcript=tuple(event(f"e{number}") for number in range(50)))
    shown = [line for line in details(row, SAYS) if line.startswith("   0.250")]
    assert [line.rsplit(" ")[-1] for line in shown] == [f"e{n}" for n in (*range(6), *range(36, 50))]
    assert "           … 30 events more in the report file" in details(row, SAYS)


@pytest.mark.parametrize("row", samples.HOSTILE.runs[0].rows, ids=lambda row: str(row.outcome))
def test_hostile_rows_are_safe_and_short(row: Row) -> None:
    lines = details(row, {"YEA-2.1-02": EVIL})
    assert all(line.isprintable() for line in lines)
    assert sum(map(len, lines)) < 20_000


def test_a_row_is_named_as_replay_takes_it() -> None:
    assert where(samples.row(name="a/b")) == "a/b@tcp"
    assert where(samples.row(name="a/b", transport=None)) == "a/b"


def test_reasons_are_grouped_the_most_frequent_first() -> None:
    rows = [samples.row(why=why, name=str(number)) for number, why in enumerate(["a", "b", "b", "", EVIL])]
    groups = reasons(rows)
    assert [(len(group), reason[:6]) for reason, group in groups.items()] == [
        (2, "b"),
        (1, "a"),
        (1, "no rea"),
        (1, "\\x1b[2"),
    ]


def test_unreached_reasons_are_counted() -> None:
    assert unreached_reasons(samples.FAILING.runs[0]) == [("no check evaluated it", 3)]
    assert unreached_reasons(samples.CONFORMING.runs[0]) == []


def test_a_known_row_is_told_with_its_reason() -> None:
    entry = Known("yea/2.1/a", reason="issue 7,\x1b[31m later", expires="2027-01-31")
    assert known_line(("yea/2.1/a", "tcp"), entry) == "yea/2.1/a@tcp (until 2027-01-31): issue 7,\\x1b[31m later"
    assert known_line(("x", None), Known("x", reason="y")) == "x: y"


def marked(*before: int) -> tuple[Event, ...]:
    events = [event(f"e{number}" + "x" * 2000) for number in range(20)]
    for place in before:
        events.insert(place, Event(1.0, Direction.NOTE, "", "✗ YEA-2.1-02, wanted a BRIEF", 0))
    return tuple(events)


def test_a_brief_row_shows_what_led_to_the_first_broken_expectation() -> None:
    row = replace(samples.row(Outcome.FAILED), transcript=marked(12, 7))
    lines = details(row, SAYS, brief=True)
    at = lines.index("exchange (seconds, → sent, ← received)") + 1
    assert [line.split(": ")[1][:3] for line in lines[at : at + 3]] == ["e4x", "e5x", "e6x"]
    assert lines[at + 3 :] == [
        "   1.000 ·: ✗ YEA-2.1-02, wanted a BRIEF",
        "           … 18 events more: run it again, or see the report file",
        f"again  {row.replay}",
    ]
    assert max(map(len, lines)) < 400


def test_a_brief_row_without_a_mark_shows_the_end() -> None:
    row = replace(samples.row(Outcome.UNTESTED), transcript=marked())
    shown = [line for line in details(row, SAYS, brief=True) if line.startswith("   0.250")]
    assert [line.split(": ")[1][:3] for line in shown] == ["e16", "e17", "e18", "e19"]


def test_a_brief_row_shows_its_first_findings_and_counts_the_others() -> None:
    findings = tuple(samples.finding("YEA-2.1-02", Outcome.FAILED, got=f"got {number}") for number in range(5))
    lines = details(replace(samples.row(Outcome.FAILED), findings=findings), SAYS, brief=True)
    assert [line for line in lines if "got " in line] == ["  got     got 0", "  got     got 1"]
    assert "and 3 expectations more not met" in lines
