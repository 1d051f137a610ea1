"""Table hosts that go wrong where two things meet: a decision and another task."""

from harness.faults.fuzz import borrow, unlisted
from reference.byob.table import Table
from reference.byob.types import Task

SESSIONS = "byob/sessions"
WAITING = "awaiting_approval"

borrow(SESSIONS, "byob/human-says-end-the-turn", "byob/human-says-take-the-floor", "byob/entries-change-when-read")


@unlisted(SESSIONS, "decisions-hit-the-last-task")
class HitsTheLastTask(Table):
    """Takes an owner's decision for one about the task that has waited for the shortest time."""

    def set_task_state(self, task: Task, state: str, now: int) -> None:
        """Look for that one."""
        waiting = [each for each in self.state.tasks.values() if each.state == WAITING]
        super().set_task_state(waiting[-1] if waiting else task, state, now)
