"""Bodies of HTTP responses, piece by piece and bounded: kept as they are, or read as frames and never held whole."""

import contextlib
from collections.abc import AsyncIterator

from harness import limits
from harness.encoding import read_line
from harness.targets.base import Clock, Exchange, Frame, Junk, Watcher
from harness.targets.streams import CHUNK, Lines

OK = 200
REDIRECTS = range(300, 400)


class TooMuch(Exception):
    """A body passed a bound; `str()` says which."""


class Kept:
    """Takes a body that is kept as it is."""

    cap = limits.PAGE_CAP

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def take(self, chunk: bytes) -> None:
        """Keep a piece."""
        self.parts.append(chunk)


class Frames:
    """Takes the body of an answer as lines, and reads each as a frame when it is whole.

    An answer with another status than 200 breaks YEA 2.4 once, so a reply in it is read all the same: what it says is
    judged by its own rules. Whatever else such a body holds (a proxy's page, say) is no frame and no junk.

    Args:
        exchange: where frames and junk go; a redirect is not read.
        watcher, label: who is told of them, and the connection's name there.
        clock: unix seconds.
    """

    cap = limits.CONNECTION_CAP

    def __init__(self, exchange: Exchange, watcher: Watcher, label: str, clock: Clock) -> None:
        self._exchange, self._watcher, self._label, self._clock = exchange, watcher, label, clock
        self._lines = Lines()
        self._count = 0

    @property
    def _status(self) -> int:
        return self._exchange.http.status if self._exchange.http is not None else 0

    def take(self, chunk: bytes) -> None:
        """Read the lines that a piece completes; raises TooMuch."""
        if self._status == 0 or self._status in REDIRECTS:
            return
        for kept, size in self._lines.feed(chunk):
            self._count += 1
            if self._count > limits.FRAMES_CAP:
                raise TooMuch(f"a body of over {limits.FRAMES_CAP:,} lines")
            self._line(kept, size)

    def end(self) -> None:
        """Read what the body ended with, a line without a newline."""
        if self._lines.pending:
            with contextlib.suppress(TooMuch):  # it is the last
                self.take(b"\n")

    def _line(self, kept: bytes, size: int) -> None:
        if not kept.strip(b" \t\r"):
            return
        if size > len(kept) and self._status == OK:
            self._spoil(
                Junk(f"a line of {size} bytes, over the limit of {limits.FRAME_LIMIT}", b"", self._clock(), "long")
            )
            return
        read = read_line(kept, self._clock(), self._status)
        if self._status != OK and not _is_reply(read):
            return
        if isinstance(read, Frame):
            self._exchange.frames.append(read)
            self._watcher.received(self._label, read)
            return
        if read.sort == "flood":
            raise TooMuch(read.problem)
        if len(self._exchange.junk) >= limits.JUNK_CAP:
            raise TooMuch(f"a body of over {limits.JUNK_CAP:,} lines that are no frames")
        self._spoil(read)

    def _spoil(self, junk: Junk) -> None:
        self._exchange.junk.append(junk)
        self._watcher.spoiled(self._label, junk)


def _is_reply(read: Frame | Junk) -> bool:
    """Whether it is a YEA frame beyond doubt: `re` and `kind` are strings."""
    return isinstance(read, Frame) and isinstance(read.value.get("re"), str) and bool(read.kind)


async def read_body(pieces: AsyncIterator[bytes], sink: Kept | Frames) -> None:
    """Hand a body on; raises TooMuch when it is longer than the sink's cap."""
    size = 0
    async for piece in pieces:
        size += len(piece)
        if size > sink.cap:
            raise TooMuch(f"a body over {sink.cap >> 20} MiB")
        for start in range(0, len(piece), CHUNK):  # one of newlines alone has millions of lines
            sink.take(piece[start : start + CHUNK])
