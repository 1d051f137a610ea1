"""YEA 5.1, proposals beside what they lead to: their expiry, their undo, and that effects tell the whole truth.

What every single proposal must look like is watched by monitors over the whole run.
"""

from collections import Counter
from typing import Any

from harness.autos import send_auto
from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.encoding import exact, shown
from harness.errors import NotApplicable, Untested
from harness.offers import Offer
from reference.yea.types import as_integer

LEEWAY = 5  # seconds that two clocks may be apart
LASTING = ("undoable", "irreversible", "uses", "risky", "multi", "slow-commit")  # roles without a short life
TELLING = ("undoable", "irreversible", "uses", "risky", "multi")  # roles whose commits show in their state


@check("yea/5.1/expires-lies-ahead", "YEA-5.1-28", needs=("undoable",), principals=1)
async def ahead(t: Context) -> None:
    """A proposal's expires is an integer of unix seconds that has not come yet."""
    for role in filter(t.has, LASTING):
        offer = await t.offer(role)
        for proposal in offer.proposals:
            expires = as_integer(proposal.get("expires"))
            now = int(t.now())
            ok = expires is not None and now - LEEWAY < expires < 10 * now
            t.expect("YEA-5.1-28", ok, wanted=f"a time after {now}", got=f"expires {shown(proposal.get('expires'))}")


@check("yea/5.1/expires-is-a-whole-minute", "YEA-5.1-29", needs=("undoable",), principals=1)
async def whole_minute(t: Context) -> None:
    """A proposal that lives for minutes expires on a whole minute."""
    for role in filter(t.has, LASTING):
        for proposal in (await t.offer(role)).proposals:
            expires = as_integer(proposal.get("expires"))
            ok = expires is not None and expires % 60 == 0
            got = f"expires {shown(proposal.get('expires'))}"
            t.expect("YEA-5.1-29", ok, wanted="a multiple of 60", got=got)


@check(
    "yea/5.1/proposals-are-of-the-capability-asked-for", "YEA-5.1-01", needs=("undoable",), principals=1, basis="open"
)
async def own_capability(t: Context) -> None:
    """A proposal's capability is the one that the INTENT named (YEA-Q36)."""
    for role in filter(t.has, LASTING):
        offer = await t.offer(role)
        for proposal in offer.proposals:
            named = proposal.get("capability")
            wanted = f"capability {offer.instance.capability}"
            t.expect("YEA-5.1-01", named == offer.instance.capability, wanted=wanted, got=shown(named))


@check("yea/5.1/irreversible-has-undo-null", "YEA-5.1-26", "YEA-5.2-08", needs=("irreversible",), commits=1)
async def irreversible(t: Context) -> None:
    """What cannot be undone has undo null, in its proposal and in its receipt."""
    offer = await t.offer("irreversible")
    right = "undo" in offer.proposal and offer.proposal["undo"] is None
    t.expect("YEA-5.1-26", right, wanted="undo null", got=f"undo {shown(offer.proposal.get('undo', '(missing)'))}")
    receipt = (await t.commit(offer)).reply["receipt"]
    got = f"undo {shown(receipt.get('undo', '(missing)'))}"
    t.expect("YEA-5.2-08", receipt.get("undo") is None, wanted="undo null", got=got)
    if "undo" not in receipt:
        t.expect("YEA-5.2-08", False, wanted="undo null, said", got="no undo", open_question="YEA-Q60")


@check("yea/5.1/changes-are-declared", "YEA-5.1-06", "YEA-5.1-07", needs=("undoable",), commits=1)
async def declared(t: Context) -> None:
    """A commit that changes what can be observed has effects, and its receipt has those of the proposal, no others."""
    for role in filter(t.has, TELLING):
        offer = await t.offer(role)
        before = await offer.state()
        receipt = (await t.commit(offer)).reply["receipt"]
        _expect_declared(t, offer, receipt.get("effects"))
        if not offer.instance.watched:
            t.lacks("YEA-5.1-06", f"the profile names no state ask for the role {role}")
            continue
        after = await offer.state()
        if same(before, after):
            raise Untested(f"a COMMIT for the role {role} does not show in its state")
        wanted = f"effects for a change from {shown(before)} to {shown(after)}"
        effects = offer.proposal.get("effects")
        t.expect("YEA-5.1-06", bool(effects), wanted=wanted, got=f"effects {shown(effects)}", of=offer)


