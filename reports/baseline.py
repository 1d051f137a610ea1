"""The baseline file: what an implementer knows to fail today, so that only what is new turns their CI red.

A small JSON file, sorted, to be committed and read in a diff. `verdict.changes` compares a report with it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reports.errors import ReportError
from reports.model import Outcome
from reports.plaindata import ShapeError, from_plain, to_plain
from reports.verdict import Baseline

SCHEMA: Final = "naysayer-baseline/1"
MAX_FILE: Final = 16 * 1024 * 1024
"""Bytes of a baseline that is read."""


@dataclass(frozen=True)
class _Entry:
    id: str
    transport: str | None
    outcome: Outcome


@dataclass(frozen=True)
class _File:
    schema: str
    rows: tuple[_Entry, ...]
    gaps: tuple[str, ...]


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write the file, whole or not at all. OSError passes through."""
    rows = sorted(baseline.rows.items(), key=lambda item: (item[0][0], item[0][1] or ""))
    entries = tuple(_Entry(name, transport, outcome) for (name, transport), outcome in rows)
    plain = to_plain(_File(SCHEMA, entries, tuple(sorted(baseline.gaps))))
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(json.dumps(plain, indent=1) + "\n", encoding="ascii", newline="\n")
    beside.replace(path)


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file. Raises ReportError, naming the file, for anything else."""
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
    keys = [(entry.id, entry.transport) for entry in file.rows]
    if len(set(keys)) < len(keys):
        raise ReportError("a check and transport is listed twice", path=path)
    try:
        return Baseline({(entry.id, entry.transport): entry.outcome for entry in file.rows}, frozenset(file.gaps))
    except ValueError as problem:
        raise ReportError(str(problem), path=path) from problem
