"""Reply renderings, one template after the other (YEA 9.2)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.yea.lens import lens_reply, lens_value
from reference.yea.lens.wellformed import KINDS
from tests.reference.yea.lens.test_depth import nested_arrays, nested_objects
from tests.reference.yea.lens.test_values import VALUES, lines
from tests.reference.yea.lens.test_wellformed import GOOD, MEMBERS, with_member

ENVELOPE = {"yea": 1, "id": "s1", "re": "c1"}


def reply(kind: str, **members: Any) -> str:
    """The Lens of a frame of a kind with these members."""
    return lens_reply({**ENVELOPE, "kind": kind, **members})


SERVICE = {"id": "x.example", "name": "X"}


def capability_line(**members: Any) -> str:
    """The line of one capability with these members."""
    return reply("BRIEF", service=SERVICE, capabilities=[{"kind": "ask", "name": "a.b", **members}]).split("\n")[1]


def test_a_brief_starts_with_the_service() -> None:
    """A missing summary gives no line, an empty one an empty line."""
    assert reply("BRIEF", service=SERVICE, capabilities=[]) == "# X (x.example)"
    assert reply("BRIEF", service={**SERVICE, "summary": None}, capabilities=[]) == "# X (x.example)"
    assert reply("BRIEF", service={**SERVICE, "summary": "S."}, capabilities=[]) == lines("# X (x.example)", "S.")
    assert reply("BRIEF", service={**SERVICE, "summary": ""}, capabilities=[]) == lines("# X (x.example)", "")


CAPABILITIES: list[tuple[dict[str, Any], str]] = [
    ({}, "ask a.b()"),
    ({"params": None, "summary": None, "risk": None}, "ask a.b()"),
    ({"params": {}}, "ask a.b()"),
    ({"summary": "Do"}, "ask a.b() — Do"),
    ({"risk": "low"}, "ask a.b() [risk:low]"),
    ({"summary": "Move", "risk": "low"}, "ask a.b() — Move [risk:low]"),
    (
        {"params": {"q?": "string", "d": "date — the day"}, "summary": "Do"},
        "ask a.b(q?: string, d: date — the day) — Do",
    ),
    ({"params": {"o": {"n?": "bool", "p": {"q": "int"}}}}, "ask a.b(o: {n?: bool, p: {q: int}})"),
    (
        {"params": {"items": [{"sku": "string", "qty": "int"}], "t": ["string"], "e": {}}},
        "ask a.b(items: [{sku: string, qty: int}], t: [string], e: {})",
    ),
    ({"params": {"a": [["string"]]}}, "ask a.b(a: [[string]])"),
    (
        {"params": {"b": "int", "10": "int", "2": {"y": "int", "1": "int"}}},
        "ask a.b(2: {1: int, y: int}, 10: int, b: int)",
    ),
    ({"params": {"a b,c": "x|y"}}, "ask a.b(a b,c: x|y)"),
]


@pytest.mark.parametrize(("members", "line"), CAPABILITIES, ids=[line for _, line in CAPABILITIES])
def test_a_capability_is_one_line(members: dict[str, Any], line: str) -> None:
    """Kind, name, params, and what is there of summary and risk."""
    assert capability_line(**members) == line


def test_an_answer_is_its_data() -> None:
    """Any value counts, and a service's own lens does not."""
    for data in ({"a": 1}, {}, [], [1], [{"a": 1}], None, False, 0, "", "a b"):
        assert reply("ANSWER", data=data) == lens_value(data)
        assert reply("ANSWER", data=data, lens="EVIL", note="n") == lens_value(data)


PROPOSAL = {
    "id": "p_1",
    "capability": "c",
    "summary": "Move it",
    "effects": [],
    "risk": "low",
    "undo": {"window": 3600},
    "expires": 1790000040,
    "hash": "h",
}
OWN = "  risk: low · undo: 1h · expires: 2026-09-21T14:14Z"


