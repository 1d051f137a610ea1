"""Patience: what counts as a check's time, and what it means when it runs out."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from harness.clock import run_virtual
from harness.errors import TargetFault, Untested
from harness.patience import MOST_FOR_ANSWERS, Patience


def ends(script: Callable[[Patience], Awaitable[None]]) -> tuple[float, bool, Patience]:
    """Run a script under a deadline of 60 s; return when it ended, whether its time ran out, and the patience."""

    async def main() -> tuple[float, bool, Patience]:
        patience = Patience(60.0)
        try:
            async with patience:
                await script(patience)
        except TimeoutError:
            return asyncio.get_running_loop().time(), True, patience
        return asyncio.get_running_loop().time(), False, patience

    return run_virtual(main())


async def answers(patience: Patience, count: int, seconds: float) -> None:
    for _ in range(count):
        await asyncio.sleep(seconds)
        patience.answered(seconds)


def test_the_time_runs_out_at_the_deadline() -> None:
    when, out, patience = ends(lambda patience: asyncio.sleep(1000))
    assert (when, out, patience.over) == (60.0, True, True)
    assert isinstance(patience.verdict(), TargetFault)


def test_answers_that_come_take_none_of_the_time() -> None:
    async def script(patience: Patience) -> None:
        await answers(patience, 100, 2.0)
        await asyncio.sleep(59)

    assert ends(script)[:2] == (259.0, False)


def test_after_slow_answers_the_rest_of_the_time_is_left() -> None:
    async def script(patience: Patience) -> None:
        await asyncio.sleep(20)
        await answers(patience, 10, 3.0)
        await asyncio.sleep(1000)

    when, out, patience = ends(script)
    assert (when, out) == (90.0, True)
    assert isinstance(patience.verdict(), TargetFault)


def test_too_slow_answers_end_the_check_without_a_verdict_on_the_target() -> None:
    when, out, patience = ends(lambda patience: answers(patience, 1000, 5.0))
    assert (when, out) == (60.0 + MOST_FOR_ANSWERS, True)
    verdict = patience.verdict()
    assert isinstance(verdict, Untested)
    assert "too slowly" in verdict.why


def test_what_is_waited_for_aside_takes_none_of_the_time() -> None:
    async def script(patience: Patience) -> None:
        await patience.aside(asyncio.sleep(3600))
        await asyncio.gather(patience.aside(asyncio.sleep(10)), answers(patience, 5, 1.0))
        await asyncio.sleep(59)

    assert ends(script)[:2] == (3669.0, False)


@pytest.mark.parametrize("seconds", [0.0, 5.0])
def test_an_answer_after_the_end_changes_nothing(seconds: float) -> None:
    async def script(patience: Patience) -> None:
        await asyncio.sleep(seconds)

    when, out, patience = ends(script)
    patience.answered(1.0)
    assert (when, out) == (seconds, False)
