"""Table hosts that go wrong where several things meet: a human, a decision and another task, or one who comes late."""

from typing import Any

from harness.faults.fuzz import borrow, unlisted
from reference.byob.table import Table
from reference.byob.types import Entry, Seat, Task

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


@unlisted(SESSIONS, "late-humans-wait-for-the-floor")
class LateHumansWait(Table):
    """Lets a human who joins after the first say speak only with the floor."""

    def may_interject(self, seat: Seat, kind: str) -> bool:
        """Look when it joined."""
        joined = next(e["seq"] for e in self.state.entries if e["kind"] == "system" and e.get("joined") == seat.id)
        late = any(entry["kind"] == "say" and entry["seq"] < joined for entry in self.state.entries)
        return super().may_interject(seat, kind) and not late


@unlisted(SESSIONS, "a-late-join-begins-the-count-anew")
class LateJoinsCount(Table):
    """Counts the says of bots in a row anew when somebody joins."""

    def record_join(self, body: Any, now: int) -> None:
        """Forget them."""
        super().record_join(body, now)
        self.state.depth = 0


@unlisted(SESSIONS, "late-seats-miss-the-beginning")
class LateSeatsMiss(Table):
    """Hides from a seat that joins after the first say what was said before."""

    def sees(self, seat: str, entry: Entry) -> bool:
        """Look which came first."""
        joined = next((e["seq"] for e in self.state.entries if e["kind"] == "system" and e.get("joined") == seat), 0)
        return super().sees(seat, entry) and not (entry["kind"] == "say" and entry["seq"] < joined)


@unlisted(SESSIONS, "the-third-decision-is-lost")
class ThirdDecisionLost(Table):
    """Keeps two decisions in force, and not the third."""

    def prefix(self) -> dict[str, Any]:
        """Leave it out."""
        made = super().prefix()
        return {**made, "decisions": made["decisions"][:2]}
