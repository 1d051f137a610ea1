"""JSON as text: every legal spelling of every value, so that what a parser loses is tried too.

A text is made from parts that are already spelled: numbers in several forms, strings with any mix of raw characters and
escapes, spaces wherever JSON allows them. Keys never repeat within an object (YEA-Q13 leaves that open). Most strings
and numbers come from tables: a draw is dear, and a table knows the edges.
"""

import json

from hypothesis import strategies as st

MOST = 2**53 - 1
WORDS = (
    "-", "true", "false", "null", "True", "NULL", "0", "-1", "1.5", "1e5", "-0", "1E+2", "01", "1.", ".5", "+1", "1e",
    "0x1", "NaN", "1e400", "9" * 310, "a,b", "a: b", "a\n", "1\n", "- a", " a", "a ", "…", "é", "ü1",
    "A\u030a", "\u212b", "\uac00", "<b>&amp;</b>", "a/b", '"', "\\", "'", "x" * 200, "ab " * 67,
)  # fmt: skip
NAMES = (
    "a", "b", "c", "B", "aa", "a b", "", " ", "0", "1", "2", "10", "9", "-1", "01", "1.0", "1\n", "2147483648",
    "4294967294", "4294967295", "__proto__", "constructor", "toString", "length", "é", "\ue000", "\uff61", "\uffff",
    "\U00010000", "\U0001f600", "a\uff61", "a\U0001f600", "\x1f", "\x7f", '"', "\\", "/", "\u2028", "e\u0301", "true",
)  # fmt: skip
"""Keys whose order or meaning differs between implementations."""
RIVALS = (
    ("a", "", " "), ("b", "aa", "a"), ("B", "a", "C"), ("10", "9", "2"), ("1\n", "1", "01"),
    ("\uff61", "\U0001f600", "\ue000"), ("\x7f", '"', "\x01"), ("z", "\u00e9", "e\u0301"),
    ("4294967295", "4294967294", "x"), ("", "\x00", "\U0010ffff"),
)  # fmt: skip
"""Keys that some implementation puts into another order; the plainest first, to which a failure shrinks."""
CONTROLS = "\x00\x01\x08\t\n\x0b\x0c\r\x1f\x7f\x80\x85\x9f\xa0\xad\u200b\u202e\u2028\u2029\ufeff\ufffd\uffff"
ASTRAL = "\U00010000\U0001f600\U0001f1e6\U0010ffff"
EDGES = "\ud7ff\ue000\uff61\"\\/,;:[]{}|`<>&'#-.+_@ \u00e9\u0660\u0301\u212b\u4e2d"
SURROGATES = "\ud800\ud83d\udbff\udc00\ude00\udfff"
NUMBERS = (
    "-0", "-0.0", "0.0", "1.0", "1e3", "1E+2", "100e-2", "0.1", "1.5", "-2.5e-3", "0.30000000000000004", "4.35",
    "123456789.25", "123456789012345680000", "100000000000000000000000", "1e15", "1e16", "1e20", "1e21", "1.5e21",
    "1e22", "0.000001234", "1e-5", "1e-6", "1e-7", "1.5e-7", "5e-324", "2.2250738585072014e-308",
    "1.7976931348623157e308",
    *(f"{sign}{number}" for sign in ("", "-") for number in (2**31, 2**52, MOST, MOST + 1, MOST + 2, 2**63, 10**21)),
)  # fmt: skip
"""Numbers as text, on both sides of where spellings and ranges change."""
MOSTLY_THREE = st.sampled_from((1, 2, 3, 3, 3, 3))
"""Shrinks to one, where that fails as well."""

SPACES = st.sampled_from(["", "", "", " ", "\n", "\t", "\r\n", "  "])
Texts = st.SearchStrategy[str]

_plain = st.sampled_from(["a", "b", "Z", "9", " ", "a1"])
_odd = st.sampled_from([*CONTROLS, *ASTRAL, *EDGES])
_any = st.characters(exclude_categories=["Cs"])
_made = st.sampled_from(WORDS)


def strings(*, surrogates: bool = True) -> Texts:
    """Strings: keywords, look-alikes of numbers, odd characters; with `surrogates`, lone ones too."""
    sorts = [_plain, _odd, _odd, _any]
    halves = [st.sampled_from([*SURROGATES, "\ud83d\ude00"])] if surrogates else []
    characters = st.one_of(*sorts, *halves)
    return st.one_of(_made, st.lists(characters, max_size=4).map("".join))


def string_texts(made: Texts | None = None, *, surrogates: bool = True) -> Texts:
    """A string as JSON text, each character raw or escaped in one of its legal ways.

    Args:
        made: the strings, instead of `strings()`.
        surrogates: whether lone ones are among them.
    """
    return st.builds(spelled, strings(surrogates=surrogates) if made is None else made, st.integers(0, 2**16 - 1))


def key_texts(*, surrogates: bool = True) -> Texts:
    """Keys as JSON text: mostly those whose order implementations disagree about."""
    names = st.sampled_from(NAMES)
    return string_texts(st.one_of(names, names, strings(surrogates=surrogates)))


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


def integer_texts() -> Texts:
    """An integer that canonical JSON has, in its minimal form."""
    edges = [str(sign * (MOST - less)) for sign in (1, -1) for less in (0, 1)]
    return st.one_of(st.integers(-20, 20).map(str), st.sampled_from(edges), st.integers(-MOST, MOST).map(str))


