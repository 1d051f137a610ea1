"""Proposals that belong to no principal: the INTENT carried grants, and none of them authorized it (YEA 4.4)."""

from harness.context import Context
from harness.errors import NotApplicable, Untested
from harness.offers import Offer
from harness.people import Agent


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
    proposals = exchange.reply.get("proposals")
    listed = proposals if isinstance(proposals, list) else []
    usable = [p for p in listed if isinstance(p, dict) and all(isinstance(p.get(n), str) for n in ("id", "hash"))]
    if exchange.kind != "PROPOSALS" or not usable or len(usable) != len(listed):
        raise Untested(f"an INTENT for the role {role} that no grant authorizes got {exchange.seen()}")
    return Offer(instance, agent, token, exchange, usable)


def consent(offer: Offer, by: str = "a") -> str:
    """Return the consent grant of a principal to an offer's first proposal."""
    proposal = {**offer.proposal, "capability": offer.capability}
    return offer.instance.context.principal(by).consent(offer.agent, proposal)
