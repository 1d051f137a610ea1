"""The HTTP bridge: one request frame a POST, EVENTs and the final reply as lines of the response (YEA 2.4)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from reference.yea.service import Pause, Reply, Service, Steps
from reference.yea.transports import ENDPOINT

DISCOVERY = "/.well-known/yea"
NDJSON = "application/x-ndjson"
HEADERS = {"cache-control": "no-store"}

DRAINED_BYTES = 8 * 1024 * 1024
DRAINED_SECONDS = 2.0
"""How much of a refused body is still read and dropped, so that the client gets to see the refusal."""


class Bridge:
    """The endpoints of one service."""

    def __init__(self, service: Service, clock: Callable[[], float]) -> None:
        """clock: the time, in unix seconds."""
        self.service = service
        self.clock = clock
        self.tasks: set[asyncio.Task[None]] = set()

    async def endpoint(self, request: Request) -> Response:
        """YEA 2.4: POST answers a frame, GET is discovery."""
        return await (self.answer(request) if request.method == "POST" else self.discover(request))

    async def discover(self, request: Request) -> Response:
        """YEA 2.4: the BRIEF of a default HELLO, as one JSON object."""
        return Response(self.service.discover(self.clock()).line, media_type="application/json", headers=HEADERS)

    async def answer(self, request: Request) -> Response:
        """YEA 2.4: status 200 and one frame a line, whatever the reply says; 413 for a frame over 1 MiB."""
        try:
            raw = await read_body(request, self.service.MAX_FRAME)
        except ClientDisconnect:
            return Response(status_code=400)
        if raw is None:
            return TooLarge("a frame is at most 1 MiB\n", status_code=413, media_type="text/plain")
        exchange = Exchange(self.service.handle(raw, self.clock()), self.clock)
        pause = exchange.advance(None)
        if pause is None:
            return Response(exchange.sent(), media_type=NDJSON, headers=HEADERS)
        task = asyncio.create_task(exchange.go_on(pause))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return StreamingResponse(exchange.stream(), media_type=NDJSON, headers=HEADERS)

    async def stop(self, grace: float) -> None:
        """Gives what is in flight so many seconds to end before it is interrupted."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=grace)
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Exchange:
    """One request that the service answers. It runs to its end, whether or not the client stays."""

    def __init__(self, steps: Steps, clock: Callable[[], float]) -> None:
        self.steps = steps
        self.clock = clock
        self._lines: list[bytes] = []
        self._news = asyncio.Event()
        self._ended = False

    def advance(self, now: float | None) -> Pause | None:
        """Notes what the request answers until it pauses; None when it has ended."""
        try:
            step = next(self.steps) if now is None else self.steps.send(now)
            while isinstance(step, Reply):
                self._lines.append(step.line + b"\n")
                step = self.steps.send(self.clock())
            return step
        except StopIteration:
            self._ended = True
            return None
        finally:
            self._news.set()

    async def go_on(self, pause: Pause | None) -> None:
        """Runs to the end from a pause."""
        try:
            while pause is not None:
                await asyncio.sleep(pause.seconds)
                pause = self.advance(self.clock())
        finally:
            self.steps.close()
            self._ended = True
            self._news.set()

    def sent(self) -> bytes:
        """The lines since the last call."""
        lines, self._lines = b"".join(self._lines), []
        return lines

    async def stream(self) -> AsyncIterator[bytes]:
        """The lines as they come."""
        while True:
            await self._news.wait()
            self._news.clear()
            ended = self._ended
            if lines := self.sent():
                yield lines
            if ended:
                return


class TooLarge(Response):
    """A refusal that is sent at once, after which some more of the body is read and dropped.

    A server that closes on unread data may take its own answer away from the client.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = [*self.raw_headers, (b"connection", b"close")]
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAINED_SECONDS):
                await drop(receive)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def drop(receive: Receive) -> None:
    """Reads the rest of a body, up to a bound, and keeps nothing."""
    left = DRAINED_BYTES
    while left > 0:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body", False):
            return
        left -= len(message.get("body", b""))


async def read_body(request: Request, limit: int) -> bytes | None:
    """The body, or None once it is known to be over the limit: by its declared length, or as it arrives.

    Raises ClientDisconnect when the client goes away in the middle.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limit:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            return None
    return bytes(body)


def bridge_app(service: Service, clock: Callable[[], float], path: str = ENDPOINT) -> Starlette:
    """The ASGI application of the bridge (YEA 2.4): POST and GET on `path`, GET on /.well-known/yea.

    clock: the time, in unix seconds. `app.state.bridge` is the Bridge, whose `stop` ends what is in flight.
    A service may name another class than `Bridge` in its `BRIDGE`, as one does that breaks a rule on purpose.
    """
    kind: type[Bridge] = getattr(service, "BRIDGE", Bridge)
    bridge = kind(service, clock)
    app = Starlette(
        routes=[
            Route(path, bridge.endpoint, methods=["GET", "POST"]),
            Route(DISCOVERY, bridge.discover, methods=["GET"]),
        ]
    )
    app.router.redirect_slashes = False
    app.state.bridge = bridge
    return app
