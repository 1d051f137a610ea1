"""BYOB 7: how a hub and a tree of reports hand the floor down and get it back."""

from collections.abc import Sequence

from harness.byob.context import Context
from harness.byob.recipes import HUB, TREE, Recipe
from harness.byob.table import Table
from harness.check import check

EXHAUSTED = {"any": ["rounds_exhausted"]}
EVERYBODY = "*"


async def walks(t: Context, table: Table, steps: Sequence[tuple[str, str, str]]) -> bool:
    """Play posts and expect a clause of each next holder.

    Args:
        steps: `hub → @x`, who holds the floor then, and the clause which says so. The right side is `pass` or an
            address.
    """
    for step, following, clause in steps:
        seat, _, act = step.partition(" → ")
        await table.need_holder(seat)
        await t.need(table.passes(seat) if act == "pass" else table.say(seat, to=[act]), step)
        holder = await table.holder(following)
        wanted = f"{following} to hold the floor after {step}"
        if not t.expect(clause, holder == following, wanted=wanted, got=holder or "nobody"):
            return False
    return True


async def begins(t: Context, clause: str, table: Table, seat: str) -> bool:
    """Expect who holds the floor first, once all have joined."""
    holder = await table.holder(seat)
    return t.expect(clause, holder == seat, wanted=f"{seat} to hold the floor first", got=holder or "nobody")


@check("byob/7/hub-hands-the-floor-to-a-spoke", "BYOB-7-33", "BYOB-7-34", "BYOB-7-36")
async def hub(t: Context) -> None:
    """The hub holds the floor first, hands it to the spoke that it addresses, and gets it back after one turn."""
    table = await t.table(HUB)
    if await begins(t, "BYOB-7-33", table, "hub"):
        steps = [
            ("hub → @x", "x", "BYOB-7-34"),
            ("x → *", "hub", "BYOB-7-36"),
            ("hub → @z", "z", "BYOB-7-34"),
            ("z → pass", "hub", "BYOB-7-36"),
            ("hub → @x", "x", "BYOB-7-34"),
            ("x → @hub", "hub", "BYOB-7-36"),
        ]
        await walks(t, table, steps)


@check("byob/7/hub-without-a-spoke-keeps-the-floor", "BYOB-7-35")
async def nobody(t: Context) -> None:
    """A say of the hub that addresses no spoke hands the floor to nobody."""
    table = await t.table(HUB)
    await walks(t, table, [("hub → *", "hub", "BYOB-7-35")] * 2)


@check("byob/7/spokes-hand-the-floor-to-nobody", "BYOB-7-37")
async def spoke(t: Context) -> None:
    """A spoke that addresses another spoke does not hand it the floor: the hub gets it back."""
    table = await t.table(HUB)
    await t.need(table.say(await table.need_holder("hub"), to=["@x"]))
    await table.need_holder("x")
    answer = await table.say("x", to=["@y"])
    await t.moment()
    holder = await table.holder()
    t.expect("BYOB-7-37", holder != "y", wanted="y not to get the floor from x", got=holder)
    if answer.ok:
        t.expect("BYOB-7-37", holder == "hub", wanted="the hub to hold the floor after x's turn", got=holder)


@check("byob/7/tree-hands-the-floor-down-and-up", "BYOB-7-43", "BYOB-7-44", "BYOB-7-46")
async def tree(t: Context) -> None:
    """The root holds the floor first; it goes down to direct reports and walks back up one manager at a time."""
    table = await t.table(TREE)
    if await begins(t, "BYOB-7-43", table, "root"):
        steps = [
            ("root → @m", "m", "BYOB-7-44"),
            ("m → @k", "k", "BYOB-7-44"),
            ("k → *", "m", "BYOB-7-46"),
            ("m → @k", "k", "BYOB-7-44"),
            ("k → pass", "m", "BYOB-7-46"),
            ("m → *", "root", "BYOB-7-46"),
            ("root → @n", "n", "BYOB-7-44"),
            ("n → pass", "root", "BYOB-7-46"),
            ("root → @m", "m", "BYOB-7-44"),
            ("m → pass", "root", "BYOB-7-46"),
        ]
        await walks(t, table, steps)


