"""The driver of a BYOB table host: requests over HTTP, and event streams (BYOB 2).

httpx does the HTTP. Redirects are not followed, bodies are read raw, and everything that is read has a size and a
time. What a host sends never raises; that it sends no whole answer is a `TargetFault`.
"""

import asyncio
import contextlib
import itertools
import ssl
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Protocol

import httpx

from harness.encoding import START, encode
from harness.errors import TargetFault, TargetGone
from harness.targets import rawhttp
from harness.targets.addresses import Address
from harness.targets.answers import ABSENT, Answer, Heard, shown
from harness.targets.asgi import App, AsgiTransport
from harness.targets.base import Clock, Target
from harness.targets.http import CONNECT_TIMEOUT, KEPT_ALIVE, connect_problem
from harness.targets.sse import Event, Parser
from reference.yea import jsontext

__all__ = ["ABSENT", "Answer", "EventStream", "Heard", "HostConnection", "HostWatcher", "app_target", "host_target"]

Json = Any
BASE = "/v0.1"
JSON_TYPE = "application/json"
ANSWER_CAP = 16 << 20  # bytes of one answer
STREAM_CAP = 4 << 20  # bytes of one event stream
EVENTS_CAP = 5_000  # events of one stream
APART = 0.05  # seconds between two pieces of a body, so that they arrive one by one
IN_PROCESS = "http://naysayer.invalid"


class HostWatcher(Protocol):
    """Whoever is told of all that passes: the transcript and the monitors."""

    def sent(self, connection: str, data: bytes) -> None:
        """A request was sent."""

    def received(self, connection: str, frame: Any) -> None:
        """An `Answer` came, or an event was `Heard`."""

    def note(self, text: str) -> None:
        """Something else happened."""


