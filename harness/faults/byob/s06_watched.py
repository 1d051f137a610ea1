"""What the monitors of projections must see (BYOB 2, 6)."""

from typing import Any

from harness.faults import Fault, add
from harness.faults.tables import answering

TRAFFIC = "byob/2/a-seat-without-a-stream-catches-up"
Members = dict[str, Any]
SHAPE, SAME = "byob/2/projections-have-their-shape", "byob/6/an-entry-is-the-same-everywhere"


def _tail(change: Any) -> Any:
    return lambda shown: {**shown, "tail": change(shown["tail"])}


def _prefix(**members: Any) -> Any:
    return lambda shown: {**shown, "prefix": {**shown["prefix"], **members}}


def _floor(**members: Any) -> Any:
    return lambda shown: {**shown, "floor": {**shown["floor"], **members}}


def _lacking(name: str) -> Any:
    return lambda shown: {key: value for key, value in shown.items() if key != name}


def _seats(change: Any) -> Any:
    return lambda shown: _prefix(seats=[change(seat) for seat in shown["prefix"]["seats"]])(shown)


# what it does, the monitors that see it, how a projection is changed, what the row is then
PROJECTIONS: tuple[tuple[str, str, str, Any, str], ...] = (
    ("no-tail", "Leaves the tail out.", SHAPE, _lacking("tail"), "failed"),
    ("no-status", "Leaves the status out.", SHAPE, _lacking("status"), "failed"),
    ("no-prefix", "Leaves the prefix out.", SHAPE, _lacking("prefix"), "failed"),
    ("cursor-is-a-text", "Writes the cursor as a string.", SHAPE,
     lambda s: {**s, "cursor": str(s["cursor"])}, "failed"),
    ("seats-lack-proxy", "Leaves proxy out of the seats.", SHAPE,
     _seats(lambda seat: {k: v for k, v in seat.items() if k != "proxy"}), "failed"),
    ("seats-with-a-list-of-names", "Lists capabilities as a text.", SHAPE,
     _seats(lambda seat: {**seat, "capabilities": "none"}), "failed"),
    ("projection-of-another-version", "Names another protocol version.", "byob/6/projections-name-themselves",
     lambda s: {**s, "protocol": "byob/1.0"}, "failed"),
    ("projection-of-another-seat", "Names the first seat in every projection.", "byob/6/projections-name-themselves",
     lambda s: {**s, "seat": s["prefix"]["seats"][0]["seat"]}, "failed"),
    ("hash-of-something-else", "Hashes the topic only.", "byob/6/prefix-hash-recomputes",
     lambda s: {**s, "prefix_hash": "0" * 64}, "failed"),
    ("hash-in-upper-case", "Writes the hash in upper case.", "byob/6/prefix-hash-is-lower-case-hex",
     lambda s: {**s, "prefix_hash": s["prefix_hash"].upper()}, "warned"),
    ("tail-backwards", "Shows the newest entry first.", "byob/6/tail-is-in-ascending-order",
     _tail(lambda tail: tail[::-1]), "failed"),
    ("tail-twice", "Shows the last entry twice.", "byob/6/tail-is-in-ascending-order",
     _tail(lambda tail: [*tail, *tail[-1:]]), "failed"),
    ("tail-with-times", "Leaves ts in tails.", "byob/6/tail-entries-carry-no-ts",
     _tail(lambda tail: [{**entry, "ts": "2026-01-01T00:00:00.000Z"} for entry in tail]), "failed"),
    ("projection-with-the-time", "Tells the time in projections.", "byob/6/projections-carry-no-time",
     lambda s: {**s, "time": 1790000000}, "failed"),
    ("seats-with-presence", "Tells who is online.", "byob/6/projections-carry-no-time",
     _seats(lambda seat: {**seat, "online": True}), "failed"),
    ("floor-is-always-yours", "Tells every reader that it has the floor.", "byob/6/you-have-the-floor-if-you-hold-it",
     _floor(you_have_floor=True), "failed"),
    ("status-is-live", "Calls an open table live.", "byob/6/each-status-is-open-or-closed",
     lambda s: {**s, "status": "live"}, "failed"),
    ("tail-renames-seats", "Shows every entry of a tail as the reader's own.", SAME,
     lambda s: {**s, "tail": [{**entry, "seat": s["seat"]} for entry in s["tail"]]}, "failed"),
)  # fmt: skip
for _id, _says, _claim, _change, _outcome in PROJECTIONS:
    _made = answering(_change, "projection")
    add(Fault(f"byob/{_id}", _says, (_claim,), _made, outcome=_outcome, traffic=TRAFFIC))

add(
    Fault(
        "byob/tails-from-the-beginning",
        "Shows all visible entries, whatever since says.",
        ("byob/6/tail-begins-after-since",),
        answering(lambda s: {**s, "tail": [{"seq": 1, "seat": "core", "kind": "system"}, *s["tail"]]}, "projection"),
        traffic=TRAFFIC,
    )
)
