"""The seat SDK: a table host, and a seat at one of its tables (BYOB 2 to 9)."""

import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Any, TypeVar

import httpx

from reference.byob.keys import OwnerKey
from reference.byob.seat import fixed, joining, posts, reading
from reference.byob.seat.addresses import path
from reference.byob.seat.disclosure import Rules
from reference.byob.seat.errors import Refused, Unsendable
from reference.byob.seat.expanding import MOST_ENTRIES, MOST_HOPS, Frontier
from reference.byob.seat.posts import Post
from reference.byob.seat.reading import Entry, Memory, Projection, Task
from reference.byob.seat.wire import Wire
from reference.yea.types import Json

Self = TypeVar("Self", bound="_OnWire")

NO_RULES = Rules()


def new_nonce() -> str:
    """A nonce that nobody has used: 32 hex digits (BYOB 4)."""
    return secrets.token_hex(16)


class _OnWire:
    """Something with a connection, which ends with it."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def close(self) -> None:
        """End the connection."""
        await self._wire.close()

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class TableHost(_OnWire):
    """A table host, for those who make tables and for owners. Every method raises a SeatError."""

    def __init__(
        self,
        url: str,
        *,
        rules: Rules = NO_RULES,
        http: httpx.AsyncClient | None = None,
        nonces: Callable[[], str] = new_nonce,
    ) -> None:
        """url: with or without /v0.1. rules: what no join and no reason may say. http: a client, closed with this."""
        super().__init__(Wire(url, http))
        self._rules, self._nonces = rules, nonces

    async def create(self, config: dict[str, Any]) -> tuple[str, str]:
        """Make a table from a table-config (BYOB 3). Returns its id and its admin token."""
        self._rules.check(config[name] for name in ("id", "topic") if name in config)
        answer = await self._wire.post("/tables", config)
        return reading.named(answer, "table"), reading.secret(answer, "admin_token")

    async def join(
        self,
        key: OwnerKey,
        *,
        table: str,
        seat: str,
        owner: str,
        card: dict[str, Any] | None = None,
        kind: str = "bot",
        role: str | None = None,
        transport: str | None = "http",
    ) -> str:
        """Take a seat with a join that the owner signs (BYOB 4). Returns the seat's token, which is told only once.

        card: what the seat may be asked to do; talk only if None. kind: bot or human.
        """
        card = joining.talk_only() if card is None else card
        self._rules.check([seat, *(text for text in (role, transport) if text), *posts.own_texts_of_card(card)])
        request = joining.join_request(
            key,
            table=table,
            seat=seat,
            owner=owner,
            card=card,
            nonce=self._nonces(),
            kind=kind,
            role=role,
            transport=transport,
        )
        return reading.secret(await self._wire.post(path("tables", table, "seats"), request), "seat_token")

    async def decide(
        self, key: OwnerKey, *, table: str, owner: str, task: str, decision: str, reason: str | None = None
    ) -> Entry:
        """Approve or reject a task as its affected owner (BYOB 9). Returns the entry that records it."""
        self._rules.check([reason] if reason is not None else [])
        body = joining.owner_decision(
            key, table=table, owner=owner, task=task, decision=decision, nonce=self._nonces(), reason=reason
        )
        return reading.entry(await self._wire.post(path("tables", table, "approvals"), body))

    async def close_table(self, table: str, admin_token: str, reason: str) -> Memory:
        """Close a table (BYOB 2). Returns its memory."""
        self._rules.check([reason])
        return reading.memory(await self._wire.post(path("tables", table, "close"), {"reason": reason}, admin_token))

    async def ledger(self, table: str, admin_token: str) -> list[Entry]:
        """Every entry of a table, with its time (BYOB 2)."""
        return reading.ledger(await self._wire.get_ledger(path("tables", table, "ledger"), admin_token))

    def seat(self, table: str, seat: str, token: str) -> "Seat":
        """A seat over this connection. Closing either ends both."""
        return Seat(self._wire, table, seat, token, rules=self._rules)


class Seat(_OnWire):
    """A seat at a table: reads what it may see, and posts what its owner's rules let out (BYOB 5, 6, 9).

    Every method raises a SeatError: `Refused` when the host said no, `Disclosure` when a rule of the owner did and
    nothing was sent, `AnswerLost` when a post may or may not have been made.
    """

    def __init__(self, wire: Wire, table: str, seat: str, token: str, *, rules: Rules = NO_RULES) -> None:
        """wire: closed with this. token: from the join."""
        super().__init__(wire)
        self.table, self.name, self._token, self._rules = table, seat, token, rules

    def __repr__(self) -> str:
        return f"Seat({self.name!r} at {self.table!r}, {self._wire.base!r})"

    # --- reading -------------------------------------------------------------------------------

    async def projection(self, since: int | None = None) -> Projection:
        """What the seat may see after a cursor; since the last read if None (BYOB 6)."""
        query = {} if since is None else {"since": since}
        return reading.projection(await self._wire.get(self._path("projection"), self._token, **query))

    async def entry(self, seq: int) -> Entry:
        """An entry with its full body, if the seat may see it (BYOB 2)."""
        return reading.entry(await self._wire.get(self._path("entries", seq), self._token))

    async def expand(
        self, start: Iterable[int], *, hops: int = MOST_HOPS, most: int = MOST_ENTRIES
    ) -> dict[int, Entry]:
        """The entries of these seqs, those that they refer to, and so on, by seq (BYOB 5).

        hops: how far to follow, 1 for these alone. most: entries in all. One that the seat may not see is left out.
        """
        frontier, found = Frontier(start, hops=hops, most=most), dict[int, Entry]()
        while (asked := frontier.take()) is not None:
            seq, left = asked
            try:
                found[seq] = await self.entry(seq)
            except Refused as refusal:
                if refusal.code != "E_NOT_FOUND":
                    raise
                continue
            frontier.found(found[seq], left)
        return found

    async def memory(self) -> Memory:
        """The table's memory: decisions, tasks, status (BYOB 1)."""
        return reading.memory(await self._wire.get(self._path("memory"), self._token))

    async def task(self, task: str) -> Task:
        """A task. What is no task's id is not sent, for a path can carry a text out as well as a body."""
        return reading.task(await self._wire.get(self._path("tasks", _task_id(task)), self._token), task)

    @contextlib.asynccontextmanager
    async def events(self) -> AsyncIterator[AsyncIterator[str]]:
        """The wake-ups: `hello` once, then `entry` for each entry that the seat may see (BYOB 2)."""
        async with self._wire.events(self._path("events"), self._token) as names:
            yield names

    # --- posting -------------------------------------------------------------------------------

    async def post(self, post: Post) -> Entry:
        """Post anything that a seat may (BYOB 5), once the owner's rules let it. Returns the appended entry."""
        posts.check(post)
        self._rules.check(posts.own_texts(post))
        return await self._send(post)

    async def say(self, body: str, to: Iterable[str] = ("*",), **more: Json) -> Entry:
        """Speak. to: `*`, `@seat` or `role:x`. more: reply_to, refs, budget."""
        return await self.post({"kind": "say", "body": body, "to": [*to], **more})

    async def pass_(self, body: str | None = None) -> Entry:
        """Yield the floor with nothing to add."""
        return await self.post({"kind": "pass", **_with(body)})

    async def raise_hand(self, body: str | None = None) -> Entry:
        """Ask for the floor."""
        return await self.post({"kind": "raise_hand", **_with(body)})

    async def propose(self, body: str, effects: list[dict[str, Any]], **more: Json) -> Entry:
        """Ask for an external action. effects: {owner, resource, action, args} each, all of one owner."""
        return await self.post({"kind": "proposal", "body": body, "effects": [*effects], **more})

    async def decide(self, body: str, effects: list[dict[str, Any]] | None = None, **more: Json) -> Entry:
        """Decide. Effects open a task."""
        post: Post = {"kind": "decision", "body": body, **more}
        return await self.post(post if effects is None else {**post, "effects": [*effects]})

    async def status(self, task: str, state: str, body: str | None = None) -> Entry:
        """Report on a task as its executor. state: running or failed."""
        return await self.post({"kind": "status", "task": task, "state": state, **_with(body)})

    async def receipt(self, task: str, artifact: Json, body: str | None = None) -> Entry:
        """Report what the execution of a task brought. artifact: the raw result, any JSON."""
        return await self.post({"kind": "receipt", "task": task, "artifact": artifact, **_with(body)})

    async def verify(self, task: str, result: str, body: str | None = None) -> Entry:
        """Judge another seat's receipt. result: pass or fail. body: a note."""
        return await self.post({"kind": "verify", "task": task, "result": result, **_with(body)})

    async def post_fixed(self, post: Post) -> Entry:
        """Post without holding it against the rules: a text of `fixed`, or none. Raises Unsendable for any other."""
        posts.check(post)
        if any(text not in fixed.TEXTS for text in posts.own_texts(post)):
            raise Unsendable("this post has another text than a fixed one")
        return await self._send(post)

    async def _send(self, post: Post) -> Entry:
        return reading.entry(await self._wire.post(self._path("entries"), post, self._token))

    def _path(self, *words: str | int) -> str:
        return path("tables", self.table, *words)


def _with(body: str | None) -> dict[str, str]:
    return {} if body is None else {"body": body}


def _task_id(task: str) -> str:
    if not posts.is_task_id(task):
        raise Unsendable("a task's id is task- and a number")
    return task
