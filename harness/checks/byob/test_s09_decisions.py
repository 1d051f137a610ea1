"""BYOB 9: what an owner's decision does, what a refused one leaves alone, and what no decision can be about."""

from collections.abc import Awaitable
from typing import Any

from harness.byob import reading, tasks
from harness.byob.context import Context
from harness.byob.owners import nonce
from harness.byob.recipes import WORK, Place, effect
from harness.byob.refusing import Case
from harness.byob.table import Table
from harness.byob.tasks import Task
from harness.check import check
from harness.targets.hosts import Answer


@check("byob/9/decision-nonces-serve-once", "BYOB-9-31")
async def replays(t: Context) -> None:
    """A decision with a nonce that its owner has used on this table is refused with E_REPLAY, a fresh one taken."""
    table = await t.table(WORK)
    for first, second in (("approve", "approve"), ("approve", "reject"), ("reject", "approve")):
        done, waiting, used = await t.propose(table), await t.propose(table), nonce()
        sent = table.decision_request("B", done.id, first, nonce=used)
        await t.need(table.send_decision(sent))
        before = await table.entries()
        again = table.decision_request("B", waiting.id, second, nonce=used)
        answer = await table.send_decision(again)
        t.expect_refused("BYOB-9-31", answer, "E_REPLAY")
        t.expect_refused("BYOB-9-31", await table.send_decision(sent), "E_REPLAY", "E_TASK_STATE")  # BYOB-Q116
        grown = reading.of_kind((await table.entries())[len(before) :], "approval", "rejection")
        t.expect("BYOB-9-31", not grown, wanted="no further decision in the ledger", got=grown)
        t.expect_ok("BYOB-9-31", await waiting.decide(second), "2xx to the same decision with a fresh nonce")


@check("byob/9/decisions-are-about-tasks-there-are", "BYOB-9-32")
async def unknown(t: Context) -> None:
    """A decision about a task that does not exist is refused with E_NOT_FOUND."""
    table = await t.table(WORK)

    async def control() -> Answer:
        return await (await t.propose(table)).decide()

    def about(id: str, decision: str) -> Case:
        name = f"to {decision} the task {id}, which does not exist"
        return Case(name, "BYOB-9-32", lambda: table.decide("B", id, decision), "E_NOT_FOUND")

    await t.refused(control, about("task-99999", "approve"), about("task-99999", "reject"), on=table)


async def _seen(table: Table, task: Task) -> dict[str, Any]:
    """Return all that a decision could change: the task, the memory, the floor and the owner's list of tasks."""
    t = table.t
    projection = await table.projection("b", 0)
    return {
        "task": (await t.need(table.task("a", task.id))).value,
        "memory": await table.memory("a"),
        **{name: projection.get(name) for name in ("floor", "my_tasks", "prefix", "status")},
    }


@check("byob/9/refused-decisions-change-nothing", "BYOB-9-33")
async def nothing_changed(t: Context) -> None:
    """After decisions that were refused for any reason, the task, the memory and the ledger are as they were."""
    table = await t.table(WORK)
    done, used = await t.propose(table), nonce()
    await t.need(_with(table, done, used))
    task = await t.propose(table)
    before, entries = await _seen(table, task), await table.entries()
    incomplete = table.decision_request("B", task.id)
    del incomplete["nonce"]
    refusals: tuple[tuple[Awaitable[Answer], tuple[str, ...]], ...] = (
        (table.send_decision(incomplete), ("E_SCHEMA",)),
        (table.decide("B", task.id, decision="perhaps"), ("E_SCHEMA", "E_BAD_SIGNATURE")),
        (table.decide("B", task.id, signature=table.owner("A").sign({})), ("E_BAD_SIGNATURE",)),
        (table.decide("A", task.id), ("E_NOT_OWNER",)),
        (table.decide("Z", task.id), ("E_NOT_OWNER",)),
        (_with(table, task, used), ("E_REPLAY",)),
        (table.decide("B", "task-99999"), ("E_NOT_FOUND",)),
    )
    for send, codes in refusals:
        t.expect_refused("BYOB-9-33", await send, *codes)
        grown = reading.of_kind((await table.entries())[len(entries) :], "approval", "rejection")
        t.expect("BYOB-9-33", not grown, wanted=f"no decision in the ledger after {' or '.join(codes)}", got=grown)
    after = await _seen(table, task)
    for name, value in before.items():
        t.expect("BYOB-9-33", after[name] == value, wanted=f"the {name} as it was: {value}", got=after[name])
    t.expect_ok("BYOB-9-33", await task.decide(), "2xx to the right decision after the refused ones")


async def _with(table: Table, task: Task, used: str) -> Answer:
    """Send a right approval with this nonce."""
    return await table.send_decision(table.decision_request("B", task.id, nonce=used))


