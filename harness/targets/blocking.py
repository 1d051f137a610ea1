"""A live service behind plain calls, for fuzzing: the drivers of this package on an event loop of their own.

What comes back is collected as it comes, also what nothing waits for. A reply may take as long as the command line
says; once the service has been silent for that long, it gets only many times what it took before, so that the search
for the smallest input does not spend all its time on waiting.
"""

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any

from fuzz.stops import Gone
from fuzz.targets import Seen
from harness.errors import TargetGone, Verdict
from harness.targets.base import Connection, Frame, Junk, Target
from harness.targets.http import NDJSON_REQUEST, HttpConnection
from harness.targets.streams import StreamConnection

PAUSE = 0.0005
"""Seconds between two pieces, so that they do not arrive as one."""

MOST_PAUSES = 5
"""After so many pieces the rest goes out as fast as it can: a pause costs more than everything else."""

LAST_WORDS = 0.25
"""Seconds that are waited for what comes after the input has ended."""

RENEWED = {"tcp": 20, "tls": 200, "stdio": 500, "http": 200}
"""After so many examples a connection is left: what is wrong with an example ought to show on a new one."""

PATIENT = 50
"""A reply may take so many times as long as the slowest did, after one has not come at all."""

LEAST_PATIENCE = 0.5
NO_ANSWER = "it answered nothing any more, not even a HELLO on a new connection"


class _Ear:
    """Keeps what comes on a connection until it is taken."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.junk: list[str] = []
        self.news = asyncio.Event()

    def sent(self, connection: str, data: bytes) -> None:
        """Nothing is kept of what is sent."""

    def received(self, connection: str, frame: Frame) -> None:
        """Keep a frame."""
        self.frames.append(frame.value)
        self.news.set()

    def spoiled(self, connection: str, junk: Junk) -> None:
        """Keep what is no frame; a blank line is of no account."""
        if junk.sort != "blank":
            self.junk.append(junk.problem)
            self.news.set()

    def take(self, *, closed: bool, status: int = 0, exit_code: int | None = None) -> Seen:
        """Return what has come since the last time."""
        made = Seen(tuple(self.frames), tuple(self.junk), closed, status, exit_code)
        self.frames, self.junk = [], []
        return made

    def has(self, awaited: Collection[str], more: int) -> bool:
        """Whether there is a final reply to each of these ids, and so many others."""
        finals = [frame.get("re") for frame in self.frames if frame.get("kind") != "EVENT"]
        named = [each for each in finals if isinstance(each, str) and each in awaited]
        return set(named) == set(awaited) and len(finals) - len(named) >= more


class BlockingWire:
    """A `fuzz.targets.Wire` over one transport.

    Args:
        target: the transport.
        patience: seconds that a reply may take.
        runner: the event loop that everything runs on.
        large: whether frames around 1 MiB may be sent.
        revive: kills the service and starts it again, where somebody can.
    """

    def __init__(
        self,
        target: Target,
        patience: float,
        runner: asyncio.Runner,
        *,
        large: bool,
        revive: Callable[[], None] | None = None,
    ) -> None:
        self.streams, self.large = target.transport != "http", large
        self._target, self._patience, self._runner, self._revive = target, patience, runner, revive
        self._ear = _Ear()
        self._connection: Connection | None = None
        self._tried = 0
        self._slowest = 0.0
        self._silent = False

    def begin(self, *, fresh: bool) -> bool:
        """See `Wire.begin`."""
        if fresh or self._tried >= RENEWED[self._target.transport]:
            self.close()
        self._tried += 1
        return self._connection is None

    def send(self, pieces: Sequence[bytes], awaited: Collection[str], more: int = 0) -> Seen:
        """See `Wire.send`; raises Gone when no connection can be made."""
        seen = self._runner.run(self._send(pieces, awaited, more))
        if seen.closed:
            self.close()
        return seen

    def finish(self) -> Seen | None:
        """See `Wire.finish`."""
        return self._runner.run(self._finish())

    def silent(self) -> str:
        """See `Live.silent`; every connection to a child is a child of its own, which says nothing of the others."""
        if self._target.transport == "stdio":
            return ""
        name = f"probe-{secrets.token_hex(8)}"
        hello = json.dumps({"yea": 1, "id": name, "verb": "HELLO"}).encode()
        self.close()
        try:
            seen = self.send([hello + b"\n" if self.streams else hello], [name])
        except Gone as problem:
            return str(problem)
        finally:
            self.close()
        return "" if seen.frames or seen.status or (seen.junk and self.streams) else NO_ANSWER

    def revive(self) -> bool:
        """See `Live.revive`."""
        if self._revive is None:
            return False
        self.close()
        self._revive()
        self._silent = False
        return True

    def close(self) -> None:
        """Leave the connection, if there is one."""
        connection, self._connection, self._tried = self._connection, None, 0
        if connection is not None:
            self._runner.run(connection.close())

    async def _send(self, pieces: Sequence[bytes], awaited: Collection[str], more: int) -> Seen:
        if self._connection is None:
            self._ear = _Ear()
            try:
                self._connection = await self._target.connect(self._ear, "fuzz")
            except Verdict as problem:
                raise Gone(problem.why) from None
            self._ear.take(closed=False)
        if isinstance(self._connection, StreamConnection):
            return await self._stream(self._connection, pieces, awaited, more)
        assert isinstance(self._connection, HttpConnection)  # noqa: S101 - there are no others
        return await self._post(self._connection, pieces)

    async def _stream(
        self, connection: StreamConnection, pieces: Sequence[bytes], awaited: Collection[str], more: int
    ) -> Seen:
        began = time.monotonic()
        try:
            async with asyncio.timeout(self._may_take()):
                await self._write(connection, pieces)
                while not (self._ear.has(awaited, more) or connection.closed):
                    self._ear.news.clear()
                    await self._news(connection)
        except TimeoutError:
            self._silent = self._silent or not self._ear.has(awaited, 0)
        else:
            self._slowest = max(self._slowest, time.monotonic() - began)
        return self._ear.take(closed=connection.closed, exit_code=await connection.exit_code())

    async def _write(self, connection: StreamConnection, pieces: Sequence[bytes]) -> None:
        for index, piece in enumerate(pieces):
            if index:
                await asyncio.sleep(PAUSE if index <= MOST_PAUSES else 0)
            if connection.closed:
                return
            await connection.write(piece)

    async def _news(self, connection: StreamConnection) -> None:
        """Wait until something comes, or the other side hangs up."""
        heard = asyncio.ensure_future(self._ear.news.wait())
        ended = asyncio.ensure_future(connection.wait_closed())
        try:
            await asyncio.wait((heard, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (heard, ended):
                each.cancel()

    def _may_take(self) -> float:
        if not self._silent:
            return self._patience
        return min(self._patience, max(LEAST_PATIENCE, PATIENT * self._slowest))

    async def _post(self, connection: HttpConnection, pieces: Sequence[bytes]) -> Seen:
        length = str(sum(map(len, pieces)))
        body = pieces[0] if len(pieces) == 1 else _slowly(pieces)
        try:
            exchange = await connection.raw(body, headers={**NDJSON_REQUEST, "Content-Length": length})
        except TargetGone as problem:
            raise Gone(problem.why) from None
        return self._ear.take(closed=False, status=exchange.http.status if exchange.http else 0)

    async def _finish(self) -> Seen | None:
        connection = self._connection
        if not isinstance(connection, StreamConnection) or not await connection.finish():
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                await connection.wait_closed()
        return self._ear.take(closed=True, exit_code=await connection.exit_code())


async def _slowly(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        await asyncio.sleep(PAUSE)
        yield piece
