"""The eleven endpoints of a table host below /v0.1, as a Starlette application (BYOB 2, 11).

What a request means is the host's business (`host.py`). Here its path is taken apart, its body read, and the answer or
the error written. An error has the status that belongs to its code, also where the specification names no code: a path
or method that is not defined is E_NOT_FOUND, and a body that cannot be read is E_SCHEMA.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, ClassVar, NamedTuple
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from reference.byob import answers, bodies
from reference.byob.durability import Barrier
from reference.byob.errors import ByobError
from reference.byob.events import EventStream, Streams
from reference.byob.host import Host
from reference.yea.transports.http import TooLarge

BASE = "/v0.1"

PIECE = 500
"""Entries of a ledger that are written between two turns of other requests."""


class Endpoint(NamedTuple):
    """A row of the table in §2. name: the method of Api that answers it."""

    method: str
    path: str
    name: str


ENDPOINTS = (
    Endpoint("POST", "/tables", "create"),
    Endpoint("POST", "/tables/{table}/seats", "join"),
    Endpoint("POST", "/tables/{table}/entries", "post"),
    Endpoint("GET", "/tables/{table}/projection", "projection"),
    Endpoint("GET", "/tables/{table}/entries/{seq}", "entry"),
    Endpoint("GET", "/tables/{table}/events", "events"),
    Endpoint("GET", "/tables/{table}/memory", "memory"),
    Endpoint("GET", "/tables/{table}/tasks/{task}", "task"),
    Endpoint("POST", "/tables/{table}/approvals", "approve"),
    Endpoint("POST", "/tables/{table}/close", "close"),
    Endpoint("GET", "/tables/{table}/ledger", "ledger"),
)


class Api:
    """The endpoints of one host.

    The method of an endpoint returns the JSON value of its answer, or a Response of its own.
    """

    surface_class: ClassVar[type[answers.Surface]] = answers.Surface
    stream_class: ClassVar[type[EventStream]] = EventStream

    def __init__(self, host: Host, clock: Callable[[], float], barrier: Barrier | None = None) -> None:
        """clock: the time, in unix seconds. barrier: where answers wait for the disk; None if the host does."""
        self.host = host
        self.clock = clock
        self.barrier = barrier
        self.streams = Streams()

    def app(self) -> Starlette:
        """The ASGI application."""
        app = Starlette(
            routes=[self.route(endpoint) for endpoint in ENDPOINTS],
            middleware=[Middleware(self.surface_class)],
            exception_handlers={HTTPException: self.undefined},
        )
        app.router.redirect_slashes = False
        app.state.api = self
        return app

    def stop(self) -> None:
        """Ends the event streams, so that the server can stop."""
        self.streams.end()

    # --- the endpoints of §2 -------------------------------------------------------------------

    async def create(self, request: Request) -> Any:
        """BYOB 2: anybody may create a table."""
        return self.host.create(await self.body(request), self.clock())

    async def join(self, request: Request) -> Any:
        """BYOB 4: the signature in the body is the credential."""
        return self.host.join(segment(request, "table"), await self.body(request), self.clock())

    async def post(self, request: Request) -> Any:
        """BYOB 5: who may not post is told so before the body is read."""
        table, token = segment(request, "table"), bearer(request)
        self.host.seat_of(table, token)
        return self.host.post(table, token, await self.body(request), self.clock())

    async def projection(self, request: Request) -> Any:
        """BYOB 6: what the seat may see since a seq, or since it last looked."""
        since = request.query_params.get("since")
        return self.host.projection(segment(request, "table"), bearer(request), since, self.clock())

    async def entry(self, request: Request) -> Any:
        """BYOB 6: one entry in full."""
        return self.host.entry(segment(request, "table"), bearer(request), segment(request, "seq"), self.clock())

    async def events(self, request: Request) -> Any:
        """BYOB 2: the stream that wakes a seat up."""
        table = segment(request, "table")
        seat = self.host.seat_of(table, bearer(request))

        def subscribe(stream: EventStream) -> Callable[[], None]:
            unsubscribe = self.host.listen(table, seat, stream.put)
            self.streams.add((table, seat), stream)

            def ended() -> None:
                unsubscribe()
                self.streams.discard((table, seat), stream)

            return ended

        return self.stream_class({"table": table, "seat": seat}, subscribe, self.settled, answers.HEADERS)

    async def memory(self, request: Request) -> Any:
        """BYOB 2: decisions, tasks, status and tokens."""
        return self.host.memory(segment(request, "table"), bearer(request), self.clock())

    async def task(self, request: Request) -> Any:
        """BYOB 9: one task."""
        return self.host.task(segment(request, "table"), bearer(request), segment(request, "task"), self.clock())

    async def approve(self, request: Request) -> Any:
        """BYOB 9: the signature in the body is the credential."""
        return self.host.approve(segment(request, "table"), await self.body(request), self.clock())

    async def close(self, request: Request) -> Any:
        """BYOB 2: the admin closes the table."""
        return self.host.close(segment(request, "table"), bearer(request), await self.body(request), self.clock())

    async def ledger(self, request: Request) -> Any:
        """BYOB 2: everything, for audit; in pieces, as it may be long."""
        found = self.host.ledger(segment(request, "table"), bearer(request), self.clock())
        return StreamingResponse(pieces(found["entries"]), media_type=answers.JSON, headers=answers.HEADERS)

    # --- around them ---------------------------------------------------------------------------

    async def body(self, request: Request) -> Any:
        """The JSON value of a body. Raises ByobError."""
        return await bodies.read(request)

    async def settled(self) -> None:
        """Returns when all that an answer may tell of is on disk. Raises OSError when the disk failed."""
        if self.barrier is not None:
            await self.barrier.passed()

    def route(self, endpoint: Endpoint) -> Route:
        """The route of an endpoint."""
        method: Callable[[Request], Awaitable[Any]] = getattr(self, endpoint.name)

        async def handle(request: Request) -> Response:
            return await self.handle(method, request)

        made = Route(BASE + endpoint.path, handle, methods=[endpoint.method])
        # A HEAD that moves a cursor, or opens a stream, would be no HEAD.
        made.methods = {endpoint.method}
        return made

    async def handle(self, method: Callable[[Request], Awaitable[Any]], request: Request) -> Response:
        """The answer to a request, whatever happens."""
        try:
            try:
                value = await method(request)
            except ByobError:
                await self.settled()
                raise
            await self.settled()
        except bodies.TooLarge as error:
            return TooLarge(answers.encoded(error.body()), error.status, answers.HEADERS, answers.JSON)
        except ByobError as error:
            return answers.refusal(error)
        except ClientDisconnect:
            return answers.refusal(bodies.refused("the body ended too soon"))
        except Exception as problem:
            answers.note(problem)
            return answers.refusal(answers.internal())
        return value if isinstance(value, Response) else answers.answer(value)

    async def undefined(self, request: Request, problem: Exception) -> Response:
        """What is not in the table of §2: E_NOT_FOUND, with the methods that the path does take."""
        headers = dict(getattr(problem, "headers", None) or {})
        taken = f"; this path takes {headers['Allow']}" if "Allow" in headers else ""
        response = answers.refusal(ByobError("E_NOT_FOUND", f"no such endpoint{taken}"))
        response.headers.update(headers)
        return response


def byob_app(host: Host, clock: Callable[[], float], barrier: Barrier | None = None) -> Starlette:
    """The ASGI application of a table host (BYOB 2). `app.state.api` is its Api, whose `stop` ends the event streams.

    clock: the time, in unix seconds. barrier: where answers wait for the disk; None if the host itself waits.
    A host may name another class than `Api` in its `API`, as one does that breaks a rule on purpose.
    """
    kind: type[Api] = getattr(host, "API", Api)
    return kind(host, clock, barrier).app()


def segment(request: Request, name: str) -> str:
    """A decoded segment of the path. What is not UTF-8 becomes a sign that no id has."""
    return unquote(request.path_params[name], errors="replace")


def bearer(request: Request) -> str | None:
    """The token of `Authorization: Bearer`, None for any other header, for none, and for several."""
    found = request.headers.getlist("authorization")
    if len(found) != 1:
        return None
    scheme, _, token = found[0].partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


async def pieces(entries: list[dict[str, Any]]) -> AsyncIterator[bytes]:
    """The text of {"entries": […]}, with turns for other requests in between."""
    start = b'{"entries":['
    for number in range(0, len(entries), PIECE):
        yield start + answers.encoded(entries[number : number + PIECE])[1:-1]
        start = b","
        await asyncio.sleep(0)
    yield b"]}" if entries else start + b"]}"
