"""The laboratory for bridges: checks against a bridge of the reference's kind, in this process, on virtual time.

The bridge is a real server of the SDK on streams in memory, and its host answers in memory too. What shows on the
standard streams of a process alone is examined on a child, by `live`.
"""

import asyncio
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from harness import check as checks
from harness import clock, monitors
from harness.bridges import nonsense as silly
from harness.bridges import session
from harness.bridges.context import BridgeFacts, contexts
from harness.bridges.links import Launch, Link, MemoryLink
from harness.bridges.room import Room
from harness.bridges.session import MCP, PROTOCOL
from harness.byob.tokens import Tokens
from harness.catalogue import catalogue
from harness.faults import Fault
from harness.profile import EMPTY, Profile
from harness.runner import Plan, Runner
from harness.selection import Matcher, everything
from harness.targets.asgi import AsgiTransport
from harness.targets.base import Clock
from reference.byob.bridge import settings
from reference.byob.bridge.bridge import Bridge
from reference.byob.bridge.server import mcp_server
from reference.byob.bridge.settings import Settings
from reference.byob.seat import TableHost
from reports.model import Row

SECONDS = 10.0
CHILDS = "byob-bridge/2"
ORIGIN = "http://table.invalid"


def examine(kind: type[Bridge] = Bridge, select: Matcher = everything) -> list[Row]:
    """Return the rows of the selected checks and monitors against a bridge of a class, in this process."""

    async def main() -> list[Row]:
        tokens = Tokens()
        room = Room(clock.virtual_now, tokens)
        return await _examine(in_process(kind, room), room, ORIGIN, select, clock.virtual_now, tokens)

    return clock.run_virtual(main())


def examine_fault(fault: Fault, select: Matcher) -> list[Row]:
    """Return the rows against a fault, in this process or, for a live one, as a child."""
    if fault.live:
        return live(session.reference_command("--fault", fault.id), select)
    return examine(fault.service, select)


def sound() -> list[Row]:
    """Return the rows of the reference's own bridge: all of them in this process, and those of a child's output."""
    return [*examine(), *live(session.reference_command(), lambda each: each.startswith(CHILDS))]


def nonsense() -> list[Row]:
    """Return the rows against a bridge that talks nonsense."""
    return examine_played(silly.launch)


def examine_played(launch: Launch, select: Matcher = everything) -> list[Row]:
    """Return the rows against a bridge in this process that asks the host nothing, without learning what it takes."""

    async def main() -> list[Row]:
        tokens = Tokens()
        room, facts = Room(clock.virtual_now, tokens), BridgeFacts(tokens=tokens)
        return await _examine(launch, room, ORIGIN, select, clock.virtual_now, tokens, facts=facts)

    return clock.run_virtual(main())


def live(command: str, select: Matcher = everything, profile: Profile = EMPTY) -> list[Row]:
    """Return the rows against the bridge that a command starts, each time as a child."""

    async def main() -> list[Row]:
        tokens = Tokens()
        room = Room(time.time, tokens)
        async with room.serving() as origin:
            return await _examine(session.launcher(command), room, origin, select, time.time, tokens, profile)

    return asyncio.run(main())


def in_process(kind: type[Bridge], room: Room) -> Launch:
    """Return what starts a bridge of a class in this process, at a room."""

    def connect(told: Settings) -> TableHost:
        http = httpx.AsyncClient(transport=AsgiTransport(room.noted_app))
        return TableHost(told.url, rules=told.rules, http=http)

    def launch(given: Mapping[str, str]) -> Link:
        def make() -> Any:
            server = mcp_server(kind(settings.read(given), connect))._lowlevel_server  # what its stdio server runs
            return lambda read, write: server.run(read, write, server.create_initialization_options())

        return MemoryLink(make)

    return launch


async def _examine(
    launch: Launch,
    room: Room,
    origin: str,
    select: Matcher,
    now: Clock,
    tokens: Tokens,
    profile: Profile = EMPTY,
    facts: BridgeFacts | None = None,
) -> list[Row]:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        target = session.make_target(launch, room, origin, Path(folder), SECONDS, now, "a bridge")
        plan = Plan(
            checks=[c for i, c in checks.load(PROTOCOL).items() if select(i)],
            watch=monitors.Watch([m for i, m in monitors.load(PROTOCOL).items() if select(i)]),
            targets={MCP: target},
            facts=facts or await session.learn(target, profile, tokens),
            profile=profile,
            catalogue=catalogue(PROTOCOL),
            sink=rows.append,
            replay=lambda check_id, transport: f"{check_id}@{transport}",
            slow=True,
            contexts=contexts,
        )
        await Runner(plan).run()
    return rows
