"""Proofs and grants (YEA 6.4, 6.5, 6.6)."""

from typing import Any

import pytest

from reference.yea.canonical import canonical
from reference.yea.conformance import SERVICE_ID
from reference.yea.grants import encode_blocks, sign_block
from tests.reference.yea.service.driving import K1, K2, K3, NOW, A, B, Caller, Frame, X, code, delegated, grant

BOOK = "calendar.book"
EVENT = {"event": "e"}


@pytest.mark.parametrize(
    ("off", "wanted"), [(-301, "unauthorized"), (-300, "RECEIPT"), (300, "RECEIPT"), (301, "unauthorized")]
)
def test_a_proof_is_good_for_300_seconds_either_way(off: int, wanted: str) -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    proof = caller.proof(K1, "COMMIT", proposal["hash"], NOW + off)
    assert code(caller.send(caller.commit(proposal, proof=proof))) == wanted


def test_a_proof_is_bound_to_service_verb_target_and_time() -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    good = caller.proof(K1, "COMMIT", proposal["hash"])
    bad = [
        caller.proof(K1, "UNDO", proposal["hash"]),
        caller.proof(K1, "COMMIT", proposal["id"]),
        caller.proof(K1, "COMMIT", BOOK),
        good | {"ts": good["ts"] + 1},
        good | {"key": K2.public},
        good | {"key": K1.public.removeprefix("ed25519:")},
        good | {"sig": good["sig"] + "="},
        good | {"sig": good["sig"][:-2] + "AA"},
        None,
    ]
    assert {code(caller.send(caller.commit(proposal, proof=proof))) for proof in bad} == {"unauthorized"}
    assert code(caller.send(caller.commit(proposal, proof=good))) == "RECEIPT"


@pytest.mark.parametrize("verb", ["ASK", "INTENT"])
def test_presented_grants_need_a_good_proof_on_every_verb(verb: str) -> None:
    caller = Caller()
    name = {"ASK": "calendar.event", "INTENT": BOOK}[verb]
    frame = caller.signed(verb, name, K1, [grant()], capability=name, params=EVENT)
    assert code(caller.send(frame | {"proof": None})) == "unauthorized"
    assert code(caller.send(frame | {"proof": caller.proof(K1, verb, name, NOW - 400)})) == "unauthorized"
    assert code(caller.send(frame | {"proof": caller.proof(K1, verb, "calendar.agenda")})) == "unauthorized"
    assert code(caller.send(frame)) in ("ANSWER", "PROPOSALS")


def test_commit_and_undo_need_grants() -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    nothing: list[Frame] = [{"grants": None}, {"grants": []}, {"grants": None, "proof": None}]
    for none in nothing:
        assert code(caller.send(caller.commit(proposal) | none)) == "unauthorized"
    receipt = caller.send(caller.commit(proposal))["receipt"]
    for none in nothing:
        assert code(caller.send(caller.undo(receipt) | none)) == "unauthorized"


def root(payload: Any, key: Any = A) -> str:
    """The token of one signed block with this payload."""
    return encode_blocks([sign_block(key, payload)])


GOOD: dict[str, Any] = {"iss": A.public, "sub": K1.public, "caveats": [], "iat": 1, "nonce": "n"}


@pytest.mark.parametrize(
    "token",
    [
        "pg1.",
        "pg1.!!!",
        "junk",
        "",
        grant().replace("pg1.", "pg2."),
        grant() + "=",
        encode_blocks([]),
        root(GOOD, B),
        root(GOOD | {"nonce": 5}),
        root({k: v for k, v in GOOD.items() if k != "iat"}),
        grant(X),
        grant(A, K2),
        delegated(grant(A, K1), K1, K2),
    ],
)
def test_an_invalid_grant_is_unauthorized_and_never_forbidden(token: str) -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    assert code(caller.send(caller.commit(proposal, token))) == "unauthorized"
    receipt = caller.send(caller.commit(proposal))["receipt"]
    assert code(caller.send(caller.undo(receipt, token))) == "unauthorized"


@pytest.mark.parametrize(
    "caveat",
    [
        {"can": ["other"]},
        {"verbs": ["ASK"]},
        {"svc": ["other"]},
        {"exp": int(NOW) - 1},
        {"nbf": int(NOW) + 1},
        {"only": "x"},
        {"zone": ["x"]},
        {"risk": "extreme"},
        {"total": {}},
        {"total": {"of": ["deep"], "max": 1}},
        {"each": 5},
        {"svc": SERVICE_ID},
        {},
        "exp",
        None,
    ],
)
def test_a_valid_grant_that_does_not_cover_is_forbidden_and_says_what_it_needs(caveat: Any) -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    reply = caller.send(caller.commit(proposal, grant(A, K1, caveat)))
    assert (code(reply), reply["need"]) == ("forbidden", [caveat])


def test_a_need_is_short_and_lists_no_caveat_twice() -> None:
    deep: Any = []
    for _ in range(50_000):
        deep = [deep]
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    token = grant(A, K1, {"deep": deep}, *[{"can": [str(number)]} for number in range(100)], {"can": ["0"]})
    reply = caller.send(caller.commit(proposal, token))
    assert code(reply) == "forbidden"
    assert len({canonical(caveat) for caveat in reply["need"]}) == len(reply["need"]) == 31


def test_one_covering_grant_is_enough_wherever_it_stands() -> None:
    caller = Caller()
    others = ["junk", grant(X), grant(A, K2), grant(A, K1, {"verbs": ["ASK"]})]
    for tokens in ([*others, grant()], [grant(), *others]):
        proposal = caller.propose(BOOK, EVENT)
        assert code(caller.send(caller.commit(proposal, *tokens))) == "RECEIPT"


def test_grants_do_not_add_up() -> None:
    caller = Caller()
    proposal = caller.propose(BOOK, EVENT)
    halves = [grant(A, K1, {"verbs": ["COMMIT"]}, {"can": ["other"]}), grant(A, K1, {"verbs": ["ASK"]})]
    assert code(caller.send(caller.commit(proposal, *halves))) == "forbidden"


def test_a_chain_authorizes_its_last_holder_alone() -> None:
    caller = Caller()
    chain = delegated(delegated(grant(A, K1), K1, K2), K2, K3)
    proposal = caller.propose(BOOK, EVENT, chain, key=K3)
    assert code(caller.send(caller.commit(proposal, chain, key=K3))) == "RECEIPT"
    other = caller.propose(BOOK, EVENT)
    assert code(caller.send(caller.commit(other, chain))) == "unauthorized"


def test_a_decoded_token_is_known_again_and_few_are_kept() -> None:
    caller = Caller()
    service = caller.service
    token = grant()
    assert service.decode_grant(token) is service.decode_grant(token)
    for number in range(1100):
        service._tokens[str(number)] = service._tokens[token]
    service.decode_grant(grant())
    assert len(service._tokens) == 1024


def test_a_service_may_require_grants_for_ask_and_intent() -> None:
    caller = Caller()
    caller.service.REQUIRE_GRANTS = True
    assert code(caller.send(caller.ask("calendar.agenda"))) == "unauthorized"
    assert code(caller.send(caller.intent(BOOK, EVENT, grant(A, K1, {"verbs": ["COMMIT"]})))) == "forbidden"
    assert code(caller.send(caller.intent(BOOK, EVENT, grant(X)))) == "unauthorized"
    assert code(caller.send(caller.intent(BOOK, EVENT))) == "PROPOSALS"
    assert code(caller.send({"verb": "HELLO"})) == "BRIEF"
