"""The HTTP bridge as a client uses it: each request is a POST of its own (YEA 2.4).

httpx does the HTTP. The response is read raw, line by line, and no further than its final reply. Redirects are not
followed, for a proof is for one service, and nothing is decompressed, for a small body may become a huge one.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator

import httpx

from reference.yea.client.errors import AddressError, BadReply, ConnectionLost, Unreachable
from reference.yea.client.frames import short
from reference.yea.client.links import OnEvent
from reference.yea.client.multiplex import Multiplexer, Received

HEADERS = {"Content-Type": "application/json", "Accept": "application/x-ndjson", "Accept-Encoding": "identity"}
STATUSES = {
    413: "the request is too large for it",
    **dict.fromkeys((301, 302, 303, 307, 308), "it redirects, and redirects are not followed"),
}
"""What some HTTP statuses mean here; every YEA reply has 200 (YEA 2.4)."""


class BridgeLink:
    """A bridge at one URL."""

    def __init__(self, url: str, client: httpx.AsyncClient) -> None:
        """client: closed with this. Raises AddressError for a URL that httpx cannot use."""
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL as problem:
            raise AddressError(f"{short(url)} is no URL: {problem}") from None
        self._client = client
        self._hint = ""

    async def exchange(self, name: str, line: bytes, on_event: OnEvent) -> Received:
        """See `Link.exchange`."""
        requests = Multiplexer()
        requests.begin(name)
        async with self._posted(line) as response, contextlib.aclosing(_chunks(response)) as chunks:
            async for chunk in chunks:
                for _, item in requests.feed(chunk):
                    if isinstance(item, BadReply):
                        raise item
                    if item.final:
                        return item
                    on_event(item.frame)
                # A service that sends without end must not keep timers from firing.
                await asyncio.sleep(0)
        self._hint = f"; it sent {requests.strays[-1]}" if requests.strays else ""
        raise BadReply(f"the HTTP response ended without a final reply{self._hint}")

    def hint(self) -> str:
        """See `Link.hint`."""
        return self._hint

    async def close(self) -> None:
        """See `Link.close`."""
        with contextlib.suppress(OSError, httpx.HTTPError):
            await self._client.aclose()

    @contextlib.asynccontextmanager
    async def _posted(self, line: bytes) -> AsyncIterator[httpx.Response]:
        """The response to a POST, once it is known to be one that carries frames."""
        request = self._client.build_request("POST", self._url, content=line, headers=HEADERS)
        try:
            response = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                _check(response)
                yield response
            finally:
                await response.aclose()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as problem:
            raise Unreachable(f"no connection to {self._url}: {_reason(problem)}") from None
        except httpx.HTTPError as problem:
            raise ConnectionLost(f"the HTTP exchange broke: {_reason(problem)}") from None


async def _chunks(response: httpx.Response) -> AsyncGenerator[bytes, None]:
    """The body as it comes; its last line may lack the newline."""
    async for chunk in response.aiter_raw():
        yield chunk
    yield b"\n"


def _check(response: httpx.Response) -> None:
    if response.status_code != 200:
        meaning = STATUSES.get(response.status_code)
        raise BadReply(
            f"the bridge answered with HTTP status {response.status_code}{f': {meaning}' if meaning else ''}"
        )
    coding = response.headers.get("content-encoding", "identity").strip().lower()
    if coding not in ("", "identity"):
        raise BadReply(f"the bridge sent a body compressed with {short(coding, 40)}, which is not read")


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
