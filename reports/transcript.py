"""What was said between naysayer and a target during one check: a bounded list of events.

An event keeps the start of its text and the full count of its bytes. `Recorder` collects events while a
check runs, masks them, and keeps the first and the last when there are too many. `render` shows them as
lines of text that are safe in a terminal.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reports.text import LONG, SHORT, cut, plain

MAX_EVENTS: Final = 200
"""Events kept of one check: the first half and the last half of them."""


MAX_TEXT: Final = 32 * 1024
"""Characters kept of one check before each further event is cut to `SHORT`."""


BROKEN: Final = "✗ "
"""How a note begins that marks where in the exchange an expectation was not met."""


class Direction(StrEnum):
    """Which way an event went. A note is naysayer's own remark."""

    SENT = "sent"
    RECEIVED = "received"
    NOTE = "note"


@dataclass(frozen=True)
class Event:
    """One thing sent, received or noted.

    `at` is in seconds since the check began, `conn` names the connection ("" for a note that belongs to
    none), `text` is cut as `text.cut` cuts, `bytes` is the size on the wire before the cut.
    """

    at: float
    dir: Direction
    conn: str
    text: str
    bytes: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "conn", cut(self.conn, SHORT))
        object.__setattr__(self, "text", cut(self.text))


class Recorder:
    """Collects the events of one check.

    `clock` returns seconds and may start anywhere; `mask` is applied to each text before it is cut, so that
    no half of a secret remains.
    """

    def __init__(
        self, clock: Callable[[], float], *, mask: Callable[[str], str] = str, limit: int = MAX_EVENTS
    ) -> None:
        if limit < 2:
            raise ValueError("a transcript keeps at least two events")
        self._clock = clock
        self._start = clock()
        self._mask = mask
        self._room = limit // 2
        self._first: list[Event] = []
        self._last: deque[Event] = deque(maxlen=limit - self._room)
        self._dropped = 0
        self._spent = 0

    def sent(self, conn: str, data: str | bytes) -> None:
        """Record what naysayer sent."""
        self._add(Direction.SENT, conn, data)

    def received(self, conn: str, data: str | bytes) -> None:
        """Record what the target sent."""
        self._add(Direction.RECEIVED, conn, data)

    def note(self, text: str, conn: str = "") -> None:
        """Record a remark of naysayer's own, such as "closed by the target"."""
        self._add(Direction.NOTE, conn, text)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was kept, in order; where events were dropped, a note says how many."""
        if not self._dropped:
            return (*self._first, *self._last)
        gap = Event(self._last[0].at, Direction.NOTE, "", f"[{self._dropped:,} events left out]", 0)
        return (*self._first, gap, *self._last)

    def _add(self, direction: Direction, conn: str, data: str | bytes) -> None:
        if isinstance(data, bytes):
            size, text = len(data), data.decode("utf-8", "backslashreplace")
        else:
            size, text = len(data.encode("utf-8", "surrogatepass")), data
        at = max(0.0, round(self._clock() - self._start, 6))
        text = cut(self._mask(text), LONG if self._spent < MAX_TEXT else SHORT)
        self._spent += len(text)
        event = Event(at, direction, conn, text, 0 if direction is Direction.NOTE else size)
        if len(self._first) < self._room:
            self._first.append(event)
            return
        self._dropped += len(self._last) == self._last.maxlen
        self._last.append(event)


_SIGNS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}


def render(events: Iterable[Event], *, limit: int = 2000, indent: str = "") -> list[str]:
    """One line an event: seconds, direction, connection, text; each text at most `limit` characters.

    The lines hold nothing that a terminal obeys.
    """
    lines = []
    for event in events:
        size = "" if event.dir is Direction.NOTE else f" ({event.bytes:,} bytes)"
        conn = f" {plain(event.conn, SHORT)}" if event.conn else ""
        text = plain(event.text.removesuffix("\n"), limit)
        lines.append(f"{indent}{event.at:8.3f} {_SIGNS[event.dir]}{conn}{size}: {text}")
    return lines
