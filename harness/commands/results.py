"""What every command that makes a report does with it: the folder, the files, the summary."""

import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from harness.errors import UsageError
from reports.baseline import Against
from reports.document import write_document
from reports.errors import ReportError, WriteError
from reports.junit import junit
from reports.lines import read_lines, thin
from reports.model import Report
from reports.terminal import write_summary
from reports.text import plain
from reports.verdict import EXIT_ERROR

FILES = LINES, REPORT, JUNIT = ("run.jsonl", "report.json", "junit.xml")


def make_folder(folder: Path) -> None:
    """Make the report folder; raises UsageError before the run, not after it, when it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = next((folder / name for name in FILES if (folder / name).is_dir()), None)
        if taken is not None:
            raise UsageError(f"--report {folder}: {taken} is a folder; move it away or choose another one")
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise UsageError(f"--report {folder}: cannot be written: {problem.strerror}") from None


def write(
    report: Report,
    folder: Path,
    sections: Mapping[str, Mapping[str, str]],
    says: Mapping[str, str],
    against: Against | None = None,
) -> None:
    """Write `report.json` and `junit.xml`, and the summary to standard output.

    Args:
        report: what to show.
        folder: where the files go.
        sections: protocols to section numbers to titles.
        says: clause ids to what the clauses say.
        against: the report held against a baseline, if there is one.

    Raises WriteError when a file cannot be written.
    """
    write_files(report, folder, says, against)
    write_summary(report, sys.stdout, sections=sections, says=says, against=against)
    sys.stdout.write(f"report: {folder / REPORT}\n")


def write_files(report: Report, folder: Path, says: Mapping[str, str], against: Against | None = None) -> None:
    """Write `report.json` and `junit.xml` alone; arguments and errors are those of `write`."""
    with _writing(folder / REPORT):
        write_document(report, folder / REPORT, against)
    with _writing(folder / JUNIT):
        (folder / JUNIT).write_text(junit(report, says=says, against=against), encoding="utf-8")


def leave_what_fits(raised: BaseException, folder: Path) -> int:
    """After a run whose files could not be written on, leave a `report.json` of what was found; returns the exit code.

    Tries it whole, then without the exchanges. What is no WriteError, alone or in a group, is raised again.
    """
    problem = _write_error(raised)
    if problem is None:
        raise raised
    if problem.path == folder / JUNIT or _rewritten(folder):
        left = f"what was found until then is in {folder / REPORT}"
    else:
        left = f"nothing more could be written; what there is stands in {folder / LINES}"
    sys.stderr.write(f"naysayer: {plain(f'{problem}; {left}; make room and run it again', 2000)}\n")
    return EXIT_ERROR


def _rewritten(folder: Path) -> bool:
    """Write a report of the run's lines, whole or without the exchanges; returns whether that went well."""
    (folder / REPORT).unlink(missing_ok=True)  # one of an earlier run would be taken for this one's, and takes room
    with contextlib.suppress(ReportError):
        report = read_lines(folder / LINES)
        for made in (report, _without_exchanges(report)):
            with contextlib.suppress(OSError):
                write_document(made, folder / REPORT)
                return True
    return False


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise WriteError(path, problem) from None


def _write_error(raised: BaseException) -> WriteError | None:
    """Return the first WriteError in an exception or a group of them; None when there is anything else in it."""
    if isinstance(raised, WriteError):
        return raised
    if not isinstance(raised, BaseExceptionGroup):
        return None
    found = [_write_error(each) for each in raised.exceptions]
    return None if None in found else found[0]


def _without_exchanges(report: Report) -> Report:
    rows = ((thin(row) if row.transcript else row for row in run.rows) for run in report.runs)
    return Report(tuple(replace(run, rows=tuple(made)) for run, made in zip(report.runs, rows, strict=True)))