def proposals(*changes: dict[str, Any]) -> list[str]:
    """The lines of a PROPOSALS reply of one proposal for each set of changed members; a None key drops one."""
    return reply("PROPOSALS", proposals=[{**PROPOSAL, **change} for change in changes]).split("\n")


def without(*names: str) -> dict[str, Any]:
    """The proposal without some members."""
    return {name: value for name, value in PROPOSAL.items() if name not in names}


def test_one_proposal_keeps_its_attributes() -> None:
    """The header says 1 proposal, and nothing is shared with no one."""
    assert proposals({}) == ["1 proposal:", "[p_1] Move it", OWN]


def test_no_proposals() -> None:
    """The header stands alone."""
    assert proposals() == ["0 proposals:"]


EFFECTS: list[tuple[dict[str, Any], str]] = [
    ({"op": "create", "target": "t"}, "  + create t"),
    ({"op": "update", "target": "t"}, "  ~ update t"),
    ({"op": "delete", "target": "t"}, "  - delete t"),
    ({"op": "send", "target": "t"}, "  > send t"),
    ({"op": "other", "target": "t"}, "  * other t"),
    ({"op": "charge", "target": "t"}, "  * charge t"),
    ({"op": "update", "target": "event/e1", "field": "start"}, "  ~ update event/e1.start"),
    ({"op": "update", "target": "t", "from": 1, "to": 2.0}, "  ~ update t: 1 → 2"),
    ({"op": "update", "target": "t", "to": 5}, "  ~ update t: - → 5"),
    ({"op": "update", "target": "t", "from": "x"}, "  ~ update t: x → -"),
    ({"op": "update", "target": "t", "from": None, "to": 5}, "  ~ update t: - → 5"),
    ({"op": "update", "target": "t", "from": None, "to": None}, "  ~ update t"),
    ({"op": "update", "target": "t", "from": False, "to": "a,b"}, '  ~ update t: false → "a,b"'),
    ({"op": "update", "target": "t", "from": 0, "to": ""}, '  ~ update t: 0 → ""'),
    ({"op": "update", "target": "t", "from": "-", "to": "2026-01-01T00:00Z"}, '  ~ update t: "-" → 2026-01-01T00:00Z'),
    ({"op": "send", "target": "a@b", "detail": "update notification"}, "  > send a@b — update notification"),
    ({"op": "send", "target": "t", "detail": None, "field": None}, "  > send t"),
    (
        {"detail": "d", "to": 2, "from": 1, "field": "f", "target": "t", "op": "update", "x": 1},
        "  ~ update t.f: 1 → 2 — d",
    ),
]


@pytest.mark.parametrize(("effect", "line"), EFFECTS, ids=[line.strip() for _, line in EFFECTS])
def test_an_effect_is_one_line(effect: dict[str, Any], line: str) -> None:
    """Sign, op and target, then the field, the change and the detail that are there."""
    assert proposals({"effects": [effect]}) == ["1 proposal:", "[p_1] Move it", line, OWN]


USES: list[tuple[Any, str]] = [
    ({"emails": {"amount": 1}}, "emails 1"),
    (
        {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}},
        "emails 1, spend 22.90 USD",
    ),
    ({"b_x": {"amount": 1}, "b.x": {"amount": 2}, "b-x": {"amount": 3}}, "b-x 3, b.x 2, b_x 1"),
    ({"a": {"amount": 5, "scale": 3}}, "a 0.005"),
    ({"a": {"amount": 9007199254740991, "scale": 18, "unit": "km/h"}}, "a 0.009007199254740991 km/h"),
    ({"constructor": {"amount": 1}}, "constructor 1"),
    ({"a": {"amount": 1}, "B": {"amount": 1}}, "?"),
    ({"a": {"amount": 1}, "b": {"amount": -1}}, "?"),
    ({"a": {"amount": 1, "note": "x"}}, "?"),
    ({"a": 5}, "?"),
    ({"a": {}}, "?"),
    ({"a": None}, "?"),
    ([], "?"),
    ("x", "?"),
    ("", "?"),
    (0, "?"),
    (None, "?"),
    (False, "?"),
]


