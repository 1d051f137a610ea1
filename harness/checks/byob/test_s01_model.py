"""BYOB 1: the core alone writes the ledger, entry by entry, and a seat is one owner's for good."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.folding import FLOOR_KINDS, TASK_KINDS
from harness.byob.recipes import DUO_H, PIPE, TRIO, WORK, Place, capability, card, effect
from harness.byob.table import Table
from harness.byob.tasks import STEPS
from harness.check import check
from harness.targets.hosts import Answer

POSTED = ("raise_hand", *FLOOR_KINDS, *TASK_KINDS)
HANDS = 20


@check("byob/1/only-accepted-requests-write", "BYOB-1-02", "BYOB-1-03", "BYOB-1-04")
async def only_accepted(t: Context) -> None:
    """Each entry of a seat or an owner is the result of one accepted request, and each such request has one."""
    table = await t.table(WORK)
    answers: list[Answer] = [await table.raise_hand("b"), await table.out_of_turn(table.say)]
    for post in (table.say, table.passes, table.say):
        answers.append(await table.by_holder(post))
    while await table.need_holder() != "a":
        answers.append(await table.by_holder(table.say))
    task = await t.propose(table)
    answers.append(await table.out_of_turn(table.propose))
    accepted = [answer.members for answer in answers if answer.ok] + [task.proposal]
    for step in ("approve", "status:running", "receipt", "verify:pass"):
        accepted.append((await t.need(STEPS[step](task))).members)
    entries = await table.entries()
    written = Counter((entry.get("seat"), entry.get("kind")) for entry in reading.of_kind(entries, *POSTED))
    asked = Counter((entry.get("seat"), entry.get("kind")) for entry in accepted)
    t.expect("BYOB-1-02", written == asked, wanted=f"exactly {_told(asked)}", got=_told(written))
    seqs = [reading.seq_of(entry) for entry in entries]
    t.expect("BYOB-1-03", seqs[:1] == [1], wanted="1 as the first seq", got=str(seqs[:1]))
    t.expect("BYOB-1-04", seqs == list(range(1, len(seqs) + 1)), wanted="every seq from 1 to the last", got=str(seqs))


def _told(counted: Counter[tuple[object, object]]) -> str:
    return ", ".join(sorted(f"{count} {kind} by {seat}" for (seat, kind), count in counted.items()))


@check("byob/1/seqs-of-posts-at-once", "BYOB-1-05")
async def at_once(t: Context) -> None:
    """Posts that come together get different seqs, without a gap."""
    table = await t.table(TRIO.with_seats(Place("h", "H", "human")))
    seats = list(table.tokens)
    hands = [table.raise_hand(seats[number % len(seats)]) for number in range(HANDS)]
    answers = [answer for answer in await asyncio.gather(*hands) if answer.ok]
    seqs = [reading.seq_of(answer.value) for answer in answers]
    wanted = f"{len(answers)} different seqs"
    t.expect("BYOB-1-05", bool(seqs) and len(set(seqs)) == len(seqs), wanted=wanted, got=str(sorted(seqs)))
    ledger = [reading.seq_of(entry) for entry in await table.entries()]
    whole = ledger == list(range(1, len(ledger) + 1)) and set(seqs) <= set(ledger)
    t.expect("BYOB-1-05", whole, wanted="all of them in a ledger without gaps", got=str(ledger))


@check("byob/1/refusals-use-no-seq", "BYOB-1-06")
async def refusals(t: Context) -> None:
    """A refused request uses up no seq: the next accepted post has the one after the last."""
    table = await t.table(WORK)
    await table.need_holder("a")
    before = await table.last_seq()
    wrongs: tuple[Callable[[], Awaitable[Answer]], ...] = (
        lambda: table.post("a", "shout"),
        lambda: table.say("b"),
        lambda: table.say("a", to=["@ghost"]),
        lambda: table.decision("a"),
        lambda: table.propose("a", effect("B", "board", "erase")),
        lambda: table.join(Place("c", "B"), seat="d"),
        lambda: table.join(Place("z", "Z")),
        lambda: table.decide("A", "task-99999"),
        lambda: table.task("a", "task-99999"),
    )
    for wrong in wrongs:
        refused = await wrong()
        t.expect("BYOB-1-06", not refused.ok, wanted="a refusal", got=refused)
    seq = reading.seq_of((await t.need(table.say("a"))).value)
    entries = [entry for entry in await table.entries() if before < reading.seq_of(entry) < seq]
    between = reading.without_notes(entries)
    t.expect("BYOB-1-06", not between, wanted=f"seq {before + 1} for the next post", got=between or f"seq {seq}")


@check("byob/1/a-seat-stays-what-it-was", "BYOB-1-07")
async def stays(t: Context) -> None:
    """No later request changes the owner, the kind or the capabilities of a seat."""
    table = await t.table(WORK)
    before = await _shown(table, "b")
    wider = Place("b", "A", "human", card=card(capability("board", "move", "label", "erase")))
    attempts = (
        await table.join(wider),
        await table.by_holder(lambda seat: table.say(seat, owner="B", card=dict(wider.card))),
        await table.post("b", "raise_hand", owner="A", card=dict(wider.card)),
    )
    for attempt in attempts:
        after = await _shown(table, "b")
        t.expect("BYOB-1-07", after == before, wanted=f"{before} after {attempt.seen()}", got=after)


async def _shown(table: Table, seat: str) -> dict[str, object]:
    """Return what the prefix shows of a seat."""
    prefix = (await table.projection(table.reader, 0)).get("prefix", {})
    listed = [each for each in reading.objects(prefix.get("seats")) if each.get("seat") == seat]
    return {name: listed[0].get(name) for name in ("owner", "kind", "capabilities")} if listed else {}


@check("byob/1/every-seat-reads-the-memory", "BYOB-1-08")
async def memory(t: Context) -> None:
    """Every joined seat may read the memory, humans and seats outside the topology included."""
    for recipe in (DUO_H, PIPE.with_seats(Place("v", "V"))):
        table = await t.table(recipe)
        for seat in table.tokens:
            t.expect_ok("BYOB-1-08", await table.mem(seat), f"2xx to GET memory by {seat}")
