"""A host in one process, with owners, a clock that the test moves, and short words for what seats do."""

from itertools import count
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.keys import OwnerKey
from reference.byob.signing import decision_payload, join_payload
from reference.byob.store import MemoryStore, Store
from reference.byob.table import Table

START = 1_790_000_000.0
OWNERS = {name: OwnerKey(bytes([number]) * 32) for number, name in enumerate(("tao", "jenny", "omar"), 1)}
STRANGER = OwnerKey(bytes(32))
DEBATE = {"kind": "debate", "pro": "pro", "con": "con", "judge": "judge", "rounds": 1}
ENDLESS = 1000
"""Rounds enough for a test that is not about rounds."""


def order(*seats: str, rounds: int = ENDLESS) -> dict[str, Any]:
    """A broadcast topology."""
    return {"kind": "broadcast", "order": list(seats), "rounds": rounds}


def config(id: str = "t", **members: Any) -> dict[str, Any]:
    """A table config; without members a long broadcast of a and b."""
    owners = {name: {"public_key": key.public_key} for name, key in OWNERS.items()}
    base = {"id": id, "topic": "Which one?", "owners": owners, "topology": order("a", "b")}
    return {**base, "termination": {"any": ["rounds_exhausted"]}, **members}


def capability(resource: str = "board", *actions: str, **flags: bool) -> dict[str, Any]:
    """A capability of a card."""
    return {"resource": resource, "actions": list(actions or ("reorder",)), **flags}


def effect(owner: str = "jenny", resource: str = "board", action: str = "reorder") -> dict[str, Any]:
    """An effect of a post."""
    return {"owner": owner, "resource": resource, "action": action, "args": {"order": ["1"]}}


def code(call: Any, *arguments: Any, **named: Any) -> str:
    """The code of the ByobError that a call raises; "accepted" when it raises none."""
    try:
        call(*arguments, **named)
    except ByobError as error:
        return error.code
    return "accepted"


