"""BYOB 7: what concerns everybody is seen by everybody, in every topology and under every override."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from harness.byob import reading, tasks
from harness.byob.context import Context
from harness.byob.recipes import BOARD, TOPOLOGIES, Recipe, effect
from harness.byob.sight import answer_of
from harness.byob.table import Table
from harness.byob.tasks import Task
from harness.check import check
from harness.targets.hosts import Answer

# Topology → who proposes although the others may not see what it says, who executes, who verifies, who decides.
CAST = {
    "broadcast": ("a", "b", "a", "a"),
    "debate": ("p", "c", "j", "j"),
    "pipeline": ("s1", "s2", "s3", "s3"),
    "hub_spoke": ("x", "y", "z", "hub"),
    "delegation": ("m", "k", "n", "root"),
}
CLAUSES = {
    "system": "BYOB-7-03",
    "proposal": "BYOB-7-04",
    "decision": "BYOB-7-04",
    "approval": "BYOB-7-05",
    "rejection": "BYOB-7-05",
    "status": "BYOB-7-06",
    "receipt": "BYOB-7-06",
    "verify": "BYOB-7-06",
}
HIDING = "BYOB-7-11"


def working(recipe: Recipe) -> Recipe:
    """Return a recipe all seats of which can execute what is proposed."""
    return replace(recipe, places=tuple(replace(place, card=BOARD) for place in recipe.places))


async def to(t: Context, table: Table, seat: str) -> None:
    """Play until a seat holds the floor; a hub or root hands it over."""
    head = table.config["topology"].get("hub")
    if head is not None and seat != head and await table.need_holder() == head:
        await t.need(table.say(head, to=[f"@{seat}"]))
    await table.until_holds(seat)


async def opened(t: Context, table: Table, kind: str, answer: Answer) -> Task:
    """Return the task that a proposal has opened."""
    _, executor, verifier, _ = CAST[kind]
    owner = table.places[executor].owner
    id = await tasks.opened_by(t, table, await t.need(answer_of(answer)))
    return Task(table, id, answer.members, owner=owner, executor=executor, verifier=verifier)


async def governed(t: Context, table: Table, kind: str) -> AsyncIterator[tuple[str, Answer]]:
    """Let a whole task and a rejected one pass over a table, and a decision; yields each kind and its answer."""
    proposer, executor, _, decider = CAST[kind]
    change = effect(owner=table.places[executor].owner)
    await to(t, table, proposer)
    for words in ("approve", "reject"):
        answer = await table.propose(proposer, change)
        yield "proposal", answer
        task = await opened(t, table, kind, answer)
        yield "approval" if words == "approve" else "rejection", await task.decide(words)
        if words == "approve":
            yield "status", await task.status("running")
            yield "receipt", await task.receipt()
            yield "verify", await task.verify("pass")
    await to(t, table, decider)
    yield "decision", await table.decision(decider)


async def shown(t: Context, table: Table, kind: str, *more: str) -> None:
    """Expect everything that governs in every seat's tail and by its entry endpoint."""
    governing = [entry for entry in await table.entries() if entry.get("kind") in CLAUSES]
    for seat in table.tokens:
        tail = {reading.seq_of(entry) for entry in await table.tail(seat, 0)}
        for entry in governing:
            seq = reading.seq_of(entry)
            what = f"the {entry.get('event', entry['kind'])} entry {seq} of a {kind}"
            answer = await table.entry(seat, seq)
            got = f"{'in' if seq in tail else 'not in'} its tail, and {answer.seen()}"
            for clause in (CLAUSES[entry["kind"]], *more):
                t.expect(clause, seq in tail and answer.ok, wanted=f"{what} to be seen by {seat}", got=got)


async def govern(t: Context, kind: str, *more: str, **changes: Any) -> None:
    """Play on one topology and look."""
    config: dict[str, Any] = {"floor": {"decision_by": ["a"]}} if kind == "broadcast" else {}
    table = await t.table(working(TOPOLOGIES[kind]), **config, **changes)
    async for what, answer in governed(t, table, kind):
        t.expect_ok("BYOB-7-02", answer, f"2xx to a right {what} on a {kind}, as on every topology")
        await t.need(answer_of(answer), f"a right {what} on a {kind}")
    await shown(t, table, kind, *more)


@check("byob/7/all-topologies-take-the-same-posts", "BYOB-7-02", *sorted(set(CLAUSES.values())))
async def everywhere(t: Context) -> None:
    """On every topology the same posts make the same entries, and what governs is seen by every seat."""
    for kind in TOPOLOGIES:
        await govern(t, kind)


@check("byob/7/overrides-hide-no-governance", HIDING, "BYOB-7-02", *sorted(set(CLAUSES.values())))
async def override(t: Context) -> None:
    """No override hides what governs, not even one that shows nothing at all."""
    for kind in ("broadcast", "pipeline"):
        nothing: dict[str, list[str]] = {place.seat: [] for place in TOPOLOGIES[kind].places}
        await govern(t, kind, HIDING, visibility=nothing)