@pytest.mark.parametrize(("uses", "text"), USES, ids=str)
def test_uses_list_each_measure_or_nothing_of_them(uses: Any, text: str) -> None:
    """In the order of the names, or ? as a whole."""
    assert proposals({"uses": uses}) == ["1 proposal:", "[p_1] Move it", f"  uses: {text} · {OWN.strip()}"]


def test_absent_and_empty_uses_are_left_out() -> None:
    """Both use nothing."""
    assert proposals({"uses": {}}) == proposals({}) == ["1 proposal:", "[p_1] Move it", OWN]


UNDOS: list[tuple[Any, str]] = [
    ({"window": 60}, "1m"),
    ({"window": 60.0, "x": 1}, "1m"),
    ({"window": 1}, "1s"),
    ({"window": 86400}, "1d"),
    ({"window": 2**52}, "4503599627370496s"),
    ({"window": 2**52 + 1}, "never"),
    ({"window": 0}, "never"),
    ({"window": -0.0}, "never"),
    ({"window": -5}, "never"),
    ({"window": 1.5}, "never"),
    ({"window": 90.5}, "never"),
    ({"window": "60"}, "never"),
    ({"window": "soon"}, "never"),
    ({"window": True}, "never"),
    ({"window": None}, "never"),
    ({"window": [60]}, "never"),
    ({}, "never"),
    ([60], "never"),
    (60, "never"),
    (True, "never"),
    (False, "never"),
    ("60", "never"),
    (None, "never"),
]


@pytest.mark.parametrize(("undo", "text"), UNDOS, ids=str)
def test_an_undo_is_a_positive_window_up_to_2_to_the_52_or_never(undo: Any, text: str) -> None:
    """Anything else cannot be undone."""
    assert proposals({"undo": undo})[2] == f"  risk: low · undo: {text} · expires: 2026-09-21T14:14Z"


RISKS: list[tuple[Any, str]] = [
    ("high", "high"),
    ("extreme", "extreme"),
    ("a,b", '"a,b"'),
    (5, "5"),
    (None, "-"),
    (True, "true"),
    ({"a": [1, 2.0]}, '{"a":[1,2]}'),
    ([], "[]"),
]


@pytest.mark.parametrize(("risk", "text"), RISKS, ids=str)
def test_a_risk_is_its_lean_scalar(risk: Any, text: str) -> None:
    """Whatever it is."""
    assert proposals({"risk": risk})[2] == f"  risk: {text} · undo: 1h · expires: 2026-09-21T14:14Z"


def test_missing_attributes_render_as_null_does() -> None:
    """Risk and expiry as -, undo as never."""
    frame = {**ENVELOPE, "kind": "PROPOSALS", "proposals": [without("risk", "undo", "expires")]}
    assert lens_reply(frame).split("\n")[2] == "  risk: - · undo: never · expires: -"


