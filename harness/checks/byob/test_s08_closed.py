"""BYOB 8: what a closed table takes, and what it does not."""

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO_H, WORK, Place, effect
from harness.byob.table import Table
from harness.byob.tasks import Task, opened_by
from harness.check import check
from harness.errors import Untested
from harness.targets.hosts import Answer

CLOSED = "E_TABLE_CLOSED"
EITHER = (CLOSED, "E_NOT_FLOOR")  # BYOB-Q116: who did not hold the floor
DECIDING = {"decision_by": ["a", "b"]}


async def closed(t: Context) -> Table:
    """Return a table that its admin closed while a held the floor, with human h and an executor b."""
    table = await t.table(WORK.with_seats(Place("h", "H", "human")), floor=DECIDING)
    await table.need_holder("a")
    await t.need(table.close())
    return table


@check("byob/8/closed-table-refuses-the-floor-plane", "BYOB-8-37", "BYOB-8-38", "BYOB-8-39", "BYOB-8-40")
async def floor_plane(t: Context) -> None:
    """After the close a say, a pass, a proposal and a decision are refused with E_TABLE_CLOSED and not written."""
    table = await closed(t)
    before = await table.entries()
    t.expect_refused("BYOB-8-37", await table.say("a"), CLOSED)
    t.expect_refused("BYOB-8-37", await table.say("b"), *EITHER)
    t.expect_refused("BYOB-8-37", await table.say("h"), CLOSED)
    t.expect_refused("BYOB-8-38", await table.passes("a"), CLOSED)
    t.expect_refused("BYOB-8-38", await table.passes("b"), *EITHER)
    t.expect_refused("BYOB-8-39", await table.propose("a"), CLOSED)
    t.expect_refused("BYOB-8-40", await table.decision("a"), CLOSED)
    after = await table.entries()
    for clause, kind in (
        ("BYOB-8-37", "say"),
        ("BYOB-8-38", "pass"),
        ("BYOB-8-39", "proposal"),
        ("BYOB-8-40", "decision"),
    ):
        grown = reading.of_kind(after[len(before) :], kind)
        t.expect(clause, not grown, wanted=f"no {kind} after the close", got=grown)


@check("byob/8/table-closed-by-its-rounds-refuses-too", "BYOB-8-37", "BYOB-8-38")
async def by_rounds(t: Context) -> None:
    """A table that closed because its turns ran out refuses says and passes as well, those of a human too."""
    table = await t.table(DUO_H, topology={"rounds": 1})
    await table.turns(2)
    await t.moment()
    if await table.is_open():
        raise Untested("the table is open after its last turn")
    for seat in ("a", "b"):
        t.expect_refused("BYOB-8-37", await table.say(seat), *EITHER)
        t.expect_refused("BYOB-8-38", await table.passes(seat), *EITHER)
    t.expect_refused("BYOB-8-37", await table.say("h"), CLOSED)


# The state in which the table closes, the steps that must be taken after it, each with its clause, and the state then.
FINISHING = (
    ("awaiting_approval", (("BYOB-8-41", "approve"),), "approved"),
    ("awaiting_approval", (("BYOB-8-41", "reject"),), "rejected"),
    ("approved", (("BYOB-8-42", "running"), ("BYOB-8-42", "receipt")), "reported"),
    ("running", (("BYOB-8-42", "receipt"), ("BYOB-8-43", "pass")), "verified"),
    ("reported", (("BYOB-8-43", "pass"),), "verified"),
    ("reported", (("BYOB-8-43", "fail"),), "failed"),
)


async def step(task: Task, word: str) -> Answer:
    """Take a step of a task."""
    if word in ("approve", "reject"):
        return await task.decide(word)
    if word == "receipt":
        return await task.receipt()
    return await (task.status(word) if word == "running" else task.verify(word))


async def finish(t: Context, task: Task, steps: tuple[tuple[str, str], ...], wanted: str) -> None:
    """Take steps on a closed table, and expect the state that they lead to."""
    for clause, word in steps:
        if not t.expect_ok(clause, await step(task, word), f"2xx to {word} after the close"):
            return
    state = await task.state()
    for clause in dict(steps):
        t.expect(clause, state == wanted, wanted=f"the task {wanted}", got=state)


@check("byob/8/open-tasks-finish-after-the-close", "BYOB-8-41", "BYOB-8-42", "BYOB-8-43")
async def work(t: Context) -> None:
    """After the close owners still decide, executors report and seats verify."""
    for start, steps, wanted in FINISHING:
        task = await t.task(start)
        await t.need(task.table.close())
        await finish(t, task, steps, wanted)


@check("byob/8/task-of-the-last-decision-can-be-finished", "BYOB-8-44")
async def last(t: Context) -> None:
    """The decision that closes the table opens a task, which can be brought to verified."""
    table = await t.table(WORK, floor=DECIDING, termination={"any": ["decision"]})
    await table.until_holds("a")
    answer = await t.need(table.decision("a", effects=[effect()]))
    await t.moment()
    if await table.is_open():
        raise Untested("the decision did not close the table")
    try:
        id = await opened_by(t, table, answer)
    except Untested:
        t.expect("BYOB-8-44", False, wanted="a task opened by the closing decision", got=await table.entries())
        return
    task = Task(table, id, answer.members)
    steps = tuple(("BYOB-8-44", word) for word in ("approve", "running", "receipt", "pass"))
    await finish(t, task, steps, "verified")


@check("byob/8/closed-table-grants-no-floor", "BYOB-8-45")
async def no_grants(t: Context) -> None:
    """After the close nobody gets the floor, whatever is posted, raised hands included."""
    task = await t.task("reported")
    table = task.table
    await table.need_holder()
    await t.need(table.close())
    answer = await table.raise_hand("b")
    if not answer.ok:
        t.expect_refused("BYOB-8-45", answer, CLOSED)
    for seat in ("a", "b"):
        await table.say(seat)
        await table.passes(seat)
    await t.need(task.verify("pass"))
    await t.moment()
    entries = await table.entries()
    end = next((i for i, entry in enumerate(entries) if entry.get("event") == "table_closed"), len(entries))
    grown = reading.events(entries[end:], "floor_granted")
    t.expect("BYOB-8-45", not grown, wanted="no floor_granted after table_closed", got=grown)
    for seat in table.tokens:
        floor = await table.floor(seat)
        free = floor.get("holder") is None and floor.get("you_have_floor") in (False, None)
        t.expect("BYOB-8-45", free, wanted=f"nobody to hold the floor in {seat}'s projection", got=floor)


@check("byob/8/closed-table-can-be-read", "BYOB-8-46")
async def reads(t: Context) -> None:
    """After the close seats read their projection, the memory, entries and tasks as before."""
    task = await t.task("approved")
    table = task.table
    seq = reading.seq_of(task.proposal)
    await t.need(table.close())
    for what, answer in (
        ("the projection", await table.proj("b", 0)),
        ("the projection without since", await table.proj("b")),
        ("the memory", await table.mem("b")),
        ("an entry", await table.entry("b", seq)),
        ("a task", await table.task("b", task.id)),
    ):
        t.expect_ok("BYOB-8-46", answer, f"2xx to {what} of a closed table")
    tail = [reading.seq_of(entry) for entry in await table.tail("b", 0)]
    t.expect("BYOB-8-46", seq in tail, wanted=f"entry {seq} in the tail still", got=tail)
