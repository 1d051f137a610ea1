"""Fitting replies into budgets, and what EXPAND gives back (YEA 8, 4.6)."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.yea import fitting
from reference.yea.elision import find_parts
from reference.yea.estimate import est
from reference.yea.fitting import Cut, expand, fit
from reference.yea.lens import lens_reply, lens_value
from reference.yea.lens.wellformed import known_kind
from reference.yea.types import Json
from tests.reference.yea.test_elision import DATA, LONG, PROPOSAL, RECEIPT

ROWS: list[Json] = [{"sku": f"m{number:05}", "name": f"item {number}", "price": number / 4} for number in range(400)]


class Handles:
    """Gives out handles and remembers what each one stands for."""

    def __init__(self, template: str = "h_{}") -> None:
        self.template = template
        self.cuts: dict[str, Cut] = {}

    def __call__(self, cut: Cut) -> str:
        handle = self.template.format(len(self.cuts))
        self.cuts[handle] = cut
        return handle


def answer(data: Json, **members: Any) -> dict[str, Any]:
    """An ANSWER frame."""
    return {"yea": 1, "id": "s", "re": "c", "kind": "ANSWER", "data": data, **members}


def size(frame: dict[str, Any]) -> int:
    """The estimate of a frame's Lens."""
    return est(lens_reply(frame))


def test_a_reply_that_fits_is_the_same_frame() -> None:
    """Exactly the budget is within it; nothing is cut and no handle is made."""
    frame = answer({"rows": ROWS[:5]})
    handles = Handles()
    fitted = fit(frame, size(frame), handles)
    assert fitted == frame
    assert fitted is not frame
    assert handles.cuts == {}
    assert "more" in fit(frame, size(frame) - 1, handles)


def test_an_array_keeps_its_first_items_and_one_more_entry() -> None:
    """However often it was halved; the handle stands for all the rest."""
    handles = Handles()
    fitted = fit(answer({"rows": ROWS, "total": 400}), 500, handles)
    kept = len(fitted["data"]["rows"])
    assert kept == 25
    assert fitted["data"] == {"rows": ROWS[:kept], "total": 400}
    assert fitted["more"] == [
        {
            "handle": "h_0",
            "path": "data.rows",
            "remaining": 400 - kept,
            "est": est(lens_value({"items": ROWS[kept:]})),
        }
    ]
    assert handles.cuts == {"h_0": Cut("data.rows", "items", ROWS[kept:])}
    assert size(fitted) <= 500 < size(answer({"rows": ROWS[: 2 * kept], "total": 400}))


def test_halving_rounds_down() -> None:
    """Seven, three, one, none."""
    kept = {len(fit(answer([LONG[:150]] * 7), budget, Handles())["data"]) for budget in range(1, 300)}
    assert kept == {7, 3, 1, 0}


def test_an_empty_array_is_what_is_left_at_last() -> None:
    """A deep root may lose everything."""
    handles = Handles()
    fitted = fit(answer(ROWS), 1, handles)
    assert fitted["data"] == []
    assert handles.cuts == {"h_0": Cut("data", "items", ROWS)}


TEXT_LENGTHS = [(200, 200), (201, 200), (399, 200), (400, 200), (401, 200), (402, 201), (1000, 500)]


@pytest.mark.parametrize(("length", "kept"), TEXT_LENGTHS)
def test_a_string_over_200_characters_keeps_half_of_them_but_200(length: int, kept: int) -> None:
    """One cut, and an ellipsis after what is left; 200 and shorter are never cut."""
    text = "a,é 🎉" * 200
    text = text[:length]
    fitted = fit(answer({"note": text}), size(answer({"note": text})) - 1, Handles())
    if length == 200:
        assert fitted == answer({"note": text})
    else:
        assert fitted["data"] == {"note": text[:kept] + "…"}
        assert [(more["path"], more["remaining"]) for more in fitted["more"]] == [("data.note", length - kept)]


