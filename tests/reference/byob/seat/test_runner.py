"""A bot in a seat at the reference's table, with a network that fails now and then (BYOB 2, 8, 9)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from reference.byob.seat import BadAnswer, Refused, Rules, Seat
from reference.byob.seat.asking import Ask
from reference.byob.seat.runner import Runner
from tests.reference.byob.seat.sitting import (
    CARD,
    EFFECT,
    JENNY,
    TABLE,
    Room,
    answered,
    projection,
    room,
    run,
    seat_at,
)

DENY = Rules(["sk-[a-z0-9]+"])
SECRET = "sk-abc123"
PROPOSAL = {"kind": "proposal", "body": "reorder", "effects": [EFFECT]}
WITHHELD = "E_DISCLOSURE: the owner's disclosure rule 1 withholds this post; nothing was sent"
MIDDLE = 0.5


class Script:
    """A bot that gives the replies of each purpose in turn, and keeps what it was asked."""

    def __init__(self, **replies: list[Any]) -> None:
        self.replies, self.asks = replies, list[Ask]()

    async def __call__(self, ask: Ask) -> Any:
        self.asks.append(ask)
        left = self.replies.get(ask.purpose)
        reply = left.pop(0) if left else None
        if isinstance(reply, Exception):
            raise reply
        return await reply() if callable(reply) else reply

    def asked(self, purpose: str) -> list[Ask]:
        """What it was asked of one purpose."""
        return [ask for ask in self.asks if ask.purpose == purpose]


class Sitting:
    """A runner at work, and what it told its owner."""

    def __init__(self, seat: Seat, bot: Script, **options: Any) -> None:
        self.bot, self.told = bot, list[str]()

        async def on_loop(ask: Ask) -> Any:  # a coroutine function, so that no thread is needed
            return await bot(ask)

        runner = Runner(seat, on_loop, on_event=self.told.append, chance=lambda: MIDDLE, **options)
        self.task = asyncio.create_task(runner.run())

    async def end(self) -> None:
        """Ends it before its time."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def until(table: Room, kind: str, count: int = 1) -> dict[str, Any]:
    """The entry of this kind or event, once there are so many of it."""
    while True:
        found = [entry for entry in await table.ledger() if kind in (entry["kind"], entry.get("event"))]
        if len(found) >= count:
            return found[count - 1]
        await asyncio.sleep(1)


async def with_floor(table: Room, **options: Any) -> Seat:
    """The seat con with the floor, which may execute."""
    pro, con = await table.join("pro", "tao"), await table.join("con", "jenny", card=CARD, **options)
    await pro.pass_()
    return con


async def with_task(table: Room, **options: Any) -> tuple[Seat, str]:
    """The seat con with an approved task, and the floor passed on."""
    con = await with_floor(table, **options)
    opened = await con.propose("reorder", [EFFECT])
    await con.pass_()
    return con, f"task-{opened['seq']}"


async def reports(table: Room) -> list[tuple[Any, ...]]:
    """What was reported on tasks."""
    kinds = ("status", "receipt", "verify")
    names = ("kind", "state", "result", "artifact", "body")
    entries = [entry for entry in await table.ledger() if entry["kind"] in kinds]
    return [tuple(entry[name] for name in names if name in entry) for entry in entries]


RUNNING = ("status", "running")

# --- a whole table ---------------------------------------------------------------------------------


