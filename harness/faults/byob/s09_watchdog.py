"""BYOB 9: watchdogs that sleep, bark too early, or bite the wrong task."""

from collections.abc import Mapping
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import answering
from reference.byob.host import Host
from reference.byob.state import State
from reference.byob.table import Table
from reference.byob.tasks import STATES, TRANSITIONS
from reference.byob.types import Entry, Task

SILENCE = "byob/9/silence-stalls-a-task"
AUTOMATIC = "byob/9/approved-at-once-is-watched-too"
OTHERS = "byob/9/only-work-in-hand-stalls"
ONCE = "byob/9/stalled-once-for-all-to-see"
PROGRESS = "byob/9/progress-restarts-the-clock"
RESUMED = "byob/9/a-resumed-task-is-watched-again"


def _beating(factor: float) -> type[Table]:
    class Beating(Table):
        """Waits longer or shorter than it is told."""

        def heartbeat_ms(self) -> int | None:
            """Change what was configured."""
            configured = super().heartbeat_ms()
            return None if configured is None else round(configured * factor)

    return Beating


add(Fault("byob/watchdog-barks-early", "Stalls after half a heartbeat.", (SILENCE, AUTOMATIC, PROGRESS, RESUMED),
          _beating(0.5)))  # fmt: skip
add(Fault("byob/watchdog-counts-seconds", "Takes heartbeat_ms for seconds.", (SILENCE, AUTOMATIC),
          _beating(1000)))  # fmt: skip


@fault("byob/watchdog-sleeps", SILENCE, AUTOMATIC)
class Sleeps(Table):
    """Has no watchdog."""

    def next_alarm(self) -> int | None:
        """Never."""
        return None


def _watching(*states: str) -> type[Table]:
    """Make a table that watches the tasks in these states, as if the machine drew it so."""

    class Watching(State):
        """Watches other tasks."""

        def keep_task(self, task: Task) -> None:
            """Watch by state."""
            super().keep_task(task)
            self.watched.pop(task.id, None)
            if task.state in states:
                self.watched[task.id] = self.now

    class Watched(Table):
        """Has other watched states."""

        state_class = Watching
        transitions = {**TRANSITIONS, **{(state, "watchdog"): "stalled" for state in STATES}}

    return Watched


for _state in ("awaiting_approval", "reported", "verified", "failed", "rejected"):
    _word = _state.replace("_", "-")
    add(
        Fault(
            f"byob/watchdog-stalls-what-is-{_word}",
            f"Stalls a task that is {_state}.",
            (OTHERS,),
            _watching("approved", "running", _state),
        )
    )
add(Fault("byob/watchdog-minds-no-approved-task", "Watches running tasks only.", (SILENCE, AUTOMATIC),
          _watching("running")))  # fmt: skip
add(Fault("byob/watchdog-minds-no-running-task", "Watches approved tasks only.", (SILENCE, RESUMED),
          _watching("approved")))  # fmt: skip
add(Fault("byob/watchdog-stalls-again-and-again", "Stalls a stalled task every heartbeat.", (ONCE,),
          _watching("approved", "running", "stalled")))  # fmt: skip


@fault("byob/watchdog-minds-signed-approvals-only", AUTOMATIC)
class SignedOnly(Table):
    """Watches no task that was approved at once."""

    class Signed(State):
        """Watches what was signed."""

        def on_task_opened(self, entry: Entry) -> None:
            """Do not watch it."""
            super().on_task_opened(entry)
            self.watched.clear()

    state_class = Signed


class _FromTheStart(State):
    """Counts from a task's opening or approval on."""

    def keep_task(self, task: Task) -> None:
        """Keep the time at which it was watched first."""
        since = self.watched.get(task.id)
        super().keep_task(task)
        if since is not None and task.id in self.watched:
            self.watched[task.id] = since


@fault("byob/progress-is-not-seen", PROGRESS)
class ProgressUnseen(Table):
    """Counts the heartbeat from the approval, whatever the executor says."""

    state_class = _FromTheStart


class _Once(State):
    """Watches each task until it is stalled once."""

    def keep_task(self, task: Task) -> None:
        """Leave a task alone that was stalled before."""
        before = self.tasks.get(task.id)
        super().keep_task(task)
        if before is not None and before.state == "stalled":
            self.watched.pop(task.id, None)


@fault("byob/resumed-tasks-are-not-watched", RESUMED)
class NotAgain(Table):
    """Watches no task that was stalled once."""

    state_class = _Once


@fault("byob/stalls-in-silence", ONCE)
class Silent(Table):
    """Stalls a task by a note instead of a task_state entry."""

    class Noting(State):
        """Reads its notes."""

        def on_note(self, entry: Entry) -> None:
            """Take a note about a task for its state."""
            self.on_task_state(entry)

    state_class = Noting

    def system(self, event: str, members: Mapping[str, Any], now: int) -> Entry:
        """Call it a note."""
        return super().system("note" if members.get("state") == "stalled" else event, members, now)


@fault("byob/seats-do-not-see-stalls", ONCE)
class Unseen(Table):
    """Shows the watchdog's mark to nobody but the executor."""

    def sees(self, seat: str, entry: Entry) -> bool:
        """Hide it."""
        hidden = entry.get("event") == "task_state" and entry.get("state") == "stalled"
        return super().sees(seat, entry) and (not hidden or seat == "b")


def _never_stalled(task: dict[str, Any]) -> dict[str, Any]:
    return {**task, "state": "running"} if task["state"] == "stalled" else task


add(Fault("byob/tasks-never-look-stalled", "Shows a stalled task as running.", (SILENCE,),
          answering(_never_stalled, "task")))  # fmt: skip


@fault("byob/watchdog-looks-at-one-table", SILENCE)
class OneTable(Host):
    """Runs the watchdog of the first table only."""

    def _awake(self, id: str, now: float) -> Table:
        return super()._awake(id, now) if id == next(iter(self.tables)) else self._table(id)

    def tick(self, now: float) -> float | None:
        """Do nothing."""
        return None
