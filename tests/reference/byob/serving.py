"""A table host that answers from a script, and ways to talk to it: in process, and over a socket as bytes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from reference.byob.durability import Barrier
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.http_server import HttpServer
from reference.yea.transports.tcp import listen

NOW = 1_790_000_000.0
TOKEN = "the-token-of-bot-a"
AUTH = {"authorization": f"Bearer {TOKEN}"}
Address = tuple[str, int]


class ScriptedHost(Host):
    """Notes every call, and answers with what it was called with. `bot-a` has a token at the table `t`."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.listeners: list[Callable[[dict[str, Any]], None]] = []
        self.fails: Exception | None = None
        self.entries: list[dict[str, Any]] = []

    def noted(self, *call: Any) -> dict[str, Any]:
        """The answer to a call."""
        self.calls.append(call)
        if self.fails is not None:
            raise self.fails
        return {"called": list(call)}

    def create(self, body: Any, now: float) -> dict[str, Any]:
        return self.noted("create", body, now)

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        return self.noted("join", table, body, now)

    def post(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        return self.noted("post", table, token, body, now)

    def projection(self, table: str, token: str | None, since: str | None, now: float) -> dict[str, Any]:
        return self.noted("projection", table, token, since, now)

    def entry(self, table: str, token: str | None, seq: str, now: float) -> dict[str, Any]:
        return self.noted("entry", table, token, seq, now)

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        return self.noted("memory", table, token, now)

    def task(self, table: str, token: str | None, task: str, now: float) -> dict[str, Any]:
        return self.noted("task", table, token, task, now)

    def approve(self, table: str, body: Any, now: float) -> dict[str, Any]:
        return self.noted("approve", table, body, now)

    def close(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        return self.noted("close", table, token, body, now)

    def ledger(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        self.noted("ledger", table, token, now)
        return {"entries": self.entries}

    def seat_of(self, table: str, token: str | None) -> str:
        if (table, token) != ("t", TOKEN):
            raise ByobError("E_UNAUTHORIZED", "the token is not one of this table's")
        return "bot-a"

    def listen(self, table: str, seat: str, callback: Callable[[dict[str, Any]], None]) -> Callable[[], None]:
        self.listeners.append(callback)
        return lambda: self.listeners.remove(callback) if callback in self.listeners else None

    def tell(self, seq: int, kind: str = "say") -> None:
        """Announces an entry to all listeners."""
        for listener in list(self.listeners):
            listener({"seq": seq, "kind": kind})

    def tick(self, now: float) -> float | None:
        return None


@asynccontextmanager
async def in_process(host: Host, barrier: Barrier | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a host's application, without sockets."""
    transport = httpx.ASGITransport(app=byob_app(host, lambda: NOW, barrier))
    async with httpx.AsyncClient(transport=transport, base_url="http://table.invalid") as client:
        yield client


@asynccontextmanager
async def listening(
    host: Host, clock: Callable[[], float] = lambda: NOW, barrier: Barrier | None = None
) -> AsyncIterator[Address]:
    """The address of a host on a real socket."""
    listener = listen("127.0.0.1", 0)
    server = HttpServer(listener, byob_app(host, clock, barrier))
    await server.start()
    try:
        yield listener.getsockname()[:2]
    finally:
        await server.stop()
        listener.close()


async def raw(address: Address, *parts: bytes, eof: bool = True) -> bytes:
    """What a server answers to these bytes until it closes."""
    reader, writer = await asyncio.open_connection(*address)
    try:
        for part in parts:
            writer.write(part)
        if eof:
            writer.write_eof()
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)


def request(method: str, path: str, *headers: str, body: bytes = b"", sized: bool = True) -> bytes:
    """A request as bytes. sized: whether it says the length of its body."""
    lines = [f"{method} {path} HTTP/1.1", "Host: x", *headers]
    if sized:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def answers(data: bytes) -> list[tuple[int, dict[str, str], Any]]:
    """The status, headers and JSON body of each answer in a stream that was read to its end."""
    found = []
    while data:
        head, _, data = data.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body, data = _chunks(data) if "transfer-encoding" in headers else _sized(data, int(headers["content-length"]))
        found.append((int(status.split()[1]), headers, json.loads(body) if body else None))
    return found


def _sized(data: bytes, length: int) -> tuple[bytes, bytes]:
    return data[:length], data[length:]


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    body = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        if not int(size, 16):
            return body, data[2:]
        body, data = body + data[: int(size, 16)], data[int(size, 16) + 2 :]
    return body, data
