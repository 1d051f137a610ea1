"""COMMIT: who may, and once (YEA 4.4, 6.6)."""

import json
from typing import Any

import pytest

from reference.yea.conformance import SERVICE_ID
from tests.reference.yea.service.driving import (
    K1,
    K2,
    A,
    B,
    Caller,
    Frame,
    X,
    code,
    consent,
    consent_to,
    delegated,
    grant,
    spend,
)

BOOK = "calendar.book"
EVENT = {"event": "e"}
LOW = spend("spend", 0, "each")


def test_a_commit_gets_its_receipt() -> None:
    caller = Caller()
    proposal = caller.propose("shop.order", {"order": "o"})
    reply = caller.send(caller.commit(proposal))
    receipt = reply["receipt"]
    assert list(reply) == ["yea", "id", "re", "kind", "receipt"]
    assert list(receipt) == ["id", "proposal", "capability", "summary", "at", "effects", "uses", "undo", "result"]
    for name in ("capability", "summary", "effects", "uses"):
        assert receipt[name] == proposal[name]
    assert (receipt["proposal"], receipt["at"]) == (proposal["id"], int(caller.now))
    assert receipt["undo"] == {"until": int(caller.now) + proposal["undo"]["window"]}
    assert caller.order("o")["orders"] == 1


def test_an_irreversible_commit_has_undo_null_and_no_result() -> None:
    receipt = Caller().committed("shop.tip", {"order": "o"})
    assert receipt["undo"] is None
    assert "result" not in receipt


@pytest.mark.parametrize("wrong", [None, 5, "x", "", {"a": 1}])
def test_another_hash_is_a_conflict_that_tells_nothing(wrong: Any) -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    for bad in (wrong, [proposal["hash"]], proposal["hash"] + "A"):
        reply = caller.send(caller.commit(proposal, hash=bad))
        assert code(reply) == "conflict"
        assert proposal["hash"] not in json.dumps(reply)
    assert caller.event("e")["bookings"] == 0
    assert code(caller.send(caller.commit(proposal))) == "RECEIPT"
    assert code(caller.send(caller.commit(proposal, hash=wrong))) == "conflict"


def test_only_the_key_of_the_intent_commits_even_under_a_grant_that_is_too_low() -> None:
    caller = Caller()
    proposal = caller.propose("shop.order", {"order": "o"})
    for token in (grant(A, K2), grant(A, K2, LOW), consent(proposal, A, K2)):
        assert code(caller.send(caller.commit(proposal, token, key=K2))) == "forbidden"
    draft = caller.draft("shop.order", {"order": "o"})
    for token in (grant(A, K2), grant(A, K2, LOW), consent(draft, A, K2)):
        assert code(caller.send(caller.commit(draft, token, key=K2))) == "forbidden"


def test_only_the_principal_of_the_intent_has_it_committed() -> None:
    caller = Caller()
    proposal = caller.propose("shop.order", {"order": "o"})
    for token in (grant(B), grant(B, K1, LOW), consent(proposal, B)):
        assert code(caller.send(caller.commit(proposal, token))) == "forbidden"
    assert code(caller.send(caller.commit(proposal, grant(B), grant(A)))) == "RECEIPT"


@pytest.mark.parametrize("members", [{"proof": None}, {}, {"proof": "junk"}])
def test_a_proposal_of_an_anonymous_intent_is_never_committed(members: Frame) -> None:
    caller = Caller()
    proof = {"proof": caller.proof(K1, "INTENT", BOOK)} | members
    reply = caller.send({"verb": "INTENT", "capability": BOOK, "params": EVENT} | proof)
    proposal = reply["proposals"][0]
    for token in (grant(), consent(proposal), grant(B)):
        assert code(caller.send(caller.commit(proposal, token))) == "forbidden"


def test_past_its_expiry_a_proposal_is_expired_and_asks_for_nothing() -> None:
    caller = Caller()
    proposal, draft = caller.propose("calendar.hold", EVENT), caller.draft("calendar.hold", EVENT)
    caller.now += 4.9
    assert code(caller.send(caller.commit(proposal, grant(A, K1, {"risk": "low"})))) == "RECEIPT"
    proposal = caller.propose("calendar.hold", EVENT)
    caller.now += 5
    for token in (grant(), grant(A, K1, LOW), grant(A, K1, {"verbs": ["ASK"]})):
        assert code(caller.send(caller.commit(proposal, token))) == "expired"
        assert code(caller.send(caller.commit(draft, token))) == "expired"
    assert code(caller.send(caller.commit(draft, consent(draft)))) == "expired"
    assert code(caller.send(caller.commit(proposal, grant(A, K2), key=K2))) == "forbidden"
    caller.now += 60
    assert code(caller.send(caller.commit(proposal))) == "expired"


