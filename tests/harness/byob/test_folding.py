"""What follows from a ledger: the floor, one turn for each grant, and the freedom of humans (BYOB 8)."""

from typing import Any

import pytest

from harness.byob.dialect import Dialect
from harness.byob.folding import fold
from harness.byob.recipes import Place

CONFIG = {"topology": {"kind": "broadcast", "order": ["a", "b"], "rounds": 50}}
PLACES = {"a": Place("a", "A"), "b": Place("b", "B"), "h": Place("h", "H", "human")}
DIALECT = Dialect(places={"floor_granted.holder": ("holder",)})


def ledger(*words: str) -> list[dict[str, Any]]:
    """Return entries from words: `@a` grants a the floor, `a` lets a say, `a.pass` lets a pass."""
    entries = []
    for seq, word in enumerate(words, 1):
        seat, _, kind = word.partition(".")
        granted = {"seat": "core", "kind": "system", "event": "floor_granted", "holder": word[1:]}
        entries.append({"seq": seq, **(granted if word.startswith("@") else {"seat": seat, "kind": kind or "say"})})
    return entries


@pytest.mark.parametrize(
    ("words", "turns", "floor"),
    [
        ("@a a @b b", 0, 0),
        ("@a a a", 1, 0),
        ("@a a.pass a", 1, 0),
        ("@a h h a", 0, 0),  # a human may say at any time, as often as it likes
        ("@h h h", 0, 0),
        ("@a b", 0, 1),
        ("@a h.pass", 0, 1),
    ],
)
def test_each_grant_is_good_for_one_turn_of_a_bot(words: str, turns: int, floor: int) -> None:
    folded = fold(ledger(*words.split()), CONFIG, PLACES, DIALECT)
    assert (len(folded.turns), len(folded.floor)) == (turns, floor)
