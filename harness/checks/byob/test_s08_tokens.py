"""BYOB 8: what counts into the token budget, and how much."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from harness.byob.context import Context
from harness.byob.recipes import DUO, DUO_H, WORK
from harness.byob.table import Table
from harness.byob.tasks import Task
from harness.check import check
from harness.targets.hosts import Answer

REPORT = {"tokens_used": 50}
WIDE = "你好世界"
# Texts that report nothing, what they count, and the open question that makes another count a warning.
TEXTS = (
    ("BYOB-8-33", WIDE, 4, None),
    ("BYOB-8-33", WIDE * 20, 80, None),
    ("BYOB-8-34", "a", 1, None),
    ("BYOB-8-34", "abcd", 1, None),
    ("BYOB-8-34", "abcde", 2, None),
    ("BYOB-8-34", "a, b. c!", 2, None),
    ("BYOB-8-34", "x" * 161, 41, None),
    ("BYOB-8-35", "你a好b世c", 4, None),
    ("BYOB-8-35", "a你bcd好e", 4, None),
    ("BYOB-8-33", "㐀㐁", 2, "BYOB-Q082"),
    ("BYOB-8-33", "ひらカタ", 4, "BYOB-Q082"),
    ("BYOB-8-33", "한글", 2, "BYOB-Q082"),
    ("BYOB-8-33", "豈更", 2, "BYOB-Q082"),
)


async def counts(
    t: Context,
    clause: str,
    table: Table,
    call: Callable[[], Awaitable[Answer]],
    wanted: int,
    what: str,
    question: str | None = None,
) -> None:
    """Expect by how much an accepted post raises the token total."""
    before = await table.total()
    await t.need(call(), what)
    rise = await table.total() - before
    told = f"the token total to rise by {wanted} with {what}"
    t.expect(clause, rise == wanted, wanted=told, got=rise, open_question=question)


async def speak(table: Table, text: str | None = None, **more: Any) -> Answer:
    """Let whoever holds the floor say."""
    return await table.say(await table.need_holder(), text, **more)


@check("byob/8/texts-count-by-their-characters", "BYOB-8-33", "BYOB-8-34", "BYOB-8-35")
async def texts(t: Context) -> None:
    """Without a report a CJK character counts one token, and n others ceil(n/4), taken together."""
    table = await t.table(DUO)
    for clause, text, wanted, question in TEXTS:
        shown = text if len(text) <= 20 else f"{text[:8]}… of {len(text)} characters"
        await counts(t, clause, table, partial(speak, table, text), wanted, f"a say of {shown}", question)


@check("byob/8/reports-are-taken-as-they-are", "BYOB-8-32")
async def reported(t: Context) -> None:
    """A reported tokens_used counts, however long the body is, and zero is a report."""
    table = await t.table(DUO)
    for used in (3, 0, 5000):
        say = partial(speak, table, t.words(150), budget={"tokens_used": used})
        await counts(t, "BYOB-8-32", table, say, used, f"a say of 150 characters with tokens_used {used}")


@check("byob/8/say-proposal-and-decision-count", "BYOB-8-30")
async def counted(t: Context) -> None:
    """A say, a proposal and a decision each count what they report; a human's say out of turn does too."""
    table = await t.table(WORK, floor={"decision_by": ["a", "b"]})
    for what, post in (("a proposal", table.propose), ("a decision", table.decision), ("a say", table.say)):
        call = partial(table.by_holder, partial(post, budget={"tokens_used": 10}))
        await counts(t, "BYOB-8-30", table, call, 10, what)
    human = await t.table(DUO_H)
    say = partial(human.say, "h", budget={"tokens_used": 10})
    await counts(t, "BYOB-8-30", human, say, 10, "a human's say out of turn")


@check("byob/8/other-kinds-do-not-count", "BYOB-8-31")
async def uncounted(t: Context) -> None:
    """A pass, a raised hand, a status, a receipt and a verdict count nothing, not even when they report."""
    task = await t.task("approved")
    table = task.table

    for what in ("raise_hand", "pass", "status", "receipt", "verify"):
        await counts(t, "BYOB-8-31", table, partial(reporting, task, what), 0, f"a {what}")
    again = await t.task("awaiting_approval")
    await counts(t, "BYOB-8-31", again.table, again.decide, 0, "an approval")


async def reporting(task: Task, what: str) -> Answer:
    """Post with a report, or without one where the host's schema has none for this kind."""
    answer = await posted(task, what, budget=REPORT)
    return await posted(task, what) if answer.code == "E_SCHEMA" else answer


async def posted(task: Task, what: str, **more: Any) -> Answer:
    """Post something of the work plane, or what needs no body."""
    work: dict[str, Callable[..., Awaitable[Answer]]] = {
        "status": task.status,
        "receipt": task.receipt,
        "verify": task.verify,
    }
    if what in work:
        return await work[what](**more)
    holder = await task.table.need_holder("a", "b")
    other = "b" if holder == "a" else "a"
    return await task.table.post(other if what == "raise_hand" else holder, what, **more)
