"""What the monitors of ledgers and of left tables must see (BYOB 1, 2, 5, 8)."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import Change, answering, setting, without
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.types import Entry, Task

TRAFFIC = "byob/2/any-seat-reads-a-task or byob/2/the-ledger-has-every-post or byob/2/memory-tells-decisions-and-status"
CLOSED = "byob/2/memory-tells-decisions-and-status or byob/2/a-close-is-answered-with-the-memory"
Ledger = dict[str, Any]


def shown(change: Callable[[list[Entry]], list[Any]]) -> type[Any]:
    """Return an Api that shows ledgers otherwise than they are."""
    return answering(lambda ledger: {"entries": change(ledger["entries"])}, "ledger")


def _each(change: Change, kind: str = "") -> Callable[[list[Entry]], list[Any]]:
    return lambda entries: [change(dict(entry)) if kind in ("", entry["kind"]) else entry for entry in entries]


LEDGERS: tuple[tuple[str, str, str, Any], ...] = (
    ("ledger-is-an-object", "Shows a ledger as an object by seq.", "byob/2/ledger-is-a-list-of-entries",
     answering(lambda value: {str(entry["seq"]): entry for entry in value["entries"]}, "ledger")),
    ("seqs-from-zero", "Counts entries from zero.", "byob/1/first-entry-has-seq-1",
     shown(_each(lambda e: {**e, "seq": e["seq"] - 1}))),
    ("a-gap-after-the-first", "Leaves a seq out.", "byob/1/seqs-have-no-gaps",
     shown(_each(lambda e: {**e, "seq": e["seq"] + (e["seq"] > 1)}))),
    ("a-seq-twice", "Shows an entry twice.", "byob/1/seqs-have-no-gaps",
     shown(lambda entries: [*entries, entries[-1]])),
    ("ledger-without-notes-of-time", "Leaves ts out of the ledger.", "byob/2/ledger-entries-have-their-shape",
     shown(_each(without("ts")))),
    ("ledger-with-seqs-as-texts", "Writes seqs as strings.", "byob/2/ledger-entries-have-their-shape",
     shown(_each(lambda e: {**e, "seq": str(e["seq"])}))),
    ("ledger-in-local-time", "Writes ts without a zone.", "byob/2/ledger-entries-have-a-time",
     shown(_each(lambda e: {**e, "ts": e["ts"].rstrip("Z")}))),
    ("ledger-in-unix-time", "Writes ts as a number in a string.", "byob/2/ledger-entries-have-a-time",
     shown(_each(lambda e: {**e, "ts": "1790000000"}))),
    ("kinds-of-its-own", "Calls a say a message.", "byob/5/kinds-are-the-eleven",
     shown(_each(setting(kind="message"), "say"))),
    ("system-without-event", "Leaves the event out of system entries.", "byob/5/system-entries-name-their-event",
     shown(_each(without("event"), "system"))),
    ("not-opened", "Does not record the opening of a table.", "byob/5/one-table-opened-before-all-joins",
     shown(lambda entries: [e for e in entries if e.get("event") != "table_opened"])),
    ("opened-twice", "Records the opening of a table twice.", "byob/5/one-table-opened-before-all-joins",
     shown(lambda entries: [entries[0], *entries])),
    ("opened-late", "Records the opening of a table after a join.", "byob/5/one-table-opened-before-all-joins",
     shown(lambda entries: [*entries[1:], entries[0]])),
)  # fmt: skip
for _id, _says, _claim, _made in LEDGERS:
    add(Fault(f"byob/{_id}", _says, (_claim,), _made, traffic=TRAFFIC))


@fault("byob/entries-change-when-read", "byob/5/entries-never-change", traffic=TRAFFIC)
class ChangesWhenRead(Host):
    """Edits an entry of a table once its ledger was read."""

    def ledger(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """Show the first entry as younger each time."""
        made = super().ledger(table, token, now)
        self.reads = getattr(self, "reads", 0) + 1
        first = {**made["entries"][0], "read": self.reads}
        return {"entries": [first, *made["entries"][1:]]}


@fault("byob/closes-twice", "byob/5/a-table-closes-once", traffic=CLOSED)
class ClosesTwice(Table):
    """Records the close of a table twice."""

    def end(self, reason: str, now: int) -> None:
        """Write it twice."""
        super().end(reason, now)
        self.system("table_closed", {"reason": reason}, now)


@fault("byob/grants-after-the-close", "byob/8/no-floor-after-the-close", traffic=CLOSED)
class GrantsAfterClose(Table):
    """Grants the floor once more after the close."""

    def end(self, reason: str, now: int) -> None:
        """Close, then grant."""
        super().end(reason, now)
        self.system("floor_granted", {"holder": "a", "policy": {}}, now)


@fault(
    "byob/takes-says-from-anybody", "byob/8/floor-entries-are-by-the-holder", traffic="byob/11/each-code-has-its-place"
)
class SaysFromAnybody(Table):
    """Lets every seat say at any time."""

    def may_interject(self, seat: Any, kind: str) -> bool:
        """Let it."""
        return kind == "say"


def _first_grants(entries: list[Entry]) -> list[Entry]:
    """Leave out every grant but the first one of each seat."""
    granted: set[Any] = set()
    kept = []
    for entry in entries:
        if entry.get("event") != "floor_granted" or entry["holder"] not in granted:
            kept.append(entry)
            granted.add(entry.get("holder"))
    return kept


add(
    Fault(
        "byob/a-grant-is-for-good",
        "Records only the first grant of each seat.",
        ("byob/8/one-turn-for-each-grant",),
        shown(_first_grants),
        traffic="byob/2/an-entry-is-announced-once",
    )
)


@fault("byob/memory-calls-tasks-verified", "byob/5/task-states-follow-from-the-ledger", traffic=TRAFFIC)
class TasksVerified(Table):
    """Calls every task verified in its memory."""

    def memory(self) -> dict[str, Any]:
        """Say so."""
        made = super().memory()
        return {**made, "tasks": [{**task, "state": "verified"} for task in made["tasks"]]}


@fault("byob/verifies-what-waits", "byob/5/task-states-follow-from-the-ledger", traffic="byob/11/codes-of-tasks")
class VerifiesWaiting(Table):
    """Takes a verdict on a task in any state."""

    def transition(self, task: Task, event: str) -> str:
        """Verify whatever there is."""
        try:
            return super().transition(task, event)
        except ByobError:
            return "verified"


@fault("byob/counts-passes", "byob/5/tokens-follow-from-the-ledger", traffic="byob/2/memory-tells-the-token-total")
class CountsAll(Table):
    """Adds one token for every entry."""

    def memory(self) -> dict[str, Any]:
        """Count too much."""
        made = super().memory()
        return {**made, "tokens_used": made["tokens_used"] + len(self.state.entries)}


@fault("byob/memory-is-always-open", "byob/5/status-follows-from-the-ledger", traffic=CLOSED)
class AlwaysOpen(Table):
    """Says in its memory that a closed table is open."""

    def memory(self) -> dict[str, Any]:
        """Say so."""
        return {**super().memory(), "status": "open"}


@fault("byob/prefix-lacks-the-last-seat", "byob/5/seats-follow-from-the-ledger", traffic=TRAFFIC)
class LacksASeat(Table):
    """Leaves the seat that joined last out of the prefix."""

    def prefix(self) -> dict[str, Any]:
        """Leave it out."""
        made = super().prefix()
        return {**made, "seats": made["seats"][:-1]}
