"""Cases of lens.value and lens.reply about depth: what lies 64 levels down is "…" (YEA 9.1), and a param schema has at
most 32 levels below the top one (9.2).

The texts are counted out here: the value, or the frame, is level 0, so levels 1 to 63 of it are shown.
"""

from collections.abc import Sequence
from typing import Any

from tests.vectors.generators.documents import Json, case, group, ok, refused

CUT = '"…"'
INT = '"int"'
DEEP = 100_000


def value_groups() -> list[Json]:
    """The group of lens.value."""

    def made(name: str, text: Any, expected: str, clauses: str, **more: Any) -> Json:
        return _case("lens.value", name, text, expected, clauses, **more)

    cases = [
        *(
            made(f"{count} objects", _objects(count, "1"), _chain(count, 0, "1"), "9.1-36", flags="depth-early")
            for count in (63, 64)
        ),
        made("65 objects", _objects(65, "1"), _chain(64, 0, CUT), "9.1-37", flags="depth-late bare-ellipsis"),
        made("66 objects", _objects(66, "1"), _chain(64, 0, CUT), "9.1-37", flags="depth-late bare-ellipsis"),
        made("63 arrays", _arrays(63), _items(_json_arrays(62)), "9.1-36", flags="depth-early"),
        made("64 arrays", _arrays(64), _items(_json_arrays(63)), "9.1-36 9.1-32", flags="depth-early"),
        made("65 arrays", _arrays(65), _items(_json_arrays(63, CUT)), "9.1-37 9.1-42", flags="depth-late"),
        *(
            made(
                f"empty {name} at level 64",
                _objects(64, text),
                _chain(64, 0, CUT),
                "9.1-38",
                flags="keeps-empty-at-the-end depth-late",
            )
            for name, text in (("object", "{}"), ("array", "[]"))
        ),
        *(
            made(f"empty {name} at level 63", _objects(63, text), _chain(63, 0, text), "9.1-36", flags="depth-early")
            for name, text in (("object", "{}"), ("array", "[]"))
        ),
        made(
            "rows at level 64 make a list",
            _objects(63, '[{"a":1},{"a":2}]'),
            _chain(63, 0, f"[{CUT}, {CUT}]"),
            "9.1-40",
            flags="cuts-after-the-form depth-late",
        ),
        made(
            "scalars beside a cut at level 64",
            _objects(63, '[1,[],"x",{"a":[]}]'),
            _chain(63, 0, f"[1, {CUT}, x, {CUT}]"),
            "9.1-40",
            flags="cuts-after-the-form keeps-empty-at-the-end",
            comment="after the cut the array is a list of scalars",
        ),
        made(
            "values at level 64 make a table",
            _objects(62, '[{"a":{}},{"a":[1]}]'),
            _chain(62, 0, f"{CUT}\n{CUT}", "[2]{a}:"),
            "9.1-40",
            flags="cuts-after-the-form keeps-empty-at-the-end",
            comment="what was an object or array in a row is a string after the cut",
        ),
        made(
            "strings at level 64",
            _objects(64, '"[1]"'),
            _chain(64, 0, '"[1]"'),
            "9.1-36",
            comment="only objects and arrays are cut",
        ),
        made(
            "deep beside shallow",
            [['{"a":{"b":1},"c":', 1], ["[", 70], ["]", 70], [',"d":[[2]]}', 1]],
            f"a:\n  b: 1\nc[1]:\n  - {_json_arrays(62, CUT)}\nd[1]:\n  - [2]",
            "9.1-37",
            flags="depth-early",
        ),
        made(
            "1000 objects and arrays by turns",
            [['{"a":[', 500], ["]}", 500]],
            "a[1]:" + "".join(f"\n{'  ' * level}- a[1]:" for level in range(1, 61, 2)) + f"\n{'  ' * 61}- a: [{CUT}]",
            "9.1-37",
            refusable=True,
            flags="overflows",
        ),
        made(
            "100000 arrays",
            _arrays(DEEP),
            _items(_json_arrays(63, CUT)),
            "9.1-37 9.1-42",
            refusable=True,
            flags="overflows",
            comment="a parser that refuses such a text is no fault of Lens",
        ),
        made("100000 objects", _objects(DEEP, "1"), _chain(64, 0, CUT), "9.1-37", refusable=True, flags="overflows"),
    ]
    return [group("depth", "9-01", cases)]


def reply_groups() -> list[Json]:
    """The groups of lens.reply."""
    return [group("depth", "9.1-39", _reply_cases()), group("depth of param schemas", "9.2-84", _schema_cases())]