class Play:
    """Tables on one host. Methods of seats take the table as `on`, by default the last one that was created."""

    def __init__(self, store: Store | None = None, table_class: type[Table] = Table) -> None:
        self.store: Store = MemoryStore() if store is None else store
        self.table_class = table_class
        self.now = START
        self.tokens: dict[tuple[str, str], str] = {}
        self.admins: dict[str, str] = {}
        self.table = ""
        self._count = count(1)
        self.restart()

    def restart(self) -> None:
        """A new host on the same store."""
        self.host = Host(self.store, token=lambda: f"token-{self.unique()}", table_class=self.table_class)

    def unique(self) -> int:
        """A number that was not there before."""
        return next(self._count)

    def create(self, id: str = "t", **members: Any) -> "Play":
        """A table; without an end condition of its own only its turns end it."""
        self.admins[id] = self.host.create(config(id, **members), self.now)["admin_token"]
        self.table = id
        return self

    def request(self, seat: str, owner: str = "tao", **members: Any) -> dict[str, Any]:
        """A signed join-request. members: replaces them before it is signed; `on` is the table, `key` signs."""
        on, key = members.pop("on", self.table), members.pop("key", OWNERS.get(owner, STRANGER))
        caps = members.pop("caps", [])
        base = {"protocol": "byob/0.1", "seat": seat, "owner": owner, "kind": "bot", "nonce": f"nonce-{self.unique()}"}
        body = {**base, "card": {"bot": "a script", "proxy": False, "capabilities": caps}, **members}
        return {**body, "signature": key.sign(join_payload(on, body))}

    def join(self, seat: str, owner: str = "tao", *, on: str | None = None, **members: Any) -> "Play":
        """Takes a seat."""
        table = on or self.table
        body = self.request(seat, owner, on=table, **members)
        self.tokens[table, seat] = self.host.join(table, body, self.now)["seat_token"]
        return self

    def bots(self, *seats: str) -> "Play":
        """Takes seats for bots of tao that can do nothing."""
        for seat in seats:
            self.join(seat)
        return self

    def human(self, seat: str, owner: str = "tao") -> "Play":
        """Takes a seat for a person."""
        return self.join(seat, owner, kind="human")

    def post(self, seat: str, kind: str, *, on: str | None = None, **members: Any) -> dict[str, Any]:
        """Posts; returns the entry."""
        table = on or self.table
        return self.host.post(table, self.tokens[table, seat], {"kind": kind, **members}, self.now)

    def say(self, seat: str, body: str = "Hm.", **members: Any) -> dict[str, Any]:
        """Says something."""
        return self.post(seat, "say", body=body, **members)

    def passes(self, seat: str, **members: Any) -> dict[str, Any]:
        """Passes."""
        return self.post(seat, "pass", **members)

    def propose(self, seat: str, *effects: dict[str, Any], **members: Any) -> str:
        """Proposes effects; returns the id of the task."""
        entry = self.post(seat, "proposal", body="Do it.", effects=list(effects or (effect(),)), **members)
        return f"task-{entry['seq']}"

    def decision(self, task: str, owner: str = "jenny", decide: str = "approve", **members: Any) -> dict[str, Any]:
        """A signed owner-decision. members: as for `request`."""
        on, key = members.pop("on", self.table), members.pop("key", OWNERS.get(owner, STRANGER))
        base = {"owner": owner, "task": task, "decision": decide, "nonce": f"nonce-{self.unique()}"}
        body = {**base, **members}
        return {**body, "signature": key.sign(decision_payload(on, body))}

    def approve(self, task: str, owner: str = "jenny", decide: str = "approve", **members: Any) -> dict[str, Any]:
        """Decides; returns the entry."""
        return self.host.approve(self.table, self.decision(task, owner, decide, **members), self.now)

    def state(self, task: str) -> str:
        """The state of a task."""
        return str(self.memory()["tasks"][[each["id"] for each in self.memory()["tasks"]].index(task)]["state"])

    def close(self, on: str | None = None, reason: str = "enough") -> dict[str, Any]:
        """Closes a table as its admin."""
        table = on or self.table
        return self.host.close(table, self.admins[table], {"reason": reason}, self.now)

    def ledger(self, on: str | None = None) -> list[dict[str, Any]]:
        """All entries of a table."""
        table = on or self.table
        entries: list[dict[str, Any]] = self.host.ledger(table, self.admins[table], self.now)["entries"]
        return entries

    def words(self, on: str | None = None) -> list[str]:
        """The ledger in short: kinds of seats' entries, events of the core's."""
        return [str(entry.get("event", entry["kind"])) for entry in self.ledger(on)]

    def last(self, word: str, on: str | None = None) -> dict[str, Any]:
        """The last entry of a kind or event."""
        return [entry for entry in self.ledger(on) if word in (entry["kind"], entry.get("event"))][-1]

    def read(self, seat: str, since: int | None = 0, on: str | None = None) -> dict[str, Any]:
        """A projection."""
        table = on or self.table
        text = None if since is None else str(since)
        return self.host.projection(table, self.tokens[table, seat], text, self.now)

    def memory(self, on: str | None = None) -> dict[str, Any]:
        """The memory, as the first seat that joined reads it."""
        table = on or self.table
        token = next(token for (where, _), token in self.tokens.items() if where == table)
        return self.host.memory(table, token, self.now)

    def holder(self, on: str | None = None) -> str | None:
        """Who has the floor, by the last grant that no say, pass or close of its holder ended."""
        holder: str | None = None
        for entry in self.ledger(on):
            if entry.get("event") == "floor_granted":
                holder = entry["holder"]
            elif entry.get("event") == "table_closed" or (entry["kind"] in ("say", "pass") and entry["seat"] == holder):
                holder = None
        return holder

    def reason(self, on: str | None = None) -> str | None:
        """Why a table is closed; None for an open one."""
        closed = [entry for entry in self.ledger(on) if entry.get("event") == "table_closed"]
        assert len(closed) < 2
        return str(closed[0]["reason"]) if closed else None
