"""BYOB 7: who speaks next where the order is fixed: broadcast, debate and pipeline; and who decides by default."""

from harness.byob.context import Context
from harness.byob.recipes import DEBATE, HUB, PIPE, TOPOLOGIES, TREE, TRIO, Recipe
from harness.byob.table import Table
from harness.check import check

EXHAUSTED = {"any": ["rounds_exhausted"]}
KINDS = ("say", "pass")


async def plays(t: Context, clause: str, table: Table, order: str, kind: str = "say") -> bool:
    """Play the turns of an order, as `a b c`, and expect each seat to hold the floor in its turn."""
    seats = order.split()
    for number, seat in enumerate(seats, 1):
        holder = await table.holder(seat)
        wanted = f"{seat} to hold the floor in turn {number} of {order}"
        if not t.expect(clause, holder == seat, wanted=wanted, got=holder or "nobody"):
            return False
        await t.need(table.say(seat) if kind == "say" else table.post(seat, kind))
    return True


async def over(t: Context, clause: str, table: Table, order: str) -> None:
    """Expect that a table has closed, since the turns of an order are all taken."""
    await t.moment()
    still = await table.is_open()
    t.expect(clause, not still, wanted=f"the table closed after the turns {order}", got="an open table")


async def fixed(t: Context, clause: str, ends: str, recipe: Recipe, rounds: int, order: str) -> None:
    """Play an order through, once with says and once with passes: each turn by `clause`, the end by `ends`."""
    for kind in KINDS:
        table = await t.table(recipe, topology={"rounds": rounds}, termination=EXHAUSTED)
        if await plays(t, clause, table, order, kind):
            await over(t, ends, table, order)


@check("byob/7/broadcast-goes-round", "BYOB-7-14", "BYOB-7-15")
async def broadcast(t: Context) -> None:
    """A broadcast goes round in its order, as often as there are rounds, and then no turns are left."""
    await fixed(t, "BYOB-7-14", "BYOB-7-15", TRIO, 2, "a b c a b c")
    mixed = TRIO.config["topology"] | {"order": ["b", "c", "a"], "rounds": 1}
    table = await t.table(TRIO, topology=mixed, termination=EXHAUSTED)
    await plays(t, "BYOB-7-14", table, "b c a")


@check("byob/7/raised-hand-is-served-next", "BYOB-7-16", "BYOB-7-17")
async def hand(t: Context) -> None:
    """In a broadcast a raised hand gets the floor right after the current turn, and then the round goes on."""
    for kind in KINDS:
        table = await t.table(TRIO)
        await table.need_holder("a")
        await t.need(table.raise_hand("c"))
        await table.turn(kind)
        holder = await table.holder("c")
        wanted = f"c, whose hand is raised, to hold the floor after a's {kind}"
        if not t.expect("BYOB-7-16", holder == "c", wanted=wanted, got=holder or "nobody"):
            continue
        await table.turn(kind)
        holder = await table.holder("b")
        wanted = "b, who was next before the hand, to hold the floor after c's turn"
        t.expect("BYOB-7-17", holder == "b", wanted=wanted, got=holder or "nobody")


@check("byob/7/debate-ends-with-the-judge", "BYOB-7-20", "BYOB-7-21", "BYOB-7-22")
async def debate(t: Context) -> None:
    """The sides of a debate speak in turn, pro first; the judge follows their last turn, and no side follows it."""
    for kind in KINDS:
        for rounds in (1, 2):
            table = await t.table(DEBATE, topology={"rounds": rounds})
            order = " ".join(["p c"] * rounds)
            if not await plays(t, "BYOB-7-20", table, order, kind):
                continue
            judge = await table.holder("j")
            if t.expect("BYOB-7-21", judge == "j", wanted=f"j to hold the floor after {order}", got=judge or "nobody"):
                await table.turn(kind)
                await t.moment()
                after = (await table.floor()).get("holder")
                wanted = f"neither p nor c to hold the floor after the judge's {kind}"
                t.expect("BYOB-7-22", after not in ("p", "c"), wanted=wanted, got=after)


@check("byob/7/pipeline-goes-by-stages", "BYOB-7-27", "BYOB-7-28")
async def pipeline(t: Context) -> None:
    """The stages of a pipeline speak in the listed order, in every round, and then no turns are left."""
    await fixed(t, "BYOB-7-27", "BYOB-7-27", PIPE, 1, "s1 s2 s3")
    await fixed(t, "BYOB-7-28", "BYOB-7-28", PIPE, 2, "s1 s2 s3 s1 s2 s3")


# Topology → the clause, a seat that may not decide and how it gets the floor, and who may.
DECIDERS = {
    "debate": ("BYOB-7-26", DEBATE, "p", "j"),
    "pipeline": ("BYOB-7-32", PIPE, "s1", "s3"),
    "hub_spoke": ("BYOB-7-42", HUB, "x", "hub"),
    "delegation": ("BYOB-7-51", TREE, "m", "root"),
}


async def until(t: Context, table: Table, seat: str) -> None:
    """Play until a seat holds the floor: handed to it in a tree, by turns otherwise."""
    topology = table.config["topology"]
    if "hub" in topology and seat != topology["hub"]:
        await t.need(table.say(await table.need_holder(topology["hub"]), to=[f"@{seat}"]))
    await table.until_holds(seat)


@check("byob/7/default-deciders", "BYOB-7-19", "BYOB-7-26", "BYOB-7-32", "BYOB-7-42", "BYOB-7-51")
async def deciders(t: Context) -> None:
    """Without decision_by, the judge, the last stage, the hub or the root decides; in a broadcast nobody does."""
    table = await t.table(TOPOLOGIES["broadcast"])
    for _ in range(2):
        holder = await table.need_holder()
        t.expect_refused("BYOB-7-19", await table.decision(holder), "E_NOT_DECIDER")
        await table.turn()
    table = await t.table(TOPOLOGIES["broadcast"], floor={"decision_by": ["a"]})
    await table.until_holds("a")
    t.expect_ok("BYOB-7-19", await table.decision("a"), "2xx to a decision of a seat in decision_by")
    for kind, (clause, recipe, other, decider) in DECIDERS.items():
        table = await t.table(recipe)
        await until(t, table, other)
        t.expect_refused(clause, await table.decision(other), "E_NOT_DECIDER")
        await until(t, table, decider)
        t.expect_ok(clause, await table.decision(decider), f"2xx to a decision of {decider} in a {kind}")
