"""BYOB 6: projections that show too much, too little, the wrong thing, or another thing each time."""

import itertools
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.tables import answering
from reference.byob.table import Table

NAMES = "byob/6/names-protocol-table-and-seat"
RULES = "byob/6/prefix-has-topic-and-rules"
SEATS = "byob/6/prefix-lists-the-seats"
DECISIONS = "byob/6/prefix-lists-the-decisions"
STABLE = "byob/6/prefix-is-stable"
HASH = "byob/6/prefix-hash-of-every-seat"
ABOVE = "byob/6/tail-is-all-above-since"
BEYOND = "byob/6/since-beyond-the-end"
HIDDEN = "byob/6/hidden-entries-stay-hidden"
SAME = "byob/6/same-range-same-entries"
CURSOR = "byob/6/cursor-marks-how-far"
GO_ON = "byob/6/reads-go-on-from-the-last"
VOLATILE = "byob/6/nothing-volatile"
LONG = "byob/6/long-bodies-are-references"
SHORT = "byob/6/short-bodies-are-whole"
FLOOR = "byob/6/floor-tells-holder-grant-and-size"
STATUS = "byob/6/status-is-open-or-closed"
MINE = "byob/6/my-tasks"

Json = Any
Projection = dict[str, Any]
_ticks = itertools.count()


def _put(*path: str, value: Json = None, counting: bool = False) -> Callable[[Projection], None]:
    """Return a change that sets the member at a path; with `counting`, to another number each time."""

    def change(projection: Projection) -> None:
        inner: Json = projection
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = next(_ticks) if counting else value

    return change


def _each(*path: str, change: Callable[[Json], Json]) -> Callable[[Projection], None]:
    """Return a change of every item of the list at a path; an item that becomes None is left out."""

    def changed(projection: Projection) -> None:
        inner: Json = projection
        for step in path[:-1]:
            inner = inner[step]
        items = [change(dict(each)) for each in inner[path[-1]]]
        inner[path[-1]] = [each for each in items if each is not None]

    return changed


def _less(*names: str) -> Callable[[Json], Json]:
    return lambda item: {name: value for name, value in item.items() if name not in names}


def _reversed_tail(projection: Projection) -> None:
    projection["tail"] = projection["tail"][::-1]


def _tail_from_since(projection: Projection) -> None:
    projection["tail"] = [{"seq": 0, "kind": "system", "event": "note"}, *projection["tail"]]


def _swapped_tail(projection: Projection) -> None:
    tail = projection["tail"]
    if len(tail) > 8:
        tail[0], tail[1] = tail[1], tail[0]