def test_bots_debate_decide_execute_and_verify() -> None:
    async def test() -> None:
        async with room() as table:
            pro = await table.join("pro", "tao")
            con = await table.join("con", "jenny", card=CARD)
            judge = await table.join("judge", "tao")
            decision = {"kind": "decision", "body": "#461", "effects": [EFFECT]}
            sitting = [
                Sitting(pro, Script(speak=["#459 first"])),
                Sitting(con, Script(speak=["#461 first"], execute=[{"moved": 2}])),
                Sitting(judge, Script(speak=[decision], verify=["pass"]), verifies=True),
            ]
            opened = await until(table, "task_opened")
            async with table.owner() as owner:
                await owner.decide(JENNY, table=TABLE, owner="jenny", task=opened["task"], decision="approve")
            await asyncio.gather(*(each.task for each in sitting))
            kinds = [entry["kind"] for entry in await table.ledger() if entry["kind"] != "system"]
            assert kinds == ["say", "say", "decision", "approval", "status", "receipt", "verify"]
            assert [ask.purpose for ask in sitting[1].bot.asks] == ["speak", "execute"]
            [executed] = sitting[1].bot.asked("execute")
            assert executed.task is not None and executed.task.effects == [EFFECT]
            [verified] = sitting[2].bot.asked("verify")
            assert verified.receipt is not None and verified.receipt["artifact"] == {"moved": 2}
            [judged] = sitting[2].bot.asked("speak")
            assert [entry["body"] for entry in judged.entries if entry["kind"] == "say"] == ["#459 first", "#461 first"]

    run(test())


def test_a_cut_body_is_whole_for_the_bot() -> None:
    async def test() -> None:
        async with room(projection={"inline_limit": 5}) as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny")
            await pro.say("many words")
            sitting = Sitting(con, Script(speak=["ok"]))
            await until(table, "say", 2)
            [ask] = sitting.bot.asks
            assert [entry["body"] for entry in ask.entries if entry["kind"] == "say"] == ["many words"]
            await sitting.end()

    run(test())


# --- withheld posts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [SECRET, {**PROPOSAL, "body": SECRET}, {"kind": "say", "body": "b", "refs": [SECRET]}],
    ids=["say", "proposal", "refs"],
)
def test_a_withheld_post_with_the_floor_becomes_a_pass(reply: Any) -> None:
    async def test() -> None:
        async with room() as table:
            sitting = Sitting(await with_floor(table, rules=DENY), Script(speak=[reply]))
            await until(table, "pass", 2)
            assert table.posted()[1:] == [{"kind": "pass", "body": "Withheld by the owner's disclosure rules."}]
            assert sitting.told == [WITHHELD]
            await sitting.end()

    run(test())


def test_a_withheld_receipt_becomes_a_failed_status() -> None:
    async def test() -> None:
        async with room() as table:
            con, _ = await with_task(table, rules=DENY)
            sitting = Sitting(con, Script(execute=[{"log": SECRET}]))
            await until(table, "status", 2)
            withheld = ("status", "failed", "The result is withheld by the owner's disclosure rules.")
            assert await reports(table) == [RUNNING, withheld]
            assert sitting.told == [WITHHELD]
            await sitting.end()

    run(test())


def test_a_withheld_verdict_is_sent_without_its_note() -> None:
    async def test() -> None:
        async with room() as table:
            con, task = await with_task(table)
            await con.status(task, "running")
            await con.receipt(task, 1)
            judge = await table.join("judge", "tao", rules=DENY)
            sitting = Sitting(judge, Script(speak=[None], verify=[{"result": "fail", "body": SECRET}]), verifies=True)
            await until(table, "verify")
            assert await reports(table) == [RUNNING, ("receipt", 1), ("verify", "fail")]
            assert sitting.told == [WITHHELD]
            await sitting.end()

    run(test())


# --- bots that fail --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "told"),
    [(RuntimeError("x"), "the bot raised RuntimeError"), (7, "a reply to speak is a text, nothing, or a post of")],
)
def test_a_bot_without_an_answer_passes(reply: Any, told: str) -> None:
    async def test() -> None:
        async with room() as table:
            sitting = Sitting(await with_floor(table), Script(speak=[reply]))
            await until(table, "pass", 2)
            assert table.posted()[1:] == [{"kind": "pass", "body": "No answer."}]
            assert [line[: len(told)] for line in sitting.told] == [told]
            await sitting.end()

    run(test())


@pytest.mark.parametrize("reply", [RuntimeError("x"), None, "x" * (1 << 20)])
def test_a_task_without_a_usable_result_has_failed(reply: Any) -> None:
    async def test() -> None:
        async with room() as table:
            con, _ = await with_task(table)
            sitting = Sitting(con, Script(execute=[reply]))
            await until(table, "status", 2)
            assert await reports(table) == [RUNNING, ("status", "failed", "The task could not be executed.")]
            await sitting.end()

    run(test())


