"""Learning a host's dialect: a short session of right requests on a few tables, and what the answers look like.

Nothing is judged here. What cannot be learned, because the host refuses or says something unclear, keeps its default,
and the checks will meet the same and say so.
"""

import contextlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from harness.byob import dialect as words
from harness.byob import reading, tasks
from harness.byob.context import Context
from harness.byob.dialect import Dialect
from harness.byob.recipes import HUB, TOPOLOGIES, TREE, WORK, Place
from harness.byob.table import Table
from harness.byob.tasks import Task
from harness.check import Check
from harness.errors import TargetGone, Untested, Verdict
from harness.targets.hosts import Answer

Learned = tuple[str, Any]
REFUSED_BY_SHAPE = ("E_SCHEMA", "E_CONFIG")
TOKENS = (7, 5)


async def nothing(t: Context) -> None:
    """Check nothing: learning has a context like a check, and finds nothing."""


LEARN = Check("byob/2/dialect", "What the host calls things.", ("BYOB-2-02",), nothing)


async def learn(t: Context) -> Dialect:
    """Learn the dialect of the context's host, which is then in its facts; what the profile has fixed stays.

    Raises TargetGone when nobody is there.
    """
    for step in (_shapes, _session, _extra, _children):
        try:
            await step(t)
        except TargetGone:
            raise
        except Verdict as problem:
            t.note(f"not learned: {problem.why}")
    return t.dialect


def _set(t: Context, name: str, value: Any) -> None:
    if name not in t.dialect.fixed:
        setattr(t.dialect, name, value)


async def _shapes(t: Context) -> None:
    """Find out which configs are taken: spokes (BYOB-Q019), reports, the smallest heartbeat (BYOB-Q022)."""
    await _first(t, "spokes", (True, False), lambda: t.create(t.config(HUB)[0]))
    await _first(t, "reports", tuple(words.REPORTS), lambda: t.create(t.config(TREE)[0]))
    await _first(
        t,
        "heartbeat_ms",
        words.HEARTBEATS,
        lambda: t.create(t.config(WORK, watchdog={"heartbeat_ms": t.dialect.heartbeat_ms})[0]),
    )


async def _first(t: Context, name: str, values: tuple[Any, ...], ask: Callable[[], Awaitable[Answer]]) -> None:
    """Set a name to the first value with which a request is not refused for its shape; the first one if none is."""
    if name in t.dialect.fixed:
        return
    for value in values:
        setattr(t.dialect, name, value)
        answer = await ask()
        if answer.ok or answer.code not in REFUSED_BY_SHAPE:
            return
    setattr(t.dialect, name, values[0])


async def _session(t: Context) -> None:
    """Play a table through a whole task, and find in its ledger where what is told stands."""
    recipe = WORK.with_seats(Place("b", "B", role="critic", card=WORK.places[1].card))
    answer = await t.need(t.create((made := t.config(recipe))[0]))
    table = t.made(*made, answer)
    t.dialect.statuses["create"] = answer.status
    for place in recipe.places:
        t.dialect.statuses["join"] = (await table.join(place)).status
    granted = [await _say(t, table, count) for count in TOKENS]
    _total(t, await table.memory(), sum(TOKENS))
    with contextlib.suppress(Verdict):
        await _task(t, table)
    for name, found in _places(table, await table.entries(), granted):
        t.dialect.places.setdefault(name, found)


async def _say(t: Context, table: Table, count: int) -> tuple[int, str]:
    """Let the holder say; returns the seq of its grant and who it was."""
    holder = await table.need_holder()
    grant = (await table.floor()).get("grant_seq")
    answer = await t.need(table.say(holder, budget={"tokens_used": count}))
    t.dialect.statuses["post"] = answer.status
    return (grant if isinstance(grant, int) else 0), holder


def _total(t: Context, memory: Any, wanted: int) -> None:
    """Find the token total: where the sum of what was reported stands (BYOB-Q012)."""
    if "total" in t.dialect.fixed:
        return
    found = [path for path in reading.paths_to(memory, wanted) if "token" in reading.dotted(path).lower()]
    t.dialect.total = min(found, key=len) if found else None


