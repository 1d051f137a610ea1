"""YEA 4.4, replays: a COMMIT of a committed proposal returns its receipt, to whom it belongs, and does nothing."""

from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.cuts import same
from harness.drafts import SOON, consent, draft, expiry
from harness.encoding import shown
from harness.offers import Offer
from harness.recipes.limits import limit
from harness.recipes.spelling import otherwise
from harness.recipes.wire import priced
from harness.refusals import Refusal, refused_replays, unchanged
from harness.targets.base import Exchange

Frame = dict[str, Any]
REPLAYED = "YEA-4.4-23"  # the closing control of refused replays


def expect_replay(t: Context, clause: str, exchange: Exchange, first: Exchange, what: str) -> None:
    """Expect, by this clause, that an exchange is a replay of the first one's receipt."""
    receipt, original = exchange.reply.get("receipt"), first.reply.get("receipt")
    equal = isinstance(receipt, dict) and isinstance(original, dict) and same(receipt.get("id"), original.get("id"))
    t.expect(clause, equal, wanted=f"the first receipt again, {what}", got=exchange)


def expect_same_receipt(t: Context, exchange: Exchange, first: Exchange, what: str) -> None:
    """Expect the first receipt again with all its members; both were asked for under a big budget."""
    receipt, original = exchange.reply.get("receipt"), first.reply.get("receipt")
    if isinstance(receipt, dict) and isinstance(original, dict):
        names = [name for name in {**original, **receipt} if not same(receipt.get(name), original.get(name))]
        wanted = f"the first receipt unchanged, {what}"
        t.expect("YEA-4.4-23", not names, wanted=wanted, got=f"another {', '.join(names)}")


@check(
    "yea/4.4/replay-returns-the-original-receipt",
    "YEA-4.4-23",
    "YEA-4.4-24",
    "YEA-4.4-25",
    needs=("undoable",),
    commits=3,
)
async def replay(t: Context) -> None:
    """COMMIT of a committed proposal returns the first receipt with replay true and executes nothing again."""
    offer = await t.offer("undoable")
    first = await t.commit(offer, offer.commit(budget=BIG_BUDGET))
    flag = first.reply.get("replay")
    t.expect("YEA-4.4-24", flag in (None, False), wanted="no replay at first", got=f"replay {shown(flag)}")
    after_first = await offer.state()
    for where in t.places:
        again = await t.send(offer.commit(budget=BIG_BUDGET), await t.again_over(where))
        equal = again.kind == "RECEIPT" and same(again.reply.get("receipt"), first.reply["receipt"])
        got = again.reply.get("receipt", again)
        t.expect("YEA-4.4-23", equal, wanted=f"the first receipt again, over {where}", got=got)
        flag = again.reply.get("replay")
        t.expect("YEA-4.4-24", flag is True, wanted="replay true on the reply frame", got=f"replay {shown(flag)}")
    await unchanged(t, "YEA-4.4-25", offer, after_first, "COMMIT was repeated")


@check("yea/4.4/replay-needs-grants-and-proof", "YEA-4.4-27", REPLAYED, needs=("undoable",), commits=8)
async def replay_needs_authority(t: Context) -> None:
    """A replay without grants, without a proof, or with an old proof is unauthorized."""
    cases = [
        Refusal(name, "YEA-4.4-27", change, ("unauthorized",))
        for name, change in {
            "no grants": lambda offer: offer.commit(grants=None),
            "an empty list of grants": lambda offer: offer.commit(grants=[]),
            "no proof": lambda offer: offer.commit(proof=None),
            "a proof of 400 s ago": lambda offer: offer.commit(ts=int(t.now()) - 400),
            "a proof for another audience": lambda offer: offer.commit(aud="other.naysayer.example"),
        }.items()
    ]
    await refused_replays(t, "undoable", cases)


def _by_another(t: Context) -> Any:
    def change(offer: Offer) -> Frame:
        other = t.agent()
        return offer.commit(agent=other, grants=[t.grant(other)])

    return change


@check("yea/4.4/replay-is-for-the-requester", "YEA-4.4-28", REPLAYED, needs=("undoable",), commits=4)
async def replay_requester(t: Context) -> None:
    """A replay by another agent of the same principal is forbidden and shows nothing of the receipt."""
    case = Refusal("another agent's grant and proof", "YEA-4.4-28", _by_another(t), ("forbidden",))
    await refused_replays(t, "undoable", [case])