def test_a_string_is_never_cut_below_200_characters() -> None:
    """Nor twice because its ellipsis makes it 201."""
    handles = Handles()
    text = "word " * 4000
    fitted = fit(answer(text), 1, handles)
    assert fitted["data"] == text[:200] + "…"
    assert [(more["path"], more["remaining"]) for more in fitted["more"]] == [("data", len(text) - 200)]
    assert handles.cuts == {"h_0": Cut("data", "text", text[200:])}


def test_the_largest_part_is_cut_first() -> None:
    """A small list is left alone while a large text can give way."""
    data = {"few": [1, 2, 3], "note": "word " * 4000}
    fitted = fit(answer(data), 2000, Handles())
    assert fitted["data"]["few"] == [1, 2, 3]
    assert [more["path"] for more in fitted["more"]] == ["data.note"]


def test_the_entries_come_in_the_order_of_the_frame() -> None:
    """Each path once, whichever was cut first."""
    data = {"z": "short, " * 50, "a": ["y"] * 300, "10": LONG * 4}
    fitted = fit(answer(data), 250, Handles())
    assert [more["path"] for more in fitted["more"]] == ["data.z", "data.a", "data.10"]
    assert [more["handle"] for more in fitted["more"]] == ["h_0", "h_1", "h_2"]


def test_a_part_inside_what_a_later_cut_removes_has_no_entry() -> None:
    """The list root takes the proposals' cut data with it, and gives them back uncut."""
    items = [{**PROPOSAL, "id": f"p_{number}", "data": {"rows": ROWS[:40]}} for number in range(6)]
    frame = {"kind": "PROPOSALS", "proposals": items}
    handles = Handles()
    fitted = fit(frame, 420, handles)
    kept = len(fitted["proposals"])
    assert 0 < kept < 6
    assert [(more["path"], more["remaining"]) for more in fitted["more"]] == [
        ("proposals", 6 - kept),
        *((f"proposals.{number}.data.rows", 40) for number in range(kept)),
    ]
    assert handles.cuts["h_0"] == Cut("proposals", "proposals", items[kept:])


def test_a_kept_proposal_is_altered_in_its_data_only() -> None:
    """Long summaries and effects stay whole at any budget, and one proposal always stays."""
    items = [{**PROPOSAL, "id": f"p_{number}", "data": {"note": LONG, "n": 1.5}} for number in range(6)]
    for budget in (1, 50, 400, 700, 2000):
        fitted = fit({"kind": "PROPOSALS", "proposals": items}, budget, Handles())
        kept = fitted["proposals"]
        assert len(kept) >= 1
        assert [{**proposal, "data": 0} for proposal in kept] == [
            {**proposal, "data": 0} for proposal in items[: len(kept)]
        ]


def test_a_brief_keeps_the_first_capabilities_whole() -> None:
    """At any budget, and at least one."""
    entries = [
        {"kind": "ask", "name": f"a.{number}", "summary": LONG, "params": {"a": "string"}} for number in range(9)
    ]
    frame = {"kind": "BRIEF", "service": {"id": "i", "name": "n", "summary": LONG}, "capabilities": entries}
    counts = set()
    for budget in (1, 100, 250, 400, 100_000):
        handles = Handles()
        fitted = fit(frame, budget, handles)
        kept = len(fitted["capabilities"])
        counts.add(kept)
        assert fitted["capabilities"] == entries[:kept]
        assert fitted["service"] == frame["service"]
        if kept < 9:
            assert handles.cuts == {"h_0": Cut("capabilities", "capabilities", entries[kept:])}
            assert fitted["more"][0]["path"] == "capabilities"
    assert counts == {1, 2, 4, 9}


def test_a_receipt_is_cut_in_its_result_only() -> None:
    """Its summary and effects stay, auto or not."""
    receipt = {**RECEIPT, "result": {"rows": ROWS}}
    fitted = fit({"kind": "RECEIPT", "receipt": receipt, "auto": True}, 1, Handles())
    assert fitted["receipt"] == {**RECEIPT, "result": {"rows": []}}
    assert [more["path"] for more in fitted["more"]] == ["receipt.result.rows"]


