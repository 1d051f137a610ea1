"""Requests, roles and offers of the context: right ones are made, and what is wrong ends in Untested."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from harness.context import Context
from harness.errors import NotApplicable, TargetFault, Untested
from harness.facts import Facts
from harness.guard import NotAllowed
from harness.offers import Offer
from harness.profile import Ask, Profile, Role
from reference.yea import grants, proofs
from tests.harness.peers import BRIEF, answering, brief, saying, target
from tests.harness.plans import profile, with_context

SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}]

# Requests


def recording(answer: Callable[[dict[str, Any]], dict[str, Any] | None]) -> tuple[Any, list[dict[str, Any]]]:
    asked: list[dict[str, Any]] = []

    def record(frame: dict[str, Any]) -> dict[str, Any] | None:
        asked.append(frame)
        return answer(frame)

    return target(answering(record)), asked


def test_a_member_that_is_none_is_left_out() -> None:
    async def script(t: Context) -> dict[str, Any]:
        return t.frame("ASK", capability="x", params=None, budget=0, lens=False, goal="")

    frame = with_context(script)
    assert isinstance(frame.pop("id"), str)
    assert frame == {"yea": 1, "verb": "ASK", "capability": "x", "budget": 0, "lens": False, "goal": ""}


def test_an_ask_carries_grants_where_they_are_demanded_or_an_agent_asks() -> None:
    at, asked = recording(lambda frame: {"kind": "ANSWER", "data": 1})

    async def script(t: Context) -> None:
        await t.ask("a.read", {"x": 1}, budget=5)
        t.facts.demands_grants = True
        await t.ask("a.read")
        t.facts.demands_grants = False
        agent = t.agent()
        await t.ask("a.read", agent=agent)
        await t.ask(None, agent=agent)
        assert asked[2]["proof"]["key"] == agent.public

    with_context(script, at, profile=profile("ask"))
    anonymous, demanded, given, nameless = asked
    assert {name: value for name, value in anonymous.items() if name != "id"} == {
        "yea": 1,
        "verb": "ASK",
        "capability": "a.read",
        "params": {"x": 1},
        "budget": 5,
    }
    for frame in (demanded, given):
        (token,) = frame["grants"]
        assert grants.decode(token).holder == frame["proof"]["key"]
        assert proofs.verify(frame["proof"], aud="peer.example", verb="ASK", target="a.read")
    assert "grants" not in nameless and "capability" not in nameless


def test_without_a_principal_a_demand_for_grants_cannot_be_met() -> None:
    at, asked = recording(lambda frame: {"kind": "ERROR", "code": "unauthorized"})

    async def script(t: Context) -> str:
        return (await t.ask("a.read")).code

    facts = Facts(dict(BRIEF), demands_grants=True)
    assert with_context(script, at, profile=profile("ask", principals=0), facts=facts) == "unauthorized"
    assert "grants" not in asked[0]


def test_nothing_passes_by_the_guard() -> None:
    at, asked = recording(brief)

    async def script(t: Context) -> None:
        with pytest.raises(NotAllowed):
            await t.send(t.frame("INTENT", capability="a.write"))

    with_context(script, at, profile=profile("ask"))
    assert asked == []


def test_an_auto_intent_proves_its_own_id() -> None:
    async def script(t: Context) -> None:
        agent = t.agent()
        instance = await t.role("undoable")
        for auto, goal in ((None, "a.write"), (True, "auto:a.write:{id}"), (False, "a.write"), ("true", "a.write")):
            frame = t.intent(instance, agent, ["g"], auto=auto)
            proof = frame["proof"]
            assert proofs.verify(proof, aud="peer.example", verb="INTENT", target=goal.format(id=frame["id"]))
        assert t.intent(instance, agent, ["g"], proof={"key": "k"})["proof"] == {"key": "k"}

    with_context(script, profile=profile("undoable"))


# Roles


def test_a_role_is_narrowed_to_an_object_of_its_own() -> None:
    async def script(t: Context) -> list[str]:
        return [(await t.role("undoable")).params["object"] for _ in range(5)]

    assert len(set(with_context(script, profile=profile("undoable")))) == 5


def test_values_are_read_first_where_the_profile_says_so() -> None:
    at, asked = recording(lambda frame: {"kind": "ANSWER", "data": {"free": [{"n": len(asked)}]}})
    role = Role(
        "undoable",
        "a.write",
        {"room": "{room}", "text": "r{room}b{bed}"},
        given={"room": Ask("a.read", {"u": "{unique}"}, "free.0.n"), "bed": Ask("a.read", {"r": "{room}"}, "nothing")},
    )

    async def script(t: Context) -> tuple[Any, Any]:
        instance = await t.role("undoable")
        return instance.params, instance.values["unique"]

    params, word = with_context(script, at, profile=Profile("p", roles={"undoable": role}))
    assert params == {"room": 1, "text": "r1b(nothing at that path)"}
    assert [frame["params"] for frame in asked] == [{"u": word}, {"r": 1}]


UNPREPARED: dict[str, tuple[dict[str, Any] | None, str]] = {
    "a refused read": ({"kind": "ERROR", "code": "forbidden"}, "the profile's read of a.read got ERROR forbidden"),
    "another kind": ({"kind": "PROPOSALS"}, "the profile's read of a.read got PROPOSALS"),
}


@pytest.mark.parametrize("name", UNPREPARED)
def test_a_role_that_cannot_be_filled_is_untested(name: str) -> None:
    answer, why = UNPREPARED[name]
    role = Role("undoable", "a.write", {"room": "{room}"}, given={"room": Ask("a.read", {})})

    async def script(t: Context) -> str:
        with pytest.raises(Untested) as caught:
            await t.role("undoable")
        return caught.value.why

    at = target(answering(lambda frame: answer))
    assert with_context(script, at, profile=Profile("p", roles={"undoable": role})) == why


def test_a_role_that_the_profile_does_not_offer_is_not_applicable() -> None:
    async def script(t: Context) -> tuple[bool, bool]:
        with pytest.raises(NotApplicable) as caught:
            await t.role("risky")
        assert caught.value.why == "the profile offers no role risky"
        return t.has("risky"), t.has("undoable")

    assert with_context(script, profile=profile("undoable")) == (False, True)


# Offers

RIGHT = {"id": "p1", "hash": "h1", "capability": "a.write"}


def test_an_offer_is_what_a_right_intent_got() -> None:
    at, asked = recording(lambda frame: {"kind": "PROPOSALS", "proposals": [RIGHT, {**RIGHT, "id": "p2"}]})

    async def script(t: Context) -> Offer:
        return await t.offer("undoable", goal="g")

    offer = with_context(script, at, profile=profile("undoable"))
    (frame,) = asked
    assert (offer.proposals, offer.proposal) == ([RIGHT, {**RIGHT, "id": "p2"}], RIGHT)
    assert (frame["verb"], frame["capability"], frame["goal"]) == ("INTENT", "a.write", "g")
    assert frame["grants"] == [offer.grant]
    assert frame["params"] == offer.instance.params
    assert grants.decode(offer.grant).holder == offer.agent.public == frame["proof"]["key"]


def test_an_offer_can_be_for_a_given_agent_grant_and_object() -> None:
    at, asked = recording(lambda frame: {"kind": "PROPOSALS", "proposals": [RIGHT]})

    async def script(t: Context) -> None:
        instance, agent = await t.role("undoable"), t.agent()
        first = await t.offer(instance, agent=agent, grant="mine")
        second = await t.offer(instance, agent=agent, grants=["one", "two"])
        assert (first.agent, first.grant, second.grant) == (agent, "mine", "one")
        by_b = await t.offer("undoable", by="b")
        assert grants.decode(by_b.grant).issuer == t.principal("b").public

    with_context(script, at, profile=profile("undoable"))
    assert [frame["grants"] for frame in asked[:2]] == [["mine"], ["one", "two"]]
    assert asked[0]["params"] == asked[1]["params"] != asked[2]["params"]


NO_OFFERS: list[Any] = [
    *({"kind": "PROPOSALS", "proposals": shape} for shape in SHAPES),
    *({"kind": "PROPOSALS", "proposals": [{**RIGHT, "id": shape}]} for shape in SHAPES if shape != "x"),
    *({"kind": "PROPOSALS", "proposals": [RIGHT, {**RIGHT, "hash": shape}]} for shape in SHAPES if shape != "x"),
    {"kind": "PROPOSALS"},
    {"kind": "RECEIPT", "proposals": [RIGHT]},
]


@pytest.mark.parametrize("reply", NO_OFFERS, ids=repr)
def test_an_intent_without_usable_proposals_is_untested(reply: dict[str, Any]) -> None:
    async def script(t: Context) -> str:
        with pytest.raises(Untested) as caught:
            await t.offer("undoable")
        return caught.value.why

    why = with_context(script, target(answering(lambda frame: reply)), profile=profile("undoable"))
    assert why == f"a right INTENT for the role undoable got {reply['kind']}"


def _same(reply: dict[str, Any], frame: dict[str, Any]) -> dict[str, Any]:
    return reply


def test_a_refused_intent_is_untested_with_the_services_words() -> None:
    async def script(t: Context) -> str:
        with pytest.raises(Untested) as caught:
            await t.offer("undoable")
        return caught.value.why

    for said, words in (("no room", ": no room"), ("x" * 900, f": {'x' * 200}"), (5, ""), (None, "")):
        reply = {"kind": "ERROR", "code": "invalid_params", "message": said}
        at = target(answering(partial(_same, reply)))
        why = with_context(script, at, profile=profile("undoable"))
        assert why == f"a right INTENT for the role undoable got ERROR invalid_params{words}"


NO_RECEIPTS: list[tuple[dict[str, Any], str]] = [
    ({"kind": "ERROR", "code": "conflict"}, "a right COMMIT for the role undoable got ERROR conflict"),
    ({"kind": "ANSWER", "receipt": {"id": "r"}}, "a right COMMIT for the role undoable got ANSWER"),
    *(
        ({"kind": "RECEIPT", "receipt": shape}, "a right COMMIT for the role undoable got RECEIPT")
        for shape in SHAPES
        if not isinstance(shape, dict)
    ),
    ({"kind": "RECEIPT", "receipt": {}}, "the receipt of a right COMMIT has no string id"),
    *(
        ({"kind": "RECEIPT", "receipt": {"id": shape}}, "the receipt of a right COMMIT has no string id")
        for shape in SHAPES
        if shape != "x"
    ),
]


@pytest.mark.parametrize(("reply", "why"), NO_RECEIPTS, ids=repr)
def test_a_commit_without_a_usable_receipt_is_untested(reply: dict[str, Any], why: str) -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        return reply if frame["verb"] == "COMMIT" else {"kind": "PROPOSALS", "proposals": [RIGHT]}

    async def script(t: Context) -> str:
        offer = await t.offer("undoable")
        with pytest.raises(Untested) as caught:
            await t.commit(offer)
        return caught.value.why

    assert with_context(script, target(answering(answer)), profile=profile("undoable")) == why


def test_a_right_commit_is_sent_as_given_or_made() -> None:
    receipt = {"kind": "RECEIPT", "receipt": {"id": "r1"}}
    at, asked = recording(
        lambda frame: receipt if frame["verb"] == "COMMIT" else {"kind": "PROPOSALS", "proposals": [RIGHT]}
    )

    async def script(t: Context) -> None:
        offer = await t.offer("undoable")
        assert (await t.commit(offer)).reply["receipt"] == {"id": "r1"}
        await t.commit(offer, offer.commit(note="x"))
        await t.commit(offer, conn=await t.connect())

    with_context(script, at, profile=profile("undoable"))
    assert [frame.get("note") for frame in asked[1:]] == [None, "x", None]
    assert {(frame["proposal"], frame["hash"]) for frame in asked[1:]} == {("p1", "h1")}


def test_silence_is_a_fault_of_the_target_and_no_precondition() -> None:
    async def script(t: Context) -> None:
        with pytest.raises(TargetFault):
            await t.offer("undoable")

    with_context(script, target(saying(b"")), profile=profile("undoable"))


def test_raw_bytes_pass_by_the_guard_alone() -> None:
    at, asked = recording(brief)

    async def script(t: Context) -> tuple[str, str]:
        sent = await t.send_raw(b'{"yea":1,"id":"q","verb":"HELLO"}', re="q")
        return sent.kind, (await t.send_raw(b'{"yea":1,"id":"q2","verb":"HELLO"}')).kind

    assert with_context(script, at) == ("BRIEF", "BRIEF")
    assert [frame["id"] for frame in asked] == ["q", "q2"]
