"""Slots: never more holders than slots, and who comes back from waiting goes first."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from harness.clock import run_virtual
from harness.slots import Slots


class Log:
    """What a few holders did, and how many held a slot at once."""

    def __init__(self, count: int) -> None:
        self.slots = Slots(count)
        self.holding = self.most = 0
        self.order: list[str] = []

    async def hold(self, name: str, *seconds: float) -> None:
        """Work for the first time given, wait aside for the second, work for the third, and so on."""
        async with self.slots:
            for number, each in enumerate(seconds):
                if number % 2:
                    await self.slots.step_aside(asyncio.sleep(each))
                self.holding += number % 2 == 0
                self.most = max(self.most, self.holding)
                if number % 2 == 0:
                    self.order.append(f"{name}@{asyncio.get_running_loop().time():g}")
                    await asyncio.sleep(each)
                    self.holding -= 1


def run(count: int, *holders: Callable[[Log], Awaitable[None]]) -> Log:
    async def main() -> Log:
        log = Log(count)
        await asyncio.gather(*(holder(log) for holder in holders))
        return log

    return run_virtual(main())


def worker(name: str, *seconds: float) -> Callable[[Log], Awaitable[None]]:
    return lambda log: log.hold(name, *seconds)


def test_at_most_so_many_hold_a_slot_and_they_come_in_order() -> None:
    log = run(2, *(worker(name, 1) for name in "abcde"))
    assert (log.most, log.order) == (2, ["a@0", "b@0", "c@1", "d@1", "e@2"])


def test_a_slot_is_free_while_its_holder_waits() -> None:
    log = run(1, worker("a", 1, 10, 1), worker("b", 1), worker("c", 1))
    assert (log.most, log.order) == (1, ["a@0", "b@1", "c@2", "a@11"])


def test_who_returns_goes_before_who_has_not_begun() -> None:
    log = run(1, worker("a", 0, 2.5, 1), *(worker(f"w{number}", 1) for number in range(50)))
    assert log.most == 1
    assert log.order[:6] == ["a@0", "w0@0", "w1@1", "w2@2", "a@3", "w3@4"]


def test_those_who_return_keep_their_order() -> None:
    log = run(1, worker("a", 0, 3, 1), worker("b", 0, 2, 1), worker("c", 5), worker("d", 1))
    assert log.order == ["a@0", "b@0", "c@0", "b@5", "a@6", "d@7"]


def test_a_cancelled_holder_leaves_its_slot_wherever_it_was() -> None:
    async def main() -> list[str]:
        log = Log(1)
        wheres = {
            "working": log.hold("working", 100),
            "aside": log.hold("aside", 0, 100),
            "queueing": log.hold("queueing", 100),
            "returning": log.hold("returning", 0, 1, 100),
        }
        last = ["aside", "returning", "working", "queueing"]
        tasks = [asyncio.ensure_future(wheres[name]) for name in last]
        await asyncio.sleep(5)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(end, asyncio.CancelledError) for end in ended)
        log.order.clear()
        await asyncio.gather(*(log.hold(str(number), 1) for number in range(3)))
        return log.order

    assert run_virtual(main()) == ["0@5", "1@6", "2@7"]


def test_a_ticket_that_comes_with_the_cancellation_is_passed_on() -> None:
    async def main() -> list[str]:
        log = Log(1)
        async with log.slots:
            first = asyncio.ensure_future(log.hold("first", 1))
            second = asyncio.ensure_future(log.hold("second", 1))
            await asyncio.sleep(1)
        first.cancel()  # its ticket is there already
        await asyncio.gather(first, second, return_exceptions=True)
        return log.order

    assert run_virtual(main()) == ["second@1"]


def test_what_the_wait_raises_passes_through_and_costs_no_slot() -> None:
    async def failing() -> None:
        await asyncio.sleep(1)
        raise LookupError("gone")

    async def main() -> list[str]:
        log = Log(1)
        for _ in range(3):
            with pytest.raises(LookupError):
                async with log.slots:
                    await log.slots.step_aside(failing())
        await asyncio.gather(log.hold("a", 1), log.hold("b", 1))
        return log.order

    assert run_virtual(main()) == ["a@3", "b@4"]


def test_a_slot_can_be_taken_before_those_that_have_not_begun() -> None:
    async def ahead(log: Log) -> None:
        await asyncio.sleep(0.5)
        async with log.slots.ahead():
            log.order.append(f"ahead@{asyncio.get_running_loop().time():g}")
            await asyncio.sleep(1)

    log = run(1, *(worker(name, 1) for name in "abc"), ahead)
    assert log.order == ["a@0", "ahead@1", "b@2", "c@3"]
