"""A table that a check made: who sits there, and every call of the API with the right token.

The calls are named as the probes are: `join`, `post`, `proj`, `entry`, `events`, `mem`, `task`, `decide`, `close`,
`ledger`. Each returns the `Answer` as it came. `t.need(call)` is for those that must succeed for the check to go on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from harness.byob import owners, reading
from harness.byob.facts import Left
from harness.byob.owners import Owner
from harness.byob.reading import Entry
from harness.byob.recipes import Place, effect
from harness.byob.tokens import token_in
from harness.errors import NotApplicable, Untested
from harness.targets.hosts import ABSENT, Answer, EventStream

if TYPE_CHECKING:
    from harness.byob.context import Context

Json = Any
Body = dict[str, Json]
HOLDER_GRACE = 2.0  # BYOB-Q066
POLL = 0.05
MOST_TURNS = 60


class Table:
    """A table on the host.

    Args:
        t: the check's context.
        id: the table's id.
        config: as it was sent.
        admin: its admin token.
        people: its owners by id.
    """

    def __init__(self, t: "Context", id: str, config: Body, admin: str, people: dict[str, Owner]) -> None:
        self.t, self.id, self.config, self.admin, self.people = t, id, config, admin, people
        self.tokens: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        t.facts.left[id] = Left(config, admin, self.tokens, self.places, t.check.id)

    @property
    def path(self) -> str:
        """The table's path below /v0.1."""
        return f"/tables/{self.id}"

    # The calls

    async def join(self, place: Place, **changes: Any) -> Answer:
        """POST …/seats with a right join request, some members of which may be changed after it was signed."""
        return await self.send_join({**self.join_request(place), **changes})

    def join_request(self, place: Place, *, by: Owner | None = None, nonce: str | None = None, **signed: Any) -> Body:
        """Return a right join request; NotApplicable where this host takes no such seat (BYOB-Q036).

        Args:
            place: which seat, for whom, with which card.
            by: whose key signs it; that of the place's owner if not given.
            nonce: a fresh one if not given.
            signed: members of what is signed that shall differ from the request; ABSENT leaves one out.
        """
        self._check_is_taken(place.seat)
        request: Body = {"protocol": "byob/0.1", "seat": place.seat, "owner": place.owner, "kind": place.kind}
        if place.role is not None:
            request["role"] = place.role
        request |= {"card": dict(place.card), "nonce": nonce or owners.nonce()}
        whole = {**owners.signed(owners.JOIN_MEMBERS, self.id, request), **signed}
        return {**request, "signature": (by or self.owner(place.owner)).sign(_present(whole))}

    def _check_is_taken(self, seat: str) -> None:
        topology = self.config.get("topology")
        kind = topology.get("kind") if isinstance(topology, dict) else None
        if kind in self.t.dialect.refuses_extra and seat not in _words(topology):
            raise NotApplicable(f"the host takes no seats that a {kind} does not name (BYOB-Q036)")

    async def send_join(self, request: Json) -> Answer:
        """POST …/seats with any body; a seat that is won is sat on from now on."""
        answer = await self.t.call("POST", f"{self.path}/seats", body=request)
        token = token_in(answer.value, "seat_token")
        if answer.ok and token and isinstance(request, dict):
            seat = str(request.get("seat"))
            self.tokens[seat] = token
            fields = {name: request[name] for name in ("owner", "kind", "role", "card") if name in request}
            self.places[seat] = Place(seat, **fields)
        return answer

    async def post(self, seat: str, kind: str | Json, **members: Any) -> Answer:
        """POST …/entries as a seat: a kind with its members, or any whole body."""
        body = {"kind": kind, **members} if isinstance(kind, str) else kind
        return await self.as_seat(seat, "POST", "/entries", body)

    async def proj(self, seat: str, since: Any = None) -> Answer:
        """GET …/projection as a seat, with `since` when it is given."""
        return await self.as_seat(seat, "GET", "/projection" + ("" if since is None else f"?since={since}"))

    async def entry(self, seat: str, seq: Any) -> Answer:
        """GET …/entries/{seq} as a seat."""
        return await self.as_seat(seat, "GET", f"/entries/{seq}")

    async def events(self, seat: str, **headers: str) -> EventStream:
        """GET …/events as a seat; further headers as keywords, `last_event_id` for Last-Event-ID."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.t.open_events(f"{self.path}/events", {**self.bearer(seat), **more}, who=seat)

    async def mem(self, seat: str) -> Answer:
        """GET …/memory as a seat."""
        return await self.as_seat(seat, "GET", "/memory")

    async def task(self, seat: str, task: str) -> Answer:
        """GET …/tasks/{task} as a seat."""
        return await self.as_seat(seat, "GET", f"/tasks/{task}")

    async def decide(self, owner: str, task: str, decision: Any = "approve", **changes: Any) -> Answer:
        """POST …/approvals with a right decision, some members of which may be changed after it was signed."""
        reason = changes.pop("reason", None) if "reason" in changes else None
        return await self.send_decision({**self.decision_request(owner, task, decision, reason=reason), **changes})

    def decision_request(
        self,
        owner: str,
        task: str,
        decision: Any = "approve",
        *,
        reason: str | None = None,
        by: Owner | None = None,
        nonce: str | None = None,
        **signed: Any,
    ) -> Body:
        """Return a right owner decision; see `join_request` for `by`, `nonce` and `signed`."""
        request: Body = {"owner": owner, "task": task, "decision": self.t.dialect.word(decision)}
        if reason is not None:
            request["reason"] = reason
        if self.t.dialect.decision_names_table:
            request["table"] = self.id
        request["nonce"] = nonce or owners.nonce()
        whole = {**owners.signed(owners.DECISION_MEMBERS, self.id, request), **signed}
        return {**request, "signature": (by or self.owner(owner)).sign(_present(whole))}

    async def send_decision(self, request: Json) -> Answer:
        """POST …/approvals with any body."""
        return await self.t.call("POST", f"{self.path}/approvals", body=request)

    async def close(self, reason: str = "done") -> Answer:
        """POST …/close as the admin."""
        return await self.as_admin("POST", "/close", {"reason": reason})

    async def ledger(self) -> Answer:
        """GET …/ledger as the admin."""
        return await self.as_admin("GET", "/ledger")

    async def as_seat(self, seat: str, method: str, path: str, body: Json = ABSENT) -> Answer:
        """Send any request below the table's path with a seat's token."""
        return await self.t.call(method, self.path + path, body=body, headers=self.bearer(seat), who=seat)

    async def as_admin(self, method: str, path: str, body: Json = ABSENT) -> Answer:
        """Send any request below the table's path with the admin token."""
        headers = {"Authorization": f"Bearer {self.admin}"}
        return await self.t.call(
            method, self.path + path, body=body, headers=headers, who="the admin", any_body=path == "/ledger"
        )

    def bearer(self, seat: str) -> dict[str, str]:
        """Return the Authorization header of a seat; raises Untested when it has not joined."""
        if seat not in self.tokens:
            raise Untested(f"seat {seat} has no token, since its join failed")
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    def owner(self, id: str) -> Owner:
        """Return an owner of the table by id; one that the config does not register gets a key of its own."""
        return self.people.setdefault(id, Owner(id))

    # What checks post

    async def say(self, seat: str, body: str | None = None, to: Any = ("*",), **members: Any) -> Answer:
        """Post a say, to everybody unless `to` says otherwise, with a text of its own unless one is given."""
        return await self.post(seat, "say", to=list(to), body=body if body is not None else self.t.words(), **members)

    async def passes(self, seat: str) -> Answer:
        """Post a pass."""
        return await self.post(seat, "pass")

    async def raise_hand(self, seat: str) -> Answer:
        """Post a raise_hand."""
        return await self.post(seat, "raise_hand")

    async def propose(self, seat: str, *effects: Body, body: str | None = None, **members: Any) -> Answer:
        """Post a proposal; without effects given, that b shall move on the board (see WORK)."""
        listed = list(effects) or [effect()]
        return await self.post(seat, "proposal", body=body or self.t.words(), effects=listed, **members)

    async def decision(self, seat: str, body: str | None = None, **members: Any) -> Answer:
        """Post a decision."""
        return await self.post(seat, "decision", body=body or self.t.words(), **members)

    # What checks read: the thing itself, Untested where it cannot be had

    async def projection(self, seat: str, since: Any = None) -> Body:
        """Return a seat's projection."""
        answer = await self.t.need(self.proj(seat, since))
        if not isinstance(answer.value, dict):
            raise Untested(f"a projection is no object: {answer.seen()}")
        return answer.members

    async def tail(self, seat: str, since: Any = 0) -> list[Entry]:
        """Return the entries of a seat's tail."""
        return reading.objects((await self.projection(seat, since)).get("tail"))

    async def sees(self, seat: str, seq: int) -> bool:
        """Whether an entry is in a seat's tail."""
        return any(reading.seq_of(entry) == seq for entry in await self.tail(seat, max(0, seq - 1)))

    async def entries(self) -> list[Entry]:
        """Return the whole ledger."""
        answer = await self.t.need(self.ledger())
        found = reading.entries_of(answer)
        if found is None:
            raise Untested(f"the ledger holds no list of entries: {answer.seen()}")
        return found

    async def last_seq(self) -> int:
        """Return the last seq of the ledger, 0 when it is empty."""
        return max((reading.seq_of(entry) for entry in await self.entries()), default=0)

    async def memory(self, seat: str | None = None) -> Body:
        """Return the memory, read by a seat, the first one unless it is named."""
        return (await self.t.need(self.mem(seat or self.reader))).members

    async def total(self, seat: str | None = None) -> int:
        """Return the token total of the memory; Untested when it is not found (BYOB-Q012)."""
        total = self.t.total_in(await self.memory(seat))
        if total is None:
            raise Untested("the memory has no token total that can be told apart (BYOB-Q012; set dialect.total)")
        return total

    async def is_open(self, seat: str | None = None) -> bool:
        """Whether the projection says that the table is open."""
        return (await self.projection(seat or self.reader, 0)).get("status") == "open"

    @property
    def reader(self) -> str:
        """The seat that reads where any would do: the one that joined first."""
        return next(iter(self.tokens), "") or next(iter(self.places), "nobody")

    # The floor

    async def floor(self, seat: str | None = None) -> Body:
        """Return the floor object of a seat's projection, an empty one where there is none (BYOB-Q064).

        The read names `since`, but it may move the stored cursor of the seat all the same (BYOB-Q056).
        """
        floor = (await self.projection(seat or self.reader, 0)).get("floor")
        return floor if isinstance(floor, dict) else {}

    async def holder(self, *wanted: str, by: str | None = None) -> str | None:
        """Return who holds the floor, asked for up to 2 s until somebody does (or, of those wanted, one does).

        None when nobody holds it, as on a closed table.
        """
        end = asyncio.get_running_loop().time() + HOLDER_GRACE
        while True:
            projection = await self.projection(by or self.reader, 0)
            floor = projection.get("floor")
            holder = floor.get("holder") if isinstance(floor, dict) else None
            settled = holder in wanted if wanted else holder is not None
            if settled or projection.get("status") == "closed" or asyncio.get_running_loop().time() >= end:
                return holder if isinstance(holder, str) else None
            await asyncio.sleep(POLL)

    async def need_holder(self, *wanted: str) -> str:
        """Return who holds the floor, one of those wanted if any are named; raises Untested otherwise."""
        holder = await self.holder(*wanted)
        if holder is None or (wanted and holder not in wanted):
            raise Untested(f"the floor is with {holder or 'nobody'}, not with {' or '.join(wanted) or 'anybody'}")
        return holder

    async def by_holder(self, post: Callable[[str], Awaitable[Answer]]) -> Answer:
        """Let whoever holds the floor post, as `table.by_holder(table.say)`."""
        return await post(await self.need_holder())

    async def out_of_turn(self, post: Callable[[str], Awaitable[Answer]]) -> Answer:
        """Let a bot post that does not hold the floor, as `table.out_of_turn(table.passes)`."""
        holder = await self.need_holder()
        return await post(next(seat for seat in self.others(holder) if self.places[seat].kind == "bot"))

    async def turn(self, kind: str = "say", **members: Any) -> Entry:
        """Let whoever holds the floor take its turn, with a say unless told otherwise; returns the entry."""
        holder = await self.need_holder()
        post = self.say(holder, **members) if kind == "say" else self.post(holder, kind, **members)
        return (await self.t.need(post)).members

    async def turns(self, count: int, kind: str = "say") -> list[str]:
        """Play so many turns; returns who held the floor in each."""
        holders = []
        for _ in range(count):
            holders.append(await self.need_holder())
            await self.turn(kind)
        return holders

    async def until_holds(self, seat: str, **members: Any) -> None:
        """Play turns until a seat holds the floor; raises Untested when it never does."""
        for _ in range(MOST_TURNS):
            if await self.holder() == seat:
                return
            await self.turn(**members)
        raise Untested(f"{seat} did not get the floor in {MOST_TURNS} turns")

    def others(self, *seats: str) -> Iterator[str]:
        """Yield the joined seats but these."""
        return (seat for seat in self.tokens if seat not in seats)


def _words(value: Json) -> set[str]:
    """Return every string of a JSON value, names of members too."""
    found = {inner for _, inner in reading.walk(value) if isinstance(inner, str)}
    return found | {name for _, inner in reading.walk(value) if isinstance(inner, dict) for name in inner}


def _present(members: Mapping[str, Any]) -> Body:
    return {name: value for name, value in members.items() if value is not ABSENT}
