"""From findings to a row: the worst counts, silence fails, and an error of ours hides nothing."""

from typing import Any

import pytest

from harness.catalogue import catalogue
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested
from harness.monitors import Tally
from harness.outcomes import Ending, early, monitor_row, row
from reports.model import Basis, Finding, Level, Outcome, Row
from reports.transcript import Direction, Event
from tests.harness.plans import MAY, MUST, RULE, SHOULD, make, monitor, passing

KNOWN = catalogue("yea")
CHECK = make("one", passing)
EVENTS = (Event(0.0, Direction.SENT, "tcp1", "{}", 2),)


def finding(outcome: Outcome, clause: str = MUST, ok: bool = False) -> Finding:
    return Finding(clause, Level(KNOWN.clause(clause).level), ok, f"w-{outcome}", f"g-{outcome}", outcome)


PASSED = finding(Outcome.PASSED, ok=True)
FAILED = finding(Outcome.FAILED)
WARNED = finding(Outcome.WARNED, SHOULD)
SILENCE = Finding(
    RULE, Level.RULE, False, "exactly one final reply to each request", "HELLO got no reply", Outcome.FAILED
)
SILENT = TargetFault("HELLO got no reply")
FAILED_WHY = f"{MUST} (MUST): wanted w-failed; got g-failed"
WARNED_WHY = f"{SHOULD} (SHOULD): wanted w-warned; got g-warned"
SILENCE_WHY = f"{RULE} (RULE): wanted exactly one final reply to each request; got HELLO got no reply"

