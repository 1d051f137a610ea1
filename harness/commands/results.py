"""What every command that makes a report does with it: the folder, the files, the summary."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from harness.errors import UsageError
from reports.baseline import Against
from reports.document import write_document
from reports.junit import junit
from reports.model import Report
from reports.terminal import write_summary

FILES = ("run.jsonl", "report.json", "junit.xml")


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
    """
    write_document(report, folder / "report.json", against)
    (folder / "junit.xml").write_text(junit(report, says=says, against=against), encoding="utf-8")
    write_summary(report, sys.stdout, sections=sections, says=says, against=against)
    sys.stdout.write(f"report: {folder / 'report.json'}\n")
