"""Every projection, and every entry wherever it is shown (BYOB 6)."""

import re
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, urlsplit

from harness.byob import reading
from harness.byob.owners import canonical
from harness.byob.things import Read
from harness.encoding import shown
from harness.monitors import Memory, monitor

TEXTS = ("protocol", "table", "seat", "prefix_hash", "status")
TIMES = ("ts", "time", "timestamp", "date", "online", "presence", "last_seen")
OURS = ("body", "artifact", "args", "reason", "refs", "topic", "card", "config", "bot", "description", "capabilities")
NAMED = re.compile(rb'"(?:' + "|".join(TIMES).encode() + rb')"')
SEAT_TEXTS = ("seat", "owner", "kind", "bot")
HASH = re.compile(r"[0-9a-f]{64}")
FREE = ("ts", "body", "refs", "truncated")


def _of(read: Read) -> dict[str, Any]:
    return read.value if isinstance(read.value, dict) else {}


def _tail(read: Read) -> list[reading.Entry]:
    return reading.objects(_of(read).get("tail"))


@monitor("byob/2/projections-have-their-shape", "BYOB-2-54", "projection")
def shape(read: Read, memory: Memory) -> str | None:
    """A projection has its members, each of its type, and so have the seats of its prefix."""
    value = _of(read)
    wrong = [name for name in TEXTS if not isinstance(value.get(name), str)]
    wrong += [name for name in ("tail", "my_tasks") if not isinstance(value.get(name), list)]
    wrong += [] if isinstance(value.get("cursor"), int) else ["cursor"]
    wrong += [] if isinstance(value.get("floor"), dict | None) else ["floor"]  # BYOB-Q064
    prefix = value.get("prefix")
    if not isinstance(prefix, dict):
        return f"prefix of a projection of {read.table}"
    wrong += [f"prefix.{name}" for name in ("seats", "decisions") if not isinstance(prefix.get(name), list)]
    wrong += [] if isinstance(prefix.get("rules"), dict) else ["prefix.rules"]
    for seat in reading.objects(prefix.get("seats")):
        wrong += [f"prefix.seats[].{name}" for name in SEAT_TEXTS if not isinstance(seat.get(name), str)]
        wrong += [] if isinstance(seat.get("proxy"), bool) else ["prefix.seats[].proxy"]
        wrong += [] if isinstance(seat.get("capabilities"), list) else ["prefix.seats[].capabilities"]
    return f"{wrong[0]} of a projection of {read.table}" if wrong else None


@monitor("byob/6/projections-name-themselves", "BYOB-6-01", "projection")
def names(read: Read, memory: Memory) -> str | None:
    """A projection names the protocol, the table and the reading seat."""
    value = _of(read)
    wanted = {"protocol": "byob/0.1", "table": read.table, "seat": read.answer.who}
    wrong = [name for name, text in wanted.items() if value.get(name) != text and text in _known(read, name)]
    return f"{wrong[0]} is {value.get(wrong[0])!r} for {read.answer.who} of {read.table}" if wrong else None


def _known(read: Read, name: str) -> tuple[str, ...]:
    """Return what a name is sure to be: who reads is in words where no seat does."""
    left = read.answer.about.left.get(read.table) if read.answer.about is not None else None
    return tuple(left.tokens) if name == "seat" and left is not None else ("byob/0.1", read.table)


@monitor("byob/6/prefix-hash-recomputes", "BYOB-6-09", "projection")
def prefix_hash(read: Read, memory: Memory) -> str | None:
    """prefix_hash is the SHA-256 of the prefix in canonical JSON, in hexadecimal."""
    value = _of(read)
    text = canonical(value.get("prefix"))
    if not text.isascii() or _has_fraction(value.get("prefix")):
        return None  # BYOB-Q028, BYOB-Q029
    said = str(value.get("prefix_hash")).removeprefix("sha256:").lower()  # BYOB-Q057
    wanted = sha256(text.encode()).hexdigest()
    return None if said == wanted else f"prefix_hash {said[:20]}… where {wanted[:20]}… is due, on {read.table}"


def _has_fraction(value: Any) -> bool:
    return any(isinstance(inner, float) for _, inner in reading.walk(value))


