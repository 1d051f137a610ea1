"""What one seat gets to read: a stable prefix and the new entries that it may see (BYOB 6)."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from reference.byob.canonical import canonical
from reference.byob.types import PROTOCOL, Config, Entry, Seat, Status, Task


class View(Protocol):
    """What a projection reads of a table's state."""

    @property
    def config(self) -> Config:
        """The table config."""

    @property
    def seats(self) -> Mapping[str, Seat]:
        """The seats by id, in the order in which they joined."""

    @property
    def entries(self) -> Sequence[Entry]:
        """The ledger; the entry with seq n has the index n − 1."""

    @property
    def decisions(self) -> Sequence[Entry]:
        """The decision entries so far."""

    @property
    def unfinished(self) -> Mapping[str, Mapping[str, Task]]:
        """By affected owner and task id, the tasks that have not ended, in the order in which they were opened."""

    @property
    def holder(self) -> str | None:
        """The seat that has the floor."""

    @property
    def grant_seq(self) -> int | None:
        """The seq of the grant that is in force."""

    @property
    def status(self) -> Status:
        """Whether the table is open or closed."""


def prefix(state: View) -> dict[str, Any]:
    """The part that changes only when a seat joins or a decision is made: topic, rules, seats, decisions (BYOB 6)."""
    config = state.config
    return {
        "topic": config["topic"],
        "rules": {name: config.get(name, {}) for name in ("topology", "floor", "termination")},
        "seats": [_shown_seat(seat) for seat in state.seats.values()],
        "decisions": [{name: each.get(name, "") for name in ("seq", "seat", "body")} for each in state.decisions],
    }


def prefix_hash(prefix: Mapping[str, Any]) -> str:
    """The SHA-256 of a prefix in canonical JSON, as 64 lower-case hex digits (BYOB 6)."""
    return sha256(canonical(dict(prefix)).encode()).hexdigest()


def tail_entry(entry: Entry, inline_limit: int | None) -> Entry:
    """An entry as a tail shows it: without `ts`, and with a body of at most `inline_limit` code points (BYOB 6).

    A body that was cut is to be had whole from GET entries/{seq}, so `entry:<seq>` joins the refs. None cuts nothing.
    """
    shown = {name: value for name, value in entry.items() if name != "ts"}
    body = shown.get("body")
    if inline_limit is not None and isinstance(body, str) and len(body) > inline_limit:
        shown["body"] = body[:inline_limit]
        reference = f"entry:{entry['seq']}"
        refs = shown.get("refs", [])
        shown["refs"] = refs if reference in refs else [*refs, reference]
    return shown


class Fixed(NamedTuple):
    """A prefix and its hash. They stay the same over many reads, so a table that keeps them saves their making."""

    prefix: dict[str, Any]
    hash: str


def fixed(state: View) -> Fixed:
    """The prefix as it is now, and its hash."""
    made = prefix(state)
    return Fixed(made, prefix_hash(made))


def project(
    state: View, seat: str, since: int, sees: Callable[[Entry], bool], known: Fixed | None = None
) -> dict[str, Any]:
    """The projection of a table for one seat (BYOB 6).

    seat: a seat that has joined. since: only entries with a higher seq are in the tail; 0 for all.
    sees: whether this seat may see an entry. known: what `fixed` returns now, where it is at hand.
    The cursor is the last seq of the ledger. my_tasks are those that wait for the seat's owner or for a bot of that
    owner. The time that a projection takes grows with its tail, not with the ledger.
    """
    config = state.config
    stable = known or fixed(state)
    limit = config.get("projection", {}).get("inline_limit")
    return {
        "protocol": PROTOCOL,
        "table": config["id"],
        "seat": seat,
        "prefix": stable.prefix,
        "prefix_hash": stable.hash,
        "tail": [tail_entry(entry, limit) for entry in state.entries[max(since, 0) :] if sees(entry)],
        "cursor": len(state.entries),
        "floor": _floor(state, seat),
        "status": state.status,
        "my_tasks": [task.shown() for task in state.unfinished.get(state.seats[seat].owner, {}).values()],
    }


def _floor(state: View, seat: str) -> dict[str, Any]:
    floor = {
        "holder": state.holder,
        "you_have_floor": state.holder == seat,
        "grant_seq": None if state.holder is None else state.grant_seq,
    }
    max_chars = state.config.get("floor", {}).get("max_chars")
    return floor if max_chars is None else {**floor, "max_chars": max_chars}


def _shown_seat(seat: Seat) -> dict[str, Any]:
    shown = {
        "seat": seat.id,
        "owner": seat.owner,
        "kind": seat.kind,
        "bot": seat.card["bot"],
        "proxy": seat.card.get("proxy", False),
        "capabilities": seat.card["capabilities"],
    }
    return shown if seat.role is None else {**shown, "role": seat.role}
