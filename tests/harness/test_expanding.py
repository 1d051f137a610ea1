"""Putting cut replies together again, from slices that are cut themselves."""

import asyncio
from typing import Any

from harness.expanding import put_together
from harness.targets.base import Exchange, Frame


def served(slices: dict[str, dict[str, Any]]) -> Any:
    """Return an expand function that serves ANSWERs by handle."""

    async def expand(handle: str) -> Exchange:
        body = slices.get(handle, {"kind": "ERROR", "code": "expired"})
        return Exchange({}, [Frame({"kind": "ANSWER", **body}, 0, 0.0)])

    return expand


def more(handle: str, path: str) -> dict[str, Any]:
    return {"handle": handle, "path": path, "remaining": 1, "est": 1}


def test_slices_are_put_back_in_order() -> None:
    reply = {
        "data": {"rows": [[1]], "note": "ab…"},
        "more": [more("rows", "data.rows"), more("note", "data.note"), more("first", "data.rows[0]")],
    }
    slices: dict[str, dict[str, Any]] = {
        "first": {"data": {"items": [2]}},
        "note": {"data": {"text": "cd…"}, "more": [more("note2", "data.text")]},
        "note2": {"data": {"text": "ef"}},
        "rows": {
            "data": {"items": ["x…", [3]]},
            "more": [more("x", "data.items.0"), more("rows2", "data.items"), more("third", "data.items.1")],
        },
        "x": {"data": {"text": "yz"}},
        "third": {"data": {"items": [4]}},
        "rows2": {"data": {"items": [{"deep": [5]}]}, "more": [more("deep", "data.items.0.deep")]},
        "deep": {"data": {"items": [6]}},
    }
    whole = asyncio.run(put_together(reply, served(slices)))
    assert whole.problem == ""
    assert whole.frame == {"data": {"rows": [[1, 2], "xyz", [3, 4], {"deep": [5, 6]}], "note": "abcdef"}}
    assert whole.further == 3
    assert reply["data"] == {"rows": [[1]], "note": "ab…"}


def test_what_goes_wrong_is_said() -> None:
    cases: dict[str, dict[str, dict[str, Any]]] = {
        "EXPAND number 1 got ERROR expired": {},
        "EXPAND of a list gave data [1]": {"h": {"data": [1]}},
        "there is still more after 1000 EXPANDs": {"h": {"data": {"items": []}, "more": [more("h", "data.items")]}},
    }
    for problem, slices in cases.items():
        whole = asyncio.run(put_together({"data": [0], "more": [more("h", "data")]}, served(slices)))
        assert whole.problem == problem
    nowhere = asyncio.run(put_together({"data": [0], "more": [more("h", "data.x")]}, served({})))
    assert nowhere.problem == 'more has the path "data.x", which leads to no list or string'