def number_texts() -> Texts:
    """A number as JSON text: integers around the borders, fractions, exponents, long and tiny ones."""
    exponents = st.builds("{}{}{}".format, st.integers(-999, 999), st.sampled_from("eE"), st.integers(-30, 30))
    fractions = st.builds("{}.{}".format, st.integers(-999, 999), st.integers(0, 10**17))
    return st.one_of(
        st.integers(-20, 20).map(str),
        st.sampled_from(NUMBERS),
        st.sampled_from(NUMBERS),
        exponents,
        fractions,
        st.floats(allow_nan=False, allow_infinity=False).map(json.dumps),
        st.integers(-(2**70), 2**70).map(str),
    )


def scalar_texts(*, numbers: Texts | None = None, surrogates: bool = True) -> Texts:
    """A scalar as JSON text."""
    literals = st.sampled_from(["null", "true", "false"])
    return st.one_of(literals, number_texts() if numbers is None else numbers, string_texts(surrogates=surrogates))


def json_texts(*, numbers: Texts | None = None, surrogates: bool = True) -> Texts:
    """Any JSON value as text, of up to four levels.

    Args:
        numbers: the numbers in it, instead of `number_texts()`.
        surrogates: whether strings may hold lone surrogates.
    """
    scalars = scalar_texts(numbers=numbers, surrogates=surrogates)
    keys = key_texts(surrogates=surrogates)
    made = scalars
    for _ in range(3):
        made = st.one_of(scalars, arrays(made), objects(keys, made), rivals(made), tables(keys, scalars))
    return made


def canonical_texts() -> Texts:
    """JSON values that have a canonical form, in any spelling but that of their numbers."""
    return json_texts(numbers=integer_texts(), surrogates=False)


def arrays(inner: Texts) -> Texts:
    """Arrays."""
    return st.builds(_array, SPACES, st.lists(inner, max_size=4))


def _array(space: str, items: list[str]) -> str:
    return f"[{space}{(',' + space).join(items)}]"


def objects(keys: Texts | None = None, inner: Texts | None = None) -> Texts:
    """Objects; of scalars, if not said otherwise."""
    pairs = st.tuples(key_texts() if keys is None else keys, scalar_texts() if inner is None else inner)
    members = st.lists(pairs, max_size=4, unique_by=_key)
    return st.builds(_object, members, SPACES)


def rivals(inner: Texts) -> Texts:
    """Objects of keys whose order implementations disagree about, in some order."""
    return st.builds(_rival, st.sampled_from(RIVALS), st.booleans(), st.integers(0, 2), MOSTLY_THREE, inner)


def _rival(names: tuple[str, ...], backwards: bool, start: int, count: int, value: str) -> str:
    turned = (names[start:] + names[:start])[:count]
    members = [(spelled(name, 0), str(number)) for number, name in enumerate(turned[::-1] if backwards else turned)]
    return _object([*members[:-1], (members[-1][0], value)], "")


def tables(keys: Texts | None = None, inner: Texts | None = None) -> Texts:
    """Arrays of objects of scalars that make a table, or nearly make one.

    At times one row has its keys in another order, lacks its last member, has an array in it, is empty or is no object.
    """
    names = st.lists(key_texts() if keys is None else keys, min_size=1, max_size=3, unique_by=_key)
    values = st.lists(scalar_texts() if inner is None else inner, min_size=1, max_size=4)
    return st.builds(_table, names, values, st.integers(1, 4), TWISTS, st.integers(0, 3))


TWISTS = st.sampled_from(["", "", "", "", "reversed", "reversed", "short", "nested", "empty", "none"])


def _table(names: list[str], values: list[str], count: int, twist: str, twisted: int) -> str:
    rows = []
    for number in range(count):
        row = [(name, values[(number + column) % len(values)]) for column, name in enumerate(names)]
        rows.append(_twisted(row, twist) if number == twisted else _object(row, ""))
    return f"[{','.join(rows)}]"


def _twisted(row: list[tuple[str, str]], twist: str) -> str:
    if twist == "none":
        return "5"
    if twist == "nested":
        row[-1] = (row[-1][0], f"[{row[-1][1]}]")
    kept = {"reversed": row[::-1], "short": row[:-1], "empty": []}.get(twist, row)
    return _object(kept, "")


def _object(members: list[tuple[str, str]], space: str) -> str:
    return "{" + space + ("," + space).join(f"{name}{space}:{space}{value}" for name, value in members) + "}"


def _key(name: str | tuple[str, str]) -> str:
    return str(json.loads(name if isinstance(name, str) else name[0]))


def nested_texts() -> Texts:
    """Arrays and objects nested around the depth of 64, where Lens cuts."""
    layers = st.lists(st.sampled_from(["[", '{"a":', '{"1":', "[7,"]), min_size=1, max_size=3)
    return st.builds(_nested, layers, st.integers(61, 66), st.sampled_from(["1", "[]", "{}", '"x"', "[[],1]"]))


def _nested(layers: list[str], depth: int, core: str) -> str:
    made = [layers[number % len(layers)] for number in range(depth)]
    return "".join(made) + core + "".join("]" if layer[0] == "[" else "}" for layer in reversed(made))
