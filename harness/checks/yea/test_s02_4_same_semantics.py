"""YEA 2.4: the bridge is a transport; what happens over it is what happens on a stream."""

from dataclasses import dataclass, field
from typing import Any

from harness.check import HTTP_ONLY, check
from harness.context import Context
from harness.errors import Untested
from harness.expanding import reader
from harness.offers import Offer
from harness.targets.base import STREAMS, Connection, Exchange


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


async def _flow(t: Context, transport: str) -> Flow:
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


@check("yea/2.4/flow-is-the-same-as-on-a-stream", "YEA-2.4-09", needs=("undoable",), commits=8, transports=HTTP_ONLY)
async def same_flow(t: Context) -> None:
    """INTENT, COMMIT, UNDO and their repeats, each in its own POST, end as they do on a stream."""
    bridge = await _flow(t, "http")
    stream = next((name for name in STREAMS if name in t.others), None)
    wanted = (await _flow(t, stream)).steps if stream else EXPECTED
    last = list(bridge.steps)[-1]
    if last != "UNDO again" and (stream is None or bridge.steps[last] == wanted.get(last)):
        raise Untested(f"{last} got {bridge.steps[last]}, so the flow ends there")
    for step, outcome in bridge.steps.items():
        told = f"{wanted.get(step)} to {step}, as over {stream or 'any transport'}"
        t.expect("YEA-2.4-09", outcome == wanted.get(step), wanted=told, got=outcome)


@check(
    "yea/2.4/state-lasts-from-post-to-post",
    "YEA-2.4-10",
    needs=("undoable",),
    commits=1,
    transports=HTTP_ONLY,
)
async def state_lasts(t: Context) -> None:
    """A proposal from one HTTP connection is committed over a second and undone over a third."""
    offer = await t.offer("undoable")
    committed = await t.send(offer.commit(), await t.bridge())
    if t.expect_kind("YEA-2.4-10", committed, "RECEIPT"):
        receipt = committed.reply.get("receipt")
        if not isinstance(receipt, dict) or not isinstance(receipt.get("id"), str):
            raise Untested("the receipt of a COMMIT has no string id")
        t.expect_kind("YEA-2.4-10", await t.send(offer.undo(receipt), await t.bridge()), "RECEIPT")


@check("yea/2.4/handles-last-from-post-to-post", "YEA-2.4-10", needs=("big-ask",), transports=HTTP_ONLY)
async def handles_last(t: Context) -> None:
    """A handle from one HTTP connection is expanded over another."""
    asking = await reader(t, "big-ask")
    _, entries = await asking.cut()
    expanded = await t.send(asking.frame(entries[0].handle), await t.bridge())
    t.expect_kind("YEA-2.4-10", expanded, "ANSWER")
