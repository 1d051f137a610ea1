"""How to go on from a reply."""

import json
import shlex
from typing import Any

import pytest

from harness.byhand.hands import Hand
from harness.byhand.steps import ANONYMOUS, APPROVED, FLEETING, LONGEST, MOST, TOO_LONG, Asked, command, steps
from reference.yea.client import ConsentRequired, Refused, Reply, consent, replies
from reference.yea.client.multiplex import Received
from reference.yea.conformance import SERVICE_ID
from tests.reference.yea.client.playing import error, proposal, proposals
from tests.reference.yea.service.driving import K1, A

HAND = Hand(K1, True, A, (), ("--as", "a"), ("--key", "k f"))
ASKED = Asked("yea://h", "intent", "a.b", {"x": 1}, ("--auto",))


def read(frame: dict[str, Any], verb: str = "auto INTENT") -> Reply | Refused:
    try:
        return replies.read(Received(frame, 1), verb)
    except Refused as refusal:
        return refusal


def told(frame: dict[str, Any], hand: Hand = HAND, asked: Asked = ASKED, verb: str = "auto INTENT") -> list[str]:
    return list(steps(hand, asked, read(frame, verb)))


def test_a_command_is_quoted_for_a_shell() -> None:
    assert command(HAND, "undo", "yea://h", "r'1") == "naysayer yea undo --key 'k f' --as a yea://h 'r'\"'\"'1'"


def test_an_argument_of_a_service_is_never_an_option() -> None:
    assert command(Hand(), "expand", "yea://h", "--ca=x") == "naysayer yea expand -- yea://h --ca=x"


def test_each_proposal_has_its_commit() -> None:
    bodies = [proposal(data={"x": 1.5}), proposal(id="p\n2", summary="é\x1b';rm")]
    lines = told(proposals(*bodies))
    assert [line.split("\n")[0] for line in lines] == ['to commit "p1":', 'to commit "p\\n2":']
    for line, body in zip(lines, bodies, strict=True):
        text = line.split("\n")[1]
        assert text.isascii() and text.isprintable()
        words = shlex.split(text)
        assert words[:-1] == ["naysayer", "yea", "commit", "--key", "k f", "--as", "a", "yea://h"]
        assert json.loads(words[-1]) == {name: value for name, value in body.items() if name != "data"}


def test_without_a_key_that_lasts_there_is_no_commit_and_it_is_said_why() -> None:
    assert told(proposals(proposal()), Hand(K1, False, A)) == [FLEETING]
    assert told(proposals(proposal()), Hand()) == [ANONYMOUS]
    assert told(proposals(proposal(extra="x" * LONGEST))) == [TOO_LONG]


def test_each_option_has_its_intent() -> None:
    frame = {
        "kind": "CLARIFY",
        "question": "?",
        "options": [{"label": "1", "params": {"y": "é"}}, {"label": "2"}, {"label": "3", "params": {"x": None}}],
    }
    assert told(frame) == [
        'to pick 1:\n  naysayer yea intent --key \'k f\' --as a --auto yea://h a.b \'{"x":1,"y":"\\u00e9"}\'',
        "to pick 3:\n  naysayer yea intent --key 'k f' --as a --auto yea://h a.b '{}'",
    ]


def test_each_fix_has_its_request() -> None:
    frame = error("invalid_params", fix=[{"say": "a"}, {"say": "b", "params": {"x": 2}}])
    asked = Asked("yea://h", "ask", "a.b", {"x": 1})
    assert told(frame, asked=asked) == [
        "to apply fix 2:\n  naysayer yea ask --key 'k f' --as a yea://h a.b '{\"x\":2}'"
    ]
    assert told(frame, asked=Asked("yea://h", "undo")) == []


def test_a_fix_of_a_commit_is_not_put_into_a_command() -> None:
    frame = error("conflict", fix=[{"say": "b", "params": {"x": 2}}])
    assert told(frame, asked=Asked("yea://h", "commit", "a.b", proposal()), verb="COMMIT") == []


def test_a_receipt_has_its_undo_if_there_is_one() -> None:
    receipt = {"id": "r1", "summary": "s", "undo": {"until": 1790000000}}
    frame = {"kind": "RECEIPT", "receipt": receipt}
    assert told(frame) == ["to undo it:\n  naysayer yea undo --key 'k f' --as a yea://h r1"]
    assert told({**frame, "receipt": {**receipt, "undo": None}}) == []


def test_what_was_left_out_has_its_expand_if_the_key_is_there_for_it() -> None:
    frame = {"kind": "ANSWER", "data": [], "more": [{"handle": "h1", "path": "da\nta", "remaining": 1, "est": 1}]}
    assert told(frame, verb="ASK") == [
        "for the rest of \"da\\nta\":\n  naysayer yea expand --key 'k f' --as a yea://h h1"
    ]
    assert told(frame, Hand(), verb="ASK") == ['for the rest of "da\\nta":\n  naysayer yea expand yea://h h1']
    assert told(frame, Hand(K1, False, A), verb="ASK") == []


@pytest.mark.parametrize("handle", ["h\n", "h\x1b", "h\u202e", "h" * LONGEST])
def test_a_command_that_a_terminal_would_not_show_is_not_told(handle: str) -> None:
    frame = {"kind": "ANSWER", "data": [], "more": [{"handle": handle, "path": "data", "remaining": 1, "est": 1}]}
    assert told(frame, verb="ASK") == []


def test_of_many_ways_some_are_told() -> None:
    entry = {"handle": "h", "path": "data", "remaining": 1, "est": 1}
    assert len(told({"kind": "ANSWER", "data": [], "more": [entry] * 1000}, verb="ASK")) == MOST


def test_an_approval_has_the_principals_command() -> None:
    body = proposal()
    names = {"proposal": body["id"], "hash": body["hash"], "service": SERVICE_ID, "capability": body["capability"]}
    held = replies.Proposal(body)
    request = consent.match({**names, "principal": A.public}, held, service=SERVICE_ID, agent=K1.public)
    refusal = ConsentRequired(Reply(error("consent_required"), 1), request)
    asked = Asked("yea://h", "commit", "a.b", body)
    for hand, flags in ((HAND, ["--as", "a"]), (Hand(K1, True), ["--principal", "FILE"])):
        [line, then] = steps(hand, asked, refusal)
        words = shlex.split(line.split("\n")[1])
        assert (words[:-1], then) == (["naysayer", "yea", "approve", *flags], APPROVED)
        assert consent.from_json(json.loads(words[-1])) == request
