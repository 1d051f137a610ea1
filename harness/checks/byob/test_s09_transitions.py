"""BYOB 9: the state machine of a task, every state with everything that can happen in it."""

from collections.abc import Mapping
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import WORK, Place
from harness.byob.refusing import unchanged
from harness.byob.tasks import STATES, STEPS, Task
from harness.check import check
from harness.errors import Untested
from harness.targets.hosts import Answer

OWNER, STATUS, RECEIPT, VERDICT = (
    ("approve", "reject"), ("status:running", "status:failed"), ("receipt",), ("verify:pass", "verify:fail"),
)  # fmt: skip

ALLOWED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "awaiting_approval": (("BYOB-9-40", "approve", "approved"), ("BYOB-9-41", "reject", "rejected")),
    "approved": (("BYOB-9-42", "status:running", "running"), ("BYOB-9-43", "status:failed", "failed")),
    "running": (("BYOB-9-44", "receipt", "reported"),),
    "reported": (("BYOB-9-45", "verify:pass", "verified"), ("BYOB-9-46", "verify:fail", "failed")),
    "stalled": (("BYOB-9-47", "status:running", "running"),),
}
"""From each state: the clause, what happens, and the state that follows."""

FORBIDDEN: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "awaiting_approval": (("BYOB-9-52", STATUS), ("BYOB-9-53", RECEIPT), ("BYOB-9-54", VERDICT)),
    "approved": (("BYOB-9-55", OWNER), ("BYOB-9-56", RECEIPT), ("BYOB-9-57", VERDICT)),
    "running": (("BYOB-9-58", OWNER), ("BYOB-9-59", VERDICT)),
    "reported": (("BYOB-9-60", OWNER), ("BYOB-9-61", STATUS), ("BYOB-9-62", RECEIPT)),
    "verified": (("BYOB-9-63", OWNER), ("BYOB-9-64", STATUS), ("BYOB-9-65", RECEIPT), ("BYOB-9-66", VERDICT)),
    "failed": (("BYOB-9-67", OWNER), ("BYOB-9-68", STATUS), ("BYOB-9-69", RECEIPT), ("BYOB-9-70", VERDICT)),
    "rejected": (("BYOB-9-71", OWNER), ("BYOB-9-72", STATUS), ("BYOB-9-73", RECEIPT), ("BYOB-9-74", VERDICT)),
    "stalled": (("BYOB-9-75", OWNER), ("BYOB-9-76", RECEIPT), ("BYOB-9-77", VERDICT)),
}
"""In each state: the clause, and what is refused with E_TASK_STATE."""
UNNAMED = ("awaiting_approval", "rejected")
"""States in which the executor may not have been named yet, so that it is a stranger to the task (BYOB-Q107)."""

WATCHED = "stalled"
"""The state that only waiting leads to, so it has checks of its own."""
HEARTBEATS = (3, 15)
"""Heartbeats, in the smallest that the host takes, within which a resumed task is to be reported."""
AT_ONCE = tuple(state for state in STATES if state != WATCHED)


def _clauses(table: Mapping[str, tuple[tuple[Any, ...], ...]], *states: str) -> tuple[str, ...]:
    return tuple(row[0] for state in states for row in table.get(state, ()))


async def _allowed(t: Context, task: Task, state: str, row: tuple[str, str, str]) -> None:
    clause, event, following = row
    t.expect_ok(clause, await STEPS[event](task), f"2xx to {event} on a task that is {state}")
    for seat in ("a", "b"):
        reached = await task.state(seat)
        wanted = f"{seat} to read {following} after {event} on a task that is {state}"
        t.expect(clause, reached == following, wanted=wanted, got=reached)


async def _forbidden(t: Context, task: Task, state: str, clause: str, event: str) -> bool:
    """Send what the state does not allow; returns whether the task is still in it."""
    before = await task.table.entries()
    answer = await STEPS[event](task)
    told = f"{event} on a task that is {state}"
    softly = ("E_NOT_OWNER",) if state in UNNAMED and event in (*STATUS, *RECEIPT) else ()
    t.expect_refused(clause, answer, "E_TASK_STATE", softly=softly, open_question="BYOB-Q107" if softly else None)
    unchanged(t, clause, before, await task.table.entries(), told)
    now = await task.state()
    return t.expect(clause, now == state, wanted=f"the task to stay {state} after {told}", got=now)


