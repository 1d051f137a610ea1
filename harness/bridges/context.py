"""The context `t` of a check on a bridge: tables on a host of ours, the bridge at one of them, and an agent behind it.

Everything of `harness.byob.context` is here too: the other seats are played by it, at the host in this process.
"""

import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.bench import Bench
from harness.bridges import arguments, keys, room
from harness.bridges.arguments import Naming
from harness.bridges.calling import Conversation, Result, conversation
from harness.bridges.links import Launch
from harness.bridges.person import ACCEPT, Person
from harness.bridges.room import Request, Room
from harness.bridges.things import HOST
from harness.bridges.wire import Wire
from harness.byob import reading
from harness.byob.context import Context
from harness.byob.facts import HostFacts
from harness.byob.owners import Owner
from harness.byob.reading import Entry
from harness.byob.recipes import BOARD, DUO, Config, Place, Recipe
from harness.byob.table import Table
from harness.errors import Untested
from harness.profile import Profile
from harness.targets.base import Target

if TYPE_CHECKING:
    from harness.runner import Plan

OWNER, SEAT = "B", "b"
CARD: Config = {
    "bot": "the bot of B",
    "proxy": True,
    "capabilities": [
        {"resource": "board", "actions": ["move", "label"], "requires_approval": True, "auto_approve": False}
    ],
}
"""The card in the file: it says all that a card can say, so that nothing is left for a bridge to fill in."""

OURS = DUO.without_seats(SEAT).with_seats(Place("v", "V"))
"""A table at which b, which the bridge takes for the owner B, is missing."""

BASE = "/v0.1"


@dataclass(kw_only=True)
class BridgeTarget(Target):
    """A bridge: how it is started, the host that it is seated at, and where that is for it."""

    launch: Launch
    room: Room
    origin: str
    folder: Path
    seconds: float


@dataclass
class BridgeFacts(HostFacts):
    """What was learned of a bridge.

    `key` makes the text of the owner's key file, `base` follows the origin in BYOB_URL, `naming` is what a profile says
    of the arguments.
    """

    key: Callable[[Owner], str] = keys.as_json
    base: str = ""
    naming: Naming = field(default_factory=Naming)


class Agent:
    """An agent behind a bridge at a table."""

    def __init__(self, t: "BridgeContext", table: Table, talk: Conversation, person: Person | None) -> None:
        self.t, self.table, self.talk, self.person = t, table, talk, person

    @property
    def requests(self) -> list[Request]:
        """What the bridge has asked the host about the table, in order."""
        return self.t.target.room.noted(self.table.id).requests

    def sent(self, endpoint: str, method: str = "POST") -> list[Request]:
        """Return the bridge's requests to an endpoint: `seats`, `entries`, `approvals`."""
        return [each for each in self.requests if (each.method, each.endpoint) == (method, endpoint)]

    def offers(self, tool: str) -> bool:
        """Whether the bridge lists a tool."""
        return tool in self.talk.schemas

    def takes(self, tool: str, member: str) -> bool:
        """Whether a tool has an argument for a member of the spec."""
        return arguments.name_of(tool, self.talk.schemas.get(tool), member, self.t.facts.naming) is not None

    async def call(self, tool: str, optional: Mapping[str, Any] | None = None, /, **given: Any) -> Result:
        """Call a tool with the spec's members, under the names that it has for them.

        Args:
            tool: its name.
            optional: what it is told where it takes it.
            given: what it has to be told.

        Raises Untested when the bridge does not list it, or when it takes what nobody can know (BYOB-Q109).
        """
        if not self.offers(tool):
            raise Untested(f"the bridge has no tool {tool}")
        schema, naming = self.talk.schemas[tool], self.t.facts.naming
        return await self.talk.call(tool, arguments.fill(tool, schema, given, optional or {}, naming))

    async def call_with(self, tool: str, more: Mapping[str, Any], optional: Mapping[str, Any], **given: Any) -> Result:
        """Call a tool as `call` does, with further arguments by their own names."""
        if not self.offers(tool):
            raise Untested(f"the bridge has no tool {tool}")
        filled = arguments.fill(tool, self.talk.schemas[tool], given, optional, self.t.facts.naming, more)
        return await self.talk.call(tool, filled)

    async def tries(self, tool: str, optional: Mapping[str, Any] | None = None, /, **given: Any) -> Result | None:
        """Call a tool as `call` does; None, and a note, where it cannot be called (BYOB-Q109)."""
        try:
            return await self.call(tool, optional, **given)
        except Untested as problem:
            self.t.note(problem.why)
            return None

    async def need(self, tool: str, optional: Mapping[str, Any] | None = None, /, **given: Any) -> Result:
        """Call a tool that has to succeed; raises Untested when it does not."""
        result = await self.call(tool, optional, **given)
        if not result.ok:
            raise Untested(f"a right call failed: {self.t.masked(result.seen())}")
        return result

    async def joins(self, seat: str = SEAT, role: str | None = None) -> Result:
        """Let it take a seat; raises Untested when the host has not seen that."""
        owner, where = {"owner": OWNER, "kind": "bot", "table": self.table.id}, {"role": role} if role else {}
        result = await self.call("byob_join", {**owner, **where}, seat=seat)
        if not [each for each in self.sent("seats") if each.status == 200]:
            raise Untested(f"the bridge took no seat: {self.t.masked(result.seen())}")
        return result


