"""Cases of lens.reply: each member of each kind missing, null or of a wrong type (YEA 9.2, well-formed frames).

A frame in which a required member is wrong in any way, or an optional one is of a wrong type, renders as an unknown
kind: the lean notation of its members without the envelope. That notation is written here a second time, for the few
shapes that occur. Null in place of an optional member changes nothing.
"""

import copy
import re
from typing import Any

from tests.vectors.generators.documents import Json, case, group, ok
from tests.vectors.generators.second import compact

Frame = dict[str, Any]

MISSING = object()
EFFECT = {"op": "update", "target": "t"}
FRAMES: dict[str, tuple[Frame, str]] = {
    "BRIEF": (
        {"service": {"id": "x.example", "name": "X"}, "capabilities": [{"kind": "ask", "name": "a.b"}]},
        "# X (x.example)\nask a.b()",
    ),
    "ANSWER": ({"data": 1}, "1"),
    "PROPOSALS": (
        {"proposals": [{"id": "p", "summary": "Book", "effects": [EFFECT]}]},
        "1 proposal:\n[p] Book\n  ~ update t\n  risk: - · undo: never · expires: -",
    ),
    "CLARIFY": ({"question": "Which", "options": [{"label": "A"}]}, "? Which\n  1. A"),
    "RECEIPT": ({"receipt": {"id": "r", "summary": "Booked"}}, "✓ Booked (receipt r) · irreversible"),
    "ERROR": ({"code": "expired", "message": "late"}, "✗ expired: late"),
    "EVENT": ({"message": "charging"}, "… charging"),
}
"""A good frame of each kind and its text."""

PARTS: dict[str, tuple[Frame, str]] = {
    "fix": ({"fix": [{"say": "wait"}]}, "\n  fix: wait"),
    "consent": (
        {"consent": {"hash": "h2", "summary": "Order"}},
        "\n  consent: principal must approve h2 (Order)",
    ),
    "more": (
        {"more": [{"handle": "h", "path": "data", "remaining": 3, "est": 9}]},
        "\n… 3 more at data — EXPAND h (~9 tokens)",
    ),
    "effects": ({"effects": [EFFECT]}, ""),
}
"""Optional members of such frames, and the lines that they add."""

NAMES: dict[str, Any] = {
    "missing": MISSING,
    "null": None,
    "number": 5,
    "string": "x",
    "boolean": True,
    "list": [],
    "filled-list": ["x"],
    "object": {},
    "fraction": 5.5,
    "digits": "5",
    "too-large": 2**53,
}

ARRAYS = {"capabilities", "proposals", "effects", "options", "fix", "need", "more"}
TRAPS = {
    "missing": "assumes-members",
    "null": "assumes-members",
    "string": "iterates-strings",
    "list": "arrays-are-objects",
    "fraction": "any-number",
    "too-large": "any-number",
}

Row = tuple[str, str, str, str]
"""The kind, the dotted path of the member, what stands there, and the clauses that it shows. A ? after the path: it is
optional, so null is right there."""

