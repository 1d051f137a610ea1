"""A played service is a good one, but for what its case says."""

from typing import Any

from harness.clients.plays import (
    CHANGE,
    Asked,
    Case,
    Flood,
    Frame,
    HangUp,
    Play,
    brief,
    error,
    flood,
    line,
    proof_problem,
    receipt,
)
from reference.yea import jsontext, proofs
from reference.yea.keys import KeyPair
from reference.yea.lens.wellformed import known_kind

SERVICE = "played.example"
KEY = KeyPair(b"k" * 32)
ANSWER: Frame = {"kind": "ANSWER", "data": 1}
PROPOSAL: Frame = {
    "id": "p1",
    "capability": CHANGE,
    "summary": "Book",
    "effects": [{"op": "create", "target": "event/lunch"}],
    "risk": "low",
    "undo": {"window": 60},
    "hash": "right",
}
OFFER: Frame = {"kind": "PROPOSALS", "proposals": [PROPOSAL]}


def ask(verb: str, **members: Any) -> Frame:
    return {"yea": 1, "id": "r1", "verb": verb, **members}


def commit(**members: Any) -> Frame:
    return ask("COMMIT", **{"proposal": "p1", "hash": "right", **members})


def said(play: Play, *requests: Frame) -> list[list[Any]]:
    return [list(play.answer(play.hear("tcp1", request))) for request in requests]


def kinds(replies: list[list[Any]]) -> list[str]:
    return [" ".join(f"{say['kind']} {say.get('code', '')}".strip() for say in each) for each in replies]


def test_each_first_request_meets_its_case_and_the_last_goes_on() -> None:
    play = Play(SERVICE, [Case("one", (ANSWER,)), Case("two", (HangUp(),)), Case("three", (Flood(9),))])
    replies = said(play, *[ask("ASK")] * 4)
    assert replies == [[ANSWER], [HangUp()], [Flood(9)], [Flood(9)]]
    assert (play.began, [asked.case for asked in play.requests]) == (4, [0, 1, 2, 2])


def test_an_intent_after_a_question_belongs_to_its_case() -> None:
    question: Frame = {"kind": "CLARIFY", "question": "?", "options": []}
    play = Play(SERVICE, [Case("asks", (question,), again=(OFFER,)), Case("offers", (OFFER,))])
    assert said(play, *[ask("INTENT")] * 3) == [[question], [OFFER], [OFFER]]
    assert (play.began, play.resent, [asked.case for asked in play.requests]) == (2, 1, [0, 0, 1])


def test_a_commit_is_executed_when_the_hash_is_right() -> None:
    play = Play(SERVICE, [Case("offers", (OFFER,))], clock=lambda: 100.5)
    replies = said(play, commit(), commit(hash="wrong"), commit(hash=None), commit(proposal="p2"), commit(proposal=[]))
    assert kinds(replies) == ["RECEIPT", "ERROR conflict", "ERROR conflict", "ERROR not_found", "ERROR not_found"]
    made = replies[0][0]["receipt"]
    assert (made["proposal"], made["at"], made["undo"]) == ("p1", 100, {"until": 160})
    assert known_kind(replies[0][0]) == "RECEIPT"


def test_a_refusal_holds_until_a_commit_brings_another_grant() -> None:
    refusal = error("consent_required", "ask somebody", consent={})
    play = Play(SERVICE, [Case("asks", (OFFER,), refusal=refusal)])
    brought = [["g1"], ["g1"], ["g1", "g2"]]
    replies = said(play, *(commit(grants=grants) for grants in brought))
    assert kinds(replies) == ["ERROR consent_required", "ERROR consent_required", "RECEIPT"]


def test_what_has_no_answer_is_refused() -> None:
    play = Play(SERVICE, [Case("one", (ANSWER,))])
    assert kinds(said(play, ask("PING"), ask("UNDO"), {"id": "x"}, ask("HELLO"))) == [
        "ERROR bad_frame",
        "ERROR bad_frame",
        "ERROR bad_frame",
        "BRIEF",
    ]


def test_a_brief_of_its_own_answers_every_hello() -> None:
    play = Play(SERVICE, [Case("one", (ANSWER,))], brief=(HangUp(),))
    assert said(play, ask("HELLO"), ask("HELLO")) == [[HangUp()], [HangUp()]]


def test_a_proof_has_to_be_for_the_service_the_verb_and_the_target() -> None:
    def proven(aud: str, target: str, **members: Any) -> Frame:
        return ask("ASK", capability="a", proof=proofs.sign(KEY, aud=aud, verb="ASK", target=target, ts=5), **members)

    right = proven(SERVICE, "a")
    assert proof_problem(right, SERVICE) == ""
    assert proof_problem(ask("ASK", capability="a"), SERVICE) == ""
    wrong = [proven("", "a"), proven(SERVICE, "b"), {**right, "verb": "INTENT"}, {**right, "proof": "?"}]
    assert all("does not verify" in proof_problem(each, SERVICE) for each in wrong)
    play = Play(SERVICE, [Case("one", (ANSWER,))])
    assert kinds(said(play, *wrong[:2])) == ["ERROR unauthorized", "ERROR unauthorized"]
    assert len(play.refused) == 2


def test_a_flood_is_one_answer_of_exactly_that_size() -> None:
    for size in (1000, (1 << 20) + 4096, 3 << 20):
        whole = b"".join(flood(size, "r1"))
        assert (len(whole), whole.count(b"\n"), whole[-1:]) == (size + 1, 1, b"\n")
        frame = jsontext.loads(whole)
        assert isinstance(frame, dict)
        assert (frame["re"], frame["kind"]) == ("r1", "ANSWER")


def test_every_good_reply_is_well_formed() -> None:
    assert [known_kind(each) for each in (brief(SERVICE), OFFER, receipt(PROPOSAL, 5.0))] == [
        "BRIEF",
        "PROPOSALS",
        "RECEIPT",
    ]
    assert jsontext.loads(line(ANSWER, 7))["re"] == "7"  # type: ignore[index,call-overload]


def test_a_request_says_its_verb_when_it_has_one() -> None:
    assert [Asked("tcp1", frame).verb for frame in ({"verb": "ASK"}, {"verb": 5}, {})] == ["ASK", "", ""]
