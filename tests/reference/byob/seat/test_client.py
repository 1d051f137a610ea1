"""The seat SDK against the reference's host: joining, reading, posting, tasks, and nothing leaves past the rules."""

from typing import Any

import httpx
import pytest

from reference.byob.seat import Disclosure, Refused, Rules, SeatError, TableHost, Unsendable, fixed
from reference.byob.seat.client import Seat
from tests.reference.byob.seat.sitting import CARD, EFFECT, JENNY, TABLE, TAO, answered, played, room, run, seat_at

DENY = Rules(["sk-[a-z0-9]+"])
SECRET = "sk-abc123"


def test_a_debate_from_the_join_to_the_verified_task() -> None:
    async def test() -> None:
        async with room() as table:
            pro = await table.join("pro", "tao", role="advocate", kind="bot", transport="http")
            con = await table.join("con", "jenny", card=CARD)
            judge = await table.join("judge", "tao")
            said = await pro.say("#459 first", refs=["memo"], budget={"tokens_used": 5})
            assert (said["kind"], said["seat"], said["to"], said["refs"]) == ("say", "pro", ["*"], ["memo"])
            hand = await judge.raise_hand("me too")
            assert (hand["kind"], hand["body"]) == ("raise_hand", "me too")
            proposed = await con.propose("reorder", [EFFECT], reply_to=said["seq"])
            task = f"task-{proposed['seq']}"
            assert (await con.task(task)).state == "approved"  # of its own owner, so at once
            await con.pass_()
            decided = await judge.decide("#461 first", [EFFECT])
            open_task = f"task-{decided['seq']}"
            assert (await judge.task(open_task)).state == "awaiting_approval"
            async with table.owner() as owner:
                entry = await owner.decide(JENNY, table=TABLE, owner="jenny", task=open_task, decision="approve")
            assert (entry["kind"], entry["seat"]) == ("approval", "owner:jenny")
            await con.status(open_task, "running", "at it")
            await con.receipt(open_task, {"order": [1]}, "done")
            await pro.verify(open_task, "pass", "looks right")
            memory = await pro.memory()
            assert [decision["body"] for decision in memory.decisions] == ["#461 first"]
            assert {each.id: each.state for each in memory.tasks} == {task: "approved", open_task: "verified"}
            assert memory.closed

    run(test())


def test_a_projection_is_read_by_its_cursor() -> None:
    async def test() -> None:
        async with room() as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny")
            first = await con.projection()
            assert (first.holder, first.mine, first.closed, first.tasks) == ("pro", False, False, ())
            assert next(entry.get("event") for entry in first.tail) == "table_opened"
            said = await pro.say("hello")
            again = await con.projection(first.cursor)
            assert [entry["seq"] for entry in again.tail] == [said["seq"], said["seq"] + 1]
            assert (again.holder, again.mine, again.grant_seq) == ("con", True, said["seq"] + 1)
            assert (await con.projection()).tail == ()

    run(test())


def test_what_was_cut_and_what_it_refers_to_is_expanded() -> None:
    async def test() -> None:
        async with room(projection={"inline_limit": 4}) as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny")
            one = await pro.say("the first words")
            two = await con.say("the second words", refs=[f"entry:{one['seq']}", "entry:9999"])
            tail = (await pro.projection(two["seq"] - 1)).tail
            assert (tail[0]["body"], tail[0]["refs"][-1]) == ("the ", f"entry:{two['seq']}")
            whole = await pro.expand([two["seq"]])
            assert {seq: entry["body"] for seq, entry in whole.items()} == {
                two["seq"]: "the second words",
                one["seq"]: "the first words",
            }

    run(test())


def test_the_admin_closes_and_reads_the_ledger() -> None:
    async def test() -> None:
        async with room() as table, table.owner() as host:
            memory = await host.close_table(TABLE, table.admin, "enough")
            assert memory.closed
            assert [entry.get("event") for entry in await host.ledger(TABLE, table.admin)][-1] == "table_closed"
            with pytest.raises(Refused) as refused:
                await host.join(TAO, table=TABLE, seat="late", owner="tao")
            assert (refused.value.code, refused.value.status) == ("E_TABLE_CLOSED", 409)

    run(test())


