"""The HTTP bridge driver (YEA 2.4): each request is a POST of its own, the answer a bounded NDJSON body.

httpx does the HTTP. Bodies are read raw and uncompressed, redirects are not followed, and every read has a size and
a time. Checks that must send HTTP that no client library would send use `send_raw`.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from harness import limits
from harness.encoding import encode
from harness.errors import TargetFault, TargetGone
from harness.targets import rawhttp, tls
from harness.targets.addresses import Address
from harness.targets.base import Clock, Connect, Connection, Exchange, Frame, Http, Junk, Target, Watcher
from harness.targets.bodies import Frames, Kept, TooMuch, read_body

CONNECT_TIMEOUT = 5.0
KEPT_ALIVE = 1.0  # many servers hang up after five idle seconds; a request sent in that moment would be lost
NDJSON_REQUEST = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


@dataclass(frozen=True)
class Page:
    """A plain HTTP answer: what GET discovery returns."""

    http: Http
    body: bytes


class HttpConnection:
    """A client of the bridge.

    `name` is what the transcript calls it. `dial` opens a bare socket to the bridge; None where there is no socket.
    """

    transport = "http"

    def __init__(
        self,
        name: str,
        url: str,
        client: httpx.AsyncClient,
        watcher: Watcher,
        clock: Clock,
        timeout: float,
        dial: rawhttp.Dial | None = None,
    ) -> None:
        self.name, self.url = name, url
        self.timeout, self.dial = timeout, dial
        self._client, self._watcher, self._clock = client, watcher, clock
        self._slots = asyncio.Semaphore(limits.IN_FLIGHT)
        self._posts = 0

    async def request(self, frame: dict[str, Any], timeout: float | None = None) -> Exchange:
        """POST a frame; raises TargetFault when the answer holds no final reply to it."""
        exchange = Exchange(frame)
        async with self._slots:
            await self._post(exchange, encode(frame), NDJSON_REQUEST, timeout)
        if exchange.final is None:
            raise TargetFault(f"{frame.get('verb')} got {exchange.seen()}")
        return exchange

    async def raw(
        self,
        body: bytes | AsyncIterator[bytes],
        *,
        re: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] = NDJSON_REQUEST,
    ) -> Exchange:
        """POST any body. `re` is not needed here: the answer is in the response. See `Connection.raw`."""
        exchange = Exchange(body if isinstance(body, bytes) else b"(streamed)")
        await self._post(exchange, body, headers, timeout)
        return exchange

    async def declare(self, length: int, start: bytes) -> Exchange:
        """POST a body of `length` bytes of which only `start` is ever sent, and return what came within the timeout."""
        headers = {**NDJSON_REQUEST, "Content-Length": str(length)}
        if self.dial is None:
            return await self.raw(_stalling(start), headers=headers)
        exchange = Exchange(b"(the start of a body)")
        self._watcher.sent(self.name, b"(the start of a body)")
        await rawhttp.post_part(self.dial, self._head(headers) + start, exchange, self._clock, self.timeout)
        return exchange

    async def hang_up(self, length: int, start: bytes) -> None:
        """POST a body of `length` bytes, and close the socket when `start` of it is sent. Needs `dial`."""
        if self.dial is None:
            raise TypeError("there is no socket to hang up")
        self._watcher.sent(self.name, b"(the start of a body)")
        await rawhttp.hang_up(self.dial, self._head({**NDJSON_REQUEST, "Content-Length": str(length)}) + start)

    def _head(self, headers: Mapping[str, str]) -> bytes:
        request = self._client.build_request("POST", self.url, headers=dict(headers))
        return rawhttp.head(request.url.raw_path.decode("ascii"), request.headers.raw)

    async def get(self, path: str | None = None) -> Page:
        """GET the endpoint, or another path of its origin; raises TargetFault when nothing answers."""
        url = self.url if path is None else str(httpx.URL(self.url).copy_with(path=path, query=None))
        exchange = Exchange(b"GET " + url.encode())
        self._watcher.sent(self.name, b"GET " + url.encode())
        page = Kept()
        await self._send(exchange, httpx.Request("GET", url, headers=NDJSON_REQUEST), page, None)
        if exchange.http is None:
            raise TargetFault(f"GET {url} got {exchange.seen()}")
        return Page(exchange.http, b"".join(page.parts))

    async def settle(self, exchange: Exchange, seconds: float = 0.0) -> list[Frame]:
        """Return the frames after the final reply in the response body; nothing can follow a whole response."""
        after = [index for index, frame in enumerate(exchange.frames) if frame.final]
        return exchange.frames[after[0] + 1 :] if after else []

    async def close(self) -> None:
        """Close the client's sockets."""
        with contextlib.suppress(OSError, httpx.HTTPError):
            await self._client.aclose()

    async def _post(
        self,
        exchange: Exchange,
        body: bytes | AsyncIterator[bytes],
        headers: Mapping[str, str],
        timeout: float | None,
    ) -> None:
        self._posts += 1
        label = f"{self.name}.{self._posts}"  # YEA-Q11: on the bridge each POST is a connection
        self._watcher.sent(label, body if isinstance(body, bytes) else b"(a streamed body)")
        request = self._client.build_request("POST", self.url, content=body, headers=dict(headers))
        frames = Frames(exchange, self._watcher, label, self._clock)
        await self._send(exchange, request, frames, timeout)
        frames.end()

    async def _send(
        self, exchange: Exchange, request: httpx.Request, sink: Kept | Frames, timeout: float | None
    ) -> None:
        """Send a request and hand on its response, bounded; what went wrong is left in the exchange as junk."""
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                response = await self._client.send(request, stream=True)
                try:
                    exchange.http = _http(response)
                    await read_body(response.aiter_raw(), sink)
                finally:
                    await response.aclose()
        except TimeoutError:
            self._spoil(
                exchange, f"no complete answer within {self.timeout if timeout is None else timeout:g} s", "late"
            )
        except (httpx.ConnectError, httpx.ConnectTimeout) as problem:
            raise TargetGone(f"no connection to {self.url}: {connect_problem(problem)}") from None
        except httpx.HTTPError as problem:
            exchange.closed = True
            self._spoil(exchange, f"broken HTTP: {_words(problem)}", "http")
        except TooMuch as problem:
            self._spoil(exchange, str(problem), "flood")

    def _spoil(self, exchange: Exchange, problem: str, sort: str) -> None:
        junk = Junk(problem, b"", self._clock(), sort)
        exchange.junk.append(junk)
        self._watcher.spoiled(self.name, junk)


