"""BYOB 2: answers that lack something, or say something else than the ledger."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import Change, answering, setting, without
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table

MADE, POSTED = "byob/2/creations-and-joins-name-what-they-made", "byob/2/a-post-is-answered-with-its-entry"
PROJECTED, SINGLE = "byob/2/a-seat-reads-its-projection", "byob/2/a-single-entry-is-whole"
DECIDED, TASKS = "byob/2/memory-tells-decisions-and-status", "byob/2/memory-lists-tasks"
TOTAL, TASK = "byob/2/memory-tells-the-token-total", "byob/2/any-seat-reads-a-task"
APPROVED, CLOSED = "byob/2/an-owner-decision-is-answered-with-its-entry", "byob/2/a-close-is-answered-with-the-memory"


def _says_hidden(ledger: dict[str, Any]) -> dict[str, Any]:
    return {"entries": [entry for entry in ledger["entries"] if entry["kind"] != "say"]}


def _stale(memory: dict[str, Any]) -> dict[str, Any]:
    return {**memory, "tasks": [{**task, "state": "awaiting_approval"} for task in memory["tasks"]]}


# what it does, the check that sees it, the endpoint, how its answer is changed
ANSWERS: tuple[tuple[str, str, str, str, Change], ...] = (
    ("creations-without-token", "Leaves admin_token out.", MADE, "create", without("admin_token")),
    ("creations-without-table", "Does not name the table.", MADE, "create", without("table")),
    ("joins-without-token", "Leaves seat_token out.", MADE, "join", without("seat_token")),
    ("joins-of-another-seat", "Names another seat than the one that joined.", MADE, "join", setting(seat="seat-1")),
    ("tokens-that-do-not-work", "Answers a join with a token of no use.", MADE, "join", setting(seat_token="x" * 43)),
    ("posts-are-acknowledged", "Answers a post with its seq alone.", POSTED, "post", lambda e: {"seq": e["seq"]}),
    ("posts-in-capitals", "Answers a post with its text in capitals.", POSTED, "post",
     lambda e: {**e, "body": e.get("body", "").upper()}),
    ("posts-with-the-next-seq", "Answers a post with the seq after its own.", POSTED, "post",
     lambda e: {**e, "seq": e["seq"] + 1}),
    ("projection-without-cursor", "Leaves the cursor out.", PROJECTED, "projection", without("cursor")),
    ("single-entries-are-cut", "Cuts single entries as a tail does.", SINGLE, "entry",
     lambda e: {**e, "body": e.get("body", "")[:100]}),
    ("memory-without-decisions", "Lists no decisions.", DECIDED, "memory", setting(decisions=[])),
    ("memory-with-a-first-decision", "Lists the opening as a decision.", DECIDED, "memory",
     lambda m: {**m, "decisions": [{"seq": 1, "seat": "core", "body": "opened"}, *m["decisions"]]}),
    ("closed-memory-says-open", "Says that a closed table is open.", DECIDED, "memory", setting(status="open")),
    ("memory-without-tasks", "Lists no tasks.", TASKS, "memory", setting(tasks=[])),
    ("memory-of-waiting-tasks", "Lists every task as waiting.", TASKS, "memory", _stale),
    ("memory-without-total", "Leaves the token total out.", TOTAL, "memory", without("tokens_used")),
    ("memory-with-half-the-total", "Counts half the tokens.", TOTAL, "memory",
     lambda m: {**m, "tokens_used": m["tokens_used"] // 2}),
    ("tasks-without-state", "Leaves a task's state out.", TASK, "task", without("state")),
    ("decisions-are-acknowledged", "Answers an owner decision with a word.", APPROVED, "approve",
     lambda e: {"ok": True}),
    ("decisions-with-another-task", "Answers an owner decision with another task.", APPROVED, "approve",
     setting(task="task-1")),
    ("closes-are-acknowledged", "Answers a close with its status alone.", CLOSED, "close",
     lambda m: {"status": "closed"}),
    ("closes-say-open", "Answers a close with an open memory.", CLOSED, "close", setting(status="open")),
    ("ledger-without-says", "Leaves says out of the ledger.", "byob/2/the-ledger-has-every-post", "ledger",
     _says_hidden),
)  # fmt: skip
for _id, _says, _claim, _endpoint, _change in ANSWERS:
    add(Fault(f"byob/{_id}", _says, (_claim,), answering(_change, _endpoint)))


@fault("byob/tasks-are-for-their-executor", TASK)
class TasksForExecutor(Host):
    """Shows a task to its executor only."""

    def task(self, table: str, token: str | None, task: str, now: float) -> dict[str, Any]:
        """Hide it from others."""
        made = super().task(table, token, task, now)
        if made["executor"] != self.seat_of(table, token):
            raise ByobError("E_NOT_FOUND", "there is no such task for this seat")
        return made


@fault("byob/every-task-exists", TASK)
class EveryTaskExists(Host):
    """Answers for a task that was never opened."""

    def task(self, table: str, token: str | None, task: str, now: float) -> dict[str, Any]:
        """Make one up."""
        try:
            return super().task(table, token, task, now)
        except ByobError:
            return {"id": task, "state": "awaiting_approval"}


@fault("byob/close-reasons-are-lost", CLOSED)
class ReasonsLost(Table):
    """Records every close with a reason of its own."""

    def end(self, reason: str, now: int) -> None:
        """Forget the reason."""
        super().end("closed", now)
