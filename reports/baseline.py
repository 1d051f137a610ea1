"""The baseline: what an implementer knows to fail today, so that only what is new turns their CI red.

A small JSON file, sorted, to be committed and read in a diff. Each entry names a check, over one transport or over
all, and says why it is known; a person writes that reason. `against` compares a report with it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from reports.errors import ReportError
from reports.model import Outcome
from reports.plaindata import ShapeError, from_plain, to_plain

SCHEMA: Final = "naysayer-baseline/1"
MAX_FILE: Final = 16 * 1024 * 1024
"""Bytes of a baseline that is read."""

KNOWABLE: Final = frozenset({Outcome.FAILED, Outcome.UNTESTED})
"""The outcomes of a row that a baseline can accept."""

TRANSPORTS: Final = ("tcp", "tls", "stdio", "http", "mcp", "adapter")

RowKey = tuple[str, str | None]
"""A check and its transport."""


@dataclass(frozen=True)
class Known:
    """A row that is known to fail.

    `transport` None stands for all of them, `outcome` None for failed or untested. `expires` is the last day on which
    the entry counts (`2027-01-31`), None for no end. An empty `reason` is one that nobody has written yet.
    """

    id: str
    transport: str | None = None
    outcome: Outcome | None = None
    reason: str = ""
    expires: str | None = None

    def __post_init__(self) -> None:
        if self.outcome is not None and self.outcome not in KNOWABLE:
            raise ValueError(f"{self.id} cannot be known as {self.outcome}, only as {' or '.join(sorted(KNOWABLE))}")
        if self.transport is not None and self.transport not in TRANSPORTS:
            raise ValueError(f"transport must be one of {', '.join(TRANSPORTS)}, not {self.transport!r:.60}")
        if self.expires is not None and not _is_day(self.expires):
            raise ValueError(f"expires must be a day such as 2027-01-31, not {self.expires!r:.60}")

    @property
    def key(self) -> RowKey:
        """What identifies the entry within its baseline."""
        return self.id, self.transport

    def takes(self, outcome: Outcome) -> bool:
        """Whether the entry accepts a row that ended so."""
        return outcome in KNOWABLE and self.outcome in (None, outcome)

    def expired(self, today: date) -> bool:
        """Whether the entry counts no more."""
        return self.expires is not None and date.fromisoformat(self.expires) < today


@dataclass(frozen=True)
class Gap:
    """A binding clause that is known not to be exercised, and why."""

    clause: str
    reason: str = ""


@dataclass(frozen=True)
class Baseline:
    """What is known and accepted: rows that fail or are untested, and binding clauses that are not exercised."""

    rows: tuple[Known, ...] = ()
    gaps: tuple[Gap, ...] = ()


class Kind(StrEnum):
    """In what way something is not as its baseline says."""

    NEW = "new"  # a row failed or was untested that the baseline does not name
    OTHER = "other"  # a row failed or was untested in another way than the baseline says
    EXPIRED = "expired"  # a row failed or was untested whose entry has expired
    FIXED = "fixed"  # an entry of what now passes
    UNKNOWN = "unknown"  # an entry that names no check or no clause
    NEW_GAP = "new-gap"  # a binding clause was not exercised that the baseline does not name
    FIXED_GAP = "fixed-gap"  # an entry of a clause that now is exercised


@dataclass(frozen=True)
class Change:
    """One thing that is not as the baseline says.

    `key` is the row's, or the entry's where there is no row; for a gap it is the clause. `outcome` is what the row now
    is, `known` the entry; each is None where there is none.
    """

    kind: Kind
    key: RowKey
    outcome: Outcome | None = None
    known: Known | None = None


@dataclass(frozen=True)
class Against:
    """A report against a baseline: the rows and the clauses that it accepts, and what is not as it says."""

    known: Mapping[RowKey, Known] = field(default_factory=dict)
    gaps: frozenset[str] = frozenset()
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class _File:
    schema: str
    rows: tuple[Known, ...]
    gaps: tuple[Gap, ...] = ()


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write the file, whole or not at all. OSError passes through."""
    rows = sorted(baseline.rows, key=lambda entry: (entry.id, entry.transport or ""))
    gaps = sorted(baseline.gaps, key=lambda entry: entry.clause)
    plain: Any = to_plain(_File(SCHEMA, tuple(rows), tuple(gaps)))
    plain["rows"] = [{name: value for name, value in row.items() if value is not None} for row in plain["rows"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(json.dumps(plain, indent=1) + "\n", encoding="ascii", newline="\n")
    beside.replace(path)


def read_baseline(path: Path, *, unreasoned: bool = False) -> Baseline:
    """The baseline in a file.

    Raises ReportError, naming the file, for anything else, and, unless `unreasoned`, for an entry without a reason.
    """
    try:
        if path.stat().st_size > MAX_FILE:
            raise ReportError(f"the file is over {MAX_FILE:,} bytes", path=path)
        file = from_plain(_File, json.loads(path.read_bytes()))
    except OSError as problem:
        raise ReportError(f"cannot be read: {problem.strerror}", path=path) from problem
    except ShapeError as problem:
        raise ReportError(f"not a baseline: {problem}", path=path) from problem
    except (ValueError, RecursionError) as problem:
        raise ReportError("not a JSON document", path=path) from problem
    if file.schema != SCHEMA:
        raise ReportError(f"schema {file.schema!r:.60} is not {SCHEMA}", path=path)
    _refuse_doubles(file, path)
    if not unreasoned:
        _need_reasons(file, path)
    return Baseline(file.rows, file.gaps)


def _refuse_doubles(file: _File, path: Path) -> None:
    seen: set[RowKey] = set()
    for key in (*(entry.key for entry in file.rows), *((entry.clause, None) for entry in file.gaps)):
        if key in seen:
            raise ReportError(f"{spelt(key)[:200]} is listed twice", path=path)
        seen.add(key)


def _need_reasons(file: _File, path: Path) -> None:
    bare = [spelt(entry.key) for entry in file.rows if not entry.reason.strip()]
    bare += [entry.clause for entry in file.gaps if not entry.reason.strip()]
    if bare:
        more = f" (and {len(bare) - 1} more have none)" if len(bare) > 1 else ""
        say = "say in its `reason` why it is accepted, or take the entry out"
        raise ReportError(f"{bare[0][:200]} has no reason: {say}{more}", path=path)


def spelt(key: RowKey) -> str:
    """`yea/2.1/name@tcp`, or without a transport the name alone."""
    name, transport = key
    return name if transport is None else f"{name}@{transport}"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
