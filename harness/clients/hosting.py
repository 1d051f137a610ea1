"""Serving a play over a transport: a stream of frames over TCP or TLS, or the HTTP bridge (YEA 2.3, 2.4).

The client is hostile until proven otherwise: lines are bounded, and so is how much it may ask in one run.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from harness.clients.plays import Asked, Flood, HangUp, Play, Say, brief, flood, line
from harness.encoding import EXCERPT, read_line
from harness.errors import Untested
from harness.targets.base import Junk, Watcher
from reference.yea.framing import MAX_FRAME, FrameSplitter, Oversize
from reference.yea.transports.http import read_body
from reference.yea.transports.http_server import QuietServer

LOCAL = "127.0.0.1"
ENDPOINT, DISCOVERY = "/yea", "/.well-known/yea"
CHUNK = 64 * 1024
NDJSON = "application/x-ndjson"
END_GRACE = 1.0
MOST_NOTED = 100
MOST_CONNECTIONS = 1000
"""Streams that a client may open in one run; further ones are closed at once."""

FORMS = {"tcp": "yea://{}", "tls": "yeas://{}", "http": "http://{}" + ENDPOINT, "https": "https://{}" + ENDPOINT}


@dataclass
class Hosted:
    """A play that is served.

    `url` is its address. `posts` and `strays` are the HTTP requests that came to the bridge's endpoint and elsewhere,
    as `METHOD path`, at most `MOST_NOTED` of them.
    """

    url: str
    play: Play
    watcher: Watcher
    kind: str
    posts: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    opened: int = 0
    _running: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)

    def name(self) -> str:
        """Return a name for one more connection."""
        self.opened += 1
        return f"{self.kind}{self.opened}"

    def heard(self, connection: str, data: bytes) -> Asked | None:
        """Read a line or body of the client, and show it to the transcript and the monitors; None for no frame."""
        item = read_line(data, self.play.clock())
        if isinstance(item, Junk):
            self.watcher.spoiled(connection, item)
            return None
        asked = self.play.hear(connection, item.value)
        self.watcher.received(connection, item)
        return asked

    async def drained(self) -> None:
        """Wait until what the client sent before it ended was read, a moment at most."""
        if self._running:
            await asyncio.wait(self._running, timeout=END_GRACE)

    async def end(self) -> None:
        """Break what connections are left, and wait for what runs on them."""
        for writer in self._running.values():
            writer.transport.abort()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        task = asyncio.current_task()
        if task is not None:
            self._running[task] = writer
        name, splitter = self.name(), FrameSplitter()
        try:
            if self.opened > MOST_CONNECTIONS:
                return
            while data := await reader.read(CHUNK):
                for item in splitter.feed(data):
                    if isinstance(item, Oversize):
                        self.watcher.spoiled(name, _long(item, self.play.clock()))
                    elif item.data.strip() and not await self._say(name, item.data, writer):
                        return
        except (OSError, ssl.SSLError):
            self.watcher.spoiled(name, Junk("the client broke the connection", b"", self.play.clock(), "cut"))
        finally:
            writer.close()
            if task is not None:
                self._running.pop(task, None)

    async def _say(self, name: str, data: bytes, writer: asyncio.StreamWriter) -> bool:
        """Answer one line; returns whether the connection goes on."""
        asked = self.heard(name, data)
        if asked is None:
            return True
        for say in self.play.answer(asked):
            if isinstance(say, HangUp):
                return False
            async for piece in self._pieces(say, asked):
                writer.write(piece)
                await writer.drain()
                self.play.moved()
        return True

    async def _pieces(self, say: Say, asked: Asked) -> AsyncIterator[bytes]:
        name, re = asked.connection, asked.frame.get("id")
        if isinstance(say, Flood):
            self.watcher.sent(name, f"[an ANSWER of {say.size:,} bytes, on one line]".encode())
            for piece in flood(say.size, re):
                yield piece
        elif not isinstance(say, HangUp):
            data = say if isinstance(say, bytes) else line(say, re)
            self.watcher.sent(name, data)
            yield data

    async def post(self, request: Request) -> Response:
        """Answer one request frame over HTTP."""
        name = self.name()
        _note(self.posts, request)
        try:
            body = await read_body(request, MAX_FRAME)
        except ClientDisconnect:
            body = None
        if body is None:
            return PlainTextResponse("too large", 413)
        asked = self.heard(name, body)
        if asked is None:
            return PlainTextResponse("that is no frame", 400)
        return StreamingResponse(self._body(asked), media_type=NDJSON)

    async def _body(self, asked: Asked) -> AsyncIterator[bytes]:
        for say in self.play.answer(asked):
            async for piece in self._pieces(say, asked):
                yield piece
                self.play.moved()

    async def get(self, request: Request) -> Response:
        """Answer discovery with the BRIEF."""
        return Response(line(brief(self.play.service), "http"), media_type="application/json")

    async def elsewhere(self, request: Request) -> Response:
        """Take note of a request that the bridge has no answer to."""
        _note(self.strays, request)
        return PlainTextResponse("nothing here", 404)


def _note(noted: list[str], request: Request) -> None:
    if len(noted) < MOST_NOTED:
        noted.append(f"{request.method} {request.url.path}"[:200])


def _long(item: Oversize, now: float) -> Junk:
    return Junk(f"a request over {item.limit:,} bytes", item.start[:EXCERPT], now, "long")


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket on loopback; raises Untested when the port cannot be had."""
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as problem:
        bound.close()
        raise Untested(f"port {port} of {host} cannot be had: {problem.strerror}") from None
    bound.listen(64)
    bound.setblocking(False)
    return bound


