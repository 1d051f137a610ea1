"""Waking up: events set a flag, and a connection that breaks is made again, each time a little later (BYOB 2)."""

import asyncio
from collections.abc import AsyncIterator
from itertools import islice

import httpx
import pytest

from reference.byob.seat.following import delays, following
from tests.reference.byob.seat.sitting import room, run, seat_at


def test_waits_double_up_to_a_limit_and_are_spread() -> None:
    assert [*islice(delays(lambda: 0.0), 9)] == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 7.5, 7.5]
    assert [*islice(delays(lambda: 1.0), 3)] == [0.2, 0.4, 0.8]
    assert all(0.1 <= next(delays()) < 0.2 for _ in range(100))


def test_an_entry_wakes_and_so_does_the_hello() -> None:
    async def test() -> None:
        async with room() as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny")
            async with following(con) as awake:
                await awake.wait()
                awake.clear()
                await pro.say("hello")
                await awake.wait()

    run(test())


def test_lost_events_are_followed_again_and_each_loss_is_told() -> None:
    asked: list[float] = []

    class Short(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"event: hello\ndata: {}\n\n"

    def answer(_: httpx.Request) -> httpx.Response:
        asked.append(asyncio.get_running_loop().time())
        if len(asked) < 4:
            raise httpx.ConnectError("down")
        return httpx.Response(200, stream=Short(), headers={"content-type": "text/event-stream"})

    async def test() -> None:
        lost: list[str] = []
        async with following(seat_at(answer), chance=lambda: 1.0, on_lost=lost.append) as awake:
            while len(lost) < 6:
                await awake.wait()
                awake.clear()
        assert [round(time, 1) for time in asked[:6]] == [0.0, 0.2, 0.6, 1.4, 1.6, 1.8]  # a hello begins anew
        assert lost[:4] == ["no connection to http://table.invalid/v0.1: down"] * 3 + ["the host ended its events"]

    run(test())


def test_following_ends_with_its_block_and_lets_no_failure_of_ours_pass() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError

    async def test() -> None:
        with pytest.raises(ZeroDivisionError):
            async with following(seat_at(answer)):
                await asyncio.sleep(1)
        assert len(asyncio.all_tasks()) == 1

    run(test())
