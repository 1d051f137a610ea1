"""BYOB 5: a host that keeps its ledgers is, after a restart, where it was: between any two steps.

Each check kills the host without warning, right after an answer. They run where naysayer can start it again with what
it kept, and not elsewhere (BYOB-Q052).
"""

from collections.abc import Awaitable, Callable
from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.owners import nonce
from harness.byob.recipes import DEBATE, DUO_H, HUB, PIPE, TREE, TRIO, WORK, Place, Recipe, effect
from harness.byob.table import Table
from harness.byob.tasks import STATES, STEPS, WATCH_GRACE, Task, opened_by, state_of
from harness.check import check
from harness.targets.hosts import Answer

Body = dict[str, Any]
SHOWN = ("prefix", "prefix_hash", "status", "my_tasks")
LONG = 300.0  # seconds; a real host takes one or two to start


async def _seen(table: Table) -> Body:
    """Return all that a table shows and a restart must leave as it is, by name."""
    seen: Body = {"ledger": reading.without_notes(await table.entries())}
    for seat in table.tokens:
        projection = await table.projection(seat, 0)
        floor = projection.get("floor")
        seen[f"floor that {seat} reads"] = floor.get("holder") if isinstance(floor, dict) else None
        seen[f"tail that {seat} reads"] = reading.without_notes(reading.objects(projection.get("tail")))
        seen |= {f"{name} that {seat} reads": projection.get(name) for name in SHOWN}
    if table.tokens:
        seen["memory"] = await table.memory()
    return seen


async def _back(t: Context, after: str, *tables: Table) -> None:
    """Kill the host and start it again; then every token of these tables is still good."""
    await t.restart()
    for table in tables:
        t.expect_ok("BYOB-5-47", await table.ledger(), f"2xx to the admin token after a restart after {after}")
        for seat in table.tokens:
            told = f"2xx to the token of {seat} after a restart after {after}"
            t.expect_ok("BYOB-5-47", await table.proj(seat, 0), told)


async def _restarted(t: Context, table: Table, after: str) -> None:
    """Kill the host and start it again; then the table shows what it showed before."""
    if table.tokens:
        await table.holder()  # BYOB-Q066: let it grant what it is about to
    before = await _seen(table)
    await _back(t, after, table)
    now = await _seen(table)
    for name, value in before.items():
        got = now.get(name)
        if isinstance(value, list) and isinstance(got, list) and name != "memory":
            got = got[: len(value)]  # a host may note that it was started
        t.expect("BYOB-5-47", got == value, wanted=f"the {name} as before the restart after {after}: {value}", got=got)


@check("byob/5/a-restart-between-any-two-steps", "BYOB-5-47", restarts=True, deadline=LONG)
async def any_two(t: Context) -> None:
    """A host that is killed after each step of a table's life shows the same, and takes the next one."""
    table = await t.table(WORK, join=False, floor={"decision_by": ["a", "b"]})
    await _restarted(t, table, "the creation")
    for place in WORK.places:
        t.expect_ok("BYOB-5-47", await table.join(place), f"2xx to the join of {place.seat} after a restart")
        await _restarted(t, table, f"the join of {place.seat}")
    task: list[Task] = []

    async def propose() -> Answer:
        await table.until_holds("a")
        answer = await table.propose("a", effect(), budget={"tokens_used": 9})
        task.append(Task(table, await opened_by(t, table, answer), answer.members))
        return answer

    steps: tuple[tuple[str, Callable[[], Awaitable[Answer]]], ...] = (
        ("a say", lambda: table.by_holder(table.say)),
        ("a pass", lambda: table.by_holder(table.passes)),
        ("a raised hand", lambda: table.raise_hand("b")),
        ("a proposal", propose),
        ("an approval", lambda: task[0].decide()),
        ("a status running", lambda: task[0].status()),
        ("a receipt", lambda: task[0].receipt()),
        ("a verdict", lambda: task[0].verify()),
        ("a decision", lambda: table.by_holder(table.decision)),
        ("the close", table.close),
    )
    for name, step in steps:
        t.expect_ok("BYOB-5-47", await step(), f"2xx to {name} after a restart")
        await _restarted(t, table, name)
    answer = await table.say("a")
    t.expect_refused("BYOB-5-47", answer, "E_TABLE_CLOSED", "E_NOT_FLOOR")


PLAYED: tuple[tuple[str, Recipe, Body, tuple[str, ...]], ...] = (
    ("a round-robin with a raised hand", TRIO, {}, ("hand c", "*", "*", "*", "*")),
    ("a debate", DEBATE, {}, ("*", "*", "*", "*")),
    ("a pipeline of two rounds", PIPE, {"topology": {"rounds": 2}}, ("*", "*", "*", "*", "*")),
    ("a hub and its spokes", HUB, {}, ("@x", "*", "@y", "*")),
    ("a tree", TREE, {}, ("@m", "@k", "*", "*")),
    ("three bots' says, then a human", DUO_H, {"floor": {"max_bot_depth": 3}}, ("*", "*", "*", "*")),
    ("a budget of 20 tokens", TRIO, {"termination": {"any": [{"budget_tokens": 20}]}}, ("*", "*", "*")),
)
"""What is played: on which table, with which changes of it, and whom each turn addresses, or who raises a hand."""


async def _move(table: Table, move: str) -> None:
    if move.startswith("hand "):
        await table.t.need(table.raise_hand(move.removeprefix("hand ")))
    else:
        await table.turn(to=[move], budget={"tokens_used": 8})


async def _where(table: Table) -> str:
    """Return who holds the floor, or that the table is closed."""
    holder = await table.holder()
    return holder or ("nobody, and the table is open" if await table.is_open() else "nobody, for the table is closed")


