"""Answers wait until what they tell is on disk, together."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from reference.byob.durability import Barrier


class SlowDisk:
    """A store whose flushes take until they are let go."""

    def __init__(self) -> None:
        self.appended = 0
        self.flushes: list[int] = []
        self.go = threading.Event()
        self.fails = False

    def flushing(self) -> Callable[[], None]:
        covered = self.appended

        def flush() -> None:
            assert self.go.wait(10)
            self.flushes.append(covered)
            if self.fails:
                raise OSError(5, "Input/output error")

        return flush


def run(test: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test

    asyncio.run(bounded())


def test_nothing_new_is_waited_for() -> None:
    async def test() -> None:
        disk = SlowDisk()
        disk.appended = 3  # before the barrier: read from the disk
        await Barrier(disk).passed()
        assert disk.flushes == []

    run(test())


def test_one_flush_covers_all_that_was_written_before_it_began() -> None:
    async def test() -> None:
        disk = SlowDisk()
        barrier = Barrier(disk)
        disk.appended = 1
        first = asyncio.create_task(barrier.passed())
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # the flush of one batch has begun
        disk.appended = 5
        later = [asyncio.create_task(barrier.passed()) for _ in range(4)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in [first, *later])
        disk.go.set()
        await asyncio.gather(first, *later)
        assert disk.flushes == [1, 5]

    run(test())


def test_who_goes_away_takes_no_flush_from_the_others() -> None:
    async def test() -> None:
        disk = SlowDisk()
        barrier = Barrier(disk)
        disk.appended = 1
        waiting = [asyncio.create_task(barrier.passed()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        disk.go.set()
        await waiting[1]
        assert (waiting[0].cancelled(), disk.flushes) == (True, [1])

    run(test())


def test_a_disk_that_failed_is_never_trusted_again() -> None:
    async def test() -> None:
        disk = SlowDisk()
        disk.go.set()
        barrier = Barrier(disk)
        await barrier.passed()
        disk.appended, disk.fails = 1, True
        for _ in range(2):
            with pytest.raises(OSError, match="Input/output error"):
                await barrier.passed()
        disk.fails = False
        disk.appended = 2
        with pytest.raises(OSError, match="Input/output error"):
            await barrier.passed()
        assert disk.flushes == [1]

    run(test())
