"""In-process targets: the same drivers over in-memory pipes and ASGI, for faults and for tests of the checks."""

import asyncio
from collections.abc import Iterable
from typing import SupportsIndex

import httpx

from harness.targets.base import Clock, Connection, Target, Watcher
from harness.targets.http import connector
from harness.targets.streams import StreamConnection
from reference.yea.service import Service
from reference.yea.transports.http import bridge_app
from reference.yea.transports.streams import serve_stream

URL = "http://naysayer.invalid/yea"
PIPE_LIMIT = 1 << 22


class _Reader(asyncio.StreamReader):
    """The receiving half: what arrives after it was closed is dropped, as on a socket."""

    ended = False

    def feed_data(self, data: Iterable[SupportsIndex]) -> None:
        if not self.ended:
            super().feed_data(data)

    def feed_eof(self) -> None:
        self.ended = True
        super().feed_eof()


class _Transport(asyncio.Transport):
    """The sending half of an in-memory stream: what is written arrives at the other end's reader at once."""

    def __init__(self, there: asyncio.StreamReader, own: asyncio.BaseProtocol) -> None:
        super().__init__()
        self._there, self._own, self._open = there, own, True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._open:
            self._there.feed_data(bytes(data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if self._open and not self._there.at_eof():
            self._there.feed_eof()

    def is_closing(self) -> bool:
        return not self._open

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        if self._open:
            self.write_eof()
            self._open = False
            asyncio.get_running_loop().call_soon(self._own.connection_lost, None)

    def abort(self) -> None:
        self.close()


def stream_pair() -> tuple[tuple[asyncio.StreamReader, asyncio.StreamWriter], ...]:
    """Return the two ends of an in-memory stream, each as (reader, writer)."""
    loop = asyncio.get_running_loop()
    readers = [_Reader(limit=PIPE_LIMIT) for _ in range(2)]
    ends = []
    for here, there in (readers, reversed(readers)):
        protocol = asyncio.StreamReaderProtocol(here)
        writer = asyncio.StreamWriter(_Transport(there, protocol), protocol, here, loop)
        ends.append((here, writer))
    return tuple(ends)


def stream_target(service: Service, clock: Clock, *, timeout: float) -> Target:
    """Return a `tcp` target that talks to a service in this process."""

    running: set[asyncio.Task[None]] = set()

    async def connect(watcher: Watcher, name: str) -> Connection:
        (reader, writer), (their_reader, their_writer) = stream_pair()
        serving = asyncio.create_task(serve_stream(their_reader, their_writer, service, clock))
        running.add(serving)
        serving.add_done_callback(running.discard)

        async def stop() -> None:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

        return StreamConnection(name, "tcp", reader, writer, watcher, clock, timeout=timeout, on_close=stop)

    async def restart() -> None:
        tasks = list(running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    return Target("tcp", "in-process", connect, clock, loopback=True, managed=True, in_process=True, restart=restart)


def bridge_target(service: Service, clock: Clock, *, timeout: float) -> Target:
    """Return an `http` target that talks to a service's bridge in this process."""
    app = bridge_app(service, clock)

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, raise_app_exceptions=False))

    async def restart() -> None:
        await app.state.bridge.stop(0)

    connect = connector(URL, new_client, clock, timeout)
    return Target("http", URL, connect, clock, loopback=True, managed=True, in_process=True, restart=restart)
