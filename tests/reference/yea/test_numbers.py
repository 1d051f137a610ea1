"""Number::toString at its switching points, and against ECMAScript itself."""

import math
import random
import struct

import pytest

from reference.yea.numbers import number_text
from tests.reference.yea.lens.node import ask_node, needs_node

SPELLINGS: list[tuple[int | float, str]] = [
    (0, "0"),
    (0.0, "0"),
    (-0.0, "0"),
    (1, "1"),
    (1.0, "1"),
    (-1.0, "-1"),
    (1.5, "1.5"),
    (-1.5, "-1.5"),
    (100.0, "100"),
    (1e3, "1000"),
    (0.1 + 0.2, "0.30000000000000004"),
    (1e20, "100000000000000000000"),
    (123456789012345680000.0, "123456789012345680000"),
    (999999999999999900000.0, "999999999999999900000"),
    (1e21, "1e+21"),
    (-1e21, "-1e+21"),
    (1.5e21, "1.5e+21"),
    (1e22, "1e+22"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (0.001, "0.001"),
    (0.0001, "0.0001"),
    (0.00001, "0.00001"),
    (0.000001, "0.000001"),
    (-0.000001, "-0.000001"),
    (0.0000015, "0.0000015"),
    (0.0000001, "1e-7"),
    (0.00000015, "1.5e-7"),
    (-0.00000015, "-1.5e-7"),
    (1e-10, "1e-10"),
    (5e-324, "5e-324"),
    (2.2250738585072014e-308, "2.2250738585072014e-308"),
    (1e16, "10000000000000000"),
    (1.2345678901234568e16, "12345678901234568"),
    (9007199254740991, "9007199254740991"),
    (9007199254740992, "9007199254740992"),
    (9007199254740993, "9007199254740992"),
    (-9007199254740993, "-9007199254740992"),
    (9007199254740995, "9007199254740996"),
    (12345678901234567890, "12345678901234567000"),
    (10**20, "100000000000000000000"),
    (10**21 - 1, "1e+21"),
    (10**21, "1e+21"),
    (10**400, "Infinity"),
    (-(10**5000), "-Infinity"),
    (math.inf, "Infinity"),
    (-math.inf, "-Infinity"),
    (math.nan, "NaN"),
]


@pytest.mark.parametrize(("number", "text"), SPELLINGS, ids=[text for _, text in SPELLINGS])
def test_a_number_is_spelt_as_ecmascript_spells_it(number: int | float, text: str) -> None:
    """1e21 and 1e-7 are the first with an exponent; an int beyond 2^53 shows the double that it would be."""
    assert number_text(number) == text


def random_doubles(count: int, seed: int) -> list[float]:
    """Doubles of every size: random bits, and random digits around the places where the spelling changes."""
    chooser = random.Random(seed)
    doubles: list[float] = []
    while len(doubles) < count:
        (bits,) = struct.unpack("<d", struct.pack("<Q", chooser.getrandbits(64)))
        scaled = chooser.choice((1, -1)) * chooser.random() * 10.0 ** chooser.randint(-9, 24)
        short = float(f"{chooser.randint(1, 9999)}e{chooser.randint(-12, 24)}")
        doubles += [double for double in (bits, scaled, short) if math.isfinite(double)]
    return doubles[:count]


@needs_node
def test_random_doubles_are_spelt_as_node_spells_them() -> None:
    """Doubles travel as their bits in hex, so that nothing but the spelling is compared."""
    doubles = random_doubles(21_000, seed=20)
    bits = [struct.pack(">d", double).hex() for double in doubles]
    assert [number_text(double) for double in doubles] == ask_node(
        'input.map(bits => String(Buffer.from(bits, "hex").readDoubleBE(0)))', bits
    )


@needs_node
def test_random_long_integers_are_spelt_as_node_spells_them() -> None:
    """An integer of 15 to 30 digits, read as JSON reads it there."""
    chooser = random.Random(21)
    integers = [chooser.randrange(-(10**digits), 10**digits) for digits in range(15, 31) for _ in range(200)]
    assert [number_text(integer) for integer in integers] == ask_node("input.map(String)", integers)
