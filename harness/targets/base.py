"""What every wire driver offers: a connection that sends request frames, and the exchanges that come of it.

A driver reads with bounds, keeps what broke the framing as `Junk`, and never raises on what a target sends: an answer
that did not come is a `TargetFault`, which the runner turns into a failed check.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

Json = Any
STREAMS = ("tcp", "tls", "stdio")
TRANSPORTS = (*STREAMS, "http")


@dataclass(frozen=True)
class Frame:
    """One frame as received: its object, its size in bytes without the newline, when (unix seconds), and its start.

    `status` is that of the HTTP answer which it came in; None on a stream.
    """

    value: dict[str, Json]
    size: int
    at: float
    start: bytes = b""
    status: int | None = None

    @property
    def kind(self) -> str:
        """The frame's kind, or an empty string when it has none that is a string."""
        kind = self.value.get("kind")
        return kind if isinstance(kind, str) else ""

    @property
    def final(self) -> bool:
        """Whether the frame ends its request (YEA 2.2: all kinds but EVENT do)."""
        return self.kind != "EVENT"


@dataclass(frozen=True)
class Junk:
    """Bytes from the target that are no frame, and why not; `start` is a bounded excerpt.

    `sort` is one of: `text` (not UTF-8), `json` (not one JSON object), `long` (over the limit), `blank` (an empty
    line), `cut` (the stream ended within a line), `flood` (too much to read on), `late` and `http` (no whole answer).
    """

    problem: str
    start: bytes
    at: float
    sort: str = "json"


@dataclass(frozen=True)
class Http:
    """The HTTP side of an exchange: status, content type and the other headers in lower case."""

    status: int
    content_type: str
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Exchange:
    """A request and the frames that answered it, in order of arrival."""

    request: dict[str, Json] | bytes
    frames: list[Frame] = field(default_factory=list)
    junk: list[Junk] = field(default_factory=list)
    http: Http | None = None
    closed: bool = False

    @property
    def final(self) -> dict[str, Json] | None:
        """The first frame that ends the request, or None."""
        return next((frame.value for frame in self.frames if frame.final), None)

    @property
    def reply(self) -> dict[str, Json]:
        """The final reply, or an empty object when none came; for code that looks members up."""
        return self.final or {}

    @property
    def kind(self) -> str:
        """The final reply's kind, or an empty string."""
        kind = self.reply.get("kind")
        return kind if isinstance(kind, str) else ""

    @property
    def code(self) -> str:
        """The ERROR's code, or an empty string for any other reply."""
        code = self.reply.get("code")
        return code if self.kind == "ERROR" and isinstance(code, str) else ""

    @property
    def events(self) -> list[Frame]:
        """The EVENTs among the frames."""
        return [frame for frame in self.frames if not frame.final]

    def seen(self) -> str:
        """What came, in a few words: `RECEIPT`, `ERROR forbidden`, `no reply`, `HTTP 413`."""
        if self.final is not None:
            return f"{self.kind or 'a frame without kind'} {self.code}".strip()
        if self.http is not None and self.http.status != 200:
            return f"HTTP {self.http.status}"
        if self.junk:
            return f"no frame: {self.junk[0].problem}"
        return "a closed connection" if self.closed else "no reply"


class Watcher(Protocol):
    """Whoever is told of all that passes over a connection: the transcript and the monitors."""

    def sent(self, connection: str, data: bytes) -> None:
        """Bytes of one request were handed to the transport."""

    def received(self, connection: str, frame: Frame) -> None:
        """A frame arrived."""

    def spoiled(self, connection: str, junk: Junk) -> None:
        """Bytes arrived that are no frame."""


class Connection(Protocol):
    """A connection to the target, or on HTTP a client: each request is a POST of its own."""

    name: str
    transport: str

    async def request(self, frame: dict[str, Json], timeout: float | None = None) -> Exchange:
        """Send a request frame with an id and return when its final reply came; raises TargetFault otherwise."""

    async def raw(self, body: bytes, *, re: str | None = None, timeout: float | None = None) -> Exchange:
        """Send bytes as they are, as one line or one body, and return the first final reply to come.

        Never raises for a missing answer: the exchange then has no final reply. `re` names the request's id when the
        bytes hold one; without it any reply that answers nothing else counts.
        """

    async def settle(self, exchange: Exchange, seconds: float = 0.3) -> list[Frame]:
        """Return frames for the exchange's request that arrive after its final reply, waiting this long for them."""

    async def close(self) -> None:
        """Close and wait until everything is closed; never raises."""


Clock = Callable[[], float]
Connect = Callable[[Any, str], Awaitable[Any]]
"""(watcher, name) to a connection: for YEA a `Watcher` and a `Connection`."""


@dataclass
class Target:
    """One transport of a target: its address and how to open a connection to it.

    `managed` says that naysayer started the target and may load it. `peak_memory` returns the most bytes that the
    target's processes have held, where that can be seen. `restart`, where it is set, ends the target without warning,
    with all its transports and in the middle of what it does, and starts it again with the state that it kept;
    `not_restarted` says why there is none. At most `at_once` checks run over this transport at a time. `connect` opens
    the connection that the protocol's context wants. `alive`, where HELLO will not do, asks whether the target is there
    at all, and raises TargetFault when nothing answers, TargetGone when nobody is there.
    """

    transport: str
    address: str
    connect: Connect
    clock: Clock
    loopback: bool = False
    managed: bool = False
    in_process: bool = False
    peak_memory: Callable[[], int | None] | None = None
    restart: Callable[[], Awaitable[None]] | None = None
    not_restarted: str = "naysayer did not start this target, so it cannot kill it and start it again"
    at_once: int | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    alive: Callable[[Any], Awaitable[None]] | None = None
