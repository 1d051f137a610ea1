"""BYOB 6: the stable prefix of a projection."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.owners import canonical
from harness.byob.recipes import BOARD, DUO_H, WORK, Place, card
from harness.byob.table import Table
from harness.check import check
from harness.targets.hosts import ABSENT, Answer

DECIDING = {"decision_by": ["a", "b"]}
CAST = DUO_H.with_seats(Place("a", "A", role="critic", card=card(proxy=True)), Place("b", "B", card=BOARD))


def agrees(shown: Any, configured: Any) -> bool:
    """Whether a value that is shown has all that was configured; a host may add its defaults."""
    if isinstance(configured, dict):
        return isinstance(shown, dict) and all(agrees(shown.get(k, ABSENT), v) for k, v in configured.items())
    return reading.same(shown, configured)


@check("byob/6/names-protocol-table-and-seat", "BYOB-6-01", "BYOB-2-29")
async def names(t: Context) -> None:
    """A projection names the protocol, the table and the seat that reads it."""
    table = await t.table(DUO_H)
    for seat in ("a", "b", "h"):
        answer = await table.proj(seat, 0)
        t.expect_ok("BYOB-2-29", answer, "2xx with the projection")
        got = {name: answer.members.get(name) for name in ("protocol", "table", "seat")}
        wanted = {"protocol": "byob/0.1", "table": table.id, "seat": seat}
        t.expect("BYOB-6-01", got == wanted, wanted=f"{wanted}", got=got)


@check("byob/6/prefix-has-topic-and-rules", "BYOB-6-02", "BYOB-6-03")
async def rules(t: Context) -> None:
    """The prefix repeats the topic, the topology, the floor rules and the termination of the config."""
    table = await t.table(DUO_H, floor=DECIDING)
    prefix = await _prefix(table, "b")
    topic = prefix.get("topic")
    t.expect("BYOB-6-02", topic == table.config["topic"], wanted=f"the topic {table.config['topic']!r}", got=topic)
    shown = prefix.get("rules")
    for name in ("topology", "floor", "termination"):
        got = shown.get(name, ABSENT) if isinstance(shown, dict) else ABSENT
        right = isinstance(got, dict) and agrees(got, table.config[name])
        t.expect("BYOB-6-03", right, wanted=f"rules.{name} with {table.config[name]}", got=shown)


@check("byob/6/prefix-lists-the-seats", "BYOB-6-04", "BYOB-6-07")
async def seats(t: Context) -> None:
    """The prefix lists every seat with owner, kind, role, bot, proxy and capabilities, and changes when one joins."""
    table = await t.table(CAST)
    before = await table.projection("b", 0)
    for reader in ("a", "b", "h"):
        listed = reading.objects((await _prefix(table, reader)).get("seats"))
        got = {str(each.get("seat")): _told(each) for each in listed}
        wanted = {place.seat: _wanted(place) for place in CAST.places}
        t.expect("BYOB-6-04", got == wanted, wanted=f"{reader} to read the seats {wanted}", got=got)
    await t.need(table.join(Place("late", "A")))
    after = await table.projection("b", 0)
    changed = before.get("prefix_hash") != after.get("prefix_hash")
    t.expect("BYOB-6-07", changed, wanted="another prefix_hash after a seat has joined", got=after.get("prefix_hash"))
    late = reading.holds(reading.members(after.get("prefix"), "seat"), "late")
    t.expect("BYOB-6-07", late, wanted="the new seat in prefix.seats", got=after.get("prefix"))


def _told(shown: dict[str, Any]) -> dict[str, Any]:
    told = {name: shown.get(name, ABSENT) for name in ("owner", "kind", "bot", "proxy", "capabilities")}
    return {**{k: "absent" if v is ABSENT else v for k, v in told.items()}, "role": shown.get("role")}


def _wanted(place: Place) -> dict[str, Any]:
    shown = {name: place.card[name] for name in ("bot", "proxy", "capabilities")}
    return {"owner": place.owner, "kind": place.kind, **shown, "role": place.role}


@check("byob/6/prefix-lists-the-decisions", "BYOB-6-05", "BYOB-6-08", "BYOB-2-33")
async def decisions(t: Context) -> None:
    """A decision joins the prefix with its seq, seat and body, and the memory; the prefix changes by it."""
    table = await t.table(WORK, floor=DECIDING)
    before = await table.projection("v", 0)
    memory = reading.objects((await table.memory("v")).get("decisions"))
    t.expect("BYOB-2-33", not memory, wanted="no decisions in the memory before one is made", got=memory)
    body, holder = t.words(), await table.need_holder()
    posted = await t.need(table.decision(holder, body))
    after = await table.projection("v", 0)
    wanted = {"seq": reading.seq_of(posted.value), "seat": holder, "body": body}
    prefix = after.get("prefix")
    listed = reading.objects(prefix.get("decisions") if isinstance(prefix, dict) else None)
    got = [{name: each.get(name) for name in wanted} for each in listed]
    t.expect("BYOB-6-05", got == [wanted], wanted=f"prefix.decisions with {wanted}", got=listed)
    changed = before.get("prefix_hash") != after.get("prefix_hash")
    t.expect("BYOB-6-08", changed, wanted="another prefix_hash after a decision", got=after.get("prefix_hash"))
    memory = reading.objects((await table.memory("v")).get("decisions"))
    told = len(memory) == 1 and (reading.holds(memory, wanted["seq"]) or reading.mentions(memory, body))
    t.expect("BYOB-2-33", told, wanted="the decision in the memory, by its seq or body", got=memory)


@check("byob/6/prefix-is-stable", "BYOB-6-06")
async def stable(t: Context) -> None:
    """Neither speech nor work nor an admin's close changes the prefix or its hash."""
    table = await t.table(WORK.with_seats(Place("h", "H", "human")))
    first = await table.projection("v", 0)
    task = await t.propose(table)
    await _same(t, table, first, "a proposal")
    steps: dict[str, Callable[[], Awaitable[Answer]]] = {
        "a say": lambda: table.by_holder(table.say),
        "a raised hand": lambda: table.out_of_turn(table.raise_hand),
        "a pass": lambda: table.by_holder(table.passes),
        "a human's say": lambda: table.say("h"),
        "an approval": task.decide,
        "a status": task.status,
        "a receipt": task.receipt,
        "a verify": task.verify,
        "a close": table.close,
    }
    for name, step in steps.items():
        await t.need(step())
        await _same(t, table, first, name)


