"""The context `t` of a check on a table host: owners, tables by recipe, calls, the clock, and what it finds.

Everything here is arranged so that a request cannot pass by the transcript and the monitors, and that no name which
the spec does not fix is assumed: what a host calls things is in `t.dialect`, and the rest is found by value.
"""

import asyncio
import contextlib
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.bench import BaseContext, Bench
from harness.byob import codes, reading, refusing, tasks
from harness.byob.dialect import Dialect
from harness.byob.facts import SILENT, HostFacts
from harness.byob.owners import Owner
from harness.byob.recipes import DUO, WORK, Config, Place, Recipe
from harness.byob.refusing import Case
from harness.byob.table import POLL, Table
from harness.byob.tasks import Task
from harness.byob.things import route_of
from harness.byob.tokens import token_in
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested
from harness.profile import Profile
from harness.targets.hosts import ABSENT, Answer, EventStream, HostConnection

if TYPE_CHECKING:
    from harness.runner import Plan

Json = Any
IMPATIENT = 1.0
"""Seconds that a silent endpoint gets to answer."""


class Context(BaseContext):
    """What a check of a table host may use.

    Args:
        bench: what the runner sets up; see `Bench`.
        facts: what is known of the host, shared by all checks.
        profile: what may be done there.
    """

    def __init__(self, bench: Bench, facts: HostFacts, profile: Profile) -> None:
        super().__init__(bench)
        self.facts, self.profile = facts, profile
        self._connection: HostConnection | None = None
        self._opened = self._words = 0

    @property
    def dialect(self) -> Dialect:
        """What the host calls the things that the spec does not name."""
        return self.facts.dialect

    def masked(self, text: str) -> str:
        """Return a text without the tokens of the run."""
        return self.facts.tokens.mask(text)

    # Requests

    async def connect(self) -> HostConnection:
        """Open a connection of its own; closed with the check."""
        self._opened += 1
        self.used.add(self.transport)
        connection: HostConnection = await self.target.connect(self.transcript, f"{self.transport}{self._opened}")
        connection.learn, connection.mask = self.facts.tokens.learn, self.facts.tokens.mask
        connection.about = self.facts
        return connection

    async def conn(self) -> HostConnection:
        """Return the check's connection, opened when first asked for. It takes any number of requests at once."""
        if self._connection is None:
            self._connection = await self.connect()
        return self._connection

    async def call(
        self,
        method: str,
        path: str,
        *,
        body: Json = ABSENT,
        content: bytes | None = None,
        cuts: Sequence[int] = (),
        headers: Mapping[str, str] | None = None,
        who: str = "",
        any_body: bool = False,
        timeout: float | None = None,
    ) -> Answer:
        """Send a request and return its answer; see `HostConnection.call`.

        Args:
            any_body: whether an answer that is not JSON, or a redirect, is the check's business. Otherwise it is a
                TargetFault, for bodies are JSON (BYOB 2).
        """
        connection = await self.conn()
        with self._heard(route_of(method, path)[0], connection, timeout) as seconds:
            answer = await connection.call(
                method, path, body=body, content=content, cuts=cuts, headers=headers, timeout=seconds, who=who
            )
        if not any_body and (answer.value is ABSENT or 300 <= answer.status < 400):
            raise TargetFault(f"{method} {path} got {answer.seen()} where JSON is due")
        return answer

    async def open_events(self, path: str, headers: Mapping[str, str], who: str = "") -> EventStream:
        """Open an event stream, read in the background until the check ends."""
        connection = await self.conn()
        with self._heard("events", connection, None) as seconds:
            return await connection.events(path, headers=headers, who=who, timeout=seconds)

    @contextlib.contextmanager
    def _heard(self, route: str, connection: HostConnection, timeout: float | None) -> Iterator[float]:
        """Yield how long a request may take: not long where an endpoint has been silent time and again."""
        seconds = connection.timeout if timeout is None else timeout
        loop, silent = asyncio.get_running_loop(), self.facts.silent
        begun = loop.time()
        try:
            yield min(seconds, IMPATIENT) if silent[route] >= SILENT else seconds
        except TargetFault:
            silent[route] += 1
            raise
        silent[route] = 0
        self._answered(loop.time() - begun)

    async def need(self, call: Awaitable[Answer], what: str = "") -> Answer:
        """Await a right request; raises Untested unless it is accepted.

        Args:
            call: the request, as `table.say("a")`.
            what: what it is, in words, where the answer's own words do not tell.
        """
        answer = await call
        if not answer.ok:
            raise Untested(f"{what or f'a right {answer.method} {answer.path}'} got {answer.seen()}")
        return answer

    # Tables

    def owner(self, id: str) -> Owner:
        """Return an owner with a fresh key."""
        return Owner(id)

    def table_id(self) -> str:
        """Return a table id that no other check or run uses: a letter, then [a-z0-9-], at most 32 (BYOB-Q017)."""
        self._ids += 1
        words = self.check.id.split("/")[-1]
        apart = f"{zlib.crc32(self.check.id.encode()):08x}"  # for the words of two checks may begin alike
        return f"t{self._run_id}-{self._ids}-{apart}-{words}"[:32].rstrip("-")

    def config(self, recipe: Recipe = DUO, /, **changes: Any) -> tuple[Config, dict[str, Owner]]:
        """Return a recipe's config with an id, fresh owners and the changes, in this host's dialect, and the owners.

        `owners` among the changes adds owner ids (a list) or replaces the whole member (anything else).
        """
        people = {name: Owner(name) for name in dict.fromkeys(place.owner for place in recipe.places)}
        more = changes.pop("owners", None)
        if isinstance(more, list):
            people |= {name: Owner(name) for name in more}
            more = None
        config: Config = {
            "id": self.table_id(),
            "owners": {name: {"public_key": owner.public_key} for name, owner in people.items()},
            **recipe.config_with(changes),
        }
        if more is not None:
            config["owners"] = more
        if isinstance(config.get("topology"), dict):
            config["topology"] = self.dialect.topology(config["topology"])
        return config, people

    async def create(self, config: Json, parent: Table | None = None, **options: Any) -> Answer:
        """POST /tables with any body; with the parent's admin token where this host wants it (BYOB-Q024)."""
        headers = dict(self.facts.create_headers)
        if parent is not None and self.dialect.parent_token:
            headers["Authorization"] = f"Bearer {parent.admin}"
        return await self.call("POST", "/tables", body=config, headers=headers, **options)

    async def table(
        self, recipe: Recipe = DUO, /, *, parent: Table | None = None, join: bool = True, **changes: Any
    ) -> Table:
        """Make a table by a recipe and seat everybody; raises Untested when the host refuses any of it.

        Args:
            recipe: one of `harness.byob.recipes`, with or without further seats.
            parent: the table whose sub-table it is to be.
            join: whether the seats are taken.
            changes: of the config, see `Recipe.config_with`.
        """
        if parent is not None:
            changes["parent"] = parent.id
        config, people = self.config(recipe, **changes)
        answer = await self.need(self.create(config, parent), "creating a table with a right config")
        table = self.made(config, people, answer)
        if join:
            await self.seat_all(table, recipe)
        return table

    def made(self, config: Config, people: dict[str, Owner], answer: Answer) -> Table:
        """Return the table that a creation has made; raises Untested when the answer names no admin token."""
        admin = token_in(answer.value, "admin_token")
        if not admin:
            raise Untested(f"the answer to a creation has no admin_token: {answer.seen()}")
        return Table(self, named(answer.members.get("table"), "id", str(config.get("id"))), config, admin, people)

    def shadow(self, config: Config, people: dict[str, Owner]) -> Table:
        """Return a table that the host has not made, to ask for it by its id; nothing of it is read at the end."""
        table = Table(self, str(config["id"]), config, "", people)
        self.facts.left.pop(table.id, None)
        return table

    async def seat_all(self, table: Table, recipe: Recipe) -> None:
        """Join every seat of a recipe; NotApplicable where this host takes no seat beside those of the topology."""
        for place in recipe.places:
            answer = await self.need(table.join(place), f"joining seat {place.seat} rightly")
            if not table.tokens.get(place.seat):
                raise Untested(f"the answer to a join has no seat_token: {answer.seen()}")

    async def task(self, state: str = "awaiting_approval", recipe: Recipe = WORK, /, **changes: Any) -> Task:
        """Make a WORK table, let a propose that b moves on the board, and bring the task to a state."""
        if state == "stalled":
            changes.setdefault("watchdog", {"heartbeat_ms": self.dialect.heartbeat_ms})
        task = await self.propose(await self.table(recipe, **changes))
        await task.bring_to(state)
        return task

    async def propose(self, table: Table, seat: str = "a", *effects: Config, **roles: str) -> Task:
        """Let a seat of a table propose, once it holds the floor, and return the task that this opens."""
        await table.until_holds(seat)
        answer = await self.need(table.propose(seat, *effects))
        return Task(table, await tasks.opened_by(self, table, answer), answer.members, **roles)

    # Refusals

    async def refused(
        self, control: Callable[[], Awaitable[Answer]], *cases: Case, on: Table | None = None, again: bool = True
    ) -> None:
        """Hold refusals to their causes; see `harness.byob.refusing`."""
        await refusing.refused(self, control, cases, on=on, again=again)

    def expect_refused(
        self, clause: str, answer: Answer, *wanted: str, softly: tuple[str, ...] = (), open_question: str | None = None
    ) -> bool:
        """Expect a refusal: status and code that belong together, in the error envelope.

        Args:
            clause: what it proves.
            answer: what came.
            wanted: acceptable codes; none for any 4xx with the envelope.
            softly: codes that are accepted with a warning, by `open_question`.
            open_question: what `softly` rests on; without `softly`, the whole expectation can then only warn.
        """
        right = answer.enveloped and answer.status == codes.STATUS.get(answer.code, answer.status)
        words = codes.in_words(*wanted) if wanted else "a 4xx status"
        told = f"{words}, with its error object"
        if right and answer.code in softly:
            return self.expect(clause, False, wanted=told, got=answer, open_question=open_question)
        ok = right and 400 <= answer.status < 500 and (not wanted or answer.code in wanted)
        return self.expect(clause, ok, wanted=told, got=answer, open_question=None if softly else open_question)

    def expect_ok(
        self, clause: str, answer: Answer, wanted: str = "a 2xx status", open_question: str | None = None
    ) -> bool:
        """Expect that a request was accepted."""
        return self.expect(clause, answer.ok, wanted=wanted, got=answer, open_question=open_question)

    # Time and choices

    async def poll(
        self, ask: Callable[[], Awaitable[Answer]], good: Callable[[Answer], bool], seconds: float, every: float = 0.25
    ) -> Answer:
        """Ask until an answer is good or so many seconds have passed, and return the last answer."""
        end = self.now() + seconds
        while True:
            answer = await ask()
            if good(answer) or self.now() >= end:
                return answer
            await self.until(min(end, self.now() + every))

    async def after(self, seconds: float) -> None:
        """Wait so many seconds; other checks run meanwhile."""
        await self.until(self.now() + seconds)

    async def moment(self) -> None:
        """Wait a moment, for what a host does right after an answer."""
        await asyncio.sleep(POLL)

    def words(self, length: int = 0) -> str:
        """Return a text of ASCII words that no other check uses, of exactly this length if one is given."""
        self._words += 1
        text = f"word {self._run_id} {self._words} of {self.check.id.split('/')[-1]}"
        return text if not length else (text + " and so on" * length)[:length]

    def artifact(self, value: Json) -> Json:
        """Return an artifact as this host takes it (BYOB-Q050)."""
        return value if self.dialect.artifact == "any" else "artifact"

    def total_in(self, memory: Json) -> int | None:
        """Return the token total of a memory, or None."""
        if self.dialect.total is None:
            return reading.total_of(memory)
        found = reading.at(memory, self.dialect.total)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    @contextlib.asynccontextmanager
    async def listening(self, table: Table, seat: str) -> AsyncIterator[EventStream]:
        """Open a seat's event stream for a while; raises Untested when it does not open."""
        stream = await table.events(seat)
        if stream.ended:
            raise Untested(f"no event stream opened: {stream.answer.seen()}")
        try:
            yield stream
        finally:
            await stream.close()

    async def restart(self) -> None:
        """Kill the host and start it again with what it kept.

        Raises NotApplicable when naysayer cannot, Untested when it does not come up again.
        """
        if self.target.restart is None:
            raise NotApplicable(self.target.not_restarted)
        self.note("the host is killed and started again")
        try:
            await self._aside(self.target.restart())
        except TargetGone as problem:
            raise Untested(problem.why) from None

    async def close(self) -> None:
        """Close the check's connection."""
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


def named(value: Json, member: str, otherwise: str) -> str:
    """Return an id that is a string, or a member of an object (BYOB-Q004)."""
    if isinstance(value, dict):
        value = value.get(member, value.get("id"))
    return value if isinstance(value, str) and value else otherwise


def contexts(plan: "Plan") -> Callable[[Bench], Context]:
    """Return what makes the contexts of a run of BYOB checks."""
    facts: HostFacts = plan.facts
    return lambda bench: Context(bench, facts, plan.profile)


def with_role(place: Place, role: str) -> Place:
    """Return a place with a role."""
    return replace(place, role=role)
