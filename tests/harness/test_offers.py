"""A role at work: the frames made from an offer, and values found by a profile's path."""

from typing import Any

import pytest

from harness.clock import EPOCH
from harness.context import Context
from harness.errors import Untested
from harness.offers import MISSING, Instance, Offer, read_frame, value_at
from harness.people import Agent, new_key
from harness.profile import Ask, Role
from harness.targets.base import Exchange
from reference.yea import proofs
from tests.harness.peers import answering, target
from tests.harness.plans import STATE, profile, with_context

DATA = {"a": [{"b": "x"}, {"b": None}], "": 5, "a.b": 6, "0": {"1": 7}, "text": "abc"}
PATHS: dict[str, Any] = {
    "": DATA,
    "a": DATA["a"],
    "a.0.b": "x",
    "a.1.b": None,
    "0.1": 7,
    "text": "abc",
    "a.2": MISSING,
    "a.-1": MISSING,
    "a.²": MISSING,
    "a.x": MISSING,
    "a.0.c": MISSING,
    "text.0": MISSING,
    "a.b": MISSING,
    "b": MISSING,
    "a.1.b.c": MISSING,
    "a..b": MISSING,
}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_leads_to_a_value_or_to_nothing(path: str) -> None:
    assert value_at(DATA, path) == PATHS[path]


@pytest.mark.parametrize("data", [None, 5, "x", [], {}, True])
def test_data_of_any_shape_holds_nothing_at_a_path(data: Any) -> None:
    assert value_at(data, "a.0") == MISSING
    assert value_at(data, "") is data


def made(script: Any) -> Any:
    """Run a script with an offer whose proposals are made up; no frame is sent."""

    async def run(t: Context) -> Any:
        instance = Instance(Role("undoable", "a.write", {}), {"unique": "w"}, {"object": "w"}, t)
        proposals = [{"id": "p1", "hash": "h1", "capability": "a.other"}, {"id": "p2", "hash": "h2"}]
        return script(Offer(instance, t.agent(), "pg1.token", Exchange({}), proposals))

    return with_context(run)


def members(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame without its id, which is always fresh."""
    assert isinstance(frame.pop("id"), str)
    return frame


def test_a_right_commit_names_the_first_proposal_and_proves_its_hash() -> None:
    def script(offer: Offer) -> None:
        frame = members(offer.commit())
        proof = frame.pop("proof")
        assert frame == {"yea": 1, "verb": "COMMIT", "proposal": "p1", "hash": "h1", "grants": ["pg1.token"]}
        assert (proof["key"], proof["ts"]) == (offer.agent.public, int(EPOCH))
        target = proofs.target("COMMIT", hash="h1")
        assert proofs.verify(proof, aud="peer.example", verb="COMMIT", target=target)
        assert offer.capability == "a.other"
        offer.proposals.reverse()
        assert offer.capability == "a.write"

    made(script)


def test_members_of_a_commit_can_be_replaced_or_left_out() -> None:
    def script(offer: Offer) -> None:
        other = Agent(new_key(), "peer.example", lambda: EPOCH)
        second = members(offer.commit(offer.proposals[1], hash="wrong", grants=None, extra=[1]))
        assert proofs.verify(second.pop("proof"), aud="peer.example", verb="COMMIT", target="h2")
        assert second == {"yea": 1, "verb": "COMMIT", "proposal": "p2", "hash": "wrong", "extra": [1]}
        foreign = offer.commit(agent=other, ts=5, aud="elsewhere")["proof"]
        assert (foreign["key"], foreign["ts"]) == (other.public, 5)
        assert proofs.verify(foreign, aud="elsewhere", verb="COMMIT", target="h1")
        assert "proof" not in offer.commit(proof=None)

    made(script)


def test_an_undo_names_the_receipt_and_proves_it() -> None:
    def script(offer: Offer) -> None:
        frame = members(offer.undo({"id": "r1"}, note="x"))
        assert proofs.verify(frame.pop("proof"), aud="peer.example", verb="UNDO", target="r1")
        assert frame == {"yea": 1, "verb": "UNDO", "receipt": "r1", "grants": ["pg1.token"], "note": "x"}

    made(script)


def test_frames_of_one_offer_have_ids_of_their_own() -> None:
    def script(offer: Offer) -> None:
        assert len({offer.commit()["id"] for _ in range(50)} | {offer.undo({"id": "r"})["id"]}) == 51

    made(script)


def test_the_state_is_read_by_the_roles_own_ask() -> None:
    asked: list[dict[str, Any]] = []

    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame)
        return {"kind": "ANSWER", "data": {"count": len(asked)}}

    async def script(t: Context) -> list[Any]:
        watched = Instance(Role("undoable", "a.write", {}, state=STATE), {"unique": "w7"}, {}, t)
        blind = Instance(Role("undoable", "a.write", {}), {"unique": "w7"}, {}, t)
        return [watched.watched, await watched.state(), await watched.state(), blind.watched, await blind.state()]

    given = profile("state", "undoable")
    assert with_context(script, target(answering(answer)), profile=given) == [True, 1, 2, False, None]
    assert [(frame["capability"], frame["params"]) for frame in asked] == [("a.read", {"object": "w7"})] * 2


def test_a_read_with_a_value_that_is_not_there_is_untested() -> None:
    async def script(t: Context) -> str:
        with pytest.raises(Untested) as caught:
            read_frame(t, Ask("a.read", {"x": "{room}"}), {"unique": "w"})
        return caught.value.why

    assert with_context(script) == "{room} names no value; known are now, unique"
