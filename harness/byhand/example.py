"""The worked example: two owners, two bots and a judge at one table, from the debate to the verified effect.

A table host runs in this process, and everything goes over its real HTTP. The bots have fixed lines, so that the ledger
comes out the same each time. Jenny's bot knows something that her disclosure rules keep in.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from harness.byhand import entries
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.http_server import HttpServer
from reference.byob.keys import OwnerKey
from reference.byob.seat import Rules, Seat, TableHost
from reference.byob.seat.asking import Ask
from reference.byob.seat.bots import Bot
from reference.byob.seat.following import readings
from reference.byob.seat.joining import talk_only
from reference.byob.seat.runner import Runner
from reference.byob.store import MemoryStore
from reference.yea.transports.tcp import authority, listen

TABLE = "agent-prio-w45"
EFFECT = {"owner": "jenny", "resource": "taskboard", "action": "reorder", "args": {"order": ["#461", "#459"]}}
CARD = {"bot": "jenny's bot", "proxy": False, "capabilities": [{"resource": "taskboard", "actions": ["reorder"]}]}
DENY = ["(?i)project falcon"]

Tell = Callable[[str], None]


def config(keys: dict[str, OwnerKey]) -> dict[str, Any]:
    """The table: a debate of two rounds, which the judge's decision ends (BYOB 3)."""
    return {
        "id": TABLE,
        "topic": "Which issue goes first this week: #459 or #461?",
        "owners": {owner: {"public_key": key.public_key} for owner, key in keys.items()},
        "topology": {"kind": "debate", "pro": "bot-tao", "con": "bot-jenny", "judge": "judge", "rounds": 2},
        "termination": {"any": ["decision"]},
    }


class Lines:
    """A bot that says its lines in turn; a line may be a post."""

    def __init__(self, *lines: Any) -> None:
        self._lines = iter(lines)

    async def __call__(self, ask: Ask) -> Any:
        return next(self._lines)


class JennysBot(Lines):
    """It also executes what changes jenny's taskboard."""

    def __init__(self, *lines: Any) -> None:
        super().__init__(*lines)
        self.board = ["#459", "#461"]

    async def __call__(self, ask: Ask) -> Any:
        if ask.purpose != "execute" or ask.task is None:
            return await super().__call__(ask)
        for effect in ask.task.effects:
            self.board = list(effect["args"]["order"])
        return {"order": self.board}


class Judge(Lines):
    """It also verifies: the order that was reported has to be the one that was asked for."""

    async def __call__(self, ask: Ask) -> Any:
        if ask.purpose != "verify" or ask.task is None or ask.receipt is None:
            return await super().__call__(ask)
        wanted = {"order": ask.task.effects[0]["args"]["order"]}
        return {"result": "pass" if ask.receipt["artifact"] == wanted else "fail", "body": "the order is as decided"}


def bots() -> dict[str, Bot]:
    """The three bots, by seat."""
    return {
        "bot-tao": Lines("#459 first: three other issues wait for it.", "Two of the three are due on Friday."),
        "bot-jenny": JennysBot("#461 first: customers ask for it every day.", "Project Falcon pays for it."),
        "judge": Judge(
            {"kind": "proposal", "body": "Put #461 on top of the taskboard.", "effects": [EFFECT]},
            {"kind": "decision", "body": "#461 goes first: customers wait, and the others are due later."},
        ),
    }


async def play(tell: Tell) -> list[dict[str, Any]]:
    """Play it, and return the whole ledger. tell: gets a line for what a person does."""
    keys = {"tao": OwnerKey.generate(), "jenny": OwnerKey.generate()}
    async with serving() as url, TableHost(url) as host, contextlib.AsyncExitStack() as stack:
        table, admin_token = await host.create(config(keys))
        tell(f"a table host is at {url}; the table is {table}")

        async def seat(name: str, owner: str, rules: Rules | None = None, **more: Any) -> Seat:
            own = await stack.enter_async_context(TableHost(url, rules=rules or Rules()))
            token = await own.join(keys[owner], table=table, seat=name, owner=owner, **more)
            return own.seat(table, name, token)

        human = await seat("jenny", "jenny", kind="human", card=talk_only("jenny herself"))
        seats = [
            await seat("judge", "tao"),
            await seat("bot-jenny", "jenny", Rules(DENY), card=CARD),
            await seat("bot-tao", "tao"),
        ]
        minds = bots()
        runners = [
            Runner(each, minds[each.name], verifies=each.name == "judge", on_event=partial(_named, tell, each.name))
            for each in seats
        ]
        await asyncio.gather(*(runner.run() for runner in runners), approving(human, host, keys["jenny"], tell))
        return await host.ledger(table, admin_token)


def _named(tell: Tell, seat: str, line: str) -> None:
    tell(f"{seat}: {line}")


async def approving(human: Seat, host: TableHost, key: OwnerKey, tell: Tell) -> None:
    """Jenny at her screen: once the table is closed, she approves what would change her taskboard."""
    async with contextlib.aclosing(readings(human)) as following:
        async for projection in following:
            if projection.closed:
                break
    for task in (await human.memory()).tasks:
        tell(f"jenny approves {task.id}: {'; '.join(map(entries.effect, task.effects))}")
        await host.decide(
            key, table=human.table, owner="jenny", task=task.id, decision="approve", reason="fine with me"
        )


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[str]:
    """A table host on a free port of this machine, without a folder. Yields its URL."""
    with listen("127.0.0.1", 0) as bound:
        server = HttpServer(bound, byob_app(Host(MemoryStore()), time.time))
        await server.start()
        try:
            yield f"http://{authority(bound)}"
        finally:
            await server.stop()