CHANGES: tuple[tuple[str, str, tuple[str, ...], Callable[[Projection], Any]], ...] = (
    ("protocol-is-another", "Names another protocol in projections.", (NAMES,), _put("protocol", value="byob/1.0")),
    ("table-is-not-named", "Names no table in projections.", (NAMES,), _put("table")),
    ("reader-is-always-a", "Names seat a as the reader of every projection.", (NAMES,), _put("seat", value="a")),
    ("topic-is-cut", "Shows no topic.", (RULES,), _put("prefix", "topic", value="")),
    ("topology-is-hidden", "Shows no topology.", (RULES,), _put("prefix", "rules", "topology", value={})),
    ("floor-rules-are-hidden", "Shows no floor rules.", (RULES,), _put("prefix", "rules", "floor", value={})),
    ("termination-is-hidden", "Shows no termination.", (RULES,), _put("prefix", "rules", "termination", value={})),
    *(
        (
            f"seats-without-{name}",
            f"Shows seats without {name}.",
            (SEATS,),
            _each("prefix", "seats", change=_less(name)),
        )
        for name in ("owner", "kind", "role", "bot", "proxy", "capabilities")
    ),
    (
        "bots-only-in-the-prefix",
        "Lists no humans in the prefix.",
        (SEATS,),
        _each("prefix", "seats", change=lambda seat: seat if seat["kind"] == "bot" else None),
    ),
    ("decisions-are-hidden", "Shows no decisions.", (DECISIONS,), _put("prefix", "decisions", value=[])),
    *(
        (
            f"decisions-without-{name}",
            f"Shows decisions without {name}.",
            (DECISIONS,),
            _each("prefix", "decisions", change=_less(name)),
        )
        for name in ("seq", "seat", "body")
    ),
    ("prefix-counts-entries", "Puts the cursor into the prefix.", (STABLE,), lambda p: _copy(p, "prefix", "cursor")),
    ("prefix-has-the-floor", "Puts the holder into the prefix.", (STABLE,), lambda p: _copy(p, "prefix", "floor")),
    ("prefix-has-the-status", "Puts the status into the prefix.", (STABLE,), lambda p: _copy(p, "prefix", "status")),
    ("prefix-hash-of-nothing", "Sends the same hash always.", (HASH, SEATS), _put("prefix_hash", value="0" * 64)),
    ("prefix-hash-is-short", "Cuts the hash.", (HASH,), lambda p: {**p, "prefix_hash": p["prefix_hash"][:32]}),
    ("tail-has-since", "Begins the tail at an entry before since.", (ABOVE,), _tail_from_since),
    ("tail-is-reversed", "Sends the newest entry first.", (ABOVE,), _reversed_tail),
    ("tail-is-reordered", "Reorders a long tail.", (SAME,), _swapped_tail),
    ("tail-is-shortened", "Sends at most five entries.", (ABOVE,), lambda p: {**p, "tail": p["tail"][:5]}),
    ("tail-loses-refs", "Shows entries without `to`.", (SAME,), _each("tail", change=_less("to"))),
    ("cursor-is-a-string", "Sends the cursor as text.", (CURSOR,), lambda p: {**p, "cursor": str(p["cursor"])}),
    ("cursor-is-behind", "Sends the cursor of an entry before.", (CURSOR,), lambda p: {**p, "cursor": p["cursor"] - 1}),
    ("cursor-is-ahead", "Sends a cursor ahead of the ledger.", (CURSOR,), lambda p: {**p, "cursor": p["cursor"] + 5}),
    ("projections-count-reads", "Counts reads in projections.", (VOLATILE,), _put("reads", counting=True)),
    ("prefix-counts-reads", "Counts reads in the prefix.", (VOLATILE,), _put("prefix", "reads", counting=True)),
    ("projections-have-a-time", "Carries the time.", (VOLATILE,), _put("time", value="2026-11-03T12:00:00.000Z")),
    ("projections-have-presence", "Carries who is there.", (VOLATILE,), _put("online", value=["a"])),
    (
        "nobody-has-the-floor",
        "Tells nobody that it has the floor.",
        (FLOOR,),
        _put("floor", "you_have_floor", value=False),
    ),
    (
        "everybody-has-the-floor",
        "Tells everybody that it has the floor.",
        (FLOOR,),
        _put("floor", "you_have_floor", value=True),
    ),
    ("holder-is-always-a", "Says that a holds the floor.", (FLOOR,), _put("floor", "holder", value="a")),
    ("grant-seq-is-the-first", "Names the first entry as the grant.", (FLOOR,), _put("floor", "grant_seq", value=1)),
    (
        "max-chars-is-not-told",
        "Tells no size limit.",
        (FLOOR,),
        lambda p: {**p, "floor": _less("max_chars")(p["floor"])},
    ),
    ("status-stays-open", "Says open after the close.", (STATUS,), _put("status", value="open")),
    ("my-tasks-are-empty", "Lists no tasks in my_tasks.", (MINE,), _put("my_tasks", value=[])),
)


def _copy(projection: Projection, into: str, name: str) -> Projection:
    return {**projection, into: {**projection[into], name: projection[name]}}


for _name, _says, _kills, _change in CHANGES:
    add(Fault(f"byob/{_name}", _says, _kills, answering(_change, "projection")))
add(Fault("byob/memory-stays-open", "Says open in the memory after the close.", (STATUS,),
          answering(lambda memory: {**memory, "status": "open"}, "memory")))  # fmt: skip
add(Fault("byob/close-answers-nothing", "Answers a close with its status only.", (STATUS,),
          answering(lambda memory: {"status": "closed"}, "close")))  # fmt: skip
add(Fault("byob/memory-forgets-decisions", "Lists no decisions in the memory.", (DECISIONS,),
          answering(lambda memory: {**memory, "decisions": []}, "memory")))  # fmt: skip


@fault("byob/reason-of-the-close-is-lost", STATUS)
class ReasonLost(Table):
    """Records no reason of the admin's close."""

    def close(self, body: Any, now: int) -> dict[str, Any]:
        """Give a reason of its own."""
        return super().close({"reason": "closed"}, now)