def test_events_wake_a_seat_for_what_it_may_see() -> None:
    async def test() -> None:
        async with room() as table:
            pro, con = await table.join("pro", "tao"), await table.join("con", "jenny")
            async with con.events() as names:
                assert await anext(names) == "hello"
                await pro.say("hello")
                assert [await anext(names), await anext(names)] == ["entry", "entry"]

    run(test())


POSTS: list[Any] = [
    lambda seat: seat.say(SECRET),
    lambda seat: seat.say("b", to=[f"@{SECRET}"]),
    lambda seat: seat.say("b", refs=[SECRET]),
    lambda seat: seat.pass_(SECRET),
    lambda seat: seat.raise_hand(SECRET),
    lambda seat: seat.propose("b", [{**EFFECT, "args": {"deep": [SECRET]}}]),
    lambda seat: seat.propose("b", [{**EFFECT, "resource": SECRET}]),
    lambda seat: seat.propose("b", [{**EFFECT, SECRET: 1}]),
    lambda seat: seat.decide(SECRET),
    lambda seat: seat.status("task-1", "running", SECRET),
    lambda seat: seat.receipt("task-1", {"log": SECRET}),
    lambda seat: seat.receipt("task-1", {SECRET: 1}),
    lambda seat: seat.verify("task-1", "pass", SECRET),
]


@pytest.mark.parametrize("post", POSTS, ids=range(len(POSTS)))
def test_a_post_that_a_rule_matches_never_reaches_the_network(post: Any) -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return answered({"seq": 1, "kind": "say"})

    async def test() -> None:
        with pytest.raises(Disclosure) as raised:
            await post(seat_at(answer, DENY))
        assert raised.value.position == 1
        await post(seat_at(answer))
        assert len(sent) == 1  # the control

    run(test())


JOINS: list[dict[str, Any]] = [
    {"seat": SECRET},
    {"role": SECRET},
    {"transport": SECRET},
    {"card": {**CARD, "description": SECRET}},
    {"card": {**CARD, "capabilities": [{"resource": "r", "actions": [SECRET]}]}},
]


@pytest.mark.parametrize("more", JOINS, ids=range(len(JOINS)))
def test_neither_a_join_nor_a_reason_passes_a_rule(more: dict[str, Any]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("nothing is to be sent")

    async def test() -> None:
        host = TableHost("http://table.invalid", rules=DENY, http=played(answer))
        with pytest.raises(Disclosure):
            await host.join(TAO, **{"table": TABLE, "seat": "s", "owner": "tao", **more})
        with pytest.raises(Disclosure):
            await host.decide(TAO, table=TABLE, owner="tao", task="task-1", decision="reject", reason=SECRET)
        with pytest.raises(Disclosure):
            await host.close_table(TABLE, "t", SECRET)

    run(test())


def test_nothing_but_a_tasks_id_goes_into_a_path() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("nothing is to be sent")

    async def test() -> None:
        with pytest.raises(Unsendable):
            await seat_at(answer).task(SECRET)
        host = TableHost("http://table.invalid", http=played(answer))
        with pytest.raises(Unsendable):
            await host.decide(TAO, table=TABLE, owner="tao", task=SECRET, decision="approve")

    run(test())


def test_a_fixed_text_passes_whatever_the_rules_are() -> None:
    async def test() -> None:
        async with room() as table:
            pro = await table.join("pro", "tao", rules=Rules(["."]))
            with pytest.raises(Disclosure):
                await pro.pass_("anything")
            with pytest.raises(Unsendable):
                await pro.post_fixed({"kind": "pass", "body": "anything"})
            with pytest.raises(Unsendable):
                await pro.post_fixed({"kind": "receipt", "task": "task-1", "artifact": ["anything"]})
            assert (await pro.post_fixed(fixed.yielding()))["body"] == "Withheld by the owner's disclosure rules."

    run(test())


def test_a_token_is_in_one_header_and_in_no_repr_and_no_error() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return answered({"error": {"code": "E_UNAUTHORIZED", "message": "no"}}, 401)

    async def test() -> None:
        seat: Seat = seat_at(answer)
        with pytest.raises(SeatError) as raised:
            await seat.projection()
        assert seen[0].headers["authorization"] == "Bearer token-of-con"
        assert "token-of-con" not in f"{seat!r} {raised.value} {raised.value!r} {seen[0].url}"
        assert repr(seat) == "Seat('con' at 'prio', 'http://table.invalid/v0.1')"

    run(test())
