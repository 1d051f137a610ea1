"""BYOB 8: who may write while somebody holds the floor, and what a grant carries."""

import asyncio
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.dialect import beside
from harness.byob.recipes import DUO, DUO_H, TOPOLOGIES, WORK, effect
from harness.byob.refusing import Case
from harness.byob.table import Table
from harness.check import check

PARALLEL = 8
TURNS = 6


@check("byob/8/only-the-holder-writes", "BYOB-8-01", "BYOB-8-02", "BYOB-8-03", "BYOB-8-04")
async def only_holder(t: Context) -> None:
    """A bot without the floor can say, pass, propose and decide nothing: each is refused with E_NOT_FLOOR."""
    table = await t.table(WORK, floor={"decision_by": ["a", "b", "v"]})
    await t.refused(
        lambda: table.by_holder(table.say),
        Case("to say without the floor", "BYOB-8-01", lambda: table.out_of_turn(table.say), "E_NOT_FLOOR"),
        Case("to pass without the floor", "BYOB-8-02", lambda: table.out_of_turn(table.passes), "E_NOT_FLOOR"),
        Case("to propose without the floor", "BYOB-8-03", lambda: table.out_of_turn(table.propose), "E_NOT_FLOOR"),
        Case("to decide without the floor", "BYOB-8-04", lambda: table.out_of_turn(table.decision), "E_NOT_FLOOR"),
        on=table,
    )
    await t.need(table.by_holder(table.propose))


@check("byob/8/only-the-holder-writes-in-every-topology", "BYOB-8-01", "BYOB-8-02")
async def in_every(t: Context) -> None:
    """In every topology all seats but the holder are refused with E_NOT_FLOOR when they say or pass."""
    for kind in ("debate", "pipeline", "hub_spoke", "delegation"):
        table = await t.table(TOPOLOGIES[kind])
        holder = await table.need_holder()
        before = await table.entries()
        for seat in table.others(holder):
            t.expect_refused("BYOB-8-01", await table.say(seat), "E_NOT_FLOOR")
            t.expect_refused("BYOB-8-02", await table.passes(seat), "E_NOT_FLOOR")
        grown = reading.of_kind((await table.entries())[len(before) :], "say", "pass")
        t.expect("BYOB-8-01", not grown, wanted=f"no entry of a refused seat in a {kind}", got=grown)
        t.expect_ok("BYOB-8-01", await table.say(holder), f"2xx to the say of {holder}, who holds the floor")


@check("byob/8/one-grant-one-say", "BYOB-8-05")
async def one_say(t: Context) -> None:
    """A grant is good for one say: a second one is refused, and of many at once exactly one is accepted."""
    table = await t.table(DUO)
    await table.need_holder("a")
    await t.need(table.say("a"))
    t.expect_refused("BYOB-8-05", await table.say("a"), "E_NOT_FLOOR")
    table = await t.table(DUO)
    await table.need_holder("a")
    answers = await asyncio.gather(*(table.say("a") for _ in range(PARALLEL)))
    taken = [answer for answer in answers if answer.ok]
    wanted = f"one of {PARALLEL} says that were sent at once to be accepted"
    t.expect("BYOB-8-05", len(taken) == 1, wanted=wanted, got=f"{len(taken)} accepted")
    for answer in answers:
        if not answer.ok:
            t.expect_refused("BYOB-8-05", answer, "E_NOT_FLOOR")
    says = reading.of_kind(await table.entries(), "say")
    t.expect("BYOB-8-05", len(says) == 1, wanted="one say in the ledger", got=says)


@check("byob/8/refused-seat-may-raise-its-hand", "BYOB-8-06")
async def hand(t: Context) -> None:
    """A seat that was refused for lack of the floor may raise its hand."""
    table = await t.table(DUO)
    await table.need_holder("a")
    t.expect_refused("BYOB-8-06", await table.say("b"), "E_NOT_FLOOR")
    answer = await table.raise_hand("b")
    t.expect_ok("BYOB-8-06", answer, "2xx to a raise_hand of the refused seat")
    raised = reading.of_kind(await table.entries(), "raise_hand")
    t.expect("BYOB-8-06", len(raised) == 1, wanted="one raise_hand in the ledger", got=raised)


