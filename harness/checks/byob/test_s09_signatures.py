"""BYOB 9: an owner's decision is signed, and the signature binds every member that it covers."""

import base64
from collections.abc import Awaitable, Callable

from harness.byob.context import Context
from harness.byob.owners import DECISION_MEMBERS, signed
from harness.byob.recipes import WORK
from harness.byob.refusing import Case
from harness.byob.table import Body, Table
from harness.byob.tasks import Task
from harness.check import check
from harness.errors import Untested
from harness.targets.hosts import ABSENT, Answer

Send = Callable[[], Awaitable[Answer]]
FORGED = "E_BAD_SIGNATURE"


class Waiting:
    """A WORK table on which tasks wait for B, as many as are asked for."""

    def __init__(self, t: Context, table: Table) -> None:
        self.t, self.table = t, table

    async def decided(self, decision: str = "approve", reason: str | None = None) -> Answer:
        """Send a right decision about a task of its own: the control."""
        task = await self.t.propose(self.table)
        return await task.decide(decision, reason=reason)

    def changed(self, task: Task, changes: Body, decision: str = "approve", reason: str | None = None) -> Send:
        """Return what sends a decision that was changed after it was signed; ABSENT takes a member out."""

        async def send() -> Answer:
            request = {**self.table.decision_request("B", task.id, decision, reason=reason), **changes}
            return await self.table.send_decision({n: v for n, v in request.items() if v is not ABSENT})

        return send

    def signed(self, task: Task, members: Body, reason: str | None = None) -> Send:
        """Return what sends a decision whose signature covers these members otherwise; ABSENT leaves one out."""

        async def send() -> Answer:
            request = self.table.decision_request("B", task.id, reason=reason)
            whole = {**signed(DECISION_MEMBERS, self.table.id, request), **members}
            signature = self.table.owner("B").sign({n: v for n, v in whole.items() if v is not ABSENT})
            return await self.table.send_decision({**request, "signature": signature})

        return send


@check(
    "byob/9/decision-signature-binds-what-it-covers",
    "BYOB-9-24", "BYOB-9-25", "BYOB-9-26", "BYOB-9-27", "BYOB-9-33",
)  # fmt: skip
async def binds(t: Context) -> None:
    """A decision whose task, decision, reason or nonce was changed after it was signed is refused."""
    table = await t.table(WORK)
    waiting, word = Waiting(t, table), t.dialect.word
    one, two = await t.propose(table), await t.propose(table)
    rows: tuple[tuple[str, str, Send], ...] = (
        ("about another task than was signed", "BYOB-9-24", waiting.changed(one, {"task": two.id})),
        ("that approves where a rejection was signed", "BYOB-9-25",
         waiting.changed(one, {"decision": word("approve")}, "reject")),
        ("that rejects where an approval was signed", "BYOB-9-25",
         waiting.changed(one, {"decision": word("reject")}, "approve")),
        ("with another reason than was signed", "BYOB-9-26",
         waiting.changed(one, {"reason": "another one"}, reason="the signed one")),
        ("with a reason that was not signed", "BYOB-9-26", waiting.changed(one, {"reason": "added"})),
        ("without the reason that was signed", "BYOB-9-26",
         waiting.changed(one, {"reason": ABSENT}, reason="the signed one")),
        ("that rejects, with a reason that was not signed", "BYOB-9-26",
         waiting.changed(one, {"reason": "added"}, "reject")),
        ("with another nonce than was signed", "BYOB-9-27", waiting.changed(one, {"nonce": "0" * 32})),
    )  # fmt: skip
    cases = [Case(name, clause, send, FORGED) for name, clause, send in rows]
    await t.refused(lambda: waiting.decided(reason="it fits"), *cases, on=table)
    for task in (one, two):
        state = await task.state()
        t.expect("BYOB-9-33", state == "awaiting_approval", wanted=f"{task.id} to be left waiting", got=state)
        t.expect_ok("BYOB-9-33", await task.decide(), "2xx to the right decision afterwards")


