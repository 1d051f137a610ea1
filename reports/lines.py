"""The JSON lines that a run writes as it goes, and reads back.

A file holds runs one after the other: a header line, row lines, a footer line, each an object with a `kind`
beside the members of its dataclass. Every line is flushed as it is written, so a run that is killed leaves
all that it found; the missing footer tells. `report.json` and every view are made from these lines.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TextIO

from reports.errors import ReportError, WriteError
from reports.model import SCHEMA, Footer, Header, Report, Row, Run, explain
from reports.plaindata import ShapeError, from_plain, to_plain
from reports.transcript import Direction, Event

MAX_LINE: Final = 16 * 1024 * 1024
"""Bytes of one line that the reader takes, its newline included."""
MAX_FILE: Final = 512 * 1024 * 1024
"""Bytes of a file that the reader takes."""

_THIN_FINDINGS: Final = 20

_KINDS: Final[dict[str, type[Header | Row | Footer]]] = {"header": Header, "row": Row, "footer": Footer}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def encode(record: Header | Row | Footer) -> str:
    """One line without its newline: pure ASCII, so lone surrogates are kept as escapes."""
    plain = to_plain(record)
    assert isinstance(plain, dict)  # noqa: S101 - narrows the type; a dataclass gives an object
    return json.dumps({"kind": _NAMES[type(record)], **plain}, allow_nan=False, separators=(",", ":"))


class LineWriter:
    """Writes the lines of one run after the other to a file that it creates or replaces.

    A context manager. `header` comes first, then any number of `row`, then `footer`; another `header` may
    follow. A wrong order raises ValueError, and so does a second row of one check and transport. What cannot be written
    raises WriteError, and so does everything after it: what is in the file then reads back. OSError when the
    file cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: TextIO | None = None
        self._open = False
        self._broken: OSError | None = None
        self._keys: set[tuple[str, str | None]] = set()

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self.path.open("w", encoding="ascii", newline="\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            # What could not be written stands in a buffer, and closing would try again.
            with contextlib.suppress(*([OSError] if self._broken else [])):
                self._file.close()
            self._file = None

    def header(self, header: Header) -> None:
        """Begin a run."""
        if self._open:
            raise ValueError("a header before the footer of the run before it")
        self._open = True
        self._keys.clear()
        self._write(encode(header))

    def row(self, row: Row) -> None:
        """Add a result to the run."""
        self._within_run("a row")
        if row.key in self._keys:
            raise ValueError(f"a second row of {row.id} over {row.transport}")
        self._keys.add(row.key)
        line = encode(row)
        self._write(line if len(line) < MAX_LINE else encode(thin(row)))

    def footer(self, footer: Footer) -> None:
        """End the run."""
        self._within_run("a footer")
        self._open = False
        self._write(encode(footer))

    def _within_run(self, what: str) -> None:
        if not self._open:
            raise ValueError(f"{what} outside of a run")

    def _write(self, line: str) -> None:
        if self._file is None:
            raise ValueError("the writer is not open")
        try:
            if self._broken is None:
                self._file.write(line + "\n")
                self._file.flush()
        except OSError as problem:
            self._broken = problem
        if self._broken is not None:
            raise WriteError(self.path, self._broken)


def thin(row: Row) -> Row:
    """The row without its exchange and with a few of its findings, for where there is no room for more."""
    # What is written must read back: a row that is too long keeps its outcome and why, and loses the rest.
    size = f"{len(row.transcript)} events and {len(row.findings)} findings"
    note = Event(0.0, Direction.NOTE, "", f"[{size} left out: too much for one row]", 0)
    kept = tuple(found for found in row.findings if not found.ok)[:_THIN_FINDINGS]
    return replace(row, why=row.why or explain(kept), transcript=(note,), findings=kept)


def read_lines(path: Path) -> Report:
    """The report that a file of lines holds.

    A run without a footer, or whose last line is torn, is there and incomplete. Anything else that is not
    as `LineWriter` writes it raises ReportError with the file and the line; so does a file that cannot be
    read, is too big, or holds no header.
    """
    runs: list[Run] = []
    header: Header | None = None
    rows: dict[tuple[str, str | None], Row] = {}
    for number, record in _records(path):
        if isinstance(record, Header):
            if header is not None:
                runs.append(Run(header, tuple(rows.values())))
            header, rows = record, {}
        elif header is None:
            raise ReportError(f"a {_NAMES[type(record)]} outside of a run", path=path, line=number)
        elif isinstance(record, Footer):
            runs.append(Run(header, tuple(rows.values()), record))
            header = None
        elif record.key in rows:
            raise ReportError(f"a second row of {record.id} over {record.transport}", path=path, line=number)
        else:
            rows[record.key] = record
    if header is not None:
        runs.append(Run(header, tuple(rows.values())))
    if not runs:
        raise ReportError("the file holds no run", path=path)
    return Report(tuple(runs))


def _records(path: Path) -> Iterator[tuple[int, Header | Row | Footer]]:
    for number, line in _raw_lines(path):
        # A line without its newline is the one during which the writer was stopped.
        if not line.endswith(b"\n"):
            return
        yield number, _decode(line, path, number)


def _raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        if path.stat().st_size > MAX_FILE:
            raise ReportError(f"the file is over {MAX_FILE:,} bytes", path=path)
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE + 1):
                number += 1
                if len(line) > MAX_LINE:
                    raise ReportError(f"the line is over {MAX_LINE:,} bytes", path=path, line=number)
                yield number, line
    except OSError as problem:
        raise ReportError(f"cannot be read: {problem.strerror}", path=path) from problem


def _decode(line: bytes, path: Path, number: int) -> Header | Row | Footer:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise ReportError("not a JSON object", path=path, line=number) from problem
    kind = value.pop("kind", None) if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ReportError("neither a header, a row nor a footer", path=path, line=number)
    try:
        record = from_plain(_KINDS[kind], value)
    except ShapeError as problem:
        raise ReportError(f"{kind}: {problem}", path=path, line=number) from problem
    if isinstance(record, Header) and record.schema != SCHEMA:
        raise ReportError(f"schema {record.schema!r:.60} is not {SCHEMA}", path=path, line=number)
    return record
