"""YEA 6.6, consent grants: what they lift, and that they cover one COMMIT of one proposal and nothing else."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.drafts import SOON, consent, expiry
from harness.encoding import shown
from harness.errors import Untested
from harness.offers import Offer, proposals_in
from harness.people import Agent
from harness.recipes.limits import limit
from harness.recipes.wire import priced
from harness.refusals import Refusal, refused_commits, unchanged

Frame = dict[str, Any]


async def _stopped(t: Context, role: str) -> tuple[Offer, str]:
    """Return an offer, and a grant of its own principal under which a COMMIT of it needs consent."""
    offer = await (priced(t) if role == "uses" else t.offer(role))
    if role == "uses":
        return offer, t.grant(offer.agent, each=limit(offer.proposal, max=0))
    if offer.proposal.get("risk") == "low":
        raise Untested(f"the proposal for the role {role} is of low risk")
    return offer, t.grant(offer.agent, risk="low")


async def _lifted(t: Context, clause: str, role: str) -> None:
    for how in ("alone", "after the old grant", "before the old grant"):
        offer, narrow = await _stopped(t, role)
        t.expect_error(clause, await t.send(offer.commit(grants=[narrow])), "consent_required")
        signed = consent(offer)
        listed = {"alone": [signed], "after the old grant": [narrow, signed], "before the old grant": [signed, narrow]}
        exchange = await t.send(offer.commit(grants=listed[how]))
        t.expect(clause, exchange.kind == "RECEIPT", wanted=f"RECEIPT with the consent {how}", got=exchange)


@check("yea/6.6/consent-lifts-a-limit", "YEA-6.6-12", needs=("uses",), commits=6)
async def lifts_a_limit(t: Context) -> None:
    """A COMMIT that an each stopped succeeds with the principal's consent, alone or beside the old grant."""
    await _lifted(t, "YEA-6.6-12", "uses")


@check("yea/6.6/consent-lifts-a-risk-ceiling", "YEA-6.6-12", needs=("risky",), commits=6)
async def lifts_a_ceiling(t: Context) -> None:
    """A COMMIT that a risk ceiling stopped succeeds with the principal's consent."""
    await _lifted(t, "YEA-6.6-12", "risky")


@check("yea/6.6/consent-of-another-principal-does-not-help", "YEA-6.6-13", needs=("uses",), principals=2, commits=3)
async def foreign_consent(t: Context) -> None:
    """A proposal that has a principal is not committed by another principal's consent."""
    cases = [
        Refusal(
            "another principal's consent",
            "YEA-6.6-13",
            lambda offer: offer.commit(grants=[consent(offer, by="b")]),
            ("forbidden",),
        ),
    ]
    await refused_commits(t, lambda: priced(t), cases, accept="YEA-6.6-13")


@check("yea/6.6/consent-covers-its-own-proposal-only", "YEA-6.6-14", needs=("uses",), commits=2)
async def own_proposal_only(t: Context) -> None:
    """A consent to one proposal does not commit another of the same capability."""
    agent = t.agent()
    first, second = await priced(t, agent=agent), await priced(t, agent=agent)
    before = await second.state()
    exchange = await t.send(second.commit(grants=[consent(first)]))
    t.expect_error("YEA-6.6-14", exchange, "forbidden")
    await unchanged(t, "YEA-6.6-14", second, before, "a COMMIT with the consent to another proposal")
    t.expect_kind("YEA-6.6-14", await t.send(second.commit(grants=[consent(second)])), "RECEIPT")


@check("yea/6.6/consent-lifts-nothing-for-later", "YEA-6.6-14", needs=("uses",), commits=3)
async def nothing_for_later(t: Context) -> None:
    """After a consent was used, the next COMMIT past the same limit needs one of its own."""
    agent = t.agent()
    first, second = await priced(t, agent=agent), await priced(t, agent=agent)
    narrow = t.grant(agent, each=limit(first.proposal, max=0))
    t.expect_error("YEA-6.6-14", await t.send(first.commit(grants=[narrow])), "consent_required")
    t.expect_kind("YEA-6.6-14", await t.send(first.commit(grants=[narrow, consent(first)])), "RECEIPT")
    before = await second.state()
    for attempt in ("first", "second", "third"):
        exchange = await t.send(second.commit(grants=[narrow]))
        wanted = f"consent_required at the {attempt} attempt to commit another proposal"
        t.expect("YEA-6.6-14", exchange.code == "consent_required", wanted=wanted, got=exchange)
    await unchanged(t, "YEA-6.6-14", second, before, "a COMMIT that needs a consent of its own")
    t.expect_kind("YEA-6.6-14", await t.send(second.commit(grants=[narrow, consent(second)])), "RECEIPT")


