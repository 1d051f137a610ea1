"""Group commit: an answer waits until all that it may tell of is on disk, and many answers share one wait.

A disk takes milliseconds to make a write durable. Waiting for it inside the event loop would make every table wait for
every post. So a store that can, writes at once and in order, and is asked for the flush afterwards: one flush, in a
thread, covers all that was written before it began. What is written meanwhile is covered by the next.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol


class Deferring(Protocol):
    """A store that writes at once and flushes when asked."""

    appended: int
    """How many batches were ever appended."""

    def flushing(self) -> Callable[[], None]:
        """A function that makes durable what has been appended so far. It may run in another thread.

        It raises OSError when that fails.
        """


class Barrier:
    """Where answers wait for the disk."""

    def __init__(self, store: Deferring) -> None:
        self._store = store
        self._durable = store.appended
        self._flush: asyncio.Task[None] | None = None
        self._broken: OSError | None = None

    async def passed(self) -> None:
        """Returns when all that was appended before the call is on disk; at once, when it is already.

        Raises OSError when the disk failed, then and ever after: what is on it is not known any more.
        """
        wanted = self._store.appended
        while self._durable < wanted:
            if self._broken is not None:
                raise OSError(self._broken.errno, self._broken.strerror)
            if self._flush is None:
                self._flush = asyncio.create_task(self._run())
            await asyncio.shield(self._flush)

    async def _run(self) -> None:
        covered = self._store.appended
        try:
            await asyncio.to_thread(self._store.flushing())
            self._durable = covered
        except OSError as problem:
            self._broken = problem
        finally:
            self._flush = None