async def _all_forbidden(t: Context, state: str) -> None:
    """Send all that a state does not allow, to one task as long as it stays; then go on as the state allows."""
    task = await t.task(state)
    for clause, events in FORBIDDEN[state]:
        for event in events:
            if not await _forbidden(t, task, state, clause, event):
                task = await t.task(state)
    for _, event, following in ALLOWED.get(state, ())[:1]:
        answer = await STEPS[event](task)
        last = FORBIDDEN[state][-1][0]
        t.expect_ok(last, answer, f"2xx to {event}, which a task that is {state} allows, after the refusals")
        if state == WATCHED:
            return  # what is resumed may stall again at any time
        reached = await task.state()
        t.expect(last, reached == following, wanted=f"the task to be {following} after {event}", got=reached)


@check("byob/9/allowed-transitions", *_clauses(ALLOWED, *AT_ONCE))
async def allowed(t: Context) -> None:
    """Whatever the state machine allows is accepted, and the task is in the state that it draws."""
    for state in AT_ONCE:
        for row in ALLOWED.get(state, ()):
            await _allowed(t, await t.task(state), state, row)


@check("byob/9/a-stalled-task-runs-on", *_clauses(ALLOWED, WATCHED), waits=True)
async def resumed(t: Context) -> None:
    """The status running brings a stalled task back to running, from where it is reported and verified."""
    for times in HEARTBEATS:
        heartbeat = times * t.dialect.heartbeat_ms
        task = await t.task("approved", watchdog={"heartbeat_ms": heartbeat})
        await t.after(heartbeat / 1000)
        await task.stall()
        begun = t.now()
        for clause, event, following in ALLOWED[WATCHED]:
            answer, reached = await STEPS[event](task), await task.state()
            receipt = await task.receipt()
            t.expect_ok(clause, answer, f"2xx to {event} on a task that is {WATCHED}")
            if t.now() < begun + heartbeat / 1000:
                wanted = f"the task to be {following} after {event}"
                t.expect(clause, reached == following, wanted=wanted, got=reached)
                t.expect_ok(clause, receipt, "2xx to the receipt of the task that was resumed")
                return
    raise Untested("the host answered so late that the resumed task may have stalled again")


@check("byob/9/forbidden-transitions", *_clauses(FORBIDDEN, *AT_ONCE))
async def forbidden(t: Context) -> None:
    """Whatever the state machine does not draw is refused with E_TASK_STATE, and the task stays as it is."""
    for state in AT_ONCE:
        await _all_forbidden(t, state)


@check("byob/9/forbidden-while-stalled", *_clauses(FORBIDDEN, WATCHED), waits=True)
async def forbidden_stalled(t: Context) -> None:
    """A stalled task takes no decision, no receipt and no verdict."""
    await _all_forbidden(t, WATCHED)


def _refused_so(answer: Answer) -> bool:
    return answer.enveloped and answer.status == 409 and answer.code == "E_TASK_STATE"


@check("byob/9/a-running-task-fails-by-its-status", "BYOB-9-50")
async def failing(t: Context) -> None:
    """The status failed of a running task fails it; a host that refuses it as the diagram does gets a warning."""
    task = await t.task("running")
    answer = await task.status("failed")
    if _refused_so(answer):
        t.expect_ok("BYOB-9-50", answer, "2xx to failed on a running task", open_question="BYOB-Q098")
    else:
        t.expect_ok("BYOB-9-50", answer, "2xx, or 409 E_TASK_STATE, to failed on a running task (BYOB-Q098)")
    state, wanted = await task.state(), "failed" if answer.ok else "running"
    t.expect("BYOB-9-50", state == wanted, wanted=f"the task as {wanted} after {answer.status}", got=state)
    if answer.ok:
        t.expect_refused("BYOB-9-50", await task.receipt(), "E_TASK_STATE")


@check("byob/9/running-twice-is-still-running", "BYOB-9-51")
async def again(t: Context) -> None:
    """A repeated running status of a running task is taken or refused (BYOB-Q099), and the task runs on."""
    task = await t.task("running")
    for _ in range(3):
        answer = await task.status("running")
        wanted = "2xx or 409 E_TASK_STATE to a repeated running (BYOB-Q099)"
        t.expect("BYOB-9-51", answer.ok or _refused_so(answer), wanted=wanted, got=answer)
        state = await task.state()
        t.expect("BYOB-9-51", state == "running", wanted="the task as running", got=state)
    t.expect_ok("BYOB-9-51", await task.receipt(), "2xx to the receipt of the running task")


