"""A client's side of one connection: a line goes out, the replies to it come back (YEA 2)."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from reference.yea.client.errors import BadReply, ConnectionLost
from reference.yea.client.frames import Frame
from reference.yea.client.multiplex import Multiplexer, Received

CHUNK = 64 * 1024
IN_FLIGHT = 64
"""Requests of one connection that are in flight at once; further ones wait their turn."""

CLOSE_SECONDS = 2.0

OnEvent = Callable[[Frame], None]
"""Is called with every EVENT, as it comes."""


class Link(Protocol):
    """What carries requests to a service and replies back."""

    async def exchange(self, name: str, line: bytes, on_event: OnEvent) -> Received:
        """Sends a request's line and returns its final reply.

        name: the request's id. line: without the newline.
        Raises Unreachable, ConnectionLost, and BadReply for an answer that is no reply.
        """

    def hint(self) -> str:
        """What came that was no reply, as a clause for a message; empty for nothing."""

    async def close(self) -> None:
        """Ends the connection; what waits has lost it. Never raises."""


class StreamLink:
    """A connection over a stream: TCP, TLS, a child's standard input and output, an in-memory pipe (YEA 2.3)."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        on_close: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Reads from now on. on_close: awaited after the stream was closed, as to end a child process."""
        self._reader, self._writer, self._on_close = reader, writer, on_close
        self._requests = Multiplexer()
        self._waiting: dict[str, asyncio.Queue[Received | BadReply | None]] = {}
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._lost = ""
        self._task = asyncio.create_task(self._read())

    async def exchange(self, name: str, line: bytes, on_event: OnEvent) -> Received:
        """See `Link.exchange`."""
        async with self._slots:
            self._check_alive()
            self._requests.begin(name)
            queue = self._waiting[name] = asyncio.Queue()
            try:
                self._writer.write(line + b"\n")
                return await self._final(queue, on_event)
            finally:
                del self._waiting[name]
                self._requests.forget(name)

    async def _final(self, queue: "asyncio.Queue[Received | BadReply | None]", on_event: OnEvent) -> Received:
        while True:
            item = await queue.get()
            if item is None:
                self._check_alive()
            elif isinstance(item, BadReply):
                raise item
            elif item.final:
                return item
            else:
                on_event(item.frame)

    def hint(self) -> str:
        """See `Link.hint`."""
        return f"; it sent {self._requests.strays[-1]}" if self._requests.strays else ""

    async def close(self) -> None:
        """See `Link.close`."""
        self._end("the connection was closed here")
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._writer.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._writer.wait_closed()
        except TimeoutError:
            self._writer.transport.abort()
        except OSError:
            pass  # it was broken already
        if self._on_close is not None:
            await self._on_close()

    def _check_alive(self) -> None:
        if self._lost:
            raise ConnectionLost(f"{self._lost}{self.hint()}")

    async def _read(self) -> None:
        why = "the service closed the connection"
        try:
            while data := await self._reader.read(CHUNK):
                for name, item in self._requests.feed(data):
                    self._waiting[name].put_nowait(item)
                # A service that sends without end must not keep timers from firing.
                await asyncio.sleep(0)
        except OSError as problem:
            why = f"the connection broke: {problem.strerror or problem}"
        finally:
            self._end(why)

    def _end(self, why: str) -> None:
        """A dead connection fails everything that waits, at once."""
        self._lost = self._lost or why
        for queue in self._waiting.values():
            queue.put_nowait(None)
