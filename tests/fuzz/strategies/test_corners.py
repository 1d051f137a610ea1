"""Each strategy really reaches the corners that it is for, and makes what it claims."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from fuzz.properties.caveats import _decide, arguments
from fuzz.properties.lens import is_open
from fuzz.strategies import frames, grants, json_texts, tokens
from reference.yea import jsontext
from reference.yea.canonical import canonical
from reference.yea.grants import GrantError, decode
from reference.yea.lens import lens_reply
from reference.yea.quantities import is_limit, is_quantity

TRIES = settings(
    max_examples=10_000,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
Corner = tuple[str, st.SearchStrategy[Any], Callable[[Any], bool]]


def reach(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> Any:
    """Return an example of a kind; raises NoSuchExample."""
    return find(strategy, wanted, settings=TRIES, random=Random(1))


def loaded(wanted: Callable[[Any], bool]) -> Callable[[str], bool]:
    return lambda text: wanted(jsontext.loads(text))


def keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def shown(words: str) -> Callable[[str], bool]:
    return lambda text: words in lens_reply(jsontext.loads(text))


def _astral_and_high(names: list[str]) -> bool:
    astral = any(name and name[0] > "\uffff" for name in names)
    return astral and any(name and "\ue000" <= name[0] <= "\uffff" for name in names)


def _rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) and row for row in value)


def _same_set_other_order(rows: list[dict[str, Any]]) -> bool:
    return len({frozenset(row) for row in rows}) == 1 and len({tuple(row) for row in rows}) > 1


TEXTS = json_texts.json_texts()
STRINGS = json_texts.strings()
NUMBERS = json_texts.number_texts()
SPELLED = json_texts.string_texts()
TABLES = json_texts.tables()
OBJECTS = json_texts.objects()
RIVALS = json_texts.rivals(st.just("0"))
NESTED = json_texts.nested_texts()
FRAMES = frames.frame_texts()
CORNERS: list[Corner] = [
    ("a lone surrogate in a key", OBJECTS, loaded(lambda v: any(jsontext.has_lone_surrogate(k) for k in keys(v)))),
    ("a lone surrogate in a string", STRINGS, jsontext.has_lone_surrogate),
    ("two halves that make a pair", SPELLED, lambda text: "\\ud83d\\ude00" in text),
    ("an astral key beside one above the surrogates", RIVALS, loaded(lambda v: _astral_and_high(keys(v)))),
    ("an array index after a word", OBJECTS, loaded(lambda v: len(keys(v)) > 1 and keys(v)[-1] in ("0", "10"))),
    ("the largest array index", OBJECTS, loaded(lambda v: "4294967294" in keys(v))),
    ("__proto__ as a key", OBJECTS, loaded(lambda v: "__proto__" in keys(v))),
    ("minus nought", NUMBERS, lambda text: text == "-0"),
    ("an integer with an exponent", NUMBERS, lambda text: "e" in text.lower() and text[0].isdigit()),
    ("the first integer too large", NUMBERS, lambda text: text == str(2**53)),
    ("a fraction", NUMBERS, loaded(lambda v: isinstance(v, float) and not v.is_integer())),
    ("a letter spelled as an escape", SPELLED, lambda text: "\\u0061" in text),
    ("a string that looks like a number", SPELLED, lambda text: text in ('"1e5"', '"1E+2"', '"-0"', '"1.5"')),
    ("a string with a trailing newline", STRINGS, lambda text: len(text) > 1 and text[-1] == "\n"),
    ("a table", TABLES, loaded(lambda v: _rows(v) and len({tuple(row) for row in v}) == 1 and len(v) > 1)),
    ("rows whose keys differ in order", TABLES, loaded(lambda v: _rows(v) and _same_set_other_order(v))),
    ("a table but for one row", TABLES, loaded(lambda v: v[-1] == 5 and len(v) > 1)),
    ("a table inside an object", TEXTS, loaded(lambda v: isinstance(v, dict) and any(map(_rows, v.values())))),
    ("63 levels", NESTED, lambda text: text.count("[") + text.count("{") == 63),
    ("65 levels", NESTED, lambda text: text.count("[") + text.count("{") == 65),
    ("a form that no kind has", FRAMES, shown("kind: PROPOSALS")),
    ("a malformed uses", FRAMES, shown("uses: ?")),
    ("a number at 2^52", FRAMES, lambda text: str(2**52) in text),
    ("a percentage that rounds up", FRAMES, lambda text: any(shown(f"({half}%)")(text) for half in (1, 13, 14, 38))),
    ("a malformed more", FRAMES, shown("more:")),
    ("shared attributes", FRAMES, shown(" proposals — ")),
    ("a cut", FRAMES, shown('…"')),
    ("a place that the text leaves open", FRAMES, loaded(is_open)),
]


@pytest.mark.parametrize(("strategy", "wanted"), [each[1:] for each in CORNERS], ids=[each[0] for each in CORNERS])
def test_the_strategy_reaches(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> None:
    assert wanted(reach(strategy, wanted))


@pytest.mark.parametrize("decision", ["ok", "unauthorized", "forbidden", "consent_required"])
def test_cases_of_grants_are_decided_every_way(decision: str) -> None:
    chain, request = reach(grants.cases(), lambda made: _decide(arguments(*made)) == decision)
    assert _decide(arguments(chain, request)) == decision


def _is_that_string(made: tuple[str, int]) -> bool:
    return jsontext.loads(json_texts.spelled(*made)) == made[0]


def _repeats_no_key(text: str) -> bool:
    return len(json.loads(text, object_pairs_hook=list)) == len(json.loads(text))


SPELLINGS = st.tuples(json_texts.strings(surrogates=False), st.integers(0, 2**16 - 1))
WELL_FORMED = grants.cases(malformed=False)
CLAIMS: list[Corner] = [
    ("a JSON text is JSON", TEXTS, lambda text: jsontext.loads(text) is not Ellipsis),
    (
        "a canonical text has that form",
        json_texts.canonical_texts(),
        lambda text: bool(canonical(jsontext.loads(text))),
    ),
    ("a string text is that string", SPELLINGS, _is_that_string),
    ("no key is repeated", OBJECTS, _repeats_no_key),
    ("a frame is an object", FRAMES, lambda text: isinstance(jsontext.loads(text), dict)),
    ("a quantity is one", grants.quantities(), is_quantity),
    ("a limit is one", grants.limits(), lambda caveat: is_limit(next(iter(caveat.values())))),
    ("a chain that is not spoiled is a grant", WELL_FORMED, lambda made: bool(decode(made[0].token()))),
]


@pytest.mark.parametrize(("strategy", "holds"), [each[1:] for each in CLAIMS], ids=[each[0] for each in CLAIMS])
def test_the_strategy_makes_what_it_claims(strategy: st.SearchStrategy[Any], holds: Callable[[Any], bool]) -> None:
    quick = settings(TRIES, max_examples=100)
    with pytest.raises(NoSuchExample):
        find(strategy, lambda example: not holds(example), settings=quick, random=Random(1))


CHAINS = ([[{"can": ["*"]}]], [[], [{"can": ["*"]}]], [[], [], []])


@pytest.mark.parametrize("spoiled", tokens.SPOILS)
def test_a_spoiled_token_is_no_grant(spoiled: str) -> None:
    """It may be one for some chains: a single block has no prev to spoil."""
    assert [_is_grant(tokens.token(caveats, spoiled)) for caveats in CHAINS].count(False) >= 1


def test_a_token_that_is_not_spoiled_is_a_grant() -> None:
    assert [_is_grant(tokens.token(caveats)) for caveats in CHAINS] == [True, True, True]


def _is_grant(token: str) -> bool:
    try:
        decode(token)
    except GrantError:
        return False
    return True
