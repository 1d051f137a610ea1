"""The order of cuts, against the informative algorithm done naively (YEA 8)."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.yea.elision import CutKind, Plan, find_parts
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.lens import lens_reply
from reference.yea.lens.compact import compact_json
from reference.yea.types import Json

ROWS: list[Json] = [{"id": number} for number in range(4)]
LONG = "word " * 60
PROPOSAL: dict[str, Json] = {"id": "p", "summary": LONG, "effects": [{"op": "send", "target": LONG}]}
RECEIPT: dict[str, Json] = {"id": "r", "summary": LONG, "effects": [{"op": "send", "target": LONG}]}


def paths(kind: str, frame: dict[str, Any], expanding: CutKind | None = None) -> list[tuple[str, str]]:
    """The kind and dotted path of everything that may be cut in a frame."""
    parts = find_parts(frame, kind, expanding)
    return [(part.kind, ".".join(map(str, part.path))) for part in parts]


def test_an_answer_may_be_cut_anywhere_in_its_data() -> None:
    """Non-empty arrays and strings over 200 characters, outer before inner."""
    data = {"rows": [{"tags": ["a"], "note": LONG}], "a.b": LONG, "none": [], "short": "x" * 200, "n": 1}
    assert paths("ANSWER", {"data": data}) == [
        ("items", "data.rows"),
        ("items", "data.rows.0.tags"),
        ("text", "data.rows.0.note"),
        ("text", "data.a.b"),
    ]
    assert paths("ANSWER", {"data": ROWS}) == [("items", "data")]
    assert paths("ANSWER", {"data": LONG}) == [("text", "data")]


def test_proposals_may_lose_items_and_be_cut_in_their_data() -> None:
    """Nothing else of a proposal, however long."""
    frame = {"proposals": [PROPOSAL, {**PROPOSAL, "data": {"rows": ROWS}}, {**PROPOSAL, "data": LONG}]}
    assert paths("PROPOSALS", frame) == [
        ("proposals", "proposals"),
        ("items", "proposals.1.data.rows"),
        ("text", "proposals.2.data"),
    ]


def test_a_brief_may_only_lose_items() -> None:
    """No part of a capability entry is offered."""
    entry = {"kind": "ask", "name": "a", "summary": LONG, "params": {"a": ["string"]}}
    assert paths("BRIEF", {"service": {}, "capabilities": [entry, entry]}) == [("capabilities", "capabilities")]


def test_a_receipt_may_be_cut_in_its_result() -> None:
    """Its effects and summary stay."""
    assert paths("RECEIPT", {"receipt": {**RECEIPT, "result": ROWS}}) == [("items", "receipt.result")]
    assert paths("RECEIPT", {"receipt": RECEIPT}) == []


@pytest.mark.parametrize("kind", ["CLARIFY", "ERROR", "EVENT", "STATUS", None])
def test_no_other_kind_may_be_cut(kind: str) -> None:
    """Nor a frame that is not well-formed."""
    assert paths(kind, {"data": ROWS, "need": ROWS, "message": LONG}) == []


def test_the_items_of_a_list_root_stay_whole_when_they_are_expanded() -> None:
    """What may not be altered in the first reply may not be altered in the next."""
    items = [{**PROPOSAL, "data": ROWS}]
    assert paths("ANSWER", {"data": {"items": items}}, "proposals") == [
        ("proposals", "data.items"),
        ("items", "data.items.0.data"),
    ]
    assert paths("ANSWER", {"data": {"items": [PROPOSAL]}}, "capabilities") == [("capabilities", "data.items")]


def test_what_lens_does_not_show_is_not_offered() -> None:
    """The array 64 levels below the frame is cut from Lens, the one above it is not."""
    data: Json = ["deep"]
    for _ in range(63):
        data = {"k": data}
    assert paths("ANSWER", {"data": data}) == []
    assert isinstance(data, dict)
    assert paths("ANSWER", {"data": data["k"]}) == [("items", "data" + ".k" * 62)]
    for _ in range(100_000):
        data = {"k": data}
    assert paths("ANSWER", {"data": data}) == []


def candidates(value: Json, path: tuple[str | int, ...], texts: dict[Any, int]) -> Iterator[tuple[Any, Json]]:
    """Everything that the algorithm of the section may cut now. texts: the strings that were cut, by path."""
    if isinstance(value, str) and texts.get(path, len(value)) > 200:
        yield path, value
    elif isinstance(value, list) and value:
        yield path, value
        for index, item in enumerate(value):
            yield from candidates(item, (*path, index), texts)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from candidates(item, (*path, key), texts)


def halved(value: Json) -> Json:
    """One cut, as the section words it."""
    if isinstance(value, str):
        text = value.removesuffix("…")
        return text[: max(200, len(text) // 2)] + "…"
    assert isinstance(value, list)
    return value[: len(value) // 2]


def naive_steps(data: Json) -> Iterator[Json]:
    """The data after each cut, the largest candidate found anew and measured in full every time."""
    frame: Any = {"data": copy.deepcopy(data)}
    texts: dict[Any, int] = {}
    while found := list(candidates(frame["data"], ("data",), texts)):
        path, value = max(found, key=lambda candidate: len(compact_json(candidate[1])))
        holder = frame
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = halved(value)
        if isinstance(value, str):
            texts[path] = len(holder[path[-1]]) - 1
        yield copy.deepcopy(frame["data"])


SMALL = st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(["", "x", "a,b", 'é"\n', "two words"])
TEXTS = st.builds(lambda word, count: word * count, st.sampled_from(["x", "ab, ", 'é"\n', "🎉 "]), st.integers(50, 500))
DATA = st.recursive(
    SMALL | TEXTS,
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.sampled_from("abcd0"), inner, max_size=4),
    max_leaves=25,
)


def after(data: Json, plan: Plan, steps: int) -> dict[str, Any]:
    """The answer with this data after the first so many steps of a plan, with the shortest handles there are."""
    kept = list(plan.kept(steps).items())
    answer: Any = {"kind": "ANSWER", "data": copy.deepcopy(data), "more": []}
    for part, keeps in kept:
        holder = answer
        for key in part.path[:-1]:
            holder = holder[key]
        ellipsis = "…" if isinstance(part.value, str) else []
        holder[part.path[-1]] = holder[part.path[-1]][:keeps] + ellipsis
        remaining = len(part.value) - keeps
        answer["more"].append({"handle": "", "path": str(part.path[0]), "remaining": remaining, "est": 1})
    return dict(answer)


@given(DATA)
@settings(max_examples=300, deadline=None)
def test_the_steps_are_those_of_the_naive_algorithm(data: Json) -> None:
    """Sizes kept up to date as parts shrink give the same largest candidate as measuring everything again."""
    plan = Plan(find_parts({"data": data}, "ANSWER"))
    for number, wanted in enumerate(naive_steps(data), start=1):
        assert plan.advance(number)
        assert after(data, plan, number)["data"] == wanted
    assert not plan.advance(len(plan.steps) + 1)


@given(DATA)
@settings(max_examples=100, deadline=None)
def test_the_least_cost_is_never_more_than_the_cost(data: Json) -> None:
    """What `least` rules out cannot fit, so no step is skipped that would do."""
    plan = Plan(find_parts({"data": data}, "ANSWER"))
    for steps in range(200):
        if not plan.advance(steps):
            break
        assert plan.least <= est(lens_reply(after(data, plan, steps)))


def test_an_earlier_step_can_be_looked_at_later() -> None:
    """What the parts keep is known for every step that was made."""
    plan = Plan(find_parts({"data": {"a": [1, 2, 3, 4], "b": [5]}}, "ANSWER"))
    assert plan.advance(4)
    assert not plan.advance(5)
    by_path = [{part.path[-1]: kept for part, kept in plan.kept(steps).items()} for steps in range(5)]
    assert by_path == [{}, {"a": 2}, {"a": 1}, {"a": 0}, {"a": 0, "b": 0}]


def test_a_list_root_is_cut_when_nothing_deep_is_left() -> None:
    """First all data of all proposals, then proposals, never the last one."""
    items = [{"id": "p", "summary": "s", "effects": [], "data": [1, 2]} for _ in range(5)]
    frame = {"kind": "PROPOSALS", "proposals": items}
    plan = Plan(find_parts(frame, "PROPOSALS"))
    while plan.advance(len(plan.steps) + 1):
        pass
    assert [plan.parts[number].kind for number, _ in plan.steps] == ["items"] * 10 + ["proposals"] * 2
    assert [kept for number, kept in plan.steps if plan.parts[number].kind == "proposals"] == [2, 1]
    assert len(fit(frame, 1, lambda cut: "h")["proposals"]) == 1
