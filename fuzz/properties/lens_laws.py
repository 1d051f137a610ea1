"""YEA 9.1, laws of Lens that need no other renderer: it renders everything, in proportion, and with one meaning."""

import json
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop, result
from fuzz.strategies.changes import Rows, table_text, tables
from fuzz.strategies.frames import frame_texts
from fuzz.strategies.json_texts import json_texts, nested_texts
from fuzz.targets import Operations
from reference.yea import jsontext

COUNTS = (100, 200, 300)
"""Equally far apart, and with numbers of the same width: how many copies are rendered for `lens/linear`."""
LARGE = 20_000
DEEP = 2_000
LAYERS = ("[", '{"a":', '{"1":', "[7,", '[{"a":1},')
Grown = tuple[str, str, str]
"""What stands before, again and again, and after."""


def large_texts() -> st.SearchStrategy[str]:
    """JSON that is far wider, longer or deeper than anybody writes."""
    wide = st.builds(lambda item: f"[{','.join([item] * (LARGE // (len(item) + 1) + 1))}]", json_texts())
    long = st.builds(
        lambda sign: json.dumps(sign * LARGE), st.sampled_from(["a", '"', "\\", "é", "😀", "\x00", "a,", "1"])
    )
    deep = st.builds(
        lambda layer: layer * DEEP + "1" + ("]" if layer[0] == "[" else "}") * DEEP, st.sampled_from(LAYERS)
    )
    keys = st.builds(lambda value: "{" + ",".join(f'"k{n}":{value}' for n in range(1000)) + "}", json_texts())
    return st.one_of(wide, long, deep, keys)


@prop(
    "lens/total",
    *("YEA-9-01",),
    examples=st.one_of(
        *(st.tuples(st.just("lens.value"), st.one_of(json_texts(), nested_texts())),) * 9,
        *(st.tuples(st.just("lens.reply"), frame_texts()),) * 9,
        st.tuples(st.just("lens.value"), large_texts()),
    ),
    show=lambda made: f"{made[0]} of {made[1][:2000]!r}" + (f"… ({len(made[1])})" if len(made[1]) > 2000 else ""),
)
def total(target: Operations, made: tuple[str, str]) -> str | None:
    """Every JSON value and every reply, however odd, large or deep, has a Lens."""
    operation, text = made
    event("large" if len(text) > LARGE // 10 else operation)
    got = answer(target, operation, {"json": text})
    return None if result(got, "text") is not None else f"wanted a text, got {json.dumps(got)[:500]}"


@prop(
    "lens/linear",
    *("YEA-9-01", "YEA-9.1-37"),
    examples=st.tuples(json_texts(), st.sampled_from(["list", "values of keys", "text"])),
    show=lambda made: f"{made[0]!r} in a {made[1]}, {', '.join(map(str, COUNTS))} times",
)
def linear(target: Operations, made: tuple[str, str]) -> str | None:
    """A value that is there more often adds as much to the Lens each time."""
    inner, within = made
    event(within)
    sizes = []
    for count in COUNTS:
        got = result(answer(target, "lens.value", {"json": _repeated(inner, within, count)}), "text")
        if got is None:
            return f"no text for {count} times"
        sizes.append(len(got))
    first, second, third = sizes
    return None if third - second == second - first else f"{', '.join(map(str, COUNTS))} times take {sizes} characters"


def _repeated(inner: str, within: str, count: int) -> str:
    if within == "list":
        return f"[{','.join([inner] * count)}]"
    if within == "text":
        return json.dumps(json.dumps(jsontext.loads(inner)) * count)
    return "{" + ",".join(f'"k{1000 + number}":{inner}' for number in range(count)) + "}"


@prop(
    "lens/single-meaning",
    *("YEA-9.1-05", "YEA-9.1-06", "YEA-9.1-07", "YEA-9.1-08"),
    examples=tables(),
    show=lambda made: " and ".join(map(repr, map(table_text, made))),
)
def single_meaning(target: Operations, made: tuple[Rows, Rows]) -> str | None:
    """Two tables that differ never look the same, so that every row can be read in one way only."""
    first, second = map(table_text, made)
    if _values(made[0]) == _values(made[1]):
        event("the same")
        return None
    event("different")
    texts = [result(answer(target, "lens.value", {"json": each}), "text") for each in (first, second)]
    if None in texts:
        return f"no Lens: {json.dumps(texts)[:500]}"
    return None if texts[0] != texts[1] else f"both render as {json.dumps(texts[0])[:500]}"


def _values(rows: Rows) -> list[list[tuple[bool, Any]]]:
    """The cells so that true is not 1, as for JSON, and 1.0 is 1."""
    return [[(isinstance(cell, bool), cell) for cell in row] for row in rows]
