"""Replies, by kind (YEA 5, 7)."""

from typing import Any

import pytest

from reference.yea.client import replies
from reference.yea.client.errors import BadReply
from reference.yea.client.multiplex import Received
from reference.yea.client.replies import ANSWERED_BY, READERS, Answer, Clarify, More, Proposals, Receipt, Refused, Reply
from reference.yea.lens import lens_reply
from reference.yea.lens.wellformed import KINDS
from reference.yea.proofs import TARGETS
from tests.reference.yea.client.playing import BRIEF, error, proposal, proposals

ANSWER = {"kind": "ANSWER", "data": [1]}
CLARIFY = {
    "kind": "CLARIFY",
    "question": "Which?",
    "options": [{"label": "one", "params": {"a": 1, "b": None}}, {"label": "two"}],
}
RECEIPT = {"kind": "RECEIPT", "receipt": {"id": "r1", "summary": "Done", "undo": {"until": 1790003600}}}
FRAMES = {"BRIEF": BRIEF, "ANSWER": ANSWER, "PROPOSALS": proposals(proposal()), "CLARIFY": CLARIFY, "RECEIPT": RECEIPT}


def read(frame: Any, verb: str) -> Reply:
    return replies.read(Received(frame, 7), verb)


@pytest.mark.parametrize("verb", ANSWERED_BY)
@pytest.mark.parametrize("kind", FRAMES)
def test_a_verb_is_answered_by_its_kinds_only(verb: str, kind: str) -> None:
    if kind in ANSWERED_BY[verb]:
        assert (read(FRAMES[kind], verb).frame, read(FRAMES[kind], verb).size) == (FRAMES[kind], 7)
    else:
        with pytest.raises(BadReply, match="does not answer it") as raised:
            read(FRAMES[kind], verb)
        assert raised.value.frame == FRAMES[kind]


@pytest.mark.parametrize("verb", ANSWERED_BY)
def test_any_verb_may_be_answered_by_an_error(verb: str) -> None:
    with pytest.raises(Refused, match="forbidden: no"):
        read(error("forbidden"), verb)


def test_the_tables_name_every_verb_and_kind() -> None:
    assert {verb.removeprefix("auto ") for verb in ANSWERED_BY} == {"HELLO", *(verb for verb, _ in TARGETS)}
    assert READERS.keys() == KINDS.keys()


@pytest.mark.parametrize(
    "frame",
    [
        {"kind": "ANSWER"},
        {"kind": "ANSWER", "data": 1, "more": [{"handle": 1}]},
        {"kind": "ERROR", "code": "x"},
        {"kind": "EVENT", "message": "x"},
        {"kind": "STATUS", "data": 1},
        {"kind": None},
        {"kind": ["ANSWER"]},
        {},
    ],
)
def test_what_is_not_well_formed_is_no_reply_but_can_be_shown(frame: dict[str, Any]) -> None:
    with pytest.raises(BadReply) as raised:
        read(frame, "ASK")
    assert raised.value.frame == frame


@pytest.mark.parametrize("name", ["", "\ud800", "a\udfff"])
def test_a_service_has_an_id_that_can_be_signed_for(name: str) -> None:
    with pytest.raises(BadReply, match="nothing can be signed"):
        read({**BRIEF, "service": {"id": name, "name": "n"}}, "HELLO")


def test_a_reply_is_rendered_here_and_its_own_lens_ignored() -> None:
    reply = read({**ANSWER, "lens": "\x1b[2Jtrust me"}, "ASK")
    assert (reply.lens, reply.text) == (lens_reply(ANSWER), "items: [1]")


def test_what_was_left_out_can_be_asked_for() -> None:
    entry = {"handle": "h", "path": "data", "remaining": 3, "est": 4.0, "extra": 1}
    assert read({**ANSWER, "more": [entry]}, "ASK").more == [More("h", "data", 3, 4)]
    assert read({**ANSWER, "more": None}, "ASK").more == []


