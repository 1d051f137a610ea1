"""ASGI in this process as an httpx transport that streams: an answer arrives piece by piece, as over a socket.

httpx's own ASGI transport waits for the whole body, and an event stream has no end.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

import httpx

Message = MutableMapping[str, Any]
App = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]
HANG_UP_GRACE = 1.0


class AsgiTransport(httpx.AsyncBaseTransport):
    """Hands each request to an ASGI application, in a task of its own.

    Args:
        app: the application; what it raises before its answer begins is a broken connection, as over a socket.
    """

    def __init__(self, app: App) -> None:
        self._app = app

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return the head of its answer; raises httpx.RemoteProtocolError when none comes."""
        pieces = [part async for part in request.stream]  # type: ignore[union-attr]
        running = _Running(pieces or [b""])
        running.task = asyncio.create_task(self._run(_scope(request), running))
        try:
            start = await running.head()
        except BaseException:  # nothing came, or nobody waits for it any more
            await running.hang_up(grace=0)
            raise
        return httpx.Response(start["status"], headers=start.get("headers", []), stream=_Body(running))

    async def _run(self, scope: MutableMapping[str, Any], running: "_Running") -> None:
        try:
            await self._app(scope, running.receive, running.send)
        except Exception as problem:  # whatever an application raises, its peer sees a closed connection
            running.failed = f"{type(problem).__name__}: {problem}"
        finally:
            running.answers.put_nowait(None)


class _Running:
    """One request that an application answers."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.task: asyncio.Task[None]
        self.answers: asyncio.Queue[Message | None] = asyncio.Queue()
        self.failed = ""
        self._pieces = pieces
        self._gone = asyncio.Event()

    async def receive(self) -> Message:
        """Give the application the body in the pieces it was sent in, then nothing until the client is gone."""
        if self._pieces:
            piece = self._pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        """Take a message of the application; raises OSError when the client is gone (ASGI 2.4)."""
        if self._gone.is_set():
            raise OSError("the client is gone")
        self.answers.put_nowait(message)
        await asyncio.sleep(0)  # as a socket does: a sender without end leaves room for others

    async def head(self) -> Message:
        """Return the start of the answer."""
        message = await self.answers.get()
        if message is None:
            raise httpx.RemoteProtocolError(f"closed without an answer {self.failed}".strip())
        return message

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the pieces of the body."""
        while True:
            message = await self.answers.get()
            if message is None:
                raise httpx.RemoteProtocolError(f"closed within the body {self.failed}".strip())
            if message["type"] == "http.response.body":
                if message.get("body"):
                    yield message["body"]
                if not message.get("more_body", False):
                    return

    async def hang_up(self, grace: float = HANG_UP_GRACE) -> None:
        """Tell the application that the client is gone; it may take so many seconds to end by itself."""
        self._gone.set()
        _, pending = await asyncio.wait([self.task], timeout=grace)
        for task in pending:
            task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class _Body(httpx.AsyncByteStream):
    def __init__(self, running: _Running) -> None:
        self._running = running

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._running.body():
            yield piece

    async def aclose(self) -> None:
        await self._running.hang_up()


def _scope(request: httpx.Request) -> MutableMapping[str, Any]:
    url = request.url
    path, _, query = request.extensions.get("target", url.raw_path).partition(b"?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": url.scheme,
        "path": unquote(path.decode("ascii")),
        "raw_path": path,
        "query_string": query,
        "server": (url.host, url.port or 80),
        "client": ("127.0.0.1", 1),
        "root_path": "",
    }