def _reply_cases() -> list[Json]:
    def made(name: str, kind: str, before: str, deep: list[Any], after: str, text: str, **more: Any) -> Json:
        parts = [[f'{{"yea":1,"id":"s","re":"c","kind":"{kind}",{before}', 1], *deep, [f"{after}}}", 1]]
        return _case("lens.reply", name, parts, text, **{"clauses": "9.1-37", **more})

    receipt = "✓ s (receipt r) · irreversible\n  result:\n"
    proposal = "1 proposal:\n[p] s\n  risk: - · undo: never · expires: -\n  data:\n"
    return [
        made(
            "63 objects in data",
            "ANSWER",
            '"data":',
            _objects(63, "1"),
            "",
            _chain(63, 0, "1"),
            clauses="9.1-36",
            flags="depth-early",
        ),
        made("64 objects in data", "ANSWER", '"data":', _objects(64, "1"), "", _chain(63, 0, CUT), flags="depth-late"),
        made(
            "empty object at level 64 of a frame",
            "ANSWER",
            '"data":',
            _objects(63, "{}"),
            "",
            _chain(63, 0, CUT),
            clauses="9.1-38",
            flags="depth-late",
        ),
        made(
            "100 objects in a result",
            "RECEIPT",
            '"receipt":{"id":"r","summary":"s","result":',
            _objects(100, "1"),
            "}",
            receipt + _chain(62, 2, CUT),
            clauses="9.1-37 9.2-49",
            flags="depth-late",
            comment="the result is level 2",
        ),
        made(
            "100 objects in the data of a proposal",
            "PROPOSALS",
            '"proposals":[{"id":"p","summary":"s","effects":[],"data":',
            _objects(100, "1"),
            "}]",
            proposal + _chain(61, 2, CUT),
            clauses="9.1-37 9.2-43",
            flags="depth-late",
            comment="the data is level 3",
        ),
        made(
            "100 objects in params of a fix",
            "ERROR",
            '"code":"c","message":"m","fix":[{"say":"s","params":',
            _objects(100, "1"),
            "}]",
            f"✗ c: m\n  fix: s → params {_json_objects(61, CUT)}",
            clauses="9.1-41 9.1-42 9.2-54",
            flags="depth-late",
        ),
        made(
            "100 arrays in need",
            "ERROR",
            '"code":"c","message":"m","need":',
            _arrays(100),
            "",
            f"✗ c: m\n  need: {_json_arrays(63, CUT)}",
            clauses="9.1-42 9.2-55",
            flags="depth-late",
        ),
        made(
            "100 arrays in a risk",
            "PROPOSALS",
            '"proposals":[{"id":"p","summary":"s","effects":[],"risk":',
            _arrays(100),
            "}]",
            f"1 proposal:\n[p] s\n  risk: {_json_arrays(61, CUT)} · undo: never · expires: -",
            clauses="9.1-42 9.1-12 9.2-15",
            flags="depth-late",
            basis="public-vectors",
            question="YEA-Q02",
        ),
        made(
            "100 arrays in a side of an effect",
            "PROPOSALS",
            '"proposals":[{"id":"p","summary":"s","effects":[{"op":"update","target":"t","from":',
            _arrays(100),
            "}]}]",
            "kind: PROPOSALS\nproposals[1]:\n  - id: p\n    summary: s\n    effects[1]:\n      - op: update\n"
            f"        target: t\n        from[1]:\n          - {_json_arrays(58, CUT)}",
            clauses="9.1-42 9.2-82 9.2-67",
            flags="depth-late",
        ),
        made(
            "100 objects in an unknown kind",
            "STATUS",
            '"state":',
            _objects(100, "1"),
            "",
            "kind: STATUS\nstate:\n" + _chain(63, 1, CUT),
            clauses="9.1-41 9.2-63",
            flags="depth-late",
        ),
        made(
            "100 arrays in a malformed more",
            "ANSWER",
            '"data":1,"more":',
            _arrays(100),
            "",
            f"kind: ANSWER\ndata: 1\nmore[1]:\n  - {_json_arrays(62, CUT)}",
            clauses="9.1-42 9.2-87",
            flags="depth-late",
        ),
        *(
            made(
                f"100000 arrays in {name}",
                kind,
                before,
                _arrays(DEEP),
                after,
                text,
                clauses="9.1-37 9.1-42",
                refusable=True,
                flags="overflows",
            )
            for name, kind, before, after, text in (
                ("data", "ANSWER", '"data":', "", _items(_json_arrays(62, CUT))),
                ("an unknown kind", "STATUS", '"s":', "", f"kind: STATUS\ns[1]:\n  - {_json_arrays(62, CUT)}"),
                (
                    "an unknown member of a proposal",
                    "PROPOSALS",
                    '"proposals":[{"id":"p","summary":"s","effects":[],"extra":',
                    "}]",
                    "1 proposal:\n[p] s\n  risk: - · undo: never · expires: -",
                ),
            )
        ),
    ]


