"""Servers for tests of the commands: peers on real sockets of this machine, in a thread of their own."""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator

from tests.harness.peers import Peer


@contextlib.contextmanager
def listening(peer: Peer, tls: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serve a peer on a free port of loopback, inside TLS with such a context, and yield the port."""
    ports: list[int] = []
    ready = threading.Event()
    ending: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        stop = asyncio.Event()
        ending.append((asyncio.get_running_loop(), stop))
        tasks: set[asyncio.Task[None]] = set()
        writers: list[asyncio.StreamWriter] = []

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            tasks.add(task)
            writers.append(writer)
            try:
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    await peer(reader, writer)
            finally:
                tasks.discard(task)
                writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await stop.wait()
        await _turns()  # a server that is closed drops, unclosed, whom it is just about to take
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()  # what a reader that went away never took would keep it open
        await _turns()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(10)
    try:
        yield ports[0]
    finally:
        loop, stop = ending[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


async def _turns() -> None:
    """Let what is ready run, and what that makes ready."""
    for _ in range(5):
        await asyncio.sleep(0)


@contextlib.contextmanager
def refusing() -> Iterator[int]:
    """Yield a port of loopback that is taken and where nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def web(status: str, body: bytes = b"", **headers: str) -> Peer:
    """Return a peer that answers each HTTP request like this and closes."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        lines = [f"HTTP/1.1 {status}", "Connection: close", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        await writer.drain()

    return peer
