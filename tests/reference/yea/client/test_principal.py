"""The principal's side (YEA 6.6)."""

import ast
from pathlib import Path

import pytest

import reference.yea.client
from reference.yea import grants
from reference.yea.caveats import Context, evaluate
from reference.yea.client import proposals
from reference.yea.client.consent import ConsentRequest
from reference.yea.client.errors import BadConsent, BadProposal
from reference.yea.client.principal import sign_consent
from reference.yea.conformance import SERVICE_ID
from reference.yea.consent import is_consent
from tests.reference.yea.client.playing import proposal
from tests.reference.yea.service.driving import K1, NOW, A, B


def request() -> ConsentRequest:
    held = proposals.read(proposal())
    return ConsentRequest(SERVICE_ID, held, K1.public, A.public, held.expires)


def test_an_approval_is_a_root_grant_to_the_agent_with_exactly_the_caveats_of_a_consent() -> None:
    asked = request()
    grant = grants.decode(sign_consent(A, asked, iat=int(NOW), nonce="n"))
    assert (grant.issuer, grant.holder, len(grant.blocks)) == (A.public, K1.public, 1)
    assert list(grant.caveats[0]) == asked.caveats()
    own = asked.proposal
    assert is_consent(grant, service=SERVICE_ID, capability=own.capability, hash=own.hash, expires=own.expires)


@pytest.mark.parametrize("verb", ["UNDO", "ASK", "INTENT"])
def test_it_authorizes_nothing_else(verb: str) -> None:
    grant = grants.decode(sign_consent(A, request(), iat=int(NOW), nonce="n"))
    context = Context(service=SERVICE_ID, verb=verb, capability="calendar.book", now=NOW)
    assert evaluate(grant, context).decision == "forbidden"


def test_another_principals_key_does_not_sign() -> None:
    with pytest.raises(BadConsent, match="this key is"):
        sign_consent(B, request(), iat=int(NOW), nonce="n")


def test_a_changed_proposal_is_not_signed() -> None:
    asked = request()
    asked.proposal.body["summary"] = "Something else"
    with pytest.raises(BadProposal):
        sign_consent(A, asked, iat=int(NOW), nonce="n")


def test_nothing_in_the_client_can_sign_an_approval() -> None:
    """An agent must not be able to trigger signing with the principal's key, so the client does not know how."""
    folder = Path(str(reference.yea.client.__file__)).parent
    imported = {
        alias
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        for alias in (
            [f"{node.module}.{name.name}" for name in node.names]
            if isinstance(node, ast.ImportFrom)
            else [name.name for name in node.names]
            if isinstance(node, ast.Import)
            else []
        )
    }
    assert not {name for name in imported if "principal" in name}
    callers = {file.name for file in folder.glob("*.py") if "grants.issue" in file.read_text()}
    assert callers == {"principal.py"}