def _schema_cases() -> list[Json]:
    def made(name: str, params: list[Any], line: str = "", lean: str = "", **more: Any) -> Json:
        parts = [['{"yea":1,"id":"s","re":"c","kind":"BRIEF","service":{"id":"x","name":"X"},', 1]]
        parts += [['"capabilities":[{"kind":"ask","name":"a.b","params":{"p":', 1], *params, ["}}]}", 1]]
        unknown = (
            "kind: BRIEF\nservice:\n  id: x\n  name: X\ncapabilities[1]:\n  - kind: ask\n    name: a.b\n    params:\n"
        )
        text = f"# X (x)\nask a.b(p: {line})" if line else unknown + lean
        clauses = "9.2-28 9.2-29" if line else "9.2-67 9.2-70"
        return _case("lens.reply", f"schema of {name}", parts, text, clauses, **more)

    def nested(count: int) -> list[Any]:
        return [['{"p":', count], [INT, 1], ["}", count]]

    return [
        made("32 objects", nested(32), "{p: " * 32 + "int" + "}" * 32, flags="schema-early"),
        made("33 objects", nested(33), "", _chain(34, 3, "int"), flags="schema-late"),
        made("32 arrays", [["[", 32], [INT, 1], ["]", 32]], "[" * 32 + "int" + "]" * 32, flags="schema-early"),
        made(
            "33 arrays",
            [["[", 33], [INT, 1], ["]", 33]],
            "",
            f"      p[1]:\n        - {_json_arrays(32, INT)}",
            flags="schema-late",
        ),
        made(
            "32 objects and arrays",
            [['[{"p":', 16], [INT, 1], ["}]", 16]],
            "[{p: " * 16 + "int" + "}]" * 16,
            flags="schema-early",
            comment="each array is a level and so is the object in it",
        ),
        made(
            "33 objects and arrays",
            [['{"p":', 16], ["[", 17], [INT, 1], ["]", 17], ["}", 16]],
            "",
            _chain(17, 3, f"  - {_json_arrays(16, INT)}", "[1]:"),
            flags="schema-late",
        ),
        made(
            "1000 arrays",
            [["[", 1000], [INT, 1], ["]", 1000]],
            "",
            f"      p[1]:\n        - {_json_arrays(59, CUT)}",
            refusable=True,
            flags="schema-late overflows",
            comment="after the cut the innermost type is a string again, and the levels are still too many",
        ),
    ]


def _case(
    op: str, name: str, text: Sequence[Any], expected: str, clauses: str, *, refusable: bool = False, **more: Any
) -> Json:
    """A case whose JSON text is given in parts, each with how often it repeats."""
    answers = [ok(text=expected), *([refused()] if refusable else [])]
    long = sum(len(part) * times for part, times in text) > 200
    arguments = {"json": {"repeat": list(text)} if long else "".join(part * times for part, times in text)}
    return case(op, name, arguments, *answers, clauses=clauses, **more)


def _objects(count: int, inner: str) -> list[Any]:
    """The JSON text of so many objects, one in the other, each with the member `a`."""
    return [['{"a":', count], [inner, 1], ["}", count]]


def _arrays(count: int) -> list[Any]:
    return [["[", count], ["]", count]]


def _json_objects(count: int, inner: str) -> str:
    return '{"a":' * count + inner + "}" * count


def _json_arrays(count: int, inner: str = "") -> str:
    return "[" * count + inner + "]" * count


def _items(element: str) -> str:
    """A top-level array with one element that is an array of more than scalars."""
    return f"items[1]:\n  - {element}"


def _chain(count: int, indent: int, last: str, colon: str = ": ") -> str:
    """The lines of so many objects, one in the other; `last` is the innermost value.

    After another colon than `: ` the value is lines of its own, a level further in.
    """
    name = "p" if indent == 3 else "a"
    lines = [f"{'  ' * (indent + level)}{name}:" for level in range(count - 1)]
    end = "  " * (indent + count - 1)
    if colon == ": ":
        return "\n".join([*lines, f"{end}{name}: {last}"])
    rows = [f"{end}  {row.strip()}" if row else "" for row in last.split("\n")]
    return "\n".join([*lines, f"{end}{name}{colon}", *rows])