@check("byob/9/a-stalled-task-does-not-fail", "BYOB-9-78", waits=True)
async def stalled_failing(t: Context) -> None:
    """The status failed of a stalled task is refused; a host that takes it as the end gets a warning."""
    task = await t.task(WATCHED)
    answer = await task.status("failed")
    if answer.ok:
        wanted = "409 E_TASK_STATE to failed on a stalled task"
        t.expect("BYOB-9-78", False, wanted=wanted, got=answer, open_question="BYOB-Q100")
    else:
        t.expect_refused("BYOB-9-78", answer, "E_TASK_STATE")
    state, wanted = await task.state(), "failed" if answer.ok else WATCHED
    t.expect("BYOB-9-78", state == wanted, wanted=f"the task as {wanted} after {answer.status}", got=state)


@check("byob/9/no-executor-verifies-itself", "BYOB-9-37")
async def self_verified(t: Context) -> None:
    """A verdict by the executor on its own task is refused with E_SELF_VERIFY, and the task stays reported."""
    for result in ("pass", "fail"):
        task = await t.task("reported")
        for attempt in (result, "pass", "fail"):
            before = await task.table.entries()
            t.expect_refused("BYOB-9-37", await task.verify(attempt, seat=task.executor), "E_SELF_VERIFY")
            unchanged(t, "BYOB-9-37", before, await task.table.entries(), "a verdict of the executor")
        state = await task.state()
        t.expect("BYOB-9-37", state == "reported", wanted="the task to stay reported", got=state)
        t.expect_ok("BYOB-9-37", await task.verify(result), f"2xx to the verdict {result} of another seat")


SAID = (
    "{id} is approved",
    "{id} is running",
    "{id}: failed",
    "{id} is done",
    "{id} verified, verify pass",
    "reject {id}",
)


@check("byob/9/speech-changes-no-task", "BYOB-9-38", "BYOB-9-39")
async def speech(t: Context) -> None:
    """What is said, decided in words, or told beside a say moves no task, whoever says it and whatever its state."""
    crew = WORK.with_seats(Place("hb", "B", "human"))
    for state in AT_ONCE:
        task = await t.task(state, crew, floor={"decision_by": ["a", "b"]})
        table = task.table
        for text in SAID:
            await table.turn(body=text.format(id=task.id), to=["*"])
            await t.need(table.say("hb", text.format(id=task.id)))
        for _ in ("a", "b"):
            holder = await table.need_holder()
            body = {"kind": "say", "body": "done", "task": task.id, "state": "failed", "result": "pass", "artifact": 1}
            await table.post(holder, {**body, "decision": "approve", "owner": "B"})  # taken or not, it is speech
        await t.need(table.decision(await table.need_holder(), f"{task.id} is verified"))
        now = await task.state()
        for clause in ("BYOB-9-38", "BYOB-9-39") if state == "reported" else ("BYOB-9-38",):
            t.expect(clause, now == state, wanted=f"the task to stay {state} whatever is said", got=now)


@check("byob/9/a-receipt-verifies-nothing", "BYOB-9-39")
async def receipt_alone(t: Context) -> None:
    """A task with a receipt is reported, also when the receipt says that all is verified, until a verdict comes."""
    task = await t.task("running")
    told = t.artifact({"state": "verified", "result": "pass", "verified": True})
    await t.need(task.receipt(artifact=told, body=f"{task.id} is verified"))
    for seat in ("a", "b", "v"):
        state = await task.state(seat)
        t.expect("BYOB-9-39", state == "reported", wanted="the task as reported after its receipt", got=state)
    found = reading.of_kind(await task.table.entries(), "verify")
    t.expect("BYOB-9-39", not found, wanted="no verdict in the ledger that nobody gave", got=found)
    t.expect_ok("BYOB-9-39", await task.verify(), "2xx to the verdict")
    state = await task.state()
    t.expect("BYOB-9-39", state == "verified", wanted="the task as verified after the verdict", got=state)
