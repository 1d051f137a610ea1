"""The watchdog: a task that should go on and does not is stalled (BYOB 9)."""

from reference.byob.table.tasking import Tasking
from reference.byob.types import Task


class Watchdog(Tasking):
    """It has no timer: whoever has the clock calls `wake`, at the latest at `next_alarm`."""

    def heartbeat_ms(self) -> int | None:
        """watchdog.heartbeat_ms, None for no watchdog."""
        limit: int | None = self.state.config.get("watchdog", {}).get("heartbeat_ms")
        return limit

    def next_alarm(self) -> int | None:
        """The time from which the next task is stalled, in milliseconds; None when none is watched."""
        heartbeat = self.heartbeat_ms()
        if heartbeat is None or not self.state.watched:
            return None
        return next(iter(self.state.watched.values())) + heartbeat

    def wake(self, now: int) -> None:
        """BYOB 9: stalls every task without progress within heartbeat_ms."""
        written = False
        while (alarm := self.next_alarm()) is not None and now >= alarm:
            self.stall(self.state.tasks[next(iter(self.state.watched))], now)
            written = True
        if written:
            self.settle(now)

    def stall(self, task: Task, now: int) -> None:
        """BYOB 9: the core marks it stalled."""
        members = {"task": task.id, "state": self.transition(task, "watchdog"), "reason": "watchdog"}
        self.system("task_state", members, now)
