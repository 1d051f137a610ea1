"""BYOB 8: how many bot says may follow one another, and what happens then."""

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, DUO_H, TOPOLOGIES, Place
from harness.byob.table import Table
from harness.check import check
from harness.errors import NotApplicable

LIMIT = {"max_bot_depth": 3}
DEFAULT = 32
PASSES = 10


async def holds(t: Context, clause: str, table: Table, seat: str, when: str) -> bool:
    """Expect who holds the floor."""
    holder = await table.holder(seat)
    return t.expect(clause, holder == seat, wanted=f"{seat} to hold the floor {when}", got=holder or "nobody")


async def say(t: Context, table: Table, *steps: str) -> None:
    """Let seats say, `seat` or `seat@address`, one after the other; each bot once it holds the floor."""
    for step in steps:
        seat, _, address = step.partition("@")
        if table.places[seat].kind == "bot":
            await table.need_holder(seat)
        await t.need(table.say(seat, to=[f"@{address}" if address else "*"]))
        await t.moment()


async def exhausted(t: Context, clause: str, table: Table, when: str) -> None:
    """Expect a table to be closed with depth_exhausted."""
    if t.expect(clause, not await table.is_open(), wanted=f"the table closed {when}", got="an open table"):
        closed = reading.events(await table.entries(), "table_closed")
        told = reading.holds(closed, "depth_exhausted")
        t.expect(clause, told, wanted="depth_exhausted in the table_closed entry", got=closed)


@check("byob/8/depth-limit-gives-a-human-the-floor", "BYOB-8-17", "BYOB-8-19", "BYOB-8-20")
async def human(t: Context) -> None:
    """At the depth limit a human has the floor and no bot may say; when the human has said, the policy goes on."""
    table = await t.table(DUO_H, floor=LIMIT)
    await say(t, table, "a", "b")
    if not await holds(t, "BYOB-8-17", table, "a", "after two bot says of three"):
        return
    await say(t, table, "a")
    if not await holds(t, "BYOB-8-17", table, "h", "after the third bot say"):
        return
    for seat in ("a", "b"):
        t.expect_refused("BYOB-8-20", await table.say(seat), "E_NOT_FLOOR")
    await say(t, table, "h")
    if await holds(t, "BYOB-8-19", table, "b", "after the human, as it was next"):
        await say(t, table, "b", "a", "b")
        await holds(t, "BYOB-8-17", table, "h", "after three more bot says")


# Topology → three bot says, and who is next after the human.
RESUMED = {
    "debate": (("p", "c", "p"), "c"),
    "pipeline": (("s1", "s2", "s3"), "s1"),
    "hub_spoke": (("hub@x", "x", "hub@y"), "y"),
    "delegation": (("root@m", "m@k", "k"), "m"),
}


@check("byob/8/policy-resumes-in-every-topology", "BYOB-8-17", "BYOB-8-19")
async def resumes(t: Context) -> None:
    """In every topology the human interrupts at the depth limit, and the next turn is the one that was due."""
    if t.dialect.refuses_extra.issuperset(RESUMED):
        raise NotApplicable("the host takes no human whom the topology does not name (BYOB-Q036)")
    for kind, (says, due) in RESUMED.items():
        if kind in t.dialect.refuses_extra:
            t.note(f"a {kind} takes no human here (BYOB-Q036)")
            continue
        rounds = {} if kind in ("hub_spoke", "delegation") else {"rounds": 2}
        recipe = TOPOLOGIES[kind].with_seats(Place("h", "H", "human"))
        table = await t.table(recipe, floor=LIMIT, topology=rounds)
        await say(t, table, *says)
        if await holds(t, "BYOB-8-17", table, "h", f"after {', '.join(says)} in a {kind}"):
            await say(t, table, "h")
            await holds(t, "BYOB-8-19", table, due, f"after the human in a {kind}")


@check("byob/8/human-say-resets-the-depth", "BYOB-8-18")
async def resets(t: Context) -> None:
    """A human's say out of turn starts the count anew."""
    table = await t.table(DUO_H, floor=LIMIT)
    await say(t, table, "a", "b", "h")
    for count, (seat, following) in enumerate((("a", "b"), ("b", "a"), ("a", "h")), 1):
        await say(t, table, seat)
        if not await holds(t, "BYOB-8-18", table, following, f"after {count} of three bot says since the human's"):
            return


@check("byob/8/depth-limit-closes-without-a-human", "BYOB-8-21")
async def closes(t: Context) -> None:
    """Without a human the depth limit closes the table with depth_exhausted, not one say earlier."""
    for kind, recipe in TOPOLOGIES.items():
        rounds = {} if kind in ("hub_spoke", "delegation", "broadcast") else {"rounds": 3}
        table = await t.table(recipe, floor=LIMIT, topology=rounds)
        for count in (1, 2):
            await table.turn()
            await t.moment()
            still = await table.is_open()
            t.expect("BYOB-8-21", still, wanted=f"an open {kind} after {count} bot says of three", got="it is closed")
        await table.turn()
        await t.moment()
        await exhausted(t, "BYOB-8-21", table, f"after three bot says in a {kind}")


@check("byob/8/depth-is-32-unless-configured", "BYOB-8-22")
async def default(t: Context) -> None:
    """Without max_bot_depth the table is open after 31 bot says, and closed after the 32nd."""
    table = await t.table(DUO, floor={"max_bot_depth": None})
    for _ in range(DEFAULT - 1):
        await table.turn(budget={"tokens_used": 1})
    await t.moment()
    if t.expect("BYOB-8-22", await table.is_open(), wanted="an open table after 31 bot says", got="it is closed"):
        await table.turn()
        await t.moment()
        await exhausted(t, "BYOB-8-22", table, "after 32 bot says")


@check("byob/8/only-says-count-towards-the-depth", "BYOB-8-23")
async def passes(t: Context) -> None:
    """Passes, raised hands and proposals never bring the depth limit about."""
    for recipe in (DUO, DUO_H):
        table = await t.table(recipe, floor=LIMIT)
        for _ in range(PASSES):
            holder = await table.holder("a", "b")
            wanted = "a bot to hold the floor while all bots pass"
            if not t.expect("BYOB-8-23", holder in ("a", "b"), wanted=wanted, got=holder or "nobody"):
                break
            await t.need(table.raise_hand("b" if holder == "a" else "a"))
            await table.turn("pass")
            await t.moment()
        t.expect("BYOB-8-23", await table.is_open(), wanted=f"an open table after {PASSES} passes", got="it is closed")
