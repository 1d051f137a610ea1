"""One trial of the selftest and how it ended."""

from collections.abc import Container, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from reports.model import Row


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
