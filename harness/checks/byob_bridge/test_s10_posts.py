"""What each tool does at the table, as the host's ledger shows it (BYOB 10, 5)."""

from typing import Any

from harness.bridges.calling import Result
from harness.bridges.context import OURS, SEAT, Agent, BridgeContext
from harness.byob import reading
from harness.byob.reading import Entry
from harness.byob.recipes import BOARD, Place, effect
from harness.byob.tasks import Task
from harness.check import check
from reference.yea import jsontext

CHANGE = effect(owner="B", resource="board", action="move", card="#461")
RESULT = {"moved": ["#461", 3], "by": "b"}
WORKER = Place("v", "V", card=BOARD)


async def one_post(t: BridgeContext, agent: Agent, kind: str, clause: str, result: Result) -> Entry | None:
    """Expect that a call has left exactly one entry of a kind by the bridge's seat, and return it."""
    found = await t.posts(agent, kind)
    wanted = f"one {kind} of seat {SEAT} in the ledger, and a tool that succeeds"
    got = f"{len(found)} of them; {t.masked(result.seen())}"
    ok = t.expect(clause, len(found) == 1 and result.ok, wanted=wanted, got=got)
    return found[0] if ok else None


def expect_member(t: BridgeContext, clause: str, entry: Entry, name: str, value: Any) -> None:
    """Expect that an entry holds what the agent gave the tool."""
    t.expect(clause, entry.get(name) == value, wanted=f"{name} as the agent gave it: {value!r}", got=entry)


@check("byob-bridge/10/join-takes-a-seat", "BYOB-10-03")
async def join(t: BridgeContext) -> None:
    """byob_join takes a seat at the table, with a join that the owner's key has signed."""
    async with t.at() as agent:
        result = await agent.call("byob_join", {"owner": "B", "kind": "bot", "table": agent.table.id}, seat=SEAT)
        joined = reading.events(await agent.table.entries(), "seat_joined")
        mine = [each for each in joined if reading.mentions(each, SEAT) and t.dialect.tells(each, "owner", "B")]
        wanted = f"the host has seated {SEAT} for B, whose signature it verified, and the tool succeeds"
        sent = ", ".join(each.seen() for each in agent.requests) or "nothing"
        got = f"{len(mine)} such seats; the bridge sent {sent}"
        ok = len(mine) == 1 and result.ok
        t.expect("BYOB-10-03", ok, wanted=wanted, got=f"{got}; {t.masked(result.seen())}")


@check("byob-bridge/10/say-posts-a-say", "BYOB-10-05")
async def say(t: BridgeContext) -> None:
    """byob_say posts one say, with the text of the agent, and to whom the agent says where the tool takes that."""
    async with t.seated() as agent:
        await t.ours(agent)
        words = t.words()
        takes_to = agent.takes("byob_say", "to")
        result = await agent.call("byob_say", {"to": ["@a"]}, body=words)
        entry = await one_post(t, agent, "say", "BYOB-10-05", result)
        if entry is not None:
            expect_member(t, "BYOB-10-05", entry, "body", words)
        if entry is not None and takes_to:
            expect_member(t, "BYOB-10-05", entry, "to", ["@a"])


@check("byob-bridge/10/pass-posts-a-pass", "BYOB-10-06")
async def passes(t: BridgeContext) -> None:
    """byob_pass posts one pass."""
    async with t.seated() as agent:
        await t.ours(agent)
        await one_post(t, agent, "pass", "BYOB-10-06", await agent.call("byob_pass", {"body": t.words()}))


@check("byob-bridge/10/raise-hand-posts-a-raise-hand", "BYOB-10-07")
async def raise_hand(t: BridgeContext) -> None:
    """byob_raise_hand posts one raise_hand."""
    async with t.seated() as agent:
        await agent.table.until_holds("a")
        result = await agent.call("byob_raise_hand", {"body": t.words()})
        await one_post(t, agent, "raise_hand", "BYOB-10-07", result)


