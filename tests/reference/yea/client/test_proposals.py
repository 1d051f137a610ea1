"""What makes a proposal sound (YEA 5.1)."""

from typing import Any

import pytest

from reference.yea.client import proposals
from reference.yea.client.errors import BadProposal
from reference.yea.client.proposals import Proposal
from tests.reference.yea.client.playing import proposal

SPEND = {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}}


def test_a_sound_proposal_is_read_as_it_was_sent() -> None:
    body = proposal(uses=SPEND, data={"score": 0.5}, extra=[1])
    read = proposals.read(body)
    assert read == Proposal(body)
    assert (read.id, read.capability, read.summary, read.risk) == ("p1", "calendar.book", "Book it", "low")
    assert (read.effects, read.uses, read.undo) == (body["effects"], SPEND, 3600)
    assert (read.expires, read.hash, read.data) == (body["expires"], body["hash"], {"score": 0.5})
    assert read.without_data() == {name: value for name, value in body.items() if name != "data"}


def test_uses_may_be_left_out_or_empty() -> None:
    assert proposals.read(proposal()).uses == {}
    assert proposals.read(proposal(uses={})).uses == {}


@pytest.mark.parametrize(
    "uses",
    [
        None,
        [],
        "spend",
        {"Spend": {"amount": 1}},
        {"spend": None},
        {"spend": {"amount": -1}},
        {"spend": {"amount": "1"}},
        {"spend": {"amount": 1, "unit": "a\nb"}},
        {"spend": {"amount": 1, "scale": 19}},
        {"spend": {"amount": 1, "more": 1}},
    ],
)
def test_malformed_uses_make_it_invalid(uses: Any) -> None:
    assert "its `uses` is malformed" in (proposals.problem_with(proposal(uses=uses)) or "")


@pytest.mark.parametrize("risk", ["extreme", "Low", "", None, 1, ["low"], {}, ...])
def test_any_other_risk_or_none_makes_it_invalid(risk: Any) -> None:
    assert "its `risk` is" in (proposals.problem_with(proposal(risk=risk)) or "")


@pytest.mark.parametrize(
    "undo",
    [..., None, False, {}, {"window": 0}, {"window": -5}, {"window": "1"}, {"window": 2**52 + 1}, [3600], 3600],
)
def test_any_other_undo_counts_as_null(undo: Any) -> None:
    assert proposals.read(proposal(undo=undo)).undo is None


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"id": 5}, "no `id`, `summary` and `effects`"),
        ({"summary": None}, "no `id`, `summary` and `effects`"),
        ({"effects": [{"op": "create"}]}, "no `id`, `summary` and `effects`"),
        ({"effects": ...}, "no `id`, `summary` and `effects`"),
        ({"capability": None}, "its `capability` is null"),
        ({"hash": 7}, "its `hash` is 7, and no string"),
        ({"expires": "soon"}, 'its `expires` is "soon"'),
        ({"expires": ...}, "its `expires` is null"),
        ({"hash": "A" * 43}, "that of its content is"),
        ({"hash": "x", "extra": 1.5}, "no canonical form"),
        ({"hash": "x", "summary": "\ud800"}, "no canonical form"),
    ],
)
def test_what_can_neither_be_shown_nor_committed_is_invalid(members: dict[str, Any], said: str) -> None:
    body = proposal(**members)
    assert said in (proposals.problem_with(body) or "")
    with pytest.raises(BadProposal, match=r"the proposal .* is invalid"):
        proposals.read(body)


@pytest.mark.parametrize("value", [None, [], "p", 5, {}])
def test_what_is_no_object_is_no_proposal(value: Any) -> None:
    with pytest.raises(BadProposal):
        proposals.read(value)


def test_a_changed_proposal_is_not_sound_any_more() -> None:
    held = proposals.read(proposal())
    held.check()
    held.body["effects"].append({"op": "delete", "target": "event/f"})
    with pytest.raises(BadProposal, match="hash"):
        held.check()


def test_data_may_change_for_the_hash_does_not_cover_it() -> None:
    held = proposals.read(proposal(data=1))
    held.body["data"] = 2
    held.check()


def test_depth_and_length_do_no_harm() -> None:
    deep: Any = []
    for _ in range(20_000):
        deep = [deep]
    held = proposals.read(proposal(extra=deep))
    held.check()
    assert len(proposals.problem_with({**held.body, "risk": "x" * 100_000}) or "") < 200
