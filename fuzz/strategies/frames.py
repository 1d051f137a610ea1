"""Reply frames as JSON text: of every kind, well formed or nearly so.

A frame is made from a right one by a few changes anywhere in it. Mostly a member is set to something from the table for
its name, which holds what is around that member's borders; members are also taken away, nulled, added, put into another
order and buried under many levels. No text holds control characters: how they stand in a template is open (YEA-Q85).
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from reference.yea import jsontext

Frame = dict[str, Any]
Values = tuple[Any, ...]


@dataclass(frozen=True)
class Spelled:
    """A number whose JSON text is not the one that a writer would choose."""

    text: str


EFFECTS = [
    {"op": "update", "target": "event/e1", "field": "start", "from": "a", "to": "b"},
    {"op": "send", "target": "ana@example.com", "detail": "invitation"},
    {"op": "create", "target": "order/o1"},
]
PROPOSAL: Frame = {
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
MORE = [
    {"handle": "h_1", "path": "data.items", "remaining": 3, "est": 40},
    {"handle": "h_2", "path": "data.a", "remaining": 2, "est": 4},
]
ASK = {"kind": "ask", "name": "a.b", "summary": "Find", "params": {"q?": "string", "o": {"n": "int", "l": ["date"]}}}
FIXES = [{"say": "less", "params": {"b": 1, "1": 2}}, {"say": "ask"}]
CONSENT = {"hash": "h", "summary": "Order"}
RECEIPT = {"id": "r_1", "summary": "Moved", "effects": EFFECTS, "undo": {"until": 1790003700}, "result": {"e": "x"}}
RIGHT: tuple[Frame, ...] = (
    {
        "kind": "BRIEF",
        "service": {"id": "s.example", "name": "S", "summary": "Does things."},
        "capabilities": [ASK, {"kind": "intent", "name": "c.d", "summary": "Do", "risk": "low"}],
        "more": MORE,
    },
    {"kind": "ANSWER", "data": {"items": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], "n": None}, "more": MORE},
    {"kind": "PROPOSALS", "proposals": [PROPOSAL]},
    {
        "kind": "PROPOSALS",
        "proposals": [PROPOSAL, {**PROPOSAL, "id": "p_2", "risk": "high"}, {**PROPOSAL, "id": "p_3"}],
    },
    {"kind": "PROPOSALS", "proposals": [PROPOSAL, {**PROPOSAL, "id": "p_2"}]},
    {"kind": "PROPOSALS", "proposals": [PROPOSAL]},
    {
        "kind": "CLARIFY",
        "question": "Which?",
        "options": [{"label": "A", "params": {"w": 1}}, {"label": "B", "params": {}}],
    },
    {"kind": "RECEIPT", "auto": True, "receipt": RECEIPT},
    {"kind": "RECEIPT", "replay": True, "receipt": RECEIPT},
    {"kind": "RECEIPT", "receipt": {**RECEIPT, "undoes": "r_0", "undo": None}},
    {
        "kind": "ERROR",
        "code": "consent_required",
        "message": "too much",
        "fix": FIXES,
        "need": [{"can": ["x.*"]}],
        "consent": CONSENT,
        "retry": 90,
    },
    {"kind": "EVENT", "message": "charging", "progress": 0.42},
    {"kind": "STATUS", "state": "ok", "lens": "L", "more": MORE},
)  # fmt: skip
WRONG: tuple[Any, ...] = (None, True, False, 0, -1, 1.5, "", "x", "soon", [], {}, [5], ["x", "y"], {"a": 1}, {"a": []})
TEXTS: Values = ("x", "a, b: c", '"quoted"', " padded ", "true", "12", "…", "é\U0001f600", "—", "{}", "a" * 210)
TIMES: Values = (
    0, 59, 60, 61, 3600, 86399, 951782400, 253402300799, 253402300800, -1, 1790000040.5, 1e300, "soon", True, [1],
    Spelled("60.0"), Spelled("6e1"), {"a": "b c"}, 2**53, "a, b: c", None,
)  # fmt: skip
DURATIONS: Values = (
    1, 60, 90, 3599, 3600, 86400, 90000, 604800, 59.5, 1e300, 2**52, 2**52 + 1, 2**53 - 1, 2**53, "soon", "90",
    "a: b, c", True, False, "", Spelled("3600.0"), Spelled("36e2"), [60], {"s": 1}, None,
)  # fmt: skip
PROGRESS: Values = (0, 1, 0.005, 0.125, 0.135, 0.375, 0.42, 0.994, 0.996, 0.999, 1.1, -0.1, 2, "0.5", True, [0.5], 1e-7)
RISKS: Values = ("low", "medium", "high", "extreme", "", "a b, c", "-", 5, True, ["low"], {"level": "low"})
SIDES: Values = (None, "", " ", "a b", "a, b", "-", "true", 0, 1.5, 1e21, True, False, "2026-01-01", ["x"], {"a": 1})
AMOUNTS: Values = (0, 1, 5, 1234567, 123456789012345, 2**53 - 1, 2**53, -1, 1.5, "1", Spelled("2290.0"), True)
SCALES: Values = (0, 1, 2, 3, 17, 18, 19, -1, 1.5, "2", Spelled("2.0"))
UNITS: Values = ("USD", "%", "kWh", "a b", "é", "x" * 17, 5)
USES: Values = (
    {}, [], "", 0, False, "x", {"A": {"amount": 1}}, {"a": {"amount": 1, "x": 1}}, {"a": {}}, {"a": 5}, {"a": None},
    {"b": {"amount": 1}, "a_b": {"amount": 2}, "a.b": {"amount": 3}, "a": {"amount": 4}, "a-b": {"amount": 5}},
    {"constructor": {"amount": 5, "unit": "%"}}, {"b": {"amount": 1, "scale": 18}, "10": {"amount": 1}}, None,
)  # fmt: skip
UNDOS: Values = (
    {"window": 2**52}, {"window": 2**52 + 1}, {"window": 0}, {"window": 59}, {"until": 0}, {"until": "soon"}, {}, None,
    {"until": None}, {"window": None}, {"window": 60, "until": 60}, True, "never", 3600, [],
)  # fmt: skip
MORES: Values = (
    [], [*MORE, *MORE], MORE[::-1], [{**MORE[0], "x": 1}], [{**MORE[0], "est": Spelled("40.0")}], {}, "h", [5], None,
    [{**MORE[0], "remaining": "3"}], [{**MORE[0], "est": 1.5}], [{**MORE[0], "handle": None}], 0, False,
)  # fmt: skip
SCHEMAS: Values = (
    {}, [], "int", {"a": 5}, {"a": ["int", "int"]}, {"a": []}, {"a": [["int"]]}, {"a": {"b": {}}}, {"a": None}, None,
    {"b": "int", "1": "date"}, {"a?": "x|y z"}, {"a": [{"b": "int"}]},
)  # fmt: skip
DATA: Values = (
    0, "x", [], [1, [2]], {"a": {}}, {"10": 1, "b": "é", "2": Spelled("1e3")}, [{"a": 1}, {"a": "x, y"}], {"a": None},
    {"b": [], "a": "…"}, False, "", [{"b": 1, "a": {}}, 5],
)  # fmt: skip
KINDS: Values = (
    "answer",
    "Answer",
    "ANSWER ",
    "EVENT",
    "BRIEF",
    "PROPOSALS",
    "RECEIPT",
    "ERROR",
    "CLARIFY",
    ["EVENT"],
    5,
    "",
)
BOOLEANS: Values = (True, False, 1, 0, "true", [])
SIDED: tuple[Frame, ...] = (
    {"from": None, "to": None}, {"from": 0}, {"to": False, "from": None}, {"from": "", "to": " "}, {"to": 1e21},
    {"field": None, "detail": None, "to": "a: b"}, {"field": 5}, {"detail": "x", "op": "other"}, {"op": "delete"},
    {"to": []}, {"target": None},
)  # fmt: skip
ACTS: Values = tuple([{"op": "update", "target": "t", **more}, EFFECTS[2]] for more in SIDED)
NEEDS: Values = ([{"b": 1, "a": "é"}], [1e21, "x"], {}, "x", ["\u2028", {"10": 1, "9": 2}], 0, False)
FITTING: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("expires", "until"), TIMES),
    **dict.fromkeys(("window", "retry"), DURATIONS),
    **dict.fromkeys(("summary", "message", "question", "label", "say", "code", "id", "name", "target"), TEXTS),
    **dict.fromkeys(("field", "detail", "hash", "undoes", "path", "handle", "lens", "state"), TEXTS),
    **dict.fromkeys(("from", "to"), SIDES),
    **dict.fromkeys(("amount", "remaining", "est"), AMOUNTS),
    **dict.fromkeys(("data", "result"), DATA),
    **dict.fromkeys(("auto", "replay"), BOOLEANS),
    **dict.fromkeys(("need", "options", "fix", "capabilities", "proposals"), NEEDS),
    "progress": PROGRESS, "risk": RISKS, "scale": SCALES, "unit": UNITS, "uses": USES, "undo": UNDOS, "more": MORES,
    "params": SCHEMAS, "kind": KINDS, "effects": ACTS,
}  # fmt: skip
RARE = {id(TEXTS): 2, id(KINDS): 2, id(MORES): 6, id(NEEDS): 3, id(BOOLEANS): 3}
ADDED = ("auto", "replay", "undoes", "result", "data", "uses", "more", "lens", "retry", "progress", "from", "x", "1")
HOW = ["fit", "fit", "fit", "fit", "fit", "fit", "wrong", "remove", "remove", "add", "turn", "bury"]
Draw = st.DrawFn
Place = tuple[Any, Any]
"""What holds a member or an element, and its name or index there."""


@st.composite
def frame_texts(draw: Draw) -> str:
    """A reply frame as JSON text, right or changed in up to three places."""
    frame: Frame = {"yea": 1, "id": "s1", "re": "1", **copy.deepcopy(draw(st.sampled_from(RIGHT)))}
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 2, 3]))):
        by_name: dict[Any, list[Place]] = {}
        for holder, name in _places(frame):
            by_name.setdefault(name, []).append((holder, name))
        how = draw(st.sampled_from(HOW))
        if how == "fit":
            _fit(by_name, draw)
        else:
            places = list(by_name.values())[draw(st.integers(0, len(by_name) - 1))]
            CHANGES[how](*places[draw(st.integers(0, len(places) - 1))], draw)
    return _text(frame)


def _fit(by_name: dict[Any, list[Place]], draw: Draw) -> None:
    """Set a member to a value from its table; every value of every table is as likely, but for the RARE."""
    names = [name for name in by_name if name in FITTING]
    weights = [RARE.get(id(FITTING[name]), len(FITTING[name])) for name in names]
    chosen = draw(st.integers(0, sum(weights) - 1))
    for name, weight in zip(names, weights, strict=True):
        if chosen < weight:
            places = by_name[name]
            _set(*places[draw(st.integers(0, len(places) - 1))], FITTING[name], draw)
            return
        chosen -= weight


def _places(value: Any) -> Iterator[Place]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        if name not in ENVELOPE:
            yield value, name
        yield from _places(inner)


ENVELOPE = ("yea", "re")


def _set(holder: Any, name: Any, values: tuple[Any, ...], draw: Draw) -> None:
    holder[name] = copy.deepcopy(draw(st.sampled_from(values)))


def _wrong(holder: Any, name: Any, draw: Draw) -> None:
    _set(holder, name, WRONG, draw)


def _remove(holder: Any, name: Any, draw: Draw) -> None:
    del holder[name]


def _add(holder: Any, name: Any, draw: Draw) -> None:
    if isinstance(holder, list):
        holder.append(copy.deepcopy(holder[name]))
    else:
        added = draw(st.sampled_from(ADDED))
        _set(holder, added, FITTING.get(added, WRONG), draw)


def _turn(holder: Any, name: Any, draw: Draw) -> None:
    """Put members or elements into the opposite order."""
    turned = list(holder.items() if isinstance(holder, dict) else holder)[::-1]
    if isinstance(holder, dict):
        holder.clear()
        holder.update(turned)
    else:
        holder[:] = turned


def _bury(holder: Any, name: Any, draw: Draw) -> None:
    """Put a value under so many levels that a limit of 32 or 64 is near."""
    levels = draw(st.integers(28, 34)) + draw(st.sampled_from([0, 32]))
    as_list = draw(st.booleans())
    for _ in range(levels):
        holder[name] = [holder[name]] if as_list else {"a": holder[name]}


CHANGES: dict[str, Callable[[Any, Any, Draw], None]] = {
    "wrong": _wrong, "remove": _remove, "add": _add, "turn": _turn, "bury": _bury,
}  # fmt: skip


def _text(value: Any) -> str:
    """The JSON text of a value that may hold Spelled numbers. It has a few hundred levels at most."""
    if isinstance(value, Spelled):
        return value.text
    if isinstance(value, dict):
        return "{" + ",".join(f"{jsontext.dumps(name)}:{_text(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return f"[{','.join(map(_text, value))}]"
    return jsontext.dumps(value)
