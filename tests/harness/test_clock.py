"""The virtual clock: time jumps to the next timer, and only while everything waits."""

import asyncio

import pytest

from harness.clock import EPOCH, Deadlock, run_virtual, virtual_now


def test_an_hour_passes_in_a_moment() -> None:
    async def main() -> list[tuple[str, float]]:
        log = []

        async def sleeper(name: str, seconds: float) -> None:
            await asyncio.sleep(seconds)
            log.append((name, virtual_now() - EPOCH))

        await asyncio.gather(sleeper("b", 3600), sleeper("a", 60), sleeper("c", 3600.5))
        return log

    assert run_virtual(main()) == [("a", 60.0), ("b", 3600.0), ("c", 3600.5)]


def test_time_stands_still_while_anything_runs() -> None:
    async def main() -> float:
        sleeping = asyncio.create_task(asyncio.sleep(1))
        for _ in range(1000):
            await asyncio.sleep(0)
        before = virtual_now() - EPOCH
        await sleeping
        return before

    assert run_virtual(main()) == 0.0


def test_timeouts_use_virtual_time() -> None:
    async def main() -> float:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(900):
                await asyncio.Event().wait()
        return asyncio.get_running_loop().time()

    assert run_virtual(main()) == 900.0


def test_waiting_for_what_can_never_happen_is_an_error() -> None:
    async def main() -> None:
        await asyncio.Event().wait()

    with pytest.raises(Deadlock):
        run_virtual(main())


def test_virtual_time_needs_the_virtual_loop() -> None:
    async def main() -> None:
        virtual_now()

    with pytest.raises(TypeError):
        asyncio.run(main())
