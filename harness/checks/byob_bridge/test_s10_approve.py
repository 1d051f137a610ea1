"""byob_approve: the owner is asked, and only what they confirm is signed (BYOB 10, 9)."""

from dataclasses import dataclass
from typing import Any

from harness.bridges.calling import Result
from harness.bridges.context import Agent, BridgeContext, Person
from harness.bridges.person import ACCEPT, CANCEL, DECLINE, FAILS, UNTICKED, WAYS
from harness.byob import owners, reading
from harness.byob.recipes import effect
from harness.byob.tasks import Task
from harness.check import check
from harness.errors import Untested

CHANGE = effect(owner="B", resource="board", action="move", card="#461")
CONFIRMING: dict[str, Any] = {
    "confirm": True,
    "confirmed": True,
    "approved": True,
    "force": True,
    "yes": True,
    "owner_confirmed": True,
}
"""What an agent may pass to confirm by itself. A tool that has no such argument ignores or refuses it."""


@dataclass
class Asked:
    """What had happened by the time that the owner was asked: how many decisions the bridge had sent to the host."""

    sent: int | None = None


async def waiting(t: BridgeContext, agent: Agent) -> Task:
    """Return a task that waits for B's approval."""
    return await t.propose(agent.table, "a", CHANGE)


async def approve(agent: Agent, task: Task, decision: str = "approve", more: dict[str, Any] | None = None) -> Result:
    """Call byob_approve on a task; with a reason where it takes one."""
    return await agent.call_with("byob_approve", more or {}, {"decision": decision, "reason": "fine"}, task=task.id)


def unsigned(agent: Agent) -> str:
    """Return what of decisions the bridge has sent to the host, in words; empty for nothing."""
    return ", ".join(each.seen() for each in agent.sent("approvals"))


async def expect_unsigned(t: BridgeContext, clause: str, agent: Agent, task: Task, result: Result, how: str) -> None:
    """Expect that no decision went to the host, and that the task still waits."""
    await t.moment()
    sent, state = unsigned(agent), await task.state("a")
    wanted = f"no decision at the host, whose task still waits, when the owner's answer is: {how}"
    got = f"{sent or 'no decision'}; the task is {state}; {t.masked(result.seen())}"
    t.expect(clause, not sent and state == "awaiting_approval", wanted=wanted, got=got)


async def expect_it_can(t: BridgeContext) -> None:
    """Raise Untested unless the same call signs once the owner confirms: else a refusal shows nothing."""
    async with t.seated(person=Person(ACCEPT)) as agent:
        task = await waiting(t, agent)
        result = await approve(agent, task)
        if not [each for each in agent.sent("approvals") if each.status == 200]:
            raise Untested(f"the control, which the owner confirmed, was not signed: {t.masked(result.seen())}")


@check("byob-bridge/10/approve-asks-the-owner-first", "BYOB-10-20")
async def asks_first(t: BridgeContext) -> None:
    """byob_approve asks the owner by elicitation, and has sent nothing to the host that is signed by then."""
    asked = Asked()
    person = Person(ACCEPT)
    async with t.seated(person=person) as agent:
        task = await waiting(t, agent)

        def note() -> None:
            asked.sent = len(agent.sent("approvals")) if asked.sent is None else asked.sent

        person.asked = note
        result = await approve(agent, task)
        got = f"{len(person.questions)} questions; {t.masked(result.seen())}"
        t.expect("BYOB-10-20", bool(person.questions), wanted="an elicitation, before anything is signed", got=got)
        if asked.sent is not None:
            wanted = "no decision at the host when the owner is asked"
            t.expect("BYOB-10-20", asked.sent == 0, wanted=wanted, got=f"{asked.sent} decisions")


@check("byob-bridge/10/nothing-is-signed-while-the-owner-thinks", "BYOB-10-20")
async def thinking(t: BridgeContext) -> None:
    """While the owner has not answered, and when they cannot be shown the question, nothing is signed."""
    await expect_it_can(t)
    async with t.seated(person=Person(FAILS)) as agent:
        task = await waiting(t, agent)
        result = await approve(agent, task)
        await expect_unsigned(t, "BYOB-10-20", agent, task, result, WAYS[FAILS])
    thinks = _Thinks(t)
    async with t.seated(person=thinks) as agent:
        task = await waiting(t, agent)
        thinks.agent = agent
        await approve(agent, task)
        if thinks.sent is not None:
            wanted = "no decision at the host, a moment after the owner was asked"
            t.expect("BYOB-10-20", thinks.sent == 0, wanted=wanted, got=f"{thinks.sent} decisions")