ROWS: list[Row] = [
    ("BRIEF", "service", "missing null string filled-list", "68"),
    ("BRIEF", "service.id", "missing null number", "68"),
    ("BRIEF", "service.name", "missing null filled-list", "68"),
    ("BRIEF", "service.summary?", "null number", "68 23"),
    ("BRIEF", "capabilities", "missing null object string", "69"),
    ("BRIEF", "capabilities.0", "null number list", "69"),
    ("BRIEF", "capabilities.0.kind", "missing null number", "69"),
    ("BRIEF", "capabilities.0.name", "missing null object", "69"),
    ("BRIEF", "capabilities.0.summary?", "null number", "70 25"),
    ("BRIEF", "capabilities.0.risk?", "null number", "70 26"),
    ("BRIEF", "capabilities.0.params?", "null string list", "70 27"),
    ("ANSWER", "data", "missing", "71"),
    ("PROPOSALS", "proposals", "missing null object string", "72"),
    ("PROPOSALS", "proposals.0", "null number list", "72"),
    ("PROPOSALS", "proposals.0.id", "missing null number", "72"),
    ("PROPOSALS", "proposals.0.summary", "missing null boolean", "72"),
    ("PROPOSALS", "proposals.0.effects", "missing null object string", "72"),
    ("PROPOSALS", "proposals.0.effects.0", "null number list", "72 81"),
    ("PROPOSALS", "proposals.0.effects.0.op", "missing null number", "81"),
    ("PROPOSALS", "proposals.0.effects.0.target", "missing null list", "81"),
    ("PROPOSALS", "proposals.0.effects.0.field?", "null number", "81 18"),
    ("PROPOSALS", "proposals.0.effects.0.detail?", "null object", "81 21"),
    ("PROPOSALS", "proposals.0.effects.0.from?", "null object filled-list", "82 19"),
    ("PROPOSALS", "proposals.0.effects.0.to?", "null object filled-list", "82 19"),
    ("CLARIFY", "question", "missing null number", "73"),
    ("CLARIFY", "options", "missing null object string", "73"),
    ("CLARIFY", "options.0", "null string", "73"),
    ("CLARIFY", "options.0.label", "missing null number", "73"),
    ("RECEIPT", "receipt", "missing null string filled-list", "74"),
    ("RECEIPT", "receipt.id", "missing null number", "74"),
    ("RECEIPT", "receipt.summary", "missing null object", "74"),
    ("RECEIPT", "receipt.undoes?", "null number", "74 50"),
    ("RECEIPT", "receipt.effects?", "null object string", "74 48"),
    ("RECEIPT+effects", "receipt.effects.0", "null number", "74 81"),
    ("RECEIPT+effects", "receipt.effects.0.op", "missing number", "74 81"),
    ("RECEIPT+effects", "receipt.effects.0.to?", "object", "74 82"),
    ("RECEIPT", "replay?", "null string number", "75 47"),
    ("RECEIPT", "auto?", "null string number", "75 48"),
    ("ERROR", "code", "missing null number", "76"),
    ("ERROR", "message", "missing null object", "76"),
    ("ERROR", "fix?", "null object string", "77"),
    ("ERROR+fix", "fix.0", "null string list", "77"),
    ("ERROR+fix", "fix.0.say", "missing null number", "77"),
    ("ERROR+fix", "fix.0.params?", "null string list", "77"),
    ("ERROR", "need?", "null object string", "78"),
    ("ERROR", "consent?", "null string list", "78"),
    ("ERROR+consent", "consent.hash", "missing null number", "78"),
    ("ERROR+consent", "consent.summary", "missing null list", "78"),
    ("EVENT", "message", "missing null number object", "79"),
    ("ANSWER", "more?", "null object string number boolean", "86 87"),
    ("ANSWER+more", "more.0", "null number list", "86 87"),
    ("ANSWER+more", "more.0.handle", "missing null number", "86 87"),
    ("ANSWER+more", "more.0.path", "missing null number", "86 87"),
    ("ANSWER+more", "more.0.remaining", "missing null digits fraction boolean", "85 86 87"),
    ("ANSWER+more", "more.0.est", "missing null digits fraction too-large", "85 86 87"),
]


def groups() -> list[Json]:
    """The groups of these cases, one for each kind and one for `more`."""
    made: dict[str, list[Json]] = {}
    for name, path, variants, clauses in ROWS:
        about = "more" if path.startswith("more") else name.partition("+")[0]
        cases = [_case(name, path, variant, clauses.split()) for variant in variants.split()]
        made.setdefault(f"each member: {about}", []).extend(cases)
    return [group(name, "9-01", cases) for name, cases in made.items()]


