"""ECMAScript property order (YEA 9.1)."""

import random

import pytest

from reference.yea.lens.order import members
from reference.yea.types import Json
from tests.reference.yea.lens.node import ask_node, needs_node

ORDERS = [
    (["b", "10", "2"], ["2", "10", "b"]),
    (["z", "a", "M"], ["z", "a", "M"]),
    (
        ["4294967295", "01", "-1", "1.0", "4294967294", "0"],
        ["0", "4294967294", "4294967295", "01", "-1", "1.0"],
    ),
    (["", "1", " 1", "1 ", "1\n", "+1", "1e1"], ["1", "", " 1", "1 ", "1\n", "+1", "1e1"]),
    (["99999999999", "9", "10000000000"], ["9", "99999999999", "10000000000"]),
    (["\u0661", "1"], ["1", "\u0661"]),
    (["__proto__", "1", "constructor"], ["1", "__proto__", "constructor"]),
    ([], []),
]


@pytest.mark.parametrize(("written", "ordered"), ORDERS, ids=[ascii(written) for written, _ in ORDERS])
def test_array_indices_come_first_in_ascending_order(written: list[str], ordered: list[str]) -> None:
    """ "0" to "4294967294" without sign or leading zero; all other keys keep their places."""
    value: dict[str, Json] = {key: place for place, key in enumerate(written)}
    assert list(members(value)) == [(key, value[key]) for key in ordered]


def test_the_object_itself_keeps_its_order() -> None:
    """Reading the members never rearranges the object."""
    value: dict[str, Json] = {"b": 1, "1": 2}
    members(value)
    assert list(value) == ["b", "1"]


@needs_node
def test_random_keys_come_as_node_gives_them() -> None:
    """Objects of random keys around the range of array indices; __proto__ is set like any other."""
    chooser = random.Random(9)
    pool = ["a", "b", "__proto__", "", "-1", "01", "4294967294", "4294967295", "4294967296"]
    pool += [str(chooser.randrange(0, 10**digits)) for digits in range(1, 13) for _ in range(4)]
    objects: list[dict[str, Json]] = [dict.fromkeys(chooser.sample(pool, chooser.randint(0, 9))) for _ in range(2000)]
    assert [[key for key, _ in members(value)] for value in objects] == ask_node(
        "input.map(value => Object.keys(value))", objects
    )
