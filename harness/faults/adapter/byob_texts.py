"""Faults of what BYOB hashes and signs: one family of wrong canonical texts, under every operation that makes one.

The text of each row is wrong in one way (BYOB 4); `byob.canonical` writes it, `byob.sign` signs it, `byob.verify`
verifies it and `byob.prefix_hash` hashes it. A row names the cases of each operation that must catch it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from harness.faults.adapter.byob_owners import signed, verified
from harness.faults.adapter.canonical import ESCAPES, RULE, Writer, by_utf_16
from harness.faults.adapter.tools import Run, register

BYOB = replace(
    RULE,
    order=by_utf_16,
    text=lambda value: f'"{value.translate(ESCAPES)}"',
    key=lambda value: f'"{value.translate(ESCAPES)}"',
    number=json.dumps,
)
"""The rule: JSON.stringify with sorted keys."""

Text = Callable[[str], str]
"""From JSON text to the text that should be canonical."""


@dataclass(frozen=True)
class Wrong:
    """A wrong canonical text.

    Args:
        words: the words of the fault's id.
        says: what is wrong, one sentence.
        text: the text that is made.
        kills: for each operation without `byob.`, the words of the cases that must catch it.
    """

    words: str
    says: str
    text: Text
    kills: dict[str, str]


def _written(writer: Writer) -> Text:
    return lambda text: writer.write(json.loads(text))


def _changed(change: Callable[[Any], Any]) -> Text:
    """The rule, after each value inside was changed, the innermost first."""

    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            return change({name: inside(item) for name, item in value.items()})
        return change([inside(item) for item in value] if isinstance(value, list) else value)

    return lambda text: BYOB.write(inside(json.loads(text)))


def _top_only(text: str) -> str:
    value = json.loads(text)
    if isinstance(value, dict):
        value = {name: value[name] for name in by_utf_16(value)}
    return replace(BYOB, order=list).write(value)


def _not_in_arrays(text: str) -> str:
    def write(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ",".join(f"{BYOB.key(name)}:{write(value[name])}" for name in by_utf_16(value)) + "}"
        return replace(BYOB, order=list).write(value)

    return write(json.loads(text))


def _sorted_arrays(value: Any) -> Any:
    return sorted(value, key=BYOB.write) if isinstance(value, list) else value


def _no_nulls(value: Any) -> Any:
    return {name: item for name, item in value.items() if item is not None} if isinstance(value, dict) else value


def _nothing_empty(value: Any) -> Any:
    return {name: item for name, item in value.items() if item or item is True} if isinstance(value, dict) else value


def _no_blanks(value: Any) -> Any:
    return re.sub(r"\s+", " ", value).strip() if isinstance(value, str) else value


def _coerced(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(e[0-9]+)?|true|false|null", value):
        return {"true": True, "false": False, "null": None}.get(value) or json.loads(value.lstrip("0") or "0")
    return value


def _as_doubles(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _numeric_first(names: Any) -> list[str]:
    return sorted(names, key=lambda n: (0, int(n), "") if re.fullmatch(r"0|[1-9][0-9]*", n) else (1, 0, n))


MORE = {**ESCAPES, ord("'"): "\\u0027", ord("+"): "\\u002b"}
TEXTS = (
    Wrong(
        "as-received",
        "Keeps the members in the order in which they came.",
        _written(replace(BYOB, order=list)),
        {
            "canonical": "two-keys object-in-an-object thirty-keys join-as-in-section-4",
            "sign": "join join-backwards decision",
            "verify": "join join-backwards",
            "prefix_hash": "prefix-of-section-6 members-backwards",
        },
    ),
    Wrong(
        "raw",
        "Takes the JSON text as it came for canonical.",
        lambda text: text,
        {
            "canonical": "two-keys blanks-between-tokens line-ends-and-tabs escaped-letters nothing leading-zero",
            "sign": "decision-with-blanks join-backwards no-json",
            "verify": "join-with-blanks join-with-an-escape",
            "prefix_hash": "blanks-between-tokens escapes-in-the-text",
        },
    ),
    Wrong(
        "top-only",
        "Sorts the keys of the outermost object alone.",
        _top_only,
        {
            "canonical": "object-in-an-object three-deep object-in-an-array join-as-in-section-4",
            "sign": "join further-member",
            "verify": "join card-backwards",
            "prefix_hash": "inner-members-backwards prefix-of-section-6",
        },
    ),
    Wrong(
        "not-in-arrays",
        "Does not sort the keys of objects inside arrays.",
        _not_in_arrays,
        {
            "canonical": "object-in-an-array array-in-an-array same-keys-in-two-objects",
            "sign": "join array",
            "verify": "join",
            "prefix_hash": "prefix-of-section-6 no-decisions",
        },
    ),
    Wrong(
        "spaces",
        "Writes a space after commas and colons.",
        _written(replace(BYOB, comma=", ", colon=": ")),
        {
            "canonical": "two-keys blanks-between-tokens numbers",
            "sign": "join decision-with-blanks",
            "verify": "join decision",
            "prefix_hash": "bare-prefix blanks-between-tokens",
        },
    ),
    Wrong(
        "arrays-sorted",
        "Sorts the elements of arrays.",
        _changed(_sorted_arrays),
        {
            "canonical": "numbers strings objects-by-their-keys types-mixed nested-arrays",
            "sign": "join array",
            "verify": "join card-backwards",
            "prefix_hash": "seats-in-another-order decisions-in-another-order actions-in-another-order",
        },
    ),
    Wrong(
        "nulls-dropped",
        "Leaves out members that are null.",
        _changed(_no_nulls),
        {
            "canonical": "member-null null-deep-inside",
            "sign": "member-null",
            "verify": "member-null",
            "prefix_hash": "seat-with-a-null-role",
        },
    ),
    Wrong(
        "nothing-empty",
        "Leaves out members that are empty, zero or false.",
        _changed(_nothing_empty),
        {
            "canonical": "empty-members false member-null",
            "sign": "join join-with-a-bare-card",
            "verify": "join join-without-a-role",
            "prefix_hash": "bare-prefix no-decisions",
        },
    ),
    Wrong(
        "keys-without-case",
        "Sorts keys without regard to case.",
        _written(replace(BYOB, order=lambda names: sorted(names, key=lambda name: (name.casefold(), name)))),
        {"canonical": "capitals-first underscore-between"},
    ),
    Wrong(
        "keys-like-numbers-first",
        "Puts keys that look like numbers first, by value.",
        _written(replace(BYOB, order=_numeric_first)),
        {"canonical": "digits-as-text digits-among-others"},
    ),
    Wrong(
        "keys-by-length",
        "Sorts keys by length first.",
        _written(replace(BYOB, order=lambda names: sorted(names, key=lambda name: (len(name), name)))),
        {"canonical": "beginnings-first longer-one-first", "sign": "join", "verify": "join"},
    ),
    Wrong(
        "keys-by-their-escapes",
        "Sorts keys by their escaped text.",
        _written(replace(BYOB, order=lambda names: sorted(names, key=json.dumps))),
        {"canonical": "quote-in-a-key"},
    ),
    Wrong(
        "blanks-in-strings",
        "Shrinks blanks inside strings.",
        _changed(_no_blanks),
        {"canonical": "blanks-in-a-string", "verify": "blank-at-the-end"},
    ),
    Wrong(
        "coerced",
        "Reads strings that look like numbers or words as such.",
        _changed(_coerced),
        {"canonical": "string-of-a-number string-of-a-word", "verify": "proxy-a-word"},
    ),
    Wrong(
        "doubles",
        "Writes integers as doubles.",
        _changed(_as_doubles),
        {
            "canonical": "zero negative ten-digits largest-integer",
            "sign": "rfc-8032-test-1 seed-in-order",
            "prefix_hash": "prefix-of-section-6 more-rounds",
        },
    ),
    Wrong(
        "magic-keys",
        "Loses the key __proto__.",
        lambda text: BYOB.write(
            json.loads(text, object_hook=lambda made: {n: v for n, v in made.items() if n[:2] != "__"})
        ),
        {"canonical": "key-proto"},
    ),
    Wrong(
        "quotes-as-they-are",
        "Does not escape quotes and backslashes.",
        _written(replace(BYOB, text=lambda value: f'"{value}"')),
        {"canonical": "quotes backslashes escaped-quote", "sign": "rejection", "prefix_hash": "topic-with-escapes"},
    ),
    Wrong(
        "printable-escaped",
        "Escapes apostrophes and plus signs.",
        _written(replace(BYOB, text=lambda value: '"' + value.translate(MORE) + '"')),
        {"canonical": "printable-characters"},
    ),
)


def _canonical(text: Text) -> Run:
    return lambda arguments: {"text": text(arguments["json"])}


def _sign(text: Text) -> Run:
    return lambda arguments: signed(arguments["seed"], text(arguments["json"]))


def _verify(text: Text) -> Run:
    def run(arguments: dict[str, Any]) -> dict[str, Any]:
        return {"valid": verified(arguments["public_key"], text(arguments["json"]), arguments["signature"])}

    return run


def _hash(text: Text) -> Run:
    return lambda arguments: {"hash": sha256(text(arguments["json"]).encode()).hexdigest()}


MAKERS: dict[str, Callable[[Text], Run]] = {
    "canonical": _canonical,
    "sign": _sign,
    "verify": _verify,
    "prefix_hash": _hash,
}

for wrong in TEXTS:
    for op, kills in wrong.kills.items():
        register(f"byob.{op}", (wrong.words, wrong.says, kills, MAKERS[op](wrong.text)))
