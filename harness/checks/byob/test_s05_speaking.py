"""BYOB 5: what a seat may post on the floor plane, and what the core makes of it."""

from typing import Any

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, TOPOLOGIES, TRIO, WORK, Place, effect
from harness.byob.refusing import Case
from harness.check import check
from harness.targets.hosts import ABSENT

DECIDING = {"decision_by": ["a", "b"]}
SENT = {"seq": 999_999, "table": "another-table", "seat": "b", "ts": "2000-01-01T00:00:00.000Z"}


@check("byob/5/core-gives-seq-table-seat-and-ts", "BYOB-5-01")
async def core_members(t: Context) -> None:
    """Every entry gets its seq, table, seat and ts from the core, by the token that posted it."""
    table = await t.table(DUO)
    holder = await table.need_holder()
    posted = await t.need(table.post(holder, "say", to=["*"], body=t.words()))
    seq = reading.seq_of(posted.value)
    entry = next((each for each in await table.entries() if reading.seq_of(each) == seq), {})
    got = {name: entry.get(name) for name in ("seq", "table", "seat", "ts")}
    right = seq > 0 and got["table"] == table.id and got["seat"] == holder and isinstance(got["ts"], str)
    wanted = f"an entry with a seq, table {table.id}, seat {holder} and a ts"
    t.expect("BYOB-5-01", right, wanted=wanted, got=got)


@check("byob/5/seats-choose-no-core-members", "BYOB-5-02")
async def chosen(t: Context) -> None:
    """A post that carries seq, table, seat or ts is refused, or gets those of the core all the same."""
    table = await t.table(DUO)
    for name, value in {**SENT, "truncated": True}.items():
        holder = await table.need_holder()
        answer = await table.post(holder, {"kind": "say", "to": ["*"], "body": t.words(), name: value})
        if not answer.ok:
            t.expect_refused("BYOB-5-02", answer, "E_SCHEMA")
            continue
        seq = reading.seq_of(answer.value)
        shown = [answer.members, *(each for each in await table.entries() if reading.seq_of(each) == seq)]
        kept = [each for each in shown if reading.same(each.get(name, ABSENT), value) and value != holder]
        t.expect("BYOB-5-02", not kept, wanted=f"an entry that has not taken {name} from the post", got=kept)


@check("byob/5/seats-write-no-core-kinds", "BYOB-5-04", "BYOB-5-05")
async def core_kinds(t: Context) -> None:
    """A seat that posts a system entry, an approval or a rejection is refused."""
    task = await t.task("awaiting_approval")
    table = task.table
    note: dict[str, Any] = {"kind": "system", "event": "note", "body": "from a seat"}
    for name, clause, seat, body in (
        ("of kind system", "BYOB-5-04", "a", note),
        ("of kind approval", "BYOB-5-05", "b", {"kind": "approval", "task": task.id}),
        ("of kind rejection", "BYOB-5-05", "b", {"kind": "rejection", "task": task.id}),
    ):
        before = await table.entries()
        answer = await table.post(seat, body)
        if t.expect(clause, not answer.ok, wanted=f"a refusal of a post {name}", got=answer):
            t.expect_refused(clause, answer, "E_SCHEMA", open_question="BYOB-Q045")
        grown = [
            e for e in reading.without_notes((await table.entries())[len(before) :]) if e.get("kind") == body["kind"]
        ]
        t.expect(clause, not grown, wanted=f"no entry {name} by a seat", got=grown)
    state = await task.state()
    t.expect("BYOB-5-05", state == "awaiting_approval", wanted="the task to await its approval still", got=state)


@check("byob/5/say-comes-back-as-sent", "BYOB-5-10", "BYOB-5-11")
async def say(t: Context) -> None:
    """A say is speech with a body, to everybody, to a seat or to a role, and comes back unchanged."""
    table = await t.table(DUO.with_seats(Place("b", "B", role="critic")))
    for clause, to in (
        ("BYOB-5-10", ["*"]),
        ("BYOB-5-11", ["*"]),
        ("BYOB-5-11", ["@b"]),
        ("BYOB-5-11", ["role:critic"]),
    ):
        body = t.words()
        await table.until_holds("a")
        answer = await table.say("a", body, to=to)
        if not t.expect_ok(clause, answer, f"2xx to a say to {to}"):
            continue
        stored = (await t.need(table.entry("b", reading.seq_of(answer.value)))).members
        got = {name: stored.get(name) for name in ("kind", "to", "body")}
        wanted = {"kind": "say", "to": to, "body": body}
        t.expect(clause, got == wanted, wanted=f"the entry with {wanted}", got=got)


@check("byob/5/unknown-address-is-refused", "BYOB-5-12")
async def address(t: Context) -> None:
    """A say to a seat that has neither joined nor stands in the topology is refused with E_ADDRESS."""
    table = await t.table(DUO)

    async def to(seat: str) -> Any:
        holder = await table.need_holder()
        return await table.say(holder, to=[f"@{seat}" if seat else "@b"])

    await t.refused(
        lambda: to(""),
        Case("to a seat that there is not", "BYOB-5-12", lambda: to("ghost"), "E_ADDRESS"),
        on=table,
    )