EMAILS = {"uses": {"emails": {"amount": 1}}}
ALL = "risk: low · undo: 1h · expires: 2026-09-21T14:14Z"
SHARING: list[tuple[str, list[dict[str, Any]], str, list[str]]] = [
    ("all alike", [{}, {}, {}], f" — {ALL}", ["", "", ""]),
    ("risk differs", [{}, {"risk": "high"}], " — undo: 1h · expires: 2026-09-21T14:14Z", ["risk: low", "risk: high"]),
    (
        "uses and expires differ",
        [EMAILS, {"uses": {"emails": {"amount": 2}}, "expires": 0}],
        " — risk: low · undo: 1h",
        [
            "uses: emails 1 · expires: 2026-09-21T14:14Z",
            "uses: emails 2 · expires: 1970-01-01T00:00Z",
        ],
    ),
    (
        "everything differs",
        [EMAILS, {"risk": 1, "undo": None, "expires": 0}],
        "",
        [f"uses: emails 1 · {ALL}", "risk: 1 · undo: never · expires: 1970-01-01T00:00Z"],
    ),
    ("uses alike", [EMAILS, EMAILS], f" — uses: emails 1 · {ALL}", ["", ""]),
    ("uses on the first only", [EMAILS, {}], f" — {ALL}", ["uses: emails 1", ""]),
    ("uses on the second only", [{}, EMAILS], f" — {ALL}", ["", "uses: emails 1"]),
    ("uses on two of three", [EMAILS, {"uses": {}}, EMAILS], f" — {ALL}", ["uses: emails 1", "", "uses: emails 1"]),
    ("uses malformed alike", [{"uses": 5}, {"uses": []}], f" — uses: ? · {ALL}", ["", ""]),
    ("uses empty and absent", [{"uses": {}}, {}], f" — {ALL}", ["", ""]),
    (
        "one value, two spellings",
        [{"uses": {"a": {"amount": 10, "scale": 1}}}, {"uses": {"a": {"amount": 100, "scale": 2}}}],
        f" — {ALL}",
        ["uses: a 1.0", "uses: a 1.00"],
    ),
    (
        "two values, one spelling",
        [{"undo": {"window": 3600, "x": 1}, "expires": 1790000040.0}, {}],
        f" — {ALL}",
        ["", ""],
    ),
    ("two ways of never", [{"undo": None}, {"undo": {}}], f" — {ALL.replace('1h', 'never')}", ["", ""]),
    (
        "the third differs",
        [{}, {}, {"undo": None}],
        " — risk: low · expires: 2026-09-21T14:14Z",
        ["undo: 1h", "undo: 1h", "undo: never"],
    ),
]


@pytest.mark.parametrize(
    ("changes", "header", "own"), [case[1:] for case in SHARING], ids=[case[0] for case in SHARING]
)
def test_two_or_more_proposals_share_what_renders_alike(
    changes: list[dict[str, Any]], header: str, own: list[str]
) -> None:
    """What all render alike moves to the header; a line without attributes is left out."""
    wanted = [f"{len(changes)} proposals{header}:"]
    for line in own:
        wanted += ["[p_1] Move it", *([f"  {line}"] if line else [])]
    assert proposals(*changes) == wanted


DATA: list[tuple[Any, list[str]]] = [
    ({"eta": "noon", "i": [{"a": 1}]}, ["  data:", "    eta: noon", "    i[1]{a}:", "      1"]),
    ({}, ["  data: {}"]),
    ([], ["  data: []"]),
    ([1, 2], ["  data: [1, 2]"]),
    ([{"a": 1}], ["  data[1]{a}:", "    1"]),
    (5, ["  data: 5"]),
    ("a,b", ['  data: "a,b"']),
    (None, ["  data: -"]),
]


@pytest.mark.parametrize(("data", "wanted"), DATA, ids=str)
def test_data_comes_last_as_a_member_at_indent_1(data: Any, wanted: list[str]) -> None:
    """After the attribute line, or after the effects when that is left out."""
    assert proposals({"data": data}) == ["1 proposal:", "[p_1] Move it", OWN, *wanted]
    assert proposals({"data": data}, {})[1:-1] == ["[p_1] Move it", *wanted]


def test_clarify_numbers_its_options() -> None:
    """From 1, two spaces in; none are fine."""
    options = [{"label": "A", "params": {"a": 1}}, {"label": "B"}]
    assert reply("CLARIFY", question="Which?", options=options) == lines("? Which?", "  1. A", "  2. B")
    assert reply("CLARIFY", question="Which?", options=[]) == "? Which?"


