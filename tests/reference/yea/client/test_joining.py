"""Putting a cut reply together again (YEA 4.6, 8)."""

from typing import Any

import pytest

from reference.yea.client.errors import BadReply
from reference.yea.client.joining import MOST_BYTES, MOST_EXPANDS, Assembly, copied, locate


def more(path: str, handle: str) -> dict[str, Any]:
    return {"path": path, "handle": handle, "remaining": 1, "est": 1}


def answer(data: Any, *entries: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "ANSWER", "data": data, **({"more": list(entries)} if entries else {})}


def joined(frame: dict[str, Any], slices: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The whole, given the answers by handle; each is fetched once."""
    before = repr((frame, slices))
    parts, left = Assembly(frame), dict(slices)
    while (handle := parts.next_handle) is not None:
        parts.add(left.pop(handle), 10)
    assert not left
    assert repr((frame, slices)) == before
    return parts.frame


WHOLE: list[tuple[str, dict[str, Any], dict[str, dict[str, Any]], dict[str, Any]]] = [
    ("nothing was cut", answer([1]), {}, answer([1])),
    ("more is null", {**answer([1]), "more": None}, {}, answer([1])),
    ("a list", answer([1], more("data", "h")), {"h": answer({"items": [2, 3]})}, answer([1, 2, 3])),
    (
        "a list in several slices",
        answer({"a": [1]}, more("data.a", "h")),
        {"h": answer({"items": [2]}, more("data.items", "i")), "i": answer({"items": [3]})},
        answer({"a": [1, 2, 3]}),
    ),
    (
        "a string, whose ellipsis goes",
        answer({"t": "one…"}, more("data.t", "h")),
        {"h": answer({"text": "two…"}, more("data.text", "i")), "i": answer({"text": "three…"})},
        answer({"t": "onetwothree…"}),
    ),
    ("a string without ellipsis", answer("one", more("data", "h")), {"h": answer({"text": "two"})}, answer("onetwo")),
    (
        "cuts within cuts",
        answer({"a": [{"n": "x…"}], "b": [1]}, more("data.a", "h"), more("data.a.0.n", "n"), more("data.b", "b")),
        {
            "h": answer(
                {"items": [{"n": "y…"}, ["z"], "w…"]},
                more("data.items[0].n", "y"),
                more("data.items.1", "z"),
                more("data.items.2", "w"),
            ),
            "y": answer({"text": "yy"}),
            "z": answer({"items": ["zz"]}),
            "w": answer({"text": "ww"}),
            "n": answer({"text": "xx"}),
            "b": answer({"items": [2]}),
        },
        answer({"a": [{"n": "xxx"}, {"n": "yyy"}, ["z", "zz"], "www"], "b": [1, 2]}),
    ),
    (
        "proposals and their data",
        {
            "kind": "PROPOSALS",
            "proposals": [{"id": 1, "data": [1]}],
            "more": [more("proposals", "p"), more("proposals.0.data", "d")],
        },
        {
            "p": answer({"items": [{"id": 2, "data": {"t": "a…"}}]}, more("data.items.0.data.t", "t")),
            "t": answer({"text": "b"}),
            "d": answer({"items": [2]}),
        },
        {"kind": "PROPOSALS", "proposals": [{"id": 1, "data": [1, 2]}, {"id": 2, "data": {"t": "ab"}}]},
    ),
    (
        "a receipt's result",
        {"kind": "RECEIPT", "receipt": {"result": {"x": [1]}}, "more": [more("receipt.result.x", "h")]},
        {"h": answer({"items": [2]})},
        {"kind": "RECEIPT", "receipt": {"result": {"x": [1, 2]}}},
    ),
    (
        "capabilities in two slices, with entries that are none",
        {"kind": "BRIEF", "capabilities": [], "more": [more("capabilities", "h")]},
        {
            "h": answer({"items": [5, {"name": ["x"]}]}, more("data.items", "i")),
            "i": answer({"items": [5, {"name": ["x"]}]}),
        },
        {"kind": "BRIEF", "capabilities": [5, {"name": ["x"]}] * 2},
    ),
    (
        "capabilities, and those that lack their params under any path",
        {
            "kind": "BRIEF",
            "capabilities": [{"name": "a"}, {"name": "b", "params": {}}],
            "more": [more("anything", "h")],
        },
        {
            "h": answer(
                {"items": [{"name": "a", "params": {"x": "int"}}, {"name": "c", "params": {}}, {"name": ["odd"]}, 5]}
            )
        },
        {
            "kind": "BRIEF",
            "capabilities": [
                {"name": "a", "params": {"x": "int"}},
                {"name": "b", "params": {}},
                {"name": "c", "params": {}},
                {"name": ["odd"]},
                5,
            ],
        },
    ),
]


@pytest.mark.parametrize(("frame", "slices", "wanted"), [case[1:] for case in WHOLE], ids=[case[0] for case in WHOLE])
def test_the_parts_go_where_they_were_cut(
    frame: dict[str, Any], slices: dict[str, dict[str, Any]], wanted: dict[str, Any]
) -> None:
    assert joined(frame, slices) == wanted


@pytest.mark.parametrize("path", ["", "data.b", "data.a.x", "data.a.0.0", "data.n", "kind.x", "." * 500])
def test_a_path_that_leads_to_nothing_cut_is_a_bad_reply(path: str) -> None:
    with pytest.raises(BadReply, match="where nothing was cut"):
        Assembly(answer({"a": [1], "n": 5}, more(path, "h")))
    parts = Assembly(answer({"a": [1]}, more("data.a", "h")))
    if path != "data.a.x":
        with pytest.raises(BadReply, match="where nothing was cut"):
            parts.add(answer({"items": [2], "n": 5}, more(path, "i")), 10)


@pytest.mark.parametrize("data", [None, [], {}, {"items": 5}, {"text": "x"}, {"items": None}])
def test_a_list_goes_on_as_items(data: Any) -> None:
    with pytest.raises(BadReply, match="EXPAND of a list"):
        joined(answer([1], more("data", "h")), {"h": answer(data)})


@pytest.mark.parametrize("data", [None, "x", {}, {"text": 5}, {"items": ["x"]}])
def test_a_string_goes_on_as_text(data: Any) -> None:
    with pytest.raises(BadReply, match="EXPAND of a string"):
        joined(answer("x", more("data", "h")), {"h": answer(data)})


def endless(size: int) -> int:
    """How many EXPANDs it takes to give up on a service that never ends."""
    parts, count = Assembly(answer([], more("data", "h"))), 0
    while True:
        try:
            parts.add(answer({"items": []}, more("data.items", "h")), size)
        except BadReply:
            return count
        count += 1


def test_a_service_that_never_ends_is_given_up() -> None:
    assert endless(10) == MOST_EXPANDS
    assert endless(1 << 20) == MOST_BYTES >> 20


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("data.a", [1, [2]]),
        ("data.a.1", [2]),
        ("data.a[1]", [2]),
        ("data.a[1][0]", 2),
        ("data.b.c", "dotted"),
        ("data.b.c.d", None),
        ("data..x", "empty"),
        ("data.a.-1", None),
        ("data.a.٣", None),
        ("data.a.99999999999", None),
        ("data.0", None),
    ],
)
def test_paths_are_read_in_every_way_that_the_spec_leaves_open(path: str, wanted: Any) -> None:
    frame = {"data": {"a": [1, [2]], "b.c": "dotted", "": {"x": "empty"}}}
    found = locate(frame, path)
    assert (found.value if found is not None else None) == wanted


def test_a_hostile_path_takes_no_time() -> None:
    value: Any = 1
    for _ in range(100):
        value = {"a": value, "a.a": value}
    assert locate(value, ".".join("a" * 150)) is None


def test_a_copy_of_any_depth_shares_nothing() -> None:
    deep: Any = ["leaf"]
    for _ in range(30_000):
        deep = [deep, {"k": 1}]
    copy = copied(deep)
    for _ in range(30_000):
        assert copy is not deep
        assert copy[1] == deep[1]
        assert copy[1] is not deep[1]
        copy, deep = copy[0], deep[0]
    assert copy == deep == ["leaf"]