def test_consent_required_says_what_would_be_signed_and_the_consent_commits() -> None:
    caller = Caller()
    low = grant(A, K1, spend("spend", 1, "each"))
    proposal = caller.propose("shop.order", {"order": "o"}, low)
    reply = caller.send(caller.commit(proposal, "junk", grant(A, K1, {"verbs": ["ASK"]}), low))
    assert code(reply) == "consent_required"
    assert reply["consent"] == {
        "proposal": proposal["id"],
        "hash": proposal["hash"],
        "service": SERVICE_ID,
        "capability": "shop.order",
        "principal": A.public,
        "summary": proposal["summary"],
        "expires": proposal["expires"],
    }
    token = consent(proposal)
    other = caller.propose("shop.order", {"order": "o"}, low)
    assert code(caller.send(caller.commit(other, token))) == "forbidden"
    assert code(caller.send(caller.commit(proposal, low, token))) == "RECEIPT"
    assert caller.send(caller.commit(proposal, token))["replay"] is True


def test_risk_above_the_grant_asks_for_consent() -> None:
    caller = Caller()
    low = grant(A, K1, {"risk": "low"})
    proposal = caller.propose("calendar.clear", EVENT, low)
    assert code(caller.send(caller.commit(proposal, low))) == "consent_required"
    assert code(caller.send(caller.commit(proposal, consent(proposal)))) == "RECEIPT"


# --- a proposal without a principal ------------------------------------------------------------


def test_a_draft_needs_a_consent_and_names_the_issuer_of_the_first_grant_that_would_do() -> None:
    caller = Caller()
    draft = caller.draft("shop.order", {"order": "o"})
    a, b = grant(A), grant(B)
    for tokens, issuer in (
        ([a], A),
        ([b, a], B),
        ([a, b], A),
        ([grant(B, K1, {"verbs": ["ASK"]}), a], A),
        ([grant(B, K1, LOW), a], A),
        ([grant(B, K1, LOW)], B),
    ):
        reply = caller.send(caller.commit(draft, *tokens))
        assert (code(reply), reply["consent"]["principal"]) == ("consent_required", issuer.public)
    assert code(caller.send(caller.commit(draft, grant(A, K1, {"can": ["other"]})))) == "forbidden"
    assert code(caller.send(caller.commit(draft, grant(X)))) == "unauthorized"


@pytest.mark.parametrize("principal", [A, B])
def test_any_trusted_principals_consent_commits_a_draft(principal: Any) -> None:
    caller = Caller()
    draft = caller.draft(BOOK, EVENT)
    assert code(caller.send(caller.commit(draft, consent(draft, principal)))) == "RECEIPT"


def test_the_caveats_of_a_consent_come_in_any_order() -> None:
    for turn in range(5):
        caller = Caller()
        draft = caller.draft(BOOK, EVENT)
        caveats = consent_to(draft)[::-1]
        token = grant(A, K1, *caveats[turn:], *caveats[:turn], base=False)
        assert code(caller.send(caller.commit(draft, token))) == "RECEIPT"


def test_what_is_almost_a_consent_is_none() -> None:
    caller = Caller()
    draft = caller.draft(BOOK, EVENT)
    svc, verbs, can, only, exp = consent_to(draft)
    for caveats in (
        [svc, verbs, can, only, exp, {"risk": "high"}],
        [svc, verbs, can, only, exp, exp],
        [svc, verbs, can, only],
        [verbs, can, only, exp],
        [{"svc": [SERVICE_ID, "other"]}, verbs, can, only, exp],
        [svc, {"verbs": ["COMMIT", "UNDO"]}, can, only, exp],
        [svc, verbs, {"can": ["*"]}, only, exp],
        [svc, verbs, can, only, {"exp": draft["expires"] + 60}],
    ):
        token = grant(A, K1, *caveats, base=False)
        assert code(caller.send(caller.commit(draft, token))) == "consent_required", caveats
    for chain in (delegated(consent(draft, A, K2), K2, K1), delegated(consent(draft), K1, K1)):
        assert code(caller.send(caller.commit(draft, chain))) == "consent_required"
    other = caller.draft(BOOK, EVENT)
    assert code(caller.send(caller.commit(draft, consent(other)))) == "forbidden"