WHOLE: list[dict[str, Any]] = [
    {"kind": "CLARIFY", "question": LONG, "options": [{"label": LONG, "params": {"a": ROWS}}]},
    {"kind": "ERROR", "code": "forbidden", "message": LONG, "need": ROWS, "fix": [{"say": LONG}]},
    {"kind": "EVENT", "message": LONG, "data": ROWS},
    {"kind": "RECEIPT", "receipt": RECEIPT, "auto": True},
    {"kind": "STATUS", "data": ROWS},
    {"kind": "ANSWER", "data": ROWS, "more": "malformed"},
    {"kind": "PROPOSALS", "proposals": ROWS},
    {"data": ROWS},
]


@pytest.mark.parametrize("frame", WHOLE, ids=lambda frame: str(frame.get("kind")))
def test_any_other_reply_comes_back_whole(frame: dict[str, Any]) -> None:
    """Nothing in it may be elided, at whatever budget."""
    handles = Handles()
    assert fit(frame, 1, handles) == frame
    assert handles.cuts == {}


def test_entries_that_a_frame_already_has_stay_first() -> None:
    """A cut adds to them."""
    first = {"handle": "h", "path": "x", "remaining": 1, "est": 1}
    fitted = fit(answer(ROWS, more=[first]), 300, Handles())
    assert fitted["more"][0] == first
    assert [more["path"] for more in fitted["more"]] == ["x", "data"]
    assert [more["path"] for more in fit(answer(ROWS, more=None), 300, Handles())["more"]] == ["data"]


def test_a_costly_handle_is_counted() -> None:
    """A handle of more than the expected tokens makes it cut further rather than miss the budget."""
    data = {f"k{number}": ["x"] * 40 for number in range(8)}
    for template in ("h_{}", "h" + "-x9" * 30 + "{}", "." * 200 + "{}"):
        assert size(fit(answer(data), 900, Handles(template))) <= 900


def test_a_hopeless_budget_ends() -> None:
    """When everything is cut and the handles alone are too much, that is the reply."""
    data = {f"k{number}": ["x"] * 3 for number in range(5)}
    fitted = fit(answer(data), 1, Handles("." * 50 + "{}"))
    assert fitted["data"] == {f"k{number}": [] for number in range(5)}
    assert [more["remaining"] for more in fitted["more"]] == [3] * 5


