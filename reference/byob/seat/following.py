"""Waking up: one task that follows a seat's events, reconnects when they break off, and sets a flag (BYOB 2).

Events are wake-ups and may be lost: whoever waits reads the projection by its cursor, also when nothing came for long.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from typing import Final

from reference.byob.seat.client import Seat
from reference.byob.seat.errors import SeatError, Unreachable
from reference.byob.seat.reading import Projection

FIRST_DELAY: Final = 0.2
LONGEST_DELAY: Final = 15.0
POLL_SECONDS: Final = 30.0
"""Without a wake-up for so long, the projection is read all the same."""


def delays(chance: Callable[[], float] = random.random) -> Iterator[float]:
    """Seconds to wait before each new try: doubled each time up to 15, and spread, so that seats come back apart.

    chance: a number from 0 to below 1.
    """
    delay = FIRST_DELAY
    while True:
        yield delay * (0.5 + chance() / 2)
        delay = min(delay * 2, LONGEST_DELAY)


@contextlib.asynccontextmanager
async def following(
    seat: Seat, *, chance: Callable[[], float] = random.random, on_lost: Callable[[str], None] = lambda _: None
) -> AsyncIterator[asyncio.Event]:
    """A flag that is set whenever there may be something new, while this lasts.

    on_lost: is told why the events broke off, once for each time.
    """
    awake = asyncio.Event()
    task = asyncio.create_task(_follow(seat, awake, chance, on_lost))
    try:
        yield awake
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def readings(
    seat: Seat,
    *,
    since: int = 0,
    chance: Callable[[], float] = random.random,
    on_lost: Callable[[str], None] = lambda _: None,
) -> AsyncGenerator[Projection, None]:
    """The projections of a table from a cursor on: one at once, then one after each wake-up, also a needless one.

    What cannot be reached is tried again, for as long as this is asked. Raises Refused and BadAnswer.
    """
    waits = delays(chance)
    async with following(seat, chance=chance, on_lost=on_lost) as awake:
        while True:
            awake.clear()
            try:
                projection = await seat.projection(since)
            except Unreachable as problem:
                on_lost(str(problem))
                await asyncio.sleep(next(waits))
                continue
            since, waits = projection.cursor, delays(chance)
            yield projection
            await nap(awake)


async def nap(awake: asyncio.Event) -> None:
    """Wait for a wake-up, but not for ever: delivery is at most once (BYOB 2)."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(POLL_SECONDS):
            await awake.wait()


async def _follow(
    seat: Seat, awake: asyncio.Event, chance: Callable[[], float], on_lost: Callable[[str], None]
) -> None:
    waits = delays(chance)
    while True:
        try:
            async with seat.events() as names:
                async for _ in names:
                    # The first one is hello: what came while nobody listened is read now.
                    awake.set()
                    waits = delays(chance)
            on_lost("the host ended its events")
        except SeatError as problem:
            on_lost(str(problem))
        await asyncio.sleep(next(waits))
        awake.set()
