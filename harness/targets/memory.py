"""In-process targets: the same drivers over in-memory pipes and ASGI, for faults and for tests of the checks."""

import asyncio
from collections.abc import Callable

import httpx
from reference.yea.transports.http import bridge_app
from reference.yea.transports.streams import serve_stream

from harness.targets.base import Clock, Connection, Target, Watcher
from harness.targets.http import connector
from harness.targets.streams import StreamConnection
from reference.yea.service import Service

URL = "http://naysayer.invalid/yea"
PIPE_LIMIT = 1 << 22


class Pipe:
    """One direction of an in-memory stream; it is the writer, `reader` is the other end."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader(limit=PIPE_LIMIT)
        self._open = True

    def write(self, data: bytes) -> None:
        """Hand bytes to the reader; a closed pipe loses them, as a closed socket does."""
        if self._open:
            self.reader.feed_data(data)

    async def drain(self) -> None:
        """Let the other end run."""
        await asyncio.sleep(0)

    def close(self) -> None:
        """End the stream."""
        if self._open:
            self._open = False
            self.reader.feed_eof()

    def write_eof(self) -> None:
        """End the stream."""
        self.close()

    def is_closing(self) -> bool:
        """Whether the stream has ended."""
        return not self._open

    async def wait_closed(self) -> None:
        """Return at once: closing takes no time here."""


def stream_target(service: Service, clock: Clock, *, timeout: float) -> Target:
    """Return a `tcp` target that talks to a service in this process."""

    async def connect(watcher: Watcher, name: str) -> Connection:
        there, back = Pipe(), Pipe()
        serving = asyncio.create_task(serve_stream(there.reader, back, service, clock))

        async def stop() -> None:
            there.close()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

        return StreamConnection(name, "tcp", back.reader, there, watcher, clock, timeout=timeout, on_close=stop)

    return Target("tcp", "in-process", connect, clock, loopback=True, managed=True, in_process=True)


def bridge_target(service: Service, clock: Clock, *, timeout: float) -> Target:
    """Return an `http` target that talks to a service's bridge in this process."""
    app = bridge_app(service, clock)

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, raise_app_exceptions=False))

    return Target("http", URL, connector(URL, new_client, clock, timeout), clock, True, True, in_process=True)


Maker = Callable[[Service, Clock], Target]
