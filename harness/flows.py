"""One flow of requests over any transport, and how each step ended: transports are compared by it (YEA 2.3, 2.4)."""

from dataclasses import dataclass, field
from typing import Any

from harness.context import Context
from harness.errors import Untested
from harness.offers import Offer
from harness.targets.base import Connection, Exchange

COMMITS = 4  # of one flow, the refused ones included


@dataclass
class Flow:
    """The steps of a flow and how each ended, in words that do not depend on ids and times."""

    t: Context
    transport: str
    steps: dict[str, str] = field(default_factory=dict)
    shared: Connection | None = None

    async def send(self, step: str, frame: dict[str, Any]) -> Exchange:
        """Send a frame, on the bridge in an HTTP connection of its own, and note its outcome."""
        conn = self.shared or await self.t.connect(self.transport)
        if self.transport != "http":
            self.shared = conn
        exchange = await self.t.send(frame, conn)
        flags = [name for name in ("replay", "auto") if exchange.reply.get(name) is True]
        self.steps[step] = " ".join([exchange.seen(), *flags])
        return exchange


EXPECTED = {
    "HELLO": "BRIEF",
    "an unknown verb": "ERROR bad_frame",
    "EXPAND of an unknown handle": "ERROR expired",
    "INTENT": "PROPOSALS",
    "COMMIT with another hash": "ERROR conflict",
    "COMMIT without grants": "ERROR unauthorized",
    "COMMIT": "RECEIPT",
    "COMMIT again": "RECEIPT replay",
    "UNDO": "RECEIPT",
    "UNDO again": "RECEIPT replay",
}


async def flow_over(t: Context, transport: str) -> Flow:
    """Run the flow over a transport; it ends early when the INTENT or the COMMIT does not get what it must."""
    flow = Flow(t, transport)
    await flow.send("HELLO", t.frame("HELLO"))
    await flow.send("an unknown verb", t.frame("PING"))
    await flow.send("EXPAND of an unknown handle", t.frame("EXPAND", handle="h_none"))
    offer = await _offer(t, flow)
    if offer is None:
        return flow
    await flow.send("COMMIT with another hash", offer.commit(hash="A" * 43))
    await flow.send("COMMIT without grants", offer.commit(grants=None, proof=None))
    receipt = (await flow.send("COMMIT", offer.commit())).reply.get("receipt")
    if isinstance(receipt, dict) and isinstance(receipt.get("id"), str):
        await flow.send("COMMIT again", offer.commit())
        await flow.send("UNDO", offer.undo(receipt))
        await flow.send("UNDO again", offer.undo(receipt))
    return flow


async def _offer(t: Context, flow: Flow) -> Offer | None:
    instance, agent = await t.role("undoable"), t.agent()
    token = t.grant(agent)
    exchange = await flow.send("INTENT", t.intent(instance, agent, [token]))
    listed = exchange.reply.get("proposals")
    first = listed[0] if isinstance(listed, list) and listed else None
    if not isinstance(first, dict) or not all(isinstance(first.get(name), str) for name in ("id", "hash")):
        return None
    return Offer(instance, agent, token, exchange, [first])


async def expect_same_flow(t: Context, clause: str, others: list[str]) -> None:
    """Expect the flow to end over this transport as over each of the others, or as it must where there is none.

    Raises Untested when the INTENT or the COMMIT gets nothing anywhere.
    """
    mine = (await flow_over(t, t.transport)).steps
    last = list(mine)[-1]
    for other in others or [""]:
        wanted = (await flow_over(t, other)).steps if other else EXPECTED
        if last != "UNDO again" and (not other or mine[last] == wanted.get(last)):
            raise Untested(f"{last} got {mine[last]}, so the flow ends there")
        for step, outcome in mine.items():
            told = f"{wanted.get(step)} to {step}, as over {other or 'any transport'}"
            t.expect(clause, outcome == wanted.get(step), wanted=told, got=outcome)
