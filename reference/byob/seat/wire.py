"""HTTP as a seat uses it: one request, one bounded answer (BYOB 2).

httpx does the HTTP. Answers are bounded in size, depth and time. Redirects are not followed, for a token is for one
host, and nothing is decompressed, for a small body may become a huge one. A token is only ever in a header.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final, cast

import httpx
import httpx_sse

from reference.byob.seat import addresses, posts
from reference.byob.seat.errors import AnswerLost, BadAnswer, Refused, SeatError, Unreachable
from reference.yea import jsontext
from reference.yea.types import Json

CONNECT_SECONDS: Final = 10.0
ANSWER_SECONDS: Final = 30.0
QUIET_SECONDS: Final = 90.0
"""A stream of events that says nothing for so long, not even a comment, is taken for dead."""

MOST_BYTES: Final = 16 << 20
"""The largest answer that is read, but for a ledger."""

MOST_BYTES_OF_A_LEDGER: Final = 256 << 20
LEDGER_SECONDS: Final = 300.0

MOST_BYTES_OF_AN_EVENT: Final = 64 << 10
MOST_LEVELS: Final = 128
KEPT_OF_A_MESSAGE: Final = 300
PASSING: Final = (502, 503, 504)
"""What a gateway answers while the host behind it is away."""


def http_client(
    context: ssl.SSLContext | None = None, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.AsyncClient:
    """An HTTP client that follows no redirects and takes nothing from the environment.

    context: the client side of TLS; by default the system's authorities. transport: instead of a network.
    """
    return httpx.AsyncClient(
        verify=context or True,
        transport=transport,
        timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )


class Wire:
    """A table host at one address."""

    def __init__(self, url: str, http: httpx.AsyncClient | None = None) -> None:
        """url: with or without /v0.1. http: a client to use, closed with this. Raises AddressError."""
        self.base = addresses.base(url)
        self._http = http or http_client()

    def __repr__(self) -> str:
        return f"Wire({self.base!r})"

    async def close(self) -> None:
        """Ends the connections."""
        await self._http.aclose()

    async def get(self, path: str, token: str | None = None, **query: int) -> Json:
        """The JSON answer to a GET; raises what `post` raises."""
        return await self._call(self._request("GET", path, token, params=query or None))

    async def get_ledger(self, path: str, token: str) -> Json:
        """The same for a whole ledger, which may be large and take long."""
        return await self._call(self._request("GET", path, token), MOST_BYTES_OF_A_LEDGER, LEDGER_SECONDS)

    async def post(self, path: str, body: Json, token: str | None = None) -> Json:
        """The JSON answer to a POST.

        Raises Unsendable (nothing was sent), Unreachable, AnswerLost (it may have been done), BadAnswer, Refused.
        """
        headers = {"Content-Type": "application/json"}
        return await self._call(self._request("POST", path, token, content=posts.encode(body), headers=headers))

    @contextlib.asynccontextmanager
    async def events(self, path: str, token: str) -> AsyncIterator[AsyncIterator[str]]:
        """The names of the server-sent events at a path, as they come, until the host ends the stream (BYOB 2).

        Their data is not needed: content is read through the projection. Raises Unreachable, AnswerLost, BadAnswer,
        Refused; the iterator raises AnswerLost when the stream breaks or is quiet for too long.
        """
        wait = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS, read=QUIET_SECONDS)
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        request = self._request("GET", path, token, headers=headers, timeout=wait)
        async with self._sent(request) as response:
            if not 200 <= response.status_code < 300:
                raise _refusal(response.status_code, await _body(response, MOST_BYTES))
            yield _names(response)

    def _request(self, method: str, path: str, token: str | None, **more: Any) -> httpx.Request:
        headers: Mapping[str, str] = {"Accept-Encoding": "identity", **more.pop("headers", {})}
        if token is not None:
            headers = {**headers, "Authorization": f"Bearer {token}"}
        return self._http.build_request(method, self.base + path, headers=headers, **more)

    async def _call(self, request: httpx.Request, most: int = MOST_BYTES, seconds: float = ANSWER_SECONDS) -> Json:
        try:
            async with asyncio.timeout(seconds), self._sent(request) as response:
                body = await _body(response, most)
        except TimeoutError:
            raise AnswerLost(f"{self.base} did not answer within {seconds:g} s") from None
        if not 200 <= response.status_code < 300:
            raise _refusal(response.status_code, body)
        return _json(body)

    @contextlib.asynccontextmanager
    async def _sent(self, request: httpx.Request) -> AsyncIterator[httpx.Response]:
        try:
            response = await self._http.send(request, stream=True, follow_redirects=False)
            try:
                coding = response.headers.get("content-encoding", "identity").strip().lower()
                if coding not in ("", "identity"):
                    raise BadAnswer("the host sent a compressed body, which is not read")
                yield response
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol) as problem:
            raise Unreachable(f"no connection to {self.base}: {_reason(problem)}") from None
        except httpx.HTTPError as problem:
            raise AnswerLost(f"the connection to {self.base} broke: {_reason(problem)}") from None


async def _body(response: httpx.Response, most: int) -> bytes:
    """The body, of at most so many bytes."""
    pieces, size = [], 0
    async for piece in response.aiter_raw():
        size += len(piece)
        if size > most:
            raise BadAnswer(f"the host sent an answer of more than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _json(body: bytes) -> Json:
    try:
        value = jsontext.loads(body)
    except jsontext.JsonError as problem:
        raise BadAnswer(f"the host's answer is no JSON: {problem}") from None
    if posts.is_deeper(value, MOST_LEVELS):
        raise BadAnswer(f"the host's answer has more than {MOST_LEVELS} levels")
    return value


def _refusal(status: int, body: bytes) -> SeatError:
    """What an answer other than success means: the error of BYOB 11, or that there is none."""
    try:
        value = _json(body)
    except BadAnswer:
        value = None
    error = value.get("error") if isinstance(value, dict) else None
    code, message = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, None)
    if isinstance(code, str):
        return Refused(status, one_line(code), one_line(message if isinstance(message, str) else ""))
    if status in PASSING:
        return AnswerLost(f"the host is away: HTTP status {status}")
    meaning = ": it redirects, and redirects are not followed" if 300 <= status < 400 else ""
    return BadAnswer(f"the host answered with HTTP status {status} and no BYOB error{meaning}")


async def _names(response: httpx.Response) -> AsyncIterator[str]:
    """The names of the events of a stream; an event is bounded."""
    response.stream = _Bounded(cast(httpx.AsyncByteStream, response.stream))
    source = httpx_sse.EventSource(response)
    try:
        async for event in source.aiter_sse():
            yield event.event
    except httpx_sse.SSEError:
        raise BadAnswer("the host's events are no text/event-stream") from None


_ENDS_OF_AN_EVENT = (b"\n\n", b"\r\r", b"\r\n\r\n")


class _Bounded(httpx.AsyncByteStream):
    """A stream whose lines and events are bounded: it fails when one does not end."""

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        since, before = 0, b""
        async for piece in self._stream:
            seen = before + piece
            last = max(seen.rfind(end) for end in _ENDS_OF_AN_EVENT)
            since, before = (len(seen) - last if last >= 0 else since + len(piece)), seen[-3:]
            if since > MOST_BYTES_OF_AN_EVENT:
                raise BadAnswer(f"the host sent an event of more than {MOST_BYTES_OF_AN_EVENT} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def one_line(text: str) -> str:
    """A host's text as an error shows it: shortened, on one line, with every invisible character spelled out."""
    kept = text[:KEPT_OF_A_MESSAGE]
    shown = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in kept)
    return shown if len(text) <= KEPT_OF_A_MESSAGE else f"{shown}…"


def _reason(problem: Exception) -> str:
    """The operating system's own words where there are any; httpx wraps them."""
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, ConnectionRefusedError):
            return "connection refused"
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return str(problem)[:200] or type(problem).__name__
