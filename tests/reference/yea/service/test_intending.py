"""INTENT with auto (YEA 4.3.1)."""

import contextlib
from typing import Any

import pytest

from reference.yea.service import Pause
from tests.reference.yea.service.driving import K1, K2, NOW, A, B, Caller, Frame, X, code, consent, grant, spend

BOOK = "calendar.book"
EVENT = {"event": "e"}
INTENT_ONLY, COMMIT_ONLY = {"verbs": ["INTENT", "ASK"]}, {"verbs": ["COMMIT"]}


def test_an_auto_intent_is_committed_in_the_same_round_trip() -> None:
    caller = Caller()
    reply = caller.send(caller.auto(BOOK, EVENT, name="f1"))
    assert list(reply) == ["yea", "id", "re", "kind", "receipt", "auto"]
    assert (reply["re"], reply["auto"]) == ("f1", True)
    assert caller.event("e")["bookings"] == 1
    assert code(caller.send(caller.undo(reply["receipt"]))) == "RECEIPT"


@pytest.mark.parametrize(
    ("tokens", "wanted"),
    [
        ([(A, COMMIT_ONLY)], "PROPOSALS"),
        ([(A, INTENT_ONLY)], "PROPOSALS"),
        ([(A, INTENT_ONLY), (A, COMMIT_ONLY)], "RECEIPT"),
        ([(A, COMMIT_ONLY), (A, INTENT_ONLY)], "RECEIPT"),
        ([(A, INTENT_ONLY), (B, {"can": ["*"]})], "PROPOSALS"),
        ([(B, {"can": ["*"]}), (A, INTENT_ONLY)], "RECEIPT"),
        ([(X, {"can": ["*"]})], "PROPOSALS"),
    ],
)
def test_the_grants_of_one_principal_cover_both_the_intent_and_the_commit(tokens: Any, wanted: str) -> None:
    caller = Caller()
    presented = [grant(principal, K1, caveat) for principal, caveat in tokens]
    assert code(caller.send(caller.auto(BOOK, EVENT, *presented, name="f1"))) == wanted
    assert caller.event("e")["bookings"] == (1 if wanted == "RECEIPT" else 0)


def test_an_uncovered_auto_intent_plans_a_draft() -> None:
    caller = Caller()
    token = grant(A, K1, COMMIT_ONLY)
    proposal = caller.send(caller.auto(BOOK, EVENT, token, name="f1"))["proposals"][0]
    assert code(caller.send(caller.commit(proposal, token))) == "consent_required"
    assert code(caller.send(caller.commit(proposal, consent(proposal)))) == "RECEIPT"


@pytest.mark.parametrize(
    ("capability", "caveat"),
    [
        ("shop.order", spend("spend", 1, "each")),
        ("shop.order", spend("spend", 1)),
        ("shop.order", spend("spend", 1000, unit="EUR")),
        ("calendar.clear", {"risk": "low"}),
        ("calendar.suggest", {"risk": "low"}),
        ("shop.tip", {"risk": "high"}),
    ],
)
def test_what_needs_review_gets_the_reply_of_a_plain_intent(capability: str, caveat: Frame) -> None:
    caller = Caller()
    params = {"order": "o", "event": "o"}
    token = grant(A, K1, caveat)
    auto = caller.send(caller.auto(capability, params, token, name="f1"))
    plain = caller.send(caller.intent(capability, params, token))
    assert (auto["kind"], list(auto)) == ("PROPOSALS", list(plain))

    def same(reply: Frame) -> list[Frame]:
        return [{k: v for k, v in one.items() if k not in ("id", "hash")} for one in reply["proposals"]]

    assert same(auto) == same(plain)
    assert caller.order("o")["orders"] == caller.event("o")["bookings"] == 0


def test_only_the_first_proposal_is_committed() -> None:
    caller = Caller()
    receipt = caller.send(caller.auto("calendar.suggest", EVENT, name="f1"))["receipt"]
    first = caller.send(caller.intent("calendar.suggest", EVENT))["proposals"][0]
    assert (receipt["summary"], receipt["effects"]) == (first["summary"], first["effects"])
    assert caller.event("e")["bookings"] == 1


def test_auto_without_grants_is_a_plain_intent() -> None:
    caller = Caller()
    frame = {"id": "f1", "verb": "INTENT", "capability": BOOK, "params": EVENT, "auto": True}
    first, second = caller.send(frame), caller.send(frame)
    assert (code(first), code(second)) == ("PROPOSALS", "PROPOSALS")
    assert first["proposals"][0]["id"] != second["proposals"][0]["id"]


def test_the_proof_of_an_auto_intent_is_over_its_frame_id() -> None:
    caller = Caller()
    good = caller.auto(BOOK, EVENT, name="f1")
    for target in (BOOK, f"auto:{BOOK}:f2", f"auto:{BOOK}:"):
        assert code(caller.send(good | {"proof": caller.proof(K1, "INTENT", target)})) == "unauthorized"
    assert code(caller.send(good | {"auto": False})) == "unauthorized"
    assert code(caller.send(good)) == "RECEIPT"


def test_a_total_admits_no_more_autos_than_it_holds() -> None:
    caller = Caller()
    token = grant(A, K1, {"total": {"of": "emails", "max": 2}})
    frames = [caller.auto("shop.order", {"order": "o"}, token, name=f"f{number}") for number in range(8)]
    kinds = sorted(code(reply[-1]) for reply in caller.together(frames))
    assert kinds == ["PROPOSALS"] * 6 + ["RECEIPT"] * 2
    assert caller.order("o")["orders"] == 2


# --- repeats -----------------------------------------------------------------------------------


