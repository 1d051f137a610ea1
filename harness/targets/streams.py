"""The stream driver: newline-delimited frames over any reader and writer pair (TCP, TLS, stdio, in-memory pipes).

One task reads; it bounds every line and the whole connection, hands frames to the requests that wait for their
`re`, and queues the others as strays. A line over the limit is read away and reported as junk.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from harness import limits
from harness.encoding import encode, read_line
from harness.errors import TargetFault
from harness.targets.base import Clock, Exchange, Frame, Junk, Watcher

CHUNK = 64 * 1024


class Reader(Protocol):
    """The part of asyncio.StreamReader that the driver uses."""

    async def read(self, n: int) -> bytes:
        """Return up to n bytes, or none at the end."""


class Writer(Protocol):
    """The part of asyncio.StreamWriter that the driver uses."""

    def write(self, data: bytes) -> None:
        """Queue bytes."""

    async def drain(self) -> None:
        """Wait until the queue is short again."""

    def close(self) -> None:
        """Start to close."""

    async def wait_closed(self) -> None:
        """Wait until closed."""

    def can_write_eof(self) -> bool:
        """Whether the sending side alone can be ended."""

    def write_eof(self) -> None:
        """End the sending side."""


class Lines:
    """Sans-IO: bytes in, lines out, with a cap on what is kept of each."""

    def __init__(self, cap: int = limits.LINE_CAP) -> None:
        self._cap = cap
        self._kept = bytearray()
        self._size = 0

    def feed(self, data: bytes) -> list[tuple[bytes, int]]:
        """Return the lines that the bytes complete, each as (what was kept of it, its full size)."""
        lines = []
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._keep(part)
            lines.append((bytes(self._kept), self._size))
            self._kept.clear()
            self._size = 0
        self._keep(rest)
        return lines

    @property
    def pending(self) -> int:
        """The size of the line that has begun and has no end yet."""
        return self._size

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        self._kept += part[: max(0, self._cap - len(self._kept))]


class StreamConnection:
    """A connection over a stream.

    Args:
        name: what the transcript calls it.
        transport: tcp, tls or stdio.
        reader, writer: the stream's two halves.
        watcher: told of everything that passes.
        clock: unix seconds.
        timeout: seconds a final reply may take.
        on_close: awaited after the stream is closed (a child process to end, for example).
        on_end: waits a moment for the other side's process to end, and returns its exit code or None.
    """

    def __init__(
        self,
        name: str,
        transport: str,
        reader: Reader,
        writer: Writer,
        watcher: Watcher,
        clock: Clock,
        *,
        timeout: float = 10.0,
        on_close: Callable[[], Awaitable[None]] | None = None,
        on_end: Callable[[], Awaitable[int | None]] | None = None,
    ) -> None:
        self.name, self.transport = name, transport
        self.timeout = timeout
        self.received_bytes = self.received_lines = 0
        self._reader, self._writer = reader, writer
        self._watcher, self._clock, self._on_close, self._on_end = watcher, clock, on_close, on_end
        self._waiting: dict[str, asyncio.Queue[Frame | None]] = {}
        self._late: dict[str, list[Frame]] = {}
        self._strays: deque[Frame] = deque()
        self._junk: list[Junk] = []
        self._flooded = ""
        self._broken: Exception | None = None
        self._news = asyncio.Event()
        self._slots = asyncio.Semaphore(limits.IN_FLIGHT)
        self._closed = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    @property
    def closed(self) -> bool:
        """Whether the target has closed its sending side, or was cut off for sending too much."""
        return self._closed.is_set()

    @property
    def junk(self) -> list[Junk]:
        """What arrived and was no frame, in order."""
        return self._junk

    async def request(self, frame: dict[str, Any], timeout: float | None = None) -> Exchange:
        """Send a frame and wait for its final reply. Raises TargetFault when none comes."""
        async with self._slots:
            exchange = await self._exchange(frame, encode(frame) + b"\n", frame["id"], timeout)
        if exchange.final is None:
            raise TargetFault(f"{frame.get('verb')} got {exchange.seen()} ({self._waited(timeout)})")
        return exchange

    async def raw(self, body: bytes, *, re: str | None = None, timeout: float | None = None) -> Exchange:
        """Send one line of any bytes; the exchange may have no final reply. See `Connection.raw`."""
        return await self._exchange(body, body + b"\n", re, timeout)

    async def write(self, data: bytes) -> None:
        """Send bytes as they are, without a newline of ours. A closed connection is not an error here."""
        self._watcher.sent(self.name, data)
        with contextlib.suppress(OSError):
            self._writer.write(data)
            await self._writer.drain()

    async def finish(self) -> bool:
        """End what is sent and go on receiving; returns False where a stream cannot be ended on one side (TLS)."""
        if not self._writer.can_write_eof():
            return False
        with contextlib.suppress(OSError):
            self._writer.write_eof()
        return True

    async def wait_closed(self) -> None:
        """Wait until the target has closed its sending side, or was cut off for sending too much."""
        await self._closed.wait()

    async def stray(self, timeout: float | None = None) -> Frame | None:
        """Return the next frame that answers no waiting request, or None when none comes in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                while not self._strays and not self.closed:
                    self._news.clear()
                    await self._news.wait()
        if self._broken is not None:
            raise self._broken
        return self._strays.popleft() if self._strays else None

    async def settle(self, exchange: Exchange, seconds: float = 0.3) -> list[Frame]:
        """See `Connection.settle`."""
        await asyncio.sleep(seconds)
        request = exchange.request
        return self._late.get(request["id"], []) if isinstance(request, dict) else list(self._strays)

    async def exit_code(self) -> int | None:
        """Return how a child has ended that hung up, negative for a signal; None if it goes on, or there is none."""
        return await self._on_end() if self._on_end is not None and self.closed else None

    async def close(self) -> None:
        """Close the stream and wait for it."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                await self._writer.wait_closed()
        if self._on_close is not None:
            await self._on_close()

    async def _exchange(self, request: Any, data: bytes, re: str | None, timeout: float | None) -> Exchange:
        exchange = Exchange(request)
        junk_before = len(self._junk)
        queue: asyncio.Queue[Frame | None] = asyncio.Queue()
        if re is not None:
            self._waiting[re] = queue
        try:
            async with asyncio.timeout(self.timeout if timeout is None else timeout):
                await self.write(data)
                await self._collect(exchange, queue, re)
        except TimeoutError:
            pass
        finally:
            if re is not None:
                self._waiting.pop(re, None)
                self._late.setdefault(re, [])
        if self._broken is not None:
            raise self._broken
        exchange.junk = self._junk[junk_before:]
        exchange.closed = self.closed
        return exchange

    async def _collect(self, exchange: Exchange, queue: asyncio.Queue[Frame | None], re: str | None) -> None:
        frame: Frame | None = None
        while frame is None or not frame.final:
            if re is None:
                frame = await self._next_stray()
            else:
                frame = None if self.closed and queue.empty() else await queue.get()
            if frame is None:
                return
            exchange.frames.append(frame)

    async def _next_stray(self) -> Frame | None:
        while not self._strays:
            if self.closed:
                return None
            self._news.clear()
            await self._news.wait()
        return self._strays.popleft()

    def _waited(self, timeout: float | None) -> str:
        if self.closed:
            return "the target closed the connection"
        return f"waited {self.timeout if timeout is None else timeout:g} s"

    async def _read(self) -> None:
        lines = Lines()
        try:
            while not (excess := self._excess()):
                data = await self._reader.read(CHUNK)
                if not data:
                    break
                self.received_bytes += len(data)
                for kept, size in lines.feed(data):
                    self.received_lines += 1
                    self._line(kept, size)
                    if self._excess():  # a chunk may hold thousands of lines
                        break
            else:
                self._spoil(f"the target sent {excess} on one connection", b"", "flood")
            if lines.pending:
                self._spoil(f"the connection closed within a line ({lines.pending} bytes of it came)", b"", "cut")
        except OSError as problem:
            if lines.pending:
                self._spoil(f"the connection broke within a line: {problem.strerror or problem}", b"", "cut")
        except Exception as problem:  # ours, a watcher's for example: the target must not be blamed for it
            self._broken = problem
        finally:
            self._end()

    def _excess(self) -> str:
        """Return what there is too much of to read on, or an empty string."""
        if self._flooded:
            return self._flooded
        if self.received_bytes >= limits.CONNECTION_CAP:
            return f"{limits.CONNECTION_CAP >> 20} MiB"
        if len(self._junk) >= limits.JUNK_CAP:
            return f"{limits.JUNK_CAP:,} lines that are no frames"
        return f"{limits.FRAMES_CAP:,} lines" if self.received_lines >= limits.FRAMES_CAP else ""

    def _line(self, kept: bytes, size: int) -> None:
        if size > len(kept):
            self._spoil(f"a line of {size} bytes, over the limit of {limits.FRAME_LIMIT}", kept, "long")
            return
        if not kept.strip(b" \t\r"):
            self._spoil("an empty line", kept, "blank")
            return
        read = read_line(kept, self._clock())
        if isinstance(read, Junk):
            self._flooded = self._flooded or (read.problem if read.sort == "flood" else "")
            self._junk.append(read)
            self._watcher.spoiled(self.name, read)
            self._news.set()
            return
        self._watcher.received(self.name, read)
        self._hand_out(read)

    def _hand_out(self, frame: Frame) -> None:
        re = frame.value.get("re")
        if isinstance(re, str) and re in self._waiting:
            self._waiting[re].put_nowait(frame)
            if frame.final:
                self._late.setdefault(re, [])
                del self._waiting[re]
        elif isinstance(re, str) and re in self._late:
            self._late[re].append(frame)
        else:
            self._strays.append(frame)
            self._news.set()

    def _spoil(self, problem: str, start: bytes, sort: str) -> None:
        junk = Junk(problem, start[:400], self._clock(), sort)
        self._junk.append(junk)
        self._watcher.spoiled(self.name, junk)

    def _end(self) -> None:
        self._closed.set()
        self._news.set()
        for queue in self._waiting.values():
            queue.put_nowait(None)
