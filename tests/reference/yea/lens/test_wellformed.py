"""Which frames are well-formed (YEA 9.2)."""

from typing import Any

import pytest

from reference.yea.lens.wellformed import KINDS, known_kind

EFFECT = {"op": "update", "target": "t"}
GOOD: dict[str, dict[str, Any]] = {
    "BRIEF": {"service": {"id": "x", "name": "X"}, "capabilities": [{"kind": "ask", "name": "a.b"}]},
    "ANSWER": {"data": 1},
    "PROPOSALS": {"proposals": [{"id": "p", "summary": "s", "effects": [EFFECT]}]},
    "CLARIFY": {"question": "q", "options": [{"label": "l"}]},
    "RECEIPT": {"receipt": {"id": "r", "summary": "s"}},
    "ERROR": {"code": "c", "message": "m"},
    "EVENT": {"message": "m"},
}

STRING, OPTIONAL_STRING, ANY = ("string",), ("string", "absent"), ("string", "array", "object", "number", "boolean")
SCALAR = ("string", "number", "boolean", "absent")

MEMBERS: dict[str, dict[str, tuple[str, ...]]] = {
    "BRIEF": {
        "service": (),
        "service.id": STRING,
        "service.name": STRING,
        "service.summary": OPTIONAL_STRING,
        "capabilities": ("array",),
        "capabilities.0": (),
        "capabilities.0.kind": STRING,
        "capabilities.0.name": STRING,
        "capabilities.0.summary": OPTIONAL_STRING,
        "capabilities.0.risk": OPTIONAL_STRING,
        "capabilities.0.params": ("object", "absent"),
    },
    "ANSWER": {"data": (*ANY, "null")},
    "PROPOSALS": {
        "proposals": ("array",),
        "proposals.0": (),
        "proposals.0.id": STRING,
        "proposals.0.summary": STRING,
        "proposals.0.effects": ("array",),
        "proposals.0.effects.0": (),
        "proposals.0.effects.0.op": STRING,
        "proposals.0.effects.0.target": STRING,
        "proposals.0.effects.0.field": OPTIONAL_STRING,
        "proposals.0.effects.0.detail": OPTIONAL_STRING,
        "proposals.0.effects.0.from": SCALAR,
        "proposals.0.effects.0.to": SCALAR,
        "proposals.0.risk": (*ANY, "absent"),
        "proposals.0.undo": (*ANY, "absent"),
        "proposals.0.expires": (*ANY, "absent"),
        "proposals.0.uses": (*ANY, "absent"),
        "proposals.0.hash": (*ANY, "absent"),
        "proposals.0.capability": (*ANY, "absent"),
        "proposals.0.data": (*ANY, "absent"),
    },
    "CLARIFY": {
        "question": STRING,
        "options": ("array",),
        "options.0": (),
        "options.0.label": STRING,
        "options.0.params": (*ANY, "absent"),
    },
    "RECEIPT": {
        "receipt": (),
        "receipt.id": STRING,
        "receipt.summary": STRING,
        "receipt.undoes": OPTIONAL_STRING,
        "receipt.effects": ("array", "absent"),
        "receipt.undo": (*ANY, "absent"),
        "receipt.result": (*ANY, "absent"),
        "receipt.at": (*ANY, "absent"),
        "receipt.proposal": (*ANY, "absent"),
        "replay": ("boolean", "absent"),
        "auto": ("boolean", "absent"),
    },
    "ERROR": {
        "code": STRING,
        "message": STRING,
        "fix": ("array", "absent"),
        "need": ("array", "absent"),
        "consent": ("absent",),
        "retry": (*ANY, "absent"),
    },
    "EVENT": {"message": STRING, "progress": (*ANY, "absent"), "data": (*ANY, "absent")},
}
"""The types that each member may have, "absent" standing for null as well. An empty object or array is its type's."""