@check("byob/8/humans-say-at-any-time", "BYOB-8-07", "BYOB-8-09")
async def humans(t: Context) -> None:
    """A human says without the floor, and leaves it with its holder, who may say still."""
    table = await t.table(DUO_H)
    for seat in ("a", "b"):
        await table.need_holder(seat)
        t.expect_ok("BYOB-8-07", await table.say("h"), f"2xx to a human's say while {seat} holds the floor")
        await t.moment()
        holder = await table.holder()
        wanted = f"{seat} to hold the floor after a human's say out of turn"
        t.expect("BYOB-8-09", holder == seat, wanted=wanted, got=holder or "nobody")
        t.expect_ok("BYOB-8-09", await table.say(seat), f"2xx to {seat}'s say after the human's")


@check("byob/8/humans-need-the-floor-for-the-rest", "BYOB-8-08")
async def only_say(t: Context) -> None:
    """A human may not propose or decide without the floor."""
    recipe = DUO_H.with_seats(*WORK.places[1:2])
    table = await t.table(recipe, floor={"decision_by": ["h"]})
    await table.need_holder("a")
    await t.refused(
        lambda: table.say("h"),
        Case("of a human to propose out of turn", "BYOB-8-08", lambda: table.propose("h", effect()), "E_NOT_FLOOR"),
        Case("of a human to decide out of turn", "BYOB-8-08", lambda: table.decision("h"), "E_NOT_FLOOR"),
        on=table,
    )


@check("byob/8/every-grant-is-an-entry", "BYOB-8-10", "BYOB-8-11", "BYOB-8-12")
async def grants(t: Context) -> None:
    """Before each say there is one floor_granted entry that names its seat, with the policy state and max_chars."""
    table = await t.table(DUO)
    await table.turns(TURNS)
    entries = await table.entries()
    says = [index for index, entry in enumerate(entries) if entry.get("kind") == "say"]
    for start, end in zip([0, *says], says, strict=False):
        found = reading.events(entries[start:end], "floor_granted")
        seat = entries[end].get("seat")
        named = len(found) == 1 and t.dialect.tells(found[0], "holder", seat)
        wanted = f"one floor_granted entry for {seat} before its say with seq {reading.seq_of(entries[end])}"
        t.expect("BYOB-8-10", named, wanted=wanted, got=found)
    for grant in reading.events(entries, "floor_granted"):
        t.expect(
            "BYOB-8-11", bool(policy_state(t, grant)), wanted="policy state beside the holder and max_chars", got=grant
        )
        budget = reading.members(grant, "max_chars")
        stated = bool(budget) and all(each == 200 for each in budget)
        t.expect("BYOB-8-12", stated, wanted="max_chars 200 in the grant", got=grant)


def policy_state(t: Context, grant: reading.Entry) -> list[Any]:
    """Return what a grant tells beside its holder and max_chars: anything not empty may be policy state (BYOB-Q041)."""
    place = t.dialect.places.get("floor_granted.holder", ())
    return [
        value
        for path, value in reading.walk(beside(grant))
        if path
        and path != place[: len(path)]  # the holder, and what it stands in
        and path[-1] not in ("max_chars", "seat", "reason", "to", "refs")
        and value not in ("", None, {}, [])
    ]


@check("byob/8/floor-of-a-projection-names-its-grant", "BYOB-8-10", "BYOB-8-12")
async def projected(t: Context) -> None:
    """The grant that a projection names is in the ledger, for the seat that holds the floor, with its max_chars."""
    table: Table = await t.table(DUO)
    for _ in range(3):
        holder = await table.need_holder()
        floor = await table.floor(holder)
        found = [each for each in await table.entries() if reading.seq_of(each) == floor.get("grant_seq")]
        right = bool(reading.events(found, "floor_granted")) and t.dialect.tells(found[0], "holder", holder)
        wanted = f"floor.grant_seq to be the seq of a floor_granted entry for {holder}"
        t.expect("BYOB-8-10", right, wanted=wanted, got={"floor": floor, "entry": found})
        stated = floor.get("max_chars")
        t.expect("BYOB-8-12", stated in (200, None), wanted="max_chars 200 in the floor, if any", got=floor)
        await table.turn()
