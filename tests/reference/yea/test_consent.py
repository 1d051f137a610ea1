from itertools import permutations

import pytest

from reference.yea import grants
from reference.yea.consent import consent_caveats, is_consent
from reference.yea.grants import Grant
from reference.yea.keys import KeyPair
from reference.yea.types import Json

PRINCIPAL, AGENT, SUB = (KeyPair(bytes([number]) * 32) for number in (1, 2, 3))
CAVEATS = consent_caveats("shop.example", "shop.order", "h", 1790000600)


def grant(caveats: list[Json]) -> Grant:
    return grants.decode(grants.issue(PRINCIPAL, sub=AGENT.public, caveats=caveats, iat=1, nonce="n"))


def consents(grant: Grant, **changes: str | int) -> bool:
    facts = {"service": "shop.example", "capability": "shop.order", "hash": "h", "expires": 1790000600}
    return is_consent(grant, **{**facts, **changes})  # type: ignore[arg-type]


def test_the_five_caveats_of_a_consent() -> None:
    assert CAVEATS == [
        {"svc": ["shop.example"]},
        {"verbs": ["COMMIT"]},
        {"can": ["shop.order"]},
        {"only": "h"},
        {"exp": 1790000600},
    ]


def test_they_are_a_consent_in_any_order() -> None:
    assert all(consents(grant(list(order))) for order in permutations(CAVEATS))


@pytest.mark.parametrize(
    "changes",
    [{"service": "shop"}, {"capability": "shop.*"}, {"hash": "H"}, {"expires": 1790000601}, {"expires": 1790000599}],
    ids=str,
)
def test_a_consent_is_to_one_proposal(changes: dict[str, str | int]) -> None:
    assert not consents(grant(CAVEATS), **changes)


@pytest.mark.parametrize("position", range(5))
def test_a_missing_or_repeated_caveat_is_no_consent(position: int) -> None:
    rest = [*CAVEATS[:position], *CAVEATS[position + 1 :]]
    assert not consents(grant(rest))
    assert not consents(grant([*CAVEATS, CAVEATS[position]]))
    assert not consents(grant([*rest, CAVEATS[position - 1]]))


@pytest.mark.parametrize(
    "more", [{"exp": 1790009999}, {"can": ["*"]}, {"risk": "high"}, {"nbf": 0}, {"zone": 1}, None, {}], ids=str
)
def test_a_further_caveat_is_no_consent(more: Json) -> None:
    assert not consents(grant([*CAVEATS, more]))


@pytest.mark.parametrize(
    ("position", "widened"),
    [
        (0, {"svc": ["shop.example", "other"]}),
        (0, {"svc": ["shop.example", "shop.example"]}),
        (0, {"svc": "shop.example"}),
        (0, {"svc": ["shop.example"], "x": 1}),
        (1, {"verbs": ["COMMIT", "UNDO"]}),
        (2, {"can": ["*"]}),
        (2, {"can": ["shop.order", "shop.order"]}),
        (3, {"only": ["h"]}),
        (4, {"exp": 1790000601}),
        (4, {"nbf": 1790000600}),
    ],
    ids=str,
)
def test_a_widened_or_misshapen_caveat_is_no_consent(position: int, widened: Json) -> None:
    caveats = [*CAVEATS]
    caveats[position] = widened
    assert not consents(grant(caveats))


def test_true_is_not_one() -> None:
    caveats = consent_caveats("shop.example", "shop.order", "h", 1)
    assert consents(grant(caveats), expires=1)
    assert not consents(grant([*caveats[:4], {"exp": True}]), expires=1)


def test_a_delegated_grant_is_never_a_consent() -> None:
    token = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=CAVEATS, iat=1, nonce="n")
    for more in ([], CAVEATS):
        assert not consents(grants.decode(grants.delegate(token, AGENT, sub=SUB.public, caveats=more, iat=1)))
    bare = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=[], iat=1, nonce="n")
    assert not consents(grants.decode(grants.delegate(bare, AGENT, sub=SUB.public, caveats=CAVEATS, iat=1)))
