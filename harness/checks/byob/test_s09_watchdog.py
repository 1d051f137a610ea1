"""BYOB 9: the watchdog marks a task stalled that should go on and does not, and no other."""

from collections.abc import Awaitable

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import WORK
from harness.byob.table import Table
from harness.byob.tasks import STEPS, WATCH_GRACE, WAYS, Task, state_of
from harness.check import check
from harness.errors import Untested
from harness.targets.hosts import Answer

Mark = reading.Entry


SLOW = (5, 20)
"""Heartbeats, in the smallest that the host takes, where an answer that takes its time must not spoil what is shown."""


def _watched(t: Context, times: int = 1) -> dict[str, int]:
    return {"heartbeat_ms": times * t.dialect.heartbeat_ms}


def _heartbeat(t: Context, times: int = 1) -> float:
    return times * t.dialect.heartbeat_ms / 1000


async def _until_stalled(t: Context, task: Task, times: int = 1) -> Answer:
    """Ask for the task until it is stalled, for a heartbeat and the grace of BYOB-Q022; returns the last answer."""

    def ask() -> Awaitable[Answer]:
        return task.table.task(task.table.reader, task.id)

    seconds = _heartbeat(t, times) + WATCH_GRACE
    return await t.poll(ask, lambda answer: state_of(answer.value) == "stalled", seconds)


async def _marks(t: Context, entries: list[Mark], task: Task) -> list[Mark]:
    """Return the task_state entries that mark a task stalled."""
    mine = [each for each in reading.events(entries, "task_state") if t.dialect.tells(each, "task", task.id)]
    return [each for each in mine if t.dialect.tells(each, "state", "stalled")]


async def _not_yet(t: Context, task: Task, clause: str, begun: float, state: str) -> None:
    """Expect a state at four fifths of a heartbeat after `begun`, unless the answer came too late to tell."""
    await t.until(begun + 0.8 * _heartbeat(t))
    reached = await task.state()
    if t.now() < begun + _heartbeat(t):
        t.expect(clause, reached == state, wanted=f"the task as {state} before the heartbeat is over", got=reached)


@check("byob/9/silence-stalls-a-task", "BYOB-9-48", "BYOB-9-49", waits=True)
async def silence(t: Context) -> None:
    """An approved or running task without progress is stalled after heartbeat_ms, and not before."""
    for clause, state in (("BYOB-9-48", "approved"), ("BYOB-9-49", "running")):
        task = await t.task("awaiting_approval", watchdog=_watched(t))
        for event in WAYS[state]:
            begun = t.now()
            await t.need(STEPS[event](task))
        await _not_yet(t, task, clause, begun, state)
        answer = await _until_stalled(t, task)
        wanted = f"the {state} task as stalled within {_heartbeat(t) + WATCH_GRACE:g} s of silence (BYOB-Q022)"
        t.expect(clause, state_of(answer.value) == "stalled", wanted=wanted, got=answer)


@check("byob/9/approved-at-once-is-watched-too", "BYOB-9-48", waits=True)
async def automatic(t: Context) -> None:
    """A task that was approved without a decision is watched as well."""
    table = await t.table(WORK, watchdog=_watched(t))
    begun = t.now()
    task = await t.propose(table, "b")
    if await task.state() not in ("approved", "stalled"):
        raise Untested("a proposal of the executor's own owner opens no approved task")
    await _not_yet(t, task, "BYOB-9-48", begun, "approved")
    answer = await _until_stalled(t, task)
    t.expect("BYOB-9-48", state_of(answer.value) == "stalled", wanted="the task as stalled", got=answer)


