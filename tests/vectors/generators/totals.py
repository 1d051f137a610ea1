"""grant.check: limits in exact decimals, units, totals already used, and what a proposal reports (YEA 5.1, 6.3)."""

import json
from dataclasses import replace
from typing import Any

from harness.recipes.scene import token
from tests.vectors.generators.documents import Json, group
from tests.vectors.generators.scenes import PROPOSAL, Asked, check, scene
from tests.vectors.generators.second import digest, unb64url

LARGEST = 2**53 - 1
SOFT = "consent_required"


def quantity(amount: int, scale: int | None = None, unit: str | None = None) -> Json:
    """A quantity with the members that are given."""
    members = {"amount": amount, "scale": scale, "unit": unit}
    return {name: value for name, value in members.items() if value is not None}


def limit(most: int, scale: int | None = None, unit: str | None = None, of: str = "m") -> Json:
    """A limit with the members that are given."""
    members = {"of": of, "max": most, "scale": scale, "unit": unit}
    return {name: value for name, value in members.items() if value is not None}


def uses(value: Any) -> Asked:
    """A COMMIT of a proposal with this `uses`."""
    return Asked(proposal={**PROPOSAL, "uses": value})


def _each(name: str, most: Json, own: Json, word: str, flags: str = "", **options: Any) -> Json:
    return check(f"each {name}", {"each": most}, word, asked=uses({"m": own}), flags=flags, **options)


def _used(name: str, levels: list[list[Json]], used: dict[int, Json], own: Json, word: str, **options: Any) -> Json:
    """A chain with these caveats in its blocks; `used` says what is used under the block at a position."""
    made = token(*scene().chain(*map(tuple, levels)))
    blocks = json.loads(unb64url(made.removeprefix("pg1.")))
    spent = {digest(blocks[at]["s"]): quantities for at, quantities in used.items()}
    return check(f"total {name}", made, word, asked=replace(uses(own), used=spent), **options)


def groups() -> list[Json]:
    """The groups about limits."""
    return [_scales(), _units(), _totals(), _sums(), _several(), _reported(), _malformed(), _limits_with_more()]


def _scales() -> Json:
    return group(
        "each in exact decimals",
        "6.3-18 6.3-28",
        [
            _each("at the limit", limit(25), quantity(25), "ok", "boundary"),
            _each("one over", limit(25), quantity(26), SOFT, "limit-unchecked"),
            _each("of 0 and nothing used", limit(0), quantity(0), "ok", "boundary"),
            _each("of 0 and one used", limit(0), quantity(1), SOFT),
            _each("25 at scale 2", limit(25), quantity(2500, 2), "ok", "scale-ignored"),
            _each("25-01 at scale 2", limit(25), quantity(2501, 2), SOFT, "scale-ignored boundary"),
            _each("25-001 at scale 3", limit(25), quantity(25001, 3), SOFT, "floating-point scale-ignored"),
            _each("2500 at scale 2 and 25 at 0", limit(2500, 2), quantity(25), "ok", "scale-ignored"),
            _each("2500 at scale 2 and 26 at 0", limit(2500, 2), quantity(26), SOFT, "scale-ignored"),
            _each("scale 0 said and left out", limit(7, 0), quantity(7), "ok", clauses="5.1-15"),
            _each("one step at scale 18", limit(0), quantity(1, 18), SOFT, "floating-point"),
            _each("equal at scales 18 and 17", limit(10, 18), quantity(1, 17), "ok"),
            _each("past at scales 18 and 17", limit(10, 18), quantity(2, 17), SOFT),
            _each("largest at scale 18", limit(LARGEST, 18), quantity(LARGEST, 18), "ok"),
            _each("largest against a small limit", limit(LARGEST, 18), quantity(LARGEST), SOFT, "narrow-integers"),
            _each("tiny against the largest", limit(LARGEST), quantity(1, 18), "ok", "narrow-integers"),
            _each("largest and one less", limit(LARGEST - 1), quantity(LARGEST), SOFT, "floating-point"),
            _each(
                "a step past at the edge of doubles",
                limit(900719925474099),
                quantity(LARGEST, 1),
                SOFT,
                "floating-point",
            ),
            _each(
                "a third of the digits at scale 16",
                limit(3333333333333333, 16),
                quantity(33333333333333, 14),
                "ok",
                "floating-point",
            ),
            check(
                "two eaches of one measure, the second lower",
                [{"each": limit(5)}, {"each": limit(4)}],
                SOFT,
                asked=uses({"m": quantity(5)}),
                flags="first-only",
            ),
            check(
                "same each twice",
                [{"each": limit(5)}, {"each": limit(5)}],
                "ok",
                asked=uses({"m": quantity(5)}),
            ),
        ],
    )


