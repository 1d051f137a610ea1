"""What a ledger says, folded: seats, who may write what, tasks, tokens, status (BYOB 5).

Written from the spec's text, apart from the reference. Where the text is open, the fold allows each fair reading, so
what it calls a breach is one under all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.byob import reading
from harness.byob.dialect import Dialect
from harness.byob.reading import Entry
from harness.byob.recipes import Place
from harness.targets.answers import ABSENT

FLOOR_KINDS = ("say", "pass", "proposal", "decision")
TASK_KINDS = ("approval", "rejection", "status", "receipt", "verify")
COUNTED = ("say", "proposal", "decision")

# State and event to what may follow: BYOB 9's diagram, and the freedoms of BYOB-Q098, Q099 and Q100.
TRANSITIONS: dict[tuple[str, str], frozenset[str]] = {
    ("awaiting_approval", "approve"): frozenset({"approved"}),
    ("awaiting_approval", "reject"): frozenset({"rejected"}),
    ("approved", "status:running"): frozenset({"running"}),
    ("approved", "status:failed"): frozenset({"failed"}),
    ("approved", "watchdog"): frozenset({"stalled"}),
    ("running", "receipt"): frozenset({"reported"}),
    ("running", "status:running"): frozenset({"running"}),
    ("running", "status:failed"): frozenset({"failed"}),
    ("running", "watchdog"): frozenset({"stalled"}),
    ("reported", "verify:pass"): frozenset({"verified"}),
    ("reported", "verify:fail"): frozenset({"failed"}),
    ("stalled", "status:running"): frozenset({"running"}),
    ("stalled", "status:failed"): frozenset({"failed"}),
}
OPENS_AS = frozenset({"awaiting_approval", "approved"})


@dataclass
class Folded:
    """A ledger, folded. `breaches` are what no reading allows, each with the seq it shows at."""

    closed: bool = False
    seats: list[str] = field(default_factory=list)
    tasks: dict[str, frozenset[str]] = field(default_factory=dict)
    floor: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


def fold(entries: list[Entry], config: Mapping[str, Any], places: Mapping[str, Place], dialect: Dialect) -> Folded:
    """Fold a ledger.

    Args:
        entries: in the order of the ledger.
        config: the table's, as it was sent.
        places: who took which seat.
        dialect: where system entries keep what they tell.

    Returns:
        what follows from it: `floor`, `turns` and `steps` are breaches of the floor, of one grant a turn, and of the
        task state machine, in words.
    """
    folded = Folded()
    folded.closed = bool(reading.events(entries, "table_closed"))
    folded.seats = [
        seat for entry in reading.events(entries, "seat_joined") for seat in _told_seat(entry, dialect, places)
    ]
    folded.floor = list(_floor(entries, places, dialect))
    folded.turns = list(_turns(entries, places)) if _ordered(config) else []
    _tasks(entries, dialect, folded)
    return folded


def holders(entry: Entry, dialect: Dialect, seats: Mapping[str, Any]) -> set[str]:
    """Return whom a floor_granted entry may name: one seat where its place is known, else every seat in it."""
    told = dialect.told(entry, "holder")
    if isinstance(told, str):
        return {told}
    return {value for _, value in reading.walk(entry) if isinstance(value, str) and value in seats}


def _told_seat(entry: Entry, dialect: Dialect, places: Mapping[str, Place]) -> Iterator[str]:
    told = dialect.told(entry, "seat")
    if isinstance(told, str):
        yield told
    elif told is ABSENT:
        yield from (value for _, value in reading.walk(entry) if isinstance(value, str) and value in places)


def _floor(entries: list[Entry], places: Mapping[str, Place], dialect: Dialect) -> Iterator[str]:
    """Yield each floor-plane entry by a seat that did not hold the floor (BYOB 8); humans may say at any time."""
    holding: set[str] = set()
    for entry in entries:
        if entry.get("event") == "floor_granted":
            holding = holders(entry, dialect, places)
        seat, kind = entry.get("seat"), entry.get("kind")
        free = kind == "say" and _is_human(places.get(str(seat)))
        if kind in FLOOR_KINDS and seat not in holding and not free:
            yield f"{kind} {entry.get('seq')} is by {seat}, while the floor is with {_or_nobody(holding)}"


def _ordered(config: Mapping[str, Any]) -> bool:
    """Whether each turn is one say or pass in this topology; a hub may speak on (BYOB-Q071), a judge too (Q069)."""
    topology = config.get("topology")
    return isinstance(topology, dict) and topology.get("kind") in ("broadcast", "pipeline")


def _turns(entries: list[Entry], places: Mapping[str, Place]) -> Iterator[str]:
    """Yield each say or pass that a bot wrote on a grant which it had used up; humans may say at any time."""
    used: dict[str, Any] = {}
    for entry in entries:
        seat = str(entry.get("seat"))
        if entry.get("event") == "floor_granted":
            used = {}
        elif entry.get("kind") in ("say", "pass") and not _is_human(places.get(seat)):
            if seat in used:
                yield f"{entry.get('kind')} {entry.get('seq')} of {seat} is on the grant that {used[seat]} used up"
            used[seat] = entry.get("seq")


def _is_human(place: Place | None) -> bool:
    return place is not None and place.kind == "human"


def _tasks(entries: list[Entry], dialect: Dialect, folded: Folded) -> None:
    """Take every task through the states that the ledger allows, and note each step that no state allows."""
    for entry in entries:
        if entry.get("event") == "task_opened":
            for task in _named(entry, dialect)[:1]:
                state = dialect.told(entry, "state")
                folded.tasks[task] = frozenset({state}) if state in OPENS_AS else OPENS_AS
        elif entry.get("event") == "task_state":
            _marked(entry, dialect, folded)
        elif entry.get("kind") in TASK_KINDS:
            _stepped(entry, folded)


def _named(entry: Entry, dialect: Dialect) -> list[str]:
    told = dialect.told(entry, "task")
    return [told] if isinstance(told, str) else reading.task_ids(entry)


def _marked(entry: Entry, dialect: Dialect, folded: Folded) -> None:
    """Take a task_state entry: it repeats what the entry before it did, or it is the watchdog's mark (BYOB-Q097)."""
    state = dialect.told(entry, "state")
    for task in _named(entry, dialect)[:1]:
        now = folded.tasks.get(task, frozenset())
        if not isinstance(state, str) or state in now:
            continue
        reached = {each for (before, _), after in TRANSITIONS.items() if before in now for each in after}
        if state not in reached:
            folded.steps.append(f"entry {entry.get('seq')} sets {task} to {state} from {_or_nobody(now)}")
        folded.tasks[task] = frozenset({state})


