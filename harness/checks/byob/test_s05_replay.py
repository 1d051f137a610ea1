"""BYOB 5: what a table is follows from its ledger, at every step."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from harness.byob import folding, reading
from harness.byob.context import Context
from harness.byob.recipes import DEBATE, HUB, PIPE, TREE, TRIO, WORK, Place, Recipe, effect
from harness.byob.table import Table
from harness.byob.tasks import Task, opened_by, state_of
from harness.check import check
from harness.errors import Untested

Body = dict[str, Any]
ATTEMPTS = 5
CREW = WORK.with_seats(Place("h", "H", "human", role="critic"))


@dataclass(frozen=True)
class Glance:
    """A table between two equal ledgers: what is written, and what a seat is told."""

    entries: list[reading.Entry]
    projection: Body
    memory: Body


async def glance(table: Table) -> Glance:
    """Read a table until its ledger is the same before and after; raises Untested when it never is."""
    await table.holder()
    for _ in range(ATTEMPTS):
        entries = await table.entries()
        seen = Glance(entries, await table.projection(table.reader, 0), await table.memory())
        if await table.entries() == entries:
            return seen
        await table.t.moment()
    raise Untested("the ledger grows although nobody does anything")


def _floor(t: Context, seen: Glance, when: str) -> None:
    floor = seen.projection.get("floor")
    floor = floor if isinstance(floor, dict) else {}
    holder, grants = floor.get("holder"), reading.events(seen.entries, "floor_granted")
    last = grants[-1] if grants else {}
    if isinstance(holder, str):
        right = bool(grants) and t.dialect.tells(last, "holder", holder)
        right = right and floor.get("grant_seq") == reading.seq_of(last)
        wanted = f"the last floor_granted entry to name the holder and to have the grant_seq of the floor {when}"
        t.expect("BYOB-5-42", right, wanted=wanted, got={"floor": floor, "last grant": last})


def _seats(t: Context, table: Table, seen: Glance, when: str) -> None:
    prefix = seen.projection.get("prefix")
    listed = reading.objects(prefix.get("seats") if isinstance(prefix, dict) else None)
    joined = reading.events(seen.entries, "seat_joined")
    for seat, place in table.places.items():
        mine = [each for each in joined if t.dialect.tells(each, "seat", seat)]
        wanted = {"seat": seat, "owner": place.owner, "kind": place.kind}
        shown = [each for each in listed if each.get("seat") == seat]
        got = {"ledger": mine, "prefix": shown}
        right = len(mine) == 1 and all(reading.holds(mine[0], value) for value in wanted.values())
        right = right and len(shown) == 1 and {name: shown[0].get(name) for name in wanted} == wanted
        t.expect("BYOB-5-43", right, wanted=f"one seat_joined entry and one seat with {wanted} {when}", got=got)
    wanted_seats = sorted(table.places)
    names = sorted(str(each.get("seat")) for each in listed)
    t.expect("BYOB-5-43", names == wanted_seats, wanted=f"the seats {wanted_seats} in the prefix {when}", got=names)


async def _tasks(t: Context, table: Table, folded: folding.Folded, when: str) -> None:
    for id, states in folded.tasks.items():
        shown = (await t.need(table.task(table.reader, id))).value
        wanted = f"{id} as {' or '.join(sorted(states))}, which follows from the ledger {when}"
        t.expect("BYOB-5-44", state_of(shown) in states, wanted=wanted, got=shown)


async def _look(t: Context, table: Table, when: str) -> None:
    """Hold what a table tells to what its ledger says."""
    seen = await glance(table)
    folded = folding.fold(seen.entries, table.config, table.places, t.dialect)
    _floor(t, seen, when)
    _seats(t, table, seen, when)
    await _tasks(t, table, folded, when)
    wanted, total = folding.tokens(seen.entries), t.total_in(seen.memory)
    if wanted is not None and total is not None:
        t.expect("BYOB-5-45", total == wanted, wanted=f"{wanted} tokens, by the ledger {when}", got=total)
    status = "closed" if folded.closed else "open"
    told = {"projection": seen.projection.get("status"), "memory": seen.memory.get("status")}
    right = set(told.values()) == {status}
    t.expect("BYOB-5-46", right, wanted=f"{status} in projection and memory, by the ledger {when}", got=told)


FOLLOWS = ("BYOB-5-42", "BYOB-5-43", "BYOB-5-44", "BYOB-5-45", "BYOB-5-46")


@check("byob/5/state-follows-from-the-ledger", *FOLLOWS)
async def follows(t: Context) -> None:
    """After every step of a table's life its floor, seats, tasks, tokens and status are what the ledger makes them."""
    table = await t.table(CREW, join=False)
    for place in CREW.places:
        await t.need(table.join(place))
        await _look(t, table, f"after {place.seat} has joined")
    for count in (7, 0, 15):
        await table.turn(budget={"tokens_used": count})
        await _look(t, table, f"after a say of {count} tokens")
    await t.need(table.say("h", "x" * 41))
    await _look(t, table, "after a human's say without a count")
    await t.need(table.raise_hand("b"))
    await table.until_holds("a", budget={"tokens_used": 1})
    posted = await t.need(table.propose("a", effect(), budget={"tokens_used": 3}))
    task = Task(table, await opened_by(t, table, posted), posted.members)
    await _look(t, table, "after a proposal of 3 tokens")
    steps: tuple[tuple[str, Callable[[], Awaitable[Any]]], ...] = (
        ("the approval", task.decide),
        ("the status running", task.status),
        ("the receipt", task.receipt),
        ("the verdict", task.verify),
        ("the close", table.close),
    )
    for name, step in steps:
        await t.need(step())
        await _look(t, table, f"after {name}")


TURNS: tuple[tuple[str, Recipe, tuple[str, ...]], ...] = (
    ("broadcast", TRIO, ("", "", "", "")),
    ("debate", DEBATE, ("", "", "", "")),
    ("pipeline", PIPE, ("", "")),
    ("hub_spoke", HUB, ("@x", "", "@y", "")),
    ("delegation", TREE, ("@m", "@k", "", "")),
)
"""Each topology, its table, and whom the holder addresses in each turn, if anybody by name."""


@check("byob/5/floor-follows-from-the-ledger", "BYOB-5-42")
async def floor(t: Context) -> None:
    """In every topology and turn, the last floor_granted entry names the holder, and its seq is grant_seq."""
    for kind, recipe, turns in TURNS:
        table = await t.table(recipe)
        for count, to in enumerate(turns):
            _floor(t, await glance(table), f"after {count} turns of a {kind}")
            await table.turn(to=[to or "*"])
        _floor(t, await glance(table), f"after {len(turns)} turns of a {kind}")
