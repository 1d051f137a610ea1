"""A report against a baseline, as a table of situations: what is known, what happens today, what is said, the code."""

from dataclasses import dataclass, replace
from datetime import date

import pytest

from reports.against import accepting, compare
from reports.baseline import Against, Baseline, Gap, Kind, Known
from reports.model import Footer, Outcome, Report, Row, Run, Unreached
from reports.verdict import exit_code, verdict
from reports.words import change_line
from tests.reports import samples
from tests.reports.samples import HEADER, PASSED, SAYS, row

TODAY = date(2027, 1, 31)
NAME, OTHER = "yea/2.1/known", "yea/2.1/other"
IDS = {NAME, OTHER, *(each.id for each in PASSED)}
PASS, FAIL, WARN = Outcome.PASSED, Outcome.FAILED, Outcome.WARNED
ABSENT, UNTESTED, ERROR = Outcome.NOT_APPLICABLE, Outcome.UNTESTED, Outcome.ERROR


def report(rows: dict[str, Outcome], footer: Footer | None = None) -> Report:
    """A report in which every clause was exercised, and the row NAME ended so over each of these transports."""
    more = tuple(row(outcome, name=NAME, transport=transport) for transport, outcome in rows.items())
    return Report((Run(HEADER, (*PASSED, *more), footer or Footer(complete=True)),))


def held(made: Report, baseline: Baseline, *, strict: bool = False) -> Against:
    return compare(made, baseline, ids=IDS, clauses=set(SAYS), today=TODAY, strict=strict)


@dataclass
class Situation:
    """Entries, what the rows of one check are today, the exit code, the kinds of change, and what is accepted."""

    known: list[Known]
    rows: dict[str, Outcome]
    code: int
    kinds: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


ANY, TCP = Known(NAME, reason="x"), Known(NAME, "tcp", reason="x")
SITUATIONS = {
    "nothing is known and nothing fails": Situation([], {"tcp": PASS}, 0),
    "a failure that is not known": Situation([], {"tcp": FAIL}, 1, ("new",)),
    "an untested row that is not known": Situation([], {"tcp": UNTESTED}, 1, ("new",)),
    "a failure that is known": Situation([TCP], {"tcp": FAIL}, 0, (), ("tcp",)),
    "an untested row that is known": Situation([TCP], {"tcp": UNTESTED}, 0, (), ("tcp",)),
    "known over every transport": Situation([ANY], {"tcp": FAIL, "http": UNTESTED}, 0, (), ("tcp", "http")),
    "known over one of two transports": Situation([TCP], {"tcp": FAIL, "http": FAIL}, 1, ("new",), ("tcp",)),
    "known over a transport that is not run": Situation([TCP], {"http": PASS}, 0),
    "known as failed, and failed": Situation([replace(TCP, outcome=FAIL)], {"tcp": FAIL}, 0, (), ("tcp",)),
    "known as failed, now untested": Situation([replace(TCP, outcome=FAIL)], {"tcp": UNTESTED}, 1, ("other",)),
    "known as untested, now failed": Situation([replace(TCP, outcome=UNTESTED)], {"tcp": FAIL}, 1, ("other",)),
    "known, and now it passes": Situation([TCP], {"tcp": PASS}, 1, ("fixed",)),
    "known, and now it warns": Situation([TCP], {"tcp": WARN}, 1, ("fixed",)),
    "known, and it passes over both": Situation([ANY], {"tcp": PASS, "http": PASS}, 1, ("fixed",)),
    "known over both, and one passes": Situation([ANY], {"tcp": PASS, "http": FAIL}, 0, (), ("http",)),
    "known, and it does not apply today": Situation([TCP], {"tcp": ABSENT}, 0),
    "known over both, the rest absent": Situation([ANY], {"tcp": PASS, "http": ABSENT}, 1, ("fixed",)),
    "known, and the check broke": Situation([TCP], {"tcp": ERROR}, 3),
    "known over both, one passes and one broke": Situation([ANY], {"tcp": PASS, "http": ERROR}, 3),
    "known, and not selected": Situation([Known(OTHER, reason="x")], {"tcp": PASS}, 0),
    "known, and there is no such check": Situation([Known("yea/2.1/gone", reason="x")], {"tcp": PASS}, 1, ("unknown",)),
    "the last day": Situation([replace(TCP, expires="2027-01-31")], {"tcp": FAIL}, 0, (), ("tcp",)),
    "the day after": Situation([replace(TCP, expires="2027-01-30")], {"tcp": FAIL}, 1, ("expired",)),
    "expired, and it passes": Situation([replace(TCP, expires="2027-01-30")], {"tcp": PASS}, 1, ("fixed",)),
    "expired, and not applicable": Situation([replace(TCP, expires="2027-01-30")], {"tcp": ABSENT}, 0),
    "expired, and not selected": Situation([Known(OTHER, reason="x", expires="2027-01-30")], {"tcp": PASS}, 0),
    "one transport has an entry of its own": Situation([ANY, TCP], {"tcp": FAIL, "http": FAIL}, 0, (), ("tcp", "http")),
    "the entry of its own is not needed": Situation([ANY, TCP], {"tcp": PASS, "http": FAIL}, 1, ("fixed",), ("http",)),
}  # fmt: skip


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_baseline_forgives_just_what_it_names(name: str) -> None:
    case = SITUATIONS[name]
    made = report(case.rows)
    found = held(made, Baseline(tuple(case.known)))
    assert tuple(change.kind for change in found.changes) == case.kinds
    assert set(found.known) == {(NAME, transport) for transport in case.accepted}
    assert exit_code(made, against=found) == case.code


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_is_written_brings_nothing_new(name: str) -> None:
    """With reasons, what is written today accepts today; only an expired entry has to be renewed by hand."""
    case = SITUATIONS[name]
    made = report(case.rows)
    again = held(made, accepting(made, Baseline(tuple(case.known)), ids=IDS, strict=False))
    expired = any(entry.expired(TODAY) for entry in case.known) and FAIL in case.rows.values()
    assert tuple(change.kind for change in again.changes) == (("expired",) if expired else ())


