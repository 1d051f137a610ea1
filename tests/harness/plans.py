"""Runs for tests: contexts and plans over peers and small checks, on the virtual clock."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from harness.bench import Bench
from harness.catalogue import catalogue
from harness.check import Check
from harness.clock import run_virtual, virtual_now
from harness.context import Context
from harness.facts import Facts
from harness.guard import Guard
from harness.monitors import Monitor, Watch
from harness.profile import Ask, Profile, Role
from harness.runner import Plan, Runner
from harness.targets.base import Target
from harness.targets.memory import bridge_target, stream_target
from harness.transcript import Transcript
from reference.yea.conformance import conformance_service
from reports.model import Row
from tests.harness.peers import BRIEF, answering, brief, target

# One clause of each kind that matters to an outcome.
RULE, MUST, SHOULD, MAY = "YEA-2.2-01", "YEA-2.1-14", "YEA-8-09", "YEA-4.2-04"
CLAUSES = (RULE, MUST, SHOULD, MAY)
QUESTION = "YEA-Q07"

Body = Callable[[Context], Awaitable[None]]


def make(name: str, body: Body, *clauses: str, **options: Any) -> Check:
    """Return a check that is not registered; it may name any of CLAUSES unless told otherwise."""
    return Check(f"yea/0/{name}", name, clauses or CLAUSES, body, **options)


async def passing(t: Context) -> None:
    t.expect(MUST, True, wanted="yes", got="yes")


async def raising(t: Context) -> None:
    t.expect(MUST, True, wanted="w", got="g")
    raise KeyError("receipt")


def roles(*names: str, **options: Any) -> dict[str, Role]:
    """Return roles of the peer's two capabilities: `ask` and `state` read, all others write."""
    reads = ("ask", "state", "big-ask", "big-text")
    return {
        name: Role(name, "a.read" if name in reads else "a.write", {"object": "{unique}"}, **options) for name in names
    }


STATE = Ask("a.read", {"object": "{unique}"}, "count")


def profile(*names: str, principals: int = 2, **options: Any) -> Profile:
    """Return a profile with these roles and up to two principals."""
    seeds = {name: name.encode() * 32 for name in ("a", "b")[:principals]}
    return Profile("test", seeds=seeds, roles=roles(*names), **options)


def plan(checks: Sequence[Check], targets: Sequence[Target] = (), **options: Any) -> Plan:
    """Return a plan over these targets (by default a peer that answers BRIEF to everything) that collects its rows."""
    chosen = list(targets) or [target(answering(brief))]
    defaults: dict[str, Any] = {
        "watch": Watch([]),
        "facts": Facts(dict(BRIEF)),
        "profile": profile(),
        "catalogue": catalogue("yea"),
        "sink": lambda row: None,
        "replay": lambda check_id, transport: f"again {check_id}@{transport}",
        "run_id": "run",
    }
    return Plan(checks=list(checks), targets={each.transport: each for each in chosen}, **{**defaults, **options})


async def rows_of(made: Plan) -> list[Row]:
    """Run a plan on the running loop and return its rows in the order they came."""
    rows: list[Row] = []
    made.sink = rows.append
    await Runner(made).run()
    return rows


def run(checks: Sequence[Check], targets: Sequence[Target] = (), **options: Any) -> list[Row]:
    """Run checks in virtual time and return the rows in the order they came."""

    async def main() -> list[Row]:
        return await rows_of(plan(checks, targets, **options))

    return run_virtual(main())


def run_one(body: Body, *clauses: str, targets: Sequence[Target] = (), **options: Any) -> Row:
    """Run one check in virtual time and return its row."""
    names = ("needs", "principals", "transports", "commits", "waits", "slow", "stress", "alone", "basis", "deadline")
    kept = {name: options.pop(name) for name in names if name in options}
    (row,) = run([make("one", body, *clauses, **kept)], targets, **options)
    return row


def with_context(script: Callable[[Context], Awaitable[Any]], at: Target | None = None, **options: Any) -> Any:
    """Run a script with a context of its own, outside of any runner, and return its result."""

    async def main() -> Any:
        where = at or target(answering(brief))
        given: Profile = options.get("profile", profile())
        facts: Facts = options.get("facts", Facts(dict(BRIEF)))
        silent = Transcript(virtual_now, lambda *_: None, str, where.transport, "test")
        check = options.get("check", make("test", passing))
        bench = Bench(check, where, catalogue("yea"), silent, "run", 0, asyncio.sleep)
        context = Context(bench, facts, given, Guard(given, lambda: frozenset(facts.capabilities)))
        try:
            return await script(context)
        finally:
            await context.close()

    return run_virtual(main())


def services(*transports: str, **options: Any) -> list[Target]:
    """Return targets of one conformance service in this process; call it on the virtual loop."""
    makers = {"tcp": stream_target, "http": bridge_target}
    service = conformance_service(**options)
    return [makers[name](service, virtual_now, timeout=10.0) for name in transports or ("tcp",)]


def monitor(name: str, over: str, judge: Any, clause: str = MUST, **options: Any) -> Monitor:
    """Return a monitor that is not registered."""
    return Monitor(f"yea/0/{name}", name, clause, over, judge, **options)


def told(rows: list[Row]) -> dict[str, tuple[str, str]]:
    """Return outcome and why by id, with the transport where there is more than one."""
    many = len({row.transport for row in rows}) > 1
    return {f"{row.id}@{row.transport}" if many else row.id: (row.outcome.value, row.why) for row in rows}


class Times:
    """Bodies of checks that note when they began and how many ran at once."""

    def __init__(self) -> None:
        self.began: list[tuple[str, float]] = []
        self.running = self.most = 0

    def lasting(self, seconds: float, until: float | None = None) -> Any:
        async def body(t: Context) -> None:
            self.began.append((t.check.title, asyncio.get_running_loop().time()))
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(seconds)
            self.running -= 1
            if until is not None:
                await t.until(t.now() + until)
            t.expect(MUST, True, wanted="w", got="g")

        return body