@check("byob/9/decision-signature-is-over-these-six", "BYOB-9-21", "BYOB-9-22")
async def six(t: Context) -> None:
    """What is signed is table, owner, task, decision, reason and nonce: no member more, none less."""
    table = await t.table(WORK)
    waiting = Waiting(t, table)
    for decision in ("approve", "reject"):
        answer = await waiting.decided(decision)
        t.expect_ok("BYOB-9-22", answer, f"2xx to a decision to {decision} without a reason, signed without one")
        answer = await waiting.decided(decision, reason="it fits")
        t.expect_ok("BYOB-9-21", answer, f"2xx to a decision to {decision} that is signed over all six")
    task = await t.propose(table)
    others: list[tuple[str, Body]] = [
        ("covers protocol as well", {"protocol": "byob/0.1"}),
        *((f"leaves out {name}", {name: ABSENT}) for name in DECISION_MEMBERS),
    ]
    cases = [
        Case(f"whose signature {name}", "BYOB-9-21", waiting.signed(task, members, "it fits"), FORGED)
        for name, members in others
    ]
    null = waiting.signed(task, {"reason": None})
    cases.append(Case("whose signature has a null for the reason that it lacks", "BYOB-9-22", null, FORGED))
    await t.refused(lambda: waiting.decided(reason="it fits"), *cases, on=table)


@check("byob/9/decision-signature-binds-the-table", "BYOB-9-23")
async def binds_table(t: Context) -> None:
    """A decision that was signed for one table is refused on another that has the same owners and the same task id."""
    config, people = t.config(WORK)
    one = t.made(config, people, await t.need(t.create(config)))
    twin = {**config, "id": t.table_id()}
    other = t.made(twin, people, await t.need(t.create(twin)))
    for table in (one, other):
        await t.seat_all(table, WORK)
    task, same = await t.propose(one), await t.propose(other)
    if task.id != same.id:
        raise Untested(f"two tables with the same past have the tasks {task.id} and {same.id}")

    async def elsewhere() -> Answer:
        request = one.decision_request("B", task.id)
        if "table" in request:
            request["table"] = other.id
        return await other.send_decision(request)

    case = Case("that was signed for another table", "BYOB-9-23", elsewhere, FORGED)
    await t.refused(Waiting(t, other).decided, case, on=other)
    t.expect_ok("BYOB-9-23", await task.decide(), "2xx to the same on the table that it was signed for")


@check("byob/9/only-the-affected-owner-decides", "BYOB-9-28", "BYOB-9-29", "BYOB-9-30")
async def affected(t: Context) -> None:
    """A decision is refused unless it is by the affected owner, and signed with the key that the table has of it."""
    table = await t.table(WORK)
    task = await t.propose(table)
    zeros = base64.b64encode(bytes(64)).decode()

    def by(owner: str, decision: str = "approve") -> Send:
        return lambda: table.decide(owner, task.id, decision)

    def forged(key: str) -> Send:
        signer = t.owner("B") if key == "fresh" else table.owner(key)
        return lambda: table.send_decision(table.decision_request("B", task.id, by=signer))

    await t.refused(
        Waiting(t, table).decided,
        Case("by the proposer's owner", "BYOB-9-28", by("A"), "E_NOT_OWNER"),
        Case("by the proposer's owner, to reject", "BYOB-9-28", by("A", "reject"), "E_NOT_OWNER"),
        Case("by a third registered owner", "BYOB-9-28", by("V"), "E_NOT_OWNER"),
        Case("by an owner who is not registered", "BYOB-9-29", by("Z"), "E_NOT_OWNER"),
        Case("in the affected owner's name, signed with A's key", "BYOB-9-30", forged("A"), FORGED),
        Case("in the affected owner's name, signed with V's key", "BYOB-9-30", forged("V"), FORGED),
        Case("in the affected owner's name, signed with a fresh key", "BYOB-9-30", forged("fresh"), FORGED),
        Case(
            "in the affected owner's name, with 64 zero bytes as its signature",
            "BYOB-9-30",
            lambda: table.decide("B", task.id, signature=zeros),
            FORGED,
        ),
        on=table,
    )
    state = await task.state()
    t.expect("BYOB-9-28", state == "awaiting_approval", wanted="the task to be left waiting", got=state)
