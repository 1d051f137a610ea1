"""Two measurements before a run, of targets that answer anything at all."""

from collections.abc import Callable
from typing import Any

import pytest

from harness.clock import EPOCH, run_virtual, virtual_now
from harness.errors import ProfileError
from harness.people import Agent, Principal, new_key
from harness.profile import Ask, Profile, Role, built_in
from harness.setup import measure_demands, measure_skew
from harness.targets.base import Connection
from reference.yea.keys import KeyPair
from tests.harness.peers import Answer, Seen, answering, target
from tests.harness.plans import profile, services

SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}, 10**400]


def measured(answer: Answer, measure: Callable[[Connection], Any]) -> Any:
    async def main() -> Any:
        connection = await target(answering(answer)).connect(Seen(), "setup")
        try:
            return await measure(connection)
        finally:
            await connection.close()

    return run_virtual(main())


# Does it demand grants?


def demands(answer: Answer, given: Profile, verb: str = "ASK") -> bool:
    return bool(measured(answer, lambda connection: measure_demands(connection, given, virtual_now, verb)))


def refusing(code: Any) -> Answer:
    return lambda frame: {"kind": "ERROR", "code": code}


def test_a_refused_ask_without_grants_is_a_demand() -> None:
    assert demands(refusing("unauthorized"), profile("ask"))
    assert demands(refusing("unauthorized"), profile("state"))


def test_a_refused_intent_without_grants_is_a_demand_of_its_own() -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "ERROR", "code": "unauthorized" if frame["verb"] == "INTENT" else "not_found"}

    assert demands(answer, profile("ask", "undoable"), "INTENT")
    assert demands(answer, profile("uses"), "INTENT")
    assert not demands(answer, profile("ask", "undoable"), "ASK")
    assert not demands(answer, profile("ask"), "INTENT")


@pytest.mark.parametrize("code", ["forbidden", "not_found", "", None, 5, ["unauthorized"]])
def test_any_other_answer_is_none(code: Any) -> None:
    assert not demands(refusing(code), profile("ask"))
    assert not demands(lambda frame: {"kind": "ANSWER", "data": code, "code": "unauthorized"}, profile("ask"))


def test_without_a_read_nothing_is_sent() -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(frame)

    assert not demands(answer, profile("undoable"))
    given = Role("ask", "a.read", {}, given={"x": Ask("a.read", {})})
    assert not demands(answer, Profile("p", roles={"ask": given}))


def test_the_ask_is_the_profiles_own() -> None:
    asked: list[dict[str, Any]] = []

    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame)
        return {"kind": "ANSWER", "data": {}}

    demands(answer, profile("ask"))
    assert asked == [
        {
            "yea": 1,
            "id": "naysayer-demands-ASK",
            "verb": "ASK",
            "capability": "a.read",
            "params": {"object": "naysayer-setup"},
        }
    ]


# How far off is its clock?


def skew_of(answer: Answer, given: Profile | None = None) -> float:
    agent, principal = Agent(new_key(), "peer.example", virtual_now), Principal(new_key(), "peer.example", virtual_now)
    chosen = given or profile("undoable")
    return float(measured(answer, lambda connection: measure_skew(connection, chosen, agent, principal, virtual_now)))


def receipt(at: Any) -> Answer:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        if frame["verb"] == "INTENT":
            return {"kind": "PROPOSALS", "proposals": [{"id": "p1", "hash": "h1"}]}
        assert (frame["verb"], frame["proposal"], frame["hash"]) == ("COMMIT", "p1", "h1")
        return {"kind": "RECEIPT", "receipt": {"id": "r1", "at": at}}

    return answer


SKEWS: dict[str, tuple[Any, float]] = {
    "an hour ahead": (int(EPOCH) + 3600, 3600.0),
    "a day behind": (int(EPOCH) - 86400, -86400.0),
    "two seconds": (int(EPOCH) + 2, 0.0),
    "three seconds": (int(EPOCH) + 3, 3.0),
    "the same": (int(EPOCH), 0.0),
    "milliseconds": (int(EPOCH) * 1000, 0.0),
    "a negative time": (-5, 0.0),
    "a float": (EPOCH + 3600.0, 0.0),
    "a bool": (True, 0.0),
    "a string": (str(int(EPOCH) + 3600), 0.0),
    "nothing": (None, 0.0),
    "a number beyond any float": (10**400, 0.0),
}


@pytest.mark.parametrize("name", SKEWS)
def test_the_skew_is_read_from_a_receipt(name: str) -> None:
    at, skew = SKEWS[name]
    assert skew_of(receipt(at)) == skew


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: repr(shape)[:20])
def test_answers_of_any_shape_give_no_skew(shape: Any) -> None:
    def proposals(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "PROPOSALS", "proposals": shape}

    def proposal(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "PROPOSALS", "proposals": [{"id": shape, "hash": "h"}], "receipt": shape}

    def hash_(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "PROPOSALS", "proposals": [{"id": "p", "hash": shape}], "receipt": {"at": shape}}

    assert [skew_of(answer) for answer in (proposals, proposal, hash_)] == [0.0, 0.0, 0.0]


def test_without_an_undoable_role_nothing_is_committed() -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(frame)

    assert skew_of(answer, profile("irreversible", "ask")) == 0.0
    given = Role("undoable", "a.write", {}, given={"x": Ask("a.read", {})})
    assert skew_of(answer, Profile("p", roles={"undoable": given})) == 0.0


@pytest.mark.parametrize("where", ["profile", "role"])
def test_a_profile_that_allows_no_commits_gets_none(where: str) -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(frame)

    role = Role("undoable", "a.write", {}, max_commits=0 if where == "role" else None)
    given = Profile("p", roles={"undoable": role}, max_commits=0 if where == "profile" else None)
    assert skew_of(answer, given) == 0.0


def test_the_reference_is_neither_off_nor_demanding() -> None:
    async def main() -> tuple[bool, float]:
        (at,) = services("tcp")
        connection = await at.connect(Seen(), "setup")
        known = built_in("conformance")
        agent = Agent(new_key(), "conformance.naysayer.example", virtual_now)
        principal = Principal(KeyPair(known.seeds["a"]), "conformance.naysayer.example", virtual_now)
        found = (
            await measure_demands(connection, known, virtual_now),
            await measure_skew(connection, known, agent, principal, virtual_now),
        )
        await connection.close()
        return found

    assert run_virtual(main()) == (False, 0.0)


# Does the state path lead anywhere?


def committing(data: Any) -> Answer:
    """A service that commits, and whose state reads as `data`."""
    bodies: dict[str, dict[str, Any]] = {
        "INTENT": {"kind": "PROPOSALS", "proposals": [{"id": "p", "hash": "h"}]},
        "COMMIT": {"kind": "RECEIPT", "receipt": {"id": "r", "at": int(EPOCH)}},
        "ASK": {"kind": "ANSWER", "data": data},
    }
    return lambda frame: bodies[frame["verb"]]


def test_a_state_path_to_nothing_is_named() -> None:
    with pytest.raises(ProfileError, match=r"roles.undoable.state.path: .* has nothing at 'bookings' after a commit"):
        skew_of(committing({"event": "e"}), built_in("conformance"))


def test_a_state_path_to_null_leads_somewhere() -> None:
    assert skew_of(committing({"bookings": None}), built_in("conformance")) == 0.0
