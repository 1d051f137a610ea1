"""A table as a person sees it: who sits there, who has the floor, the tasks, and the newest entries (BYOB 6)."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any, Final, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.rule import Rule
from rich.text import Text

from harness.byhand import entries
from harness.byhand.printing import say_line
from reference.byob.seat import Projection, Seat
from reference.byob.seat.following import readings
from reference.byob.seat.reading import FINISHED
from reports.text import plain

KEPT: Final = 500


class View(Protocol):
    """Where a table is shown."""

    def show(self, projection: Projection) -> None:
        """Show what was read; its tail is what is new."""


class Lines:
    """A line for each new entry, for what is no terminal."""

    def show(self, projection: Projection) -> None:
        """See `View.show`."""
        for line in entries.lines(projection.tail):
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


class Screen:
    """The whole table, drawn anew each time."""

    def __init__(self, live: Live, height: Callable[[], int]) -> None:
        """live: what draws. height: the lines that there are."""
        self._live, self._height = live, height
        self._entries: list[dict[str, Any]] = []

    def show(self, projection: Projection) -> None:
        """See `View.show`."""
        self._entries = [*self._entries, *projection.tail][-KEPT:]
        top = [Text(line, overflow="ellipsis", no_wrap=True) for line in head(projection)]
        room = max(3, self._height() - len(top) - 3)
        newest = [Text(line, overflow="ellipsis", no_wrap=True) for line in entries.lines(self._entries[-room:])]
        self._live.update(Group(*top, Rule(), *newest), refresh=True)


def head(projection: Projection) -> list[str]:
    """The lines over the entries: topic, seats, floor and status, the seat's tasks."""
    found = projection.prefix.get("seats")
    listed = found if isinstance(found, list) else []
    seats = [_seat(each, projection.holder) for each in listed if isinstance(each, dict)]
    status = "closed" if projection.closed else f"open, the floor is with {projection.holder or 'nobody'}"
    tasks = [f"{task.id} {task.state}: {'; '.join(map(entries.effect, task.effects))}" for task in projection.tasks]
    topic = str(projection.prefix.get("topic", ""))
    return [plain(line, entries.TEXT) for line in (f"{projection.table}: {topic}", "   ".join(seats), status, *tasks)]


def _seat(seat: dict[str, Any], holder: str | None) -> str:
    flags = [str(seat[name]) for name in ("owner", "kind", "role") if seat.get(name)]
    flags += ["proxy"] if seat.get("proxy") is True else []
    mark = "*" if seat.get("seat") == holder and holder is not None else ""
    return f"{mark}{seat.get('seat')} ({', '.join(flags)})"


async def watch(seat: Seat, *, once: bool = False) -> None:
    """Show a table until it is closed and no task of the seat's is open; with `once` only as it is now.

    Raises a SeatError when the host refuses, or cannot be reached at the start.
    """
    console = Console()
    if once or not console.is_terminal:
        await _show(seat, Lines(), once)
        return
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        await _show(seat, Screen(live, lambda: console.height), once)


async def _show(seat: Seat, view: View, once: bool) -> None:
    first = await seat.projection(0)
    view.show(first)
    if once or _over(first):
        return
    async with contextlib.aclosing(readings(seat, since=first.cursor, on_lost=say_line)) as following:
        async for projection in following:
            view.show(projection)
            if _over(projection):
                return


def _over(projection: Projection) -> bool:
    return projection.closed and all(task.state in FINISHED for task in projection.tasks)
