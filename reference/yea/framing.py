"""Newline-delimited frames out of a byte stream (YEA 2.1, 2.3).

No I/O and no JSON here: bytes go in as they arrive, whole lines come out. A line over the limit is
reported once, at the byte that passes it, and dropped up to its newline without being held.
"""

from dataclasses import dataclass, field

MAX_FRAME = 1024 * 1024
"""The longest frame in bytes, its newline not counted (YEA 2.1)."""

STARTS = 1024
"""Bytes that are kept of a line over the limit."""


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line, without its newline."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Oversize:
    """A line has just passed the limit. The rest of it is dropped.

    start: its first kibibyte, from which a receiver may guess what it was; no part of what makes two of these equal.
    """

    limit: int
    start: bytes = field(default=b"", compare=False, repr=False)


class FrameSplitter:
    """Splits one stream. Holds at most `limit` bytes between calls, and does linear work."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        """Takes the largest number of bytes a line may have, its newline not counted."""
        self.limit = limit
        self._held = bytearray()
        self._dropping = False

    @property
    def pending(self) -> int:
        """How many bytes of an unfinished line are held. A dropped line holds none."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """What these bytes complete, in order. Any split of a stream into calls gives the same whole."""
        events: list[Line | Oversize] = []
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._take(piece, events)
            if not self._dropping:
                events.append(Line(bytes(self._held)))
            self._held.clear()
            # YEA 2.1: the stream stays usable after the rejection
            self._dropping = False
        self._take(rest, events)
        return events

    def _take(self, piece: bytes, events: list[Line | Oversize]) -> None:
        if self._dropping:
            return
        if len(self._held) + len(piece) > self.limit:
            # YEA 2.1: reject without buffering it whole
            kept = min(STARTS, self.limit)
            events.append(Oversize(self.limit, (bytes(self._held[:kept]) + piece[:kept])[:kept]))
            self._dropping = True
            self._held.clear()
            return
        self._held += piece
