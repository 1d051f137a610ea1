"""The harness against a twin in this process: every check and monitor, on the virtual clock that both share."""

import asyncio

import httpx

from harness import check as checks
from harness import clock, facts, monitors, setup
from harness.catalogue import catalogue
from harness.people import Agent, Principal, new_key
from harness.profile import built_in
from harness.runner import Plan, Runner
from harness.selection import Matcher, everything
from harness.targets.base import Clock, Connection, Target, Watcher
from harness.targets.http import connector
from harness.targets.memory import stream_pair
from harness.targets.streams import StreamConnection
from harness.transcript import Transcript
from reference.yea.keys import KeyPair
from reports.model import Row
from tests.odd_twin import Twin

REPLY_TIMEOUT = 10.0
URL = "http://naysayer.invalid/yea"


def stream_target(twin: Twin, now: Clock, skew: float) -> Target:
    """Return a `tcp` target over in-memory streams, its clock `skew` seconds ahead."""

    async def connect(watcher: Watcher, name: str) -> Connection:
        (reader, writer), (their_reader, their_writer) = stream_pair()
        serving = asyncio.create_task(twin.serve_stream(their_reader, their_writer, lambda: now() + skew))

        async def stop() -> None:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

        return StreamConnection(name, "tcp", reader, writer, watcher, now, timeout=REPLY_TIMEOUT, on_close=stop)

    return Target("tcp", "in-process", connect, now, loopback=True, managed=True, in_process=True)


def bridge_target(twin: Twin, now: Clock, skew: float) -> Target:
    """Return an `http` target over ASGI, its clock `skew` seconds ahead."""
    transport = httpx.ASGITransport(app=twin.app(lambda: now() + skew), raise_app_exceptions=False)

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=transport)

    return Target("http", URL, connector(URL, new_client, now, REPLY_TIMEOUT), now, True, True, in_process=True)


TARGETS = {"tcp": stream_target, "http": bridge_target}


def examine(
    twin: Twin,
    select: Matcher = everything,
    *,
    transports: tuple[str, ...] = ("tcp", "http"),
    seed: int = 0,
    slow: bool = False,
    skew: float = 0.0,
) -> list[Row]:
    """Return the rows of the selected checks and monitors against a twin whose clock is `skew` seconds ahead."""
    return clock.run_virtual(_examine(twin, select, transports, seed, slow, skew))


async def _examine(
    twin: Twin, select: Matcher, transports: tuple[str, ...], seed: int, slow: bool, skew: float
) -> list[Row]:
    now, profile = clock.virtual_now, built_in("conformance")
    targets = {name: TARGETS[name](twin, now, skew) for name in transports}
    first = targets[transports[0]]
    silent = Transcript(now, lambda *_: None, str, first.transport, "hello")
    found = await facts.discover(first, silent, REPLY_TIMEOUT)
    connection = await first.connect(silent, "setup")
    found.demands_grants = await setup.measure_demands(connection, profile, now)
    found.intent_demands_grants = await setup.measure_demands(connection, profile, now, "INTENT")
    agent = Agent(new_key(), found.service_id, now)
    principal = Principal(KeyPair(profile.seeds["a"]), found.service_id, now)
    found.skew = await setup.measure_skew(connection, profile, agent, principal, now)
    await connection.close()
    rows: list[Row] = []
    plan = Plan(
        checks=[entry for name, entry in checks.load("yea").items() if select(name)],
        watch=monitors.Watch([entry for name, entry in monitors.load("yea").items() if select(name)]),
        targets=targets,
        facts=found,
        profile=profile,
        catalogue=catalogue("yea"),
        sink=rows.append,
        replay=lambda check_id, transport: f"{check_id}@{transport}",
        seed=seed,
        slow=slow,
    )
    await Runner(plan).run()
    return rows
