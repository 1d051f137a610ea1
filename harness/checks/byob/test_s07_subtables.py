"""BYOB 7: sub-tables, which tell their parent what they decided and nothing else."""

from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, PIPE, WORK
from harness.byob.table import Table
from harness.check import check

DECIDING: dict[str, Any] = {"floor": {"decision_by": ["a", "b"]}, "termination": {"any": ["decision"]}}


async def results(table: Table) -> list[reading.Entry]:
    """Return the subtable_result entries of a table."""
    return reading.events(await table.entries(), "subtable_result")


async def decided(t: Context, table: Table, body: str) -> int:
    """Let the holder decide, and return the seq of the decision."""
    await t.moment()
    holder = await table.need_holder()
    return reading.seq_of((await t.need(table.decision(holder, body))).value)


@check("byob/7/subtable-has-seats-of-its-own", "BYOB-7-54")
async def seats(t: Context) -> None:
    """No token of the parent opens its sub-table, the parent's seat ids are free there, and joins do not show."""
    parent = await t.table(DUO)
    before = await parent.entries()
    child = await t.table(DUO, parent=parent)
    t.expect("BYOB-7-54", set(child.tokens) == {"a", "b"}, wanted="a and b to join the child", got=sorted(child.tokens))
    for name, token in (("a seat token", parent.tokens["a"]), ("the admin token", parent.admin)):
        for path in ("/projection?since=0", "/memory", "/ledger"):
            headers = {"Authorization": f"Bearer {token}"}
            answer = await t.call("GET", child.path + path, headers=headers, who=f"{name} of the parent")
            t.expect_refused("BYOB-7-54", answer, "E_UNAUTHORIZED")
    answer = await t.call("GET", parent.path + "/projection?since=0", headers=child.bearer("a"), who="a of the child")
    t.expect_refused("BYOB-7-54", answer, "E_UNAUTHORIZED")
    joined = reading.events((await parent.entries())[len(before) :], "seat_joined")
    t.expect("BYOB-7-54", not joined, wanted="no join of the child in the parent", got=joined)


@check("byob/7/subtable-has-a-ledger-of-its-own", "BYOB-7-55")
async def ledger(t: Context) -> None:
    """The entries of a sub-table count from 1, and its posts leave the parent's ledger as it was."""
    parent = await t.table(DUO)
    await parent.turns(3)
    child = await t.table(DUO, parent=parent)
    before = await parent.entries()
    await child.turns(3)
    seqs = [reading.seq_of(entry) for entry in await child.entries()]
    wanted = "the seqs 1, 2, 3 and so on in the child"
    t.expect("BYOB-7-55", seqs == list(range(1, len(seqs) + 1)), wanted=wanted, got=seqs)
    tables = {entry.get("table") for entry in await child.entries()}
    t.expect("BYOB-7-55", tables == {child.id}, wanted=f"entries of table {child.id}", got=sorted(map(str, tables)))
    after = await parent.entries()
    grown = after[len(before) :]
    t.expect("BYOB-7-55", after == before, wanted="the parent's ledger as it was before the child's posts", got=grown)


@check("byob/7/subtable-has-a-topology-of-its-own", "BYOB-7-56")
async def topology(t: Context) -> None:
    """A pipeline below a broadcast grants its own floor in its own order, without effect on the parent's."""
    parent = await t.table(DUO)
    await parent.turn()
    child = await t.table(PIPE, parent=parent)
    for seat in ("s1", "s2"):
        holder = await child.holder(seat)
        t.expect("BYOB-7-56", holder == seat, wanted=f"{seat} to hold the floor of the child", got=holder or "nobody")
        await child.turn()
        above = await parent.holder()
        t.expect("BYOB-7-56", above == "b", wanted="b to hold the parent's floor still", got=above or "nobody")
    order = await parent.turns(2)
    t.expect("BYOB-7-56", order == ["b", "a"], wanted="the parent to go on with b and a", got=order)


@check("byob/7/closed-subtable-reports-once", "BYOB-7-57", "BYOB-7-58", "BYOB-7-59")
async def reports(t: Context) -> None:
    """A sub-table that closes puts one subtable_result into the parent, with its decisions and where they stand."""
    parent = await t.table(DUO)
    child, other = [await t.table(DUO, parent=parent, **DECIDING) for _ in range(2)]
    early = await results(parent)
    t.expect("BYOB-7-57", not early, wanted="no subtable_result before a sub-table closes", got=early)
    text = f"decided {t.unique()}"
    seq = await decided(t, child, text)
    await t.moment()
    found = await results(parent)
    t.expect("BYOB-7-57", len(found) == 1, wanted="one subtable_result after the child's decision", got=found)
    told = reading.mentions(found, text)
    t.expect("BYOB-7-58", told, wanted=f"the decision's text {text!r} in the subtable_result", got=found)
    ref = f"table:{child.id}#{seq}"
    refs = [each for entry in found for each in reading.members(entry, "refs")]
    t.expect("BYOB-7-59", reading.holds(refs, ref), wanted=f"{ref} among its refs", got=refs)
    for count, what, close in ((1, "closing it again", child), (2, "closing another", other), (2, "again", other)):
        answer = await close.close()
        t.note(f"{what} got {answer.seen()}")
        await t.moment()
        found = await results(parent)
        t.expect("BYOB-7-57", len(found) == count, wanted=f"{count} subtable_result entries after {what}", got=found)


