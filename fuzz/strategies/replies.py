"""Replies that have to be cut to a budget: long lists and texts in every place where YEA 8 lets a service cut.

No key has a letter of paths in it, for how such a path is written is open (YEA-Q77), and none has a `more` before.
"""

import json
from typing import Any

from hypothesis import strategies as st

NAMES = ("items", "rows", "note", "a", "é", "0", "b_c", "more", "lens", "constructor")
LETTERS = ("x", "word ", "é", "漢", "😀", "line\n  ", "12 ", '"', "…")
LENGTHS = (0, 1, 2, 3, 7, 8, 40)
SIZES = (0, 1, 199, 200, 201, 202, 400, 1000)
BUDGETS = (0, 1, 2, 10, 20, 40, 80, 160, 320, 640, 10_000)
PROPOSAL: dict[str, Any] = {
    "capability": "c.d", "summary": "Move it", "effects": [{"op": "create", "target": "order/o1"}], "uses": {},
    "risk": "low", "undo": None, "expires": 1790000040, "hash": "h",
}  # fmt: skip
Reply = tuple[str, int]
"""The JSON text of a reply frame, and a budget in estimated tokens."""


def long_texts() -> st.SearchStrategy[str]:
    """Strings around the 200 characters under which none is cut, of characters of one to four bytes."""
    return st.builds(lambda letter, size: (letter * size)[:size], st.sampled_from(LETTERS), st.sampled_from(SIZES))


def rows() -> st.SearchStrategy[list[Any]]:
    """Lists of scalars, of equal rows, or of both, each item another."""
    return st.builds(_rows, st.sampled_from(LENGTHS), st.sampled_from(("numbers", "table", "mixed", "texts")))


def _rows(length: int, sort: str) -> list[Any]:
    made: dict[str, list[Any]] = {
        "numbers": list(range(length)),
        "table": [{"id": number, "name": f"row {number}"} for number in range(length)],
        "mixed": [number if number % 2 else {"id": number, "l": list(range(number % 5))} for number in range(length)],
        "texts": [f"{'long ' * (number % 60)}{number}" for number in range(length)],
    }
    return made[sort]


def bodies() -> st.SearchStrategy[Any]:
    """Values to cut in: a list, a text, or an object that holds some, of up to three levels."""
    leaves = st.one_of(rows(), long_texts(), st.integers(0, 9))
    inner = st.dictionaries(st.sampled_from(NAMES), leaves, max_size=3)
    nested = st.dictionaries(st.sampled_from(NAMES), st.one_of(leaves, inner, st.lists(inner, max_size=3)), max_size=3)
    return st.one_of(nested, nested, inner, rows(), long_texts())


def replies() -> st.SearchStrategy[Reply]:
    """Answers, proposals and receipts, each with a budget that it may be far above."""
    answers = bodies().map(lambda data: {"kind": "ANSWER", "data": data})
    receipts = bodies().map(
        lambda made: {"kind": "RECEIPT", "receipt": {"id": "r_1", "summary": "Moved", "effects": [], "result": made}}
    )
    proposals = st.lists(st.one_of(st.none(), bodies()), min_size=1, max_size=6).map(_proposals)
    frames = st.one_of(answers, answers, receipts, proposals)
    return st.tuples(frames.map(_text), st.sampled_from(BUDGETS))


def _proposals(bodies: list[Any]) -> dict[str, Any]:
    made = [
        {"id": f"p_{number}", **PROPOSAL, **({} if body is None else {"data": body})}
        for number, body in enumerate(bodies)
    ]
    return {"kind": "PROPOSALS", "proposals": made}


def _text(frame: dict[str, Any]) -> str:
    return json.dumps({"yea": 1, "id": "s1", "re": "1", **frame}, ensure_ascii=False)
