"""One trial of the selftest and how it ended."""

from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from harness.matrix import Tripped, tripped
from reports.model import Outcome, Row

NEUTRAL = (Outcome.PASSED, Outcome.NOT_APPLICABLE)


class Claim(Protocol):
    """What a fault says of itself: the ids that it must turn to an outcome, over which transports."""

    @property
    def id(self) -> str:
        """The fault's id."""

    @property
    def kills(self) -> tuple[str, ...]:
        """The ids of the rows that must fail, or warn."""

    @property
    def outcome(self) -> str:
        """What they must be."""

    @property
    def transports(self) -> tuple[str, ...]:
        """Over which transports."""


@dataclass(frozen=True)
class Trial:
    """One trial's end.

    `result` is `passed` for a control, `killed`, `survived` or `broken` for a fault; `why` explains a bad one. `broke`
    are the claimed ids, each with a clause that was seen to be broken there; `also` is what else a fault trips (with
    --matrix).
    """

    name: str
    result: str
    claims: tuple[str, ...] = ()
    why: str = ""
    broke: tuple[tuple[str, str], ...] = ()
    also: tuple[Tripped, ...] = ()

    @property
    def control(self) -> bool:
        """Whether it is a control and not a fault."""
        return self.name.startswith("control")

    @property
    def good(self) -> bool:
        """Whether the trial ended as it must: with --matrix, what else it trips is explained too."""
        return self.result in ("passed", "killed") and not self.unexplained

    @property
    def unexplained(self) -> tuple[Tripped, ...]:
        """What else it trips and nothing explains."""
        return tuple(each for each in self.also if not each.how)

    def as_json(self) -> dict[str, Any]:
        """Return the trial as plain data."""
        return asdict(self)


def broken_clauses(rows: Iterable[Row], claims: Container[str]) -> tuple[tuple[str, str], ...]:
    """Return the claimed ids among rows, each with every clause that an expectation there found broken."""
    found = {(row.id, finding.clause) for row in rows if row.id in claims for finding in row.findings if not finding.ok}
    return tuple(sorted(found))


def verdict(fault: Claim, rows: list[Row], absent: str) -> Trial:
    """Return how the trial of a fault ended.

    Args:
        fault: what was tried.
        rows: those that its claims are held against.
        absent: what is said of a claim without a row, as `does not run`.
    """
    by_claim: dict[str, list[Row]] = {claim: [] for claim in fault.kills}
    for row in rows:
        by_claim.get(row.id, []).append(row)
    missed = [
        f"{claim}@{row.transport} {row.outcome} {row.why}".strip()
        for claim, found in by_claim.items()
        for row in found
        if row.outcome != fault.outcome
    ]
    missed += [f"{claim} {absent} over {', '.join(fault.transports)}" for claim, found in by_claim.items() if not found]
    if missed:
        return Trial(fault.id, "survived", fault.kills, "; ".join(missed))
    return Trial(fault.id, "killed", fault.kills, broke=broken_clauses(rows, fault.kills))


def with_matrix(trial: Trial, rows: Iterable[Row]) -> Trial:
    """Return the trial of a fault with what else it trips among the rows of a run against everything."""
    if trial.result != "killed":
        return trial
    return replace(trial, also=tripped(trial.name, rows, trial.claims, (clause for _, clause in trial.broke)))