@pytest.mark.parametrize("turned", [False, True])
def test_a_draft_acts_for_the_issuer_of_its_first_consent(turned: bool) -> None:
    caller = Caller()
    draft = caller.draft(BOOK, EVENT)
    tokens = [consent(draft, B), grant(A)]
    receipt = caller.send(caller.commit(draft, *(tokens[::-1] if turned else tokens)))["receipt"]
    assert code(caller.send(caller.commit(draft, grant(A)))) == "forbidden"
    assert caller.send(caller.commit(draft, grant(B)))["receipt"] == receipt
    assert code(caller.send(caller.undo(receipt, grant(A)))) == "forbidden"
    assert code(caller.send(caller.undo(receipt, grant(B)))) == "RECEIPT"


# --- once --------------------------------------------------------------------------------------


def test_a_repeat_gives_the_original_receipt_and_does_nothing() -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    first = caller.send(caller.commit(proposal))
    caller.now += 100
    again = caller.send(caller.commit(proposal))
    assert again["receipt"] == first["receipt"]
    assert (again["replay"], "replay" in first) == (True, False)
    assert again["id"] != first["id"]
    assert caller.event("e")["bookings"] == 1


def test_a_repeat_is_authorized_like_a_commit() -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    caller.send(caller.commit(proposal))
    for frame, wanted in (
        (caller.commit(proposal) | {"grants": []}, "unauthorized"),
        (caller.commit(proposal, proof=caller.proof(K1, "COMMIT", proposal["hash"], caller.now - 400)), "unauthorized"),
        (caller.commit(proposal, grant(A, K2), key=K2), "forbidden"),
        (caller.commit(proposal, grant(B)), "forbidden"),
        (caller.commit(proposal, grant(A, K1, {"verbs": ["ASK"]})), "forbidden"),
        (caller.commit(proposal, grant(A, K1, {"exp": 1})), "forbidden"),
        (caller.commit(proposal, hash="x"), "conflict"),
    ):
        assert code(caller.send(frame)) == wanted
    assert code(caller.send(caller.commit(proposal, grant(A, K1, {"risk": "low"}, LOW)))) == "RECEIPT"


def test_a_repeat_works_after_the_expiry() -> None:
    caller = Caller()
    proposal = caller.propose("calendar.hold", EVENT)
    caller.send(caller.commit(proposal))
    caller.now += 1000
    assert caller.send(caller.commit(proposal))["replay"] is True


def test_commits_at_once_execute_once() -> None:
    caller = Caller()
    proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 2})
    replies = caller.together([caller.commit(proposal) for _ in range(5)])
    finals = [reply[-1] for reply in replies]
    assert [[frame["kind"] for frame in reply] for reply in replies] == [["EVENT", "EVENT", "RECEIPT"]] + [
        ["RECEIPT"]
    ] * 4
    assert len({reply["receipt"]["id"] for reply in finals}) == 1
    assert [reply.get("replay", False) for reply in finals] == [False] + [True] * 4
    assert caller.order("o")["orders"] == 1


def test_a_request_that_may_not_have_the_replay_does_not_wait_for_it() -> None:
    caller = Caller()
    proposal = caller.propose("shop.deliver", {"order": "o"})
    running = caller.begin(caller.commit(proposal))
    next(running)
    assert code(caller.send(caller.commit(proposal, grant(B)))) == "forbidden"
    assert code(caller.send(caller.commit(proposal, grant(A, K2), key=K2))) == "forbidden"
    running.close()


def test_one_that_waits_for_a_commit_that_fails_tries_again() -> None:
    caller = Caller()
    capability = caller.service.capabilities["shop.flaky"]
    assert capability.name == "shop.flaky"
    proposal = caller.propose("shop.flaky", {"order": "o"})
    replies = caller.together([caller.commit(proposal) for _ in range(3)])
    assert [code(reply[-1]) for reply in replies] == ["unavailable", "RECEIPT", "RECEIPT"]
    assert caller.order("o")["orders"] == 1


def test_of_two_racing_proposals_the_second_is_stale_and_a_new_intent_is_the_way_out() -> None:
    caller = Caller(None)
    first, second = caller.send(caller.intent("calendar.claim", {"slot": "s"}))["proposals"]
    assert code(caller.send(caller.commit(first))) == "RECEIPT"
    assert code(caller.send(caller.commit(second))) == "conflict"
    assert caller.event("s")["bookings"] == 1
    assert code(caller.send(caller.intent("calendar.claim", {"slot": "s"}))) == "PROPOSALS"