@check("byob/5/turns-go-on-after-a-restart", "BYOB-5-47", restarts=True, deadline=LONG)
async def turns(t: Context) -> None:
    """In every topology the floor goes the way that it goes on a host which was not killed after each turn."""
    whole: list[list[str]] = []
    cut: list[Table] = []
    for _, recipe, changes, moves in PLAYED:
        table = await t.table(recipe, **changes)
        went = []
        for move in moves:
            await _move(table, move)
            went.append(await _where(table))
        whole.append(went)
        cut.append(await t.table(recipe, **changes))
    for step in range(max(len(moves) for *_, moves in PLAYED)):
        playing = [
            (name, table, moves[step], went[step])
            for (name, _, _, moves), table, went in zip(PLAYED, cut, whole, strict=True)
            if step < len(moves)
        ]
        for _, table, move, _ in playing:
            await _move(table, move)
            await table.holder()
        await _back(t, f"{step + 1} steps", *(table for _, table, *_ in playing))
        for name, table, _, wanted in playing:
            got = await _where(table)
            told = f"{wanted} to hold the floor after {step + 1} steps of {name}, and as many restarts"
            t.expect("BYOB-5-47", got == wanted, wanted=told, got=got)


NEXT = {
    "awaiting_approval": "approve",
    "approved": "status:running",
    "running": "receipt",
    "reported": "verify:pass",
}


@check("byob/5/tasks-outlast-a-restart", "BYOB-5-47", restarts=True, waits=True, deadline=LONG)
async def outlast(t: Context) -> None:
    """Every task is after a restart in the state in which it was, goes on from there, and is watched as before."""
    table = await t.table(WORK)
    left: list[tuple[str, Task]] = []
    for state in STATES:
        if state != "stalled":
            task = await t.propose(table)
            await task.bring_to(state)
            left.append((state, task))
    stalled = await t.task("stalled")
    watched = await t.propose(stalled.table)
    await t.need(watched.decide())
    await _back(t, "the last task was approved", table, stalled.table)
    for state, task in (*left, ("stalled", stalled)):
        reached = await task.state()
        t.expect("BYOB-5-47", reached == state, wanted=f"the task as {state} after the restart", got=reached)
        if state not in (*NEXT, "stalled"):
            answer = await task.decide()
            t.expect_refused("BYOB-5-47", answer, "E_TASK_STATE")
    for state, event in NEXT.items():
        for task in (each for now, each in left if now == state):
            t.expect_ok("BYOB-5-47", await STEPS[event](task), f"2xx to {event} on a task that was {state}")
    seconds = t.dialect.heartbeat_ms / 1000 + WATCH_GRACE
    answer = await t.poll(
        lambda: watched.table.task("a", watched.id), lambda each: state_of(each.value) == "stalled", seconds
    )
    wanted = f"the silent task as stalled within {seconds:g} s after the restart"
    t.expect("BYOB-5-47", state_of(answer.value) == "stalled", wanted=wanted, got=answer)
    t.expect_ok("BYOB-5-47", await stalled.status(), "2xx to the status running of the task that was stalled")


@check("byob/5/nonces-outlast-a-restart", "BYOB-4-23", "BYOB-5-47", "BYOB-9-31", restarts=True, deadline=LONG)
async def nonces(t: Context) -> None:
    """What is used up stays so after a restart: nonces of joins and decisions, seats, and the tokens stay valid."""
    table = await t.table(WORK)
    joined, decided = nonce(), nonce()
    await t.need(table.send_join(table.join_request(Place("x", "A"), nonce=joined)))
    done, waiting = await t.propose(table), await t.propose(table)
    await t.need(table.send_decision(table.decision_request("B", done.id, nonce=decided)))
    await _back(t, "a decision", table)
    answer = await table.send_join(table.join_request(Place("y", "A"), nonce=joined))
    t.expect_refused("BYOB-4-23", answer, "E_REPLAY")
    answer = await table.send_decision(table.decision_request("B", waiting.id, nonce=decided))
    t.expect_refused("BYOB-9-31", answer, "E_REPLAY")
    kept = table.tokens["x"]
    t.expect_refused("BYOB-5-47", await table.join(Place("x", "A")), "E_SEAT_TAKEN")
    table.tokens["x"] = kept
    stranger = {"Authorization": f"Bearer {nonce()}"}
    answer = await t.call("GET", f"{table.path}/memory", headers=stranger)
    t.expect_refused("BYOB-5-47", answer, "E_UNAUTHORIZED")
    t.expect_ok("BYOB-9-31", await waiting.decide(), "2xx to the decision with a fresh nonce")
    t.expect_ok("BYOB-4-23", await table.join(Place("y", "A")), "2xx to the join with a fresh nonce")


@check("byob/5/sub-tables-outlast-a-restart", "BYOB-5-47", restarts=True, deadline=LONG)
async def children(t: Context) -> None:
    """A sub-table that closes after a restart reports to its parent, once, and not again after another restart."""
    parent = await t.table(TRIO)
    child = await t.table(WORK, parent=parent, floor={"decision_by": ["a", "b"]})
    posted = await t.need(child.by_holder(child.decision))
    seq = reading.seq_of(posted.value)
    await _back(t, "the decision of a sub-table", parent, child)
    t.expect_ok("BYOB-5-47", await child.close(), "2xx to the close of the sub-table after the restart")
    for _ in range(2):
        results = reading.events(await parent.entries(), "subtable_result")
        told = [each for each in results if reading.mentions(each, f"table:{child.id}#{seq}")]
        right = len(results) == 1 == len(told)
        t.expect("BYOB-5-47", right, wanted="one subtable_result with the decision's reference", got=results)
        await _back(t, "the close of a sub-table", parent, child)