async def _task(t: Context, table: Table) -> None:
    """Find out how owners decide and what a receipt takes, on a task that goes all its way."""
    task = await t.propose(table)
    t.dialect.statuses["approval"] = (await _approved(t, task)).status
    await t.need(task.status("running"))
    answer = await task.receipt(artifact={"done": 1})
    if answer.code == "E_SCHEMA":
        _set(t, "artifact", "string")
        await t.need(task.receipt())
    await t.need(task.verify("pass"))


async def _approved(t: Context, task: Task) -> Answer:
    """Approve with the words that this host knows (BYOB-Q095), with the table in the body if it must be (BYOB-Q096)."""
    fixed = t.dialect.fixed
    pairs = (t.dialect.decisions,) if "decisions" in fixed else words.DECISIONS
    tables = (t.dialect.decision_names_table,) if "decision_names_table" in fixed else (False, True)
    for named in tables:
        for pair in pairs:
            t.dialect.decisions, t.dialect.decision_names_table = pair, named
            answer = await task.decide("approve")
            if answer.ok:
                return answer
            if answer.code != "E_SCHEMA":
                break
    t.dialect.decisions, t.dialect.decision_names_table = pairs[0], tables[0]
    raise Untested("no owner decision was accepted")


def _places(
    table: Table, entries: list[reading.Entry], granted: list[tuple[int, str]]
) -> Iterator[tuple[str, reading.Path]]:
    """Yield where system entries keep what they tell, from what the session knows of them."""
    by_seq = {reading.seq_of(entry): entry for entry in entries}
    joined = list(zip(reading.events(entries, "seat_joined"), table.places.values(), strict=False))
    ids = reading.task_ids(reading.events(entries, "task_opened"))
    opened, states = reading.events(entries, "task_opened"), reading.events(entries, "task_state")
    cases: dict[str, list[tuple[reading.Entry, Any]]] = {
        "floor_granted.holder": [(by_seq[seq], seat) for seq, seat in granted if seq in by_seq],
        "seat_joined.seat": [(entry, place.seat) for entry, place in joined],
        "seat_joined.owner": [(entry, place.owner) for entry, place in joined],
        "seat_joined.kind": [(entry, place.kind) for entry, place in joined],
        "seat_joined.role": [(entry, place.role) for entry, place in joined if place.role is not None],
        "task_opened.task": [(entry, ids[0]) for entry in opened if ids],
        "task_opened.state": [(entry, "awaiting_approval") for entry in opened],
        "task_opened.executor": [(entry, "b") for entry in opened],
        "task_state.task": [(entry, ids[0]) for entry in states if ids],
        "task_state.state": [(entry, state) for entry in states for state in _state_in(entry)],
        "task_state.executor": [(entry, "b") for entry in states[:1]],
    }
    for name, pairs in cases.items():
        place = words.place_of(pairs)
        if place is not None:
            yield name, place


def _state_in(entry: reading.Entry) -> list[str]:
    """Return the one task state that an entry names, if it is one."""
    found = {value for _, value in reading.walk(words.beside(entry)) if value in tasks.STATES}
    return list(found) if len(found) == 1 else []


async def _extra(t: Context) -> None:
    """Find out which topologies take no seat that they do not name (BYOB-Q036)."""
    for kind, recipe in TOPOLOGIES.items():
        table = await t.table(recipe, join=False, owners=["V"])
        named = await table.join(recipe.places[0])
        further = await table.join(Place("extra", "V"))
        if named.ok and not further.ok:  # a host that takes nobody at all is not choosy but wrong
            t.dialect.refuses_extra.add(kind)


async def _children(t: Context) -> None:
    """Find out whether a sub-table needs the admin token of its parent (BYOB-Q024)."""
    parent = await t.table(WORK, join=False)
    config, _ = t.config(WORK, parent=parent.id)
    answer = await t.create(config, parent)
    if answer.status in (401, 403):
        _set(t, "parent_token", True)
