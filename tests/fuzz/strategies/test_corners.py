"""Each strategy really reaches the corners that it is for."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st

from fuzz.strategies import frames, grants, json_texts
from reference.yea import jsontext
from reference.yea.lens import lens_reply

TRIES = settings(
    max_examples=5_000,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
Corner = tuple[str, st.SearchStrategy[Any], Callable[[Any], bool]]


def loaded(wanted: Callable[[Any], bool]) -> Callable[[str], bool]:
    return lambda text: wanted(jsontext.loads(text))


def keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


TEXTS = json_texts.json_texts()
STRINGS = json_texts.strings()
NUMBERS = json_texts.number_texts()
SPELLED = json_texts.string_texts()
TABLES = json_texts.tables()
OBJECTS = json_texts.objects()
FRAMES = frames.frame_texts()
CORNERS: list[Corner] = [
    ("a lone surrogate in a key", OBJECTS, loaded(lambda v: any(jsontext.has_lone_surrogate(k) for k in keys(v)))),
    ("a lone surrogate in a string", STRINGS, jsontext.has_lone_surrogate),
    ("an astral key beside one above the surrogates", OBJECTS, loaded(lambda v: _astral_and_high(keys(v)))),
    ("an array index after a word", OBJECTS, loaded(lambda v: len(keys(v)) > 1 and keys(v)[-1] in ("0", "10"))),
    ("the largest array index", OBJECTS, loaded(lambda v: "4294967294" in keys(v))),
    ("__proto__ as a key", OBJECTS, loaded(lambda v: "__proto__" in keys(v))),
    ("minus nought", NUMBERS, lambda text: text == "-0"),
    ("an integer with an exponent", NUMBERS, lambda text: "e" in text.lower() and text[0].isdigit()),
    ("the first integer too large", NUMBERS, lambda text: text == str(2**53)),
    ("a fraction", NUMBERS, loaded(lambda v: isinstance(v, float) and not v.is_integer())),
    ("a letter spelled as an escape", SPELLED, lambda text: "\\u0061" in text),
    ("a string that looks like a number", SPELLED, lambda text: text == '"1e5"'),
    ("a string with a trailing newline", STRINGS, lambda text: len(text) > 1 and text[-1] == "\n"),
    ("a table", TABLES, loaded(lambda v: _rows(v) and len({tuple(row) for row in v}) == 1 and len(v) > 1)),
    ("rows whose keys differ in order", TABLES, loaded(lambda v: _rows(v) and _same_set_other_order(v))),
    ("a table inside an object", TEXTS, loaded(lambda v: isinstance(v, dict) and any(map(_rows, v.values())))),
    ("65 levels", json_texts.nested_texts(), lambda text: text.count("[") + text.count("{") == 65),
    ("an unknown form of each kind", FRAMES, lambda text: "kind: PROPOSALS" in lens_reply(jsontext.loads(text))),
    ("a malformed uses", FRAMES, lambda text: "uses: ?" in lens_reply(jsontext.loads(text))),
    ("an undo window of 2^52", FRAMES, lambda text: "4503599627370496s" in lens_reply(jsontext.loads(text))),
    ("a percentage that rounds up", FRAMES, lambda text: "(1%)" in lens_reply(jsontext.loads(text))),
    ("a malformed more", FRAMES, lambda text: "more:" in lens_reply(jsontext.loads(text))),
    ("shared attributes", FRAMES, lambda text: " proposals — " in lens_reply(jsontext.loads(text))),
]  # fmt: skip


def _astral_and_high(names: list[str]) -> bool:
    astral = any(name and name[0] > "\uffff" for name in names)
    return astral and any(name and "\ue000" <= name[0] <= "\uffff" for name in names)


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) and row for row in value)


def _same_set_other_order(rows: list[dict[str, Any]]) -> bool:
    return len({frozenset(row) for row in rows}) == 1 and len({tuple(row) for row in rows}) > 1


@pytest.mark.parametrize(("strategy", "wanted"), [each[1:] for each in CORNERS], ids=[each[0] for each in CORNERS])
def test_the_strategy_reaches(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> None:
    found = find(strategy, wanted, settings=TRIES, random=Random(5))
    assert wanted(found)


@pytest.mark.parametrize("decision", ["ok", "forbidden", "consent_required"])
def test_cases_of_grants_are_decided_every_way(decision: str) -> None:
    from fuzz.properties.caveats import _decide, arguments

    chain, request = find(
        grants.cases(), lambda made: _decide(arguments(*made)) == decision, settings=TRIES, random=Random(5)
    )
    assert _decide(arguments(chain, request)) == decision


def test_a_json_text_is_json() -> None:
    assert find(TEXTS, lambda text: json.dumps(jsontext.loads(text)) != text, settings=TRIES, random=Random(5))
