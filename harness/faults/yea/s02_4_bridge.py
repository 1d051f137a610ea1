"""YEA 2.4: bridges that mix HTTP into YEA, answer in another shape, or lose state between requests."""

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from harness.faults import Fault, add, fault
from reference.yea.conformance import conformance_service
from reference.yea.service import Service
from reference.yea.transports.http import DISCOVERY, Bridge

POSTS = "yea/2.4/posts-get-200"
EVENTS = "yea/2.4/events-come-in-the-same-response"
BRIEF = "yea/2.4/discovery-is-the-brief"
ONE_OBJECT = "yea/2.4/discovery-is-one-object"
ANSWERS_200 = "yea/2.4/answers-come-with-status-200"
ERRORS_200 = "yea/2.4/errors-come-with-status-200"
FLOW = "yea/2.4/flow-is-the-same-as-on-a-stream"
STATE = "yea/2.4/state-lasts-from-post-to-post"
HANDLES = "yea/2.4/handles-last-from-post-to-post"
UNREAD = "yea/2.1/oversize-body-is-refused-unread"
CHUNKED = "yea/2.1/oversize-body-is-refused"
HALF = "yea/2.4/half-a-request-does-no-harm"
HTTP = ("http",)
Body = bytes


async def _body(response: Response) -> bytes:
    """Return all bytes of a response, also of one that is streamed."""
    stream = getattr(response, "body_iterator", None)
    if stream is None:
        return bytes(response.body)
    return b"".join([part async for part in stream])


def answering(change: Callable[[Response, bytes], Response]) -> type[Service]:
    """Return a service whose bridge changes each answer to a POST, given the answer and its bytes."""

    class Answering(Bridge):
        """Changes its answers."""

        async def answer(self, request: Request) -> Response:
            """Change one."""
            response = await super().answer(request)
            return change(response, await _body(response))

    return type("Answering", (Service,), {"BRIDGE": Answering})


def discovering(change: Callable[[Request, Response], Response]) -> type[Service]:
    """Return a service whose bridge changes what GET returns."""

    class Discovering(Bridge):
        """Changes its discovery document."""

        async def discover(self, request: Request) -> Response:
            """Change it."""
            return change(request, await super().discover(request))

    return type("Discovering", (Service,), {"BRIDGE": Discovering})


def _made(body: bytes, response: Response, *, status: int = 200, media: str = "") -> Response:
    return Response(body, status_code=status, media_type=media or response.headers.get("content-type"))


def _reversed_lines(body: bytes) -> bytes:
    return b"".join(line + b"\n" for line in reversed(body.splitlines()))


# What becomes of the answers to POSTs: (id, what it does, the checks that find it, how).
ANSWERS: tuple[tuple[str, str, tuple[str, ...], Callable[[Response, bytes], Response]], ...] = (
    (
        "posts-get-201",
        "Answers a POST with status 201.",
        (POSTS, EVENTS, ANSWERS_200),
        lambda r, b: _made(b, r, status=201),
    ),
    ("posts-get-202", "Answers a POST with status 202.", (POSTS, EVENTS), lambda r, b: _made(b, r, status=202)),
    (
        "errors-get-400",
        "Answers with status 400 when the reply is an ERROR.",
        (POSTS,),
        lambda r, b: _made(b, r, status=400 if b'"kind":"ERROR"' in b else 200),
    ),
    (
        "unauthorized-gets-401",
        "Answers with status 401 when the code is unauthorized.",
        (ERRORS_200,),
        lambda r, b: _made(b, r, status=401 if b'"code":"unauthorized"' in b else 200),
    ),
    (
        "not-found-gets-404",
        "Answers with status 404 when the code is not_found.",
        (POSTS,),
        lambda r, b: _made(b, r, status=404 if b'"code":"not_found"' in b else 200),
    ),
    (
        "answers-are-application-json",
        "Calls its answers application/json.",
        (POSTS, EVENTS),
        lambda r, b: _made(b, r, media="application/json"),
    ),
    ("answers-are-plain-text", "Calls its answers plain text.", (POSTS, EVENTS), lambda r, b: PlainTextResponse(b)),
    (
        "errors-are-application-json",
        "Calls an answer application/json when it is an ERROR.",
        (POSTS,),
        lambda r, b: _made(b, r, media="application/json" if b'"kind":"ERROR"' in b else ""),
    ),
    ("posts-are-redirected", "Redirects a POST.", (POSTS,), lambda r, b: RedirectResponse("/yea/", 307)),
    ("answers-are-lists", "Answers with a list of frames.", (POSTS, EVENTS), lambda r, b: _made(_listed(b), r)),
    (
        "final-reply-is-the-first-line",
        "Puts the final reply before the EVENTs.",
        (EVENTS,),
        lambda r, b: _made(_reversed_lines(b), r),
    ),
    (
        "summary-line-after-the-reply",
        "Adds a line after the final reply.",
        (POSTS, EVENTS),
        lambda r, b: _made(b + b'{"done":true}\n', r),
    ),
    (
        "event-after-the-reply",
        "Adds an EVENT after the final reply.",
        (POSTS, EVENTS),
        lambda r, b: _made(b + b'{"yea":1,"id":"s_end","re":"","kind":"EVENT","message":"end"}\n', r),
    ),
    ("empty-answers", "Answers an ERROR with an empty body.", (POSTS,), lambda r, b: _made(_no_errors(b), r)),
    (
        "bridge-drops-replay",
        "Leaves `replay` out over HTTP.",
        (FLOW,),
        lambda r, b: _made(b.replace(b',"replay":true', b""), r),
    ),
)