RECEIPT = {"id": "r_1", "proposal": "p", "capability": "c", "summary": "Moved", "at": 1790000100, "effects": []}
EFFECT = {"op": "create", "target": "t"}
RECEIPTS: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    ("no undo", {}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("undo null", {"undo": None}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("undo true", {"undo": True}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("undo a window", {"undo": {"window": 60}}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("undo an array", {"undo": ["until"]}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("until", {"undo": {"until": 1790003700}}, {}, ["✓ Moved (receipt r_1) · undo until 2026-09-21T15:15Z"]),
    ("until soon", {"undo": {"until": "soon"}}, {}, ["✓ Moved (receipt r_1) · undo until soon"]),
    ("until 1.5", {"undo": {"until": 1.5}}, {}, ["✓ Moved (receipt r_1) · undo until 1.5"]),
    ("until null", {"undo": {"until": None}}, {}, ["✓ Moved (receipt r_1) · undo until -"]),
    ("replay", {}, {"replay": True}, ["✓ Moved (receipt r_1) (replay) · irreversible"]),
    ("no replay", {}, {"replay": False, "auto": None}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("effects without auto", {"effects": [EFFECT]}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("effects, auto false", {"effects": [EFFECT]}, {"auto": False}, ["✓ Moved (receipt r_1) · irreversible"]),
    (
        "effects, auto true",
        {"effects": [EFFECT], "result": 1},
        {"auto": True, "replay": True},
        ["✓ Moved (receipt r_1) (replay) · irreversible", "  + create t", "  result: 1"],
    ),
    ("auto without effects", {"effects": None}, {"auto": True}, ["✓ Moved (receipt r_1) · irreversible"]),
    (
        "result",
        {"result": {"event": "e42"}},
        {},
        ["✓ Moved (receipt r_1) · irreversible", "  result:", "    event: e42"],
    ),
    ("result a list", {"result": [1, 2]}, {}, ["✓ Moved (receipt r_1) · irreversible", "  result: [1, 2]"]),
    (
        "result a table",
        {"result": [{"a": 1}]},
        {},
        ["✓ Moved (receipt r_1) · irreversible", "  result[1]{a}:", "    1"],
    ),
    ("result null", {"result": None}, {}, ["✓ Moved (receipt r_1) · irreversible", "  result: -"]),
    ("undoes null", {"undoes": None}, {}, ["✓ Moved (receipt r_1) · irreversible"]),
    ("undone", {"undoes": "r_0", "undo": {"until": 0}}, {}, ["↶ undid r_0: Moved (receipt r_1)"]),
    (
        "undone again",
        {"undoes": "r_0", "effects": [EFFECT], "result": {"a": 1}},
        {"replay": True, "auto": True},
        ["↶ undid r_0: Moved (receipt r_1) (replay)", "  result:", "    a: 1"],
    ),
]


@pytest.mark.parametrize(
    ("receipt", "frame", "wanted"), [case[1:] for case in RECEIPTS], ids=[case[0] for case in RECEIPTS]
)
def test_a_receipt(receipt: dict[str, Any], frame: dict[str, Any], wanted: list[str]) -> None:
    """Its line, an auto-commit's effects, its result; an undo's receipt has no effects."""
    assert reply("RECEIPT", receipt={**RECEIPT, **receipt}, **frame).split("\n") == wanted


ERRORS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("nothing else", {}, []),
    ("nulls", {"fix": None, "need": None, "consent": None, "retry": None}, []),
    ("empty fix", {"fix": []}, []),
    (
        "fixes",
        {"fix": [{"say": "use x", "params": {"b": 1.0, "1": None}}, {"say": "ask"}, {"say": "n", "params": {}}]},
        ['  fix: use x → params {"1":null,"b":1}', "  fix: ask", "  fix: n → params {}"],
    ),
    ("need", {"need": [{"can": ["x.*"]}, {"exp": 1e21}]}, ['  need: [{"can":["x.*"]},{"exp":1e+21}]']),
    ("consent", {"consent": {"hash": "h2", "summary": "Order"}}, ["  consent: principal must approve h2 (Order)"]),
    ("retry", {"retry": 3600}, ["  retry in: 1h"]),
    ("retry in no time", {"retry": 0}, ["  retry in: 0s"]),
    ("retry malformed", {"retry": {"a": 1}}, ['  retry in: {"a":1}']),
    (
        "all, in another order",
        {
            "retry": "soon",
            "consent": {"summary": "s", "hash": "h"},
            "need": [1],
            "fix": [{"params": None, "say": "f"}],
        },
        ["  fix: f", "  need: [1]", "  consent: principal must approve h (s)", "  retry in: soon"],
    ),
]


@pytest.mark.parametrize(("members", "wanted"), [case[1:] for case in ERRORS], ids=[case[0] for case in ERRORS])
def test_an_error(members: dict[str, Any], wanted: list[str]) -> None:
    """Fix, need, consent and retry, in this order, and only those that are there."""
    assert reply("ERROR", **members, code="expired", message="too late").split("\n") == ["✗ expired: too late", *wanted]


PROGRESS: list[tuple[Any, str]] = [
    (0, " (0%)"),
    (-0.0, " (0%)"),
    (1, " (100%)"),
    (1.0, " (100%)"),
    (0.42, " (42%)"),
    (0.5, " (50%)"),
    (0.004, " (0%)"),
    (0.005, " (1%)"),
    (0.994, " (99%)"),
    (0.996, " (100%)"),
    (5e-324, " (0%)"),
    (-5e-324, ""),
    (-0.1, ""),
    (1.1, ""),
    (1.0000000000000002, ""),
    (50, ""),
    (10**400, ""),
    ("0.5", ""),
    (True, ""),
    (False, ""),
    (None, ""),
    ({}, ""),
    ([0.5], ""),
]


@pytest.mark.parametrize(("progress", "text"), PROGRESS, ids=str)
def test_an_event_shows_its_progress_in_percent(progress: Any, text: str) -> None:
    """A number of [0, 1], rounded half up; any other value is left out."""
    assert reply("EVENT", message="charging", progress=progress, data={"a": 1}) == f"… charging{text}"


def test_an_event_without_progress() -> None:
    """The message alone."""
    assert reply("EVENT", message="charging") == "… charging"


MORE = [
    {"handle": "h_1", "path": "data.events", "remaining": 37, "est": 1840},
    {"est": 5.0, "path": "data.b", "handle": "h_2", "remaining": -0.0, "x": 1},
]
MORE_LINES = [
    "… 37 more at data.events — EXPAND h_1 (~1840 tokens)",
    "… 0 more at data.b — EXPAND h_2 (~5 tokens)",
]


@pytest.mark.parametrize("kind", [*KINDS, "STATUS"])
def test_more_lines_end_a_reply_of_any_kind(kind: str) -> None:
    """One for each entry, in their order; null and none add nothing."""
    frame = {**ENVELOPE, "kind": kind, **GOOD.get(kind, {"state": "ok"})}
    text = lens_reply(frame)
    assert lens_reply({"more": MORE, **frame}) == lines(text, *MORE_LINES)
    assert lens_reply({**frame, "more": None}) == lens_reply({**frame, "more": []}) == text


UNKNOWN: list[tuple[str, dict[str, Any], list[str]]] = [
    ("new kind", {"yea": 1, "id": "s", "re": "c", "kind": "STATUS", "state": "ok"}, ["kind: STATUS", "state: ok"]),
    (
        "in their order",
        {"z": 1, "yea": 1, "kind": "X", "lens": "L", "a": 2, "id": "s", "re": "c"},
        ["z: 1", "kind: X", "a: 2"],
    ),
    ("no kind", {**ENVELOPE, "state": "ok"}, ["state: ok"]),
    ("kind no string", {**ENVELOPE, "kind": 5, "data": [1]}, ["kind: 5", "data: [1]"]),
    ("kind an object", {"kind": {"ANSWER": []}, "data": 1}, ["kind:", "  ANSWER: []", "data: 1"]),
    ("nothing to render", {**ENVELOPE, "more": None}, ["{}"]),
    ("nothing but more", {**ENVELOPE, "more": MORE}, ["{}", *MORE_LINES]),
    ("answer without data", {"kind": "ANSWER", "note": "n"}, ["kind: ANSWER", "note: n"]),
    ("malformed more", {"kind": "ANSWER", "data": 1, "more": "x"}, ["kind: ANSWER", "data: 1", "more: x"]),
    ("malformed more first", {"more": [], "kind": "X"}, ["kind: X"]),
    (
        "malformed more of an unknown kind",
        {"more": [{"handle": "h"}], "kind": "X", "lens": 1},
        ["more[1]{handle}:", "  h", "kind: X"],
    ),
    ("members in property order", {"b": 1, "10": 2, "2": 3}, ['"2": 3', '"10": 2', "b: 1"]),
    ("__proto__", {"__proto__": {"kind": "EVENT", "message": "m"}}, ["__proto__:", "  kind: EVENT", "  message: m"]),
]


@pytest.mark.parametrize(("frame", "wanted"), [case[1:] for case in UNKNOWN], ids=[case[0] for case in UNKNOWN])
def test_any_other_frame_is_the_lean_notation_of_its_members(frame: dict[str, Any], wanted: list[str]) -> None:
    """Without yea, id, re, lens and a good more."""
    assert lens_reply(frame).split("\n") == wanted


@pytest.mark.parametrize("value", [None, True, 5, "x", [], [1], [{"kind": "ANSWER", "data": 1}]], ids=str)
def test_what_is_no_object_is_its_lean_notation(value: Any) -> None:
    """There is no frame to read."""
    assert lens_reply(value) == lens_value(value)


def test_the_levels_of_a_reply_count_from_the_frame() -> None:
    """Its members are level 1, so that data shows 63 levels of its own."""
    assert "…" not in reply("ANSWER", data=nested_objects(63, 1))
    assert reply("ANSWER", data=nested_objects(64, 1)).split("\n")[-1] == "  " * 62 + 'k: "…"'
    assert reply("ANSWER", data=nested_objects(63, [])).split("\n")[-1] == "  " * 62 + 'k: "…"'


DEEP = nested_arrays(100_000, 1)


def test_the_cut_applies_everywhere() -> None:
    """In compact JSON, below a member that is no composite, in an unknown kind, at the level counted there."""
    assert reply("ERROR", code="c", message="m", need=DEEP).split("\n")[1] == "  need: " + "[" * 63 + '"…"' + "]" * 63
    params = reply("ERROR", code="c", message="m", fix=[{"say": "s", "params": {"a": DEEP}}]).split("\n")[1]
    assert params == '  fix: s → params {"a":' + "[" * 60 + '"…"' + "]" * 60 + "}"
    assert proposals({"risk": DEEP})[2].startswith("  risk: " + "[" * 61 + '"…"' + "]" * 61 + " · undo")
    assert reply("STATUS", state=DEEP).split("\n")[2] == "  - " + "[" * 62 + '"…"' + "]" * 62
    assert reply("EVENT", message=DEEP).startswith("kind: EVENT\nmessage[1]:")


HOSTILE: list[Any] = [None, 0, -1, 1.5, "", "x", True, False, [], {}, [5], [{}], [[]], DEEP, {"__proto__": 1}, 10**400]


@pytest.mark.parametrize("kind", KINDS)
def test_no_member_of_any_value_makes_it_raise(kind: str) -> None:
    """Each member of each kind, and the envelope, set to each of many odd values, or left out."""
    members = [*MEMBERS[kind], "yea", "id", "re", "kind", "more", "lens"]
    for member in members:
        frames = [with_member(kind, member), *(with_member(kind, member, value) for value in HOSTILE)]
        assert all(isinstance(lens_reply(frame), str) for frame in frames)


def test_texts_in_a_template_are_inserted_as_they_are() -> None:
    """Line breaks, quotes and lone surrogates of a message are the service's own."""
    assert reply("EVENT", message='a\n"b"\ud800') == '… a\n"b"\ud800'


@given(st.sampled_from(sorted(KINDS)), st.data())
@settings(max_examples=150)
def test_a_random_change_never_makes_it_raise(kind: str, data: st.DataObject) -> None:
    """A frame that went through JSON renders the same."""
    frame = with_member(kind, data.draw(st.sampled_from(sorted(MEMBERS[kind]))), data.draw(VALUES))
    text = lens_reply(frame)
    assert text == lens_reply(json.loads(json.dumps(frame)))
