"""How long a check may take: its deadline, in which neither waits for the clock nor answers that came are counted.

A service may take its time for every answer. Each has a time limit of its own, so a check of many requests to a slow
service is no sign of a fault; what has to end in time is everything else.
"""

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import Any

from harness.errors import TargetFault, Untested, Verdict

MOST_FOR_ANSWERS = 240.0  # seconds that answers may take beyond the deadline, all together


class Patience:
    """The time of one check; an asynchronous context manager that raises TimeoutError when it is over.

    Args:
        seconds: the check's deadline.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.time()
        self._timeout = asyncio.timeout(seconds)
        self._aside = self._answers = 0.0
        self._waits = 0
        self._running = False

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._running = True

    async def __aexit__(
        self, sort: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running = False
        await self._timeout.__aexit__(sort, problem, trace)

    @property
    def over(self) -> bool:
        """Whether the time ran out."""
        return self._timeout.expired()

    async def aside(self, wait: Awaitable[Any]) -> None:
        """Await something that takes none of the time, a wait for the clock with the wait for a slot after it."""
        begun = self._loop.time()
        self._waits += 1
        self._reschedule()
        try:
            await wait
        finally:
            self._waits -= 1
            self._aside += self._loop.time() - begun
            self._reschedule()

    def answered(self, seconds: float) -> None:
        """Take note that an answer came, and how long it took."""
        self._answers += seconds
        self._reschedule()

    def verdict(self) -> Verdict:
        """Return what a check shows whose time ran out."""
        if self._answers > MOST_FOR_ANSWERS:
            return Untested(f"the target answers too slowly for this check: its answers took {self._answers:.0f} s")
        return TargetFault(f"the check did not end within {self._seconds:g} s")

    def _reschedule(self) -> None:
        if not self._running or self._timeout.expired():
            return
        extra = self._aside + min(self._answers, MOST_FOR_ANSWERS)
        self._timeout.reschedule(None if self._waits else self._begun + self._seconds + extra)
