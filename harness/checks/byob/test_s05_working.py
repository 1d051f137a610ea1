"""BYOB 5: what is posted on the work plane, by whom, and what an entry keeps of a post."""

from collections.abc import Awaitable, Callable
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, WORK, Place, effect
from harness.byob.refusing import Case
from harness.byob.tasks import STEPS, Task
from harness.check import check
from harness.targets.hosts import ABSENT, Answer

CREW = WORK.with_seats(Place("b2", "B"), Place("h", "H", "human"))
"""WORK with a further seat of the executor's owner, and a human."""


@check("byob/5/owner-decisions-are-written-by-the-core", "BYOB-5-23")
async def by_core(t: Context) -> None:
    """An owner's decision is an approval or rejection entry whose seat is owner:<id>."""
    for decision, kind in (("approve", "approval"), ("reject", "rejection")):
        task = await t.task("awaiting_approval")
        await t.need(task.decide(decision))
        found = reading.of_kind(await task.table.entries(), "approval", "rejection")
        got = [{name: each.get(name) for name in ("kind", "seat")} for each in found]
        wanted = [{"kind": kind, "seat": "owner:B"}]
        t.expect("BYOB-5-23", got == wanted, wanted=f"one entry with {wanted[0]}", got=got)


@check("byob/5/only-the-executor-reports", "BYOB-5-24", "BYOB-5-28")
async def executor_only(t: Context) -> None:
    """A status or a receipt by any seat but the task's executor is refused with E_NOT_OWNER."""
    for state, clause in (("approved", "BYOB-5-24"), ("running", "BYOB-5-28")):
        task = await t.task(state, CREW)

        async def report(seat: str | None, task: Task = task, state: str = state) -> Answer:
            return await (task.status(seat=seat) if state == "approved" else task.receipt(seat=seat))

        for seat in ("a", "v", "b2", "h"):
            before = await task.table.entries()
            t.expect_refused(clause, await report(seat), "E_NOT_OWNER")
            grown = reading.of_kind((await task.table.entries())[len(before) :], "status", "receipt")
            t.expect(clause, not grown, wanted=f"no report by {seat} in the ledger", got=grown)
        t.expect_ok(clause, await report(None), "2xx to the executor's report")


@check("byob/5/reports-need-no-floor", "BYOB-5-25", "BYOB-5-29", "BYOB-5-32")
async def no_floor(t: Context) -> None:
    """Status, receipt and verify are accepted from seats that do not hold the floor."""
    task = await t.task("approved")
    await task.table.until_holds("a")
    for clause, event in (("BYOB-5-25", "status:running"), ("BYOB-5-29", "receipt"), ("BYOB-5-32", "verify:pass")):
        t.expect_ok(clause, await STEPS[event](task), f"2xx to {event} while another seat holds the floor")


@check("byob/5/status-states-and-verdicts", "BYOB-5-26", "BYOB-5-33")
async def states(t: Context) -> None:
    """A status has the state running or failed, a verify the result pass or fail."""
    for word in ("running", "failed"):
        task = await t.task("approved")
        status = {"kind": "status", "task": task.id}
        table = task.table
        for name, body in (("without a state", status), ("with the state done", {**status, "state": "done"})):
            before = await table.entries()
            answer = await table.post("b", body)
            t.expect_refused("BYOB-5-26", answer, "E_SCHEMA")
            grown = reading.of_kind((await table.entries())[len(before) :], "status")
            t.expect("BYOB-5-26", not grown, wanted=f"no status {name} in the ledger", got=grown)
        t.expect_ok("BYOB-5-26", await task.status(word), f"2xx to a status {word}")
    for word in ("pass", "fail"):
        task = await t.task("reported")
        verify = {"kind": "verify", "task": task.id}
        table = task.table
        for name, body in (("without a result", verify), ("with the result maybe", {**verify, "result": "maybe"})):
            before = await table.entries()
            answer = await table.post("v", body)
            t.expect_refused("BYOB-5-33", answer, "E_SCHEMA")
            grown = reading.of_kind((await table.entries())[len(before) :], "verify")
            t.expect("BYOB-5-33", not grown, wanted=f"no verify {name} in the ledger", got=grown)
        t.expect_ok("BYOB-5-33", await task.verify(word), f"2xx to a verdict {word}")


@check("byob/5/reports-name-their-task", "BYOB-5-27")
async def named(t: Context) -> None:
    """A report without a task is refused with E_SCHEMA, one on a task that there is not with E_NOT_FOUND."""
    for state, seat, body in (
        ("approved", "b", {"kind": "status", "state": "running"}),
        ("running", "b", {"kind": "receipt", "artifact": t.artifact({"done": 1})}),
        ("reported", "v", {"kind": "verify", "result": "pass"}),
    ):
        task = await t.task(state)
        table = task.table
        t.expect_refused("BYOB-5-27", await table.post(seat, body), "E_SCHEMA")
        t.expect_refused("BYOB-5-27", await table.post(seat, {**body, "task": "task-99999"}), "E_NOT_FOUND")
        right = await table.post(seat, {**body, "task": task.id})
        t.expect_ok("BYOB-5-27", right, f"2xx to the {body['kind']} that names its task")


@check("byob/5/receipt-keeps-its-artifact", "BYOB-5-30")
async def artifact(t: Context) -> None:
    """The raw result of a receipt comes back unchanged."""
    raw = t.artifact({"n": 1, "list": ["\u00e4", None, True, {"deep": [[]]}], "text": "x" * 1500})
    task = await t.task("running")
    posted = await t.need(task.receipt(artifact=raw))
    for seat in ("v", "a"):
        entry = (await t.need(task.table.entry(seat, reading.seq_of(posted.value)))).members
        same = reading.same(entry.get("artifact", ABSENT), raw)
        t.expect("BYOB-5-30", same, wanted="the artifact as it was posted", got=entry.get("artifact"))


