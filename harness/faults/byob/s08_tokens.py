"""BYOB 8: tables that count tokens wrongly."""

from collections.abc import Callable
from typing import ClassVar

from harness.faults import Fault, add
from harness.faults.byob.s08_ends import BUDGET, ESTIMATED, rows, stated, tabled
from reference.byob import tokens
from reference.byob.state import State
from reference.byob.table import Table
from reference.byob.types import COUNTED, Entry

TEXTS = "byob/8/texts-count-by-their-characters"
REPORTED = "byob/8/reports-are-taken-as-they-are"
COUNTS = "byob/8/say-proposal-and-decision-count"
OTHERS = "byob/8/other-kinds-do-not-count"


def counting(count: Callable[[Entry], int]) -> type[Table]:
    """Make a table that counts the tokens of an entry otherwise."""

    def count_tokens(state: State, entry: Entry) -> None:
        state.tokens_used += count(entry)

    return stated("Counts otherwise.", count_tokens=count_tokens)


def _texts(count: Callable[[str], int]) -> type[Table]:
    def counted(entry: Entry) -> int:
        reported = entry.get("budget", {}).get("tokens_used")
        return count(entry.get("body", "")) if reported is None else int(reported)

    return counting(counted)


def _apart(text: str) -> int:
    runs = "".join(letter if letter.isascii() else "\n" for letter in text).split("\n")
    return sum(not letter.isascii() for letter in text) + sum(-(-len(run) // 4) for run in runs)


rows(
    ("cjk-counts-a-quarter", "Counts a CJK character like any other.", (TEXTS,), _texts(lambda x: -(-len(x) // 4))),
    ("cjk-counts-its-bytes", "Counts the UTF-8 bytes of a CJK character.", (TEXTS,),
     _texts(lambda x: -(-len(x.encode()) // 4))),
    ("texts-are-rounded-down", "Rounds the count of a text down.", (TEXTS, ESTIMATED),
     _texts(lambda x: tokens.count(x) - (len([c for c in x if c.isascii()]) % 4 > 0))),
    ("texts-count-their-words", "Counts words.", (TEXTS, ESTIMATED), _texts(lambda x: len(x.split()))),
    ("texts-count-whole", "Counts one token for each character.", (TEXTS,), _texts(len)),
    ("texts-are-rounded-up-once-more", "Counts one token more when the length divides by four.", (TEXTS,),
     _texts(lambda x: tokens.count(x) + (len(x) % 4 == 0 and x.isascii()))),
    ("mixed-texts-count-by-runs", "Rounds every run of characters that are not CJK.", (TEXTS,), _texts(_apart)),
    ("blanks-are-not-counted", "Counts no blanks and no punctuation.", (TEXTS,),
     _texts(lambda x: tokens.count("".join(c for c in x if c.isalnum())))),
    ("unreported-posts-count-nothing", "Counts only what is reported.", (TEXTS, ESTIMATED), _texts(lambda x: 0)),
    ("reports-are-ignored", "Counts every post by its length.", (REPORTED, COUNTS, BUDGET),
     counting(lambda e: tokens.count(e.get("body", "")))),
    ("reports-of-zero-are-none", "Takes a report of 0 for none.", (REPORTED,),
     counting(lambda e: e.get("budget", {}).get("tokens_used") or tokens.count(e.get("body", "")))),
    ("reports-are-capped", "Takes at most 1000 reported tokens.", (REPORTED,),
     counting(lambda e: min(1000, tokens.tokens_of(e)))),
    ("reports-add-to-the-estimate", "Adds the report to the count of the text.", (REPORTED, COUNTS, BUDGET),
     counting(lambda e: tokens.count(e.get("body", "")) + e.get("budget", {}).get("tokens_used", 0))),
)  # fmt: skip


def _but(kind: str) -> Callable[[Entry], int]:
    return lambda entry: 0 if entry["kind"] == kind else tokens.tokens_of(entry)


for _kind in COUNTED:
    add(Fault(f"byob/{_kind}-counts-no-tokens", f"Counts no tokens for a {_kind}.", (COUNTS,),
              counting(_but(_kind))))  # fmt: skip


class _CountsAll(State):
    """Counts the tokens that a kind reports, or five for it."""

    kind: ClassVar[str]

    def apply(self, entry: Entry) -> None:
        """Count it."""
        super().apply(entry)
        if entry["kind"] == self.kind:
            self.tokens_used += int(entry.get("budget", {}).get("tokens_used", 5))


for _kind in ("pass", "raise_hand", "status", "receipt", "verify", "approval"):
    add(Fault(f"byob/{_kind.replace('_', '-')}-counts-tokens", f"Counts tokens for a {_kind} as well.", (OTHERS,),
              tabled("Counts all.", state_class=type("CountsAll", (_CountsAll,), {"kind": _kind}))))  # fmt: skip


def _bots_only(state: State, entry: Entry) -> None:
    if state.seats[entry["seat"]].kind == "bot":
        State.count_tokens(state, entry)


add(Fault("byob/human-says-count-no-tokens", "Counts nothing for what humans say.", (COUNTS,),
          stated("Counts bots.", count_tokens=_bots_only)))  # fmt: skip
