"""From what a check found, or how it ended, to its row in the report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from harness.catalogue import Catalogue
from harness.check import Check
from harness.errors import NotApplicable, TargetFault, Verdict
from harness.monitors import Monitor, Tally
from harness.showing import readable
from reports.model import BINDING, Basis, Finding, Level, Outcome, Row, explain, worst
from reports.transcript import Event

# Silence, junk or a close where an answer is due breaks this clause of each protocol, whatever else was asked. No
# clause says so of clients: what one that hangs or crashes has broken is what the check was about.
ANSWER_DUE = {"yea": "YEA-2.2-01", "byob": "BYOB-2-01", "byob-bridge": "BYOB-2-22"}
DUE = {
    "yea-client": "a client that ends by itself, with one result for each job (docs/client-contract.md)",
    "byob-bridge": "an MCP server that answers each request in time, and prints nothing but messages",
    "byob": "one whole answer to each request, its body JSON",
}
_BREACHES = (Outcome.FAILED, Outcome.WARNED)


@dataclass(frozen=True)
class Ending:
    """How a check ended: its findings, the exception that ended it early, if any, and what it could not look at."""

    findings: tuple[Finding, ...]
    problem: BaseException | None
    seconds: float
    events: tuple[Event, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)


def row(check: Check, transport: str, ending: Ending, catalogue: Catalogue, replay: str) -> Row:
    """Return the report row for a check that ran."""
    findings, outcome, why = _judge(check, ending, catalogue)
    breached = outcome in (*_BREACHES, Outcome.ERROR, Outcome.UNTESTED)
    return Row(
        id=check.id,
        title=check.title,
        clauses=check.clauses,
        level=_level(check.clauses, catalogue),
        basis=Basis(check.basis),
        transport=transport,
        outcome=outcome,
        why=why,
        replay=replay,
        seconds=round(ending.seconds, 4),
        section=check.section,
        transcript=tuple(map(readable, ending.events)) if breached else (),
        findings=findings,
    )


def _judge(check: Check, ending: Ending, catalogue: Catalogue) -> tuple[tuple[Finding, ...], Outcome, str]:
    findings, problem = ending.findings, ending.problem
    if isinstance(problem, TargetFault):
        findings = (*findings, _no_answer(check, problem, catalogue))
    elif isinstance(problem, Verdict) and not any(f.outcome == Outcome.FAILED for f in findings):
        outcome = Outcome.NOT_APPLICABLE if isinstance(problem, NotApplicable) else Outcome.UNTESTED
        return findings, outcome, problem.why
    elif problem is not None and not isinstance(problem, Verdict):
        return _broken(findings, f"{type(problem).__name__}: {problem}")
    if not findings and ending.lacking:
        return findings, Outcome.NOT_APPLICABLE, "; ".join(dict.fromkeys(ending.lacking.values()))
    if not findings:
        return findings, Outcome.ERROR, "the check evaluated nothing"
    outcome = worst(finding.outcome for finding in findings)
    why = explain(findings)
    if isinstance(problem, TargetFault) and problem.why not in why:
        why = f"{why}\n{problem.why}"
    return findings, outcome, why


def _broken(findings: tuple[Finding, ...], error: str) -> tuple[tuple[Finding, ...], Outcome, str]:
    """An error of ours says nothing about the target, but a breach that was seen before it stays one."""
    if any(finding.outcome == Outcome.FAILED for finding in findings):
        return findings, Outcome.FAILED, f"{explain(findings)}\nafter that the check broke: {error}"
    return findings, Outcome.ERROR, error


def _no_answer(check: Check, problem: TargetFault, catalogue: Catalogue) -> Finding:
    clause = catalogue.clause(ANSWER_DUE.get(check.protocol, check.clauses[0]))
    return Finding(
        clause.id,
        Level(clause.level),
        False,
        DUE.get(check.protocol, "exactly one final reply to each request"),
        problem.why,
        Outcome.FAILED,
    )


def early(check: Check, transport: str, verdict: Verdict, catalogue: Catalogue, replay: str) -> Row:
    """Return the row of a check that was not started, for the reason the verdict gives."""
    return row(check, transport, Ending((), verdict, 0.0), catalogue, replay)


def monitor_row(
    entry: Monitor,
    transport: str,
    tally: Tally,
    catalogue: Catalogue,
    replay: str,
    recorded: Callable[[], tuple[Event, ...]],
    missing: str = "",
) -> Row:
    """Return the row of a monitor at the end of a run.

    `recorded` renders the first offender for the transcript, `missing` says what the profile lacks to show it anything.
    """
    clause = catalogue.clause(entry.clause)
    bad = Outcome.FAILED if clause.strict and not entry.open else Outcome.WARNED
    got = f"{tally.first} (first of {tally.offences}, in {tally.where})" if tally.offences else f"{tally.seen} seen"
    judged = bad if tally.offences else Outcome.PASSED
    finding = Finding(clause.id, Level(clause.level), not tally.offences, clause.says, got, judged)
    if tally.offences:
        outcome, why = bad, explain([finding])
    elif tally.broken:
        outcome, why = Outcome.ERROR, tally.broken
    elif tally.seen:
        outcome, why = Outcome.PASSED, ""
    else:
        outcome = Outcome.NOT_APPLICABLE if entry.optional or missing else Outcome.UNTESTED
        why = missing or f"the run saw no {entry.over} on this transport"
    return Row(
        id=entry.id,
        title=entry.title,
        clauses=(entry.clause,),
        level=Level(clause.level),
        basis=Basis.OPEN if entry.open else Basis.TEXT,
        transport=transport,
        outcome=outcome,
        why=why,
        replay=replay,
        seconds=0.0,
        section=entry.id.split("/")[1],
        transcript=recorded() if tally.offences else (),
        findings=(finding,) if tally.seen and outcome != Outcome.ERROR else (),
    )


def _level(clauses: tuple[str, ...], catalogue: Catalogue) -> Level:
    """A row's level is that of its first binding clause, or of its first clause when none binds."""
    levels = [Level(catalogue.clause(clause).level) for clause in clauses]
    return next((level for level in levels if level in BINDING), levels[0])
