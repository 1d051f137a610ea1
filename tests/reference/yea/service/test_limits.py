"""Limits and totals (YEA 6.3)."""

from typing import Any

import pytest

from reference.yea.quantities import value
from tests.reference.yea.service.driving import K1, K2, NOW, A, Caller, Frame, code, delegated, grant, spend

USD: Frame = {"amount": 100, "scale": 2, "unit": "USD"}
"""One dollar."""


def order(caller: Caller, *tokens: str, name: str = "o", key: Any = K1, **params: Any) -> str:
    """The code of an order of one dollar."""
    proposal = caller.propose("shop.order", {"order": name} | USD | params, *tokens, key=key)
    return code(caller.send(caller.commit(proposal, *tokens, key=key)))


@pytest.mark.parametrize(
    ("caveat", "wanted"),
    [
        (spend("spend", 1, "each"), "RECEIPT"),
        (spend("spend", 100, "each", scale=2), "RECEIPT"),
        (spend("spend", 99, "each", scale=2), "consent_required"),
        (spend("spend", 100, "each", unit="EUR"), "consent_required"),
        (spend("spend", 100, "each", unit=None), "consent_required"),
        (spend("other", 0, "each"), "RECEIPT"),
        ({"risk": "low"}, "RECEIPT"),
    ],
)
def test_a_soft_caveat_asks_for_consent(caveat: Frame, wanted: str) -> None:
    assert order(Caller(), grant(A, K1, caveat)) == wanted


def test_a_hard_caveat_beside_a_soft_one_is_forbidden() -> None:
    both = grant(A, K1, spend("spend", 0, "each"), {"verbs": ["INTENT"]})
    assert order(Caller(), both) == "forbidden"


def test_a_total_is_used_up_exactly() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 3))
    assert [order(caller, token) for _ in range(4)] == ["RECEIPT"] * 3 + ["consent_required"]
    assert caller.order("o")["spent"] == "3.00"


def test_a_total_counts_units_of_10_to_the_minus_18() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 1))
    assert order(caller, token, amount=1, scale=18) == "RECEIPT"
    assert order(caller, token) == "consent_required"
    assert order(caller, token, amount=10**15 - 1, scale=15) == "RECEIPT"


def test_totals_are_kept_by_block() -> None:
    caller = Caller()
    first, second = (grant(A, K1, spend("spend", 1)) for _ in range(2))
    assert [order(caller, first), order(caller, first), order(caller, second)] == [
        "RECEIPT",
        "consent_required",
        "RECEIPT",
    ]


def test_delegations_share_the_total_of_their_root() -> None:
    caller = Caller()
    root = grant(A, K1, spend("spend", 2))
    to_k1, to_k2 = delegated(root, K1, K1, spend("spend", 100)), delegated(root, K1, K2)
    assert order(caller, to_k1) == "RECEIPT"
    assert order(caller, to_k2, key=K2) == "RECEIPT"
    assert order(caller, to_k1) == "consent_required"
    assert order(caller, to_k2, key=K2) == "consent_required"


def test_a_total_that_stands_twice_in_a_block_counts_once() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 2), spend("spend", 2))
    assert [order(caller, token) for _ in range(3)] == ["RECEIPT", "RECEIPT", "consent_required"]


def test_only_the_authorizing_grant_is_charged() -> None:
    caller = Caller()
    first, second = (grant(A, K1, spend("spend", 1)) for _ in range(2))
    assert order(caller, first, second) == "RECEIPT"
    assert order(caller, second) == "RECEIPT"
    assert order(caller, first, second) == "consent_required"


def test_commits_at_once_cannot_pass_a_total_together() -> None:
    caller = Caller()
    limited = grant(A, K1, {"total": {"of": "emails", "max": 2}})
    proposals = [caller.propose("shop.order", {"order": f"o{number}"}) for number in range(8)]
    replies = caller.together([caller.commit(proposal, limited) for proposal in proposals])
    assert sorted(code(reply[-1]) for reply in replies) == ["RECEIPT"] * 2 + ["consent_required"] * 6


def test_a_reservation_is_released_when_the_commit_fails() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 2290, scale=2))
    proposal = caller.propose("shop.flaky", {"order": "o"}, token)
    assert code(caller.send(caller.commit(proposal, token))) == "unavailable"
    assert code(caller.send(caller.commit(proposal, token))) == "RECEIPT"
    other = caller.propose("shop.flaky", {"order": "o"}, token)
    assert code(caller.send(caller.commit(other, token))) == "consent_required"


def test_an_undo_gives_nothing_back() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 1))
    receipt = caller.committed("shop.order", {"order": "o"} | USD, token)
    assert code(caller.send(caller.undo(receipt))) == "RECEIPT"
    assert order(caller, token) == "consent_required"


def test_a_replay_is_not_measured_again() -> None:
    caller = Caller()
    token = grant(A, K1, spend("spend", 1))
    proposal = caller.propose("shop.order", {"order": "o"} | USD, token)
    assert code(caller.send(caller.commit(proposal, token))) == "RECEIPT"
    for again in (token, grant(A, K1, spend("spend", 0, "each")), grant(A, K1, {"risk": "low"})):
        reply = caller.send(caller.commit(proposal, again))
        assert (code(reply), reply["replay"]) == ("RECEIPT", True)


def test_a_total_is_forgotten_when_its_block_can_no_longer_be_used() -> None:
    caller = Caller()
    service = caller.service
    root = grant(A, K1, {"exp": int(NOW) + 50}, spend("spend", 9), base=False)
    token = delegated(root, K1, K1, {"exp": int(NOW) + 20}, spend("spend", 5))
    decoded = service.decode_grant(token)
    assert decoded is not None
    ids = decoded.block_ids
    assert service.totals_of(decoded) == [(ids[0], "spend", int(NOW) + 50), (ids[1], "spend", int(NOW) + 20)]
    assert order(caller, token) == "RECEIPT"
    assert service.used(decoded) == {block_id: {"spend": {"amount": value(USD), "scale": 18}} for block_id in ids}
    service.sweep(NOW + 20)
    assert list(service.used(decoded)) == [ids[0]]
    service.sweep(NOW + 50)
    assert service.used(decoded) == {}
