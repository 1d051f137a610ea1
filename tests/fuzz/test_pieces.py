"""A reply is put together from what was kept and what is announced, and from nothing else."""

from typing import Any

import pytest

from fuzz.pieces import Apart, can_be_cut, put_together, same

LONG = "é😀" * 150


def answer(data: Any, *more: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "ANSWER", "data": data, **({"more": list(more)} if more else {})}


def entry(path: str, remaining: Any) -> dict[str, Any]:
    return {"handle": "h", "path": path, "remaining": remaining, "est": 1}


ROWS = answer({"rows": [1, 2, [3, 4, 5]], "text": LONG})
GOOD: dict[str, tuple[dict[str, Any], ...]] = {
    "nothing cut": (ROWS["data"],),
    "a list": ({**ROWS["data"], "rows": [1]}, entry("data.rows", 2)),
    "all of a list": ({**ROWS["data"], "rows": []}, entry("data.rows", 3)),
    "a list in it": ({**ROWS["data"], "rows": [1, 2, [3]]}, entry("data.rows.2", 2)),
    "written with brackets": ({**ROWS["data"], "rows": [1, 2, [3]]}, entry("data.rows[2]", 2)),
    "a text by characters": ({**ROWS["data"], "text": LONG[:10] + "…"}, entry("data.text", 290)),
    "a text by UTF-16 units": ({**ROWS["data"], "text": LONG[:10]}, entry("data.text", 290 + 145)),
    "a text by bytes": ({**ROWS["data"], "text": LONG[:10]}, entry("data.text", 145 * 6)),
}


@pytest.mark.parametrize("name", GOOD)
def test_it_is_whole_again(name: str) -> None:
    data, *more = GOOD[name]
    assert put_together(ROWS, answer(data, *more)) == ROWS


BAD: dict[str, tuple[Any, ...]] = {
    "too little": ({"rows": [1]}, entry("data.rows", 1)),
    "too much": ({"rows": [1]}, entry("data.rows", 4)),
    "nothing": ({"rows": [1]}, entry("data.rows", 0)),
    "nowhere": ({"rows": [1]}, entry("data.x", 2)),
    "not a list": ({"rows": 1}, entry("data.rows", 2)),
    "a word": ({"rows": [1]}, entry("data.rows", "2")),
    "true": ({"rows": [1]}, entry("data.rows", True)),
    "no entry": ({"rows": [1]}, "data.rows"),
    "another text": ({"text": "x"}, entry("data.text", 299)),
}


@pytest.mark.parametrize("name", BAD)
def test_it_stays_apart_or_differs(name: str) -> None:
    data, more = BAD[name]
    try:
        made = put_together(ROWS, answer({**ROWS["data"], **data}, more))
    except Apart:
        return
    assert not same(made, ROWS)


def test_a_list_of_entries_is_wanted() -> None:
    with pytest.raises(Apart, match="no list"):
        put_together(ROWS, {**ROWS, "more": {"a": 1}})


def test_true_is_not_one() -> None:
    assert same({"a": [1], "b": 2}, {"b": 2, "a": [1]})
    assert not same([True], [1])


CUTTABLE = {
    "items": (answer([1]), True),
    "none": (answer([]), False),
    "a long text": (answer("x" * 201), True),
    "a short one": (answer("x" * 200), False),
    "one proposal": ({"kind": "PROPOSALS", "proposals": [{"id": "p"}]}, False),
    "two": ({"kind": "PROPOSALS", "proposals": [{}, {}]}, True),
    "data of one": ({"kind": "PROPOSALS", "proposals": [{"data": {"a": [1]}}]}, True),
    "a result": ({"kind": "RECEIPT", "receipt": {"result": [1]}}, True),
    "effects": ({"kind": "RECEIPT", "receipt": {"effects": [1]}}, False),
}


@pytest.mark.parametrize("name", CUTTABLE)
def test_what_can_still_be_cut(name: str) -> None:
    frame, expected = CUTTABLE[name]
    assert can_be_cut(frame) is expected
