"""BYOB 8: what closes a table, and when."""

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, WORK
from harness.byob.table import Table
from harness.check import check

DECIDING = {"decision_by": ["a", "b"]}
LIMIT = 30


async def opens(t: Context, clause: str, table: Table, when: str) -> bool:
    """Expect that a table is open."""
    await t.moment()
    return t.expect(clause, await table.is_open(), wanted=f"an open table {when}", got="it is closed")


async def closes(t: Context, clause: str, table: Table, when: str, reason: str = "") -> None:
    """Expect that a table is closed, with a table_closed entry, which names the reason if it is a condition's."""
    await t.moment()
    if not t.expect(clause, not await table.is_open(), wanted=f"the table closed {when}", got="an open table"):
        return
    closed = reading.events(await table.entries(), "table_closed")
    t.expect(clause, len(closed) == 1, wanted=f"one table_closed entry {when}", got=closed)
    if reason and closed:
        named = reading.mentions(closed, reason)
        t.expect(clause, named, wanted=f"the reason {reason}", got=closed[0], open_question="BYOB-Q085")


@check("byob/8/decision-closes-if-it-is-a-condition", "BYOB-8-24", "BYOB-8-25")
async def decision(t: Context) -> None:
    """A decision closes the table whose condition it is, and no other."""
    for listed in (["decision"], [{"max_entries": 1000}, "decision"]):
        table = await t.table(DUO, floor=DECIDING, termination={"any": listed})
        answer = await t.need(table.by_holder(table.decision))
        await closes(t, "BYOB-8-24", table, "by the decision", "decision")
        entries = await table.entries()
        late = [
            reading.seq_of(entry) > reading.seq_of(answer.value) for entry in reading.events(entries, "table_closed")
        ]
        t.expect("BYOB-8-24", all(late), wanted="table_closed after the decision", got=entries[-3:])
    table = await t.table(DUO, floor=DECIDING)
    await t.need(table.by_holder(table.decision))
    await opens(t, "BYOB-8-25", table, "after a decision that is no condition")


@check("byob/8/exhausted-rounds-close", "BYOB-8-26", "BYOB-8-27")
async def rounds(t: Context) -> None:
    """A table closes when its policy has no turns left, whether that is listed as a condition or not."""
    for clause, listed in (
        ("BYOB-8-26", ["rounds_exhausted"]),
        ("BYOB-8-26", [{"budget_tokens": 10_000}, "rounds_exhausted"]),
        ("BYOB-8-27", ["decision"]),
        ("BYOB-8-27", [{"max_entries": 1000}]),
    ):
        for kind in ("say", "pass"):
            table = await t.table(DUO, topology={"rounds": 1}, floor=DECIDING, termination={"any": listed})
            await table.need_holder("a")
            await table.turn(kind)
            if await opens(t, clause, table, f"after one {kind} of two, with {listed}"):
                await table.turn(kind)
                await closes(t, clause, table, f"after the last {kind}, with {listed}", "rounds_exhausted")


@check("byob/8/budget-closes-when-it-is-exceeded", "BYOB-8-28", "BYOB-8-29")
async def budget(t: Context) -> None:
    """The table is open at the budget and closes above it; the post that goes over it is accepted."""
    table = await t.table(DUO, termination={"any": [{"budget_tokens": 100}]})
    for used in (60, 40):
        await table.turn(budget={"tokens_used": used})
        await opens(t, "BYOB-8-28", table, f"at a sum of {60 if used == 60 else 100} of 100 tokens")
    answer = await table.by_holder(lambda seat: table.say(seat, budget={"tokens_used": 1}))
    t.expect_ok("BYOB-8-29", answer, "2xx to the say that goes over the budget")
    await closes(t, "BYOB-8-28", table, "at a sum of 101 of 100 tokens", "budget_tokens")
    table = await t.table(DUO, floor=DECIDING, termination={"any": ["decision", {"budget_tokens": 100}]})
    answer = await table.by_holder(lambda seat: table.say(seat, budget={"tokens_used": 101}))
    t.expect_ok("BYOB-8-29", answer, "2xx to a say of 101 tokens where the budget is 100")
    await closes(t, "BYOB-8-28", table, "by a say of 101 tokens", "budget_tokens")
    entries = await table.entries()
    words = [entry.get("event") if entry.get("kind") == "system" else entry.get("kind") for entry in entries]
    ahead = "say" in words and "table_closed" in words and words.index("say") < words.index("table_closed")
    t.expect("BYOB-8-29", ahead, wanted="the say ahead of table_closed in the ledger", got=words)


@check("byob/8/estimates-exceed-budgets-too", "BYOB-8-28")
async def estimated(t: Context) -> None:
    """Posts that report nothing count towards the budget by their length."""
    table = await t.table(DUO, termination={"any": [{"budget_tokens": 20}]})
    for letters in (39, 39, 1):
        await opens(t, "BYOB-8-28", table, f"before a say of {letters} letters")
        await table.turn(body="x" * letters)
    await closes(t, "BYOB-8-28", table, "by says of 39, 39 and 1 letters, which are 21 tokens of 20")


@check("byob/8/max-entries-closes", "BYOB-8-36")
async def entries(t: Context) -> None:
    """The table is open while its ledger has fewer entries than max_entries, and closed after that many posts."""
    table = await t.table(DUO, termination={"any": [{"max_entries": LIMIT}]})
    for count in range(LIMIT + 1):
        length = len(await table.entries())
        is_open = await table.is_open()
        if length < LIMIT:
            wanted = f"an open table with {length} entries of {LIMIT}"
            t.expect("BYOB-8-36", is_open, wanted=wanted, got="it is closed")
        if not is_open:
            break
        await table.turn(["say", "pass"][count % 2])
        await t.moment()
    await closes(t, "BYOB-8-36", table, f"after {LIMIT + 1} posts of the floor plane", "max_entries")


@check("byob/8/conditions-are-alternatives", "BYOB-8-28", "BYOB-8-24")
async def alternatives(t: Context) -> None:
    """Of several conditions the one that is met first closes the table."""
    listed = ["decision", "rounds_exhausted", {"budget_tokens": 50}, {"max_entries": 500}]
    table = await t.table(DUO, floor=DECIDING, termination={"any": listed})
    await table.turn(budget={"tokens_used": 51})
    await closes(t, "BYOB-8-28", table, "by its budget, one of four conditions", "budget_tokens")
    table = await t.table(DUO, floor=DECIDING, termination={"any": listed})
    await t.need(table.by_holder(lambda seat: table.decision(seat, budget={"tokens_used": 1})))
    await closes(t, "BYOB-8-24", table, "by a decision, one of four conditions", "decision")


@check("byob/8/admin-closes-at-any-time", "BYOB-8-47")
async def admin(t: Context) -> None:
    """The admin closes an open table, before anybody joined and in the middle of a turn; seats cannot."""
    for recipe in (DUO, WORK):
        for joined in (False, True):
            table = await t.table(recipe, join=joined)
            reason = f"reason {t.unique()}"
            answer = await table.close(reason)
            t.expect_ok("BYOB-8-47", answer, "2xx to the admin's close")
            closed = reading.events(await table.entries(), "table_closed")
            told = len(closed) == 1 and reading.mentions(closed, reason)
            t.expect("BYOB-8-47", told, wanted=f"one table_closed entry with {reason!r}", got=closed)
            if joined:
                await closes(t, "BYOB-8-47", table, "by its admin")