def _units() -> Json:
    high = 9_000_000
    return group(
        "units",
        "6.3-26 6.3-27",
        [
            _each("unit the same", limit(9, 0, "USD"), quantity(5, 0, "USD"), "ok"),
            _each("unit on neither side", limit(9), quantity(5), "ok"),
            _each("unit on the limit alone", limit(high, 0, "USD"), quantity(5), SOFT, "unit-ignored unit-hard"),
            _each("unit on the quantity alone", limit(high), quantity(5, 0, "USD"), SOFT, "unit-ignored unit-hard"),
            _each("another unit", limit(high, 0, "USD"), quantity(5, 0, "EUR"), SOFT, "unit-ignored unit-hard"),
            _each("unit in small letters", limit(high, 0, "USD"), quantity(5, 0, "usd"), SOFT, "unit-ignored"),
            _each("unit that goes on", limit(high, 0, "USD"), quantity(5, 0, "USDT"), SOFT, "unit-ignored"),
            _each("0 of another unit", limit(high, 0, "USD"), quantity(0, 0, "EUR"), SOFT, "zero-passes unit-ignored"),
            _each("0 without the unit", limit(0, 0, "USD"), quantity(0), SOFT, "zero-passes unit-ignored"),
            _each(
                "cents against dollars",
                limit(1, 0, "USD"),
                quantity(100, 0, "cents"),
                SOFT,
                "converts",
                clauses="5.1-21",
            ),
            _each("m against km", limit(1, 0, "km"), quantity(5, 0, "m"), SOFT, "converts", clauses="5.1-21"),
            check(
                "total in another unit than the quantity",
                {"total": limit(high, 0, "USD")},
                SOFT,
                asked=uses({"m": quantity(1, 0, "EUR")}),
                flags="unit-ignored unit-hard",
            ),
        ],
    )


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


def _reported() -> Json:
    zero = [{"each": limit(0)}, {"total": limit(0, 2, "USD")}]
    return group(
        "measures that are not reported",
        "6.3-31",
        [
            check(
                "no uses under limits of 0",
                zero,
                "ok",
                asked=replace(Asked(), without=("uses",)),
                flags="unreported-fails",
                clauses="5.1-20",
            ),
            check(
                "empty uses under limits of 0", zero, "ok", asked=uses({}), flags="unreported-fails", clauses="5.1-20"
            ),
            check(
                "other measures under limits of 0", zero, "ok", asked=uses({"n": quantity(5)}), flags="unreported-fails"
            ),
            check("measure that begins alike", zero, "ok", asked=uses({"m.x": quantity(5), "mm": quantity(5)})),
            check(
                "limit on constructor, which objects inherit",
                [{"each": limit(0, of="constructor")}, {"total": limit(0, of="constructor")}],
                "ok",
                asked=uses({"n": quantity(1)}),
                flags="inherited",
                clauses="6.3-32",
            ),
            check(
                "measure constructor over its limit",
                {"each": limit(1, of="constructor")},
                SOFT,
                asked=uses({"constructor": quantity(2)}),
                flags="inherited",
                clauses="6.3-32",
            ),
        ],
    )


def _malformed() -> Json:
    each, total = {"each": limit(9)}, {"total": limit(9)}
    good = {"m": quantity(1)}
    odd: tuple[tuple[str, Any], ...] = (
        ("a list", []),
        ("a string", "m"),
        ("0", 0),
        ("false", False),
        ("with a negative amount", {"m": quantity(-1)}),
        ("with an amount as a string", {"m": {"amount": "1"}}),
        ("with an amount of true", {"m": {"amount": True}}),
        ("with an amount that is missing", {"m": {}}),
        ("with a quantity that is null", {"m": None}),
        ("with a quantity that is a number", {"m": 1}),
        ("with scale 19", {"m": quantity(1, 19)}),
        ("with scale -1", {"m": quantity(1, -1)}),
        ("with an empty unit", {"m": quantity(1, 0, "")}),
        ("with a unit and a newline", {"m": quantity(1, 0, "USD\n")}),
        ("with a fraction", {"m": {"amount": 1.5}}),
        ("with 2 to 53", {"m": quantity(2**53)}),
        ("with another measure malformed", {**good, "n": quantity(-1)}),
        ("with a name in capitals besides", {**good, "N": quantity(1)}),
    )
    flags = "uses-unchecked uses-softly"
    cases = [check(f"uses {name}", each, "forbidden", asked=uses(value), flags=flags) for name, value in odd]
    cases += [
        check("uses malformed under a total", total, "forbidden", asked=uses({"m": quantity(-1)}), flags=flags),
        check(
            "uses malformed under a limit on another measure",
            {"each": limit(9, of="n")},
            "forbidden",
            asked=uses({"m": quantity(-1)}),
            flags=flags,
        ),
        check("uses malformed and no limit", [], "ok", asked=uses({"m": quantity(-1)}), comment="nothing asks for it"),
        check("uses malformed and over", [each], "forbidden", asked=uses({"m": quantity(99), "N": 1}), flags=flags),
    ]
    public = {"basis": "public-vectors", "flags": flags}
    cases += [
        check("uses null", each, "forbidden", asked=uses(None), question="YEA-Q60", **public),
        check(
            "uses null under a limit on another measure",
            {"total": limit(0, of="n")},
            "forbidden",
            asked=uses(None),
            question="YEA-Q60",
            **public,
        ),
        check(
            "uses with a further member in a quantity",
            each,
            "forbidden",
            asked=uses({"m": {"amount": 1, "note": "x"}}),
            question="YEA-Q14",
            **public,
        ),
    ]
    return group("malformed uses", "6.3-30", cases)


def _limits_with_more() -> Json:
    asked = uses({"m": quantity(1)})
    public = {"basis": "public-vectors", "question": "YEA-Q14", "flags": "malformed-passes"}
    null = {"basis": "open", "question": "YEA-Q60", "flags": "malformed-passes"}
    return group(
        "limits with more or null members",
        "6.3-08",
        [
            check(
                "each with a further member", {"each": {**limit(9), "note": "x"}}, "forbidden", asked=asked, **public
            ),
            check(
                "total with a further member", {"total": {**limit(9), "per": "day"}}, "forbidden", asked=asked, **public
            ),
            check("each with a null scale", {"each": {**limit(9), "scale": None}}, "forbidden", asked=asked, **null),
            check("each with a null unit", {"each": {**limit(9), "unit": None}}, "forbidden", asked=asked, **null),
        ],
    )