SAMPLES: dict[str, list[Any]] = {
    "string": ["", "x"],
    "array": [[]],
    "object": [{}],
    "number": [0, 5, -1.5, 2**60],
    "boolean": [True, False],
}

PAIRS = [(kind, member) for kind, members in MEMBERS.items() for member in members]


def with_member(kind: str, path: str, *value: Any) -> dict[str, Any]:
    """A good frame of a kind with one member set to a value, or without it when there is none."""

    def rebuilt(holder: Any, steps: list[str]) -> Any:
        copy = list(holder) if isinstance(holder, list) else dict(holder)
        step: Any = int(steps[0]) if isinstance(holder, list) else steps[0]
        if steps[1:]:
            copy[step] = rebuilt(holder[step], steps[1:])
        elif value:
            copy[step] = value[0]
        else:
            copy = copy[:step] if isinstance(copy, list) else {k: v for k, v in copy.items() if k != step}
        return copy

    frame: dict[str, Any] = rebuilt({"yea": 1, "id": "s", "re": "c", "kind": kind, **GOOD[kind]}, path.split("."))
    return frame


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_frame_of_each_kind_is_well_formed(kind: str) -> None:
    """With further members too."""
    frame = {"kind": kind, **GOOD[kind]}
    assert known_kind(frame) == kind
    assert known_kind({"new": {"a": 1}, **frame, "also": None}) == kind


@pytest.mark.parametrize(("kind", "member"), PAIRS)
def test_each_member_has_its_types(kind: str, member: str) -> None:
    """Every other type makes the frame one of no known kind."""
    allowed = MEMBERS[kind][member]
    for name, values in SAMPLES.items():
        for value in values:
            wanted = kind if name in allowed else None
            assert known_kind(with_member(kind, member, value)) == wanted, (member, value)


@pytest.mark.parametrize(("kind", "member"), PAIRS)
def test_null_counts_as_absent_for_an_optional_member_only(kind: str, member: str) -> None:
    """A required one must be there, and null is not its type unless any value is."""
    allowed = MEMBERS[kind][member]
    absent = kind if "absent" in allowed or member.endswith(".0") else None
    assert known_kind(with_member(kind, member)) == absent
    assert known_kind(with_member(kind, member, None)) == (kind if "absent" in allowed or "null" in allowed else None)


EFFECTS_BAD: list[Any] = [
    [5],
    ["x"],
    [None],
    [{}],
    [{"op": "update"}],
    [{"op": 1, "target": "t"}],
    [{**EFFECT, "field": 5}],
    [{**EFFECT, "detail": {}}],
    [{**EFFECT, "from": {}}],
    [{**EFFECT, "to": [1]}],
    [EFFECT, {**EFFECT, "to": []}],
]


@pytest.mark.parametrize("effects", EFFECTS_BAD, ids=str)
def test_a_receipts_effects_are_effects(effects: Any) -> None:
    """The same as a proposal's."""
    assert known_kind(with_member("RECEIPT", "receipt.effects", effects)) is None
    assert known_kind(with_member("PROPOSALS", "proposals.0.effects", effects)) is None


ERRORS: list[tuple[str, Any, bool]] = [
    ("fix", [{"say": "s", "params": {"a": [1]}}], True),
    ("fix", [{"say": "s", "params": None}], True),
    ("fix", ["x"], False),
    ("fix", [{"params": {}}], False),
    ("fix", [{"say": 5}], False),
    ("fix", [{"say": "s", "params": []}], False),
    ("need", ["x", 1, None], True),
    ("consent", {"hash": "h", "summary": "s"}, True),
    ("consent", {"hash": "h"}, False),
    ("consent", {"summary": "s"}, False),
    ("consent", {"hash": 1, "summary": "s"}, False),
]


@pytest.mark.parametrize(("member", "value", "good"), ERRORS, ids=str)
def test_the_parts_of_an_error(member: str, value: Any, good: bool) -> None:
    """Fixes and the consent are records of their own."""
    assert known_kind(with_member("ERROR", member, value)) == ("ERROR" if good else None)


