"""Table hosts as sessions are fuzzed: the calls of `harness.byob` behind plain ones, and the monitors over it all."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from fuzz.stops import Gone
from fuzz.targets import Failing, Got, Posted, Shape, Sight
from harness import monitors
from harness.bench import Bench
from harness.byob import closing, reading, session, sight, tasks
from harness.byob.context import Context
from harness.byob.facts import HostFacts
from harness.byob.learning import nothing
from harness.byob.recipes import BOARD, TOPOLOGIES, TRIO, Place, Recipe, effect
from harness.byob.table import Table
from harness.byob.tasks import STEPS, Task
from harness.catalogue import catalogue
from harness.check import Check
from harness.clock import VirtualLoop, virtual_now
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested
from harness.profile import EMPTY, Profile
from harness.runner import Plan
from harness.targets.base import Target
from harness.targets.hosts import Answer, app_target
from harness.transcript import Transcript
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.store import MemoryStore, Store

Result = TypeVar("Result")
Renew = Callable[[], Coroutine[Any, Any, None]]
RECIPES: dict[str, Recipe] = {**TOPOLOGIES, "broadcast": TRIO}
PLAYING = Check("byob/7/fuzzed-session", "A session that is made up.", ("BYOB-2-02",), nothing)
REPLY_TIMEOUT = 10.0
GUEST = Place("guest", "GUEST")


class FuzzedHost:
    """A `fuzz.targets.Host`.

    Args:
        target: the host.
        profile: what may be done there.
        runner: the event loop that everything runs on.
        renew: makes the host forget all tables before a session, where that can be done.
        revive: kills the host and starts it again, where somebody can.
    """

    def __init__(
        self,
        target: Target,
        profile: Profile,
        runner: asyncio.Runner,
        renew: Renew | None = None,
        revive: Renew | None = None,
    ) -> None:
        self._target, self._profile, self._runner, self._renew, self._revive = target, profile, runner, renew, revive
        self.facts: HostFacts = runner.run(session.learn(target, profile))
        self._watch = monitors.Watch([])
        self._context: Context | None = None
        self._ids = 0

    def begin(self) -> None:
        """See `Host.begin`."""
        self.end()
        self.facts.left.clear()
        if self._renew is not None:
            self.run(self._renew())
        known = catalogue("byob")
        binding = [m for m in monitors.load("byob").values() if not m.open and known.clause(m.clause).strict]
        self._watch = monitors.Watch(binding)
        bench = Bench(PLAYING, self._target, known, self._transcript(), secrets.token_hex(5), 0, asyncio.sleep)
        self._context = Context(bench, self.facts, self._profile)

    def end(self) -> None:
        """Close the session's connection."""
        if self._context is not None:
            self.run(self._context.close())
            self._context = None

    @property
    def context(self) -> Context:
        """The session's."""
        if self._context is None:
            self.begin()
        assert self._context is not None  # noqa: S101 - it was just made
        return self._context

    def _transcript(self) -> Transcript:
        made = Transcript(time.monotonic, self._watch.observe, self.facts.tokens.mask, "http", PLAYING.id)
        made.recording = False
        return made

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return what a call brings; raises Failing for what no host may do, Gone when nobody is there."""
        try:
            return self._runner.run(work)
        except TargetGone as problem:
            raise Gone(problem.why) from None
        except (TargetFault, Untested) as problem:
            raise Failing(self.facts.tokens.mask(str(problem))) from None

    def open(self, shape: Shape, below: Any) -> "FuzzedTable | None":
        """See `Host.open`."""
        recipe = replace(RECIPES[shape.kind], places=tuple(replace(p, card=BOARD) for p in RECIPES[shape.kind].places))
        if shape.human and shape.kind not in self.facts.dialect.refuses_extra:
            recipe = recipe.with_seats(Place("h", "H", "human"))
        changes: dict[str, Any] = {
            "topology": {"rounds": shape.rounds},
            "floor": {"max_bot_depth": shape.depth},
            "termination": {"any": [{"max_entries": 1000}, {"budget_tokens": shape.budget}]},
        }
        if shape.decider is not None:
            changes["floor"]["decision_by"] = [recipe.places[shape.decider % len(recipe.places)].seat]
        if shape.decides:
            changes["termination"]["any"].append("decision")
        if shape.override is not None:
            which, patterns = shape.override
            changes["visibility"] = {recipe.places[which % len(recipe.places)].seat: list(patterns)}
        parent = below.table if isinstance(below, FuzzedTable) else None
        try:
            table = self.run(self.context.table(recipe, parent=parent, owners=[GUEST.owner], **changes))
        except NotApplicable:
            return None
        guest = "" if shape.kind in self.facts.dialect.refuses_extra else GUEST.seat
        return FuzzedTable(self, table, recipe.config_with(changes), guest)

    def restart(self) -> bool:
        """See `Host.restart`."""
        if self._target.restart is None:
            return False
        self.run(self.context.restart())
        return True

    def silent(self) -> str:
        """See `Live.silent`."""
        try:
            self._runner.run(self._answers())
        except TargetGone as problem:
            return problem.why
        except TargetFault as problem:
            return f"it answered nothing any more: {problem.why}"
        return ""

    async def _answers(self) -> None:
        if self._target.alive is not None:
            await self._target.alive(self._transcript())

    def revive(self) -> bool:
        """See `Live.revive`."""
        if self._revive is None:
            return False
        self.end()
        self._runner.run(self._revive())
        return True

    def broken(self) -> tuple[str, str]:
        """See `Host.broken`."""
        plan = Plan(
            checks=[],
            watch=self._watch,
            targets={"http": self._target},
            facts=self.facts,
            profile=self._profile,
            catalogue=catalogue("byob"),
            sink=lambda _: None,
            replay=lambda *_: "",
        )
        self.run(closing.read_all(plan))
        clauses = {entry.id: entry.clause for entry in self._watch.monitors}
        for (name, _), tally in sorted(self._watch.tallies.items()):
            if tally.offences:
                return self.facts.tokens.mask(tally.first), clauses[name]
        return "", ""


class FuzzedTable:
    """A `fuzz.targets.Table`."""

    def __init__(self, host: FuzzedHost, table: Table, config: dict[str, Any], guest: str) -> None:
        self.table, self.guest = table, guest
        self.config: Mapping[str, Any] = config
        self._host = host
        self._bots = [place for place in table.places.values() if place.kind == "bot"]

    @property
    def seats(self) -> Mapping[str, str]:
        """See `Table.seats`."""
        return {seat: place.kind for seat, place in self.table.places.items()}

    def join(self, kind: str) -> Got:
        """See `Table.join`."""
        return _got(self._host.run(self.table.join(replace(GUEST, kind=kind))))

    def post(self, seat: str, kind: str, to: Sequence[str], marker: str, tokens: int) -> Got:
        """See `Table.post`; a proposal is about what the last bot can do."""
        report = {"tokens_used": tokens}
        if kind == "say":
            work = self.table.say(seat, marker, to=list(to), budget=report)
        elif kind == "proposal":
            work = self.table.propose(seat, effect(owner=self._bots[-1].owner), body=marker, budget=report)
        elif kind == "decision":
            work = self.table.decision(seat, marker, budget=report)
        else:
            work = self.table.post(seat, kind)
        return _got(self._host.run(work))

    def holder(self, allowed: Collection[str]) -> tuple[str | None, bool]:
        """See `Table.holder`."""
        holder = self._host.run(self.table.holder(*sorted(allowed)))
        return holder, holder is not None or self._host.run(self.table.is_open())

    def decided(self, seat: str) -> set[int]:
        """See `Table.decided`."""
        prefix = self._host.run(self.table.projection(seat, 0)).get("prefix")
        listed = prefix.get("decisions") if isinstance(prefix, dict) else None
        return {reading.seq_of(each) for each in reading.objects(listed)}

    def task_of(self, seq: int) -> str:
        """See `Table.task_of`."""
        posted = Answer("POST", f"{self.table.path}/entries", None, 201, value={"seq": seq})
        return self._host.run(tasks.opened_by(self.table.t, self.table, posted))

    def step(self, task: str, event: str) -> Got:
        """See `Table.step`."""
        return _got(self._host.run(_answer(STEPS[event](self._task(task)))))

    def misstep(self, task: str, how: str) -> Got:
        """See `Table.misstep`."""
        made = self._task(task)
        if how == "the executor verifies":
            return _got(self._host.run(made.verify(seat=made.executor)))
        return _got(self._host.run(self.table.decide(self._bots[0].owner, task)))

    def state_of(self, task: str) -> str:
        """See `Table.state_of`."""
        return self._host.run(self._task(task).state())

    def _task(self, task: str) -> Task:
        executor, verifier = self._bots[-1], self._bots[0]
        return Task(self.table, task, {}, owner=executor.owner, executor=executor.seat, verifier=verifier.seat)

    def close(self) -> Got:
        """See `Table.close`."""
        return _got(self._host.run(self.table.close()))

    def sight(self, seat: str, posts: Sequence[Posted]) -> list[Sight]:
        """See `Table.sight`."""
        acts = [sight.Act(each.seat, each.kind, each.to, each.seq, each.marker) for each in posts]
        seen = self._host.run(sight.look(self.table.t, self.table, seat, acts))
        return [Sight(seen.sees(a), seen.hides(a), ", ".join(seen.leaks(a)), seen.shows(a)) for a in acts]


def _got(answer: Answer) -> Got:
    return Got(answer.ok, answer.code, reading.seq_of(answer.value), answer.code or str(answer.status))


async def _answer(work: Any) -> Answer:
    answer: Answer = await work
    return answer


@contextlib.contextmanager
def local_host(make: Callable[[Store], Host] = Host) -> Iterator[FuzzedHost]:
    """Yield a host of this process, on a clock that jumps; it can be restarted on what it has kept.

    Args:
        make: makes the host on a store.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        stores: list[Store] = [MemoryStore()]
        apps = [runner.run(_made(make, stores[-1]))]

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await apps[-1](scope, receive, send)

        async def restart() -> None:
            await _stop(apps.pop())
            apps.append(await _made(make, stores[-1]))

        async def renew() -> None:
            stores.append(MemoryStore())
            del stores[:-1]
            await restart()

        target = app_target(app, virtual_now, timeout=REPLY_TIMEOUT)
        target.restart = restart
        try:
            with opened(target, EMPTY, runner, renew) as host:
                yield host
        finally:
            runner.run(_stop(apps[-1]))


async def _stop(app: Any) -> None:
    app.state.api.stop()


async def _made(make: Callable[[Store], Host], store: Store) -> Any:
    return byob_app(make(store), virtual_now)


@contextlib.contextmanager
def opened(
    target: Target,
    profile: Profile,
    runner: asyncio.Runner,
    renew: Renew | None = None,
    revive: Renew | None = None,
) -> Iterator[FuzzedHost]:
    """Yield a host, and leave it afterwards; see `FuzzedHost` for the arguments."""
    host = FuzzedHost(target, profile, runner, renew, revive)
    try:
        yield host
    finally:
        host.end()
