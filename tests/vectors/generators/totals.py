"""grant.check: totals, with what is already used under each block (YEA 6.3)."""

import json
from dataclasses import replace
from typing import Any

from harness.recipes.scene import token
from tests.vectors.generators.documents import Json, group
from tests.vectors.generators.limits import LARGEST, SOFT, limit, quantity, uses
from tests.vectors.generators.scenes import check, scene
from tests.vectors.generators.second import digest, unb64url


def _used(name: str, levels: list[list[Json]], used: dict[int, Json], own: Json, word: str, **options: Any) -> Json:
    """A chain with these caveats in its blocks; `used` says what is used under the block at a position."""
    made = token(*scene().chain(*map(tuple, levels)))
    blocks = json.loads(unb64url(made.removeprefix("pg1.")))
    spent = {digest(blocks[at]["s"]): quantities for at, quantities in used.items()}
    return check(f"total {name}", made, word, asked=replace(uses(own), used=spent), **options)


def groups() -> list[Json]:
    """The groups about totals."""
    return [_totals(), _sums(), _several()]


def _totals() -> Json:
    five, ten = {"m": quantity(5)}, [[{"total": limit(10)}]]
    return group(
        "totals already used",
        "6.3-19",
        [
            _used("nothing used yet", ten, {}, {"m": quantity(10)}, "ok", flags="boundary"),
            _used("up to the limit", ten, {0: five}, five, "ok", flags="boundary"),
            _used("one past", ten, {0: five}, {"m": quantity(6)}, SOFT, flags="used-ignored"),
            _used("used up", ten, {0: {"m": quantity(10)}}, {"m": quantity(1)}, SOFT, flags="used-ignored"),
            _used(
                "used up, and nothing more", ten, {0: {"m": quantity(10)}}, {"m": quantity(0)}, "ok", flags="boundary"
            ),
            _used("already over, and nothing more", ten, {0: {"m": quantity(11)}}, {"m": quantity(0)}, SOFT),
            _used("used up, but not reported", ten, {0: {"m": quantity(10)}}, {}, "ok", flags="unreported-fails"),
            _used(
                "of another measure used up",
                ten,
                {0: {"other": quantity(10), "n": quantity(99)}},
                five,
                "ok",
                flags="wrong-total",
                clauses="6.3-20",
            ),
            _used("with an empty account", ten, {0: {}}, five, "ok"),
            _used(
                "with its unit",
                [[{"total": limit(10, 0, "USD")}]],
                {0: {"m": quantity(5, 0, "USD")}},
                {"m": quantity(6, 0, "USD")},
                SOFT,
                flags="used-ignored",
            ),
            _used(
                "measure constructor, nothing used",
                [[{"total": limit(1, of="constructor")}]],
                {0: {"m": quantity(1)}},
                {"constructor": quantity(1)},
                "ok",
                flags="inherited",
                clauses="6.3-32",
            ),
        ],
    )


def _sums() -> Json:
    def tenths(most: int, used: int, own: int, word: str) -> Json:
        name = f"0-{used} and 0-{own} of 0-{most}"
        levels = [[{"total": limit(most, 1)}]]
        return _used(name, levels, {0: {"m": quantity(used, 1)}}, {"m": quantity(own, 1)}, word, flags="floating-point")

    def wide(name: str, most: Json, used: Json, own: Json, word: str, flags: str = "floating-point") -> Json:
        return _used(name, [[{"total": most}]], {0: {"m": used}}, {"m": own}, word, flags=flags)

    edge = quantity(LARGEST)
    return group(
        "sums in exact decimals",
        "6.3-28 6.3-29",
        [
            tenths(3, 1, 2, "ok"),
            tenths(8, 7, 1, "ok"),
            tenths(3, 2, 2, SOFT),
            wide("three scales", limit(123, 1), quantity(1205, 2), quantity(250, 3), "ok"),
            wide("three scales and a step", limit(123, 1), quantity(1205, 2), quantity(251, 3), SOFT),
            wide("a tenth past the largest", limit(LARGEST), quantity(LARGEST - 1), quantity(11, 1), SOFT),
            wide("a half below the largest", limit(LARGEST), quantity(LARGEST - 1), quantity(5, 1), "ok"),
            wide("one step past the largest", limit(LARGEST), edge, quantity(1, 18), SOFT),
            wide("sum past 53 bits", limit(LARGEST), edge, edge, SOFT, "narrow-integers"),
            wide("sum past 53 bits by one", limit(LARGEST), quantity(2), edge, SOFT),
            wide("steps at scale 18", limit(3, 18), quantity(1, 18), quantity(2, 18), "ok"),
            wide("a step at scale 18 beside 1", limit(1), quantity(1), quantity(1, 18), SOFT),
            wide(
                "digits of doubles",
                limit(9007199254740990, 15),
                quantity(9007199254740989, 15),
                quantity(1, 15),
                "ok",
            ),
        ],
    )


def _several() -> Json:
    def two(first: int, second: int) -> list[list[Json]]:
        return [[{"total": limit(first)}], [{"total": limit(second)}]]

    one, four = {"m": quantity(1)}, {"m": quantity(4)}
    return group(
        "several totals",
        "6.3-20",
        [
            _used("of the child used up", two(100, 5), {1: {"m": quantity(5)}}, one, SOFT, flags="used-ignored"),
            _used(
                "of the root used up",
                two(5, 100),
                {0: {"m": quantity(5)}},
                one,
                SOFT,
                flags="used-ignored last-block-only",
            ),
            _used(
                "of the child is its own",
                two(100, 5),
                {0: {"m": quantity(50)}},
                four,
                "ok",
                comment="usage under the root's id does not count against the child's total",
                flags="wrong-total",
            ),
            _used("of the root is its own", two(5, 100), {1: {"m": quantity(50)}}, four, "ok", flags="wrong-total"),
            _used(
                "of both within",
                two(10, 6),
                {0: {"m": quantity(6)}, 1: {"m": quantity(2)}},
                four,
                "ok",
                flags="boundary",
            ),
            _used(
                "of two measures in a block",
                [[{"total": limit(5)}, {"total": limit(1, of="n")}]],
                {0: {"m": quantity(4), "n": quantity(1)}},
                {"m": quantity(1), "n": quantity(0)},
                "ok",
                flags="wrong-total",
            ),
            _used(
                "of the second measure exceeded",
                [[{"total": limit(5)}, {"total": limit(1, of="n")}]],
                {0: {"n": quantity(1)}},
                {"m": quantity(1), "n": quantity(1)},
                SOFT,
                flags="first-only used-ignored",
            ),
            _used(
                "of one measure twice in a block, the second lower",
                [[{"total": limit(10)}, {"total": limit(6)}]],
                {0: {"m": quantity(4)}},
                {"m": quantity(3)},
                SOFT,
                flags="first-only",
            ),
            _used(
                "the same twice in a block",
                [[{"total": limit(10)}, {"total": limit(10)}]],
                {0: {"m": quantity(4)}},
                {"m": quantity(4)},
                "ok",
                basis="open",
                question="YEA-Q69",
            ),
            _used(
                "in the middle of three blocks",
                [[], [{"total": limit(5)}], []],
                {1: {"m": quantity(3)}},
                {"m": quantity(3)},
                SOFT,
                flags="last-block-only",
            ),
            _used(
                "and each of one measure",
                [[{"each": limit(3)}, {"total": limit(10)}]],
                {0: {"m": quantity(9)}},
                {"m": quantity(1)},
                "ok",
                comment="what is used does not count for each",
                flags="wrong-total",
            ),
        ],
    )
