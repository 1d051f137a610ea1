"""Loopback connections for transport tests."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from reference.yea.transports.streams import serve_stream
from tests.reference.yea.service.driving import Caller, Frame

DEADLINE = 10.0
HELLO = b'{"yea":1,"id":"h","verb":"HELLO"}\n'


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test, and fails it when it hangs."""

    async def bounded() -> None:
        async with asyncio.timeout(DEADLINE):
            await test

    asyncio.run(bounded())


class Client:
    """The client's end of a stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def write(self, *frames: Frame | bytes) -> None:
        """Sends frames, or bytes as they are."""
        for frame in frames:
            self.writer.write(frame if isinstance(frame, bytes) else json.dumps(frame).encode() + b"\n")

    async def read(self) -> Frame:
        """The next frame."""
        line = await self.reader.readline()
        assert line.endswith(b"\n"), line
        frame: Frame = json.loads(line)
        return frame

    async def rest(self) -> list[Frame]:
        """All frames until the service closes."""
        return [json.loads(line) for line in (await self.reader.read()).splitlines()]

    async def close(self) -> None:
        """Hangs up, whatever is still unsent."""
        self.writer.transport.abort()
        await asyncio.gather(self.writer.wait_closed(), return_exceptions=True)


@asynccontextmanager
async def connected(caller: Caller) -> AsyncIterator[tuple[Client, asyncio.Task[None]]]:
    """A client of the caller's service over a socket pair, and the task that serves it."""
    here, there = socket.socketpair()
    client = Client(*await asyncio.open_connection(sock=here, limit=1 << 22))
    reader, writer = await asyncio.open_connection(sock=there)
    serving = asyncio.create_task(serve_stream(reader, writer, caller.service, lambda: caller.now))
    try:
        yield client, serving
    finally:
        await client.close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
