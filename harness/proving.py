"""The proof of the checks: for each clause in reach, what looks at it and the fault on which that was seen to fail.

A clause is proven when a fault was killed on which an expectation that names it failed. Where a check names several
clauses and its faults break others of them, the clause is only shown through the check.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.catalogue import Clause
from harness.trial import Trial


@dataclass(frozen=True)
class Proof:
    """A clause with what proves it.

    `by` are pairs of a check, monitor or vector and a fault. `own` says that the fault breaks this very clause there;
    else it breaks another one of that check. Neither: the clause is unproven.
    """

    clause: str
    level: str
    by: tuple[tuple[str, str], ...]
    own: bool

    def as_json(self) -> dict[str, Any]:
        """Return the proof as plain data."""
        pairs = [{"check": check, "fault": fault} for check, fault in self.by]
        return {"clause": self.clause, "level": self.level, "own": self.own, "by": pairs}


def proofs(clauses: Sequence[Clause], named: dict[str, list[str]], trials: Sequence[Trial]) -> list[Proof]:
    """Return a proof for each clause, permissions (MAY) aside.

    Args:
        clauses: those in reach.
        named: for each clause the checks, monitors and vectors that name it.
        trials: how the faults ended.
    """
    own: dict[str, list[tuple[str, str]]] = {}
    seen_red: dict[str, str] = {}
    for trial in trials:
        if trial.result == "killed":
            for check, broken in trial.broke:
                own.setdefault(broken, []).append((check, trial.name))
            for check in trial.claims:
                seen_red.setdefault(check, trial.name)
    made = []
    for clause in clauses:
        if clause.level != "MAY":
            through = [(check, seen_red[check]) for check in named.get(clause.id, ()) if check in seen_red]
            by = own.get(clause.id) or through
            made.append(Proof(clause.id, clause.level, tuple(dict.fromkeys(by)), clause.id in own))
    return made


def told(made: Sequence[Proof]) -> str:
    """Return one line of counts."""
    own = sum(proof.own for proof in made)
    unproven = [proof.clause for proof in made if not proof.by]
    named = f": {', '.join(unproven)}" if unproven else ""
    through = len(made) - own - len(unproven)
    return (
        f"{len(made)} clauses in reach: {own} with a fault that breaks them, {through} through a check that was seen "
        f"to fail on another clause, {len(unproven)} unproven{named}"
    )
