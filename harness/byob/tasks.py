"""A task that a check has opened, and the way to each of its states (BYOB 9)."""

import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from harness.byob import reading
from harness.byob.table import Table
from harness.errors import Untested
from harness.targets.hosts import Answer

if TYPE_CHECKING:
    from harness.byob.context import Context

STATES = ("awaiting_approval", "approved", "rejected", "running", "reported", "verified", "failed", "stalled")
WATCH_GRACE = 10.0  # BYOB-Q022: a watchdog may look a while later


class Task:
    """A task on a table.

    Args:
        table: where it is.
        id: its id.
        proposal: the entry that opened it.
        owner, executor, verifier: the affected owner's id, the seat that executes it, and one that verifies it.
    """

    def __init__(
        self,
        table: Table,
        id: str,
        proposal: reading.Entry,
        *,
        owner: str = "B",
        executor: str = "b",
        verifier: str = "v",
    ) -> None:
        self.table, self.id, self.proposal = table, id, proposal
        self.owner, self.executor, self.verifier = owner, executor, verifier

    async def state(self, seat: str | None = None) -> str:
        """Return the task's state as the task endpoint tells it; raises Untested when it tells none."""
        answer = await self.table.t.need(self.table.task(seat or self.table.reader, self.id))
        state = state_of(answer.value)
        if state is None:
            raise Untested(f"task {self.id} has no state: {answer.seen()}")
        return state

    async def decide(self, decision: str = "approve", **changes: Any) -> Answer:
        """Let the affected owner decide: `approve` or `reject`."""
        return await self.table.decide(self.owner, self.id, decision, **changes)

    async def status(self, state: str = "running", seat: str | None = None, **members: Any) -> Answer:
        """Post a status, as the executor unless a seat is named."""
        return await self.table.post(seat or self.executor, "status", task=self.id, state=state, **members)

    async def receipt(self, seat: str | None = None, **members: Any) -> Answer:
        """Post a receipt, as the executor unless a seat is named, with an artifact that this host takes."""
        given = {"artifact": self.table.t.artifact({"done": 1}), **members}
        return await self.table.post(seat or self.executor, "receipt", task=self.id, **given)

    async def verify(self, result: str = "pass", seat: str | None = None, **members: Any) -> Answer:
        """Post a verdict, as the verifier unless a seat is named."""
        return await self.table.post(seat or self.verifier, "verify", task=self.id, result=result, **members)

    async def stall(self) -> Answer:
        """Wait until the watchdog has marked the task stalled, and return the answer that says so."""
        t, table = self.table.t, self.table
        heartbeat = t.dialect.heartbeat_ms / 1000
        answer = await t.poll(
            lambda: table.task(table.reader, self.id), lambda a: state_of(a.value) == "stalled", heartbeat + WATCH_GRACE
        )
        if state_of(answer.value) != "stalled":
            raise Untested(f"no watchdog stalled the task within {heartbeat + WATCH_GRACE:g} s")
        return answer

    async def bring_to(self, state: str) -> None:
        """Bring a task that awaits its approval to a state; raises Untested when a right step is refused."""
        for name in WAYS[state]:
            await self.table.t.need(STEPS[name](self))
        reached = await self.state()
        if reached != state:
            raise Untested(f"after {', '.join(WAYS[state])} the task is {reached}, not {state}")


STEPS: dict[str, Callable[[Task], Awaitable[Answer]]] = {
    "approve": lambda task: task.decide("approve"),
    "reject": lambda task: task.decide("reject"),
    "status:running": lambda task: task.status("running"),
    "status:failed": lambda task: task.status("failed"),
    "receipt": lambda task: task.receipt(),
    "verify:pass": lambda task: task.verify("pass"),
    "verify:fail": lambda task: task.verify("fail"),
    "watchdog": lambda task: task.stall(),
}
WAYS: dict[str, tuple[str, ...]] = {
    "awaiting_approval": (),
    "approved": ("approve",),
    "rejected": ("reject",),
    "running": ("approve", "status:running"),
    "reported": ("approve", "status:running", "receipt"),
    "verified": ("approve", "status:running", "receipt", "verify:pass"),
    "failed": ("approve", "status:running", "receipt", "verify:fail"),
    "stalled": ("approve", "watchdog"),
}


def state_of(task: Any) -> str | None:
    """Return the state in a task object: its `state`, which is one of the eight (BYOB-Q013); None otherwise."""
    state = task.get("state") if isinstance(task, dict) else None
    if state is None:
        found = [value for value in reading.members(task, "state") if value in STATES]
        state = found[0] if found else None
    return state if state in STATES else None


def executor_of(task: Any) -> str | None:
    """Return the executor's seat in a task object: a seat id, or an object with `seat` (BYOB-Q013)."""
    for found in reading.members(task, "executor"):
        seat = found.get("seat", found.get("id")) if isinstance(found, dict) else found
        if isinstance(seat, str):
            return seat
    return None


async def opened_by(t: "Context", table: Table, answer: Answer) -> str:
    """Return the id of the task that an accepted post opened; raises Untested when there is none in the ledger."""
    seq = reading.seq_of(answer.value)
    entries = [entry for entry in await table.entries() if reading.seq_of(entry) > seq]
    for entry in reading.events(entries, "task_opened"):
        told = t.dialect.told(entry, "task")
        if isinstance(told, str) and told:
            return told
        found = reading.task_ids(entry)
        if found:
            return found[0]
    raise Untested(f"no task_opened entry with a task id follows the post with seq {seq}")


def seq_in(task: str) -> int | None:
    """Return the number in `task-<seq>`, or None for another form (BYOB-Q090)."""
    found = re.fullmatch(r"task-([1-9][0-9]*)", task)
    return int(found[1]) if found else None