class BridgeContext(Context):
    """What a check on a bridge may use, besides what a check on a host may.

    `traces` are the texts by which the owners' private keys would show.
    """

    target: BridgeTarget
    facts: BridgeFacts

    def __init__(self, bench: Bench, facts: BridgeFacts, profile: Profile) -> None:
        super().__init__(bench, facts, profile)
        self._bridges = 0
        self.traces: tuple[str, ...] = ()
        self._tables: list[str] = []

    def masked(self, text: str) -> str:
        """Return a text without tokens, and without the owners' keys."""
        return super().masked(keys.hide(text, self.traces))

    @contextlib.asynccontextmanager
    async def at(
        self, recipe: Recipe = OURS, /, *, person: Person | None = None, card: Config | None = CARD, **changes: Any
    ) -> AsyncIterator[Agent]:
        """Make a table and start a bridge of B's there, which has not joined yet.

        Args:
            recipe: one without a seat b.
            person: see `bridge`.
            card: see `bridge`.
            changes: of the config.
        """
        table = await self.table(recipe, owners=[OWNER], **changes)
        async with self.bridge(table, person=person, card=card) as agent:
            yield agent

    @contextlib.asynccontextmanager
    async def seated(
        self, recipe: Recipe = OURS, /, *, person: Person | None = None, card: Config | None = CARD, **changes: Any
    ) -> AsyncIterator[Agent]:
        """Make a table and start a bridge of B's there that has joined as b; see `at`."""
        async with self.at(recipe, person=person, card=card, **changes) as agent:
            await agent.joins()
            yield agent

    @contextlib.asynccontextmanager
    async def bridge(
        self, table: Table, *, person: Person | None = None, card: Config | None = CARD, seat: str | None = None
    ) -> AsyncIterator[Agent]:
        """Start a bridge of the owner B at a table; raises TargetFault when it does not greet.

        Args:
            table: where.
            person: the owner who is asked; None for a client that cannot ask.
            card: what is in the file of BYOB_CARD_FILE; None for no such file.
            seat: one that has joined, and that the bridge is to sit on.
        """
        owner, target = table.owner(OWNER), self.target
        self._bridges += 1
        name = f"bridge{self._bridges}"
        traces = keys.traces(owner)
        self.traces += tuple(trace for trace in traces if trace not in self.traces)
        link = target.launch(self._environment(table, owner, card, seat))
        wire = Wire(link, name, self.transcript, self.masked, traces)
        noted = target.room.noted(table.id)
        self._tables.append(table.id)

        def tell(request: Request) -> None:
            wire.out(HOST, request.text())
            self.note(room.shown(request, self.masked))

        noted.tell = tell
        known = ", ".join(name for name in self._environment_names(card, seat))
        self.note(f"a bridge is started at table {table.id}, with {known}")
        try:
            async with conversation(link, wire, target.seconds, person, self._answered) as talk:
                yield Agent(self, table, talk, person)
        finally:
            noted.tell = lambda request: None

    def _environment_names(self, card: Config | None, seat: str | None) -> list[str]:
        names = ["BYOB_URL", "BYOB_TABLE", "BYOB_OWNER_KEY_FILE"]
        names += ["BYOB_CARD_FILE"] if card is not None else []
        return names + (["BYOB_SEAT", "BYOB_SEAT_TOKEN"] if seat is not None else [])

    def _environment(self, table: Table, owner: Owner, card: Config | None, seat: str | None) -> dict[str, str]:
        stem = f"{secrets.token_hex(6)}"
        key_file = self.target.folder / f"{stem}.key"
        keys.write(key_file, self.facts.key(owner))
        given = {
            "BYOB_URL": self.target.origin + self.facts.base,
            "BYOB_TABLE": table.id,
            "BYOB_OWNER_KEY_FILE": str(key_file),
        }
        if self.facts.key is not keys.as_json:
            given["BYOB_OWNER"] = owner.id  # no variable of the spec; a PEM file names nobody (BYOB-Q108)
        if card is not None:
            card_file = self.target.folder / f"{stem}.card.json"
            card_file.write_text(json.dumps(card), "utf-8")
            given["BYOB_CARD_FILE"] = str(card_file)
        if seat is not None:
            given |= {"BYOB_SEAT": seat, "BYOB_SEAT_TOKEN": table.tokens[seat]}
        return given

    @contextlib.contextmanager
    def host_refuses(self, table: Table, code: str) -> Any:
        """Let the host refuse whatever a bridge asks about a table, with this code."""
        noted = self.target.room.noted(table.id)
        noted.refusal = code
        try:
            yield
        finally:
            noted.refusal = ""

    async def posts(self, agent: Agent, kind: str, seat: str = SEAT) -> list[Entry]:
        """Return the entries of a kind that a seat has in the ledger."""
        return [each for each in reading.of_kind(await agent.table.entries(), kind) if each.get("seat") == seat]

    async def ours(self, agent: Agent, seat: str = SEAT) -> None:
        """Play turns until a seat holds the floor: the others say something. Raises Untested when it never does."""
        for _ in range(10):
            holder = await agent.table.need_holder()
            if holder == seat:
                return
            if holder not in agent.table.tokens:
                raise Untested(f"the floor is with {holder}, whom nobody plays")
            await agent.table.turn()
        raise Untested(f"{seat} did not get the floor")

    async def close(self) -> None:
        """Close the check's connection, and let go of what its bridges asked."""
        await super().close()
        for table in self._tables:
            self.target.room.forget(table)


def contexts(plan: "Plan") -> Callable[[Bench], BridgeContext]:
    """Return what makes the contexts of a run of bridge checks."""
    facts: BridgeFacts = plan.facts
    return lambda bench: BridgeContext(bench, facts, plan.profile)


__all__ = ["ACCEPT", "BOARD", "CARD", "OURS", "OWNER", "SEAT", "Agent", "BridgeContext", "Person"]
