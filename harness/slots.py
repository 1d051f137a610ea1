"""Slots: at most so many checks at once, and a place for those that come back from waiting for the clock.

Who returns goes before who has not begun. A check that waits until just before a moment would else find hundreds of
others before it, and see a service refuse rightly what it came too late for.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any


class Slots:
    """At most `count` holders; a holder can step aside while it waits. An asynchronous context manager."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._owed = 0
        self._returning: deque[asyncio.Future[None]] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        await self._take(self._waiting)

    async def __aexit__(self, *_: object) -> None:
        self._give()

    @asynccontextmanager
    async def ahead(self) -> AsyncIterator[None]:
        """Hold a slot, taken before those that have not begun; for few, who could else not begin for long."""
        await self._take(self._returning)
        try:
            yield
        finally:
            self._give()

    async def step_aside(self, wait: Awaitable[Any]) -> None:
        """Give the slot back, wait, and take the next slot that comes free. What `wait` raises passes through."""
        self._give()
        try:
            await wait
            await self._take(self._returning)
        except BaseException:
            self._owed += 1  # the holder has none, and gives it back all the same
            raise

    async def _take(self, queue: deque[asyncio.Future[None]]) -> None:
        if self._free > 0:
            self._free -= 1
            return
        ticket = asyncio.get_running_loop().create_future()
        queue.append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled():
                self._give()  # it came in the same moment
            raise

    def _give(self) -> None:
        if self._owed > 0:
            self._owed -= 1
            return
        for queue in (self._returning, self._waiting):
            while queue:
                ticket = queue.popleft()
                if not ticket.done():
                    ticket.set_result(None)
                    return
        self._free += 1
