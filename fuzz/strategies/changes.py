"""Changes: values that are nearly another one, the same value in another spelling, and texts after one change."""

import json
from random import Random
from typing import Any

from hypothesis import strategies as st

from reference.yea import jsontext

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
HOWS = ("over", "over", "over", "in", "out", "swap", "twice", "case", "cut", "end", "more")
Change = tuple[str, int, int]
"""How a text is changed, where, and which letter comes in."""
Rows = list[list[Any]]
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10, 1.5, "", " ", "-", "a", "b", "ab", "a b", "true", "false", "null", "0", "1", "-1",
    "1.5", "1e5", 100000, "a,b", ",", "a, b", "{a,b}", "[2]", "a: b", ":", "- a", "a\n", "\n", '"a"', '"', "\\", "\\n",
    "…", "é", "e\u0301", "a ", " a", "None", "-0", "01", "0x1", "NaN", 2**53 - 1, str(2**53 - 1), 1e21, "1e+21", "[]",
    "{}",
)  # fmt: skip
"""Scalars that some way of writing them makes look alike."""


def changes() -> st.SearchStrategy[Change]:
    """Changes of a text, anywhere in it."""
    return st.tuples(st.sampled_from(HOWS), st.integers(0, 4000), st.integers(0, len(ALPHABET) - 1))


def changed(text: str, change: Change) -> str:
    """Return a text after a change; at times it is the same text. `text` is not empty."""
    how, place, number = change
    at, letter = place % len(text), ALPHABET[number]
    following = text[at + 1 : at + 2]
    made = {
        "over": text[:at] + letter + text[at + 1 :],
        "in": text[:at] + letter + text[at:],
        "out": text[:at] + text[at + 1 :],
        "swap": text[:at] + following + text[at] + text[at + 2 :],
        "twice": text[:at] + text[at] + text[at:],
        "case": text[:at] + text[at].swapcase() + text[at + 1 :],
        "cut": text[: max(at, 1)],
        "end": text[:-1] + letter,
        "more": text + letter,
    }
    return made[how]


def scalars() -> st.SearchStrategy[Any]:
    """Scalars that are easily taken for each other."""
    return st.one_of(st.sampled_from(SCALARS), st.sampled_from(SCALARS), st.text('ab,: -"\\\n10', max_size=3))


def tables() -> st.SearchStrategy[tuple[Rows, Rows]]:
    """Two tables of scalars that are easily taken for each other: another cell, its twin, or commas elsewhere."""
    return st.one_of(_other_cells(), _other_cells(), _other_commas())


def _other_cells() -> st.SearchStrategy[tuple[Rows, Rows]]:
    widths = st.integers(1, 3)
    rows = widths.flatmap(
        lambda wide: st.lists(st.lists(scalars(), min_size=wide, max_size=wide), min_size=1, max_size=3)
    )
    return st.builds(_with_cell, rows, st.integers(0, 8), st.sampled_from((True, True, False)), scalars())


def _with_cell(rows: Rows, place: int, twin: bool, cell: Any) -> tuple[Rows, Rows]:
    row, column = divmod(place % (len(rows) * len(rows[0])), len(rows[0]))
    other = [list(each) for each in rows]
    other[row][column] = _twin(rows[row][column]) if twin else cell
    return rows, other


def _twin(cell: Any) -> Any:
    """What some way of writing makes look like this scalar: its text for what is none, and the other way round."""
    if not isinstance(cell, str):
        return json.dumps(cell)
    if cell == "-" or cell != cell.strip():
        return cell.strip(" -") or None
    try:
        value = json.loads(cell)
    except ValueError:
        return f"{cell} "
    return f"{cell} " if isinstance(value, dict | list | str) or value != value else value


def _other_commas() -> st.SearchStrategy[tuple[Rows, Rows]]:
    """Rows of two cells that make the same line where a comma in a cell is no different from one between two."""

    def rows(parts: list[str]) -> tuple[Rows, Rows]:
        return [[parts[0], ",".join(parts[1:])]], [[",".join(parts[:-1]), parts[-1]]]

    return st.lists(st.sampled_from(("a", "b", "", " ", "1", '"', "a b", "-")), min_size=3, max_size=4).map(rows)


BLANKS = ("", " ", "\n\t")


def respelt(text: str, choice: int) -> str:
    """Return the same JSON value with the keys of each object in another order, and with blanks between tokens.

    Args:
        text: the value.
        choice: decides; 0 turns the keys round and adds no blank, which is what a failure shrinks to.
    """
    turns, blank = divmod(choice, len(BLANKS))
    value = _turned(jsontext.loads(text), Random(turns) if turns else None)
    return _spaced(jsontext.dumps(value), BLANKS[blank])


def _turned(value: Any, order: Random | None) -> Any:
    """The value with shuffled keys, or with keys in reverse. Fuzzed values have a few levels."""
    if isinstance(value, list):
        return [_turned(item, order) for item in value]
    if not isinstance(value, dict):
        return value
    names = list(value)[::-1]
    if order is not None:
        order.shuffle(names)
    return {name: _turned(value[name], order) for name in names}


def _spaced(text: str, blank: str) -> str:
    parts, within, escaped = [], False, False
    for letter in text:
        within ^= letter == '"' and not escaped
        escaped = letter == "\\" and not escaped
        parts.append(f"{letter}{blank}" if not within and letter in ",:[{" else letter)
    return "".join(parts)


def table_text(rows: Rows) -> str:
    """Return the JSON text of rows with the keys k0, k1 and so on."""
    return json.dumps([{f"k{number}": cell for number, cell in enumerate(row)} for row in rows])
