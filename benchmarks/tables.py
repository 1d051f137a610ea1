"""The table host under load over HTTP, beside a bare app that appends lines to a file; and how it grows."""

import asyncio
import gc
import itertools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.load import serving
from benchmarks.posting import ask, request
from benchmarks.seats import TABLES, config, join, say, seated
from benchmarks.timing import Line, ratio
from reference.byob.host import Host
from reference.byob.ledger import JsonlStore

BARE = [sys.executable, "-m", "benchmarks.appender"]
HOST = [sys.executable, "-m", "harness.cli", "serve", "byob", "--port", "0", "--data"]
POSTS, CONNECTIONS = 4_000, 64
ALONE = 300
LISTENERS, TOLD = 200, 100
ENTRIES = 100_000
TAIL = 20
READS = 500
ROUNDS = 5

_numbers = itertools.count(1)


def lines() -> Iterator[Line]:
    """Yield every measurement."""
    yield from _posts()
    yield _listeners()
    yield from _growth()


def _posts() -> Iterator[Line]:
    with (
        tempfile.TemporaryDirectory() as data,
        serving([*HOST, data]) as (host, _),
        serving(BARE) as (bare, _),
        serving([*BARE, "--sync"]) as (syncing, _),
    ):
        (token,) = seated(host, "t", "bot")
        pairs = [(_seconds(host, _says(token, POSTS)), _seconds(bare, _lines(POSTS))) for _ in range(ROUNDS)]
        yield Line(
            f"posts at {CONNECTIONS} in flight against an app that appends and flushes", _ratio(pairs), 0.3, True, "x"
        )
        pairs = [(_seconds(host, _says(token, ALONE), 1), _seconds(syncing, _lines(ALONE), 1)) for _ in range(ROUNDS)]
        yield Line(
            "posts one by one against the same that waits for the disk, as the host does", _ratio(pairs), 0.3, True, "x"
        )


def _listeners() -> Line:
    with (
        tempfile.TemporaryDirectory() as data,
        serving([*HOST, data]) as (host, _),
        serving([*BARE, "--sync"]) as (bare, _),
    ):
        (token,) = seated(host, "t", "bot")
        pairs = []
        for _ in range(ROUNDS):
            ours = asyncio.run(_told(host, request(f"{TABLES}/t/events", token), _says(token, TOLD)))
            pairs.append((ours, asyncio.run(_told(bare, request("/events"), _lines(TOLD)))))
    return Line(
        f"posts that {LISTENERS} listeners hear of, one by one, against those of that app",
        _ratio(pairs),
        0.3,
        True,
        "x",
    )


async def _told(port: int, listen: bytes, posts: Sequence[bytes]) -> float:
    """Return the seconds until all listeners have heard of all posts, which are made one by one."""
    streams = []
    for _ in range(LISTENERS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(listen)
        await reader.readuntil(b"event: hello")
        streams.append((reader, writer))
    begun = time.perf_counter()
    hearing = [asyncio.create_task(_hear(reader, len(posts))) for reader, _ in streams]
    await ask(port, posts)
    await asyncio.gather(*hearing)
    seconds = time.perf_counter() - begun
    for _, writer in streams:
        writer.transport.abort()
    return seconds


async def _hear(reader: asyncio.StreamReader, count: int) -> None:
    """Return when so many events have come."""
    while count > 0:
        data = await reader.read(1 << 16)
        if not data:
            raise SystemExit("the server ended an event stream")
        count -= data.count(b"event: entry")


def _growth() -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        long, half, tiny = (_Kept(Path(folder) / str(count), count) for count in (ENTRIES, ENTRIES // 2, 1_000))
        pairs = [(half.replay(), long.replay()) for _ in range(ROUNDS)]
        yield Line(f"replay of {ENTRIES:,} entries", min(seconds for _, seconds in pairs), 5, False, "s")
        yield Line("the same against half as many, twice", _ratio(pairs) / 2, 1.5, False, "x")
        grown = ratio(tiny.reader(), long.reader())
        yield Line(
            f"a projection of the last {TAIL} of {ENTRIES:,} entries against that of 1,000", grown, 1.5, False, "x"
        )


class _Kept:
    """A ledger on disk with so many entries."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        store = JsonlStore(folder, sync=False)
        host = Host(store)
        host.create(config("t"), 0.0)
        self.token = host.join("t", join("t", "bot"), 0.0)["seat_token"]
        while host.post("t", self.token, say(0), 0.0)["seq"] < count - 1:
            pass
        store.close()

    def replay(self) -> float:
        """Return the seconds that a replay takes."""
        gc.collect()
        begun = time.perf_counter()
        self._opened()
        return time.perf_counter() - begun

    def reader(self) -> Callable[[], None]:
        """Return what makes some projections of the last entries."""
        host = self._opened()
        since = str(host.projection("t", self.token, None, 0.0)["cursor"] - TAIL)

        def read() -> None:
            for _ in range(READS):
                host.projection("t", self.token, since, 0.0)

        return read

    def _opened(self) -> Host:
        store = JsonlStore(self.folder)
        host = Host(store)
        store.close()
        return host


def _says(token: str, count: int) -> list[bytes]:
    return [request(f"{TABLES}/t/entries", token, say(next(_numbers))) for _ in range(count)]


def _lines(count: int) -> list[bytes]:
    return [request("/append", body=say(next(_numbers))) for _ in range(count)]


def _seconds(port: int, requests: Sequence[bytes], connections: int = CONNECTIONS) -> float:
    seconds, answers = asyncio.run(ask(port, requests, connections))
    assert len(answers) == len(requests)  # noqa: S101 - else the figure means nothing
    return seconds


def _ratio(pairs: list[tuple[float, float]]) -> float:
    """Return how fast ours is as a part of theirs, the best of each."""
    return min(their for _, their in pairs) / min(our for our, _ in pairs)