def test_a_refused_post_is_told_to_the_bot_which_may_put_it_right() -> None:
    async def test() -> None:
        async with room() as table:
            wrong = {"kind": "say", "body": "b", "to": ["@ghost"]}
            sitting = Sitting(await with_floor(table), Script(speak=[wrong, {**PROPOSAL, "effects": []}, "right"]))
            await until(table, "say")
            assert [ask.refused[:9] for ask in sitting.bot.asks] == ["", "E_ADDRESS", "E_SCHEMA:"]
            await sitting.end()

    run(test())


def test_a_bot_that_never_ends_its_turn_loses_it() -> None:
    async def test() -> None:
        async with room() as table:
            sitting = Sitting(await with_floor(table), Script(speak=[{"kind": "say"}] * 9))
            await until(table, "pass", 2)
            assert len(sitting.bot.asks) == 8
            await sitting.end()

    run(test())


# --- tasks -----------------------------------------------------------------------------------------


def test_a_long_execution_is_kept_from_stalling() -> None:
    async def test() -> None:
        async with room(watchdog={"heartbeat_ms": 30_000}) as table:
            con, task = await with_task(table)
            sitting = Sitting(con, Script(execute=[lambda: asyncio.sleep(100, {"done": True})]))
            await until(table, "receipt")
            assert await reports(table) == [RUNNING] * 5 + [("receipt", {"done": True})]
            assert (await con.task(task)).state == "reported"
            await sitting.end()

    run(test())


def test_a_result_of_a_task_that_stalled_meanwhile_is_reported_after_resuming_it() -> None:
    async def test() -> None:
        async with room(watchdog={"heartbeat_ms": 5_000}) as table:
            con, task = await with_task(table)
            sitting = Sitting(con, Script(execute=[lambda: asyncio.sleep(15, "done")]))
            await until(table, "receipt")
            assert (await con.task(task)).state == "reported"
            assert [entry["state"] for entry in await table.ledger() if entry.get("event") == "task_state"] == [
                "stalled"
            ]
            await sitting.end()

    run(test())


def test_a_task_that_an_earlier_run_had_begun_is_not_executed_again() -> None:
    async def test() -> None:
        async with room() as table:
            con, task = await with_task(table)
            await con.status(task, "running")
            sitting = Sitting(con, Script())
            await until(table, "status", 2)
            assert (await reports(table))[1] == (
                "status",
                "failed",
                "The execution was interrupted, and is not begun a second time.",
            )
            assert sitting.bot.asked("execute") == []
            await sitting.end()

    run(test())


def test_after_the_table_is_closed_an_open_task_is_waited_for() -> None:
    async def test() -> None:
        async with room() as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny", card=CARD)
            opened = await pro.propose("reorder", [EFFECT])
            async with table.owner() as owner:
                await owner.close_table(TABLE, table.admin, "enough")
                sitting = Sitting(con, Script(execute=["done"]))
                idle = Sitting(pro, Script())
                await idle.task
                await asyncio.sleep(1000)
                assert not sitting.task.done()
                await owner.decide(JENNY, table=TABLE, owner="jenny", task=f"task-{opened['seq']}", decision="approve")
            await sitting.task
            assert await reports(table) == [RUNNING, ("receipt", "done")]

    run(test())


# --- the network -----------------------------------------------------------------------------------

Fate = Callable[[httpx.Request, Callable[[], Awaitable[httpx.Response]]], Awaitable[httpx.Response]]


class Fickle(httpx.AsyncBaseTransport):
    """A network on which a test decides what becomes of each request."""

    def __init__(self, inner: httpx.AsyncBaseTransport, fate: Fate) -> None:
        self._inner, self._fate = inner, fate

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return await self._fate(request, lambda: self._inner.handle_async_request(request))


