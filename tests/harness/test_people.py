"""Agents and principals: what they sign is what the reference verifies."""

from collections.abc import Callable

import pytest

from harness.clock import EPOCH
from harness.errors import Untested
from harness.people import Agent, Principal, consent_caveats, delegate, new_key
from reference.yea import consent, grants, proofs

SERVICE = "s.example"


def now() -> float:
    return EPOCH + 0.75


AGENT, OTHER = Agent(new_key(), SERVICE, now), Agent(new_key(), SERVICE, now)
PRINCIPAL = Principal(new_key(), SERVICE, now)


def test_a_proof_is_over_verb_target_audience_and_time() -> None:
    proof = AGENT.proof("ASK", "a.read")
    assert (proof["key"], proof["ts"]) == (AGENT.public, int(EPOCH))
    assert proofs.verify(proof, aud=SERVICE, verb="ASK", target="a.read")
    assert not proofs.verify(proof, aud=SERVICE, verb="INTENT", target="a.read")
    elsewhere = AGENT.proof("ASK", "a.read", ts=7, aud="other")
    assert elsewhere["ts"] == 7
    assert proofs.verify(elsewhere, aud="other", verb="ASK", target="a.read")


def test_a_grant_is_for_this_service_and_an_hour() -> None:
    found = grants.decode(PRINCIPAL.grant(AGENT))
    assert (found.issuer, found.holder) == (PRINCIPAL.public, AGENT.public)
    assert found.blocks[0]["p"]["iat"] == int(EPOCH)
    assert found.blocks[0]["p"]["caveats"] == [{"svc": [SERVICE]}, {"exp": int(EPOCH) + 3600}]


def test_caveats_are_added_replaced_and_left_out() -> None:
    token = PRINCIPAL.grant(AGENT.public, {"x": 1}, {"exp": 5}, svc=None, exp=7, verbs=["ASK"])
    assert grants.decode(token).blocks[0]["p"]["caveats"] == [{"exp": 7}, {"verbs": ["ASK"]}, {"x": 1}, {"exp": 5}]


def test_no_two_grants_are_the_same() -> None:
    assert len({PRINCIPAL.grant(AGENT) for _ in range(20)}) == 20
    assert len({new_key().public for _ in range(20)}) == 20


def test_a_delegation_is_one_more_block() -> None:
    token = delegate(PRINCIPAL.grant(AGENT), AGENT, OTHER, {"verbs": ["ASK"]}, iat=9)
    found = grants.decode(token)
    assert (found.issuer, found.holder, len(found.blocks)) == (PRINCIPAL.public, OTHER.public, 2)
    assert (found.blocks[1]["p"]["iat"], found.blocks[1]["p"]["caveats"]) == (9, [{"verbs": ["ASK"]}])


def test_a_consent_is_what_the_reference_takes_for_one() -> None:
    proposal = {"capability": "a.write", "hash": "h", "expires": int(EPOCH) + 60}
    found = grants.decode(PRINCIPAL.consent(AGENT, proposal))
    assert consent.is_consent(found, service=SERVICE, capability="a.write", hash="h", expires=int(EPOCH) + 60)
    made = consent.consent_caveats(SERVICE, "a.write", "h", int(EPOCH) + 60)
    assert consent_caveats(SERVICE, proposal) == made


def why(call: Callable[[], object]) -> str:
    with pytest.raises(Untested) as caught:
        call()
    return caught.value.why


def test_what_a_target_sent_and_nobody_can_sign_is_untested() -> None:
    assert why(lambda: AGENT.proof("UNDO", "r\ud800")).startswith("no proof can be over what the target sent: ")
    proposal = {"capability": "a.write", "hash": "h", "expires": 1.5}
    assert why(lambda: PRINCIPAL.consent(AGENT, proposal)).startswith("no grant can hold what the target sent: ")
    assert why(lambda: PRINCIPAL.consent(AGENT, {"hash": "h"})) == (
        "nobody can consent to a proposal without capability, expires"
    )