def test_invalid_proposals_are_not_offered() -> None:
    good, other = proposal(), proposal(id="p2", risk="high")
    reply = read(proposals(proposal(id="bad\n", uses=None), good, proposal(risk="none"), other), "INTENT")
    assert isinstance(reply, Proposals)
    assert [held.body for held in reply.proposals] == [good, other]
    assert [why.split(": ")[0] for why in reply.invalid] == [
        'the proposal "bad\\n" is invalid',
        'the proposal "p1" is invalid',
    ]
    assert reply.lens == lens_reply(proposals(good, other))
    assert len(reply.frame["proposals"]) == 4


def test_where_every_proposal_is_invalid_there_is_no_reply_and_nothing_to_show() -> None:
    with pytest.raises(
        BadReply, match='there is no valid proposal; the proposal "p1" is invalid: its `uses`'
    ) as raised:
        read(proposals(proposal(uses=None)), "auto INTENT")
    assert raised.value.frame is None


def test_no_proposals_are_no_fault_of_theirs() -> None:
    reply = read(proposals(), "INTENT")
    assert isinstance(reply, Proposals)
    assert reply.proposals == reply.invalid == ()


def test_an_option_is_picked_by_its_number() -> None:
    reply = read(CLARIFY, "INTENT")
    assert isinstance(reply, Clarify)
    assert (reply.question, reply.labels) == ("Which?", ["one", "two"])
    assert reply.picked(1, {"b": 2, "c": 3}) == {"a": 1, "c": 3}
    for number in (0, 3, -1):
        with pytest.raises(IndexError):
            reply.picked(number, {})
    with pytest.raises(BadReply, match="number 2 has no params"):
        reply.picked(2, {})


def test_a_fix_is_applied_by_its_number() -> None:
    with pytest.raises(Refused) as raised:
        read(error("invalid_params", fix=[{"say": "x", "params": {"a": 1}}, {"say": "y"}]), "ASK")
    assert raised.value.fixed(1, {"b": 2}) == {"a": 1, "b": 2}
    assert raised.value.fixes == [{"say": "x", "params": {"a": 1}}, {"say": "y"}]
    with pytest.raises(BadReply):
        raised.value.fixed(2, {})


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ({}, None),
        ({"retry": None}, None),
        ({"retry": 1.5}, 1.5),
        ({"retry": 0}, 0),
        ({"retry": -1}, None),
        ({"retry": "x"}, None),
        ({"retry": True}, None),
    ],
)
def test_when_to_try_again_is_a_number_of_seconds(members: dict[str, Any], wanted: float | None) -> None:
    with pytest.raises(Refused) as raised:
        read(error("limit", **members), "ASK")
    assert (raised.value.retry, raised.value.fixes) == (wanted, [])


def test_an_error_is_one_line() -> None:
    with pytest.raises(Refused) as raised:
        read(error("a\nb", message="c\x1b[1md"), "ASK")
    assert str(raised.value) == "a\\nb: c\\x1b[1md"
    assert (raised.value.code, raised.value.message) == ("a\nb", "c\x1b[1md")


@pytest.mark.parametrize(
    ("undo", "wanted"),
    [({"until": 5}, 5), (None, None), ({"until": "x"}, None), ({}, None), (5, None), ([], None)],
)
def test_a_receipt_says_until_when_it_can_be_undone(undo: Any, wanted: int | None) -> None:
    reply = read({"kind": "RECEIPT", "replay": True, "receipt": {"id": "r", "summary": "s", "undo": undo}}, "COMMIT")
    assert isinstance(reply, Receipt)
    assert (reply.id, reply.undo_until, reply.replay) == ("r", wanted, True)


def test_a_reply_that_was_put_together_is_read_again() -> None:
    first = read(ANSWER, "ASK")
    whole = replies.read_again({"kind": "ANSWER", "data": [1, 2]}, first)
    assert isinstance(whole, Answer)
    assert whole.data == [1, 2]
    for frame in ({"kind": "ANSWER"}, {"kind": "X"}, BRIEF):
        with pytest.raises(BadReply, match="put together"):
            replies.read_again(frame, first)
