"""Client faults around YEA 6.6: what a person is shown, and what is signed."""

import hashlib
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from harness.clients.program import Program, Said
from harness.faults.yea_client import ClientFault, add, client_fault, patch, program_fault
from reference.yea import b64url, grants
from reference.yea.canonical import CanonicalError
from reference.yea.client import Client, ConsentRequest, consent, proposals
from reference.yea.consent import consent_caveats
from reference.yea.keys import KeyPair
from reference.yea.proposals import proposal_hash

NOT_SHOWN = "yea-client/6.6/mismatch-is-not-shown"
NOT_SIGNED = "yea-client/6.6/mismatch-is-not-signed"
SEEN = "yea-client/6.6/person-sees-the-proposal"
DEEP = "yea-client/6.6/deep-proposal-is-not-shown"
ROOT = "yea-client/6.6/consent-is-a-root-grant"
UNHASHABLE = "yea-client/6.6/unhashable-is-not-shown"
ENDS = "yea-client/6.6/approval-ends-with-the-proposal"
TRIGGER = "yea-client/6.6/agent-cannot-sign-for-the-principal"

COMPARED = ("proposal", "hash", "service", "capability")


def _trusting(*names: str) -> Callable[[], None]:
    """Do not compare these members of a consent request."""

    def change() -> None:
        right = consent.match

        def match(said: Any, proposal: Any, *, service: str, agent: str) -> ConsentRequest:
            own = {
                "proposal": proposal.id,
                "hash": proposal.hash,
                "service": service,
                "capability": proposal.capability,
            }
            mended = {**said, **{name: own[name] for name in names}} if isinstance(said, dict) else said
            return right(mended, proposal, service=service, agent=agent)

        patch(consent, "match", match)

    return change


for _name in COMPARED:
    add(
        ClientFault(
            f"yea-client/does-not-compare-the-{_name}",
            f"Does not compare the {_name} of a consent request with the proposal's.",
            (NOT_SHOWN, NOT_SIGNED),
            _trusting(_name),
        )
    )


@client_fault("yea-client/compares-what-is-there", NOT_SHOWN)
def compares_what_is_there() -> None:
    """Compares a consent request only as far as it has something to compare."""
    right = consent.match

    def match(said: Any, proposal: Any, *, service: str, agent: str) -> ConsentRequest:
        own = {"proposal": proposal.id, "hash": proposal.hash, "service": service, "capability": proposal.capability}
        mended = {**said, **{name: own[name] for name in COMPARED if said.get(name) is None}}
        return right(mended, proposal, service=service, agent=agent)

    patch(consent, "match", match)


def _text_without(part: str) -> type[Program]:
    class Silent(Program):
        """Does not tell a person all of a proposal."""

        def consent(self, request: ConsentRequest) -> str:
            """Leave something out."""
            proposal = request.proposal
            told = {
                "effects": [f"{effect['op']} {effect['target']}" for effect in proposal.effects],
                "uses": proposal.uses,
                "risk": proposal.risk,
                "undo": proposal.undo,
            }
            kept = [f"{name}: {value}" for name, value in told.items() if name != part]
            return "\n".join([proposal.summary, *kept, f"hash {proposal.hash[:12]}"])

    return Silent


for _name in ("effects", "uses", "risk", "undo"):
    add(
        ClientFault(
            f"yea-client/hides-the-{_name}",
            f"Does not show a person the {_name} of a proposal.",
            (SEEN,),
            kind=_text_without(_name),
        )
    )


def _text_with_first(part: str) -> type[Program]:
    class Brief(Program):
        """Tells a person the beginning of a proposal."""

        def consent(self, request: ConsentRequest) -> str:
            """Cut it short."""
            body = request.proposal.without_data()
            kept = {"effects": body["effects"][:1], "uses": dict(list(body["uses"].items())[:1])}
            return str({**body, part: kept[part]})

    return Brief


for _name in ("effects", "uses"):
    add(
        ClientFault(
            f"yea-client/shows-the-first-of-{_name}-only",
            f"Shows a person no more than the first of a proposal's {_name}.",
            (SEEN,),
            kind=_text_with_first(_name),
        )
    )


@program_fault("yea-client/shows-a-person-the-lens-of-the-service", SEEN)
class ShowsTheServicesLens(Program):
    """Shows a person the service's own `lens` of the proposals, where there is one."""

    async def result(self, client: Client, job: str) -> Said:
        """Lean on the service."""
        sent: list[str] = []
        right = client.intent

        async def intent(*given: Any, **named: Any) -> Any:
            reply = await right(*given, **named)
            sent.append(str(reply.frame.get("lens", "")))
            return reply

        client.intent = intent  # type: ignore[method-assign] # that is the fault
        made = await super().result(client, job)
        client.intent = right  # type: ignore[method-assign]
        return {**made, "consent": sent[-1]} if "consent" in made and sent and sent[-1] else made


@program_fault("yea-client/shows-the-summary-alone", SEEN)
class ShowsTheSummary(Program):
    """Shows a person the service's summary, the hash, and nothing else."""

    def consent(self, request: ConsentRequest) -> str:
        """Show the summary."""
        return f"{request.proposal.summary} ({request.proposal.id}, {request.proposal.hash})"


@program_fault("yea-client/shows-what-the-request-says", SEEN)
class ShowsTheRequest(Program):
    """Shows a person the members of the consent request, and not the proposal's own."""

    async def result(self, client: Client, job: str) -> Said:
        """Show the request."""
        said: list[Any] = []
        right = consent.match

        def match(asked: Any, proposal: Any, *, service: str, agent: str) -> ConsentRequest:
            said.append({**proposal.body, **asked})
            return right(asked, proposal, service=service, agent=agent)

        patch(consent, "match", match)
        made = await super().result(client, job)
        patch(consent, "match", right)
        if "consent" in made and said:
            kept = ("effects", "uses", "risk", "undo", "summary")
            made["consent"] = "\n".join(f"{name}: {said[-1].get(name)}" for name in kept)
        return made