Case = tuple[tuple[Finding, ...], BaseException | None, Outcome, str, tuple[Finding, ...]]
ENDINGS: dict[str, Case] = {
    "all is well": ((PASSED, PASSED), None, Outcome.PASSED, "", (PASSED, PASSED)),
    "one thing is not": ((PASSED, FAILED, PASSED), None, Outcome.FAILED, FAILED_WHY, (PASSED, FAILED, PASSED)),
    "a SHOULD": ((PASSED, WARNED), None, Outcome.WARNED, WARNED_WHY, (PASSED, WARNED)),
    "a SHOULD and a MUST": (
        (WARNED, FAILED),
        None,
        Outcome.FAILED,
        f"{WARNED_WHY}\n{FAILED_WHY}",
        (WARNED, FAILED),
    ),
    "nothing was evaluated": ((), None, Outcome.ERROR, "the check evaluated nothing", ()),
    "silence": ((PASSED,), SILENT, Outcome.FAILED, SILENCE_WHY, (PASSED, SILENCE)),
    "silence at once": ((), SILENT, Outcome.FAILED, SILENCE_WHY, (SILENCE,)),
    "the target went away": (
        (),
        TargetGone("HELLO got no reply"),
        Outcome.FAILED,
        SILENCE_WHY,
        (SILENCE,),
    ),
    "a failure, then silence": (
        (FAILED,),
        SILENT,
        Outcome.FAILED,
        f"{FAILED_WHY}\n{SILENCE_WHY}",
        (FAILED, SILENCE),
    ),
    "a precondition": ((PASSED,), Untested("no offer"), Outcome.UNTESTED, "no offer", (PASSED,)),
    "a precondition after a warning": ((WARNED,), Untested("no offer"), Outcome.UNTESTED, "no offer", (WARNED,)),
    "a precondition after a failure": ((FAILED,), Untested("no offer"), Outcome.FAILED, FAILED_WHY, (FAILED,)),
    "not applicable": ((), NotApplicable("no role"), Outcome.NOT_APPLICABLE, "no role", ()),
    "not applicable after a failure": ((FAILED,), NotApplicable("no role"), Outcome.FAILED, FAILED_WHY, (FAILED,)),
    "an error of ours": ((PASSED,), KeyError("x"), Outcome.ERROR, "KeyError: 'x'", (PASSED,)),
    "an error of ours at once": ((), RuntimeError(), Outcome.ERROR, "RuntimeError: ", ()),
    "a timeout of our own": ((), TimeoutError(), Outcome.ERROR, "TimeoutError: ", ()),
    "a failure, then an error of ours": (
        (FAILED,),
        KeyError("x"),
        Outcome.FAILED,
        f"{FAILED_WHY}\nafter that the check broke: KeyError: 'x'",
        (FAILED,),
    ),
    "a warning, then an error of ours": ((WARNED,), KeyError("x"), Outcome.ERROR, "KeyError: 'x'", (WARNED,)),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_how_a_check_ended_decides_its_row(name: str) -> None:
    findings, problem, outcome, why, kept = ENDINGS[name]
    shown = outcome in (Outcome.FAILED, Outcome.WARNED, Outcome.ERROR, Outcome.UNTESTED)
    assert row(CHECK, "tcp", Ending(findings, problem, 0.123456, EVENTS), KNOWN, "again") == Row(
        id="yea/0/one",
        title="one",
        clauses=(RULE, MUST, SHOULD, MAY),
        level=Level.RULE,
        basis=Basis.TEXT,
        transport="tcp",
        outcome=outcome,
        why=why,
        replay="again",
        seconds=0.1235,
        section="0",
        transcript=EVENTS if shown else (),
        findings=kept,
    )


def test_a_check_that_could_look_at_nothing_is_not_applicable() -> None:
    lacking = {MUST: "no state ask", RULE: "no state ask", SHOULD: "no lens"}
    made = row(CHECK, "tcp", Ending((), None, 0.0, lacking=lacking), KNOWN, "again")
    assert (made.outcome, made.why) == (Outcome.NOT_APPLICABLE, "no state ask; no lens")
    made = row(CHECK, "tcp", Ending((PASSED,), None, 0.0, lacking=lacking), KNOWN, "again")
    assert (made.outcome, made.why) == (Outcome.PASSED, "")


LEVELS = {
    (SHOULD, MUST): Level.MUST,
    (MAY, SHOULD): Level.MAY,
    (SHOULD, MAY): Level.SHOULD,
    (MAY, RULE, MUST): Level.RULE,
}


@pytest.mark.parametrize("clauses", LEVELS)
def test_a_row_has_the_level_of_its_first_binding_clause(clauses: tuple[str, ...]) -> None:
    made = row(make("one", passing, *clauses), "tcp", Ending((), None, 0.0), KNOWN, "")
    assert made.level == LEVELS[clauses]


def test_a_check_that_was_not_started_says_why() -> None:
    made = early(make("one", passing, basis="open"), "http", Untested("interrupted"), KNOWN, "again")
    assert (made.outcome, made.why, made.seconds, made.transcript, made.basis, made.transport) == (
        Outcome.UNTESTED,
        "interrupted",
        0.0,
        (),
        Basis.OPEN,
        "http",
    )


# Monitors


def judged(tally: Tally, clause: str = MUST, **options: Any) -> Row:
    entry = monitor("watch", "frame", lambda thing, memory: None, clause, **options)
    return monitor_row(entry, "tcp", tally, KNOWN, "again", lambda: EVENTS)


SEEN = Tally(seen=9)
OFFENDED = Tally(seen=9, offences=2, first="no id", where="yea/2.1/x tcp1", excerpt=b"{}")
GOT = "no id (first of 2, in yea/2.1/x tcp1)"


def test_a_monitor_that_saw_nothing_wrong_has_passed() -> None:
    clause = KNOWN.clause(MUST)
    assert judged(SEEN) == Row(
        id="yea/0/watch",
        title="watch",
        clauses=(MUST,),
        level=Level.MUST,
        basis=Basis.TEXT,
        transport="tcp",
        outcome=Outcome.PASSED,
        why="",
        replay="again",
        seconds=0.0,
        section="0",
        findings=(Finding(MUST, Level.MUST, True, clause.says, "9 seen", Outcome.PASSED),),
    )


def test_a_monitor_fails_with_its_first_offender() -> None:
    made, clause = judged(OFFENDED), KNOWN.clause(MUST)
    assert made.outcome == Outcome.FAILED
    assert made.findings == (Finding(MUST, Level.MUST, False, clause.says, GOT, Outcome.FAILED),)
    assert made.why == f"{MUST} (MUST): wanted {clause.says}; got {GOT}"
    assert made.transcript == EVENTS


def test_what_is_open_or_only_recommended_warns() -> None:
    assert judged(OFFENDED, SHOULD).outcome == Outcome.WARNED
    assert judged(OFFENDED, MAY).outcome == Outcome.WARNED
    assert judged(OFFENDED, RULE).outcome == Outcome.FAILED
    assert judged(OFFENDED, open_question="YEA-Q07").outcome == Outcome.WARNED
    assert judged(OFFENDED, soft=True).outcome == Outcome.WARNED
    assert judged(OFFENDED, soft=True).basis == Basis.OPEN


def test_a_monitor_that_saw_nothing_is_untested() -> None:
    made = judged(Tally())
    why = "the run saw no frame on this transport"
    assert (made.outcome, made.why, made.findings) == (Outcome.UNTESTED, why, ())
    made = judged(Tally(), optional=True)
    assert (made.outcome, made.why, made.findings) == (Outcome.NOT_APPLICABLE, why, ())


def test_a_monitor_that_broke_is_an_error_unless_it_saw_a_breach() -> None:
    made = judged(Tally(seen=3, broken="TypeError: x"))
    assert (made.outcome, made.why, made.findings) == (Outcome.ERROR, "TypeError: x", ())
    broken = Tally(seen=9, offences=2, first="no id", where="yea/2.1/x tcp1", broken="TypeError: x")
    assert judged(broken).outcome == Outcome.FAILED
