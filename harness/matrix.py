"""The matrix: what else a fault trips beside its claims, and why.

A check that fails on a fault which has nothing to do with it would send an implementer to the wrong line of the spec.
So each such row must be explained, in this order: it finds the clause broken that a claim does; it is of the same
section; its section says the same rule again (`harness.kinship`); or the fault reaches that far (`harness.reaches`).
What none of these explains is a mistake in the check, in the fault or in these tables.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from harness.kinship import kin
from harness.reaches import reaches
from reports.model import Outcome, Row

HOW = {
    "clause": "by the same clause",
    "section": "by one of the same section",
    "kin": "by one that says the same rule again",
    "reach": "because the fault reaches that far",
    "": "without an explanation",
}
FAILING = (Outcome.FAILED, Outcome.WARNED, Outcome.ERROR)


@dataclass(frozen=True)
class Tripped:
    """A row that a fault turned though it does not claim it.

    Args:
        check: the check or monitor.
        clause: the first clause that was found broken there; empty where none was.
        how: what explains it, a key of HOW; empty where nothing does.
        because: that in words; empty where nothing does.
    """

    check: str
    clause: str
    how: str
    because: str

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


def tripped(fault: str, rows: Iterable[Row], claims: Iterable[str], broke: Iterable[str]) -> tuple[Tripped, ...]:
    """Return what else a fault trips, by check.

    Args:
        fault: its id.
        rows: all that the run against it made.
        claims: the checks and monitors that the fault claims.
        broke: the clauses that were found broken there.
    """
    claimed, own = set(claims), frozenset(broke)
    found: dict[str, Tripped] = {}
    for row in rows:
        if row.outcome in FAILING and row.id not in claimed:
            broken = [finding.clause for finding in row.findings if not finding.ok]
            made = Tripped(row.id, broken[0] if broken else "", *_why(fault, row, broken, own))
            if row.id not in found or not made.how:
                found[row.id] = made
    return tuple(found[check] for check in sorted(found))


def summary(also: Iterable[Tripped]) -> str:
    """Return one line of counts of what faults trip beside their claims."""
    counts = Counter(each.how for each in also)
    parts = [f"{counts[how]:,} {told}" for how, told in HOW.items()]
    return f"beside their claims the faults trip {counts.total():,} checks: {', '.join(parts)}"


def section_of(clause: str) -> str:
    """Return a clause's protocol and section: `YEA-4.4` of `YEA-4.4-01`."""
    return clause.rpartition("-")[0]


def _why(fault: str, row: Row, broken: list[str], own: frozenset[str]) -> tuple[str, str]:
    if row.outcome is Outcome.ERROR:
        return "", ""
    if same := own & set(broken):
        return "clause", f"both find {min(same)} broken"
    mine, theirs = {*map(section_of, own)}, {*map(section_of, broken)}
    if mine & theirs:
        return "section", f"both are of {min(mine & theirs)}"
    rule = next((why for one in sorted(mine) for other in sorted(theirs) if (why := kin(one, other))), "")
    if rule:
        return "kin", rule
    far = reaches(fault)
    return ("reach", far) if far else ("", "")
