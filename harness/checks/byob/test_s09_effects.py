"""BYOB 9: effects name one owner, and one of that owner's bots carries them out."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from harness.byob import reading, tasks
from harness.byob.context import Context
from harness.byob.recipes import DUO, WORK, Place, Recipe, capability, card, effect
from harness.byob.refusing import Case
from harness.byob.table import Table
from harness.check import check
from harness.targets.hosts import ABSENT, Answer

Effect = dict[str, Any]
MIXED = (
    [effect("A"), effect("B")],
    [effect("B"), effect("A")],
    [effect("B"), effect("B"), effect("A", action="label")],
)
STAFF = DUO.with_seats(
    Place("a", "A", card=card(capability("board", "move", "label"))),
    Place("b", "B", card=card(capability("board", "move", "label"), capability("list", "add"))),
    Place("b2", "B", card=card(capability("shelf", "fill"))),
    Place("v", "V", card=card(capability("vault", "open"))),
    Place("h", "H", "human", card=card(capability("board", "move"))),
)
"""a and b can do the same, b2 something else, v what nobody else can, and h, a human, what its owner has no bot for."""
DECIDERS = {"decision_by": ["a", "b"]}

NOBODY: tuple[tuple[str, str, list[Effect], tuple[str, ...]], ...] = (
    ("for whose owner only a human can do it", "BYOB-9-07", [effect("H")], ("E_NO_EXECUTOR",)),
    ("that only another owner's seat can do", "BYOB-9-08", [effect("B", "vault", "open")], ("E_NO_EXECUTOR",)),
    (
        "that two seats of the owner can do in part",
        "BYOB-9-09",
        [effect(), effect("B", "shelf", "fill")],
        ("E_NO_EXECUTOR",),
    ),
    (
        "the first of which its seat can do, and not the second",
        "BYOB-9-09",
        [effect(), effect(action="erase")],
        ("E_NO_EXECUTOR",),
    ),
    ("on another resource than the card's", "BYOB-9-10", [effect("B", "list", "move")], ("E_NO_EXECUTOR",)),
    ("on a resource that begins like the card's", "BYOB-9-10", [effect("B", "boards")], ("E_NO_EXECUTOR",)),
    ("with an action that nobody declares", "BYOB-9-12", [effect(action="erase")], ("E_NO_EXECUTOR",)),
    ("on an owner whose seats can do nothing", "BYOB-9-12", [effect("N")], ("E_NO_EXECUTOR",)),
    # BYOB-Q092
    ("on an owner that is not registered", "BYOB-9-12", [effect("Z")], ("E_NO_EXECUTOR", "E_NOT_OWNER")),
)
"""What is asked for, the clause, the effects, and the codes that are right."""


def _posting(table: Table, kind: str, effects: list[Effect]) -> Callable[[], Awaitable[Answer]]:
    """Return what lets the holder post a proposal or a decision with these effects."""

    async def post(seat: str) -> Answer:
        if kind == "proposal":
            return await table.propose(seat, *effects)
        return await table.decision(seat, effects=effects)

    return lambda: table.by_holder(post)


@check("byob/9/effects-name-one-owner", "BYOB-9-03", "BYOB-9-04")
async def one_owner(t: Context) -> None:
    """A proposal or decision whose effects name two owners, each of whom could do its part, is refused."""
    table = await t.table(STAFF, floor=DECIDERS)
    for kind, clause in (("proposal", "BYOB-9-03"), ("decision", "BYOB-9-04")):
        cases = [
            Case(f"whose {len(each)} effects name A and B", clause, _posting(table, kind, each), "E_MIXED_OWNERS")
            for each in MIXED
        ]
        await t.refused(_posting(table, kind, [effect("B")]), *cases, on=table)


@check(
    "byob/9/no-executor-no-entry",
    "BYOB-9-07", "BYOB-9-08", "BYOB-9-09", "BYOB-9-10", "BYOB-9-12",
)  # fmt: skip
async def nobody(t: Context) -> None:
    """Effects that no bot of the owner declares all of are refused with E_NO_EXECUTOR, and nothing is recorded."""
    table = await t.table(STAFF.with_seats(Place("n", "N")), floor=DECIDERS)
    for kind in ("proposal", "decision"):
        cases = [
            Case(f"to {kind} what is asked {name}", clause, _posting(table, kind, effects), codes)
            for name, clause, effects, codes in NOBODY
        ]
        await t.refused(_posting(table, kind, [effect()]), *cases, on=table)


def _arranged(*places: Place) -> Recipe:
    """Return WORK with these seats of B, in this order, before b: so that b is neither the first nor the last."""
    a, b, v = WORK.places
    after = Place("b9", "B", card=card(capability("shelf", "fill")))
    return replace(WORK, places=(a, v, *places, b, after))


OTHERS = (
    Place("b1", "B"),
    Place("bh", "B", "human", card=card(capability("board", "move", "label"))),
    Place("x", "X", card=card(capability("board", "move", "label"))),
    Place("b2", "B", card=card(capability("list", "move", "label"))),
    Place("b3", "B", card=card(capability("board", "label"))),
)
"""Seats that come near to being the executor: without the card, human, of another owner, and with less in the card."""


@check("byob/9/executor-is-the-fitting-bot", "BYOB-9-06")
async def executor(t: Context) -> None:
    """The executor is the bot of the affected owner whose card declares every effect, whoever else sits there."""
    table = await t.table(_arranged(*OTHERS))
    for effects in ([effect()], [effect(), effect(action="label")]):
        task = await t.propose(table, "a", *effects)
        got = tasks.executor_of((await t.need(table.task("a", task.id))).value)
        t.expect("BYOB-9-06", got == "b", wanted="b as the executor of the task", got=got or "no executor")
        await t.need(task.decide("approve"))
        t.expect_ok("BYOB-9-06", await task.status("running"), "2xx to b, which says that it is at work")


@check("byob/9/one-of-several-executors", "BYOB-9-06")
async def several(t: Context) -> None:
    """Of two bots that fit one is chosen, and it is the same in the task, in my_tasks and at work."""
    fitting = {"b", "b2"}
    table = await t.table(WORK.with_seats(Place("b2", "B", card=card(capability("board", "move")))))
    task = await t.propose(table)
    await t.need(task.decide("approve"))
    chosen = tasks.executor_of((await t.need(table.task("a", task.id))).value)
    told = chosen or "no executor"
    if not t.expect("BYOB-9-06", chosen in fitting, wanted="b or b2 as the executor (BYOB-Q091)", got=told):
        return
    mine = [seat for seat in sorted(fitting) if task.id in await _tasks_of(table, seat)]
    t.expect("BYOB-9-06", chosen in mine, wanted=f"{task.id} in the my_tasks of {chosen}", got=mine)
    other = next(iter(fitting - {chosen}))
    t.expect_refused("BYOB-9-06", await task.status("running", seat=other), "E_NOT_OWNER")
    t.expect_ok("BYOB-9-06", await task.status("running", seat=chosen), f"2xx to {chosen}, which is at work")


async def _tasks_of(table: Table, seat: str) -> list[str]:
    return reading.task_ids((await table.projection(seat, 0)).get("my_tasks"))


@check("byob/9/capabilities-add-up", "BYOB-9-11")
async def union(t: Context) -> None:
    """What several capabilities of one card declare, its seat can do in one task."""
    two = card(capability("board", "move"), capability("list", "add"))
    table = await t.table(WORK.with_seats(Place("b", "B", card=two)))
    await table.until_holds("a")
    answer = await table.propose("a", effect(), effect("B", "list", "add"))
    t.expect_ok("BYOB-9-11", answer, "2xx to effects on two resources of one card")
    twice = card(capability("board", "move"), capability("board", "label"))
    table = await t.table(WORK.with_seats(Place("b", "B", card=twice)))
    await table.until_holds("a")
    answer = await table.propose("a", effect(), effect(action="label"))
    wanted = "2xx to actions on one resource that two capabilities of a card declare"
    t.expect_ok("BYOB-9-11", answer, wanted, open_question="BYOB-Q038")


@check("byob/9/one-task-for-one-post", "BYOB-9-05", "BYOB-9-13", "BYOB-9-14")
async def one_task(t: Context) -> None:
    """An accepted proposal or decision with effects opens one task, named task-<seq>, by a task_opened entry."""
    table = await t.table(STAFF, floor=DECIDERS)
    both = [effect(), effect(action="label")]
    for kind in ("proposal", "decision"):
        posted = await _posting(table, kind, both)()
        if not t.expect_ok("BYOB-9-05", posted, f"2xx to a {kind} with two effects of one owner"):
            return
        seq = reading.seq_of(posted.value)
        later = [entry for entry in await table.entries() if reading.seq_of(entry) > seq]
        opened = reading.events(later, "task_opened")
        wanted = f"one task_opened entry after the {kind} with seq {seq}"
        t.expect("BYOB-9-13", bool(opened), wanted=wanted, got=later)
        t.expect("BYOB-9-05", len(opened) == 1, wanted=wanted, got=opened or later)
        if opened:
            await _named(t, table, seq, opened[0])


async def _named(t: Context, table: Table, seq: int, opened: reading.Entry) -> None:
    """Expect a task id of the right form, with one of the two seqs in it, that leads to the task (BYOB-Q090)."""
    told = t.dialect.told(opened, "task")
    found = reading.task_ids(opened) if told is ABSENT else [told]
    either = (seq, reading.seq_of(opened))
    wanted = f"the id task-{either[0]} or task-{either[1]} in the task_opened entry (BYOB-Q090)"
    right = len(found) == 1 and isinstance(found[0], str) and tasks.seq_in(found[0]) in either
    if t.expect("BYOB-9-14", right, wanted=wanted, got=opened):
        id = str(found[0])
        t.expect_ok("BYOB-9-14", await table.task("a", id), f"2xx to the reader of {id}")
        mine = await _tasks_of(table, "b")
        t.expect("BYOB-9-14", id in mine, wanted=f"{id} in the my_tasks of its executor", got=mine)
        memory = reading.task_ids((await table.memory("a")).get("tasks"))
        t.expect("BYOB-9-14", id in memory, wanted=f"{id} among the tasks of the memory", got=memory)