def _listed(body: bytes) -> bytes:
    return b"[" + b",".join(body.splitlines()) + b"]"


def _no_errors(body: bytes) -> bytes:
    return b"" if b'"kind":"ERROR"' in body else body


def _guarded(change: Callable[[Response, bytes], Response]) -> Callable[[Response, bytes], Response]:
    """Leave alone what is no answer, as a 413, and the answer to the HELLO by which the target is found."""

    def guarded(response: Response, body: bytes) -> Response:
        if response.status_code != 200 or b'"naysayer-hello"' in body:
            return _made(body, response, status=response.status_code)
        return change(response, body)

    return guarded


for _id, _says, _kills, _how in ANSWERS:
    add(Fault(f"yea/{_id}", _says, _kills, answering(_guarded(_how)), transports=HTTP, traffic="yea/2.4"))


def _gone(request: Request, response: Response) -> Response:
    return PlainTextResponse("not found", status_code=404)


def _gone_well_known(request: Request, response: Response) -> Response:
    return _gone(request, response) if request.url.path == DISCOVERY else response


def _gone_endpoint(request: Request, response: Response) -> Response:
    return response if request.url.path == DISCOVERY else _gone(request, response)


def _with(change: Callable[[bytes], bytes]) -> Callable[[Request, Response], Response]:
    return lambda request, response: _made(change(bytes(response.body)), response)


def _changed(body: bytes, change: Callable[[list[Any]], list[Any]]) -> bytes:
    """Change the capabilities of a BRIEF."""
    brief = json.loads(body)
    return json.dumps({**brief, "capabilities": change(brief["capabilities"])}).encode()