def test_a_report_needs_no_baseline_to_fail() -> None:
    assert exit_code(report({"tcp": FAIL})) == exit_code(report({"tcp": FAIL}), against=Against()) == 1


def test_a_known_failure_stays_non_conforming() -> None:
    assert verdict(report({"tcp": FAIL})) == "non-conforming"


SENTENCES = {
    "a failure that is not known": (
        "yea/2.1/known@tcp failed, and the baseline does not know it: fix it, or give it an entry with a reason"
    ),
    "known as failed, now untested": (
        "yea/2.1/known@tcp is known as failed, and now untested: fix it, or change the entry's outcome"
    ),
    "the day after": (
        "yea/2.1/known@tcp failed, and its entry expired on 2027-01-30: fix it, or give the entry a later day"
    ),
    "known, and it passes over both": "yea/2.1/known is in the baseline, and now passed: take the entry out",
    "known, and there is no such check": (
        "yea/2.1/gone is in the baseline, and there is no such check: correct the entry, or take it out"
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_a_change_says_what_to_do(name: str) -> None:
    case = SITUATIONS[name]
    (change,) = held(report(case.rows), Baseline(tuple(case.known))).changes
    assert change_line(change) == SENTENCES[name]


# Clauses that were not exercised

CLAUSE = "YEA-2.1-02"


def without(*, declared: bool, rows: tuple[Row, ...] = ()) -> Report:
    """A report in which one clause was not exercised."""
    others = tuple(each for each in PASSED if each.clauses != (CLAUSE,))
    footer = Footer(complete=True, unreached=(Unreached(CLAUSE, "the profile has no role", declared),))
    return Report((Run(HEADER, (*others, *rows), footer),))


EVERY = report({})
BEHIND = (row(UNTESTED, name=NAME, clause=CLAUSE),)
GAPS: dict[str, tuple[Report, Baseline, bool, int, tuple[str, ...]]] = {
    "an undeclared gap": (without(declared=False), Baseline(), False, 1, ("new-gap",)),
    "a declared gap": (without(declared=True), Baseline(), False, 0, ()),
    "a declared gap, strictly": (without(declared=True), Baseline(), True, 1, ("new-gap",)),
    "a known gap": (without(declared=False), Baseline(gaps=(Gap(CLAUSE, "x"),)), False, 0, ()),
    "a known gap, strictly": (without(declared=True), Baseline(gaps=(Gap(CLAUSE, "x"),)), True, 0, ()),
    "another known gap": (
        without(declared=False), Baseline(gaps=(Gap("YEA-4.4-03", "x"),)), False, 1, ("new-gap", "fixed-gap"),
    ),
    "a gap that is none any more": (EVERY, Baseline(gaps=(Gap(CLAUSE, "x"),)), False, 1, ("fixed-gap",)),
    "no such clause": (EVERY, Baseline(gaps=(Gap("YEA-9-99", "x"),)), False, 1, ("unknown",)),
    "a gap behind a known row": (without(declared=False, rows=BEHIND), Baseline((TCP,)), False, 0, ()),
    "a gap behind a row that is not known": (
        without(declared=False, rows=BEHIND), Baseline(), False, 1, ("new", "new-gap"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GAPS)
def test_a_gap_needs_an_entry(name: str) -> None:
    made, baseline, strict, code, kinds = GAPS[name]
    found = held(made, baseline, strict=strict)
    assert tuple(change.kind for change in found.changes) == kinds
    assert exit_code(made, strict=strict, against=found) == code
    written = accepting(made, baseline, ids=IDS, strict=strict)
    again = held(made, written, strict=strict)
    assert tuple(kind for kind in kinds if kind == "unknown") == tuple(change.kind for change in again.changes)


def test_an_error_of_ours_outranks_a_gap_and_no_breach() -> None:
    broken = without(declared=False, rows=(row(ERROR, name=NAME),))
    assert exit_code(broken, against=held(broken, Baseline())) == 3
    stale = Baseline((Known(PASSED[0].id, reason="x"),))
    assert exit_code(broken, against=held(broken, stale)) == 1


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (Kind.NEW_GAP, "YEA-2.1-02 was not exercised, and the baseline does not know it: make it so, or list it under gaps"),  # noqa: E501
        (Kind.FIXED_GAP, "YEA-4.4-03 is in the baseline as not exercised, and now it was: take the entry out"),
    ],
)  # fmt: skip
def test_a_gap_says_what_to_do(kind: Kind, line: str) -> None:
    made, baseline, *_ = GAPS["another known gap"]
    assert [change_line(change) for change in held(made, baseline).changes if change.kind is kind] == [line]


# Writing


def test_what_is_written_has_no_reasons() -> None:
    made = accepting(samples.FAILING, Baseline(), ids=set(), strict=False)
    assert made == Baseline(
        (Known("yea/2.1/failed-one", "tcp", FAIL), Known("yea/2.1/untested-one", "tcp", UNTESTED)),
        (Gap("YEA-2.1-01"), Gap("YEA-4.4-03")),
    )


def test_what_is_written_again_keeps_what_is_still_true() -> None:
    wide = Known(NAME, reason="issue 7", expires="2027-06-30")
    unrun = Known(OTHER, "http", reason="issue 8")
    gone, fixed = Known("yea/2.1/gone", reason="issue 9"), Known(PASSED[0].id, reason="issue 10")
    before = Baseline((wide, unrun, gone, fixed), (Gap(CLAUSE, "issue 11"),))
    made = accepting(report({"tcp": FAIL, "http": FAIL}), before, ids=IDS, strict=False)
    assert made == Baseline((wide, unrun))


def test_what_fails_in_another_way_is_written_without_its_old_reason() -> None:
    before = Baseline((Known(NAME, "tcp", FAIL, "issue 7"),))
    made = accepting(report({"tcp": UNTESTED}), before, ids=IDS, strict=False)
    assert made == Baseline((Known(NAME, "tcp", UNTESTED),))


def test_one_transport_that_fails_in_another_way_gets_an_entry_of_its_own() -> None:
    before = Baseline((Known(NAME, None, FAIL, "issue 7"),))
    made = accepting(report({"tcp": FAIL, "http": UNTESTED}), before, ids=IDS, strict=False)
    assert made == Baseline((*before.rows, Known(NAME, "http", UNTESTED)))