@check("yea/4.4/replay-is-for-the-principal", "YEA-4.4-29", REPLAYED, needs=("undoable",), principals=2, commits=4)
async def replay_principal(t: Context) -> None:
    """A replay under another principal's grant is forbidden and shows nothing of the receipt."""
    case = Refusal(
        "another principal's grant",
        "YEA-4.4-29",
        lambda offer: offer.commit(grants=[t.grant(offer.agent, by="b")]),
        ("forbidden",),
    )
    await refused_replays(t, "undoable", [case])


@check("yea/4.4/replay-needs-the-other-caveats", "YEA-4.4-30", REPLAYED, needs=("undoable",), commits=9)
async def replay_caveats(t: Context) -> None:
    """A replay under a grant that fails a caveat other than each, total or risk is forbidden."""

    def under(**caveats: Any) -> Any:
        return lambda offer: offer.commit(grants=[t.grant(offer.agent, **caveats)])

    failing: dict[str, dict[str, Any]] = {
        "verbs without COMMIT": {"verbs": ["ASK"]},
        "another capability": {"can": ["other.naysayer"]},
        "another service": {"svc": ["other.naysayer.example"]},
        "an exp an hour ago": {"exp": int(t.now()) - 3600},
        "an nbf in an hour": {"nbf": int(t.now()) + 3600},
        "an unknown caveat": {"naysayer": 1},
    }
    cases = [Refusal(name, "YEA-4.4-30", under(**made), ("forbidden",)) for name, made in failing.items()]
    await refused_replays(t, "undoable", cases)


@check("yea/4.4/replay-needs-the-right-hash", "YEA-4.4-33", REPLAYED, needs=("undoable",), commits=4)
async def replay_hash(t: Context) -> None:
    """A replay with another hash is a conflict."""
    case = Refusal(
        "another hash",
        "YEA-4.4-33",
        lambda offer: offer.commit(hash=otherwise(offer.proposal["hash"])),
        ("conflict",),
    )
    await refused_replays(t, "undoable", [case])


@check("yea/4.4/replay-ignores-limits", "YEA-4.4-31", "YEA-4.4-23", needs=("uses",), commits=4)
async def replay_limits(t: Context) -> None:
    """A replay is not stopped by a total that its commit used up, nor by limits that are too low now."""
    offer = await priced(t)
    exact = t.grant(offer.agent, total=limit(offer.proposal))
    first = await t.commit(offer, offer.commit(grants=[exact], budget=BIG_BUDGET))
    for what, token in {
        "under the total it used up": exact,
        "under an each of 0": t.grant(offer.agent, each=limit(offer.proposal, max=0)),
        "under a total of 0": t.grant(offer.agent, total=limit(offer.proposal, max=0)),
    }.items():
        again = await t.send(offer.commit(grants=[token], budget=BIG_BUDGET))
        expect_replay(t, "YEA-4.4-31", again, first, what)
        expect_same_receipt(t, again, first, what)


@check("yea/4.4/replay-ignores-the-risk-ceiling", "YEA-4.4-31", needs=("risky",), commits=2)
async def replay_risk(t: Context) -> None:
    """A replay is not stopped by a risk ceiling below its proposal's risk."""
    offer = await t.offer("risky")
    first = await t.commit(offer)
    exchange = await t.send(offer.commit(grants=[t.grant(offer.agent, risk="low")]))
    expect_replay(t, "YEA-4.4-31", exchange, first, "under risk low")


@check("yea/4.4/replay-works-after-expiry", "YEA-4.4-34", "YEA-4.4-23", needs=("short-ttl",), commits=2, waits=True)
async def replay_after_expiry(t: Context) -> None:
    """A replay after the proposal's expires still returns the receipt."""
    offer = await t.offer("short-ttl")
    first = await t.commit(offer, offer.commit(budget=BIG_BUDGET))
    await t.until(expiry(offer, within=SOON) + 2)
    again = await t.send(offer.commit(budget=BIG_BUDGET))
    expect_replay(t, "YEA-4.4-34", again, first, "after expires")
    expect_same_receipt(t, again, first, "seconds later, after expires")


@check("yea/4.4/replay-needs-no-second-consent", "YEA-4.4-32", needs=("undoable",), commits=2)
async def replay_without_consent(t: Context) -> None:
    """What a consent committed is replayed under any good grant of that principal."""
    offer = await draft(t, "undoable")
    first = await t.commit(offer, offer.commit(grants=[consent(offer)]))
    exchange = await t.send(offer.commit(grants=[t.grant(offer.agent)]))
    expect_replay(t, "YEA-4.4-32", exchange, first, "under a plain grant, without the consent")