class HostConnection:
    """A client of a table host.

    Args:
        name: what the transcript calls it.
        base: the URL up to and with `/v0.1`.
        client: does the HTTP.
        watcher: is told of all that passes.
        timeout: seconds that a whole answer may take.
        dial: opens a bare socket to the host; None where there is no socket.
    """

    transport = "http"

    def __init__(
        self,
        name: str,
        base: str,
        client: httpx.AsyncClient,
        watcher: HostWatcher,
        timeout: float,
        dial: rawhttp.Dial | None = None,
    ) -> None:
        self.name, self.base, self.timeout, self.dial = name, base, timeout, dial
        self.mask: Callable[[str], str] = str
        self.learn: Callable[[Answer], None] = lambda answer: None
        self.about: Any = None
        self._client, self._watcher = client, watcher
        self._streams: list[EventStream] = []

    async def call(
        self,
        method: str,
        path: str,
        *,
        body: Json = ABSENT,
        content: bytes | None = None,
        cuts: Sequence[int] = (),
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        who: str = "",
    ) -> Answer:
        """Send a request and return the whole answer, of whatever status and kind.

        Args:
            path: below /v0.1 (`/tables`), or a whole path with `//` before it (`//health`), which is sent as it stands.
            body: a JSON value, sent as application/json.
            content: bytes to send instead.
            cuts: offsets in the body, ascending; what lies between them is sent one after the other.
            headers: more headers; they win over those that a body brings.
            who: whose token is in the headers, for the transcript, which shows no header.

        Raises:
            TargetFault: no whole answer came in time, or it was too big.
            TargetGone: nobody is there.
        """
        request = self._request(method, path, body, content, headers, cuts)
        asked = content if content is not None else body
        self._watcher.sent(self.name, _shown_request(method, path, who, content, body))
        seconds = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.send(request, stream=True)
                try:
                    answer = _answer(response, method, path, asked, await _read(response), who)
                finally:
                    await response.aclose()
        except Exception as problem:
            raise self._fault(problem, method, path, seconds) from None
        self._took(answer)
        return answer

    async def events(
        self, path: str, *, headers: Mapping[str, str] | None = None, who: str = "", timeout: float | None = None
    ) -> "EventStream":
        """GET an event stream and return it once its head has come; it is read on in the background until closed.

        What is no event stream is a plain answer, in `EventStream.answer`. Raises TargetFault as `call` does.
        """
        seconds = self.timeout if timeout is None else timeout
        accept = {"Accept": "text/event-stream", "Cache-Control": "no-store", **(headers or {})}
        request = self._request("GET", path, ABSENT, None, accept)
        request.extensions["timeout"] = {"connect": CONNECT_TIMEOUT, "write": self.timeout, "pool": self.timeout}
        self._watcher.sent(self.name, _shown_request("GET", path, who, None, ABSENT))
        try:
            async with asyncio.timeout(seconds):
                response = await self._client.send(request, stream=True)
                streams = _is_stream(response)
                body = b"" if streams else await _read(response)
        except Exception as problem:
            raise self._fault(problem, "GET", path, seconds) from None
        answer = _answer(response, "GET", path, ABSENT, body, who)
        if not streams:
            await response.aclose()
        self._took(answer)
        stream = EventStream(answer, response if streams else None, self._heard)
        self._streams.append(stream)
        return stream

    async def close(self) -> None:
        """Close all streams and sockets; never raises."""
        await asyncio.gather(*(stream.close() for stream in self._streams))
        with contextlib.suppress(OSError, httpx.HTTPError):
            await self._client.aclose()

    def _request(
        self,
        method: str,
        path: str,
        body: Json,
        content: bytes | None,
        headers: Mapping[str, str] | None,
        cuts: Sequence[int] = (),
    ) -> httpx.Request:
        data = content if content is not None else None if body is ABSENT else encode(body)
        given = {"Accept": JSON_TYPE, "Accept-Encoding": "identity"}
        if data is not None:
            given["Content-Type"] = JSON_TYPE
        given.update(headers or {})
        sent: bytes | AsyncIterator[bytes] | None = data
        if data is not None and cuts:
            given["Content-Length"] = str(len(data))
            sent = _pieces(data, cuts)
        request = self._client.build_request(method, self.url(path), content=sent, headers=given)
        if path.startswith("//"):  # httpx would escape a `%` that begins no escape
            request.extensions["target"] = path[1:].encode("ascii")
        return request

    def url(self, path: str) -> str:
        """Return the URL of a path below /v0.1, or of a whole path that is marked by `//`."""
        if path.startswith("//"):
            return str(httpx.URL(self.base).copy_with(raw_path=path[1:].encode("ascii")))
        return self.base + path

    def _took(self, answer: Answer) -> None:
        self.learn(answer)
        answer.about = self.about
        answer.start = self.mask(answer.body[:START].decode("utf-8", "backslashreplace")).encode("utf-8", "replace")
        head = f"{answer.status} {answer.content_type}".rstrip().encode() + b"\n"
        answer.start = head + answer.start
        self._watcher.received(self.name, answer)

    def _heard(self, path: str, event: Event) -> None:
        start = self.mask(f"event {event.name}: {event.data[:START]}").encode("utf-8", "replace")
        self._watcher.received(self.name, Heard(path, event, start, self.about))

    def _fault(self, problem: Exception, method: str, path: str, seconds: float) -> Exception:
        """Return what a request that got no whole answer shows; other exceptions as they are."""
        if isinstance(problem, (httpx.ConnectError, httpx.ConnectTimeout)):
            return TargetGone(f"no connection to {self.base}: {connect_problem(problem)}")
        if isinstance(problem, (TimeoutError, httpx.TimeoutException)):
            why = f"no complete answer within {seconds:g} s"
        elif isinstance(problem, _TooMuch):
            why = f"an answer of more than {ANSWER_CAP >> 20} MiB"
        elif isinstance(problem, httpx.HTTPError):
            why = f"broken HTTP: {str(problem)[:200] or type(problem).__name__}"
        else:
            return problem
        self._watcher.note(f"{self.name}: {why}")
        return TargetFault(f"{method} {shown(path)} got {why}")


