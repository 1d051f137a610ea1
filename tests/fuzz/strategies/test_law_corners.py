"""The strategies of the laws reach their corners, and make what they claim."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from fuzz.strategies import changes, replies, tables, texts
from harness.adapters.operations import answer
from reference.byob.tasks import EVENTS, STATES
from reference.yea import jsontext
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.lens import lens_value
from tests.fuzz.strategies.test_corners import TRIES, Corner, reach

COUNTED, SEPARATED, POSTS = texts.counted_texts(), texts.separated_texts(), texts.ideographic_texts()
REPLIES, STEPS, PREFIXES, TABLES = replies.replies(), tables.steps(), tables.prefixes(), changes.tables()


def cuts(wanted: Callable[[list[Any]], bool]) -> Callable[[replies.Reply], bool]:
    def are(reply: replies.Reply) -> bool:
        frame: Any = jsontext.loads(reply[0])
        return wanted(fit(frame, reply[1], lambda cut: cut.kind).get("more") or [])

    return are


def kind(name: str) -> Callable[[replies.Reply], bool]:
    return lambda reply: json.loads(reply[0])["kind"] == name


CORNERS: list[Corner] = [
    ("a newline and two spaces", COUNTED, lambda text: "\n  " in text),
    ("a newline and one space", COUNTED, lambda text: "\n " in text and "\n  " not in text),
    ("four digits", COUNTED, lambda text: "6789" in text and est(text) > 2),
    ("a letter beyond ASCII beside one of it", COUNTED, lambda text: "aé" in text),
    ("an astral character", COUNTED, lambda text: any(letter > "\uffff" for letter in text)),
    ("a long run", COUNTED, lambda text: len(text) > 200),
    ("digits on both sides", SEPARATED, lambda made: made[0][-1:].isdigit() and made[2][:1].isdigit()),
    ("nothing on one side", SEPARATED, lambda made: made[0] == "" != made[2]),
    ("ideographs and ASCII", POSTS, lambda text: "漢" in text and not text.isascii() and "a" in text),
    ("a number that four divides", POSTS, lambda text: text.isascii() and len(text) % 4 == 0 < len(text)),
    ("an answer", REPLIES, kind("ANSWER")),
    ("a receipt", REPLIES, kind("RECEIPT")),
    ("several proposals", REPLIES, lambda reply: reply[0].count('"id": "p_') > 1),
    ("two cuts", REPLIES, cuts(lambda more: len(more) == 2)),
    ("a cut of a text", REPLIES, cuts(lambda more: any(entry["handle"] == "text" for entry in more))),
    ("a cut inside a list", REPLIES, cuts(lambda more: any(".1." in entry["path"] for entry in more))),
    ("dropped proposals", REPLIES, cuts(lambda more: any(entry["path"] == "proposals" for entry in more))),
    ("nothing cut", REPLIES, cuts(lambda more: not more)),
    ("the same event twice", STEPS, lambda made: len(set(made[1])) < len(made[1])),
    ("a word that is no event", STEPS, lambda made: any(name not in EVENTS for name in made[1])),
    ("a word that is no state", STEPS, lambda made: made[0] not in STATES),
    ("seats and decisions", PREFIXES, lambda text: '"seq"' in text and '"capabilities"' in text),
    ("a scalar and its text", TABLES, lambda made: made == ([[True]], [["true"]])),
    ("commas in other cells", TABLES, lambda made: ",".join(made[0][0]) == ",".join(made[1][0]) and made[0] != made[1]
     if all(isinstance(cell, str) for rows in made for cell in rows[0]) else False),
]  # fmt: skip


@pytest.mark.parametrize(("strategy", "wanted"), [each[1:] for each in CORNERS], ids=[each[0] for each in CORNERS])
def test_the_strategy_reaches(strategy: st.SearchStrategy[Any], wanted: Callable[[Any], bool]) -> None:
    assert wanted(reach(strategy, wanted))


@pytest.mark.parametrize("how", changes.HOWS)
def test_every_change_is_made(how: str) -> None:
    text = "abcDEF"
    change = reach(changes.changes(), lambda made: made[0] == how and changes.changed(text, made) != text)
    assert changes.changed(text, change) != text


CHANGES = {
    ("over", 1, 25): "aZc", ("in", 1, 25): "aZbc", ("out", 1, 0): "ac", ("swap", 1, 0): "acb", ("twice", 1, 0): "abbc",
    ("case", 1, 0): "aBc", ("cut", 2, 0): "ab", ("end", 0, 25): "abZ", ("more", 0, 25): "abcZ", ("swap", 2, 0): "abc",
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_what_it_says(change: changes.Change) -> None:
    assert changes.changed("abc", change) == CHANGES[change]


def _plain(text: str) -> bool:
    return text.isascii() and "/" not in text and "\\u" not in text and "\x7f" not in text


CLAIMS: list[Corner] = [
    ("a reply is one", REPLIES, lambda reply: "ok" in answer("fit", {"json": reply[0], "budget": reply[1]})),
    ("a table is one", TABLES, lambda made: lens_value(json.loads(changes.table_text(made[0]))).startswith("items[")),
    ("tables are of one size", TABLES, lambda made: [map(len, made[0])] and len(made[0]) == len(made[1])),
    ("what owners sign is plain", tables.plain_texts(), _plain),
    ("a prefix is an object", PREFIXES, lambda text: set(json.loads(text)) == {"topic", "rules", "seats", "decisions"}),
    (
        "another spelling is the same value",
        st.tuples(tables.plain_texts(), st.integers(0, 99)),
        lambda made: json.loads(changes.respelt(*made)) == json.loads(made[0]),
    ),
]


@pytest.mark.parametrize(("strategy", "holds"), [each[1:] for each in CLAIMS], ids=[each[0] for each in CLAIMS])
def test_the_strategy_makes_what_it_claims(strategy: st.SearchStrategy[Any], holds: Callable[[Any], bool]) -> None:
    with pytest.raises(NoSuchExample):
        find(strategy, lambda example: not holds(example), settings=settings(TRIES, max_examples=100))