@client_fault("yea-client/shows-any-depth", DEEP)
def shows_any_depth() -> None:
    """Shows a person a proposal however deep it is."""
    patch(consent, "MAX_LEVELS", 10_000)


@client_fault("yea-client/shows-33-levels", DEEP)
def shows_33_levels() -> None:
    """Counts the levels of a proposal from 0."""
    patch(consent, "MAX_LEVELS", 33)


@client_fault("yea-client/shows-what-lens-shows", DEEP)
def shows_64_levels() -> None:
    """Shows a person what Lens does not cut: 64 levels."""
    patch(consent, "MAX_LEVELS", 64)


Issue = Callable[[KeyPair, KeyPair, ConsentRequest], str]


def issued(key: KeyPair, sub: str, caveats: list[Any]) -> str:
    """A grant with these caveats."""
    return grants.issue(key, sub=sub, caveats=caveats, iat=int(time.time()), nonce=secrets.token_urlsafe(12))


def _signing(issue: Issue) -> type[Program]:
    class Signing(Program):
        """Signs another approval than it should."""

        def approve(self, key: KeyPair, request: ConsentRequest) -> str:
            """Sign it."""
            return issue(key, self.order.key or key, request)

    return Signing


def _caveats(request: ConsentRequest) -> list[Any]:
    return consent_caveats(request.service, request.proposal.capability, request.proposal.hash, request.expires)


def _without(name: str) -> Issue:
    def issue(principal: KeyPair, agent: KeyPair, request: ConsentRequest) -> str:
        return issued(principal, agent.public, [caveat for caveat in _caveats(request) if name not in caveat])

    return issue


def _delegated(principal: KeyPair, agent: KeyPair, request: ConsentRequest) -> str:
    token = issued(principal, agent.public, _caveats(request))
    return grants.delegate(token, agent, sub=agent.public, caveats=[], iat=int(time.time()))


APPROVALS: dict[str, tuple[str, Issue]] = {
    "agent-approves-itself": (
        "Signs the approval with the agent's own key.",
        lambda principal, agent, request: issued(agent, agent.public, _caveats(request)),
    ),
    "approval-is-delegated": ("Appends a block to the approval.", _delegated),
    "approval-allows-undo-too": (
        "Lets the approval cover UNDO too.",
        lambda principal, agent, request: issued(
            principal,
            agent.public,
            [{**c, "verbs": ["COMMIT", "UNDO"]} if "verbs" in c else c for c in _caveats(request)],
        ),
    ),
    "approval-has-one-caveat-more": (
        "Adds a caveat to the approval.",
        lambda principal, agent, request: issued(principal, agent.public, [*_caveats(request), {"risk": "high"}]),
    ),
    **{
        f"approval-without-{name}": (f"Leaves {name} out of the approval.", _without(name))
        for name in ("svc", "verbs", "can", "only", "exp")
    },
}
for _name, (_says, _issue) in APPROVALS.items():
    add(ClientFault(f"yea-client/{_name}", _says, (ROOT,), kind=_signing(_issue)))


@program_fault("yea-client/agent-signs-for-the-principal", TRIGGER)
class AgentSigns(Program):
    """Signs with the principal's key as soon as consent is required, without asking anybody."""

    async def commit(self, client: Client, *, approved: bool = False) -> Said:
        """Approve it all."""
        return await super().commit(client, approved=True)


@program_fault("yea-client/approves-before-it-compares", NOT_SIGNED)
class ApprovesUnseen(Program):
    """Signs whatever a consent request names, before it is compared with the proposal."""

    async def commit(self, client: Client, *, approved: bool = False) -> Said:
        """Sign first."""
        _trusting(*COMPARED)()
        return await super().commit(client, approved=approved)


@client_fault("yea-client/believes-the-hash", "yea-client/6.6/wrong-hash-is-not-shown", outcome="warned")
def believes_the_hash() -> None:
    """Takes the hash of a proposal as it was sent."""
    patch(proposals, "proposal_hash", lambda value: value["hash"])


def _loose(value: Any) -> str:
    """JSON with its keys in order, and any number."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@client_fault("yea-client/hashes-any-number", UNHASHABLE, outcome="warned")
def hashes_any_number() -> None:
    """Hashes a proposal over JSON that allows fractions and any integer."""

    def loose(value: Any) -> str:
        body = {name: item for name, item in value.items() if name not in ("hash", "data")}
        return b64url.encode(hashlib.sha256(_loose(body).encode()).digest())

    patch(proposals, "proposal_hash", loose)
    patch(consent, "canonical", _loose)


@client_fault("yea-client/believes-the-hash-of-what-has-none", UNHASHABLE, outcome="warned")
def believes_what_has_no_hash() -> None:
    """Takes the hash of a proposal as it was sent, where it cannot compute it."""

    def lenient(value: Any) -> str:
        try:
            return proposal_hash(value)
        except CanonicalError:
            return str(value["hash"])

    patch(proposals, "proposal_hash", lenient)
    patch(consent, "canonical", _loose)


@client_fault("yea-client/approval-ends-as-the-request-says", ENDS, outcome="warned")
def ends_as_requested() -> None:
    """Lets an approval end when the service's consent request says, however late."""
    right = consent.match

    def match(said: Any, proposal: Any, *, service: str, agent: str) -> ConsentRequest:
        return replace(right(said, proposal, service=service, agent=agent), expires=said["expires"])

    patch(consent, "match", match)
