"""Proposals that need a consent, or time: those of no principal, what consents to them, and when they expire.

A proposal belongs to no principal when its INTENT carried grants and none of them authorized it (YEA 4.4).
"""

from harness.context import Context
from harness.encoding import shown
from harness.errors import NotApplicable, Untested
from harness.offers import Offer, proposals_in
from harness.people import Agent
from reference.yea.types import as_integer

SOON = 120


async def draft(t: Context, role: str, *, agent: Agent | None = None, by: str = "a") -> Offer:
    """Return an offer whose proposals have no principal; its grant allows COMMIT alone, from principal `by`.

    Raises NotApplicable where the target refuses an INTENT that its grants do not authorize, which it may (YEA-Q43).
    """
    instance = await t.role(role)
    agent = agent or t.agent()
    token = t.grant(agent, by=by, verbs=["COMMIT"])
    exchange = await t.send(t.intent(instance, agent, [token]))
    if exchange.code in ("forbidden", "unauthorized"):
        raise NotApplicable(f"the target answers an INTENT that no grant authorizes with {exchange.code}")
    proposals = proposals_in(exchange)
    if not proposals:
        raise Untested(f"an INTENT for the role {role} that no grant authorizes got {exchange.seen()}")
    return Offer(instance, agent, token, exchange, proposals)


def consent(offer: Offer, by: str = "a") -> str:
    """Return the consent grant of a principal to an offer's first proposal; raises Untested as `expiry` does."""
    proposal = {**offer.proposal, "capability": offer.capability, "expires": expiry(offer)}
    return offer.instance.context.principal(by).consent(offer.agent, proposal)


def expiry(offer: Offer, *, within: float | None = None) -> int:
    """Return when an offer's first proposal expires, in unix seconds.

    Raises Untested when that is no integer, or not within so many seconds from now.
    """
    expires = as_integer(offer.proposal.get("expires"))
    role = offer.instance.role.name
    if expires is None:
        raise Untested(f"the proposal for the role {role} has expires {shown(offer.proposal.get('expires'))}")
    ahead = expires - offer.instance.context.now()
    if within is not None and ahead > within:
        raise Untested(f"the proposal for the role {role} expires in {ahead:.0f} s, and the check waits {within:.0f} s")
    return expires
