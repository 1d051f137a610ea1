"""Load on a server over TCP, from a client that costs little: lines that are ready, and newlines that are counted."""

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

ECHO = [sys.executable, "-m", "benchmarks.echo"]
SERVICE = [sys.executable, "-m", "harness.cli", "serve", "yea", "--port", "0"]


@contextlib.contextmanager
def serving(command: list[str]) -> Iterator[tuple[int, int]]:
    """Start a server in a session of its own; yields its port and its process id, and ends it."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as server:
        assert server.stderr is not None  # noqa: S101 - narrows the type
        try:
            (bound,) = json.loads(server.stderr.readline()).values()
            yield int(bound.rpartition(":")[2]), server.pid
        finally:
            server.terminate()


class Client(asyncio.Protocol):
    """A connection that keeps so many requests in flight until it has sent all and got a line for each.

    Args:
        requests: lines with their newline.
        window: requests in flight.
    """

    def __init__(self, requests: Sequence[bytes], window: int) -> None:
        self.requests, self.window = requests, window
        self.sent, self.got = 0, 0
        self.replies: list[bytes] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP gives one
        self._transport = transport
        self._send(self.window)

    def data_received(self, data: bytes) -> None:
        self.replies.append(data)
        more = data.count(b"\n")
        self.got += more
        if self.got >= len(self.requests) and not self.done.done():
            self.done.set_result(None)
        elif more:
            self._send(more)

    def connection_lost(self, problem: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(problem or ConnectionError("the server hung up"))

    def _send(self, count: int) -> None:
        lines = self.requests[self.sent : self.sent + count]
        if lines and self._transport is not None:
            self.sent += len(lines)
            self._transport.write(b"".join(lines))

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.close()


async def send(port: int, requests: Sequence[bytes], window: int = 64) -> tuple[float, list[bytes]]:
    """Send requests over one connection; returns the seconds it took and the reply lines."""
    loop = asyncio.get_running_loop()
    begun = time.perf_counter()
    _, client = await loop.create_connection(lambda: Client(requests, window), "127.0.0.1", port)
    await client.done
    seconds = time.perf_counter() - begun
    client.close()
    return seconds, b"".join(client.replies).splitlines()
