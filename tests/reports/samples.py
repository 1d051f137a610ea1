"""Reports to render in tests: every outcome, every verdict, hostile text, and next to nothing."""

from dataclasses import replace

from reports.model import (
    INTERRUPTED,
    Basis,
    ClauseInfo,
    Finding,
    Footer,
    Header,
    Level,
    Outcome,
    Report,
    Row,
    Run,
    Scope,
    Unreached,
    Versions,
)
from reports.transcript import Direction, Event
from reports.verdict import Verdict

SIGNATURE = "q0oRkN" + "A" * 80
EVIL = (
    "\x1b[2J\x1b]0;owned\x07[bold red]markup[/] \u202egnol\u2066 \x00\x08\x9b31m \ud800 \udfff \ufffe ]]> <b>&amp;\r\n"
)
HUGE = EVIL + "x" * 10_000_000

CLAUSES = (
    ClauseInfo("YEA-2.1-01", Level.RULE, "2.1"),
    ClauseInfo("YEA-2.1-02", Level.MUST, "2.1"),
    ClauseInfo("YEA-4.4-03", Level.MUST_NOT, "4.4"),
    ClauseInfo("YEA-8-04", Level.SHOULD, "8"),
)
SAYS = {
    "YEA-2.1-01": "Each frame is one JSON object.",
    "YEA-2.1-02": "An oversize frame is refused.",
    "YEA-4.4-03": "A conflict does not reveal the hash.",
    "YEA-8-04": "A short reply fits the budget.",
}
SECTIONS = {"yea": {"2.1": "Frames", "4.4": "COMMIT", "8": "Budgets"}}
LEVELS = {clause.id: clause.level for clause in CLAUSES}

HEADER = Header(
    target="yea://127.0.0.1:7447",
    started="2025-01-02T03:04:05Z",
    versions=Versions("0.1.0", "1", "1"),
    scope=Scope("yea", "service", ("tcp", "http")),
    seed=7,
    clauses=CLAUSES,
)
BYOB = replace(
    HEADER,
    scope=Scope("byob", "table", ("http", "mcp")),
    clauses=(ClauseInfo("BYOB-3-01", Level.RULE, "3"),),
)


def event(text: str, direction: Direction = Direction.SENT, at: float = 0.25) -> Event:
    return Event(at, direction, "c1", text, len(text))


def finding(clause: str, outcome: Outcome, wanted: str = "ERROR bad_frame", got: str = "silence") -> Finding:
    level = LEVELS.get(clause, Level.RULE)
    return Finding(clause, level, outcome is Outcome.PASSED, wanted, got, outcome)


def row(
    outcome: Outcome = Outcome.PASSED,
    *,
    name: str = "",
    transport: str | None = "tcp",
    clause: str = "YEA-2.1-02",
    why: str | None = None,
    text: str = '{"verb":"HELLO"}',
) -> Row:
    """One row of that outcome, with the findings and the transcript that such a row has."""
    judged = outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.WARNED)
    section = clause.split("-")[1]
    check = name or f"yea/{section}/{outcome.value.replace('_', '-')}-one"
    reasons = {
        Outcome.NOT_APPLICABLE: "the profile has no role big-ask",
        Outcome.UNTESTED: "the first control was refused",
        Outcome.ERROR: "KeyError: 'proposals'",
    }
    return Row(
        id=check,
        title=f"A check that {outcome}",
        clauses=(clause,),
        level=LEVELS.get(clause, Level.RULE),
        basis=Basis.OPEN if outcome is Outcome.WARNED else Basis.TEXT,
        transport=transport,
        outcome=outcome,
        why=reasons.get(outcome, "") if why is None else why,
        replay=f"naysayer certify yea://127.0.0.1:7447 --replay {check}@{transport}",
        seconds=0.125,
        section=section,
        transcript=(event(text), event("{}", Direction.RECEIVED, 0.5)),
        findings=(finding(clause, outcome, got=text),) if judged else (),
    )


def all_outcomes() -> tuple[Row, ...]:
    return tuple(row(outcome) for outcome in Outcome)


PASSED = tuple(row(name=f"yea/{clause.section}/{clause.id.lower()}", clause=clause.id) for clause in CLAUSES)
UNREACHED = (Unreached("YEA-4.4-03", "the profile has no role racing", declared=True),)
CONFORMING = Report((Run(HEADER, PASSED, Footer(complete=True, exercised=tuple(SAYS))),))
PARTIAL = Report((Run(HEADER, (*PASSED[:2], PASSED[3]), Footer(complete=True, unreached=UNREACHED)),))
FAILING = Report((Run(HEADER, all_outcomes(), Footer(complete=True, notes=("adapter lacks fit",))),))
STOPPED = Report(
    (
        Run(
            HEADER,
            (PASSED[0], row(Outcome.UNTESTED, why="interrupted")),
            Footer(complete=False, interrupted=INTERRUPTED),
        ),
    )
)
TORN = Report((Run(HEADER, PASSED[:1]),))
EMPTY = Report((Run(replace(HEADER, clauses=()), (), Footer(complete=True)),))
BOTH = Report(
    (
        CONFORMING.runs[0],
        Run(
            BYOB,
            (row(name="byob/3/join", clause="BYOB-3-01", transport="http"),),
            Footer(complete=True, exercised=("BYOB-3-01",)),
        ),
    )
)
HOSTILE = Report(
    (
        Run(
            replace(HEADER, target=EVIL),
            tuple(replace(row(outcome, why=EVIL, text=HUGE), title=EVIL, replay=EVIL) for outcome in Outcome),
            Footer(complete=True, unreached=(Unreached("YEA-8-04", EVIL, declared=False),), notes=(HUGE,)),
        ),
    )
)

REPORTS = {
    "conforming": CONFORMING,
    "partial": PARTIAL,
    "failing": FAILING,
    "stopped": STOPPED,
    "torn": TORN,
    "empty": EMPTY,
    "both": BOTH,
    "hostile": HOSTILE,
}
VERDICTS = {
    "conforming": Verdict.CONFORMING,
    "partial": Verdict.PARTIAL,
    "failing": Verdict.NON_CONFORMING,
    "stopped": Verdict.PARTIAL,
    "torn": Verdict.PARTIAL,
    "empty": Verdict.PARTIAL,
    "both": Verdict.CONFORMING,
    "hostile": Verdict.NON_CONFORMING,
}
