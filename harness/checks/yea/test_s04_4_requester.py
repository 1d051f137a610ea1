"""YEA 4.4, who may commit: the key whose proof was on the INTENT, for the principal that authorized it."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.drafts import consent, draft
from harness.errors import NotApplicable
from harness.offers import Offer, proposals_in
from harness.people import delegate
from harness.recipes.limits import limit
from harness.recipes.wire import priced
from harness.refusals import Refusal, refused_commits, unchanged

Frame = dict[str, Any]


def by_another(t: Context, *caveats: dict[str, Any]) -> Any:
    """Return a change to a COMMIT: another agent sends it, under a good grant of the same principal."""

    def change(offer: Offer) -> Frame:
        other = t.agent()
        return offer.commit(agent=other, grants=[t.grant(other, *caveats)])

    return change


@check("yea/4.4/another-agent-is-forbidden", "YEA-4.4-04", "YEA-4.4-01", needs=("undoable",), commits=5)
async def requester(t: Context) -> None:
    """A proposal is not committed by another agent, even with a good grant of the same principal."""

    def with_both(offer: Offer) -> Frame:
        return {**by_another(t)(offer), "grants": [offer.grant, t.grant(t.agent())]}

    def delegated(offer: Offer) -> Frame:
        other = t.agent()
        token = delegate(offer.grant, offer.agent, other, iat=int(t.now()))
        return offer.commit(agent=other, grants=[token])

    cases = [
        Refusal("another agent's grant and proof", "YEA-4.4-04", by_another(t), ("forbidden",)),
        Refusal("another agent's proof under the first one's grant", "YEA-4.4-04", with_both),
        Refusal("the proof of one to whom the agent delegated its grant", "YEA-4.4-04", delegated, ("forbidden",)),
    ]
    await refused_commits(t, "undoable", cases)


@check(
    "yea/4.4/another-principal-is-forbidden", "YEA-4.4-05", "YEA-4.4-01", needs=("undoable",), principals=2, commits=4
)
async def principal(t: Context) -> None:
    """A proposal that has a principal is not committed under a grant of another one, plain or for this very hash."""

    def under_b(*caveats: Any) -> Any:
        return lambda offer: offer.commit(grants=[t.grant(offer.agent, *(caveat(offer) for caveat in caveats), by="b")])

    cases = [
        Refusal("only another principal's grant", "YEA-4.4-05", under_b(), ("forbidden",)),
        Refusal(
            "another principal's grant for this hash",
            "YEA-4.4-05",
            under_b(lambda offer: {"only": offer.proposal["hash"]}),
            ("forbidden",),
        ),
    ]
    await refused_commits(t, "undoable", cases)


@check("yea/4.4/anonymous-proposal-is-never-committed", "YEA-4.4-06", needs=("undoable",), commits=4)
async def anonymous(t: Context) -> None:
    """A proposal from an INTENT without grants and proof is committed by nobody, not with a consent either."""
    if t.facts.demands("INTENT"):
        raise NotApplicable("the target answers no INTENT without grants")
    await t.commit(await t.offer("undoable"))
    agent, instance = t.agent(), await t.role("undoable")
    exchange = await t.send(t.frame("INTENT", capability=instance.capability, params=instance.params))
    proposals = proposals_in(exchange)
    if not proposals:
        raise NotApplicable(f"an INTENT without grants got {exchange.seen()}")
    offer = Offer(instance, agent, t.grant(agent), exchange, proposals)
    before = await offer.state()
    for what, tokens in {"a good grant": [offer.grant], "a consent": [consent(offer)]}.items():
        attempt = await t.send(offer.commit(grants=tokens))
        t.expect_error("YEA-4.4-06", attempt, "forbidden")
        await unchanged(t, "YEA-4.4-06", offer, before, f"a COMMIT with {what}")
    t.expect_kind("YEA-4.4-06", await t.send((await t.offer("undoable")).commit()), "RECEIPT")


@check(
    "yea/4.4/proven-proposal-without-grants-has-no-principal",
    "YEA-4.4-06",
    needs=("undoable",),
    commits=1,
    basis="open",
)
async def proof_alone(t: Context) -> None:
    """A proposal from an INTENT with a proof but no grants is not committed under a plain grant (YEA-Q46)."""
    if t.facts.demands("INTENT"):
        raise NotApplicable("the target answers no INTENT without grants")
    agent, instance = t.agent(), await t.role("undoable")
    frame = t.frame("INTENT", capability=instance.capability, params=instance.params)
    exchange = await t.send({**frame, "proof": agent.proof("INTENT", instance.capability)})
    proposals = proposals_in(exchange)
    if not proposals:
        raise NotApplicable(f"an INTENT with a proof and no grants got {exchange.seen()}")
    offer = Offer(instance, agent, t.grant(agent), exchange, proposals)
    attempt = await t.send(offer.commit())
    t.expect("YEA-4.4-06", attempt.kind == "ERROR", wanted="no RECEIPT without a consent", got=attempt)


@check("yea/4.4/the-requester-comes-before-limits", "YEA-4.4-18", "YEA-4.4-01", needs=("uses",), commits=3)
async def requester_before_limits(t: Context) -> None:
    """Another agent whose grant would need consent is forbidden, and not asked for a consent."""

    def change(offer: Offer) -> Frame:
        other = by_another(t, {"each": limit(offer.proposal, max=0)})
        return dict(other(offer))

    case = Refusal("another agent's grant, an each too low", "YEA-4.4-18", change, ("forbidden",))
    await refused_commits(t, lambda: priced(t), [case])


@check("yea/4.4/the-requester-comes-before-consent", "YEA-4.4-18", needs=("undoable",), commits=3)
async def requester_before_consent(t: Context) -> None:
    """On a proposal without a principal another agent is forbidden, and not asked for a consent."""
    offer = await draft(t, "undoable")
    t.expect_error("YEA-4.4-18", await t.send(offer.commit()), "consent_required")
    t.expect_error("YEA-4.4-18", await t.send(by_another(t)(offer)), "forbidden")
    t.expect_kind("YEA-4.4-18", await t.send(offer.commit(grants=[consent(offer)])), "RECEIPT")


@check(
    "yea/4.4/the-principal-comes-before-limits", "YEA-4.4-19", "YEA-4.4-01", needs=("uses",), principals=2, commits=3
)
async def principal_before_limits(t: Context) -> None:
    """Another principal's grant that would need consent is forbidden, and no consent is asked of that principal."""

    def change(offer: Offer) -> Frame:
        return offer.commit(grants=[t.grant(offer.agent, by="b", each=limit(offer.proposal, max=0))])

    case = Refusal("another principal's grant, an each too low", "YEA-4.4-19", change, ("forbidden",))
    await refused_commits(t, lambda: priced(t), [case])