def _expect_declared(t: Context, offer: Offer, done: Any) -> None:
    more = _besides(offer.proposal.get("effects"), done)
    t.expect(
        "YEA-5.1-07",
        not more,
        wanted="no effect in the receipt that the proposal does not declare",
        got=f"besides: {', '.join(more)}"[:300] if more else "none",
    )
    declared, reported = _counted(offer.proposal.get("effects")), _counted(done)
    less = declared - reported
    t.expect(
        "YEA-5.1-07",
        not less,
        wanted="every declared effect in the receipt, as it was declared",
        got=f"missing: {', '.join(less)}"[:300] if less else "all",
        open_question="YEA-Q61",
    )


def _besides(declared: Any, reported: Any) -> list[str]:
    """Return the reported effects that are none of the declared ones; one that tells less is still that effect."""
    left = [effect for effect in _listed(declared) if isinstance(effect, dict)]
    more = []
    for effect in _listed(reported):
        found = next((other for other in left if isinstance(effect, dict) and _tells_no_other(effect, other)), None)
        if found is None:
            more.append(exact(effect))
        else:
            left.remove(found)
    return more


def _tells_no_other(reported: dict[str, Any], declared: dict[str, Any]) -> bool:
    sides = [name for name in ("field", "from", "to") if reported.get(name) is not None]
    return all(same(reported.get(name), declared.get(name)) for name in ("op", "target", *sides))


def _listed(effects: Any) -> list[Any]:
    return effects if isinstance(effects, list) else []


def _counted(effects: Any) -> Counter[str]:
    """Return effects as a multiset; the order of an effect's members does not count."""
    return Counter(
        exact(dict(sorted(effect.items())) if isinstance(effect, dict) else effect) for effect in _listed(effects)
    )


@check("yea/5.1/commits-do-no-more-than-they-declare", "YEA-5.1-07", needs=("undoable", "state"), commits=1)
async def nothing_else(t: Context) -> None:
    """A commit for one object leaves the state of another one alone."""
    bystander = await t.role("undoable")
    before = await bystander.state()
    await t.commit(await t.offer("undoable"))
    after = await bystander.state()
    wanted = f"another object still at {shown(before)}"
    t.expect("YEA-5.1-07", same(before, after), wanted=wanted, got=f"state {shown(after)}", of=bystander)


@check("yea/5.1/nothing-used-passes-every-limit", "YEA-5.1-20", needs=("undoable",), commits=3)
async def nothing_used(t: Context) -> None:
    """A proposal without uses is committed under limits of 0, by COMMIT and by an auto INTENT."""
    offer = await t.offer("undoable")
    if offer.proposal.get("uses"):
        t.lacks("YEA-5.1-20", "the role undoable reports uses")
        raise NotApplicable("the proposal for the role undoable reports uses")
    zero = {"of": "spend", "max": 0, "scale": 2, "unit": "USD"}
    exchange = await t.send(offer.commit(grants=[t.grant(offer.agent, each=zero, total=zero)]))
    t.expect_kind("YEA-5.1-20", exchange, "RECEIPT")
    agent = t.agent()
    if not offer.undoable or (await send_auto(t, "undoable", agent=agent)).exchange.kind != "RECEIPT":
        return  # what an auto INTENT is committed for is looked at elsewhere (4.3.1)
    made = await send_auto(t, "undoable", agent=agent, grants=[t.grant(agent, {"each": zero}, {"total": zero})])
    t.expect_kind("YEA-5.1-20", made.exchange, "RECEIPT")
