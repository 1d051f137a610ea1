"""What goes wrong with a report: `ReportError` for one that is read, `WriteError` for one that is written.

The first says which file, which line of it if one is to blame, and why, in one sentence that a person can act on.
"""

from pathlib import Path


class ReportError(Exception):
    """A report, its lines or its baseline cannot be read, or does not hold together.

    `path` is the file or None for a report in memory, `line` its line counted from 1 or None.
    """

    def __init__(self, reason: str, *, path: Path | None = None, line: int | None = None) -> None:
        super().__init__(reason, path, line)
        self.reason = reason
        self.path = path
        self.line = line

    def __str__(self) -> str:
        place = "" if self.path is None else f"{self.path}: "
        if self.line is not None:
            place += f"line {self.line}: "
        return place + self.reason


class WriteError(Exception):
    """A report cannot be written on: the disk is full, for example. `path` is the file, `problem` the cause."""

    def __init__(self, path: Path, problem: OSError) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path}: {self.problem.strerror or self.problem}"
