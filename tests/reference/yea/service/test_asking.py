"""HELLO, ASK and EXPAND (YEA 4.1, 4.2, 4.6, 8)."""

import json
from typing import Any

import pytest

from reference.yea.estimate import est
from reference.yea.lens import lens_reply
from tests.reference.yea.service.driving import K1, K2, A, Caller, Frame, code, grant

HUGE = 10_000_000


def test_hello_gets_the_brief_whoever_asks() -> None:
    caller = Caller()
    brief = caller.send({"verb": "HELLO", "budget": HUGE})
    assert brief["service"]["id"] == "conformance.naysayer.example"
    assert {entry["kind"] for entry in brief["capabilities"]} == {"ask", "intent"}
    for agent in (5, {"name": "x"}, {"name": "x", "key": K1.public}):
        again = caller.send({"verb": "HELLO", "budget": HUGE, "agent": agent})
        assert (again["service"], again["capabilities"]) == (brief["service"], brief["capabilities"])


def test_discovery_is_the_brief_of_a_default_hello() -> None:
    caller = Caller()
    found = caller.service.discover(caller.now).frame
    hello = caller.send({"verb": "HELLO"})
    assert {k: v for k, v in found.items() if k not in ("id", "re")} == {
        k: v for k, v in hello.items() if k not in ("id", "re")
    }


@pytest.mark.parametrize("budget", [1, 50, 200, 400])
def test_a_small_brief_is_a_prefix_and_expands_to_the_whole(budget: int) -> None:
    caller = Caller()
    full = caller.send({"verb": "HELLO", "budget": HUGE})["capabilities"]
    brief = caller.send({"verb": "HELLO", "budget": budget})
    got = brief["capabilities"]
    assert got == full[: len(got)]
    [more] = brief["more"]
    assert (more["path"], more["remaining"]) == ("capabilities", len(full) - len(got))
    assert caller.send(caller.expand(more["handle"], budget=HUGE))["data"]["items"] == full[len(got) :]


def test_ask_answers_and_an_intent_capability_is_unknown_to_it() -> None:
    caller = Caller()
    assert code(caller.send(caller.ask("calendar.event", {"event": "e"}))) == "ANSWER"
    reply = caller.send(caller.ask("calendar.book", {"event": "e"}))
    assert (code(reply), reply["fix"]) == ("unknown_capability", [{"say": "send INTENT instead"}])
    reply = caller.send(caller.intent("calendar.event", {"event": "e"}))
    assert (code(reply), reply["fix"]) == ("unknown_capability", [{"say": "send ASK instead"}])


def test_an_unknown_name_gets_the_nearest_as_a_fix_and_a_huge_one_a_short_reply() -> None:
    caller = Caller()
    assert caller.send(caller.ask("calendar.evnt"))["fix"] == [{"say": "use calendar.event"}]
    assert caller.send(caller.ask("zzz"))["fix"] == [{"say": "send HELLO for the 17 capabilities"}]
    reply = caller.send(caller.ask("calendar.even" * 25_000))
    assert len(json.dumps(reply)) < 1000


def test_wrong_params_get_a_fix_that_works() -> None:
    caller = Caller()
    for params in ({}, {"event": None}, {"event": 5}, {"event": ""}, {"event": "x\ny"}, {"event": "x" * 300}):
        reply = caller.send(caller.ask("calendar.event", params))
        assert code(reply) == "invalid_params"
        assert code(caller.send(caller.ask("calendar.event", params | reply["fix"][0]["params"]))) == "ANSWER"


@pytest.mark.parametrize("budget", [200, 500, 2000])
def test_a_long_list_fits_its_budget_and_expands_to_the_whole(budget: int) -> None:
    caller = Caller()
    full = caller.send(caller.ask("shop.menu", budget=HUGE))["data"]["items"]
    reply = caller.send(caller.ask("shop.menu", budget=budget))
    got = list(reply["data"]["items"])
    assert got == full[: len(got)]
    while "more" in reply:
        assert est(lens_reply(reply)) <= budget
        [more] = reply["more"]
        assert more["remaining"] == len(full) - len(got)
        reply = caller.send(caller.expand(more["handle"], budget=budget))
        got += reply["data"]["items"]
    assert got == full


def test_a_long_text_expands_to_the_whole() -> None:
    caller = Caller()
    full = caller.send(caller.ask("shop.terms", budget=HUGE))["data"]["text"]
    reply = caller.send(caller.ask("shop.terms", budget=500))
    got = ""
    part = reply["data"]["text"]
    while "more" in reply:
        got += part.removesuffix("…")
        [more] = reply["more"]
        assert more["remaining"] == len(full) - len(got)
        reply = caller.send(caller.expand(more["handle"], budget=2000))
        part = reply["data"]["text"]
    assert got + part == full


def handle_of(caller: Caller, **members: Any) -> str:
    """The handle of a cut answer."""
    frame: Frame = caller.ask("shop.menu", budget=200) | members
    return str(caller.send(frame)["more"][0]["handle"])


def test_a_handle_without_a_proof_expands_for_anyone_again_and_again() -> None:
    caller = Caller()
    handle = handle_of(caller)
    first = caller.send(caller.expand(handle))
    assert caller.send(caller.expand(handle))["data"] == first["data"]
    assert caller.send(caller.expand(handle, proof={"key": 5}))["data"] == first["data"]


def test_a_bound_handle_needs_a_proof_by_its_key_and_so_do_those_that_follow() -> None:
    caller = Caller()
    handle = handle_of(caller, grants=[grant()], proof=caller.proof(K1, "ASK", "shop.menu"))
    for wrong in (
        caller.expand(handle),
        caller.expand(handle, K2),
        caller.expand(handle, K2, grants=[grant(A, K2)]),
        caller.expand(handle, proof=caller.proof(K1, "EXPAND", "h_other")),
        caller.expand(handle, proof=caller.proof(K1, "EXPAND", "shop.menu")),
        caller.expand(handle, proof=caller.proof(K1, "EXPAND", handle, caller.now - 400)),
    ):
        assert code(caller.send(wrong)) == "unauthorized"
    reply = caller.send(caller.expand(handle, K1, budget=200))
    following = reply["more"][0]["handle"]
    assert code(caller.send(caller.expand(following))) == "unauthorized"
    assert code(caller.send(caller.expand(following, K1))) == "ANSWER"


def test_a_handle_is_bound_by_the_proof_even_when_no_grant_covers() -> None:
    caller = Caller()
    handle = handle_of(caller, grants=["junk"], proof=caller.proof(K1, "ASK", "shop.menu"))
    assert code(caller.send(caller.expand(handle))) == "unauthorized"


def test_a_handle_lives_ten_minutes_and_expires() -> None:
    caller = Caller()
    handle = handle_of(caller)
    caller.now += 600
    assert code(caller.send(caller.expand(handle))) == "ANSWER"
    caller.now += caller.service.HANDLE_LIFE
    assert code(caller.send(caller.expand(handle))) == "expired"
