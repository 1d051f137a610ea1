"""YEA 3 and 4: no request leans on an earlier one. What came before authorizes nothing, and takes nothing away."""

from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import same
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.expanding import reader
from harness.offers import Offer, receipt_of
from harness.refusals import Refusal, refused_commits, without
from harness.targets.base import Exchange

Frame = dict[str, Any]


def _named(offer: Offer) -> Frame:
    return {"name": "naysayer", "key": offer.agent.public}


@check("yea/4.1/agent-stands-for-no-proof", "YEA-4.1-06", needs=("undoable",), commits=5)
async def agent_is_no_proof(t: Context) -> None:
    """A COMMIT with good grants and no proof is unauthorized, though a HELLO or its `agent` named the agent's key."""

    async def introduced() -> Offer:
        offer = await t.offer("undoable")
        await t.hello(agent=_named(offer))
        return offer

    cases = [
        Refusal(what, "YEA-4.1-06", change, ("unauthorized",))
        for what, change in {
            "no proof, after a HELLO with the agent's key": lambda offer: without(offer.commit(), "proof"),
            "no proof, and an `agent` with the agent's key": lambda offer: (
                without(offer.commit(), "proof") | {"agent": _named(offer)}
            ),
            "neither proof nor grants, after a HELLO with the agent's key": lambda offer: without(
                offer.commit(), "proof", "grants"
            ),
        }.items()
    ]
    await refused_commits(t, introduced, cases, accept="YEA-4.1-06")


@check("yea/4.1/agent-opens-no-handle", "YEA-4.1-06", needs=("big-ask",), principals=1)
async def agent_opens_no_handle(t: Context) -> None:
    """A bound handle needs its proof also after a HELLO that named its key."""
    owner = t.agent()
    reading = await reader(t, "big-ask", owner)
    handle = (await reading.cut())[1][0].handle
    await t.hello(agent={"name": "naysayer", "key": owner.public})
    exchange = await t.send(reading.frame(handle, proof=None))
    wanted = "ERROR to EXPAND without a proof, after a HELLO with the key that the handle is bound to"
    t.expect("YEA-4.1-06", exchange.kind == "ERROR", wanted=wanted, got=exchange)


@check("yea/3/grants-and-proofs-count-once", "YEA-3-02", "YEA-3-03", "YEA-3-05", needs=("undoable",), commits=8)
async def once(t: Context) -> None:
    """Grants and a proof that were good for a request do not count for the next one over the same connection."""
    offer = await t.offer("undoable")
    receipt = receipt_of(await t.commit(await t.offer("undoable", agent=offer.agent)))
    before = await offer.state()
    cases: tuple[tuple[str, str, Frame], ...] = (
        ("YEA-3-02", "a COMMIT with a proof and no grants", offer.commit(grants=None)),
        ("YEA-3-02", "a COMMIT with a proof and grants null", {**offer.commit(), "grants": None}),
        ("YEA-3-05", "a COMMIT with grants and no proof", offer.commit(proof=None)),
        ("YEA-3-03", "an UNDO with a proof and no grants", offer.undo(receipt, grants=None)),
        ("YEA-3-05", "an UNDO with grants and no proof", offer.undo(receipt, proof=None)),
    )
    for clause, what, frame in cases:
        exchange = await t.send(frame)
        wanted = f"ERROR unauthorized to {what}, after a COMMIT of the same agent over this connection"
        t.expect(clause, exchange.code == "unauthorized", wanted=wanted, got=exchange)
        after = await offer.state()
        wanted = f"state {shown(before)} as before {what}"
        t.expect(clause, same(after, before), wanted=wanted, got=f"state {shown(after)}", of=offer)
    committed = await t.send(offer.commit())
    t.expect("YEA-3-02", committed.kind == "RECEIPT", wanted="RECEIPT to a COMMIT with both", got=committed)
    undone = await t.send(offer.undo(receipt, ts=int(t.now()) - 1))  # YEA-Q72: no proof is sent twice
    t.expect("YEA-3-03", undone.kind == "RECEIPT", wanted="RECEIPT to an UNDO with both", got=undone)