@check("byob/9/decisions-are-recorded-and-done", "BYOB-9-34", "BYOB-9-35")
async def recorded(t: Context) -> None:
    """A decision leaves an approval or rejection that names its task; then the task is approved, or rejected."""
    table = await t.table(WORK)
    await t.propose(table)
    for decision, kind, state in (("approve", "approval", "approved"), ("reject", "rejection", "rejected")):
        task, reason = await t.propose(table), t.words()
        answer = await task.decide(decision, reason=reason)
        t.expect_ok("BYOB-9-34", answer, f"2xx to a right decision to {decision}")
        entries = await table.entries()
        mine = [each for each in reading.of_kind(entries, "approval", "rejection") if reading.holds(each, task.id)]
        kinds = [each.get("kind") for each in mine]
        t.expect("BYOB-9-34", kinds == [kind], wanted=f"one {kind} that names {task.id}", got=mine)
        told = [each for each in mine if reading.mentions(each, reason)]
        wanted = "the reason in the entry"
        t.expect("BYOB-9-34", bool(told), wanted=wanted, got=mine, open_question="BYOB-Q051")
        shown = (await t.need(table.task("a", task.id))).value
        t.expect("BYOB-9-35", tasks.state_of(shown) == state, wanted=f"the task as {state}", got=shown)
        if state == "approved":
            named = tasks.executor_of(shown) == "b"
            t.expect("BYOB-9-35", named, wanted="b as the executor of the approved task", got=shown)
        last = reading.seq_of(mine[-1]) if mine else 0
        _marked(t, task, state, [each for each in entries if reading.seq_of(each) > last])


def _marked(t: Context, task: Task, state: str, later: list[reading.Entry]) -> None:
    """Look for the task_state entry that sets the task; only its absence after a decision is open (BYOB-Q097)."""
    marks = [each for each in reading.events(later, "task_state") if reading.holds(each, task.id)]
    right = [each for each in marks if t.dialect.tells(each, "state", state)]
    if state == "approved":
        right = [each for each in right if t.dialect.tells(each, "executor", "b")]
    wanted = f"a task_state entry with {task.id}, {state}{' and b' if state == 'approved' else ''}"
    t.expect("BYOB-9-35", bool(right), wanted=wanted, got=marks or later, open_question="BYOB-Q097")


@check("byob/9/admin-token-is-no-owner", "BYOB-9-86")
async def admin(t: Context) -> None:
    """The admin token does not post, and with it neither a join nor a decision passes that its owner has not signed."""
    table = await t.table(WORK)
    task = await t.propose(table)
    await t.need(task.decide())
    await table.until_holds("a")
    running = {"kind": "status", "task": task.id, "state": "running"}
    proposal = {"kind": "proposal", "body": t.words(), "effects": [effect()]}
    posts = ({"kind": "say", "body": t.words()}, {"kind": "pass"}, proposal, running)
    cases = [
        Case(
            f"to post a {body['kind']} with the admin token",
            "BYOB-9-86",
            lambda body=body: table.as_admin("POST", "/entries", body),  # type: ignore[misc]
            "E_UNAUTHORIZED",
        )
        for body in posts
    ]
    await t.refused(lambda: table.propose("a"), *cases, on=table)
    waiting = await t.propose(table)
    other = table.owner("A")
    join = table.join_request(Place("new", "B"), by=other)
    decision = table.decision_request("B", waiting.id, by=other)
    for path, body in (("/seats", join), ("/approvals", decision)):
        before = await table.entries()
        answer = await table.as_admin("POST", path, body)
        t.expect_refused("BYOB-9-86", answer, "E_BAD_SIGNATURE", "E_UNAUTHORIZED")  # BYOB-Q016
        grown = reading.without_notes((await table.entries())[len(before) :])
        t.expect("BYOB-9-86", not grown, wanted=f"nothing in the ledger by POST {path}", got=grown)
    t.expect_ok("BYOB-9-86", await waiting.decide(), "2xx to the owner's own decision")
    t.expect_ok("BYOB-9-86", await table.join(Place("new", "B")), "2xx to the join that its owner signed")


@check("byob/9/work-goes-on-after-the-close", "BYOB-8-41", "BYOB-8-42", "BYOB-8-43", "BYOB-8-44")
async def after_close(t: Context) -> None:
    """After the close, tasks are decided, carried out and verified as before, also one that the last decision opens."""
    table = await t.table(WORK)
    approved, rejected = await t.propose(table), await t.propose(table)
    await t.need(table.close())
    for clause, step, state, call in (
        ("BYOB-8-41", "approval", "approved", approved.decide),
        ("BYOB-8-42", "status running", "running", approved.status),
        ("BYOB-8-42", "receipt", "reported", approved.receipt),
        ("BYOB-8-43", "verdict", "verified", approved.verify),
    ):
        t.expect_ok(clause, await call(), f"2xx to a right {step} after the close")
        reached = await approved.state()
        t.expect(clause, reached == state, wanted=f"the task as {state}", got=reached)
    t.expect_ok("BYOB-8-41", await rejected.decide("reject"), "2xx to a rejection after the close")
    closing = await t.table(WORK, termination={"any": ["decision"]}, floor={"decision_by": ["a", "b"]})
    posted = await t.need(closing.by_holder(lambda seat: closing.decision(seat, effects=[effect()])))
    seq = reading.seq_of(posted.value)
    later = [entry for entry in await closing.entries() if reading.seq_of(entry) > seq]
    opened = reading.events(later, "task_opened")
    if not t.expect("BYOB-8-44", bool(opened), wanted="a task that the last decision opens (BYOB-Q087)", got=later):
        return
    task = Task(closing, await tasks.opened_by(t, closing, posted), posted.members)
    for step in tasks.WAYS["verified"]:
        if await task.state() == "awaiting_approval" or step != "approve":
            t.expect_ok("BYOB-8-44", await tasks.STEPS[step](task), f"2xx to {step} on the task of the last decision")
    reached = await task.state()
    t.expect("BYOB-8-44", reached == "verified", wanted="the task as verified", got=reached)