# What GET returns: (id, what it does, the checks that find it, how, as what).
DOCUMENTS: tuple[tuple[str, str, tuple[str, ...], Callable[[Request, Response], Response], str], ...] = (
    ("no-discovery", "Has no discovery document.", (BRIEF, ONE_OBJECT), _gone, "failed"),
    ("no-well-known", "Has no document at /.well-known/yea.", (BRIEF,), _gone_well_known, "warned"),
    ("no-get-on-the-endpoint", "Answers no GET on the endpoint.", (BRIEF,), _gone_endpoint, "warned"),
    (
        "discovery-is-a-list",
        "Puts the BRIEF into a list.",
        (BRIEF, ONE_OBJECT),
        _with(_listed),
        "failed",
    ),
    (
        "discovery-is-several-lines",
        "Sends an EVENT before the BRIEF.",
        (BRIEF, ONE_OBJECT),
        _with(lambda b: b'{"yea":1,"id":"s_0","re":"","kind":"EVENT","message":"hello"}\n' + b),
        "failed",
    ),
    (
        "discovery-is-another-document",
        "Sends a document of its own shape.",
        (BRIEF, ONE_OBJECT),
        _with(lambda b: b'{"yea":1,"endpoint":"/yea"}'),
        "failed",
    ),
    (
        "discovery-names-another-service",
        "Names another service in the discovery document.",
        (BRIEF,),
        _with(lambda b: b.replace(b"conformance.naysayer.example", b"bridge.naysayer.example")),
        "failed",
    ),
    (
        "discovery-calls-all-asks",
        "Calls every capability an ask in the discovery document.",
        (BRIEF,),
        _with(lambda b: b.replace(b'"kind":"intent"', b'"kind":"ask"')),
        "failed",
    ),
    (
        "discovery-lists-half",
        "Leaves half of the capabilities out of the discovery document.",
        (BRIEF,),
        _with(lambda b: _changed(b, lambda listed: listed[: len(listed) // 2])),
        "failed",
    ),
)
for _id, _says, _claims, _change, _outcome in DOCUMENTS:
    add(Fault(f"yea/{_id}", _says, _claims, discovering(_change), transports=HTTP, outcome=_outcome))


class _FreshEachTime(Bridge):
    """Starts with a new service for each POST."""

    async def answer(self, request: Request) -> Response:
        """Make one that knows the same principals."""
        kept = self.service
        self.service = conformance_service(trusted=kept.trusted)
        try:
            return await super().answer(request)
        finally:
            self.service = kept


@fault("yea/state-lasts-for-one-post", FLOW, STATE, HANDLES)
class Stateless(Service):
    """Forgets everything from one POST to the next."""

    BRIDGE = _FreshEachTime


class _Waits(Bridge):
    """Reads a body to its end before it looks at its size."""

    async def answer(self, request: Request) -> Response:
        """Read it."""
        await request.body()
        return await super().answer(request)


@fault("yea/oversize-bodies-are-read-first", UNREAD, transports=HTTP)
class ReadsFirst(Service):
    """Reads an oversized body to its end before it refuses it."""

    BRIDGE = _Waits


class _Hangs(Bridge):
    """Never answers an oversized body."""

    async def answer(self, request: Request) -> Response:
        """Wait for ever."""
        response = await super().answer(request)
        if response.status_code == 413:
            await asyncio.sleep(10_000)
        return response


@fault("yea/oversize-bodies-hang", UNREAD, CHUNKED, transports=HTTP)
class Hangs(Service):
    """Never answers an oversized body."""

    BRIDGE = _Hangs


class _TooLong(Bridge):
    """Calls an oversized body a bad request."""

    async def answer(self, request: Request) -> Response:
        """Use 400."""
        response = await super().answer(request)
        return Response(status_code=400) if response.status_code == 413 else response


@fault("yea/oversize-bodies-get-400", UNREAD, CHUNKED, transports=HTTP)
class TooLong(Service):
    """Refuses an oversized body with status 400."""

    BRIDGE = _TooLong


class _Dies(Bridge):
    """Ends when a client goes away in the middle of a body."""

    async def answer(self, request: Request) -> Response:
        """Notice it."""
        try:
            await request.body()
        except ClientDisconnect:
            os._exit(1)
        return await super().answer(request)


@fault("yea/half-a-request-ends-the-server", HALF, transports=HTTP, live=True)
class Dies(Service):
    """Ends its process when a client hangs up in the middle of a request."""

    BRIDGE = _Dies


class _TrustsHosts(Bridge):
    """Reads the Host header as if it were always right."""

    async def discover(self, request: Request) -> Response:
        """Read it."""
        if "broken" in request.headers.get("host", ""):
            os._exit(1)
        return await super().discover(request)


@fault("yea/broken-host-ends-the-server", HALF, transports=HTTP, live=True)
class TrustsHosts(Service):
    """Ends its process over a GET whose Host header is none."""

    BRIDGE = _TrustsHosts


class _Confused(Bridge):
    """Is confused by a client that goes away in the middle of a body."""

    confused = False

    async def answer(self, request: Request) -> Response:
        """Notice it."""
        try:
            await request.body()
        except ClientDisconnect:
            self.confused = True
        return Response(status_code=500) if self.confused else await super().answer(request)

    async def discover(self, request: Request) -> Response:
        """Fail from then on."""
        return Response(status_code=500) if self.confused else await super().discover(request)


@fault("yea/half-a-request-breaks-the-bridge", HALF, transports=HTTP, live=True)
class Confused(Service):
    """Answers with status 500 once a client hung up in the middle of a request."""

    BRIDGE = _Confused
