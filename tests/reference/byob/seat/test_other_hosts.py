"""Runners at a host that nobody here would have written so: each freedom of the text by itself, and all at once."""

import asyncio
import contextlib
from typing import Any

import httpx
import pytest

from harness.clock import virtual_now
from harness.targets.asgi import AsgiTransport
from reference.byob.seat import Seat, TableHost
from reference.byob.seat.asking import Ask
from reference.byob.seat.following import readings
from reference.byob.seat.runner import Runner
from reference.byob.seat.wire import Wire
from tests.odd_table import FREEDOMS, OddHost
from tests.reference.byob.seat.sitting import CARD, EFFECT, JENNY, KEYS, TABLE, URL, config, run

OTHER_WORDS = {"participles", "table-in-decision"}
"""Hosts that take an owner's decision in other words than the spec's state machine (BYOB-Q095, Q096)."""

EACH = sorted(FREEDOMS.keys() - OTHER_WORDS)


async def bot(ask: Ask) -> Any:
    """One bot for every seat."""
    if ask.purpose == "execute":
        return {"moved": True}
    if ask.purpose == "verify":
        return "pass"
    decision = {"kind": "decision", "body": "#461", "effects": [EFFECT]}
    return decision if ask.seat == "judge" else f"{ask.seat} speaks, and at some length"


@pytest.mark.parametrize("freedoms", [[], *([word] for word in EACH), EACH], ids=["none", *EACH, "all"])
def test_a_debate_comes_to_its_verified_task(freedoms: list[str]) -> None:
    async def test() -> None:
        transport = AsgiTransport(OddHost(virtual_now, frozenset(freedoms)).app())

        async def seat(name: str, owner: str) -> Seat:
            token = await host.join(KEYS[owner], table=TABLE, seat=name, owner=owner, card=CARD)
            return Seat(Wire(URL, httpx.AsyncClient(transport=transport)), TABLE, name, token)

        async with TableHost(URL, http=httpx.AsyncClient(transport=transport)) as host:
            await host.create(config(floor={"max_chars": 20}, projection={"inline_limit": 10}))
            seats = [await seat("pro", "tao"), await seat("con", "jenny"), await seat("judge", "tao")]
            told: list[str] = []
            runners = [
                asyncio.create_task(Runner(each, bot, verifies=each.name == "judge", on_event=told.append).run())
                for each in seats
            ]
            async with contextlib.aclosing(readings(seats[0])) as projections:
                async for projection in projections:
                    if projection.closed:
                        break
            [task] = (await seats[0].memory()).tasks
            await host.decide(JENNY, table=TABLE, owner="jenny", task=task.id, decision="approve")
            await asyncio.gather(*runners)
            assert (await seats[0].task(task.id)).state == "verified"
            assert told == []

    run(test())
