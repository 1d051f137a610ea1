"""What the tools that read give to the agent (BYOB 10, 6)."""

from harness.bridges.context import SEAT, BridgeContext
from harness.check import check


@check("byob-bridge/10/read-projection-gives-the-projection", "BYOB-10-04")
async def read_projection(t: BridgeContext) -> None:
    """byob_read_projection gives the agent what its seat's projection holds, and at the next call what is new."""
    topic = t.words()
    async with t.seated(topic=topic) as agent:
        before = await agent.table.turn()
        first = await agent.call("byob_read_projection")
        for what, text in {"the topic": topic, "the say of another seat": str(before["body"])}.items():
            ok = first.ok and first.mentions(text)
            t.expect("BYOB-10-04", ok, wanted=f"{what}: {text!r}", got=t.masked(first.seen()))
        await t.need(agent.table.raise_hand("v"))
        later = await t.need(agent.table.post("v", "raise_hand", body=t.words()))
        second = await agent.call("byob_read_projection")
        text = str(later.members.get("body"))
        ok = second.ok and second.mentions(text)
        t.expect("BYOB-10-04", ok, wanted=f"at the next call what is new: {text!r}", got=t.masked(second.seen()))


@check("byob-bridge/10/reads-as-its-own-seat", "BYOB-10-04")
async def own_projection(t: BridgeContext) -> None:
    """byob_read_projection gives the agent what its own seat may see: a say that was addressed to it alone too."""
    async with t.seated() as agent:
        private = await agent.table.turn(to=[f"@{SEAT}"])
        result = await agent.call("byob_read_projection")
        text = str(private["body"])
        ok = result.ok and result.mentions(text)
        t.expect("BYOB-10-04", ok, wanted=f"the say to @{SEAT}: {text!r}", got=t.masked(result.seen()))


@check("byob-bridge/10/memory-gives-the-memory", "BYOB-10-13")
async def memory(t: BridgeContext) -> None:
    """byob_memory gives the agent the table's memory: the decisions, and how many tokens were used."""
    async with t.seated(floor={"decision_by": ["a"]}) as agent:
        await agent.table.until_holds("a")
        decision = t.words()
        await t.need(agent.table.decision("a", body=decision))
        total = await agent.table.total()
        result = await agent.call("byob_memory")
        got = t.masked(result.seen())
        ok = result.ok and result.mentions(decision)
        t.expect("BYOB-10-13", ok, wanted=f"the decision: {decision!r}", got=got)
        ok = result.ok and result.mentions_number(total)
        t.expect("BYOB-10-13", ok, wanted=f"the tokens used: {total}", got=got)