@check("byob/5/pass-yields-the-floor", "BYOB-5-13", "BYOB-5-14")
async def passing(t: Context) -> None:
    """A pass needs no content, is recorded, and gives the floor to the next seat."""
    table = await t.table(TRIO)
    for seat, following in (("a", "b"), ("b", "c"), ("c", "a")):
        await table.need_holder(seat)
        answer = await table.passes(seat)
        if not t.expect_ok("BYOB-5-13", answer, "2xx to a pass without a body"):
            return
        seq = reading.seq_of(answer.value)
        found = [each for each in reading.of_kind(await table.entries(), "pass") if reading.seq_of(each) == seq]
        t.expect("BYOB-5-13", bool(found), wanted="the pass in the ledger", got=found)
        holder = await table.holder(following)
        t.expect(
            "BYOB-5-14", holder == following, wanted=f"{following} to hold the floor after {seat}'s pass", got=holder
        )


@check("byob/5/raising-a-hand-needs-no-floor", "BYOB-5-15", "BYOB-5-16")
async def hands(t: Context) -> None:
    """In every topology a seat without the floor may raise its hand, which alone takes the floor from nobody."""
    for kind, recipe in TOPOLOGIES.items():
        table = await t.table(recipe)
        holder = await table.need_holder()
        seat = next(table.others(holder))
        answer = await table.raise_hand(seat)
        t.expect_ok("BYOB-5-15", answer, f"2xx to a raise_hand without the floor in a {kind}")
        await t.moment()
        still = await table.holder()
        t.expect("BYOB-5-16", still == holder, wanted=f"{holder} to hold the floor in a {kind} as before", got=still)


@check("byob/5/proposal-needs-effects", "BYOB-5-17")
async def no_effects(t: Context) -> None:
    """A proposal without effects, or with an empty list of them, is refused with E_SCHEMA."""
    table = await t.table(WORK)
    body = {"kind": "proposal", "body": "a proposal without effects"}
    await t.refused(
        lambda: table.by_holder(table.propose),
        Case("without effects", "BYOB-5-17", lambda: table.by_holder(lambda s: table.post(s, body)), "E_SCHEMA"),
        Case(
            "with an empty list of effects",
            "BYOB-5-17",
            lambda: table.by_holder(lambda s: table.post(s, {**body, "effects": []})),
            "E_SCHEMA",
        ),
        on=table,
    )


@check("byob/5/proposal-keeps-the-turn", "BYOB-5-19")
async def keeps_turn(t: Context) -> None:
    """A proposal does not end the turn: its seat holds the floor still, and may say."""
    table = await t.table(WORK)
    holder = await table.need_holder()
    await t.need(table.propose(holder))
    await t.moment()
    still = await table.holder()
    t.expect("BYOB-5-19", still == holder, wanted=f"{holder} to hold the floor after its proposal", got=still)
    t.expect_ok("BYOB-5-19", await table.say(holder), "2xx to a say after the proposal in the same turn")


@check("byob/5/decisions-with-and-without-effects", "BYOB-5-20", "BYOB-5-21")
async def decisions(t: Context) -> None:
    """A decision may come without effects and opens no task then; with effects it opens one that can be read."""
    for clause, effects in (("BYOB-5-20", []), ("BYOB-5-21", [effect()])):
        table = await t.table(WORK, floor=DECIDING)
        holder = await table.need_holder()
        answer = await (table.decision(holder, effects=effects) if effects else table.decision(holder))
        if not t.expect_ok(clause, answer, f"2xx to a decision {'with' if effects else 'without'} effects"):
            continue
        opened = reading.events(await table.entries(), "task_opened")
        wanted = "one task_opened entry" if effects else "no task_opened entry"
        t.expect(clause, len(opened) == len(effects), wanted=wanted, got=opened)
        for task in reading.task_ids(opened)[:1]:
            t.expect_ok(clause, await table.task("v", task), "2xx to the task endpoint for the task of the decision")


@check("byob/5/other-kinds-open-no-tasks", "BYOB-5-21")
async def no_tasks(t: Context) -> None:
    """Effects on a say open no task, whether the host takes the say or not (BYOB-Q053)."""
    table = await t.table(WORK)
    holder = await table.need_holder()
    answer = await table.say(holder, effects=[effect()])
    t.note(f"a say with effects got {answer.seen()}")
    opened = reading.events(await table.entries(), "task_opened")
    t.expect("BYOB-5-21", not opened, wanted="no task_opened entry after a say with effects", got=opened)


@check("byob/5/only-deciders-decide", "BYOB-5-22")
async def deciders(t: Context) -> None:
    """A decision by a holder that is not in decision_by is refused with E_NOT_DECIDER."""
    table = await t.table(DUO, floor={"decision_by": ["a"]})
    await table.until_holds("b")
    before = await table.entries()
    answer = await table.decision("b")
    t.expect_refused("BYOB-5-22", answer, "E_NOT_DECIDER")
    grown = reading.of_kind((await table.entries())[len(before) :], "decision")
    t.expect("BYOB-5-22", not grown, wanted="no decision in the ledger by a seat that may not decide", got=grown)
    await table.until_holds("a")
    t.expect_ok("BYOB-5-22", await table.decision("a"), "2xx to the decision of a seat in decision_by")
