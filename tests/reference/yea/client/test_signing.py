"""An agent's key, grants and proofs (YEA 6)."""

from typing import Any

import pytest

from reference.yea import proofs
from reference.yea.client.errors import BadReply, NoAudience, NoGrant
from reference.yea.client.signing import Wallet
from reference.yea.conformance import SERVICE_ID
from reference.yea.grants import GrantError
from reference.yea.keys import KeyPair
from tests.reference.yea.service.driving import K1, K2, NOW, A, delegated, grant


def wallet(*tokens: str, key: KeyPair | None = K1, knows: bool = True) -> Wallet:
    made = Wallet(key, tokens, lambda: NOW + 0.9)
    if knows:
        made.learn(SERVICE_ID)
    return made


def test_a_proof_is_over_audience_verb_target_and_time() -> None:
    token = grant()
    frame = wallet(token).signed({"verb": "COMMIT"}, "the hash", [token])
    assert (frame["grants"], frame["proof"]["key"], frame["proof"]["ts"]) == ([token], K1.public, int(NOW))
    assert proofs.verify(frame["proof"], aud=SERVICE_ID, verb="COMMIT", target="the hash")


def test_without_grants_there_is_a_proof_alone() -> None:
    frame = wallet().signed({"verb": "EXPAND"}, "h", [])
    assert frame.keys() == {"verb", "proof"}


def test_without_a_key_nothing_is_signed() -> None:
    assert wallet(key=None).signed({"verb": "EXPAND"}, "h", []) == {"verb": "EXPAND"}


def test_for_an_unknown_audience_nothing_is_signed() -> None:
    stranger = wallet(grant(), knows=False)
    with pytest.raises(NoAudience):
        stranger.signed({"verb": "EXPAND"}, "h", [])
    with pytest.raises(NoAudience):
        stranger.usable()


def test_an_agent_without_grants_needs_no_audience_to_present_none() -> None:
    assert wallet(knows=False).usable() == []


def test_the_audience_is_learned_once() -> None:
    held = wallet()
    held.learn(SERVICE_ID)
    with pytest.raises(BadReply, match='is now "other"'):
        held.learn("other")
    assert held.audience == SERVICE_ID


@pytest.mark.parametrize(
    ("caveats", "sent"),
    [
        ([], True),
        ([{"svc": [SERVICE_ID]}], True),
        ([{"svc": ["other", SERVICE_ID]}], True),
        ([{"svc": []}], False),
        ([{"svc": ["other"]}], False),
        ([{"svc": SERVICE_ID}], False),
        ([{"svc": [SERVICE_ID]}, {"svc": ["other"]}], False),
        (["no caveat", 5], True),
    ],
)
def test_a_grant_is_presented_to_the_services_that_all_its_svc_caveats_list(caveats: list[Any], sent: bool) -> None:
    token = grant(A, K1, *caveats, base=False)
    assert wallet(token).usable() == ([token] if sent else [])


def test_a_delegations_svc_caveat_counts_too() -> None:
    token = delegated(grant(A, K2), K2, K1, {"svc": ["other"]})
    assert wallet(token).usable() == []


def test_a_further_grant_comes_first() -> None:
    one, two = grant(), grant()
    assert wallet(one).usable([two]) == [two, one]


@pytest.mark.parametrize("token", ["", "pg1.x", grant(A, K2)])
def test_a_token_that_is_no_grant_to_this_key_is_refused(token: str) -> None:
    with pytest.raises(GrantError):
        wallet(token)
    with pytest.raises(GrantError):
        wallet().usable([token])
    with pytest.raises(GrantError):
        wallet(grant(), key=None)


def test_where_a_grant_is_needed_its_lack_is_said() -> None:
    with pytest.raises(NoGrant, match="COMMIT needs a grant"):
        wallet().need([], "COMMIT")