@check("yea/4.2/anonymous-asks-follow-signed-ones", "YEA-4.2-01", needs=("ask",), principals=1)
async def anonymous_afterwards(t: Context) -> None:
    """An ASK without grants and proof is answered over a connection that saw some as it is over a fresh one."""
    instance = await t.role("ask")
    frame = {"capability": instance.capability, "params": instance.params}
    plain = await t.send(t.frame("ASK", **frame))
    if plain.code == "unauthorized":
        raise NotApplicable("the service demands grants for ASK")
    signed = await t.ask(instance.capability, instance.params, agent=t.agent())
    if plain.kind != "ANSWER" or signed.kind != "ANSWER":
        raise Untested(f"a right ASK got {plain.seen()}, and one with a grant and a proof {signed.seen()}")
    again = await t.send(t.frame("ASK", **frame))
    wanted = "ANSWER to an ASK without grants, as before one with grants and proof"
    t.expect("YEA-4.2-01", again.kind == "ANSWER", wanted=wanted, got=again)


@check("yea/4.2/ask-may-be-sent-again", "YEA-4.2-04", needs=("ask",))
async def sent_again(t: Context) -> None:
    """The very same ASK, its id too, is answered over new connections, as after a reply that was lost."""
    instance = await t.role("ask")
    first = await t.ask(instance.capability, instance.params, budget=BIG_BUDGET)
    if first.kind != "ANSWER" or not isinstance(first.request, dict):
        raise Untested(f"a right ASK for the role ask got {first.seen()}")
    for _ in range(2):
        signed = t.with_grants("ASK", instance.capability, None, params=instance.params, budget=BIG_BUDGET)
        again = await t.send({**signed, "id": first.request["id"]}, await t.connect())
        wanted = "ANSWER to the same ASK, with the same id, over a new connection"
        t.expect("YEA-4.2-04", again.kind == "ANSWER", wanted=wanted, got=again)


@check("yea/4.2/ask-leaves-proposals-alone", "YEA-4.2-03", needs=("ask", "undoable"), commits=2)
async def leaves_proposals(t: Context) -> None:
    """A proposal is committed as usual though its agent has asked something since."""
    await t.commit(await t.offer("undoable"))
    offer, reading = await t.offer("undoable"), await t.role("ask")
    for _ in range(2):
        asked = await t.ask(reading.capability, reading.params, agent=offer.agent)
        if asked.kind != "ANSWER":
            raise Untested(f"a right ASK for the role ask got {asked.seen()}")
    exchange = await t.send(offer.commit())
    wanted = "RECEIPT to a COMMIT after two ASKs of the same agent"
    t.expect("YEA-4.2-03", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/4.3.1/auto-is-for-intents-alone", "YEA-4.3.1-21", "YEA-2.1-15", needs=("ask", "undoable"), commits=1)
async def auto_elsewhere(t: Context) -> None:
    """On ASK, COMMIT and UNDO a member `auto` is nobody's: the proof is over the usual target, no receipt says auto."""
    reading, offer = await t.role("ask"), await t.offer("undoable")
    frame = t.with_grants("ASK", reading.capability, t.agent(), params=reading.params)
    _unmoved(t, await t.send({**frame, "auto": True}), "ANSWER", "an ASK")
    committed = await t.send({**offer.commit(), "auto": True})
    _unmoved(t, committed, "RECEIPT", "a COMMIT")
    if committed.kind == "RECEIPT":
        undone = await t.send({**offer.undo(receipt_of(committed)), "auto": True})
        _unmoved(t, undone, "RECEIPT", "an UNDO")


def _unmoved(t: Context, exchange: Exchange, kind: str, what: str) -> None:
    ok = exchange.kind == kind
    t.expect("YEA-4.3.1-21", ok, wanted=f"{kind} to {what} with auto true and its usual proof", got=exchange)
    flag = exchange.reply.get("auto")
    wanted = f"auto absent or false on the reply to {what}"
    t.expect("YEA-2.1-15", flag in (None, False), wanted=wanted, got=f"auto {shown(flag)}")
