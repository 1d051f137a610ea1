"""grant.check: limits in exact decimals, units, and what a proposal reports (YEA 5.1, 6.3)."""

from dataclasses import replace
from typing import Any

from tests.vectors.generators.documents import Json, group
from tests.vectors.generators.scenes import PROPOSAL, Asked, check

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


def groups() -> list[Json]:
    """The groups about limits, but for what is already used."""
    return [_scales(), _units(), _reported(), _malformed(), _limits_with_more()]


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
        check(
            "uses malformed and no limit",
            [],
            "ok",
            "forbidden",
            asked=uses({"m": quantity(-1)}),
            comment="no caveat asks for it; a service may refuse its own malformed proposal all the same",
        ),
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
