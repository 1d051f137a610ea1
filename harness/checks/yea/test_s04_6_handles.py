"""YEA 4.6, handles: which are bound, what opens a bound one, and that one does not take the place of another."""

from functools import partial

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import losses, more_of
from harness.errors import NotApplicable
from harness.expanding import NOTHING_CUT, listed, plan, put_together, reader, slice_of
from harness.offers import Offer, proposals_in

SMALL, LESS_SMALL = 200, 600
AGO = 400  # seconds; a proof of that age is too old (YEA-Q71)


@check("yea/4.6/bound-handle-needs-a-proof-of-its-own", "YEA-4.6-07", needs=("big-ask",), principals=1)
async def proof_of_its_own(t: Context) -> None:
    """A bound handle is opened neither by the proof for another live handle of its key nor by one that is too old."""
    owner = t.agent()
    reading = await reader(t, "big-ask", owner)
    other = (await reading.cut(SMALL))[1][0].handle
    for what, target, ts in (
        ("the proof for another live handle of its key", other, int(t.now())),
        (f"a proof of {AGO} s ago", None, int(t.now()) - AGO),
    ):
        handle = (await reading.cut(SMALL))[1][0].handle
        exchange = await t.send(reading.frame(handle, proof=owner.proof("EXPAND", target or handle, ts=ts)))
        t.expect("YEA-4.6-07", exchange.kind == "ERROR", wanted=f"ERROR to EXPAND with {what}", got=exchange)
        right = await reading.expand(handle)
        wanted = "ANSWER to EXPAND with a proof over the handle"
        t.expect("YEA-4.6-07", right.kind == "ANSWER", wanted=wanted, got=right)


@check("yea/4.6/opened-handle-stays-bound", "YEA-4.6-05", needs=("big-ask",), principals=1, also=("big-text",))
async def stays_bound(t: Context) -> None:
    """A bound handle, of a list or of a text, needs its proof also after it was expanded with it."""
    for role in filter(t.has, ("big-ask", "big-text")):
        reading = await reader(t, role, t.agent())
        handle = (await reading.cut(SMALL))[1][0].handle
        for when in ("before it was expanded", "after it was expanded with one"):
            exchange = await t.send(reading.frame(handle, proof=None))
            wanted = f"ERROR to EXPAND of a handle of the role {role} without a proof, {when}"
            t.expect("YEA-4.6-05", exchange.kind == "ERROR", wanted=wanted, got=exchange)
            right = await reading.expand(handle)
            if right.kind != "ANSWER":
                break  # YEA-Q58: a handle may be good for one EXPAND only


@check("yea/4.6/handles-without-authority-are-bound-too", "YEA-4.6-05", needs=("big-ask",), principals=1)
async def without_authority(t: Context) -> None:
    """Where an ASK is answered though its grant does not cover it, its handles are bound to the key of its proof."""
    instance, agent = await t.role("big-ask"), t.agent()
    name, token = instance.capability, t.grant(agent, verbs=["COMMIT"])
    proof = agent.proof("ASK", name)
    frame = t.frame("ASK", capability=name, params=instance.params, budget=SMALL, grants=[token], proof=proof)
    asked = await t.send(frame)
    entries = more_of(asked.reply)
    if asked.kind != "ANSWER":
        raise NotApplicable(f"the target answers an ASK that no grant authorizes with {asked.code or asked.seen()}")
    if not entries:
        raise NotApplicable(NOTHING_CUT.format(SMALL))
    handle = entries[0].handle
    exchange = await t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET))
    t.expect("YEA-4.6-05", exchange.kind == "ERROR", wanted="ERROR to EXPAND without a proof", got=exchange)


@check("yea/4.6/handles-live-side-by-side", "YEA-4.6-03", "YEA-4.6-04", needs=("big-ask",), principals=1)
async def side_by_side(t: Context) -> None:
    """Two handles of one value, made over one connection, each give their own rest, for one key and for nobody."""
    for agent in (t.agent(), None):
        reading = await reader(t, "big-ask", agent)
        full = await reading.whole()
        cuts = [(await reading.cut(budget))[0] for budget in (SMALL, LESS_SMALL)]
        for exchange, which in zip(cuts, ("the first of two answers", "the second one"), strict=True):
            whole = await put_together(exchange.reply, partial(reading.expand, budget=BIG_BUDGET))
            alive = "expired" not in whole.problem
            if not t.expect("YEA-4.6-04", alive, wanted=f"the rest of {which}", got=whole.problem):
                continue
            lost = losses(full, whole.frame.get("data"))
            if lost:
                await reading.steady(full)
            got = whole.problem or "; ".join(f"{loss.what} at {loss.dotted or 'data'}" for loss in lost[:5])
            ok = not lost and not whole.problem
            t.expect("YEA-4.6-03", ok, wanted=f"the whole value from {which} and its handles", got=got or "the whole")


@check("yea/4.6/expanded-proposals-can-be-committed", "YEA-4.4-01", "YEA-4.6-01", needs=("multi",), commits=1)
async def expanded_proposals(t: Context) -> None:
    """A proposal that was left out of PROPOSALS and came by EXPAND is committed like the ones that were not."""
    instance, agent = await t.role("multi"), t.agent()
    exchange = await plan(t, instance, agent, budget=1)
    entries = [entry for entry in more_of(exchange.reply) if entry.path == "proposals"]
    if not entries:
        raise NotApplicable(NOTHING_CUT.format(1))
    handle = entries[0].handle
    proof = agent.proof("EXPAND", handle)
    rest = await t.send(t.frame("EXPAND", handle=handle, budget=BIG_BUDGET, proof=proof))
    if not t.expect_kind("YEA-4.6-01", rest, "ANSWER"):
        return
    items = slice_of(rest.reply, "items")
    exchange.reply["proposals"] = [*listed(exchange.reply, "proposals"), *(items if isinstance(items, list) else [])]
    proposals = proposals_in(exchange)
    if t.expect("YEA-4.6-01", len(proposals) > 1, wanted="proposals with id and hash in data.items", got=rest):
        offer = Offer(instance, agent, t.grant(agent), exchange, proposals)
        committed = await t.send(offer.commit(proposals[-1]))
        wanted = "RECEIPT to a COMMIT of the last proposal, which came by EXPAND"
        t.expect("YEA-4.4-01", committed.kind == "RECEIPT", wanted=wanted, got=committed)


@check("yea/4.6/handles-outlive-their-connection", "YEA-4.6-04", needs=("big-ask",), also=("big-text",))
async def outlive_their_connection(t: Context) -> None:
    """A handle is expanded over another connection than the one that it came over."""
    t.need_shared_state()
    for role in filter(t.has, ("big-ask", "big-text")):
        reading = await reader(t, role)
        handle = (await reading.cut(SMALL))[1][0].handle
        exchange = await t.send(reading.frame(handle), await t.second())
        wanted = f"ANSWER to EXPAND of a handle of the role {role} over another connection"
        t.expect("YEA-4.6-04", exchange.kind == "ANSWER", wanted=wanted, got=exchange)
