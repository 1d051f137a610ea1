"""Peers for tests of the harness: services in a few lines, most of them hostile, over in-memory streams.

A peer is a coroutine that gets the far end of a stream. Everything runs on the virtual clock, so a peer that never
answers costs no time.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import httpx

from harness.clock import run_virtual, virtual_now
from harness.targets.base import Connection, Frame, Junk, Target, Watcher
from harness.targets.http import HttpConnection, connector
from harness.targets.memory import stream_pair
from harness.targets.streams import StreamConnection

URL = "http://peer.invalid/yea"
BRIEF = {
    "kind": "BRIEF",
    "service": {"id": "peer.example", "name": "Peer"},
    "capabilities": [{"name": "a.read", "kind": "ask"}, {"name": "a.write", "kind": "intent"}],
}

Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


class Seen:
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.out: list[bytes] = []
        self.frames: list[dict[str, Any]] = []
        self.junk: list[str] = []

    def sent(self, connection: str, data: bytes) -> None:
        self.out.append(data)

    def received(self, connection: str, frame: Frame) -> None:
        self.frames.append(frame.value)

    def spoiled(self, connection: str, junk: Junk) -> None:
        self.junk.append(junk.problem)


def line(value: dict[str, Any]) -> bytes:
    """Return a frame as a line."""
    return json.dumps(value).encode() + b"\n"


def saying(data: bytes) -> Peer:
    """Return a peer that reads one request, says these bytes whatever it was, and then nothing more."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(data)
        await asyncio.Event().wait()

    return peer


def closing(data: bytes) -> Peer:
    """Return a peer that reads one request, says these bytes and closes."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(data)
        writer.close()

    return peer


def answering(answer: Answer) -> Peer:
    """Return a peer that answers each request by what `answer` gives for it; None is no answer at all."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while request := await reader.readline():
            frame = json.loads(request)
            reply = answer(frame)
            if reply is not None:
                writer.write(line({"yea": 1, "id": f"s-{frame['id']}", "re": frame["id"], **reply}))
        writer.close()

    return peer


def brief(frame: dict[str, Any]) -> dict[str, Any]:
    """Answer every request with a BRIEF."""
    return BRIEF


def target(peer: Peer, transport: str = "tcp", *, timeout: float = 10.0) -> Target:
    """Return a target whose every connection has this peer at its far end."""

    async def connect(watcher: Watcher, name: str) -> Connection:
        (reader, writer), there = stream_pair()
        serving = asyncio.ensure_future(peer(*there))

        async def stop() -> None:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            there[1].close()

        return StreamConnection(name, transport, reader, writer, watcher, virtual_now, timeout=timeout, on_close=stop)

    return Target(transport, f"{transport}://peer", connect, virtual_now, loopback=True)


class Served(httpx.MockTransport):
    """A mock whose responses are streams that nobody has read yet, as a real transport's are."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        made = await super().handle_async_request(request)
        return httpx.Response(made.status_code, headers=made.headers.raw, stream=made.stream)


def bridge(handler: Any, *, timeout: float = 10.0) -> Target:
    """Return an HTTP target whose server is a function from httpx.Request to httpx.Response."""

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=Served(handler))

    return Target("http", URL, connector(URL, new_client, virtual_now, timeout), virtual_now, True)


def talk(
    peer: Peer, script: Callable[[StreamConnection, Seen], Coroutine[Any, Any, Any]], timeout: float = 10.0
) -> Any:
    """Run a script on one connection to a peer, in virtual time, and return its result."""

    async def main() -> Any:
        seen = Seen()
        connection = await target(peer, timeout=timeout).connect(seen, "tcp1")
        assert isinstance(connection, StreamConnection)
        try:
            return await script(connection, seen)
        finally:
            await connection.close()

    return run_virtual(main())


def post(
    handler: Any, script: Callable[[HttpConnection, Seen], Coroutine[Any, Any, Any]], timeout: float = 10.0
) -> Any:
    """Run a script on one client of an HTTP peer, in virtual time, and return its result."""

    async def main() -> Any:
        seen = Seen()
        connection = await bridge(handler, timeout=timeout).connect(seen, "http1")
        assert isinstance(connection, HttpConnection)
        try:
            return await script(connection, seen)
        finally:
            await connection.close()

    return run_virtual(main())
