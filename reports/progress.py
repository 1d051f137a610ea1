"""Progress of a run, for the person who waits.

On a terminal one line that is drawn again in place; elsewhere a plain line at the start, at each quarter
and at the end, or where an error or an interruption cut the run short. It is fed counts and nothing else, so
nothing from a target can come through it.
"""

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from reports.model import Outcome
from reports.terminal import wants_colour
from reports.words import NAMES, count

_QUARTERS: Final = 4


class RunProgress:
    """Shows how far a run of `total` rows is, on a stream (standard error, as a rule). A context manager."""

    def __init__(self, stream: TextIO, total: int, title: str = "checks") -> None:
        self._stream = stream
        self._total = total
        self._title = title
        self._said = 0
        self._done = 0
        self._bar = _bar(stream) if stream.isatty() and os.environ.get("TERM") != "dumb" else None
        self._task = None if self._bar is None else self._bar.add_task("", total=total, title=title, counts="")

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        else:
            self._say(f"{self._title}: {count(self._total, 'check')} to run")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif kind is not None:
            self._say(f"{self._title}: stopped after {self._done:,} of {self._total:,}")

    def update(self, counts: Mapping[Outcome, int], running: int = 0) -> None:
        """Show the counts so far; `running` is how many checks are under way."""
        self._done = sum(counts.values())
        if self._bar is not None and self._task is not None:
            shown = _counted(counts) + (f", {running} running" if running else "")
            self._bar.update(self._task, completed=self._done, counts=shown)
            return
        quarter = _QUARTERS * self._done // self._total if self._total else _QUARTERS
        if quarter > self._said:
            self._said = quarter
            self._say(f"{self._title}: {self._done:,} of {self._total:,}: {_counted(counts)}")

    def _say(self, line: str) -> None:
        self._stream.write(line + "\n")
        self._stream.flush()


def _counted(counts: Mapping[Outcome, int]) -> str:
    return ", ".join(f"{counts[each]:,} {NAMES[each]}" for each in Outcome if counts.get(each)) or "none yet"


def _bar(stream: TextIO) -> Bar:
    console = Console(file=stream, no_color=not wants_colour(stream), highlight=False, markup=False)
    return Bar(
        TextColumn("{task.fields[title]}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[counts]}", markup=False),
        console=console,
        transient=True,
        refresh_per_second=5,
        # Standard output carries results, and is not ours to wrap.
        redirect_stdout=False,
        redirect_stderr=False,
    )
