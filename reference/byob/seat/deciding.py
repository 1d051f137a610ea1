"""What a runner does next: a projection goes in, actions come out (BYOB 6, 8, 9). Pure.

The runner performs the first action, reads again and decides again, so that every action rests on what is so now.
What may have consequences outside of the table is begun once: a task that was running before this runner came is
reported as failed, and never executed a second time.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reference.byob.seat import fixed
from reference.byob.seat.expanding import is_cut
from reference.byob.seat.posts import Post, is_task_id
from reference.byob.seat.reading import FINISHED, Entry, Memory, Projection, Task

MOST_TRIES: Final = 8
"""Posts and refused posts in one turn, after which the floor is yielded: a proposal does not end a turn (BYOB 5)."""

MOST_ENTRIES: Final = 1000
"""Entries that are kept for the bot, the newest ones."""

TURNS: Final = ("say", "pass")
"""What ends a turn (BYOB 5)."""


@dataclass(frozen=True, slots=True)
class Speak:
    """Ask the bot for a post, and make it; `again` is one that was made ready before and perhaps not taken."""

    again: Post | None = None


@dataclass(frozen=True, slots=True)
class Yield:
    """Pass, since the bot's tries of this turn are used up."""


@dataclass(frozen=True, slots=True)
class Execute:
    """Report that a task is running, have the bot execute it, and report the result."""

    task: Task


@dataclass(frozen=True, slots=True)
class Report:
    """Make a report on a task that was made ready before and perhaps not taken."""

    task: Task
    post: Post


@dataclass(frozen=True, slots=True)
class Verify:
    """Have the bot judge a receipt."""

    receipt: Entry


Action: TypeAlias = Speak | Yield | Execute | Report | Verify


class Mind:
    """What a runner knows of its table: folded from projections, and told of what was tried.

    `prefix`, `entries` and `max_chars` are for the bot. `cursor` is what to read from.
    """

    def __init__(self, seat: str, *, executes: bool = True, verifies: bool = False) -> None:
        """seat: its id. executes, verifies: whether the bot does that."""
        self.seat, self.executes, self.verifies = seat, executes, verifies
        self.cursor, self.prefix = 0, dict[str, Any]()
        self.max_chars: int | None = None
        self.entries: list[Entry] = []
        self.refused = ""
        self._grant: tuple[int | None, bool] = (None, False)
        self._tries = 0
        self._pending: Post | None = None
        self._started: set[str] = set()
        self._executed: set[str] = set()
        self._reports: dict[str, Post] = {}
        self._begun: set[str] = set()
        self._receipts: dict[str, Entry] = {}
        self._settled: set[str] = set()

    # --- what happened ---------------------------------------------------------------------------

    def posting(self, post: Post) -> None:
        """A post is about to be made with the floor. It stays ready until it is known to be taken or refused."""
        self._pending = post
        self._tries += 1

    def taken(self) -> None:
        """The post was taken."""
        self._pending, self.refused = None, ""

    def not_taken(self, why: str) -> None:
        """The post was refused, and is not made again; the bot is told why."""
        self._pending, self.refused = None, why

    def starting(self, task: str) -> None:
        """A task is about to be reported as running."""
        self._started.add(task)

    def executing(self, task: str) -> None:
        """The bot is about to be asked: from here on the task is never executed again."""
        self._executed.add(task)

    def reporting(self, task: str, post: Post) -> None:
        """A report is about to be made. It stays ready until it is settled."""
        self._reports[task] = post

    def settled(self, task: str) -> None:
        """Nothing more is to be done about a task: it was reported on, or judged, or left to others."""
        self._reports.pop(task, None)
        self._receipts.pop(task, None)
        self._settled.add(task)

    # --- what to do --------------------------------------------------------------------------------

    def decide(self, projection: Projection) -> list[Action]:
        """Fold a projection that was read from `cursor`, and say what to do, the most urgent first."""
        self._fold(projection)
        actions: list[Action] = []
        if projection.mine and not projection.closed:
            actions.append(Yield() if self._tries >= MOST_TRIES and self._pending is None else Speak(self._pending))
        if self.executes:
            actions += [action for task in self._own(projection) if (action := self._on(task)) is not None]
        if self.verifies:
            actions += [Verify(receipt) for receipt in self._receipts.values()]
        return actions

    def finished(self, projection: Projection, memory: Memory | None) -> bool:
        """Whether nothing can come any more: the table is closed, and no task is left for this seat.

        memory: the table's, which a seat that verifies needs: it waits for what others execute.
        """
        if not projection.closed:
            return False
        waiting = [task for task in self._own(projection) if task.state not in FINISHED | {"reported"}]
        if self.verifies and memory is not None:
            waiting += [task for task in memory.tasks if task.state not in FINISHED and task.executor != self.seat]
        return all(task.id in self._settled for task in waiting)

    def _own(self, projection: Projection) -> list[Task]:
        """The tasks that this seat executes. Where a host does not say whose they are, it will refuse the report."""
        return [task for task in projection.tasks if task.executor in (None, self.seat)]

    def _on(self, task: Task) -> Action | None:
        """What to do about a task of one's own (BYOB 9)."""
        if task.id in self._settled or task.state not in ("approved", "running", "stalled"):
            return None
        if task.id in self._reports:
            return Report(task, self._reports[task.id])
        if task.id in self._executed:
            return None
        known = task.id in self._started
        if task.state == "approved" or known or (task.state == "stalled" and task.id not in self._begun):
            return Execute(task)
        return Report(task, fixed.failed(task.id, fixed.INTERRUPTED))

    def _fold(self, projection: Projection) -> None:
        self.prefix, self.max_chars = projection.prefix, projection.max_chars
        new = [entry for entry in projection.tail if entry["seq"] > self.cursor]
        self.cursor = max(self.cursor, projection.cursor)
        self.entries = [*self.entries, *new][-MOST_ENTRIES:]
        for entry in new:
            self._note(entry)
        if (grant := (projection.grant_seq, projection.mine)) != self._grant:
            self._grant = grant
            self._begin_turn()

    def _note(self, entry: Entry) -> None:
        own, kind, task = entry.get("seat") == self.seat, entry["kind"], entry.get("task")
        if own and kind in TURNS:
            self._begin_turn()
        if own and self._pending is not None and _same(self._pending, entry):
            self._pending = None
        if not isinstance(task, str) or not is_task_id(task):
            return
        if own and kind == "status" and entry.get("state") == "running":
            self._begun.add(task)
        if kind == "receipt" and not own and task not in self._settled:
            self._receipts[task] = entry
        if kind == "verify":
            self._receipts.pop(task, None)

    def _begin_turn(self) -> None:
        self._tries, self._pending, self.refused = 0, None, ""


def _same(post: Post, entry: Entry) -> bool:
    """Whether an entry is what became of a post. Of a body that was cut nothing can be said (BYOB 6, 8)."""
    if entry["kind"] != post["kind"] or post.get("effects") != entry.get("effects"):
        return False
    cut = entry.get("truncated") is True or is_cut(entry)
    return cut or post.get("body", "") == entry.get("body", "")
