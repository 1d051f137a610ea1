"""From an adapter's answers to report rows: one row a case, on the transport `adapter`."""

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from harness.adapters import invariants
from harness.adapters.process import Answer
from harness.catalogue import Catalogue
from reports.model import BINDING, Basis, Finding, Level, Outcome, Row, explain
from reports.transcript import Recorder
from vectors import Case, answers

TRANSPORT = "adapter"
SHOWN = 1500


def row(case: Case, answer: Answer, catalogue: Catalogue, command: str) -> Row:
    """Return the report row of a case.

    Args:
        case: what was asked.
        answer: what came back.
        catalogue: gives the clauses' levels.
        command: the naysayer command that runs the vectors again, for the replay.
    """
    findings = _findings(case, answer, catalogue)
    outcome, why = _outcome(findings, answer, case)
    recorder = Recorder(lambda: 0.0)
    recorder.sent(TRANSPORT, _short({"op": case.op, **case.input}))
    recorder.received(TRANSPORT, _short(answer.value) if answer.value is not None else answer.broke)
    return Row(
        id=case.id,
        title=case.comment or case.id.partition("/")[2].replace("-", " "),
        clauses=case.clauses,
        level=_level(case.clauses, catalogue),
        basis=Basis(case.basis),
        transport=TRANSPORT,
        outcome=outcome,
        why=why,
        replay=f"{command} --replay {shlex.quote(case.id)}",
        seconds=0.0,
        section=catalogue.clause(case.clauses[0]).section,
        transcript=recorder.events if outcome in (Outcome.FAILED, Outcome.WARNED) else (),
        findings=findings,
    )


def _findings(case: Case, answer: Answer, catalogue: Catalogue) -> tuple[Finding, ...]:
    if answer.unsupported or not answer.asked:
        return ()
    if answer.value is None:
        return tuple(_finding(case, clause, catalogue, "an answer", answer.broke) for clause in case.clauses)
    if case.compare == "invariants":
        return _by_invariants(case, answer.value, catalogue)
    right = answers.is_right(case, answer.value)
    wanted = " or ".join(_short(each) for each in case.expected)
    got = _short(answer.value)
    return tuple(_finding(case, clause, catalogue, wanted, got, right) for clause in case.clauses)


def _by_invariants(case: Case, value: Mapping[str, Any], catalogue: Catalogue) -> tuple[Finding, ...]:
    ok = value.get("ok")
    if not isinstance(ok, Mapping):
        return (_finding(case, case.clauses[0], catalogue, "a fitted frame", _short(value)),)
    broken = invariants.problems(case.input, ok)
    bad = [_finding(case, clause, catalogue, "what section 8 keeps whole", text) for clause, text in broken]
    named = {clause for clause, _ in broken}
    good = [clause for clause in case.clauses if clause not in named]
    return (*bad, *(_finding(case, clause, catalogue, "kept", "kept", right=True) for clause in good))


def _finding(case: Case, clause: str, catalogue: Catalogue, wanted: str, got: str, right: bool = False) -> Finding:
    entry = catalogue.clause(clause)
    soft = case.basis == Basis.OPEN or not entry.strict
    outcome = Outcome.PASSED if right else Outcome.WARNED if soft else Outcome.FAILED
    return Finding(clause, Level(entry.level), right, wanted, got, outcome)


def _outcome(findings: Iterable[Finding], answer: Answer, case: Case) -> tuple[Outcome, str]:
    if answer.unsupported:
        return Outcome.NOT_APPLICABLE, f"the adapter does not support the operation {case.op}"
    if not answer.asked:
        return Outcome.UNTESTED, answer.broke
    bad = [finding for finding in findings if not finding.ok]
    if not bad:
        return Outcome.PASSED, ""
    basis = f" (basis: {case.basis}{', ' + case.question if case.question else ''})" if case.basis != "text" else ""
    worst = Outcome.FAILED if any(f.outcome == Outcome.FAILED for f in bad) else Outcome.WARNED
    return worst, explain(bad) + basis


def _level(clauses: tuple[str, ...], catalogue: Catalogue) -> Level:
    levels = [Level(catalogue.clause(clause).level) for clause in clauses]
    return next((level for level in levels if level in BINDING), levels[0])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"
