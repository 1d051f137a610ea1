"""One connection of newline-delimited frames, over any pair of asyncio reader and writer (YEA 2.3).

What a request does at once is answered at once; only one that pauses becomes a task. A reply is written as
one line in one call, so lines never mix, and the replies to what was read at once go out together. Nothing
is read while the other side does not read its replies, so that a slow client costs a bounded number of
bytes, and nothing to other connections.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from reference.yea.framing import FrameSplitter, Line, Oversize
from reference.yea.service import Pause, Reply, Service, Steps

CHUNK = 16 * 1024
"""Bytes that are taken from the reader at a time."""

TURN = 0.005
"""Seconds that one connection works on what it has read, before the others get their turn."""

HIGH_WATER = 64 * 1024
"""Bytes of replies after which this connection waits until its client has read what came before."""


class Gatherer:
    """A writer that can keep what is written for a moment: many short replies then cost one call of the system.

    Everything else is the writer's own.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._kept: list[bytes] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def write(self, data: bytes) -> None:
        """Writes, or keeps while gathering."""
        if self._kept is None:
            self._writer.write(data)
        else:
            self._kept.append(data)

    def gather(self) -> None:
        """Keeps what is written from now on, until `release`. Nothing may be awaited in between."""
        self._kept = []

    def release(self) -> None:
        """Writes what was kept."""
        kept, self._kept = self._kept, None
        if kept:
            self._writer.write(b"".join(kept))

    def close(self) -> None:
        """Writes what was kept, and closes."""
        self.release()
        self._writer.close()


class Connection:
    """One client, from its first byte to its last reply."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        service: Service,
        clock: Callable[[], float],
    ) -> None:
        """clock: the time, in unix seconds."""
        self.reader = reader
        self.writer = Gatherer(writer)
        self.service = service
        self.clock = clock
        self.tasks: set[asyncio.Task[None]] = set()
        self._unflushed = 0

    async def run(self) -> None:
        """Serves until the client has sent all and got all its replies.

        A client that goes away does not stop what it asked for: a commit runs to its end. Cancelling this
        interrupts what is still running.
        """
        try:
            await self._serve()
            # The client may have closed its side only: what is in flight still gets its reply.
            while self.tasks:
                await asyncio.wait(self.tasks)
            await self._flush()
            self.writer.close()
            with contextlib.suppress(OSError):
                await self.writer.wait_closed()
        except BaseException:
            await self._interrupt()
            raise

    async def _interrupt(self) -> None:
        """Stops what is running, and hangs up: what a client does not read is not waited for."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.writer.close()
        if self.writer.transport.get_write_buffer_size():
            self.writer.transport.abort()

    def splitter(self) -> FrameSplitter:
        """What finds the frames in this connection's bytes."""
        return FrameSplitter(self.service.MAX_FRAME)

    async def _serve(self) -> None:
        loop, splitter = asyncio.get_running_loop(), self.splitter()
        with contextlib.suppress(OSError):
            while data := await self.reader.read(CHUNK):
                began = loop.time()
                self.writer.gather()
                for item in splitter.feed(data):
                    self.take(item)
                    if self._unflushed > HIGH_WATER or loop.time() - began > TURN:
                        self.writer.release()
                        await (self._flush() if self._unflushed > HIGH_WATER else asyncio.sleep(0))
                        began = loop.time()
                        self.writer.gather()
                self.writer.release()
                # The reader may have more at hand: the others come first.
                await asyncio.sleep(0)

    def take(self, item: Line | Oversize) -> None:
        """One line of input: a request, or one that is too long or too many. A blank line is none."""
        if isinstance(item, Oversize):
            self.send(self.service.oversize())
        elif not item.data.strip():
            return
        elif len(self.tasks) >= self.service.IN_FLIGHT:
            self.send(self.service.busy(item.data))
        else:
            steps = self.service.handle(item.data, self.clock())
            pause = self._advance(steps, None)
            if pause is not None:
                task = asyncio.create_task(self._go_on(steps, pause))
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)

    def send(self, reply: Reply) -> None:
        """Writes a reply, unless the client is gone."""
        if not self.writer.is_closing():
            line = reply.line + b"\n"
            self._unflushed += len(line)
            self.writer.write(line)

    def _advance(self, steps: Steps, now: float | None) -> Pause | None:
        """Sends what a request answers until it pauses; None when it has ended."""
        try:
            step = next(steps) if now is None else steps.send(now)
            while isinstance(step, Reply):
                self.send(step)
                step = steps.send(self.clock())
            return step
        except StopIteration:
            return None

    async def _go_on(self, steps: Steps, pause: Pause | None) -> None:
        try:
            while pause is not None:
                await asyncio.sleep(pause.seconds)
                pause = self._advance(steps, self.clock())
        finally:
            steps.close()

    async def _flush(self) -> None:
        self._unflushed = 0
        with contextlib.suppress(OSError):
            await self.writer.drain()


async def serve_stream(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    service: Service,
    clock: Callable[[], float],
) -> None:
    """Serves one connection to its end: TCP, TLS, stdio or an in-memory pipe (YEA 2.3).

    reader, writer: an asyncio pair, or anything with the same methods. clock: the time, in unix seconds.
    Cancelling it interrupts what is still running; see `Connection.run`.
    """
    await connection_class(service)(reader, writer, service, clock).run()


def connection_class(service: Service) -> type[Connection]:
    """`Connection`, or what a service names in its `CONNECTION`, as one does that breaks a rule on purpose."""
    kind: type[Connection] = getattr(service, "CONNECTION", Connection)
    return kind