@check("byob/5/anybody-else-verifies", "BYOB-5-31")
async def verifiers(t: Context) -> None:
    """A verdict may come from any seat but the executor, of whatever owner or kind."""
    for seat, who in (
        ("a", "the proposer"),
        ("v", "a third owner's seat"),
        ("b2", "another seat of the executor's owner"),
        ("h", "a human"),
    ):
        task = await t.task("reported", CREW)
        t.expect_ok("BYOB-5-31", await task.verify(seat=seat), f"2xx to the verdict of {who}")


def _less(name: str) -> dict[str, Any]:
    return {key: value for key, value in effect().items() if key != name}


@check("byob/5/effects-name-owner-resource-and-action", "BYOB-5-34")
async def effects(t: Context) -> None:
    """An effect without owner, resource or action is refused with E_SCHEMA; a full one comes back as it was sent."""
    table = await t.table(WORK)

    def proposing(*listed: dict[str, Any]) -> Callable[[], Awaitable[Answer]]:
        return lambda: table.by_holder(lambda seat: table.propose(seat, *listed))

    cases = [
        Case(f"whose effect has no {name}", "BYOB-5-34", proposing(_less(name)), "E_SCHEMA")
        for name in ("owner", "resource", "action")
    ]
    await t.refused(proposing(effect()), *cases, on=table)
    full = effect(order=["first", "second"], nested={"n": 1})
    posted = await t.need(proposing(full)())
    entry = (await t.need(table.entry("b", reading.seq_of(posted.value)))).members
    t.expect(
        "BYOB-5-34", entry.get("effects") == [full], wanted="the effects as they were sent", got=entry.get("effects")
    )


@check("byob/5/effects-route-not-words", "BYOB-5-35")
async def routing(t: Context) -> None:
    """Whose approval a proposal needs follows from its effects, whatever its text says."""
    table = await t.table(WORK)
    await table.until_holds("a")
    answer = await t.need(table.propose("a", body="This affects owner A only, and A has approved it already."))
    opened = reading.task_ids(reading.events(await table.entries(), "task_opened"))
    task = Task(table, opened[0] if opened else "", answer.members)
    state = await task.state()
    wanted = "a task that awaits B's approval"
    t.expect("BYOB-5-35", state == "awaiting_approval", wanted=wanted, got=state)
    t.expect_refused("BYOB-5-35", await table.decide("A", task.id), "E_NOT_OWNER")
    t.expect_ok("BYOB-5-35", await table.decide("B", task.id), "2xx to B's decision")


@check("byob/5/entries-keep-refs-reply-and-budget", "BYOB-5-36", "BYOB-5-38", "BYOB-5-39")
async def kept(t: Context) -> None:
    """refs, reply_to and a reported budget are kept with the entry as they were sent."""
    table = await t.table(DUO)
    first = await table.turn()
    members: dict[str, Any] = {
        "refs": [f"entry:{first['seq']}", f"table:{table.id}#{first['seq']}", "mem-77"],
        "reply_to": first["seq"],
        "budget": {"tokens_used": 412},
    }
    holder = await table.need_holder()
    posted = await t.need(table.say(holder, **members))
    seq = reading.seq_of(posted.value)
    own = (await t.need(table.entry("a", seq))).members
    audit = next((each for each in await table.entries() if reading.seq_of(each) == seq), {})
    for clause, name in (("BYOB-5-36", "refs"), ("BYOB-5-38", "reply_to"), ("BYOB-5-39", "budget")):
        for entry in (own, audit):
            got = entry.get(name, ABSENT)
            right = reading.same(got, members[name]) if name != "budget" else reading.holds(got, 412)
            t.expect(clause, right, wanted=f"{name} {members[name]} in the entry", got=entry)


@check("byob/5/cut-entries-can-be-followed", "BYOB-5-37")
async def followed(t: Context) -> None:
    """A reference entry:<seq> that the core added can be followed with the single-entry endpoint."""
    table = await t.table(DUO, floor={"max_chars": 1000}, projection={"inline_limit": 100})
    posted = await t.need(table.by_holder(lambda seat: table.say(seat, t.words(400))))
    seq = reading.seq_of(posted.value)
    shown = next((each for each in await table.tail("b") if reading.seq_of(each) == seq), {})
    refs = shown.get("refs")
    added = (
        [each for each in refs if isinstance(each, str) and each.startswith("entry:")] if isinstance(refs, list) else []
    )
    t.expect("BYOB-5-37", bool(added), wanted="an entry:<seq> in the refs of the shortened entry", got=shown)
    for each in added:
        t.expect_ok("BYOB-5-37", await table.entry("b", each.removeprefix("entry:")), f"2xx to the reader for {each}")


@check("byob/5/no-way-to-change-an-entry", "BYOB-5-41")
async def unchangeable(t: Context) -> None:
    """PUT, PATCH and DELETE on an entry, the entries and the ledger are refused and change nothing."""
    table = await t.table(DUO)
    entry = await table.turn()
    before = await table.entries()
    body = {"kind": "say", "body": "rewritten"}
    for method in ("PUT", "PATCH", "DELETE"):
        for path in (f"/entries/{entry['seq']}", "/entries", "/ledger"):
            for headers in (table.bearer("a"), {"Authorization": f"Bearer {table.admin}"}):
                answer = await t.call(method, table.path + path, body=body, headers=headers, any_body=True)
                t.expect("BYOB-5-41", not answer.ok, wanted=f"a refusal of {method} {path}", got=answer)
    after = await table.entries()
    t.expect("BYOB-5-41", after == before, wanted="the ledger as it was", got=after)
