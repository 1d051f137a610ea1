"""Reply frames as JSON text: of every kind, well formed or nearly so.

A frame is made from a right one by setting, removing or nulling a few members anywhere in it, and by giving numbers and
times the values around their borders.
"""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from reference.yea import jsontext

EFFECTS = [
    {"op": "update", "target": "event/e1", "field": "start", "from": "a", "to": "b"},
    {"op": "send", "target": "ana@example.com", "detail": "invitation"},
    {"op": "create", "target": "order/o1"},
]
PROPOSAL: dict[str, Any] = {
    "id": "p_1",
    "capability": "c.d",
    "summary": "Move it",
    "effects": EFFECTS,
    "uses": {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}},
    "risk": "low",
    "undo": {"window": 3600},
    "expires": 1790000040,
    "hash": "h",
    "data": {"eta": "noon", "rows": [{"a": 1}, {"a": 2}]},
}
MORE = [{"handle": "h_1", "path": "data.items", "remaining": 3, "est": 40}]
RIGHT: tuple[dict[str, Any], ...] = (
    {
        "kind": "BRIEF",
        "service": {"id": "s.example", "name": "S", "summary": "Does things."},
        "capabilities": [
            {
                "kind": "ask",
                "name": "a.b",
                "summary": "Find",
                "params": {"q?": "string", "o": {"n": "int", "l": ["date"]}},
            },
            {"kind": "intent", "name": "c.d", "summary": "Do", "risk": "low"},
        ],
        "more": MORE,
    },
    {"kind": "ANSWER", "data": {"items": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], "n": None}, "more": MORE},
    {"kind": "PROPOSALS", "proposals": [PROPOSAL]},
    {
        "kind": "PROPOSALS",
        "proposals": [PROPOSAL, {**PROPOSAL, "id": "p_2", "risk": "high"}, {**PROPOSAL, "id": "p_3"}],
    },
    {
        "kind": "CLARIFY",
        "question": "Which?",
        "options": [{"label": "A", "params": {"w": 1}}, {"label": "B", "params": {}}],
    },
    {
        "kind": "RECEIPT",
        "auto": True,
        "replay": False,
        "receipt": {
            "id": "r_1",
            "summary": "Moved",
            "effects": EFFECTS,
            "undo": {"until": 1790003700},
            "result": {"e": "x"},
        },
    },
    {
        "kind": "RECEIPT",
        "receipt": {"id": "r_2", "undoes": "r_1", "summary": "Moved", "effects": EFFECTS, "undo": None},
    },
    {
        "kind": "ERROR",
        "code": "consent_required",
        "message": "too much",
        "fix": [{"say": "less", "params": {"b": 1, "1": 2}}, {"say": "ask"}],
        "need": [{"can": ["x.*"]}],
        "consent": {"hash": "h", "summary": "Order"},
        "retry": 90,
    },
    {"kind": "EVENT", "message": "charging", "progress": 0.42},
    {"kind": "STATUS", "state": "ok", "lens": "L", "more": MORE},
)
WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    1.5,
    "",
    "x",
    "soon",
    [],
    {},
    [5],
    ["x", "y"],
    {"a": 1},
    {"a": []},
)
BORDERS: tuple[Any, ...] = (
    59, 60, 61, 3599, 3600, 86400, 90000, 253402300799, 253402300800, 2**52, 2**52 + 1, 2**53 - 1, 2**53,
    0.005, 0.994, 0.996, 1.0, 1.1, -0.1, {"window": 2**52}, {"window": 2**52 + 1}, {"window": 0}, {"until": 0},
    {"until": "soon"}, {"a": {"amount": 1, "scale": 18}}, {"a": {"amount": 2**53}}, {"A": {"amount": 1}},
    {"a": {"amount": 1, "x": 1}}, {"constructor": {"amount": 5, "unit": "%"}},
)  # fmt: skip
Path = tuple[str | int, ...]


@st.composite
def frame_texts(draw: st.DrawFn) -> str:
    """A reply frame as JSON text, right or changed in up to three places."""
    frame: dict[str, Any] = {"yea": 1, "id": "s1", "re": "1", **copy.deepcopy(draw(st.sampled_from(RIGHT)))}
    for _ in range(draw(st.integers(0, 3))):
        path = draw(st.sampled_from(sorted(_paths(frame), key=str)))
        _change(frame, path, draw(st.sampled_from(["set", "set", "border", "remove", "null"])), draw)
    return jsontext.dumps(frame)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        yield (*path, name)
        yield from _paths(inner, (*path, name))


def _change(frame: Any, path: Path, how: str, draw: st.DrawFn) -> None:
    *before, last = path
    holder = frame
    for step in before:
        holder = holder[step]
    if how == "remove":
        del holder[last]
    elif how == "null":
        holder[last] = None
    else:
        holder[last] = copy.deepcopy(draw(st.sampled_from(WRONG if how == "set" else BORDERS)))
