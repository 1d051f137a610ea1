"""The selftest's part for adapters: every wrong operation against the vectors that claim to catch it.

For each operation two controls come first: the reference must answer every case right, and an adapter that answers
nonsense must answer none right.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from harness.adapters import judging
from harness.adapters.operations import BYOB_OPERATIONS, OPERATIONS, answer
from harness.adapters.process import Answer
from harness.catalogue import catalogue
from harness.faults import adapter as faults
from harness.faults.adapter import AdapterFault
from harness.trial import Trial
from reports.model import Outcome
from vectors import Case, load, suites

NONSENSE = {"ok": {"nonsense": True}}


def operations(protocol: str) -> list[str]:
    """Return the operations of a protocol that have vectors; none for one that has no pure functions."""
    return [file.op for file in load(protocol)] if protocol in suites() else []


def _protocol(op: str) -> str:
    return "byob" if op in BYOB_OPERATIONS else "yea"


@cache
def _cases(op: str) -> dict[str, Case]:
    return {case.id: case for file in load(_protocol(op)) if file.op == op for case in file.cases}


def run(op: str) -> list[Trial]:
    """Return the controls and the faults of one operation."""
    mine = [fault for fault in faults.load().values() if fault.op == op]
    return [_sound(op), _nonsense(op), *map(_against, mine)]


def _sound(op: str) -> Trial:
    bad = [case.id for case in _cases(op).values() if _outcome(case, answer(op, case.input)) != Outcome.PASSED]
    name = f"control: the reference's {op}"
    if bad or not _cases(op):
        return Trial(name, "failed", why=f"not passed: {', '.join(bad) or 'there is no case'}")
    return Trial(name, "passed", (f"{len(_cases(op))} cases",))


def _nonsense(op: str) -> Trial:
    """Nonsense may be no right answer; where the text is open it warns."""
    passed = [case.id for case in _cases(op).values() if _outcome(case, NONSENSE) == Outcome.PASSED]
    name = f"control: nonsense for {op}"
    return Trial(name, "failed" if passed else "passed", why=f"passed: {', '.join(passed)}" if passed else "")


def _against(fault: AdapterFault) -> Trial:
    cases = _cases(fault.op)
    unknown = [claim for claim in fault.kills if claim not in cases]
    if unknown or fault.op not in OPERATIONS:
        return Trial(fault.id, "broken", fault.kills, f"claims unknown cases: {', '.join(unknown)}")
    try:
        outcomes = {claim: _outcome(cases[claim], fault.wrong(dict(cases[claim].input))) for claim in fault.kills}
    except Exception as problem:  # a fault that raises instead of answering proves nothing
        return Trial(fault.id, "broken", fault.kills, f"{type(problem).__name__}: {problem}")
    missed = [f"{claim} {outcome}" for claim, outcome in outcomes.items() if outcome != Outcome.FAILED]
    if missed:
        return Trial(fault.id, "survived", fault.kills, "; ".join(missed))
    broke = tuple((claim, clause) for claim in fault.kills for clause in cases[claim].clauses)
    return Trial(fault.id, "killed", fault.kills, broke=broke)


def caught_by(op: str, wrong: Callable[[dict[str, Any]], Mapping[str, Any]]) -> str:
    """Return which cases fail on a wrong operation, in words; an empty string when none does."""
    caught = [case.id for case in _cases(op).values() if _outcome(case, wrong(dict(case.input))) != Outcome.PASSED]
    return f"it is listed: {', '.join(caught[:5])} find it" if caught else ""


def _outcome(case: Case, made: Mapping[str, Any]) -> Outcome:
    return judging.row(case, Answer(dict(made)), catalogue(_protocol(case.op)), "").outcome
