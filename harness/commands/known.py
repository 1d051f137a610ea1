"""`--baseline` and `--write-baseline`: known failures read before a run, and written after it."""

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from harness import names
from harness.errors import UsageError
from reports.against import accepting, compare
from reports.baseline import Against, Baseline, read_baseline, write_baseline
from reports.errors import ReportError
from reports.model import Report
from reports.words import count


@dataclass(frozen=True)
class KnownFailures:
    """What the command line says of known failures.

    `baseline` is what a run is held against, None for nothing. `written` is where today's failures go, None for
    nowhere, and `before` what `baseline`, or else that file, says already.
    """

    baseline: Baseline | None = None
    written: Path | None = None
    before: Baseline = field(default_factory=Baseline)

    def hold(self, report: Report, *, strict: bool) -> Against | None:
        """Return the report held against the baseline, if there is one."""
        if self.baseline is None:
            return None
        today = datetime.now(UTC).date()
        ids, clauses = names.check_ids(), names.clause_ids()
        return compare(report, self.baseline, ids=ids, clauses=clauses, today=today, strict=strict)

    def keep(self, report: Report, *, strict: bool) -> None:
        """Write today's failures where the command line says, and tell on standard error what is to do now.

        A run that did not reach its end leaves the file alone: what it did not get to is not known to fail. Raises
        UsageError when the file cannot be written.
        """
        if self.written is None:
            return
        if not report.complete:
            sys.stderr.write(f"baseline: {self.written} was not written, since the run did not reach its end\n")
            return
        made = accepting(report, self.before, ids=names.check_ids(), strict=strict)
        try:
            write_baseline(made, self.written)
        except OSError as problem:
            raise _unwritable(self.written, problem) from None
        reasons = [entry.reason.strip() for entry in made.rows] + [entry.reason.strip() for entry in made.gaps]
        bare = reasons.count("")
        said = f"baseline: {self.written} has {len(reasons)} {'entry' if len(reasons) == 1 else 'entries'}"
        todo = f"; write into {count(bare, 'empty reason')} why it is accepted" if bare else ""
        sys.stderr.write(f"{said}{todo}\n")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the two options."""
    parser.add_argument("--baseline", type=Path, metavar="F", help="known failures: exit 1 only for what is new")
    parser.add_argument(
        "--write-baseline", type=Path, metavar="F", help="write today's failures there, for you to give reasons"
    )


def known_failures(arguments: argparse.Namespace) -> KnownFailures:
    """Read what the command line names, before anything is run.

    Raises ReportError for a file that is no baseline or an entry without a reason, and UsageError for a file that
    cannot be written.
    """
    baseline = read_baseline(arguments.baseline) if arguments.baseline is not None else None
    written: Path | None = arguments.write_baseline
    there = Baseline()
    if written is not None:
        _need_writable(written)
        there = _there(written) if written.exists() else there
    return KnownFailures(baseline, written, baseline or there)


def _there(path: Path) -> Baseline:
    try:
        return read_baseline(path, unreasoned=True)
    except ReportError as problem:
        raise UsageError(f"--write-baseline would replace what is no baseline: {problem}") from None


def _need_writable(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as problem:
        raise _unwritable(path, problem) from None


def _unwritable(path: Path, problem: OSError) -> UsageError:
    return UsageError(f"--write-baseline {path}: cannot be written: {problem.strerror}")
