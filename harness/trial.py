"""One trial of the selftest and how it ended."""

from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

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

    `result` is `passed` for a control, `killed`, `survived` or `broken` for a fault; `why` explains a bad one; `also`
    are the ids of further rows that a fault trips (with --matrix). `broke` are the claimed ids, each with a clause
    that was seen to be broken there.
    """

    name: str
    result: str
    claims: tuple[str, ...] = ()
    why: str = ""
    also: tuple[str, ...] = field(default=())
    broke: tuple[tuple[str, str], ...] = ()

    @property
    def control(self) -> bool:
        """Whether it is a control and not a fault."""
        return self.name.startswith("control")

    @property
    def good(self) -> bool:
        """Whether the trial ended as it must."""
        return self.result in ("passed", "killed")

    def as_json(self) -> dict[str, Any]:
        """Return the trial as plain data."""
        return asdict(self)


def broken_clauses(rows: Iterable[Row], claims: Container[str]) -> tuple[tuple[str, str], ...]:
    """Return the claimed ids among rows, each with every clause that an expectation there found broken."""
    found = {(row.id, finding.clause) for row in rows if row.id in claims for finding in row.findings if not finding.ok}
    return tuple(sorted(found))


def verdict(fault: Claim, rows: list[Row], claimed: list[Row], absent: str, *, matrix: bool) -> Trial:
    """Return how the trial of a fault ended.

    Args:
        fault: what was tried.
        rows: all that the run made.
        claimed: those of them that its claims are held against.
        absent: what is said of a claim without a row, as `does not run`.
        matrix: whether to tell what else it trips.
    """
    by_claim: dict[str, list[Row]] = {claim: [] for claim in fault.kills}
    for row in claimed:
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
    also = sorted({row.id for row in rows if row.outcome not in NEUTRAL and row.id not in fault.kills})
    return Trial(
        fault.id, "killed", fault.kills, also=tuple(also) if matrix else (), broke=broken_clauses(rows, fault.kills)
    )
