"""Every ledger that a host shows, and every table that a run leaves (BYOB 1, 5, 8, 9)."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from harness.byob import folding, reading, tasks
from harness.byob.things import LeftTable, Read
from harness.encoding import shown
from harness.monitors import Memory, monitor

KINDS = ("system", *folding.FLOOR_KINDS, "raise_hand", *folding.TASK_KINDS)
EVENTS = (
    "table_opened", "seat_joined", "floor_granted", "task_opened", "task_state", "table_closed", "note",
    "subtable_result",
)  # fmt: skip
TEXTS = ("table", "seat", "kind", "ts")
LATE = ("say", "pass", "proposal", "decision")  # BYOB-Q088: what may not follow the close
LATE_EVENTS = ("floor_granted", "seat_joined", "table_closed")
FEW = 3


def _entries(read: Read) -> list[reading.Entry]:
    return read.value if isinstance(read.value, list) else []


@monitor("byob/2/ledger-is-a-list-of-entries", "BYOB-2-45", "ledger")
def is_list(read: Read, memory: Memory) -> str | None:
    """A ledger is a list of entries, by itself, in an object, or as JSON Lines."""
    return None if isinstance(read.value, list) else f"no list of entries in {read.answer.seen()}"


@monitor("byob/1/first-entry-has-seq-1", "BYOB-1-03", "ledger")
def first(read: Read, memory: Memory) -> str | None:
    """The first entry of a table has seq 1."""
    entries = _entries(read)
    return (
        f"the first entry of {read.table} has seq {entries[0].get('seq')}"
        if entries and entries[0].get("seq") != 1
        else None
    )


@monitor("byob/1/seqs-have-no-gaps", "BYOB-1-04", "ledger")
def gapless(read: Read, memory: Memory) -> str | None:
    """Every further entry has the seq of its predecessor plus one."""
    seqs = [entry.get("seq") for entry in _entries(read)]
    wrong = [(a, b) for a, b in pairwise(seqs) if not (isinstance(a, int) and b == a + 1)]
    return f"after seq {wrong[0][0]} comes {wrong[0][1]} in {read.table}" if wrong else None


@monitor("byob/5/entries-never-change", "BYOB-5-40", "ledger", remembers="run")
def append_only(read: Read, memory: Memory) -> str | None:
    """Whatever a ledger has shown, it shows again, unchanged and at the same place."""
    now: list[reading.Entry] = _entries(read)
    before: list[reading.Entry] = memory.get(read.table, [])
    shorter, longer = sorted((before, now), key=len)
    memory[read.table] = longer
    changed = [old for old, new in zip(shorter, longer, strict=False) if old != new]
    return f"an entry of {read.table} was once, or is now, {shown(changed[0], 300)}" if changed else None


@monitor("byob/2/ledger-entries-have-their-shape", "BYOB-2-53", "ledger")
def shape(read: Read, memory: Memory) -> str | None:
    """A ledger entry has an integer seq, and table, seat, kind and ts as strings."""
    for entry in _entries(read):
        wrong = [name for name in TEXTS if not isinstance(entry.get(name), str)]
        wrong += [] if reading.seq_of(entry) else ["seq"]
        if wrong:
            return f"{', '.join(wrong)} of {shown(entry, 300)}"
    return None


@monitor("byob/2/ledger-entries-have-a-time", "BYOB-2-46", "ledger")
def times(read: Read, memory: Memory) -> str | None:
    """The ts of a ledger entry is a UTC date-time in ISO 8601 form."""
    wrong = [entry.get("ts") for entry in _entries(read) if not _is_time(entry.get("ts"))]
    return f"ts {wrong[0]!r} in the ledger of {read.table}" if wrong else None


def _is_time(text: Any) -> bool:
    try:
        return datetime.fromisoformat(text).utcoffset() == timedelta(0) and "T" in text
    except (TypeError, ValueError):
        return False


@monitor("byob/5/kinds-are-the-eleven", "BYOB-5-03", "ledger")
def kinds(read: Read, memory: Memory) -> str | None:
    """Every entry has one of the eleven kinds."""
    wrong = [entry for entry in _entries(read) if entry.get("kind") not in KINDS]
    return shown(wrong[0], 300) if wrong else None


@monitor("byob/5/system-entries-name-their-event", "BYOB-5-06", "ledger")
def events(read: Read, memory: Memory) -> str | None:
    """A system entry names one of the eight events."""
    wrong = [e for e in _entries(read) if e.get("kind") == "system" and e.get("event") not in EVENTS]
    return shown(wrong[0], 300) if wrong else None


@monitor("byob/5/one-table-opened-before-all-joins", "BYOB-5-07", "ledger")
def opened(read: Read, memory: Memory) -> str | None:
    """A ledger has one table_opened entry, ahead of all joins."""
    names = [entry.get("event") for entry in _entries(read) if entry.get("kind") == "system"]
    early = names[: names.index("seat_joined")] if "seat_joined" in names else names
    good = names.count("table_opened") == 1 and "table_opened" in early
    return None if good or not names else f"the system entries of {read.table} begin {', '.join(map(str, names[:FEW]))}"


@monitor("byob/5/a-table-closes-once", "BYOB-5-08", "ledger")
def closed_once(read: Read, memory: Memory) -> str | None:
    """A ledger has at most one table_closed entry."""
    count = len(reading.events(_entries(read), "table_closed"))
    return f"{count} table_closed entries in {read.table}" if count > 1 else None


@monitor("byob/8/no-floor-after-the-close", "BYOB-8-45", "ledger")
def nothing_late(read: Read, memory: Memory) -> str | None:
    """After table_closed no floor is granted, nobody joins, and nothing of the floor plane is written."""
    entries = _entries(read)
    ends = [index for index, entry in enumerate(entries) if entry.get("event") == "table_closed"]
    after = entries[ends[0] + 1 :] if ends else []
    wrong = [e for e in after if e.get("kind") in LATE or e.get("event") in LATE_EVENTS]
    return f"after its close {read.table} has {shown(wrong[0], 300)}" if wrong else None


@monitor("byob/8/floor-entries-are-by-the-holder", "BYOB-8-10", "table")
def by_holder(left: LeftTable, memory: Memory) -> str | None:
    """Every say, pass, proposal and decision is by the seat that the last grant names, or a human's say."""
    return f"{left.id}: {left.folded.floor[0]}" if left.folded.floor else None