class EventStream:
    """A stream of events, read in the background.

    `answer` is its head; where the host sent something else it is the whole of that, and nothing follows. `events` are
    those that came, `raw` all bytes of the stream (bounded), `ended` says why it ended and is empty while it runs.
    """

    def __init__(self, answer: Answer, response: httpx.Response | None, heard: Callable[[str, Event], None]) -> None:
        self.answer = answer
        self.events: list[Event] = []
        self.raw = bytearray()
        self.parser = Parser()
        self.ended = "" if response is not None else "it is no event stream"
        self._heard, self._response = heard, response
        self._came = asyncio.Event()
        self._read = 0
        self._task = asyncio.create_task(self._run(response)) if response is not None else None

    async def next(self, seconds: float) -> Event | None:
        """Return the next event that was not returned yet, or None when none comes within so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._read >= len(self.events) and not self.ended:
                    self._came.clear()
                    await self._came.wait()
        if self._read >= len(self.events):
            return None
        self._read += 1
        return self.events[self._read - 1]

    async def named(self, name: str, seconds: float) -> Event | None:
        """Return the next event of this name, passing others over, or None when none comes in time."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            event = await self.next(max(0.0, end - loop.time()))
            if event is None or event.name == name:
                return event

    def count(self, name: str) -> int:
        """How many events of this name have come so far."""
        return sum(event.name == name for event in self.events)

    async def close(self) -> None:
        """Close the stream; never raises. May be called twice."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, response: httpx.Response) -> None:
        try:
            await self._read_on(response)
            self.ended = self.ended or "the host ended it"
        except httpx.HTTPError as problem:
            self.ended = f"broken HTTP: {str(problem)[:200] or type(problem).__name__}"
        except asyncio.CancelledError:
            self.ended = "closed"
        finally:
            self._came.set()
            with contextlib.suppress(OSError, httpx.HTTPError):
                await response.aclose()

    async def _read_on(self, response: httpx.Response) -> None:
        async for piece in response.aiter_raw():
            self.raw += piece[: STREAM_CAP - len(self.raw)]
            for event in self.parser.feed(piece):
                self.events.append(event)
                self._heard(self.answer.path, event)
            self._came.set()
            if len(self.raw) >= STREAM_CAP or len(self.events) >= EVENTS_CAP:
                self.ended = "it sent more than is read of one stream"
                return


class _TooMuch(Exception):
    """The body passed the cap."""


async def _pieces(data: bytes, cuts: Sequence[int]) -> AsyncIterator[bytes]:
    for start, end in itertools.pairwise((0, *cuts, len(data))):
        if start:
            await asyncio.sleep(APART)
        yield data[start:end]


async def _read(response: httpx.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for chunk in response.aiter_raw():
        size += len(chunk)
        if size > ANSWER_CAP:
            raise _TooMuch
        parts.append(chunk)
    return b"".join(parts)


def _is_stream(response: httpx.Response) -> bool:
    kind = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    return response.is_success and kind == "text/event-stream"


def _answer(response: httpx.Response, method: str, path: str, request: Any, body: bytes, who: str) -> Answer:
    headers = {name.lower(): value[:1000] for name, value in list(response.headers.items())[:100]}
    answer = Answer(method, path, request, response.status_code, headers, body, who=who)
    answer.version = response.http_version
    if not body:
        answer.problem = "an empty body"
        return answer
    try:
        answer.value = jsontext.loads(body)
    except ValueError as problem:
        answer.problem = f"which is not JSON: {problem}"[:200]
    return answer


def _shown_request(method: str, path: str, who: str, content: bytes | None, body: Json) -> bytes:
    by = f" (token of {who})" if who else ""
    data = content if content is not None else b"" if body is ABSENT else encode(body)
    return f"{method} {shown(path)}{by}\n".encode() + data


def host_target(
    address: Address,
    clock: Clock,
    *,
    timeout: float,
    headers: Mapping[str, str] | None = None,
    verify: ssl.SSLContext | bool = True,
    managed: bool = False,
) -> Target:
    """Return the table host behind an `http(s)://` address; see `harness.targets.http.http_target` for the arguments.

    The address is that of the host, with or without `/v0.1`.
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

    base = address.text.rstrip("/").removesuffix(BASE) + BASE
    dial = rawhttp.dialer(address, verify)
    connect = _connector(base, new_client, timeout, dial)
    return Target("http", address.text, connect, clock, address.loopback, managed, alive=_alive(connect))


def app_target(app: App, clock: Clock, *, timeout: float) -> Target:
    """Return the table host that an ASGI application in this process is."""

    def new_client() -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=AsgiTransport(app))

    connect = _connector(IN_PROCESS + BASE, new_client, timeout, None)
    return Target("http", IN_PROCESS, connect, clock, True, True, in_process=True, alive=_alive(connect))


def _connector(
    base: str, new_client: Callable[[], httpx.AsyncClient], timeout: float, dial: rawhttp.Dial | None
) -> Any:
    async def connect(watcher: HostWatcher, name: str) -> HostConnection:
        return HostConnection(name, base, new_client(), watcher, timeout, dial)

    return connect


def _alive(connect: Any) -> Any:
    """Return what asks whether the host is there at all: any whole answer shows that it is."""

    async def alive(watcher: HostWatcher) -> None:
        connection = await connect(watcher, "probe")
        try:
            await connection.call("GET", "/tables/naysayer-probe/memory")
        finally:
            await connection.close()

    return alive
