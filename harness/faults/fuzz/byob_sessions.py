"""Table hosts that go wrong where several things meet: a human, a decision and another task."""

from harness.faults.fuzz import borrow, unlisted
from reference.byob.table import Table
from reference.byob.types import Task

SESSIONS = "byob/sessions"
WAITING = "awaiting_approval"

borrow(SESSIONS, "byob/human-says-end-the-turn", "byob/human-says-take-the-floor", "byob/entries-change-when-read")


@unlisted(SESSIONS, "decisions-hit-the-last-task")
class HitsTheLastTask(Table):
    """Takes a decision, where a human sits at the table, for one about the task that waited for the shortest time."""

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """Look for that one."""
        waiting = [each for each in self.state.tasks.values() if each.state == WAITING]
        human = any(seat.kind == "human" for seat in self.state.seats.values())
        super().set_task_state(waiting[-1] if waiting and human else task, state, now)