class _Thinks(Person):
    """An owner who takes a moment to decline; what was sent to the host in the meantime is counted."""

    def __init__(self, t: BridgeContext) -> None:
        super().__init__(DECLINE)
        self.t = t
        self.agent: Agent | None = None
        self.sent: int | None = None

    async def __call__(self, context: Any, params: Any) -> Any:
        for _ in range(4):
            await self.t.moment()
        self.sent = len(self.agent.sent("approvals")) if self.agent is not None else None
        return await super().__call__(context, params)


@check("byob-bridge/10/a-confirmed-decision-is-signed", "BYOB-10-21", "BYOB-10-26")
async def confirmed(t: BridgeContext) -> None:
    """After the owner confirms, the host has one decision on the task, with a signature of the owner's key."""
    for decision, kind in (("approve", "approval"), ("reject", "rejection")):
        async with t.seated(person=Person(ACCEPT)) as agent:
            if decision == "reject" and not agent.takes("byob_approve", "decision"):
                t.note("byob_approve has no argument that is known for a decision, so it approves alone")
                continue
            task = await waiting(t, agent)
            result = await approve(agent, task, decision)
            entries = reading.of_kind(await agent.table.entries(), kind)
            wanted = f"one {kind} of B on {task.id} in the ledger, and a tool that succeeds"
            got = f"{len(entries)} of them; the bridge sent {unsigned(agent) or 'no decision'}; {result.seen()}"
            if t.expect("BYOB-10-21", len(entries) == 1 and result.ok, wanted=wanted, got=t.masked(got)):
                request = agent.sent("approvals")[-1].members
                covered = owners.signed(owners.DECISION_MEMBERS, agent.table.id, request)
                valid = agent.table.owner("B").verifies(covered, request.get("signature"))
                wanted = "the decision that was confirmed, signed by the owner"
                t.expect("BYOB-10-26", valid, wanted=wanted, got=request)


@check("byob-bridge/10/a-declined-decision-is-not-signed", "BYOB-10-22")
async def declined(t: BridgeContext) -> None:
    """When the owner declines, nothing is signed."""
    await expect_it_can(t)
    async with t.seated(person=Person(DECLINE)) as agent:
        task = await waiting(t, agent)
        result = await approve(agent, task)
        await expect_unsigned(t, "BYOB-10-22", agent, task, result, WAYS[DECLINE])


@check("byob-bridge/10/a-cancelled-or-unticked-decision-is-not-signed", "BYOB-10-23")
async def cancelled(t: BridgeContext) -> None:
    """When the owner cancels, or accepts and leaves every box unticked, nothing is signed."""
    await expect_it_can(t)
    for way in (CANCEL, UNTICKED):
        person = Person(way)
        async with t.seated(person=person) as agent:
            task = await waiting(t, agent)
            result = await approve(agent, task)
            if way == UNTICKED and not person.boxes:
                t.note("the owner was shown no box, so there was none to leave unticked (BYOB-Q110)")
                continue
            await expect_unsigned(t, "BYOB-10-23", agent, task, result, WAYS[way])


@check("byob-bridge/10/the-agent-cannot-confirm", "BYOB-10-22", "BYOB-10-26")
async def agent_confirms(t: BridgeContext) -> None:
    """Whatever the agent passes to byob_approve, a decision that the owner declines is not signed."""
    await expect_it_can(t)
    for name, more in {"everything": CONFIRMING, **{name: {name: True} for name in CONFIRMING}}.items():
        person = Person(DECLINE)
        async with t.seated(person=person) as agent:
            task = await waiting(t, agent)
            result = await approve(agent, task, more=more)
            how = f"{WAYS[DECLINE]}, and the agent passed {', '.join(more)}"
            await expect_unsigned(t, "BYOB-10-22", agent, task, result, how)
            t.expect("BYOB-10-26", not unsigned(agent), wanted="nothing signed", got=unsigned(agent) or "nothing")
        if person.questions and name == "everything":
            return  # it took the call as it was, so each by itself shows no more


@check("byob-bridge/10/refuses-where-nobody-can-be-asked", "BYOB-10-24")
async def cannot_elicit(t: BridgeContext) -> None:
    """For a client that cannot elicit, byob_approve refuses: nothing is signed, and the tool fails."""
    await expect_it_can(t)
    async with t.seated(person=None) as agent:
        task = await waiting(t, agent)
        result = await approve(agent, task)
        await expect_unsigned(t, "BYOB-10-24", agent, task, result, "none, for the client has no elicitation")
        wanted = "a refusal of the tool: isError, or a JSON-RPC error"
        t.expect("BYOB-10-24", not result.ok, wanted=wanted, got=t.masked(result.seen()), open_question="BYOB-Q112")
