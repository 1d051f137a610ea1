"""The reference service under load over TCP, beside a bare echo and bare verification."""

import asyncio
import json
import resource
from collections.abc import Iterator
from contextlib import suppress

from benchmarks import requests
from benchmarks.load import ECHO, SERVICE, send, serving
from benchmarks.timing import Line
from harness.processes import peak_memory

ASKS = 4_000
COMMITS = 3_000  # more than the grants that the service remembers, so that each is verified anew
PROPOSALS, CONNECTIONS = 10_000, 1_000
ROUNDS = 5
SETTLE = 0.5
BYTES_A_SECOND = 50e6
MEGABYTE = 1_000_000


def lines() -> Iterator[Line]:
    """Yield every measurement."""
    yield _asks()
    yield from _commits()
    yield _memory()
    yield from _slow_connections()


def _asks() -> Line:
    asks = requests.asks(ASKS)
    with serving(SERVICE) as (service, _), serving(ECHO) as (echo, _):
        pairs = [(_seconds(service, asks), _seconds(echo, asks)) for _ in range(ROUNDS)]
    speed = min(their for _, their in pairs) / min(our for our, _ in pairs)
    return Line("ASKs at 64 in flight against an echo that parses and dumps", speed, 0.25, True, "x")


def _commits() -> Iterator[Line]:
    with serving(SERVICE) as (port, _):
        shared = _speed_of_commits(port, own_grants=False)
        yield Line("signed COMMITs of one agent against PyNaCl verifying two signatures each", shared, 0.5, True, "x")
        # The service verifies a grant once and then knows it. Here it never saw one, so both signatures cost.
        own = _speed_of_commits(port, own_grants=True)
        yield Line("the same of agents and grants that are new each time", own, 0.3, True, "x")


def _speed_of_commits(port: int, *, own_grants: bool) -> float:
    """Return how fast COMMITs are, as a part of the speed of bare verification."""
    pairs = []
    for _ in range(ROUNDS):
        agents = requests.agents(COMMITS, own_grants=own_grants)
        _, offers = asyncio.run(send(port, [agent.intent() for agent in agents]))
        commits = [agent.commit(offer) for agent, offer in zip(agents, _in_order(offers), strict=True)]
        seconds, receipts = asyncio.run(send(port, commits))
        _all_are(receipts, "RECEIPT")
        pairs.append((seconds, requests.verify([requests.signatures(commit) for commit in commits])))
    return min(their for _, their in pairs) / min(our for our, _ in pairs)


def _memory() -> Line:
    _allow_files(CONNECTIONS + 100)
    with serving(SERVICE) as (port, process):
        asyncio.run(_crowd(port))
        peak = peak_memory(process)
    name = f"{PROPOSALS:,} open proposals and {CONNECTIONS:,} connections"
    return Line(name, (peak or 0) / MEGABYTE, 300, False, "MB")


async def _crowd(port: int) -> None:
    """Open the connections, and leave open proposals over them while all are there."""
    streams = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)]
    intents = requests.intents(PROPOSALS)
    share = PROPOSALS // CONNECTIONS
    for number, (_, writer) in enumerate(streams):
        writer.write(b"".join(intents[number * share : (number + 1) * share]))
    for reader, _ in streams:
        for _ in range(share):
            _all_are([await reader.readline()], "PROPOSALS")
    for _, writer in streams:
        writer.close()


def _slow_connections() -> Iterator[Line]:
    asks = requests.asks(ASKS)
    greedy = requests.line({"id": "1", "verb": "ASK", "capability": "shop.terms", "budget": 100_000}) * 200
    kinds: dict[str, tuple[int, bytes]] = {
        "500 silent connections": (500, b""),
        "100 connections that stop within a frame": (100, b'{"yea":1,"id":"' + b"x" * 900_000),
        "50 connections that read none of their replies": (50, greedy),
    }
    for name, (count, data) in kinds.items():
        with serving(SERVICE) as (quiet, _), serving(SERVICE) as (crowded, _):
            alone, beside = asyncio.run(_beside(quiet, crowded, count, data, asks))
        yield Line(f"ASKs beside {name} against ASKs alone", alone / beside, 0.8, True, "x")


async def _beside(quiet: int, crowded: int, count: int, data: bytes, asks: list[bytes]) -> tuple[float, float]:
    """Return the seconds that ASKs take of a service alone, and of one whose other connections read nothing.

    The two are asked in turn, so that what else the machine does falls on both.
    """
    others = [await asyncio.open_connection("127.0.0.1", crowded) for _ in range(count)]
    for _, writer in others:
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(data)
    with suppress(TimeoutError):
        async with asyncio.timeout(SETTLE + count * len(data) / BYTES_A_SECOND):
            await asyncio.gather(*(writer.drain() for _, writer in others))
    await asyncio.sleep(SETTLE)
    times = [((await send(quiet, asks))[0], (await send(crowded, asks))[0]) for _ in range(ROUNDS)]
    for _, writer in others:
        writer.transport.abort()
    return min(alone for alone, _ in times), min(beside for _, beside in times)


def _seconds(port: int, lines_: list[bytes]) -> float:
    seconds, replies = asyncio.run(send(port, lines_))
    assert len(replies) == len(lines_)  # noqa: S101 - else the figure means nothing
    return seconds


def _in_order(replies: list[bytes]) -> list[bytes]:
    """Return replies in the order of the ids that they answer."""
    return sorted(replies, key=lambda reply: int(json.loads(reply)["re"]))


def _all_are(replies: list[bytes], kind: str) -> None:
    """Raise when a reply is of another kind: then the figure means nothing."""
    wrong = next((reply for reply in replies if json.loads(reply).get("kind") != kind), None)
    if wrong is not None:
        raise SystemExit(f"wanted {kind}, got {wrong[:300]!r}")


def _allow_files(count: int) -> None:
    """Let this process, and the children that it starts, open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