async def _stalling(start: bytes) -> AsyncIterator[bytes]:
    yield start
    await asyncio.Event().wait()


def _http(response: httpx.Response) -> Http:
    headers = {name.lower(): value[:1000] for name, value in list(response.headers.items())[:100]}
    return Http(response.status_code, headers.get("content-type", ""), headers)


def connect_problem(problem: Exception) -> str:
    """Return the operating system's own words for a failed connect; httpx wraps them twice."""
    if isinstance(problem, httpx.ConnectTimeout):
        return f"no answer within {CONNECT_TIMEOUT:g} s"
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, OSError) and (isinstance(cause, ssl.SSLError) or cause.strerror):
            return tls.words(cause)
        cause = cause.__cause__ or cause.__context__
    return _words(problem)


def _words(problem: Exception) -> str:
    return str(problem)[:200] or type(problem).__name__


def http_target(
    address: Address,
    clock: Clock,
    *,
    timeout: float,
    headers: Mapping[str, str] | None = None,
    verify: ssl.SSLContext | bool = True,
    managed: bool = False,
) -> Target:
    """Return the bridge behind an `http(s)://` address.

    Args:
        address: the parsed address, its path being the endpoint.
        clock: unix seconds.
        timeout: seconds a whole answer may take.
        headers: sent with every request (a gateway's token, for example); never shown in a report.
        verify: the certificates to trust for https.
        managed: whether naysayer started the target.
    """

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(
            headers=dict(headers or {}),
            verify=verify if address.text.startswith("https") else False,
            timeout=httpx.Timeout(timeout, connect=CONNECT_TIMEOUT),
            limits=httpx.Limits(keepalive_expiry=KEPT_ALIVE),
            follow_redirects=False,
            trust_env=False,
        )

    return Target(
        "http",
        address.text,
        connector(address.text, new_client, clock, timeout, rawhttp.dialer(address, verify)),
        clock,
        address.loopback,
        managed,
    )


def connector(url: str, new_client: Any, clock: Clock, timeout: float, dial: rawhttp.Dial | None = None) -> Connect:
    """Return what opens HTTP connections made by `new_client`, a function that returns an httpx.AsyncClient."""

    async def connect(watcher: Watcher, name: str) -> Connection:
        return HttpConnection(name, url, new_client(), watcher, clock, timeout, dial)

    return connect