@check("byob/7/every-decision-is-reported", "BYOB-7-58", "BYOB-7-59")
async def several(t: Context) -> None:
    """A sub-table with two decisions reports both, with references to both."""
    parent = await t.table(DUO)
    child = await t.table(DUO, parent=parent, floor=DECIDING["floor"])
    texts = [f"decided {t.unique()}" for _ in range(2)]
    seqs = [await decided(t, child, text) for text in texts]
    await t.need(child.close())
    await t.moment()
    found = await results(parent)
    for text, seq in zip(texts, seqs, strict=True):
        told = reading.mentions(found, text)
        t.expect("BYOB-7-58", told, wanted=f"the decision's text {text!r} in the subtable_result", got=found)
        ref = f"table:{child.id}#{seq}"
        refs = [each for entry in found for each in reading.members(entry, "refs")]
        t.expect("BYOB-7-59", reading.holds(refs, ref), wanted=f"{ref} among its refs", got=refs)


@check("byob/7/nothing-else-of-a-subtable-reaches-the-parent", "BYOB-7-60")
async def quiet(t: Context) -> None:
    """Says, proposals, tasks, seats and the close of a sub-table show nowhere in its parent."""
    parent = await t.table(DUO)
    child = await t.table(WORK, parent=parent, topic=f"marker{t.unique()}")
    marks = {"the topic": child.config["topic"]}

    def mark(what: str) -> str:
        word = f"marker{t.unique()}"
        marks[what] = word
        return word

    async with t.listening(parent, "b") as stream:
        before = await parent.entries()
        await child.need_holder("a")
        await t.need(child.say("a", mark("a say")))
        await child.until_holds("a")
        answer = await t.need(child.propose("a", body=mark("a proposal")))
        task = reading.task_ids(reading.events(await child.entries(), "task_opened"))[:1]
        for id in task:
            await t.need(child.decide("B", id, reason=mark("a reason")))
            await t.need(child.post("b", "status", task=id, state="running"))
            await t.need(child.post("b", "receipt", task=id, artifact=mark("an artifact")))
        t.note(f"the proposal got {answer.seen()}")
        await t.need(child.close(mark("the close's reason")))
        await t.moment()
        after = await parent.entries()
        shown = {
            "the parent's ledger": str(after),
            "a projection of the parent": str(await parent.projection("b", 0)),
            "the parent's memory": str(await parent.memory("b")),
            "the parent's events": bytes(stream.raw).decode("utf-8", "replace"),
        }
    for place, text in shown.items():
        found = [what for what, word in marks.items() if word in text]
        t.expect("BYOB-7-60", not found, wanted=f"nothing of the child in {place}", got=", ".join(found))
    grown = [each for each in after[len(before) :] if each.get("event") != "subtable_result"]
    t.expect("BYOB-7-60", not grown, wanted="nothing but the subtable_result in the parent's ledger", got=grown)


@check("byob/7/subtables-nest", "BYOB-7-61")
async def nested(t: Context) -> None:
    """A sub-table of a sub-table reports to its own parent, and not to the table above."""
    top = await t.table(DUO)
    middle = await t.table(DUO, parent=top, **DECIDING)
    below = await t.table(DUO, parent=middle, **DECIDING)
    low, high = f"decided {t.unique()}", f"decided {t.unique()}"
    before = await top.entries()
    await decided(t, below, low)
    await t.moment()
    told = await results(middle)
    wanted = "one subtable_result, with the decision, in the table between"
    t.expect("BYOB-7-61", len(told) == 1 and reading.mentions(told, low), wanted=wanted, got=told)
    after = await top.entries()
    t.expect("BYOB-7-61", after == before, wanted="nothing in the table at the top yet", got=after[len(before) :])
    still = await middle.is_open()
    t.expect("BYOB-7-61", still, wanted="the table between to stay open when its sub-table closes", got="it is closed")
    await decided(t, middle, high)
    await t.moment()
    told = await results(top)
    mentioned = reading.mentions(told, high) and not reading.mentions(told, low)
    wanted = "one subtable_result at the top, with the decision of the table between and not the one below it"
    t.expect("BYOB-7-61", len(told) == 1 and mentioned, wanted=wanted, got=told)
