"""Reading a request, in the order of YEA 3.1."""

import json
from typing import Any

import pytest

from reference.yea.service.reading import shown
from tests.reference.yea.service.driving import K1, Caller, Frame, code, grant

HELLO = {"yea": 1, "id": "h", "verb": "HELLO"}


@pytest.mark.parametrize(
    "raw",
    [
        b"[1]",
        b'"x"',
        b"42",
        b"null",
        b'{"yea":1,',
        b"",
        b"{} {}",
        b'{"yea":1,"id":"\xff","verb":"HELLO"}',
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_frame_is_a_bad_frame_with_a_placeholder_for_its_id(raw: bytes) -> None:
    reply = Caller().send(raw)
    assert (code(reply), reply["re"]) == ("bad_frame", "?")


@pytest.mark.parametrize("change", [{"yea": None}, {"yea": 2}, {"yea": "1"}, {"yea": True}])
def test_a_wrong_version_is_refused_by_the_id(change: Frame) -> None:
    reply = Caller().send(HELLO | change)
    assert (code(reply), reply["re"]) == ("bad_frame", "h")


@pytest.mark.parametrize("name", [None, 7, ["x"], {}])
def test_an_id_that_is_no_string_is_refused(name: Any) -> None:
    reply = Caller().send(HELLO | {"id": name})
    assert (code(reply), reply["re"]) == ("bad_frame", "?")


@pytest.mark.parametrize("name", ["", "a b", "é", '"q"', "0", "x" * 1000, "\u2028", "\x00"])
def test_re_repeats_the_id_unchanged(name: str) -> None:
    assert Caller().send(HELLO | {"id": name})["re"] == name


@pytest.mark.parametrize("verb", ["PING", "hello", "", 5, None, ["HELLO"], {"a": 1}])
def test_an_unknown_verb_is_a_bad_frame_with_the_verbs_as_a_fix(verb: Any) -> None:
    reply = Caller().send(HELLO | {"verb": verb})
    assert code(reply) == "bad_frame"
    assert reply["fix"] == [{"say": "use one of HELLO, ASK, INTENT, COMMIT, UNDO, EXPAND"}]


def test_a_lone_surrogate_is_refused_wherever_it_is_and_the_id_is_answered() -> None:
    caller = Caller()
    for member in ({"x": "\ud800"}, {"\udfff": 1}, {"params": {"a": [{"b": "\ud83d"}]}}, {"id": "\ud800"}):
        frame = HELLO | member
        reply = caller.send(frame)
        assert (code(reply), reply["re"]) == ("bad_frame", frame["id"])
    assert code(caller.send(HELLO | {"x": "\U0001f680"})) == "BRIEF"
    assert code(caller.send(rb'{"yea":1,"id":"h","verb":"HELLO","x":"\ud83d\ude80"}')) == "BRIEF"


def test_deep_nesting_is_answered() -> None:
    deep = b'{"yea":1,"id":"d","verb":"ASK","capability":"calendar.event","params":{"event":' + b"[" * 100_000
    assert code(Caller().send(deep + b"]" * 100_000 + b"}}")) == "invalid_params"
    assert code(Caller().send(deep)) == "bad_frame"


def test_a_frame_over_the_limit_is_refused_and_one_at_it_is_read() -> None:
    caller = Caller()
    padding = caller.service.MAX_FRAME - len(json.dumps(HELLO | {"pad": ""}))
    fitting = json.dumps(HELLO | {"pad": "x" * padding}).encode()
    assert code(caller.send(fitting)) == "BRIEF"
    assert code(caller.send(fitting + b" ")) == "bad_frame"


@pytest.mark.parametrize("verb", ["ASK", "INTENT", "COMMIT", "UNDO"])
@pytest.mark.parametrize("bad", ["pg1.x", {}, 5, True, "", 0, False, [1], ["a", None]])
def test_grants_that_are_no_list_of_strings_are_a_bad_frame_before_anything_is_looked_up(verb: str, bad: Any) -> None:
    assert code(Caller().send({"verb": verb, "grants": bad, "params": [], "capability": "none"})) == "bad_frame"


@pytest.mark.parametrize("verb", ["ASK", "INTENT"])
@pytest.mark.parametrize("bad", [[], "x", 5, True, 0, ""])
def test_params_that_are_no_object_are_invalid_before_anything_is_looked_up(verb: str, bad: Any) -> None:
    caller = Caller()
    assert code(caller.send({"verb": verb, "params": bad, "capability": "none"})) == "invalid_params"
    assert code(caller.send({"verb": verb, "params": bad, "grants": ["pg1.junk"]})) == "invalid_params"


def test_hello_and_expand_pay_no_attention_to_grants() -> None:
    caller = Caller()
    for bad in (5, [1], "x", ["pg1.junk"]):
        assert code(caller.send(HELLO | {"grants": bad, "params": []})) == "BRIEF"
        assert code(caller.send({"verb": "EXPAND", "handle": "h_none", "grants": bad})) == "expired"


def test_null_grants_are_none_and_null_params_are_empty() -> None:
    caller = Caller()
    nothing: list[Frame] = [{}, {"params": None}, {"params": {}}, {"grants": None}, {"grants": []}]
    for members in nothing:
        assert len(caller.send({"verb": "ASK", "capability": "calendar.agenda"} | members)["data"]["events"]) == 20
    assert code(caller.send({"verb": "COMMIT", "grants": None})) == "not_found"


@pytest.mark.parametrize("budget", [0, -5, 1.5, "800", True, None, [], {}])
def test_a_budget_that_is_no_whole_number_above_0_counts_as_none(budget: Any) -> None:
    ask = {"verb": "ASK", "capability": "shop.menu"}
    assert len(Caller().send(ask | {"budget": budget})["data"]["items"]) == len(Caller().send(ask)["data"]["items"])


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [
        ({"verb": "ASK"}, "unknown_capability"),
        ({"verb": "INTENT"}, "unknown_capability"),
        ({"verb": "COMMIT"}, "not_found"),
        ({"verb": "UNDO"}, "not_found"),
        ({"verb": "EXPAND"}, "expired"),
    ],
)
@pytest.mark.parametrize("name", [None, 12345, {"zz": 1}, ["zz"], True])
def test_a_name_that_is_no_string_is_looked_up_and_named_as_null(frame: Frame, wanted: str, name: Any) -> None:
    names = dict.fromkeys(("capability", "proposal", "receipt", "handle"), name)
    reply = Caller().send(frame | names)
    assert code(reply) == wanted
    assert "null" in reply["message"]
    assert "zz" not in json.dumps(reply) and "12345" not in json.dumps(reply)


@pytest.mark.parametrize("goal", [5, {}, [], None, "to see Ana"])
def test_a_goal_that_is_no_string_is_ignored(goal: Any) -> None:
    caller = Caller()
    assert code(caller.send(caller.intent("calendar.book", {"event": "e"}, goal=goal))) == "PROPOSALS"


@pytest.mark.parametrize(
    "change",
    [{"key": 5}, {"ts": "1790000000"}, {"ts": 1.5}, {"ts": True}, {"sig": None}, "x", [], {}],
)
def test_a_proof_without_its_members_counts_as_missing(change: Any) -> None:
    caller = Caller()
    proof = caller.proof(K1, "ASK", "calendar.agenda")
    bad = proof | change if isinstance(change, dict) and change else change
    ask = caller.ask("calendar.agenda", proof=bad)
    assert code(caller.send(ask | {"grants": [grant()]})) == "unauthorized"
    assert code(caller.send(ask)) == "ANSWER"


def test_only_true_is_auto() -> None:
    caller = Caller()
    for value in ("true", 1, None, False, [True]):
        assert code(caller.send(caller.intent("calendar.book", {"event": "e"}, auto=value))) == "PROPOSALS"


def test_members_that_nobody_knows_are_ignored() -> None:
    caller = Caller()
    extra = {"x": 1, "nested": {"a": [1]}, "lens": "x", "agent": {"name": 5, "x": 1}}
    assert code(caller.send(HELLO | extra)) == "BRIEF"
    proposal = caller.propose("calendar.book", {"event": "e"})
    commit = caller.commit(proposal)
    commit["proof"] |= {"x": 1}
    assert code(caller.send(commit | extra)) == "RECEIPT"


def test_a_shown_name_is_one_short_line() -> None:
    assert shown(None) == "null"
    assert shown("a\nb") == '"a\\nb"'
    assert len(shown("x" * 1000)) < 80