@check("byob/9/only-work-in-hand-stalls", "BYOB-9-79", "BYOB-9-80", "BYOB-9-81", waits=True)
async def others(t: Context) -> None:
    """The watchdog touches no task that waits, is reported or has ended, while it stalls the one beside them."""
    times = SLOW[0]
    table = await t.table(WORK, watchdog=_watched(t, times))
    rows = (
        ("BYOB-9-79", "awaiting_approval"),
        ("BYOB-9-80", "reported"),
        ("BYOB-9-81", "verified"),
        ("BYOB-9-81", "failed"),
        ("BYOB-9-81", "rejected"),
    )
    left: list[tuple[str, str, Task]] = []
    for clause, state in rows:
        task = await t.propose(table)
        await task.bring_to(state)
        left.append((clause, state, task))
    seq = await table.last_seq()
    control = await t.propose(table)
    await t.need(control.decide())
    if state_of((await _until_stalled(t, control, times)).value) != "stalled":
        raise Untested("no watchdog stalled the task beside them, so it shows nothing that it left them alone")
    await t.after(_heartbeat(t))
    later = [each for each in await table.entries() if reading.seq_of(each) > seq]
    for clause, state, task in left:
        reached = await task.state()
        t.expect(clause, reached == state, wanted=f"the task that was {state} to stay so", got=reached)
        marks = [each for each in reading.events(later, "task_state") if t.dialect.tells(each, "task", task.id)]
        t.expect(clause, not marks, wanted=f"no task_state entry for the task that is {state}", got=marks)


@check("byob/9/stalled-once-for-all-to-see", "BYOB-9-82", "BYOB-9-83", waits=True)
async def once(t: Context) -> None:
    """A task is marked stalled by one task_state entry, which every seat sees, and by no second one."""
    task = await t.task("stalled")
    table = task.table
    await t.after(5 * _heartbeat(t))
    await task.state()
    marks = await _marks(t, await table.entries(), task)
    wanted = f"one task_state entry with {task.id} and stalled"
    t.expect("BYOB-9-82", len(marks) <= 1, wanted=f"{wanted} after five more heartbeats", got=marks)
    t.expect("BYOB-9-83", bool(marks), wanted=f"{wanted} in the ledger", got=marks)
    for seat in table.tokens:
        seen = await _marks(t, await table.tail(seat, 0), task)
        t.expect("BYOB-9-83", bool(seen), wanted=f"{wanted} in the tail of {seat}", got=seen)


@check("byob/9/progress-restarts-the-clock", "BYOB-9-84", waits=True)
async def progress(t: Context) -> None:
    """A task that starts to run before its heartbeat is over has a whole heartbeat again."""
    for times in SLOW:
        if await _goes_on(t, times):
            return
    raise Untested("the host answered so late that the heartbeats were over")


async def _goes_on(t: Context, times: int) -> bool:
    """Let a task run after six tenths of its heartbeat, and look six tenths later; false when answers came too late."""
    heartbeat = _heartbeat(t, times)
    task = await t.task("awaiting_approval", watchdog=_watched(t, times))
    begun = t.now()
    await t.need(task.decide())
    await t.until(begun + 0.6 * heartbeat)
    resumed = t.now()
    await t.need(task.status("running"))
    if t.now() > begun + heartbeat:
        return False
    await t.until(max(resumed + 0.6 * heartbeat, begun + 1.1 * heartbeat))
    state, marks = await task.state(), await _marks(t, await task.table.entries(), task)
    if t.now() > resumed + heartbeat:
        return False
    wanted = "the task as running, for its last progress is less than a heartbeat ago (BYOB-Q102)"
    t.expect("BYOB-9-84", state == "running", wanted=wanted, got=state)
    t.expect("BYOB-9-84", not marks, wanted="no stalled mark", got=marks)
    return True


@check("byob/9/a-resumed-task-is-watched-again", "BYOB-9-85", waits=True)
async def watched_again(t: Context) -> None:
    """A stalled task that runs on and falls silent is stalled a second time."""
    task = await t.task("stalled")
    begun = t.now()
    await t.need(task.status("running"))
    await _not_yet(t, task, "BYOB-9-85", begun, "running")
    answer = await _until_stalled(t, task)
    wanted = "the resumed task as stalled a second time"
    t.expect("BYOB-9-85", state_of(answer.value) == "stalled", wanted=wanted, got=answer)
    marks = await _marks(t, await task.table.entries(), task)
    t.expect("BYOB-9-85", len(marks) == 2, wanted="a second stalled mark in the ledger", got=marks)


@check("byob/9/speech-resumes-nothing", "BYOB-9-38", waits=True)
async def speech(t: Context) -> None:
    """What is said about a stalled task does not bring it back."""
    task = await t.task("stalled")
    table: Table = task.table
    for text in ("running again", f"{task.id} is done", f"{task.id}: status running"):
        await table.turn(body=text)
    state = await task.state()
    t.expect("BYOB-9-38", state == "stalled", wanted="the task to stay stalled", got=state)