def _case(name: str, path: str, variant: str, numbers: list[str]) -> Json:
    """A case. The first of the clause numbers is the rule that a wrong member breaks, others show its absence."""
    kind, _, part = name.partition("+")
    frame, text = _frame(kind, part)
    optional, steps = path.endswith("?"), path.removesuffix("?").split(".")
    changed = _changed(frame, steps, NAMES[variant])
    if optional and variant == "null":
        clauses, flag = ["80", *numbers], "null-is-malformed"
    else:
        text = "\n".join(_entries({key: value for key, value in changed.items() if key not in ("yea", "id", "re")}, 0))
        null = ["80"] if variant == "null" and steps[-1] != "0" else []
        clauses, flag = ["67", *numbers[:1], *null], _flag(steps, variant)
    words = [kind.lower(), *(step for step in steps if step != "0"), *(["item"] if steps[-1] == "0" else []), variant]
    return case(
        "lens.reply",
        "-".join(words[1:] if words[0] in words[1:] else words),
        {"json": compact(changed)},
        ok(text=text),
        clauses=" ".join(f"9.2-{number}" for number in clauses),
        flags=flag,
    )


def _flag(steps: list[str], variant: str) -> str:
    """The mistake that a wrong member is a trap for."""
    if variant == "string" and steps[-1] not in ARRAYS:
        return "prints-any-type"
    if steps[0] == "more" and variant == "boolean":
        return "booleans-are-integers"
    return TRAPS.get(variant, "prints-any-type")


def _frame(kind: str, part: str) -> tuple[Frame, str]:
    """A good frame of a kind, with an optional part, and its text."""
    members, text = copy.deepcopy(FRAMES[kind])
    if part:
        added, lines = PARTS[part]
        (members["receipt"] if kind == "RECEIPT" else members).update(copy.deepcopy(added))
        text += lines
    return {"yea": 1, "id": "s", "re": "c", "kind": kind, **members}, text


def _changed(frame: Frame, steps: list[str], value: Any) -> Frame:
    """The frame with the member at a path replaced or removed."""
    holder: Any = frame
    for step in steps[:-1]:
        holder = holder[int(step)] if isinstance(holder, list) else holder[step]
    if value is MISSING:
        del holder[steps[-1]]
    else:
        holder[int(steps[-1]) if isinstance(holder, list) else steps[-1]] = copy.deepcopy(value)
    return frame


def _entries(value: Frame, level: int) -> list[str]:
    """The lean notation of an object whose names are bare."""
    lines: list[str] = []
    for name, item in value.items():
        lines += _entry(name, item, level)
    return lines


def _entry(name: str, value: Any, level: int) -> list[str]:
    pad = "  " * level
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        if _is_table(value):
            row = "".join(f"\n{pad}  {','.join(map(_scalar, item.values()))}" for item in value)
            return [f"{pad}{name}[{len(value)}]{{{','.join(value[0])}}}:{row}"]
        return [f"{pad}{name}[{len(value)}]:", *(line for item in value for line in _dash(item, level + 1))]
    if isinstance(value, list):
        return [f"{pad}{name}: [{', '.join(map(_scalar, value))}]"]
    if isinstance(value, dict):
        return [f"{pad}{name}:", *_entries(value, level + 1)] if value else [f"{pad}{name}: {{}}"]
    return [f"{pad}{name}: {_scalar(value)}"]


def _is_table(value: list[Any]) -> bool:
    """For the arrays of one object that occur here."""
    return (
        isinstance(value[0], dict)
        and value[0] != {}
        and not any(isinstance(v, (dict, list)) for v in value[0].values())
    )


def _dash(value: Any, level: int) -> list[str]:
    """An element after its dash; the arrays of arrays that occur here hold the empty one."""
    first, *rest = _entries(value, level + 1) if isinstance(value, dict) and value else [_plain(value)]
    return [f"{'  ' * level}- {first.strip()}", *rest]


def _plain(value: Any) -> str:
    return {"[]": "[]", "{}": "{}"}.get(str(value)) or _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9.]*|[0-9]", value), value
        return f'"{value}"' if value.isdigit() else value
    return {None: "-", True: "true"}[value] if value is None or value is True else str(value)
