"""Consent requests: what a principal may be shown for approval (YEA 6.6).

The request comes from the service, so it counts only where it matches the proposal that the agent received, and what
the principal is shown is that proposal. Nothing here signs: see `principal`, which no agent calls.
"""

from dataclasses import dataclass

from reference.yea.canonical import canonical
from reference.yea.client import proposals
from reference.yea.client.errors import BadConsent, BadProposal
from reference.yea.client.frames import Frame, one_line, short
from reference.yea.client.proposals import Proposal
from reference.yea.client.text import terminal_text
from reference.yea.consent import consent_caveats
from reference.yea.keys import is_public_key
from reference.yea.lens.times import time_text
from reference.yea.types import Json, as_integer

MAX_LEVELS = 32
"""Levels of objects and arrays that a proposal may have to be shown for signing, itself being the first (YEA 6.6)."""

_EFFECT = ("op", "target", "field", "from", "to", "detail")
_PLAIN = ("id", "capability", "summary", "uses", "risk", "expires")


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """An approval that a principal may give, all of it checked.

    service: its id. proposal: what it is for. agent: the key that may use it. principal: whose approval it is.
    expires: the unix second at which it ends, never later than the proposal does.
    """

    service: str
    proposal: Proposal
    agent: str
    principal: str
    expires: int

    def caveats(self) -> list[Json]:
        """Exactly those of the consent grant (YEA 6.6)."""
        return consent_caveats(self.service, self.proposal.capability, self.proposal.hash, self.expires)

    def text(self) -> str:
        """What the principal has to see before signing: the proposal's own effects, uses, risk, undo and expiry.

        Each text of the service is on one line. Members that those lines do not tell come in a last line, as JSON, so
        that all that is signed is shown.
        """
        proposal = self.proposal
        lines = [
            f"at {one_line(self.service)}, {one_line(proposal.capability)}, for the agent {self.agent}:",
            terminal_text({"kind": "PROPOSALS", "proposals": [proposal.without_data()]}),
        ]
        if self.expires < proposal.expires:
            lines.append(f"  the approval ends at {time_text(self.expires)}")
        if not _is_told(proposal):
            lines.append(f"  in full: {one_line(canonical(proposal.without_data()))}")
        return "\n".join(lines)

    def as_json(self) -> Frame:
        """The request for a principal's tool, from which `from_json` reads it and checks it again."""
        return {
            "service": self.service,
            "agent": self.agent,
            "principal": self.principal,
            "expires": self.expires,
            "proposal": self.proposal.without_data(),
        }


def match(consent: Json, proposal: Proposal, *, service: str, agent: str) -> ConsentRequest:
    """The request that the `consent` of an ERROR makes, held against the proposal that the agent received.

    service: the id that the agent learned. agent: its public key.
    Raises BadConsent when it does not match, BadProposal when the proposal may not be shown for signing (YEA 6.6).
    """
    check_showable(proposal)
    said: Frame = consent if isinstance(consent, dict) else {}
    wanted = {
        "proposal": proposal.id,
        "hash": proposal.hash,
        "service": service,
        "capability": proposal.capability,
    }
    # YEA 6.6: a mismatched consent request is never shown for signing
    for name, value in wanted.items():
        if said.get(name) != value:
            raise BadConsent(f"the consent request names the {name} {short(said.get(name))}, and not {short(value)}")
    principal = said.get("principal")
    if not isinstance(principal, str) or not is_public_key(principal):
        raise BadConsent(f"the consent request names no principal but {short(principal)}")
    # Of two times the earlier one: an approval never outlives what was asked for.
    asked = as_integer(said.get("expires"))
    expires = proposal.expires if asked is None else min(asked, proposal.expires)
    return ConsentRequest(service, proposal, agent, principal, expires)


def from_json(value: Json) -> ConsentRequest:
    """The request in what `as_json` gave, or somebody made like it. Raises BadConsent, BadProposal."""
    said: Frame = value if isinstance(value, dict) else {}
    proposal = proposals.read(said.get("proposal"))
    service, agent = said.get("service"), said.get("agent")
    if not isinstance(service, str) or not service:
        raise BadConsent(f"the consent request names no service but {short(service)}")
    if not isinstance(agent, str) or not is_public_key(agent):
        raise BadConsent(f"the consent request names no agent but {short(agent)}")
    own = {name: proposal.body.get(name) for name in ("hash", "capability")}
    asked = {**own, "service": service, "proposal": proposal.id}
    asked |= {name: said.get(name) for name in ("principal", "expires")}
    return match(asked, proposal, service=service, agent=agent)


def check_showable(proposal: Proposal) -> None:
    """Raises BadProposal for one that is not sound, or nested deeper than a principal is shown (YEA 6.6)."""
    proposal.check()
    if deeper_than(proposal.without_data(), MAX_LEVELS):
        raise BadProposal(f"the proposal {short(proposal.id)} is nested deeper than {MAX_LEVELS} levels")


def deeper_than(value: Json, levels: int) -> bool:
    """Whether a value has objects and arrays on more than so many levels, itself being the first."""
    layer: list[Json] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(levels):
        below: list[Json] = []
        for item in layer:
            children = item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            below += [child for child in children if isinstance(child, (dict, list))]
        layer = below
    return bool(layer)


def _is_told(proposal: Proposal) -> bool:
    """Whether the lines of a proposal tell all that its hash covers."""
    body = proposal.body
    told: Frame = {name: body[name] for name in _PLAIN if name in body}
    told["effects"] = [{name: effect[name] for name in _EFFECT if name in effect} for effect in proposal.effects]
    told["undo"] = None if proposal.undo is None else {"window": proposal.undo}
    told["hash"] = proposal.hash
    return canonical(told) == canonical(proposal.without_data())