def losing(path: str, times: int, *, after: bool) -> Fate:
    """Loses requests to a path so many times: before they are sent, or their answers."""
    left = [times]

    async def fate(request: httpx.Request, go: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        if not request.url.path.endswith(path) or not left[0]:
            return await go()
        left[0] -= 1
        if after:
            await (await go()).aread()
            raise httpx.ReadError("lost")
        raise httpx.ConnectError("down")

    return fate


def fickle(table: Room, fate: Fate) -> Any:
    return table.client(lambda inner: Fickle(inner, fate))


@pytest.mark.parametrize("after", [False, True], ids=["request lost", "answer lost"])
@pytest.mark.parametrize("path", ["/entries", "/projection", "/events"])
def test_what_is_lost_on_the_way_is_done_once(path: str, after: bool) -> None:
    async def test() -> None:
        async with room(termination={"any": ["rounds_exhausted"]}) as table:
            fate = losing(path, 3, after=after and path != "/events")
            con = await with_floor(table, http=fickle(table, fate))
            sitting = Sitting(con, Script(speak=[PROPOSAL, "my turn"], execute=["done"]))
            await until(table, "receipt")
            kinds = [entry["kind"] for entry in await table.ledger() if entry["seat"] == "con"]
            assert kinds == ["proposal", "say", "status", "receipt"]
            assert len(sitting.bot.asks) == 3
            assert len(sitting.told) == 3
            await sitting.end()

    run(test())


def test_after_a_lost_connection_it_catches_up_by_its_cursor() -> None:
    async def test() -> None:
        async with room() as table:
            pro, con = await table.join("pro", "tao"), None
            down = [False]

            async def fate(request: httpx.Request, go: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
                if down[0]:
                    raise httpx.ConnectError("down")
                response = await go()
                if request.url.path.endswith("/events"):
                    response.stream = Cut(response.stream, down)
                return response

            con = await table.join("con", "jenny", http=fickle(table, fate))
            sitting = Sitting(con, Script(speak=["caught up"]))
            await asyncio.sleep(1)
            down[0] = True
            await pro.say("said meanwhile")
            await asyncio.sleep(60)
            down[0] = False
            await until(table, "say", 2)
            [ask] = sitting.bot.asks
            assert [entry["body"] for entry in ask.entries if entry["kind"] == "say"] == ["said meanwhile"]
            await sitting.end()

    run(test())


class Cut(httpx.AsyncByteStream):
    """A stream that breaks at its next piece once the network is down."""

    def __init__(self, inner: Any, down: list[bool]) -> None:
        self._inner, self._down = inner, down

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            if self._down[0]:
                raise httpx.ReadError("down")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


def test_without_any_wake_up_it_reads_now_and_then() -> None:
    async def test() -> None:
        async with room() as table:
            pro = await table.join("pro", "tao")

            async def fate(request: httpx.Request, go: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
                if request.url.path.endswith("/events"):
                    await asyncio.sleep(1e9)
                return await go()

            con = await table.join("con", "jenny", http=fickle(table, fate))
            sitting = Sitting(con, Script(speak=["polled"]))
            await asyncio.sleep(1)
            await pro.say("silent")
            await until(table, "say", 2)
            await sitting.end()

    run(test())


def test_a_token_that_is_no_longer_taken_ends_it() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return answered({"error": {"code": "E_UNAUTHORIZED", "message": "no"}}, 401)

    async def test() -> None:
        with pytest.raises(Refused, match="E_UNAUTHORIZED"):
            await Sitting(seat_at(answer), Script()).task

    run(test())


def test_an_error_of_the_host_is_tried_again_and_junk_is_not() -> None:
    answers = [
        answered({"error": {"code": "E_INTERNAL", "message": "oops"}}, 500),
        answered(projection(status="closed")),
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/events"):
            raise httpx.ConnectError("down")
        return answers.pop(0) if answers else answered({"cursor": "junk"})

    async def test() -> None:
        await Sitting(seat_at(answer), Script()).task
        assert answers == []
        with pytest.raises(BadAnswer):
            await Sitting(seat_at(answer), Script()).task

    run(test())
