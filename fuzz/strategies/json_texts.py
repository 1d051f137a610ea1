"""JSON as text: every legal spelling of every value, so that what a parser loses is tried too.

A text is made from parts that are already spelled: numbers in several forms, strings with any mix of raw characters and
escapes, spaces wherever JSON allows them. Keys never repeat within an object (YEA-Q13 leaves that open).
"""

import json
from functools import cache

from hypothesis import strategies as st

BORDERS = (0, 1, 9, 10, 2**31, 2**52, 2**53 - 1, 2**53, 2**53 + 1, 2**63, 10**20, 10**21, 10**22)
SPACES = st.sampled_from(["", "", "", " ", "\n", "\t", "\r\n", "  "])
WORDS = (
    "-",
    "true",
    "false",
    "null",
    "0",
    "-1",
    "1.5",
    "1e5",
    "-0",
    "1E+2",
    "01",
    "1.",
    ".5",
    "+1",
    "1e",
    "0x1",
    "NaN",
)
NAMES = (
    "__proto__",
    "constructor",
    "toString",
    "0",
    "10",
    "4294967294",
    "4294967295",
    "01",
    "-1",
    "1.0",
    "",
    " ",
    "a b",
)
ODD = "\x00\x01\x08\t\n\x0b\x0c\r\x1f\x7f\x85\xa0\xad­​‮\u2028\u2029\ufeff\ufffd\uffff"
ASTRAL = "\U00010000\U0001f600\U0001f1e6\U0010ffff"
EDGES = "\ud7ff\ue000\uff61\"\\/,;:[]{}|`<>'"


@cache
def characters() -> st.SearchStrategy[str]:
    """Characters of every sort that some encoder treats in its own way; lone surrogates included."""
    surrogates = st.integers(0xD800, 0xDFFF).map(chr)
    plain = st.sampled_from("abzAZ09_ .-")
    return st.one_of(plain, plain, st.sampled_from(ODD + ASTRAL + EDGES), surrogates, st.characters())


@cache
def strings(*, surrogates: bool = True) -> st.SearchStrategy[str]:
    """Strings: keywords, look-alikes of numbers, odd characters; with `surrogates`, lone ones too."""
    made = st.one_of(
        st.sampled_from([*WORDS, *NAMES]),
        st.text(st.sampled_from("ab 1-"), max_size=6),
        st.lists(characters(), max_size=6).map("".join),
        st.text(st.sampled_from("a "), min_size=190, max_size=210),
    )
    return made if surrogates else made.filter(_encodes)