@check("byob-bridge/10/propose-posts-a-proposal", "BYOB-10-08")
async def propose(t: BridgeContext) -> None:
    """byob_propose posts one proposal, with the text and the effects of the agent."""
    async with t.seated() as agent:
        await t.ours(agent)
        words = t.words()
        result = await agent.call("byob_propose", body=words, effects=[CHANGE])
        entry = await one_post(t, agent, "proposal", "BYOB-10-08", result)
        if entry is not None:
            expect_member(t, "BYOB-10-08", entry, "body", words)
            expect_member(t, "BYOB-10-08", entry, "effects", [CHANGE])


@check("byob-bridge/10/decide-posts-a-decision", "BYOB-10-09")
async def decide(t: BridgeContext) -> None:
    """byob_decide posts one decision, with the text of the agent."""
    async with t.seated(floor={"decision_by": [SEAT]}) as agent:
        await t.ours(agent)
        words = t.words()
        entry = await one_post(t, agent, "decision", "BYOB-10-09", await agent.call("byob_decide", body=words))
        if entry is not None:
            expect_member(t, "BYOB-10-09", entry, "body", words)


async def to_execute(t: BridgeContext, agent: Agent) -> Task:
    """Return an approved task that the bridge's seat is to execute."""
    task = await t.propose(agent.table, "a", CHANGE)
    await t.need(task.decide("approve"))
    return task


@check("byob-bridge/10/status-posts-a-status", "BYOB-10-10")
async def status(t: BridgeContext) -> None:
    """byob_status posts one status on the task, with the state that the agent names."""
    async with t.seated() as agent:
        task = await to_execute(t, agent)
        result = await agent.call("byob_status", {"body": t.words()}, task=task.id, state="running")
        entry = await one_post(t, agent, "status", "BYOB-10-10", result)
        if entry is not None:
            expect_member(t, "BYOB-10-10", entry, "task", task.id)
            expect_member(t, "BYOB-10-10", entry, "state", "running")


@check("byob-bridge/10/receipt-posts-the-artifact", "BYOB-10-11")
async def receipt(t: BridgeContext) -> None:
    """byob_receipt posts one receipt on the task, with the artifact of the agent."""
    async with t.seated() as agent:
        task = await to_execute(t, agent)
        await agent.need("byob_status", {"body": t.words()}, task=task.id, state="running")
        result = await agent.call("byob_receipt", {"body": t.words()}, task=task.id, artifact=RESULT)
        entry = await one_post(t, agent, "receipt", "BYOB-10-11", result)
        if entry is not None:
            expect_member(t, "BYOB-10-11", entry, "task", task.id)
            same = same_artifact(entry.get("artifact"))
            t.expect("BYOB-10-11", same, wanted=f"the artifact as the agent gave it: {RESULT!r}", got=entry)


def same_artifact(value: Any) -> bool:
    """Whether an artifact is what the agent gave: as JSON, or as the text of that."""
    if isinstance(value, str):
        try:
            value = jsontext.loads(value)
        except ValueError:
            return False
    return bool(value == RESULT)


@check("byob-bridge/10/verify-posts-a-verdict", "BYOB-10-12")
async def verify(t: BridgeContext) -> None:
    """byob_verify posts one verdict on the task, pass or fail as the agent says."""
    for verdict in ("pass", "fail"):
        async with t.seated(OURS.with_seats(WORKER)) as agent:
            task = await reported_by_another(t, agent)
            result = await agent.call("byob_verify", {"body": t.words()}, task=task.id, result=verdict)
            entry = await one_post(t, agent, "verify", "BYOB-10-12", result)
            if entry is not None:
                expect_member(t, "BYOB-10-12", entry, "task", task.id)
                expect_member(t, "BYOB-10-12", entry, "result", verdict)


async def reported_by_another(t: BridgeContext, agent: Agent) -> Task:
    """Return a task of V's whose receipt waits for a verdict."""
    task = await t.propose(agent.table, "a", effect(owner="V"), executor="v", owner="V")
    await task.bring_to("reported")
    return task
