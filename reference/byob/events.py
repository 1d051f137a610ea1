"""The event stream of a seat: `hello`, then an `entry` for each new entry that it may see (BYOB 2).

Events only wake a seat up: they say the seq and the kind, and the content is read from the projection. They are live
only, so none is sent twice, also after a reconnect. A client that does not read as fast as its table talks is cut off,
and catches up by its cursor.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from reference.byob import answers

QUEUED = 256
"""Events that wait for a client to read them; one more cuts it off."""

STREAMS_PER_SEAT = 256
"""Streams of one seat at once; one more ends the oldest."""

KEEP_ALIVE = b": keep-alive\n\n"
KEEP_ALIVE_SECONDS = 15.0
"""A comment after so much silence keeps proxies from closing, and shows a client that is gone."""


def event(name: str, data: dict[str, Any]) -> bytes:
    """An event as bytes. data: is written as JSON on one line."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), answers.encoded(data))


class EventStream(Response):
    """The answer to GET events. It lasts until the client goes, is cut off, or the server stops."""

    media_type = "text/event-stream"

    def __init__(
        self,
        hello: dict[str, Any],
        subscribe: Callable[["EventStream"], Callable[[], None]],
        settled: Callable[[], Awaitable[None]],
        headers: Mapping[str, str],
    ) -> None:
        """hello: the data of the first event. subscribe: has `put` called from now on; returns what ends that.

        settled: returns when all entries so far may be told of, or raises OSError when they never may.
        """
        self.status_code = 200
        self.background = None
        self.init_headers(headers)  # and no body, whose length would be announced
        self.hello = hello
        self.subscribe = subscribe
        self.settled = settled
        self._queue: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._ended = False
        self._limit = asyncio.timeout(None)

    def put(self, entry: dict[str, Any]) -> None:
        """Announces an entry, or cuts the stream off when too many wait already."""
        if len(self._queue) >= QUEUED:
            self.cut()
            return
        self._queue.append(event("entry", entry))
        self._news.set()

    def end(self) -> None:
        """Ends the stream as soon as the client has what waits for it."""
        self._ended = True
        self._news.set()

    def cut(self) -> None:
        """Ends the stream at once, whatever waits."""
        if not self._ended:
            self._limit.reschedule(asyncio.get_running_loop().time())
        self.end()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unsubscribe = self.subscribe(self)
        leaving = asyncio.create_task(left(receive))
        leaving.add_done_callback(lambda _: self.end())
        try:
            async with self._limit:
                await self.write(send)
        except OSError:  # a timeout is one too
            abort(scope)
        finally:
            unsubscribe()
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)

    async def write(self, send: Send) -> None:
        """Sends what comes until the stream ends."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        data = event("hello", self.hello)
        while True:
            await send({"type": "http.response.body", "body": data, "more_body": True})
            if self._ended and not self._queue:
                break
            data = await self.next()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def next(self) -> bytes:
        """The events that wait, or a comment after a long silence."""
        try:
            async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                await self._news.wait()
        except TimeoutError:
            return KEEP_ALIVE
        self._news.clear()
        await self.settled()
        data = b"".join(self._queue)
        self._queue.clear()
        return data


async def left(receive: Receive) -> None:
    """Returns when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def abort(scope: Scope) -> None:
    """Drops a connection and what it was to send, where the server offers that; else it is left to the server."""
    dropped = scope.get("state", {}).get("abort")
    if dropped is not None:
        dropped()


class Streams:
    """The open streams, by table and seat."""

    def __init__(self) -> None:
        self._streams: dict[tuple[str, str], list[EventStream]] = {}

    def add(self, key: tuple[str, str], stream: EventStream) -> None:
        """Takes a stream in, and ends the seat's oldest when it has too many."""
        streams = self._streams.setdefault(key, [])
        if len(streams) >= STREAMS_PER_SEAT:
            streams.pop(0).cut()
        streams.append(stream)

    def discard(self, key: tuple[str, str], stream: EventStream) -> None:
        """Lets a stream go; it may have gone before."""
        left_over = [other for other in self._streams.pop(key, []) if other is not stream]
        if left_over:
            self._streams[key] = left_over

    def end(self) -> None:
        """Ends all streams: the server stops."""
        for stream in [stream for streams in self._streams.values() for stream in streams]:
            stream.end()