@monitor("byob/6/prefix-hash-is-lower-case-hex", "BYOB-6-09", "projection", open_question="BYOB-Q057")
def hash_spelling(read: Read, memory: Memory) -> str | None:
    """prefix_hash is 64 lower-case hexadecimal digits without a label."""
    said = str(_of(read).get("prefix_hash"))
    return None if HASH.fullmatch(said) else f"prefix_hash {said[:80]}"


@monitor("byob/6/tail-is-in-ascending-order", "BYOB-6-16", "projection")
def ascending(read: Read, memory: Memory) -> str | None:
    """The tail is in ascending order of seq."""
    seqs = [reading.seq_of(entry) for entry in _tail(read)]
    return f"a tail of {read.table} with the seqs {seqs[:20]}" if seqs != sorted(set(seqs)) else None


@monitor("byob/6/tail-begins-after-since", "BYOB-6-12", "projection")
def after_since(read: Read, memory: Memory) -> str | None:
    """The tail holds only entries with a seq above since."""
    asked = parse_qs(urlsplit(read.answer.path).query).get("since", [""])[0]
    seqs = [reading.seq_of(entry) for entry in _tail(read)]
    early = [seq for seq in seqs if asked.isdecimal() and seq <= int(asked)]
    return f"seq {early[0]} in the tail since {asked} of {read.table}" if early else None


@monitor("byob/6/tail-entries-carry-no-ts", "BYOB-6-23", "projection")
def no_ts(read: Read, memory: Memory) -> str | None:
    """Tail entries carry no ts."""
    timed = [entry for entry in _tail(read) if "ts" in entry]
    return f"seq {timed[0].get('seq')} of {read.table} with ts {timed[0]['ts']!r}" if timed else None


@monitor("byob/6/projections-carry-no-time", "BYOB-6-22", "projection")
def no_time(read: Read, memory: Memory) -> str | None:
    """No member of a projection, but for what seats and owners wrote, is named as a time or a presence."""
    if not NAMED.search(read.answer.body):
        return None
    for path, _ in reading.walk(_of(read)):
        inside = any(step in OURS for step in path)
        if path and path[-1] in TIMES and not inside:
            return f"{reading.dotted(path)} in a projection of {read.table}"
    return None


@monitor("byob/6/you-have-the-floor-if-you-hold-it", "BYOB-6-29", "projection")
def your_floor(read: Read, memory: Memory) -> str | None:
    """floor.you_have_floor is true exactly for the seat that floor.holder names."""
    value = _of(read)
    floor = value.get("floor")
    if not isinstance(floor, dict) or not isinstance(floor.get("holder"), str):
        return None  # BYOB-Q064
    good = floor.get("you_have_floor") is (floor["holder"] == value.get("seat"))
    return None if good else f"{value.get('seat')} of {read.table} reads {shown(floor)}"


@monitor("byob/6/each-status-is-open-or-closed", "BYOB-6-31", "projection")
def status(read: Read, memory: Memory) -> str | None:
    """status is open or closed."""
    said = _of(read).get("status")
    return None if said in ("open", "closed") else f"status {said!r} of {read.table}"


@monitor("byob/6/an-entry-is-the-same-everywhere", "BYOB-6-15", "entry", remembers="run")
def same_everywhere(read: Read, memory: Memory) -> str | None:
    """An entry has the same members wherever it is shown, but for ts, and for what the inline cut does in a tail."""
    entry = read.value
    if not isinstance(entry, dict) or not reading.seq_of(entry):
        return None
    key = (read.table, reading.seq_of(entry))
    known: dict[str, Any] = memory.setdefault(key, {})
    cut = read.route == "projection"
    for name, value in entry.items():
        if name in known and name not in FREE and known[name] != value:
            return f"{name} of seq {key[1]} of {read.table} is {shown(value)}, and was {shown(known[name])} before"
        if not (cut and name in FREE):
            known.setdefault(name, value)
    whole = known.get("body")
    if isinstance(whole, str) and not cut and entry.get("body", whole) != whole:
        return f"the body of seq {key[1]} of {read.table} is another one than before"
    return None