def test_10000_rows_take_few_renderings(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none of them of more than a few times the budget, but the one of the rest for its estimate."""
    rendered: list[int] = []

    def counting(frame: Json) -> str:
        text = lens_reply(frame)
        rendered.append(len(text))
        return text

    monkeypatch.setattr(fitting, "lens_reply", counting)
    rows: list[Json] = [{"a": number, "b": "x", "c": "y z", "d": None} for number in range(10_000)]
    fit(answer({"rows": rows}), 2000, Handles())
    assert len(rendered) <= 8
    assert sum(length > 30_000 for length in rendered) == 1


def follow(handles: Handles, cut: Cut, budget: int) -> Json:
    """The whole remainder of a cut, put together from EXPAND replies as a client does it."""
    frame = fit(answer(expand(cut.remainder)), budget, handles, expanding=cut.kind)
    return restored(frame, handles, budget)["data"]["text" if cut.kind == "text" else "items"]


def restored(frame: dict[str, Any], handles: Handles, budget: int) -> dict[str, Any]:
    """A frame with everything that its More entries stand for put back in its place."""
    whole: dict[str, Any] = copy.deepcopy({name: value for name, value in frame.items() if name != "more"})
    for more in reversed(frame.get("more", [])):
        cut = handles.cuts[more["handle"]]
        assert more["path"] == cut.path
        assert more["remaining"] == len(cut.remainder) > 0
        assert more["est"] == size(answer(expand(cut.remainder))) > 0
        holder: Any = whole
        *steps, last = cut.path.split(".")
        for step in steps:
            holder = holder[int(step) if isinstance(holder, list) else step]
        key: Any = int(last) if isinstance(holder, list) else last
        if isinstance(holder[key], str):
            assert holder[key].endswith("…")
            holder[key] = holder[key][:-1]
        holder[key] = holder[key] + follow(handles, cut, max(budget, 1))
    return whole


def nothing_left_to_cut(frame: dict[str, Any]) -> bool:
    """Whether every deep array is empty, every cut text at 200 characters and every list root at one item."""
    for part in find_parts(frame, known_kind(frame)):
        if part.kind == "text" and len(part.value) == 201 and str(part.value)[-1] == "…":
            continue
        if part.kept > part.floor:
            return False
    return True


FRAMES: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.builds(answer, DATA),
    st.builds(
        lambda data: {"kind": "PROPOSALS", "proposals": [{**PROPOSAL, "data": item} for item in data]},
        st.lists(DATA, max_size=4),
    ),
    st.builds(lambda data: {"kind": "RECEIPT", "receipt": {**RECEIPT, "result": data}}, DATA),
    st.builds(
        lambda count: {
            "kind": "BRIEF",
            "service": {"id": "i", "name": "n"},
            "capabilities": [{"kind": "ask", "name": f"a.{number}"} for number in range(count)],
        },
        st.integers(0, 9),
    ),
)


@given(FRAMES, st.integers(1, 600))
@settings(max_examples=200, deadline=None)
def test_a_fitted_reply_fits_or_has_nothing_left_and_can_be_put_together_again(
    frame: dict[str, Any], budget: int
) -> None:
    """The budget holds while there is anything to cut, the input is never changed, and EXPAND gives back the rest."""
    before = copy.deepcopy(frame)
    handles = Handles()
    fitted = fit(frame, budget, handles)
    assert frame == before
    assert known_kind(fitted) == known_kind(frame)
    assert size(fitted) <= budget or nothing_left_to_cut(fitted)
    assert restored(fitted, handles, budget) == before


def test_expanding_always_gets_on() -> None:
    """The smallest budget still gives one item, or 200 characters, of every slice."""
    for remainder in (ROWS[:5], "word " * 300):
        handles = Handles()
        cut = Cut("data", "text" if isinstance(remainder, str) else "items", remainder)
        assert follow(handles, cut, 1) == remainder


def test_an_expanded_list_root_stays_whole() -> None:
    """Its proposals keep what their hashes cover, and the next handle is one of a list root again."""
    items: list[Json] = [{**PROPOSAL, "data": ROWS[:9]} for _ in range(4)]
    handles = Handles()
    fitted = fit(answer(expand(items)), 1, handles, expanding="proposals")
    assert fitted["data"] == {"items": [{**PROPOSAL, "data": []}]}
    assert [(cut.path, cut.kind) for cut in handles.cuts.values()] == [
        ("data.items", "proposals"),
        ("data.items.0.data", "items"),
    ]


@pytest.mark.parametrize(("remainder", "data"), [([1], {"items": [1]}), ([], {"items": []}), ("a", {"text": "a"})])
def test_expand_names_items_and_text(remainder: list[Json] | str, data: Json) -> None:
    """An object around the slice, never the bare slice."""
    assert expand(remainder) == data


def nested(wrap: Callable[[Json], Json]) -> Json:
    """100,000 levels."""
    value: Json = ROWS[0]
    for _ in range(100_000):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda value: [value], lambda value: {"k": value}, lambda value: {"k": [value]}])
def test_any_depth_can_be_fitted(wrap: Callable[[Json], Json]) -> None:
    """In data, in a proposal's effects and in a capability's unknown members; only what Lens shows is looked at."""
    deep = nested(wrap)
    effect = {"op": "send", "target": "t", "x": deep}
    frames = [
        answer(deep),
        answer({"items": [deep, deep]}),
        {"kind": "PROPOSALS", "proposals": [{**PROPOSAL, "effects": [effect], "data": deep}] * 2},
        {
            "kind": "BRIEF",
            "service": {"id": "i", "name": "n"},
            "capabilities": [{"kind": "ask", "name": "a", "x": deep}] * 2,
        },
    ]
    for frame in frames:
        assert isinstance(fit(frame, 1, Handles()), dict)
    assert isinstance(fit(frames[1], 1, Handles(), expanding="items"), dict)
