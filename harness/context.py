"""The context `t`, a check's one argument: connections, principals, roles, the clock, and what it finds.

A check says what it found with `t.expect`; how that counts is the catalogue's business, not the check's. Everything
here is arranged so that a request cannot pass by the guard, the transcript and the monitors.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from harness import templates
from harness.bench import BaseContext, Bench, in_words
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested
from harness.facts import Facts
from harness.guard import Guard
from harness.offers import Instance, Offer, is_name, proposals_in, read_frame, value_at
from harness.people import Agent, Principal, new_key
from harness.profile import Ask, Profile
from harness.targets.base import Connection, Exchange, Frame
from harness.targets.http import HttpConnection
from harness.targets.streams import StreamConnection
from reference.yea.keys import KeyPair

if TYPE_CHECKING:
    from harness.runner import Plan

BIG_BUDGET = 1_000_000
SAME, ANOTHER = "the same connection", "another connection"


class Context(BaseContext):
    """What a check of a YEA service may use.

    Args:
        bench: what the runner sets up; see `Bench`.
        facts, profile, guard: what is known and allowed, shared by all checks.
    """

    def __init__(self, bench: Bench, facts: Facts, profile: Profile, guard: Guard) -> None:
        super().__init__(bench)
        self.facts, self.profile = facts, profile
        self._guard = guard
        self._connections: list[Connection] = []
        self._default: Connection | None = None
        self._opened = 0
        self._principals: dict[str, Principal] = {}

    # What was found

    def expect(
        self,
        clause: str,
        ok: bool,
        *,
        wanted: str,
        got: Any,
        open_question: str | None = None,
        of: "Instance | Offer | None" = None,
    ) -> bool:
        """Record whether a clause was obeyed, and return that; see `BaseContext.expect`.

        Args:
            of: what was read, when it rests on readings of a role. Those of a shared role may be somebody else's doing,
                so a breach is no finding: the check is then untested.
        """
        role = of.instance.role if isinstance(of, Offer) else of.role if of is not None else None
        if not ok and role is not None and role.shared:
            seen = f"wanted {wanted}; got {in_words(got)}"
            self.untold = self.untold or f"the role {role.name} is shared, so it may be somebody else's doing: {seen}"
            return False
        return super().expect(clause, ok, wanted=wanted, got=got, open_question=open_question)

    def expect_error(self, clause: str, exchange: Exchange, *codes: str, open_question: str | None = None) -> bool:
        """Expect an ERROR, with one of these codes when any are given."""
        wanted = f"ERROR {' or '.join(codes)}" if codes else "an ERROR"
        ok = exchange.kind == "ERROR" and (not codes or exchange.code in codes)
        return self.expect(clause, ok, wanted=wanted, got=exchange, open_question=open_question)

    def expect_kind(self, clause: str, exchange: Exchange, *kinds: str, open_question: str | None = None) -> bool:
        """Expect a final reply of one of these kinds."""
        return self.expect(
            clause,
            exchange.kind in kinds,
            wanted=" or ".join(kinds),
            got=exchange,
            open_question=open_question,
        )

    # Identities, time and people

    def now(self) -> float:
        """Return the target's time in unix seconds, as far as its clock is known."""
        return self.target.clock() + self.facts.skew

    def frame_id(self) -> str:
        """Return a fresh frame id."""
        self._ids += 1
        return f"{self._run_id}{self.rng.getrandbits(32):08x}-{self._ids}"

    def agent(self) -> Agent:
        """Return an agent with a fresh key."""
        return Agent(new_key(), self.facts.service_id, self.now)

    def principal(self, name: str = "a") -> Principal:
        """Return a trusted principal `a` or `b`, or with `x` one that the target does not trust.

        Raises NotApplicable when the profile has no such principal.
        """
        if name not in self._principals:
            if name == "x":
                key = new_key()
            elif name in self.profile.seeds:
                key = KeyPair(self.profile.seeds[name])
            else:
                raise NotApplicable(f"the profile names no principal {name}")
            self._principals[name] = Principal(key, self.facts.service_id, self.now)
        return self._principals[name]

    def grant(self, to: Agent, *more: dict[str, Any], by: str = "a", **caveats: Any) -> str:
        """Return a grant's token from principal `by`; see `Principal.grant`."""
        return self.principal(by).grant(to, *more, **caveats)

    # Connections and requests

    async def connect(self, transport: str | None = None) -> Connection:
        """Open another connection, over this check's transport or another of the target's; closed with the check."""
        target = self.target if transport in (None, self.transport) else self.others[str(transport)]
        self._opened += 1
        self.used.add(target.transport)
        name = f"{target.transport}{self._opened}"
        connection: Connection = await target.connect(self.transcript, name)
        self._connections.append(connection)
        return connection

    @property
    def shares_state(self) -> bool:
        """Whether all connections of this transport see one state; a stdio child may be a service of its own."""
        return self.transport != "stdio" or self.profile.stdio_state == "shared"

    def need_shared_state(self) -> None:
        """Raise NotApplicable where each connection has a state of its own."""
        if not self.shares_state:
            raise NotApplicable("each connection has a state of its own (stdio_state in the profile)")

    @property
    def places(self) -> tuple[str, ...]:
        """Where a request can be sent again, for `again_over`: another connection only where it has the same state."""
        return (SAME, ANOTHER) if self.shares_state else (SAME,)

    async def again_over(self, place: str) -> Connection:
        """Return the check's first connection or open a second one, by one of `places`."""
        return await self.conn() if place == SAME else await self.second()

    async def second(self, *, elsewhere: bool = False) -> Connection:
        """Open another connection to the same state, `elsewhere` over another transport where there is one.

        Where each connection has a state of its own, this is the check's first connection, and a note says so.
        """
        if not self.shares_state:
            self.note("each connection has a state of its own, so this is the first connection again")
            return await self.conn()
        shared = [name for name in sorted(self.others) if name != "stdio" or self.profile.stdio_state == "shared"]
        return await self.connect(shared[0] if elsewhere and shared else None)

    async def conn(self) -> Connection:
        """Return the check's first connection, opened when first asked for."""
        if self._default is None:
            self._default = await self.connect()
        return self._default

    async def stream(self) -> StreamConnection:
        """Open a fresh stream connection, with the raw access that only streams have."""
        connection = await self.connect()
        if not isinstance(connection, StreamConnection):
            raise TypeError(f"{self.check.id} asks for a stream on {self.transport}")
        return connection

    async def bridge(self) -> HttpConnection:
        """Return a fresh HTTP client of the bridge, with its raw access."""
        connection = await self.connect()
        if not isinstance(connection, HttpConnection):
            raise TypeError(f"{self.check.id} asks for HTTP on {self.transport}")
        return connection

    async def restart(self) -> None:
        """End the target in the middle of what it does, and start it again with what it kept.

        Raises NotApplicable when naysayer cannot, Untested when it does not come up again.
        """
        if self.target.restart is None:
            raise NotApplicable(self.target.not_restarted)
        self.note("the target is killed and started again")
        try:
            await self._aside(self.target.restart())
        except TargetGone as problem:
            raise Untested(problem.why) from None

    async def close(self) -> None:
        """Close all connections of the check."""
        await asyncio.gather(*(connection.close() for connection in self._connections))
        self._connections.clear()
        self._default = None

    def frame(self, verb: str, **members: Any) -> dict[str, Any]:
        """Return a request frame with a fresh id; a member given as None is left out."""
        given = {name: value for name, value in members.items() if value is not None}
        return {"yea": 1, "id": self.frame_id(), "verb": verb, **given}

    async def send(
        self, frame: dict[str, Any], conn: Connection | None = None, timeout: float | None = None
    ) -> Exchange:
        """Send a request frame and return its exchange; raises TargetFault when no final reply comes."""
        self._guard.check(frame)
        connection = conn or await self.conn()
        exchange = await self._timed(connection.request(frame, timeout))
        if frame.get("verb") == "INTENT" and exchange.kind == "PROPOSALS":
            self._guard.offered(str(frame.get("capability")), exchange.reply)
        return exchange

    async def send_raw(
        self, body: bytes, *, re: str | None = None, conn: Connection | None = None, timeout: float | None = None
    ) -> Exchange:
        """Send bytes as one line or body. Only for what can change nothing; the exchange may have no reply."""
        connection = conn or await self.conn()
        return await self._timed(connection.raw(body, re=re, timeout=timeout))

    async def _timed(self, request: Awaitable[Exchange]) -> Exchange:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        exchange = await request
        if exchange.final is not None:
            self._answered(loop.time() - begun)
        return exchange

    async def hello(self, conn: Connection | None = None, **members: Any) -> Exchange:
        """Say HELLO."""
        return await self.send(self.frame("HELLO", **members), conn)

    async def alive(self, clause: str, conn: Connection | None = None) -> bool:
        """Expect, by this clause, that the connection (the default one if not given) still answers HELLO."""
        try:
            exchange = await self.hello(conn)
        except TargetFault as problem:
            return self.expect(clause, False, wanted="BRIEF on the same connection afterwards", got=problem.why)
        return self.expect_kind(clause, exchange, "BRIEF")

    # Roles

    def has(self, role: str) -> bool:
        """Whether the profile offers a role."""
        return role in self.profile.roles

    async def role(self, name: str) -> Instance:
        """Return a role narrowed to a new object of this check; raises NotApplicable when it is not offered."""
        if name not in self.profile.roles:
            raise NotApplicable(f"the profile offers no role {name}")
        role = self.profile.roles[name]
        values: dict[str, Any] = {"unique": self.unique()}
        for key, ask in role.given.items():
            values[key] = await self.read(ask, values)
        try:
            params = templates.fill(role.params, values, self.now())
        except templates.TemplateError as problem:
            raise Untested(str(problem)) from None
        return Instance(role, values, params, self)

    async def read(self, ask: Ask, values: dict[str, Any]) -> Any:
        """Return what a profile's read yields; raises Untested when it is refused."""
        capability, params = read_frame(self, ask, values)
        exchange = await self.ask(capability, params, budget=BIG_BUDGET)
        if exchange.kind != "ANSWER":
            raise Untested(f"the profile's read of {capability} got {exchange.seen()}")
        return value_at(exchange.reply.get("data"), ask.path)

    async def ask(
        self,
        capability: Any,
        params: Any = None,
        *,
        agent: Agent | None = None,
        conn: Connection | None = None,
        **more: Any,
    ) -> Exchange:
        """Send an ASK; with grants when an agent is given, or when the target demands them everywhere."""
        return await self.send(self.with_grants("ASK", capability, agent, params=params, **more), conn)

    def with_grants(self, verb: str, capability: Any, agent: Agent | None, **members: Any) -> dict[str, Any]:
        """Return an ASK or INTENT frame, with a grant and proof when an agent is given or the target demands them."""
        if agent is None and self.facts.demands(verb) and "a" in self.profile.seeds:
            agent = self.agent()
        if agent is None or not isinstance(capability, str):
            return self.frame(verb, capability=capability, **members)
        signed = {"grants": [self.grant(agent)], "proof": agent.proof(verb, capability)}
        return self.frame(verb, capability=capability, **{**members, **signed})

    def intent(self, instance: Instance, agent: Agent, grants: list[str], **members: Any) -> dict[str, Any]:
        """Return an INTENT frame for a role under these grants, with a right proof; `auto=True` proves its id."""
        frame = self.frame("INTENT", capability=instance.capability, params=instance.params, grants=grants, **members)
        target = f"auto:{instance.capability}:{frame['id']}" if frame.get("auto") is True else instance.capability
        frame.setdefault("proof", agent.proof("INTENT", target))
        return frame

    async def offer(
        self,
        role: str | Instance,
        *,
        agent: Agent | None = None,
        grant: str | None = None,
        grants: list[str] | None = None,
        by: str = "a",
        **members: Any,
    ) -> Offer:
        """Send a right INTENT for a role and return its offer; raises Untested when it gets no PROPOSALS.

        Args:
            role: the role's name, for a new object, or an instance to plan again for the same one.
            agent: who asks; a fresh agent when not given.
            grant: the token it presents; by default an unrestricted one from principal `by`.
            grants: the tokens it presents when there are several; the offer commits under `grant`, or the first.
        """
        instance = await self.role(role) if isinstance(role, str) else role
        agent = agent or self.agent()
        token = grant or (grants[0] if grants else self.grant(agent, by=by))
        exchange = await self.send(self.intent(instance, agent, grants or [token], **members))
        proposals = proposals_in(exchange)
        if not proposals:
            raise Untested(f"a right INTENT for the role {instance.role.name} got {_first(exchange)}")
        return Offer(instance, agent, token, exchange, proposals)

    async def commit(
        self, offer: Offer, frame: dict[str, Any] | None = None, conn: Connection | None = None
    ) -> Exchange:
        """Send a right COMMIT (or the one given) and return its exchange; raises Untested unless it is a RECEIPT."""
        exchange = await self.send(frame or offer.commit(), conn)
        if exchange.kind != "RECEIPT" or not isinstance(exchange.reply.get("receipt"), dict):
            raise Untested(f"a right COMMIT for the role {offer.instance.role.name} got {_first(exchange)}")
        if not is_name(exchange.reply["receipt"].get("id")):
            raise Untested("the receipt of a right COMMIT has no string id")
        return exchange

    async def settle(self, exchange: Exchange, conn: Connection | None = None) -> list[Frame]:
        """Return frames that came for a request after its final reply, once a HELLO was answered and a grace passed."""
        connection = conn or await self.conn()
        await self.hello(connection)
        return await connection.settle(exchange)


def _first(exchange: Exchange) -> str:
    message = exchange.reply.get("message")
    return f"{exchange.seen()}: {message[:200]}" if isinstance(message, str) else exchange.seen()


def contexts_of(kind: type[Context]) -> "Callable[[Plan], Callable[[Bench], Context]]":
    """Return what makes the contexts of a run's checks, of this kind; they share one guard."""

    def contexts(plan: "Plan") -> Callable[[Bench], Context]:
        facts: Facts = plan.facts
        guard = Guard(plan.profile, lambda: frozenset(facts.capabilities))
        guard.commits.update(facts.committed)
        return lambda bench: kind(bench, facts, plan.profile, guard)

    return contexts


contexts = contexts_of(Context)