def test_a_repeat_of_a_receipt_is_its_replay_however_it_is_signed() -> None:
    caller = Caller()
    token = grant(A, K1, {"total": {"of": "emails", "max": 1}})
    frame = caller.auto("shop.order", {"order": "o"}, token, name="f1")
    first = caller.send(frame)
    caller.now += 5
    anew = caller.auto("shop.order", {"order": "o"}, token, name="f1")
    changed = caller.auto("shop.order", {"order": "other"}, token, name="f1")
    for again in (frame, anew, changed):
        reply = caller.send(again)
        assert reply["receipt"] == first["receipt"]
        assert (reply["auto"], reply["replay"], reply["re"]) == (True, True, "f1")
        assert reply["id"] != first["id"]
    assert caller.order("o")["orders"] == 1


@pytest.mark.parametrize(
    ("capability", "params", "kind"),
    [
        ("shop.tip", {"order": "o"}, "PROPOSALS"),
        ("calendar.plan", EVENT, "CLARIFY"),
        (BOOK, {}, "invalid_params"),
        ("shop.flaky", {"order": "o"}, "unavailable"),
    ],
)
def test_a_repeat_of_any_other_reply_is_the_same_in_a_new_frame(capability: str, params: Frame, kind: str) -> None:
    caller = Caller()
    frame = caller.auto(capability, params, name="f1")
    first, second = caller.send(frame), caller.send(frame)
    assert code(first) == kind
    assert first["id"] != second["id"]
    assert {k: v for k, v in first.items() if k != "id"} == {k: v for k, v in second.items() if k != "id"}


def test_the_memory_is_by_key_and_frame_id() -> None:
    caller = Caller()
    first = caller.send(caller.auto(BOOK, EVENT, name="f1"))
    other = caller.send(caller.auto(BOOK, EVENT, grant(A, K2), key=K2, name="f1"))
    assert (code(other), "replay" in other) == ("RECEIPT", False)
    assert other["receipt"]["id"] != first["receipt"]["id"]


def test_a_repeat_needs_a_good_proof() -> None:
    caller = Caller()
    frame = caller.auto(BOOK, EVENT, name="f1")
    caller.send(frame)
    forged = frame["proof"] | {"sig": caller.proof(K2, "INTENT", f"auto:{BOOK}:f1")["sig"]}
    assert code(caller.send(frame | {"proof": forged})) == "unauthorized"
    assert code(caller.send(frame | {"grants": [], "proof": forged})) == "PROPOSALS"


@pytest.mark.parametrize(("ahead", "later"), [(0, 899), (250, 1149), (-250, 899)])
def test_the_memory_lasts_900_s_after_the_later_of_arrival_and_proof(ahead: int, later: int) -> None:
    caller = Caller()
    token = grant(A, K1, base=False)
    frame = caller.auto(BOOK, EVENT, token, name="f1")
    caller.send(frame | {"proof": caller.proof(K1, "INTENT", f"auto:{BOOK}:f1", NOW + ahead)})
    caller.now += later
    again = caller.send(caller.auto(BOOK, EVENT, token, name="f1"))
    assert again["replay"] is True
    caller.now += 899
    assert caller.send(caller.auto(BOOK, EVENT, token, name="f1"))["replay"] is True
    caller.now += 901
    assert "replay" not in caller.send(caller.auto(BOOK, EVENT, token, name="f1"))


def test_a_repeat_while_the_first_runs_waits_and_gets_the_replay() -> None:
    caller = Caller()
    frame = caller.auto("shop.deliver", {"order": "o", "seconds": 1}, name="f1")
    replies = caller.together([frame] * 3)
    finals = [reply[-1] for reply in replies]
    assert len({final["receipt"]["id"] for final in finals}) == 1
    assert [final.get("replay", False) for final in finals] == [False, True, True]
    assert caller.order("o")["orders"] == 1


def test_an_interrupted_auto_commit_is_answered_as_in_doubt_and_not_done_again() -> None:
    caller = Caller()
    frame = caller.auto("shop.deliver", {"order": "o"}, name="f1")
    steps = caller.begin(frame)
    while not isinstance(next(steps), Pause):
        pass
    steps.close()
    for _ in range(2):
        assert code(caller.send(frame)) == "unavailable"
    assert caller.order("o")["orders"] == 0


@pytest.mark.parametrize(("state", "wanted"), [("running", "unavailable"), ("done", "RECEIPT"), ("open", "RECEIPT")])
def test_after_a_restart_an_unanswered_auto_is_what_its_commit_is(state: str, wanted: str) -> None:
    caller = Caller()
    frame = caller.auto("shop.deliver", {"order": "o", "seconds": 0}, name="f1")
    steps = caller.begin(frame)
    next(steps)
    after = Caller()
    store = after.service.store = caller.service.store
    name = f"{K1.public} f1"
    record = store.autos.get(name)
    assert record is not None
    if state == "done":
        with contextlib.suppress(StopIteration):
            while True:
                steps.send(NOW)
    proposal = store.proposals.get(record.proposal or "")
    assert proposal is not None
    after.service.remember_auto(name, after.service.read_request(after.framed(frame), b"", NOW), None, record.proposal)
    if state == "open":
        after.service.update_proposal(proposal, state="open")
    reply = after.send(frame)
    assert code(reply) == wanted
    assert reply.get("replay", False) is (state == "done")


def test_the_memory_of_autos_is_bounded() -> None:
    caller = Caller()
    caller.service.ROOM = caller.service.ROOM | {"autos": 1}
    assert code(caller.send(caller.auto(BOOK, EVENT, name="f1"))) == "RECEIPT"
    assert code(caller.send(caller.auto(BOOK, EVENT, name="f2"))) == "limit"
    caller.now += 901
    assert code(caller.send(caller.auto(BOOK, EVENT, name="f2"))) == "RECEIPT"
