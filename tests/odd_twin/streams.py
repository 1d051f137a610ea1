"""The twin on a stream: lines in, frames out in small pieces, requests side by side (YEA 2.1 to 2.3)."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.odd_twin.oddity import MIB, Frame, pieces

if TYPE_CHECKING:
    from tests.odd_twin.twin import Twin


class Lines:
    """Splits bytes into lines; one that passes 1 MiB is dropped as it comes and shows up as None at its newline."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Return the lines that these bytes complete."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._take(piece)
            yield None if self._over else bytes(self._held)
            self._held.clear()
            self._over = False
        self._take(rest)

    def _take(self, piece: bytes) -> None:
        self._over = self._over or len(self._held) + len(piece) > MIB
        if self._over:
            self._held.clear()
        else:
            self._held += piece


class Connection:
    """One stream."""

    def __init__(self, twin: "Twin", writer: Any, clock: Any) -> None:
        self.twin, self.writer, self.clock = twin, writer, clock
        self.in_flight = 0
        self.idle = asyncio.Event()
        self.idle.set()
        self._lock = asyncio.Lock()

    async def send(self, frame: Frame) -> None:
        """Write a frame in pieces; what the other side no longer reads is dropped."""
        data = self.twin.wardrobe.encode(frame) + b"\n"
        async with self._lock:
            try:
                for piece in pieces(data):
                    self.writer.write(piece)
                    await self.writer.drain()
                    await asyncio.sleep(0)
            except (ConnectionError, RuntimeError):
                self.writer.close()

    async def line(self, line: bytes) -> bool:
        """Handle a line; returns whether to read on."""
        frame = self.twin.read(line)
        if frame is None:
            manner = self.twin.settings.non_frames
            if manner == "answer":
                await self.send(self.twin.not_a_frame())
            return manner != "close"
        if self.in_flight >= self.twin.settings.in_flight:
            await self.send(self.twin.busy(frame))
            return True
        self.in_flight += 1
        self.idle.clear()
        self.twin.start(self._answer(frame))
        return True

    async def _answer(self, frame: Frame) -> None:
        async def send(reply: Frame) -> None:
            if reply["kind"] != "EVENT":
                self.in_flight -= 1
            await self.send(reply)

        await self.twin.handle(frame, self.clock, send)
        if not self.in_flight:
            self.idle.set()


async def serve(twin: "Twin", reader: Any, writer: Any, clock: Any) -> None:
    """Serve one stream until its end, and answer what is in flight before closing."""
    connection = Connection(twin, writer, clock)
    try:
        if await _read(connection, reader):
            await connection.idle.wait()
    finally:
        writer.close()


async def _read(connection: Connection, reader: Any) -> bool:
    """Handle every line; returns whether the other side ended the stream, and not the twin."""
    lines = Lines()
    while data := await reader.read(32768):
        for line in lines.feed(data):
            if line is None:
                await connection.send(connection.twin.not_a_frame("that line is longer than 1 MiB"))
            elif not await connection.line(line):
                return False
    return True