PAST = (  # how the floor gets there, who says to whom, and who holds it then if the say is taken
    ((), "root", "k", "root"),
    (("root → @m",), "m", "n", "root"),
    (("root → @m", "m → @k"), "k", "root", "m"),
    (("root → @m", "m → @k"), "k", "n", "m"),
)


@check("byob/7/tree-hands-to-direct-reports-only", "BYOB-7-45")
async def past(t: Context) -> None:
    """No seat of a tree can hand the floor to one that is no direct report of its, whether it is refused or not."""
    for way, seat, target, back in PAST:
        table = await t.table(TREE)
        for step in way:
            author, _, address = step.partition(" → ")
            await t.need(table.say(await table.need_holder(author), to=[address]))
        await table.need_holder(seat)
        answer = await table.say(seat, to=[f"@{target}"])
        await t.moment()
        holder = await table.holder()
        allowed = back if answer.ok else seat
        wanted = (
            f"{allowed} to hold the floor after {seat} → @{target}, which was {'taken' if answer.ok else 'refused'}"
        )
        t.expect("BYOB-7-45", holder == allowed, wanted=wanted, got=holder)
        if not answer.ok:
            t.expect_refused("BYOB-7-45", answer, "E_ADDRESS", open_question="BYOB-Q072")


# Two turns of the hub or root, with a longer way in between in the tree: only its turns count.
ROUNDS: tuple[tuple[Recipe, str, tuple[str, ...]], ...] = (
    (HUB, "hub", ("hub → @x", "x → *", "hub → @y", "y → *")),
    (TREE, "root", ("root → @m", "m → @k", "k → *", "m → *", "root → @n", "n → *")),
)


@check("byob/7/rounds-are-turns-of-the-head", "BYOB-7-52")
async def rounds(t: Context) -> None:
    """With two rounds the hub or root has two turns, and the table closes when the last that it asked has answered."""
    for recipe, head, way in ROUNDS:
        table = await t.table(recipe, topology={"rounds": 2}, termination=EXHAUSTED)
        turns = 0
        for step in way:
            seat, _, address = step.partition(" → ")
            if turns == 2 and not await table.is_open():
                break  # BYOB-Q071: the last turn may end at the hand-over
            holder = await table.holder(seat)
            wanted = f"{seat} to hold the floor before {step}, after {turns} turns of {head}"
            if not t.expect("BYOB-7-52", holder == seat, wanted=wanted, got=holder or "nobody"):
                break
            turns += seat == head
            await t.need(table.say(seat, to=[address]), step)
        else:
            await t.moment()
            wanted = f"the table closed after {'; '.join(way)}"
            t.expect("BYOB-7-52", not await table.is_open(), wanted=wanted, got="an open table")


@check("byob/7/head-that-passes-ends-the-rounds", "BYOB-7-53")
async def passing(t: Context) -> None:
    """A pass of the hub or root ends the rounds, and so the table."""
    for recipe, head in ((HUB, "hub"), (TREE, "root")):
        table = await t.table(recipe)
        await t.need(table.passes(await table.need_holder(head)))
        await t.moment()
        t.expect(
            "BYOB-7-53", not await table.is_open(), wanted=f"the table closed by {head}'s pass", got="an open table"
        )
        table = await t.table(recipe)
        below = "x" if head == "hub" else "m"
        await t.need(table.say(await table.need_holder(head), to=[f"@{below}"]))
        await t.need(table.passes(await table.need_holder(below)))
        holder = await table.holder(head)
        wanted = f"a pass of {below} to end its turn only, and {head} to hold the floor"
        t.expect("BYOB-7-53", holder == head, wanted=wanted, got=holder or "nobody")
