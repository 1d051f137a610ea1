"""What is wrong with a fitted frame, and what is left to the implementation (YEA 8)."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.adapters.invariants import problems
from reference.yea import jsontext

Frame = dict[str, Any]
Change = Callable[[Frame], object]

PROPOSAL = {"id": "p", "summary": "s " * 200, "effects": [{"op": "send", "target": "t"}], "risk": "low", "undo": None}
REPLIES: dict[str, Frame] = {
    "answer": {"kind": "ANSWER", "data": {"rows": list(range(40)), "text": "word " * 100, "n": 1}},
    "proposals": {
        "kind": "PROPOSALS",
        "proposals": [{**PROPOSAL, "id": f"p{n}", "data": {"l": list(range(9))}} for n in range(5)],
    },
    "brief": {
        "kind": "BRIEF",
        "service": {"id": "x", "name": "X"},
        "capabilities": [{"kind": "ask", "name": f"a{n}", "params": {"q": "string"}} for n in range(9)],
    },
    "receipt": {
        "kind": "RECEIPT",
        "receipt": {"id": "r", "summary": "s", "effects": [{"op": "send", "target": "t"}] * 5, "result": ["a"] * 40},
    },
    "error": {"kind": "ERROR", "code": "c", "message": "m", "need": list(range(40))},
    "cut before": {
        "kind": "ANSWER",
        "data": {"log": ["a", "b", "c"], "rows": list(range(40))},
        "more": [{"handle": "h", "path": "data.log", "remaining": 7, "est": 9}],
    },
}


def entry(path: str, remaining: Any, est: Any = 5) -> Frame:
    """A more entry."""
    return {"handle": "h1", "path": path, "remaining": remaining, "est": est}


def judged(name: str, change: Change, budget: int = 1000) -> list[tuple[str, str]]:
    """The problems of a reply after a change, under a budget that it would have been cut for."""
    whole = REPLIES[name]
    fitted = copy.deepcopy(whole)
    change(fitted)
    return problems({"json": json.dumps(whole), "budget": budget}, {"json": json.dumps(fitted)})


def clauses(name: str, change: Change) -> set[str]:
    """The clauses that a change breaks, but for those of the size."""
    return {clause for clause, _ in judged(name, change)} - {"YEA-8-09"}


def rows(keep: int, *more: Frame) -> Change:
    """Cuts the rows of an answer."""

    def change(frame: Frame) -> None:
        frame["data"]["rows"] = frame["data"]["rows"][:keep]
        frame["more"] = [*frame.get("more", []), *more]

    return change


def text(kept: str, *more: Frame) -> Change:
    """Cuts the text of an answer."""
    return lambda frame: (frame["data"].update(text=kept), frame.update(more=list(more)))


WORDS = "word " * 100
RIGHT: list[tuple[str, str, Change]] = [
    ("unchanged", "answer", lambda frame: None),
    ("an empty more", "answer", lambda frame: frame.update(more=[])),
    ("rows cut", "answer", rows(10, entry("data.rows", 30))),
    ("all rows cut", "answer", rows(0, entry("data.rows", 40))),
    ("text cut with a mark", "answer", text(WORDS[:200] + "…", entry("data.text", 300))),
    ("text cut without a mark", "answer", text(WORDS[:7], entry("data.text", 493))),
    ("members in another order", "answer", lambda frame: frame.update(data=dict(reversed(frame["data"].items())))),
    ("lens left out", "answer", lambda frame: frame.pop("lens", None)),
    (
        "proposals dropped",
        "proposals",
        lambda frame: (frame.update(proposals=frame["proposals"][:2]), frame.update(more=[entry("proposals", 3)])),
    ),
    (
        "all proposals dropped",
        "proposals",
        lambda frame: (frame.update(proposals=[]), frame.update(more=[entry("proposals", 5)])),
    ),
    *(
        (
            f"data of a proposal cut, as {path}",
            "proposals",
            lambda frame, path=path: (
                frame["proposals"][1].update(data={"l": [0]}),
                frame.update(more=[entry(path, 8)]),
            ),
        )
        for path in ("proposals.1.data.l", "proposals[1].data.l")
    ),
    (
        "params of a capability left out, with a more",
        "brief",
        lambda frame: (frame["capabilities"][0].pop("params"), frame.update(more=[entry("capabilities", 9)])),
    ),
    (
        "a result cut",
        "receipt",
        lambda frame: (frame["receipt"].update(result=["a"]), frame.update(more=[entry("receipt.result", 39)])),
    ),
    ("an earlier entry kept", "cut before", rows(10, entry("data.rows", 30))),
    (
        "an earlier entry taken in",
        "cut before",
        lambda frame: (frame["data"].update(log=["a"]), frame.update(more=[entry("data.log", 9)])),
    ),
    (
        "an earlier entry kept beside a new one",
        "cut before",
        lambda frame: (frame["data"].update(log=["a"]), frame["more"].append(entry("data.log", 2))),
    ),
]


@pytest.mark.parametrize(("name", "change"), [row[1:] for row in RIGHT], ids=[row[0] for row in RIGHT])
def test_each_way_of_cutting_that_keeps_the_rules_is_right(name: str, change: Change) -> None:
    assert clauses(name, change) == set()


WRONG: list[tuple[str, str, Change, str]] = [
    ("rows cut in silence", "answer", rows(10), "10"),
    ("text cut in silence", "answer", text(WORDS[:200] + "…"), "10"),
    ("proposals dropped in silence", "proposals", lambda frame: frame.update(proposals=frame["proposals"][:2]), "20"),
    ("an entry that is none", "answer", rows(10, {"path": "data.rows"}), "11"),
    ("a more that is none", "answer", lambda frame: frame.update(more={"path": "data.rows"}), "11"),
    ("remaining as digits", "answer", rows(10, entry("data.rows", "30")), "11"),
    ("another path", "answer", rows(10, entry("rows", 30)), "10 12"),
    ("an entry where nothing was cut", "answer", rows(10, entry("data.rows", 30), entry("data.text", 1)), "12"),
    ("an entry for a number", "answer", rows(10, entry("data.rows", 30), entry("data.n", 1)), "12"),
    ("remaining of the whole", "answer", rows(10, entry("data.rows", 40)), "13"),
    ("remaining one off", "answer", rows(10, entry("data.rows", 29)), "13"),
    ("remaining of a text one off", "answer", text(WORDS[:200] + "…", entry("data.text", 299)), "14"),
    ("est of 0", "answer", rows(10, entry("data.rows", 30, 0)), "15"),
    ("a negative est", "answer", rows(10, entry("data.rows", 30, -1)), "15"),
    ("a summary cut", "proposals", lambda frame: frame["proposals"][0].update(summary="s s…"), "16"),
    ("effects cut", "proposals", lambda frame: frame["proposals"][0].update(effects=[]), "16"),
    ("a risk changed", "proposals", lambda frame: frame["proposals"][0].update(risk="high"), "16"),
    (
        "effects cut and announced",
        "proposals",
        lambda frame: (
            frame["proposals"][0].update(effects=[]),
            frame.update(more=[entry("proposals.0.effects", 1)]),
        ),
        "12 16",
    ),
    ("a capability renamed", "brief", lambda frame: frame["capabilities"][0].update(name="b"), "17"),
    ("params left out in silence", "brief", lambda frame: frame["capabilities"][0].pop("params"), "17"),
    ("params emptied", "brief", lambda frame: frame["capabilities"][0].update(params={}), "17"),
    ("the first proposal dropped", "proposals", lambda frame: frame["proposals"].pop(0), "18"),
    ("capabilities reversed", "brief", lambda frame: frame["capabilities"].reverse(), "18"),
    ("a capability added", "brief", lambda frame: frame["capabilities"].append({"kind": "ask", "name": "b"}), "18"),
    ("proposals that are no list", "proposals", lambda frame: frame.update(proposals=None), "19"),
    ("a list of an ERROR cut", "error", lambda frame: frame.update(need=[1]), "19"),
    (
        "a list of an ERROR cut and announced",
        "error",
        lambda frame: (frame["need"].pop(), frame.update(more=[entry("need", 1)])),
        "12 19",
    ),
    ("effects of a receipt cut", "receipt", lambda frame: frame["receipt"].update(effects=[]), "19"),
    ("a summary of a receipt cut", "receipt", lambda frame: frame["receipt"].update(summary=""), "19"),
    ("another kind", "answer", lambda frame: frame.update(kind="EVENT"), "19"),
    ("a member lost", "answer", lambda frame: frame["data"].pop("n"), "10"),
    ("a value altered", "answer", lambda frame: frame["data"].update(n=2), "10"),
    ("a value of another type", "answer", lambda frame: frame["data"].update(n=True), "10"),
    ("rows that are null", "answer", lambda frame: frame["data"].update(rows=None), "10"),
    ("the last rows kept", "answer", lambda frame: frame["data"].update(rows=[38, 39]), "10"),
    ("a text with another end", "answer", text(WORDS[:200] + " and so on", entry("data.text", 300)), "10 12"),
    ("an earlier entry lost", "cut before", lambda frame: frame.pop("more"), "10"),
    (
        "an earlier entry lost in a later cut",
        "cut before",
        lambda frame: (frame["data"].update(log=["a"]), frame.update(more=[entry("data.log", 2)])),
        "13",
    ),
]


@pytest.mark.parametrize(("name", "change", "broken"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_each_breach_is_told_by_its_clause(name: str, change: Change, broken: str) -> None:
    assert clauses(name, change) >= {f"YEA-8-{number}" for number in broken.split()[-1:]}
    assert clauses(name, change) <= {f"YEA-8-{number}" for number in ("10", "20", *broken.split())}


@pytest.mark.parametrize("json_text", [None, 5, "", "[1]", "{", '{"a":1} x', '"\ud800"'])
def test_an_answer_that_is_no_frame_breaks_a_rule(json_text: Any) -> None:
    found = problems({"json": '{"kind":"ANSWER","data":1}', "budget": 5}, {"json": json_text})
    assert [clause for clause, _ in found] == ["YEA-8-10"]


EMOJI = "🎉" * 300
UNITS = [(EMOJI[:200] + "…", 100), (EMOJI[:200] + "…", 200), (EMOJI[:200] + "…", 400), (EMOJI[:201], 99)]


@pytest.mark.parametrize(("kept", "remaining"), [*UNITS, (EMOJI[:200] + "\ud83c…", 199)])
def test_characters_are_counted_in_any_unit(kept: str, remaining: int) -> None:
    """Code points, UTF-16 units, bytes; and a cut between two units of a character (YEA-Q77)."""
    whole = {"kind": "ANSWER", "data": EMOJI}
    fitted = {"kind": "ANSWER", "data": kept, "more": [entry("data", remaining)]}
    assert problems({"json": json.dumps(whole), "budget": 250}, {"json": json.dumps(fitted)}) == []


@pytest.mark.parametrize("remaining", [1, 2])
def test_the_text_s_own_mark_may_be_its_last_kept_character(remaining: int) -> None:
    whole, kept = {"kind": "ANSWER", "data": "a" * 300 + "…b"}, "a" * 300 + "…"
    fitted = {"kind": "ANSWER", "data": kept, "more": [entry("data", remaining)]}
    found = problems({"json": json.dumps(whole), "budget": 1}, {"json": json.dumps(fitted)})
    assert {clause for clause, _ in found} == {"YEA-8-09"}


def test_the_cost_of_blanks_may_be_nothing() -> None:
    """And of nothing else (YEA-Q79)."""
    found = []
    for rest in (" " * 300, " " * 299 + "x"):
        whole = {"kind": "ANSWER", "data": {"text": "b" + rest}}
        fitted = {"kind": "ANSWER", "data": {"text": "b…"}, "more": [entry("data.text", 300, 0)]}
        found.append({clause for clause, _ in problems({"json": json.dumps(whole), "budget": 2}, _ok(fitted))})
    assert found == [set(), {"YEA-8-15"}]


def _ok(frame: Frame) -> dict[str, str]:
    return {"json": json.dumps(frame)}


def test_a_reply_over_its_budget_is_a_warning_while_more_could_be_cut() -> None:
    found = judged("answer", lambda frame: None, budget=20)
    assert [clause for clause, _ in found] == ["YEA-8-09"]
    assert judged("error", lambda frame: None, budget=20) == []


def test_a_reply_that_fits_and_is_cut_is_a_warning() -> None:
    found = judged("answer", rows(10, entry("data.rows", 30)), budget=1000)
    assert [clause for clause, _ in found] == ["YEA-8-09"]


def test_a_deep_answer_is_judged_without_recursion() -> None:
    whole = f'{{"kind":"ANSWER","data":{"[" * 100_000}{"]" * 100_000}}}'
    kept = '{"kind":"ANSWER","data":[],"more":[{"handle":"h","path":"data","remaining":1,"est":9}]}'
    assert problems({"json": whole, "budget": 20}, {"json": kept}) == []
    assert [clause for clause, _ in problems({"json": whole, "budget": 20}, {"json": whole})] == ["YEA-8-09"]


def test_many_cuts_are_judged_without_losing_entries() -> None:
    """More than are compared one by one."""
    whole = {"kind": "ANSWER", "data": {"rows": [[1, 2]] * 1000}}
    entries = [entry(f"data.rows.{number}", 1) for number in range(1000)]
    fitted = {"kind": "ANSWER", "data": {"rows": [[1]] * 1000}, "more": entries}
    found = problems({"json": json.dumps(whole), "budget": 5}, {"json": jsontext.dumps(fitted)})
    assert {clause for clause, _ in found} == {"YEA-8-09"}