def nested_schema(levels: int, *wrappers: str) -> Any:
    """A string with so many schemas and arrays around it, taken in turn from the outside."""
    schema: Any = "int"
    for level in reversed(range(levels)):
        schema = [schema] if wrappers[level % len(wrappers)] == "array" else {"k": schema}
    return schema


SCHEMAS: list[tuple[str, Any, bool]] = [
    ("no params", {}, True),
    ("every form", {"a?": "string", "b": {"c": "int", "d": {}}, "e": ["string"], "f": [{"g": ["bool"]}]}, True),
    ("array in an array", {"a": [["string"]]}, True),
    ("number", {"a": 5}, False),
    ("null", {"a": None}, False),
    ("boolean", {"a": True}, False),
    ("empty array", {"a": []}, False),
    ("two elements", {"a": ["x", "y"]}, False),
    ("number in an array", {"a": [5]}, False),
    ("number further in", {"a": {"b": [{"c": 1}]}}, False),
    ("32 objects below", {"a": nested_schema(32, "object")}, True),
    ("33 objects below", {"a": nested_schema(33, "object")}, False),
    ("32 arrays below", {"a": nested_schema(32, "array")}, True),
    ("33 arrays below", {"a": nested_schema(33, "array")}, False),
    ("32 mixed below", {"a": nested_schema(32, "array", "object")}, True),
    ("33 mixed below", {"a": nested_schema(33, "object", "array")}, False),
    ("32 below, the last empty", {"a": nested_schema(31, "object") | {"e": {}}}, True),
]


@pytest.mark.parametrize(("schema", "good"), [case[1:] for case in SCHEMAS], ids=[case[0] for case in SCHEMAS])
def test_a_param_schema(schema: Any, good: bool) -> None:
    """Strings, schemas, and arrays of one of these, at most 32 levels below the top one."""
    assert known_kind(with_member("BRIEF", "capabilities.0.params", schema)) == ("BRIEF" if good else None)


MORE = {"handle": "h", "path": "p", "remaining": 1, "est": 2}
MORES: list[tuple[Any, bool]] = [
    (None, True),
    ([], True),
    ([MORE, MORE], True),
    ([{**MORE, "x": {}}], True),
    ([{**MORE, "est": 5.0, "remaining": -0.0}], True),
    ([{**MORE, "est": 2**53 - 1, "remaining": -(2**53) + 1}], True),
    ([{**MORE, "est": 5.5}], False),
    ([{**MORE, "est": "5"}], False),
    ([{**MORE, "est": 2**53}], False),
    ([{**MORE, "est": float(2**53)}], False),
    ([{**MORE, "remaining": -(2**53)}], False),
    ([{**MORE, "remaining": True}], False),
    ([{**MORE, "remaining": None}], False),
    ([{**MORE, "handle": 5}], False),
    ([{**MORE, "path": None}], False),
    ([{"handle": "h", "path": "p", "remaining": 1}], False),
    ([MORE, 5], False),
    ({}, False),
    (MORE, False),
    ("x", False),
    (0, False),
    (False, False),
]


@pytest.mark.parametrize(("more", "good"), MORES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_a_malformed_more_spoils_a_frame_of_any_kind(kind: str, more: Any, good: bool) -> None:
    """It is absent, null, or a list of entries with integers and strings."""
    assert known_kind({"kind": kind, **GOOD[kind], "more": more}) == (kind if good else None)


@pytest.mark.parametrize("kind", [None, 5, "STATUS", "answer", "", [], {}, True])
def test_any_other_kind_is_unknown(kind: Any) -> None:
    """So is a missing one."""
    assert known_kind({"kind": kind, **GOOD["ANSWER"]}) is None
    assert known_kind(GOOD["ANSWER"]) is None