def _stepped(entry: Entry, folded: Folded) -> None:
    task = entry.get("task")
    found = [task] if isinstance(task, str) else reading.task_ids(entry)
    if not found or found[0] not in folded.tasks:
        return
    event, now = _event(entry), folded.tasks[found[0]]
    after = frozenset().union(*(TRANSITIONS.get((state, event), frozenset()) for state in now))
    if not after:
        folded.steps.append(f"{event} in entry {entry.get('seq')} on {found[0]}, which is {_or_nobody(now)}")
    else:
        folded.tasks[found[0]] = after


def _event(entry: Entry) -> str:
    kind = str(entry.get("kind"))
    words = {"approval": "approve", "rejection": "reject", "receipt": "receipt"}
    return words.get(kind) or f"{kind}:{entry.get('state' if kind == 'status' else 'result')}"


def _or_nobody(names: set[str] | frozenset[str]) -> str:
    return " or ".join(sorted(names)) or "nobody"


def tokens(entries: list[Entry]) -> int | None:
    """Return the sum of tokens, or None where the text leaves it open how a post counts.

    Sure are reports, and says without one whose body is ASCII and was not cut (BYOB-Q081, BYOB-Q082).
    """
    total = 0
    for entry in reading.of_kind(entries, *COUNTED):
        budget = entry.get("budget")
        used = budget.get("tokens_used") if isinstance(budget, dict) else None
        body = entry.get("body")
        if isinstance(used, int) and not isinstance(used, bool):
            total += used
        elif entry.get("kind") == "say" and isinstance(body, str) and body.isascii() and not entry.get("truncated"):
            total += -(-len(body) // 4)
        else:
            return None
    return total
