"""How far a campaign is, for the person who waits: one line on a terminal, and elsewhere one now and then."""

import os
import time
from collections.abc import Callable
from typing import TextIO

REDRAWN = 0.2
"""Seconds between two lines on a terminal, which are drawn over each other."""

SAID = 10.0
"""Seconds between two lines elsewhere."""


def pace(examples: int, seconds: float) -> str:
    """Return how many examples there were in a second, with a decimal below 10."""
    rate = examples / seconds if seconds else 0.0
    return f"{rate:,.0f} a second" if rate >= 9.95 else f"{rate:.1f} a second"


class FuzzProgress:
    """Shows how many examples were tried, and how many a second. It is fed counts, so nothing comes from a target.

    Args:
        stream: standard error, as a rule.
        clock: seconds.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._drawn = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._begun = self._last = clock()
        self._tried = 0
        self._on_screen = False

    def tick(self, more: int) -> None:
        """Count further examples, and show the line if it is time."""
        self._tried += max(more, 0)
        now = self._clock()
        if now - self._last < (REDRAWN if self._drawn else SAID):
            return
        self._last = now
        line = f"fuzz: {self._tried:,} examples, {pace(self._tried, now - self._begun)}"
        self._stream.write(f"\r{line}\x1b[K" if self._drawn else f"{line}\n")
        self._stream.flush()
        self._on_screen = self._drawn

    def clear(self) -> None:
        """Take the line away, so that others can be written."""
        if self._on_screen:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._on_screen = False
