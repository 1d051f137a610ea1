"""Rows that ended alike: a target with one fault may fail a hundred checks, and a person wants to read it once.

Rows are alike when what came in place of what was wanted is the same, but for names, numbers and quoted text. What was
let pass looks the same whatever should have stopped it, so then the section of the broken clause has to be the same
too. All that is a guess, for reading only: nothing is judged by it, and no row is left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reports.model import Finding, Row
from reports.text import cut, plain

_SHAPE: Final = 80
_LET_PASS: Final = ("ANSWER", "BRIEF", "PROPOSALS", "RECEIPT")
# What differs from one check to the next though the same thing happened.
_PARTICULARS: Final = (
    (re.compile(r"^[A-Z]+ got "), ""),
    (re.compile(r'"(?:[^"\\]|\\.)*"'), "…"),
    (re.compile(r"\d+(?:[.,]\d+)*"), "0"),
    (re.compile(r" for the role [\w-]+"), ""),
)


@dataclass(frozen=True)
class Alike:
    """Rows that ended alike, at least one of them.

    Args:
        shape: what came in the first, in a few words that are safe to show.
        rows: in the order in which they were given.
    """

    shape: str
    rows: tuple[Row, ...]

    @property
    def checks(self) -> int:
        """How many checks they are of; one that ran over four transports counts once."""
        return len({row.id for row in self.rows})


def alike(rows: Iterable[Row]) -> list[Alike]:
    """Return the rows in groups that ended alike, the smallest first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[_key(_came(row)) + _section(row)].append(row)
    return sorted((Alike(_shape(group[0]), tuple(group)) for group in groups.values()), key=lambda group: group.checks)


def decisive(row: Row) -> Finding | None:
    """Return the first finding that made a row what it is: none where it ended before an expectation was not met."""
    bad = [found for found in row.findings if not found.ok]
    return next((found for found in bad if found.outcome is row.outcome), bad[0] if bad else None)


def _came(row: Row) -> str:
    found = decisive(row)
    return row.why if found is None else found.got


def _section(row: Row) -> str:
    """Return the section of the clause that a row broke by letting something pass, as ` YEA-6.3`; else nothing."""
    found = decisive(row)
    return f" {found.clause.rpartition('-')[0]}" if found is not None and found.got in _LET_PASS else ""


def _shape(row: Row) -> str:
    return plain(cut(_PARTICULARS[0][0].sub("", _came(row)).split("\n")[0], _SHAPE), _SHAPE) or "no reason given"


def _key(text: str) -> str:
    text = cut(text)
    for pattern, stand_in in _PARTICULARS:
        text = pattern.sub(stand_in, text)
    return text[:_SHAPE]