@check("yea/6.6/consent-undoes-nothing", "YEA-6.6-15", needs=("undoable",), commits=1)
async def no_undo(t: Context) -> None:
    """A consent grant does not authorize the UNDO of what it committed."""
    offer = await t.offer("undoable")
    signed = consent(offer)
    receipt = (await t.commit(offer, offer.commit(grants=[signed]))).reply["receipt"]
    after = await offer.state()
    t.expect_error("YEA-6.6-15", await t.send(offer.undo(receipt, grants=[signed])), "forbidden")
    await unchanged(t, "YEA-6.6-15", offer, after, "an UNDO with the consent grant")
    t.expect_kind("YEA-6.6-15", await t.send(offer.undo(receipt)), "RECEIPT")


@check("yea/6.6/consent-authorizes-no-intent", "YEA-6.6-16", needs=("undoable",), commits=2)
async def no_intent(t: Context) -> None:
    """An INTENT with nothing but a consent is not authorized: it commits nothing by itself, nor later outright."""
    agent = t.agent()
    held = await t.offer("undoable", agent=agent)
    signed = consent(held)
    await _no_read(t, agent, signed)
    instance = await t.role("undoable")
    before = await instance.state()
    auto = await t.send(t.intent(instance, agent, [signed], auto=True))
    t.expect("YEA-6.6-16", auto.kind != "RECEIPT", wanted="no RECEIPT to an auto INTENT with a consent", got=auto)
    if instance.watched:
        after = await instance.state()
        wanted = f"state {shown(before)} as before"
        t.expect("YEA-6.6-16", same(after, before), wanted=wanted, got=f"state {shown(after)}", of=instance)
    plain = await t.send(t.intent(await t.role("undoable"), agent, [signed]))
    proposals = proposals_in(plain)
    if not proposals:
        return
    made = Offer(instance, agent, t.grant(agent), plain, proposals)
    outcome = await t.send(made.commit())
    ok = outcome.code == "consent_required"
    t.expect("YEA-6.6-16", ok, wanted="consent_required: that INTENT had no principal", got=outcome)


async def _no_read(t: Context, agent: Agent, signed: str) -> None:
    """Expect that a consent opens no read; to be seen only where reads need a grant at all."""
    if t.facts.demands_grants and t.has("ask"):
        instance = await t.role("ask")
        frame = t.with_grants("ASK", instance.capability, agent, params=instance.params)
        t.expect_error("YEA-6.6-16", await t.send({**frame, "grants": [signed]}), "forbidden")


@check("yea/6.6/consent-ends-with-the-proposal", "YEA-6.6-17", needs=("short-ttl",), commits=2, waits=True)
async def ends_with_the_proposal(t: Context) -> None:
    """After the proposal's expires its consent commits nothing."""
    control = await t.offer("short-ttl")
    t.expect_kind("YEA-6.6-17", await t.send(control.commit(grants=[consent(control)])), "RECEIPT")
    offer = await t.offer("short-ttl")
    before = await offer.state()
    await t.until(expiry(offer, within=SOON) + 2)
    exchange = await t.send(offer.commit(grants=[consent(offer)]))
    t.expect_error("YEA-6.6-17", exchange, "expired", "forbidden")
    await unchanged(t, "YEA-6.6-17", offer, before, "a COMMIT with an expired consent")


@check("yea/6.6/consent-is-good-for-one-commit", "YEA-6.6-18", needs=("uses",), commits=2)
async def one_commit(t: Context) -> None:
    """A second COMMIT with the same consent only replays the first."""
    offer = await priced(t)
    signed = consent(offer)
    first = await t.commit(offer, offer.commit(grants=[signed]))
    after = await offer.state()
    again = await t.send(offer.commit(grants=[signed]))
    receipt = again.reply.get("receipt")
    equal = isinstance(receipt, dict) and same(receipt.get("id"), first.reply["receipt"]["id"])
    t.expect("YEA-6.6-18", equal, wanted="the first receipt again", got=again)
    flag = again.reply.get("replay")
    t.expect("YEA-6.6-18", flag is True, wanted="replay true", got=f"replay {shown(flag)}")
    await unchanged(t, "YEA-6.6-18", offer, after, "a second COMMIT with the same consent")
