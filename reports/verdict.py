"""From what a run found to a verdict and an exit code.

The verdict is of the target, the exit code is for scripts: known failures in a baseline change the code and
never the verdict. Rules, not formats; the words that people read are in the renderers.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from reports.baseline import KNOWABLE, Against, Kind
from reports.model import BINDING, INTERRUPTED, Outcome, Report, Run, Unreached


class Verdict(StrEnum):
    """What is said of a target."""

    CONFORMING = "conforming"
    PARTIAL = "partial"
    NON_CONFORMING = "non-conforming"


EXIT_OK: Final = 0
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_ERROR: Final = 3
EXIT_INTERRUPTED: Final = 130

LIBRARY: Final = "library"
"""The role of a run through an adapter."""


def gaps(run: Run) -> tuple[Unreached, ...]:
    """The MUST, MUST NOT and RULE clauses in scope that no expectation evaluated."""
    binding = {clause.id for clause in run.header.clauses if clause.level in BINDING}
    return tuple(clause for clause in run.unreached if clause.id in binding)


def unsupported(run: Run) -> int:
    """How many rows of a library's run do not apply: each is of an operation that its adapter does not have.

    Other operations may exercise the same clauses, so this is no matter of gaps.
    """
    return run.counts[Outcome.NOT_APPLICABLE] if run.header.scope.role == LIBRARY else 0


def run_verdict(run: Run) -> Verdict:
    """The verdict of one run.

    Non-conforming if a row failed. Else partial if a binding clause in scope was not exercised, an adapter lacks an
    operation, the run is incomplete, a row is an error or untested, or nothing was evaluated at all. Else conforming.
    """
    counts = run.counts
    if counts[Outcome.FAILED]:
        return Verdict.NON_CONFORMING
    unsure = counts[Outcome.ERROR] or counts[Outcome.UNTESTED] or not run.complete
    if unsure or not _judged(run) or gaps(run) or unsupported(run):
        return Verdict.PARTIAL
    return Verdict.CONFORMING


def verdict(report: Report) -> Verdict:
    """The worst verdict of the report's runs."""
    return worst_verdict(run_verdict(run) for run in report.runs)


def worst_verdict(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of one or more verdicts."""
    order = list(Verdict)
    return max(verdicts, key=order.index)


def exit_code(report: Report, *, strict: bool = False, against: Against | None = None) -> int:
    """The exit code of the command that made the report.

    `against` is the report held against a baseline, if there is one. The first that holds: 130 the person ended the
    run; 2 nothing was selected; 1 a row failed or was untested and the baseline does not accept it, or the baseline
    has an entry that is not true; 3 an error of ours, or a run without a footer; 1 a run is incomplete or judged
    nothing, or a binding clause was not exercised, is not in the baseline, and is undeclared (with `strict`: declared
    or not); 1 with `strict` when an adapter lacks an operation; else 0. A breach is a fact about the target that no
    error of ours undoes: that is why it comes before the 3.
    """
    known = against or Against()
    footers = [run.footer for run in report.runs]
    open_gaps = (
        clause
        for run in report.runs
        for clause in gaps(run)
        if clause.id not in known.gaps and (strict or not clause.declared)
    )
    breaches = (row for row in report.rows() if row.outcome in KNOWABLE and row.key not in known.known)
    untrue = (change for change in known.changes if change.kind is not Kind.NEW_GAP)
    rules = (
        (any(footer and footer.interrupted == INTERRUPTED for footer in footers), EXIT_INTERRUPTED),
        (report.complete and not any(report.rows()), EXIT_USAGE),
        (any(breaches) or any(untrue), EXIT_FAILED),
        (report.counts[Outcome.ERROR] > 0 or None in footers, EXIT_ERROR),
        (not report.complete, EXIT_FAILED),
        (not all(_judged(run) for run in report.runs), EXIT_FAILED),
        (any(open_gaps), EXIT_FAILED),
        (strict and any(map(unsupported, report.runs)), EXIT_FAILED),
    )
    return next((code for holds, code in rules if holds), EXIT_OK)


def _judged(run: Run) -> bool:
    # The false green of an empty run: where every row is skipped, nothing was said of the target.
    return any(row.outcome in (Outcome.PASSED, Outcome.WARNED, Outcome.FAILED) for row in run.rows)