def _encodes(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


@cache
def string_texts(*, surrogates: bool = True) -> st.SearchStrategy[str]:
    """A string as JSON text, each character raw or escaped in one of its legal ways."""
    return st.tuples(strings(surrogates=surrogates), st.integers(0, 2**16 - 1)).map(lambda made: spelled(*made))


def spelled(text: str, choice: int) -> str:
    """Return a string's JSON text; bits of `choice` decide which characters are escaped, and in which letter case."""
    parts = []
    for index, character in enumerate(text):
        bit = choice >> (index % 16) & 1
        must = character < " " or character in '"\\' or "\ud800" <= character <= "\udfff"
        parts.append(_escaped(character, upper=bool(choice & 1)) if must or bit else character)
    return f'"{"".join(parts)}"'


def _escaped(character: str, *, upper: bool) -> str:
    short = json.dumps(character)[1:-1]
    if upper and len(short) == 2 and short[0] == "\\":
        return short
    units = character.encode("utf-16-be", "surrogatepass")
    form = "\\u{:04X}" if upper else "\\u{:04x}"
    return "".join(form.format(units[at] << 8 | units[at + 1]) for at in range(0, len(units), 2))


@cache
def number_texts(*, integers_only: bool = False) -> st.SearchStrategy[str]:
    """A number as JSON text: integers around the borders, fractions, exponents, long and tiny ones."""
    wholes = st.one_of(st.integers(-20, 20), st.sampled_from(BORDERS), st.integers(-(2**70), 2**70))
    if integers_only:
        return wholes.map(str)
    signs = st.sampled_from(["", "", "-"])
    integers = st.tuples(signs, wholes).map(lambda made: f"{made[0]}{abs(made[1])}")
    fractions = st.tuples(integers, st.from_regex(r"[0-9]{1,20}", fullmatch=True)).map(".".join)
    powers = st.integers(-30, 30).map(str)
    small = st.integers(0, 999).map(str)
    exponents = st.tuples(signs, small, st.sampled_from(["", ".5", ".25"]), st.sampled_from("eE"), powers).map("".join)
    doubles = st.floats(allow_nan=False, allow_infinity=False).map(json.dumps)
    return st.one_of(integers, integers, fractions, exponents, doubles)


def json_texts(*, surrogates: bool = True, integers_only: bool = False, leaves: int = 12) -> st.SearchStrategy[str]:
    """Any JSON value as text.

    Args:
        surrogates: whether strings may hold lone surrogates.
        integers_only: whether numbers are integers in minimal form.
        leaves: about how many scalars at most.
    """
    scalars = st.one_of(
        st.sampled_from(["null", "true", "false"]),
        number_texts(integers_only=integers_only),
        string_texts(surrogates=surrogates),
    )
    keys = string_texts(surrogates=surrogates)
    return st.recursive(
        scalars, lambda inner: st.one_of(_arrays(inner), _tables(keys, inner), _objects(keys, inner)), max_leaves=leaves
    )


def _arrays(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(SPACES, st.lists(inner, max_size=5)).map(
        lambda made: f"[{made[0]}{(',' + made[0]).join(made[1])}]"
    )


def _objects(keys: st.SearchStrategy[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(keys, inner), max_size=5, unique_by=lambda member: json.loads(member[0]))
    return st.tuples(SPACES, members).map(lambda made: _object(made[1], made[0]))


def objects() -> st.SearchStrategy[str]:
    """Objects with scalar members."""
    return _objects(string_texts(), st.one_of(number_texts(), string_texts()))


def tables() -> st.SearchStrategy[str]:
    """Arrays of objects of scalars that make a table, or nearly make one."""
    return _tables(string_texts(), st.one_of(number_texts(), string_texts()))


TWISTS = st.lists(st.sampled_from(["", "", "", "reversed", "short"]), min_size=1, max_size=3)


def _tables(keys: st.SearchStrategy[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """An array of objects with the same keys, at times one of them in another order or without its last member."""
    names = st.lists(keys, min_size=1, max_size=3, unique_by=json.loads)
    return st.tuples(names, TWISTS, st.lists(inner, min_size=1, max_size=4)).map(lambda made: _table(*made))


def _table(names: list[str], twists: list[str], values: list[str]) -> str:
    rows = []
    for number, twist in enumerate(twists):
        row = [(name, values[(number + column) % len(values)]) for column, name in enumerate(names)]
        rows.append(row[::-1] if twist == "reversed" else row[:-1] if twist == "short" else row)
    return f"[{','.join(_object(row, '') for row in rows)}]"


def _object(members: list[tuple[str, str]], space: str) -> str:
    return "{" + space + ("," + space).join(f"{name}{space}:{space}{value}" for name, value in members) + "}"


def nested_texts() -> st.SearchStrategy[str]:
    """Arrays and objects nested around the depth of 64, where Lens cuts."""
    layers = st.integers(60, 68).flatmap(
        lambda depth: st.lists(st.sampled_from(["[", '{"a":', '{"1":']), min_size=depth, max_size=depth)
    )
    return st.tuples(layers, st.sampled_from(["1", "[]", "{}", '"x"'])).map(_nested)


def _nested(made: tuple[list[str], str]) -> str:
    layers, core = made
    return "".join(layers) + core + "".join("]" if layer == "[" else "}" for layer in reversed(layers))