@monitor("byob/8/one-turn-for-each-grant", "BYOB-8-05", "table")
def one_turn(left: LeftTable, memory: Memory) -> str | None:
    """In a fixed order no seat says or passes twice on one grant."""
    return f"{left.id}: {left.folded.turns[0]}" if left.folded.turns else None


@monitor("byob/5/task-states-follow-from-the-ledger", "BYOB-5-44", "table")
def task_states(left: LeftTable, memory: Memory) -> str | None:
    """Each task in the memory has the state that the ledger leads to, by steps that its states allow."""
    if left.folded.steps:
        return f"{left.id}: {left.folded.steps[0]}"
    told = left.memory.get("tasks")
    for task in reading.objects(told):
        found, state = reading.task_ids(task), tasks.state_of(task)
        allowed = left.folded.tasks.get(found[0]) if found else None
        if allowed is not None and state is not None and state not in allowed:
            return f"{left.id}: {found[0]} is {state}, and by the ledger {' or '.join(sorted(allowed))}"
    return None


@monitor("byob/5/tokens-follow-from-the-ledger", "BYOB-5-45", "table")
def token_sum(left: LeftTable, memory: Memory) -> str | None:
    """The token total is the sum over the say, proposal and decision entries."""
    wanted = folding.tokens(left.entries)
    if wanted is None or left.total is None or wanted == left.total:
        return None
    return f"{left.id} has a total of {left.total}, and its entries sum up to {wanted}"


@monitor("byob/5/status-follows-from-the-ledger", "BYOB-5-46", "table")
def status(left: LeftTable, memory: Memory) -> str | None:
    """A table is closed in projection and memory exactly when its ledger has a table_closed entry."""
    wanted = "closed" if left.folded.closed else "open"
    said = {
        name: view.get("status") for name, view in (("projection", left.projection), ("memory", left.memory)) if view
    }
    wrong = [name for name, value in said.items() if value != wanted]
    return f"{left.id} is {wanted} by its ledger, and {said[wrong[0]]} in its {wrong[0]}" if wrong else None


@monitor("byob/5/seats-follow-from-the-ledger", "BYOB-5-43", "table")
def seats(left: LeftTable, memory: Memory) -> str | None:
    """The prefix lists the seats that the seat_joined entries name."""
    prefix = left.projection.get("prefix")
    listed = {seat.get("seat") for seat in reading.objects(prefix.get("seats"))} if isinstance(prefix, dict) else None
    joined = set(left.folded.seats)
    return (
        f"{left.id} lists {listed}, and its ledger joins {joined}" if listed is not None and listed != joined else None
    )