async def _same(t: Context, table: Table, first: dict[str, Any], name: str) -> None:
    now = await table.projection("v", 0)
    got = {member: now.get(member) for member in ("prefix", "prefix_hash")}
    wanted = {member: first.get(member) for member in ("prefix", "prefix_hash")}
    t.expect("BYOB-6-06", got == wanted, wanted=f"prefix and prefix_hash as before {name}", got=got)


@check("byob/6/prefix-hash-of-every-seat", "BYOB-6-09")
async def recomputes(t: Context) -> None:
    """prefix_hash is the SHA-256 of the prefix in canonical JSON, in hexadecimal."""
    table = await t.table(CAST, floor=DECIDING)
    await t.need(table.by_holder(table.decision))
    for seat in ("a", "b", "h"):
        projection = await table.projection(seat, 0)
        wanted = hashlib.sha256(canonical(projection.get("prefix")).encode()).hexdigest()
        got = str(projection.get("prefix_hash"))
        loosely = got.lower().removeprefix("sha256:") == wanted
        t.expect("BYOB-6-09", loosely, wanted=f"prefix_hash {wanted}", got=got)
        t.expect("BYOB-6-09", got == wanted, wanted="64 lower-case hex digits", got=got, open_question="BYOB-Q057")


async def _prefix(table: Table, seat: str) -> dict[str, Any]:
    prefix = (await table.projection(seat, 0)).get("prefix")
    return prefix if isinstance(prefix, dict) else {}
