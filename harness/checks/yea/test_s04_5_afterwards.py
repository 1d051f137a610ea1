"""YEA 4.4 and 4.5, what comes after a commit and its undo: replays, repeats, and other commits of the same object."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.drafts import SOON, expiry
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.offers import Offer, proposals_in, receipt_of
from harness.refusals import shows_receipt, unchanged

PAST = 2  # YEA-Q48: seconds that checks stay away from the end of a window


async def _undone(t: Context, offer: Offer) -> tuple[dict[str, Any], dict[str, Any]]:
    """Commit an offer and undo that; return both receipts."""
    receipt = receipt_of(await t.commit(offer))
    return receipt, receipt_of(await t.send(offer.undo(receipt)))


@check("yea/4.4/replay-after-an-undo", "YEA-4.4-23", "YEA-4.4-24", "YEA-4.4-25", needs=("undoable",), commits=2)
async def replay_after_an_undo(t: Context) -> None:
    """COMMIT of a proposal whose commit was undone returns that commit's receipt, and does not commit it anew."""
    offer = await t.offer("undoable")
    receipt, _ = await _undone(t, offer)
    before = await offer.state()
    again = await t.send(offer.commit())
    named = again.reply.get("receipt")
    ok = isinstance(named, dict) and same(named.get("id"), receipt["id"])
    wanted = f"the receipt of the commit, {shown(receipt['id'])}, to a COMMIT after its UNDO"
    t.expect("YEA-4.4-23", ok, wanted=wanted, got=f"{shown(named.get('id'))}" if isinstance(named, dict) else again)
    flag = again.reply.get("replay")
    t.expect("YEA-4.4-24", flag is True, wanted="replay true to a COMMIT after its UNDO", got=f"replay {shown(flag)}")
    await unchanged(t, "YEA-4.4-25", offer, before, "a COMMIT after its UNDO")


@check("yea/4.5/undo-outlives-the-proposal", "YEA-4.5-01", "YEA-4.5-02", needs=("short-ttl",), commits=1, waits=True)
async def undo_outlives_the_proposal(t: Context) -> None:
    """Within its window a commit can be undone when the proposal's expires has passed: only COMMIT minds that."""
    offer = await t.offer("short-ttl")
    before = await offer.state()
    receipt = receipt_of(await t.commit(offer))
    undo = receipt.get("undo")
    until = undo.get("until") if isinstance(undo, dict) else None
    late = expiry(offer, within=SOON) + PAST
    if not isinstance(until, int) or until < late + PAST:
        raise NotApplicable(f"the commit for the role short-ttl cannot be undone after its expires: undo {shown(undo)}")
    await t.until(late)
    exchange = await t.send(offer.undo(receipt))
    wanted = "RECEIPT to an UNDO after the proposal's expires, within the window"
    t.expect("YEA-4.5-01", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)
    await unchanged(t, "YEA-4.5-02", offer, before, "COMMIT and that UNDO")


@check("yea/4.5/undo-leaves-earlier-commits", "YEA-4.5-02", needs=("undoable", "state"), commits=2)
async def undo_leaves_earlier_commits(t: Context) -> None:
    """Of two commits of one object the UNDO of the later one takes back that one alone, and then that of the other."""
    first = await t.offer("undoable")
    untouched = await first.state()
    receipt = receipt_of(await t.commit(first))
    once = await first.state()
    second = await _planned_again(t, first)
    exchange = await t.send(second.commit())
    if exchange.kind != "RECEIPT":
        raise NotApplicable(f"a second COMMIT for one object of the role undoable got {exchange.seen()}")
    if same(await first.state(), once):
        raise NotApplicable("a second COMMIT for one object of the role undoable does not show in its state")
    for offer, undone, left, which in (
        (second, receipt_of(exchange), once, "the later of two commits"),
        (first, receipt, untouched, "the earlier one as well"),
    ):
        reply = await t.send(offer.undo(undone))
        t.expect("YEA-4.5-02", reply.kind == "RECEIPT", wanted=f"RECEIPT to UNDO of {which}", got=reply)
        await unchanged(t, "YEA-4.5-02", offer, left, f"{which} was made and undone")


async def _planned_again(t: Context, first: Offer) -> Offer:
    agent = t.agent()
    token = t.grant(agent)
    exchange = await t.send(t.intent(first.instance, agent, [token]))
    proposals = proposals_in(exchange)
    if not proposals:
        raise NotApplicable(f"a second INTENT for one object of the role undoable got {exchange.seen()}")
    return Offer(first.instance, agent, token, exchange, proposals)


@check(
    "yea/4.5/repeated-undo-needs-authority",
    "YEA-4.5-04",
    "YEA-3-03",
    "YEA-3-05",
    "YEA-4.5-06",
    needs=("undoable",),
    principals=2,
    commits=1,
)
async def repeated_undo_needs_authority(t: Context) -> None:
    """UNDO of an undone receipt without grants or proof, or for another principal, is refused and shows no receipt."""
    offer = await t.offer("undoable")
    receipt, reversal = await _undone(t, offer)
    control = await t.send(offer.undo(receipt, ts=int(t.now()) - 1))  # YEA-Q72: no proof is sent twice
    if control.kind != "RECEIPT":
        raise Untested(f"a right UNDO of an undone receipt got {control.seen()}")
    before = await offer.state()
    cases = (
        ("no grants", "YEA-3-03", offer.undo(receipt, grants=None, ts=int(t.now()) - 2), "unauthorized"),
        ("no proof", "YEA-3-05", offer.undo(receipt, proof=None), "unauthorized"),
        ("a proof of 400 s ago", "YEA-3-05", offer.undo(receipt, ts=int(t.now()) - 400), "unauthorized"),
        (
            "only another principal's grant",
            "YEA-4.5-04",
            offer.undo(receipt, grants=[t.grant(offer.agent, by="b")], ts=int(t.now()) - 3),
            "forbidden",
        ),
    )
    for what, clause, frame, code in cases:
        exchange = await t.send(frame)
        wanted = f"ERROR {code}, without a receipt, to an UNDO of an undone receipt with {what}"
        ok = exchange.code == code and not shows_receipt(exchange, reversal["id"])
        t.expect(clause, ok, wanted=wanted, got=exchange)
        await unchanged(t, clause, offer, before, f"an UNDO of an undone receipt with {what}")
    last = await t.send(offer.undo(receipt, ts=int(t.now()) - 4))
    t.expect("YEA-4.5-06", last.kind == "RECEIPT", wanted="RECEIPT to a right one again", got=last)


@check("yea/4.5/any-grant-that-covers-it-undoes", "YEA-6.6-02", needs=("undoable",), commits=2)
async def any_grant_undoes(t: Context) -> None:
    """A good grant authorizes an UNDO behind and before others that are no good or do not cover it."""
    for last in (True, False):
        offer = await t.offer("undoable")
        receipt = receipt_of(await t.commit(offer))
        others = [
            "pg1.junk",
            t.grant(offer.agent, by="x"),
            t.grant(offer.agent, exp=int(t.now()) - 3600),
            t.grant(offer.agent, verbs=["COMMIT"]),
        ]
        grants = [*others, offer.grant] if last else [offer.grant, *others]
        exchange = await t.send(offer.undo(receipt, grants=grants))
        where = "behind" if last else "before"
        wanted = f"RECEIPT to an UNDO with a good grant {where} four that are no good or do not cover it"
        t.expect("YEA-6.6-02", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)
