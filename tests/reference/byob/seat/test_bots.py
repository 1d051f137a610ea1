"""Any callable is a bot, and whatever it does wrong is its own failure."""

import asyncio
from typing import Any

import pytest

from harness.clock import run_virtual
from reference.byob.seat.asking import Ask, BotError
from reference.byob.seat.bots import reply

ASK = Ask("speak", "t", "b", {}, ())


def test_a_plain_function_runs_in_a_thread_and_a_coroutine_function_in_the_loop() -> None:
    async def later(ask: Ask) -> Any:
        return [ask.seat]

    class Made:
        async def __call__(self, ask: Ask) -> Any:
            return ask.table

    async def test() -> None:
        assert await reply(lambda ask: ask.purpose, ASK) == "speak"
        assert await reply(later, ASK) == ["b"]
        assert await reply(Made(), ASK) == "t"

    asyncio.run(test())


def test_what_it_raises_is_told_by_its_kind_only() -> None:
    async def broken(_: Ask) -> Any:
        raise RuntimeError("private")

    async def test() -> None:
        with pytest.raises(BotError) as raised:
            await reply(broken, ASK)
        assert str(raised.value) == "the bot raised RuntimeError"

    run_virtual(test())


def test_one_that_takes_too_long_has_no_reply() -> None:
    async def slow(_: Ask) -> Any:
        await asyncio.sleep(1e9)

    async def test() -> None:
        with pytest.raises(BotError, match="no reply within 120 s"):
            await reply(slow, ASK)

    run_virtual(test())