@contextlib.asynccontextmanager
async def hosted(
    play: Play, kind: str, watcher: Watcher, chain: Path | None, bound: socket.socket, *, port_in_url: bool = True
) -> AsyncIterator[Hosted]:
    """Serve a play on a socket, which is closed in the end.

    Args:
        play: what is said.
        kind: tcp, tls, http or https.
        watcher: is told of all that passes.
        chain: the certificate with its key, for tls and https.
        bound: a listening socket.
        port_in_url: whether the address names the port.
    """
    host, port = bound.getsockname()[:2]
    where = Hosted(FORMS[kind].format(f"{host}:{port}" if port_in_url else host), play, watcher, kind.rstrip("s"))
    where.kind = "tls" if kind == "tls" else where.kind
    serve = _http if kind in ("http", "https") else _streams
    async with serve(where, bound, chain if kind in ("tls", "https") else None):
        yield where


@contextlib.asynccontextmanager
async def _streams(where: Hosted, bound: socket.socket, chain: Path | None) -> AsyncIterator[None]:
    server = await asyncio.start_server(where.stream, sock=bound, ssl=_context(chain) if chain else None)
    try:
        yield
        await where.drained()
    finally:
        server.close()
        await where.end()


@contextlib.asynccontextmanager
async def _http(where: Hosted, bound: socket.socket, chain: Path | None) -> AsyncIterator[None]:
    routes = [
        Route(ENDPOINT, where.post, methods=["POST"]),
        Route(ENDPOINT, where.get, methods=["GET"]),
        Route(DISCOVERY, where.get, methods=["GET"]),
        Route("/{path:path}", where.elsewhere, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]),
    ]
    own: dict[str, str] = {"ssl_certfile": str(chain), "ssl_keyfile": str(chain)} if chain else {}
    server = QuietServer(
        uvicorn.Config(
            Starlette(routes=routes),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            timeout_graceful_shutdown=1,
            **own,  # type: ignore[arg-type] # mypy takes each of them for every parameter
        )
    )
    task = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        yield
    finally:
        server.should_exit = True
        await task
        bound.close()


def _context(chain: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return context
