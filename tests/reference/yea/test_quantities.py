from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.yea.quantities import (
    QuantityError,
    add,
    is_limit,
    is_measure_name,
    is_quantity,
    render,
    same_unit,
    uses_valid,
    value,
)
from reference.yea.types import Json

MOST = 2**53 - 1


@pytest.mark.parametrize(
    "name", ["a", "z9", "a1_.-", "spend", "emails", "constructor", "a" * 64, "a__proto__", "tostring"]
)
def test_a_measure_name(name: str) -> None:
    assert is_measure_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a" * 65,
        "Spend",
        "sPend",
        "1a",
        "_a",
        ".a",
        "-a",
        "__proto__",
        "toString",
        "a b",
        "aé",
        "a/b",
        "a%",
        "a\n",
        "\na",
        "a" * 64 + "\n",
        "a٣",
        "a１",
        "ａ",
        "a\x00",
        "\ud800",
        None,
        5,
        True,
        ["a"],
        b"a",
    ],
    ids=ascii,
)
def test_no_measure_name(name: object) -> None:
    assert not is_measure_name(name)


QUANTITIES: list[Json] = [
    {"amount": 0},
    {"amount": MOST},
    {"amount": 5, "scale": 0},
    {"amount": 5, "scale": 18},
    {"amount": 5, "unit": "USD"},
    {"unit": "km/h", "scale": 1, "amount": 5},
    {"amount": 5, "unit": "%"},
    {"amount": 5, "unit": "-"},
    {"amount": 5, "unit": "Az09_./%-"},
    {"amount": 5, "unit": "u" * 32},
    {"amount": 1.0},
    {"amount": 1e2, "scale": 2.0},
    {"amount": -0.0},
]
NO_QUANTITIES: list[Json] = [
    None,
    5,
    "5",
    True,
    [],
    [1],
    {},
    {"scale": 2},
    {"amount": None},
    {"amount": "1"},
    {"amount": True},
    {"amount": False},
    {"amount": -1},
    {"amount": 1.5},
    {"amount": 2**53},
    {"amount": 9007199254740992.0},
    {"amount": 10**300},
    {"amount": float("inf")},
    {"amount": []},
    {"amount": 1, "scale": -1},
    {"amount": 1, "scale": 19},
    {"amount": 1, "scale": 1.5},
    {"amount": 1, "scale": "2"},
    {"amount": 1, "scale": True},
    {"amount": 1, "scale": None},
    {"amount": 1, "unit": None},
    {"amount": 1, "unit": 5},
    {"amount": 1, "unit": ""},
    {"amount": 1, "unit": "u" * 33},
    {"amount": 1, "unit": "US D"},
    {"amount": 1, "unit": "USD\n"},
    {"amount": 1, "unit": "€"},
    {"amount": 1, "unit": "a*b"},
    {"amount": 1, "unit": "ａ"},
    {"amount": 1, "unit": "\ud800"},
    {"amount": 1, "currency": "USD"},
    {"amount": 1, "note": None},
    {"amount": 1, "of": "spend"},
    {"max": 1},
]


@pytest.mark.parametrize("quantity", QUANTITIES, ids=str)
def test_a_quantity(quantity: Json) -> None:
    assert is_quantity(quantity)
    assert uses_valid({"spend": quantity})


@pytest.mark.parametrize("quantity", NO_QUANTITIES, ids=ascii)
def test_no_quantity(quantity: Json) -> None:
    assert not is_quantity(quantity)
    assert not uses_valid({"spend": quantity})


@pytest.mark.parametrize("quantity", QUANTITIES, ids=str)
def test_a_limit_is_a_max_like_an_amount_of_a_measure(quantity: dict[str, Json]) -> None:
    renamed = {"of": "spend", **{name.replace("amount", "max"): item for name, item in quantity.items()}}
    assert is_limit(renamed)
    assert not is_limit({**renamed, "of": "Spend"})
    assert not is_limit({**renamed, "of": "spend\n"})
    assert not is_limit({**renamed, "of": None})
    assert not is_limit({**renamed, "amount": 1})
    assert not is_limit({name: item for name, item in renamed.items() if name != "of"})


@pytest.mark.parametrize("quantity", NO_QUANTITIES, ids=ascii)
def test_no_limit(quantity: Json) -> None:
    renamed: Json = quantity
    if isinstance(quantity, dict):
        swap = {"amount": "max", "max": "amount", "of": "amount"}
        renamed = {"of": "spend", **{swap.get(name, name): item for name, item in quantity.items()}}
    assert not is_limit(renamed)


@pytest.mark.parametrize(
    ("uses", "valid"),
    [
        ({}, True),
        ({"spend": {"amount": 2287, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}}, True),
        ({"constructor": {"amount": 1}}, True),
        (None, False),
        ([], False),
        ("x", False),
        (5, False),
        (True, False),
        ({"a": {"amount": 1}, "B": {"amount": 1}}, False),
        ({"a": {"amount": 1}, "b": {"amount": -1}}, False),
        ({"__proto__": {"amount": 1}}, False),
        ({"a\n": {"amount": 1}}, False),
        ({"": {"amount": 1}}, False),
    ],
    ids=str,
)
def test_one_bad_entry_makes_the_whole_uses_malformed(uses: Json, valid: bool) -> None:
    assert uses_valid(uses) is valid


@pytest.mark.parametrize(
    ("quantity", "text"),
    [
        ({"amount": 2290, "scale": 2, "unit": "USD"}, "22.90 USD"),
        ({"amount": 5, "scale": 3}, "0.005"),
        ({"amount": 1}, "1"),
        ({"amount": 0}, "0"),
        ({"amount": 0, "scale": 2}, "0.00"),
        ({"amount": 0, "scale": 18}, "0.000000000000000000"),
        ({"amount": 100, "scale": 2}, "1.00"),
        ({"amount": 99, "scale": 2}, "0.99"),
        ({"amount": 10, "scale": 1}, "1.0"),
        ({"amount": 5, "unit": "km"}, "5 km"),
        ({"amount": 500, "scale": 2, "unit": "JPY"}, "5.00 JPY"),
        ({"amount": MOST}, "9007199254740991"),
        ({"amount": MOST, "scale": 15}, "9.007199254740991"),
        ({"amount": MOST, "scale": 16}, "0.9007199254740991"),
        ({"amount": MOST, "scale": 18, "unit": "%"}, "0.009007199254740991 %"),
        ({"amount": 1e2, "scale": 1.0}, "10.0"),
    ],
    ids=str,
)
def test_a_quantity_renders_with_exactly_scale_digits(quantity: Json, text: str) -> None:
    assert render(quantity) == text


@pytest.mark.parametrize("quantity", NO_QUANTITIES, ids=ascii)
def test_a_malformed_quantity_has_no_rendering(quantity: Json) -> None:
    with pytest.raises(QuantityError):
        render(quantity)


@pytest.mark.parametrize(
    "quantity", [None, 5, {}, {"amount": "1"}, {"amount": True}, {"amount": 1.5}, {"amount": 1, "scale": 19}]
)
def test_what_has_no_number_has_no_value(quantity: Json) -> None:
    with pytest.raises(QuantityError):
        value(quantity)


amounts = st.integers(0, MOST)
scales = st.integers(0, 18)


@given(amounts, scales, amounts, scales)
def test_values_compare_and_add_as_exact_decimals(first: int, s1: int, second: int, s2: int) -> None:
    a: dict[str, Json] = {"amount": first, "scale": s1}
    b: dict[str, Json] = {"amount": second, "scale": s2}
    with localcontext() as context:
        context.prec = 100
        da, db = Decimal(first).scaleb(-s1), Decimal(second).scaleb(-s2)
        assert (value(a) < value(b)) == (da < db)
        assert (value(a) == value(b)) == (da == db)
        assert Decimal(value(a) + value(b)).scaleb(-18) == da + db
        total = add(a, b)
        assert total["scale"] == max(s1, s2)
        assert isinstance(total["amount"], int)
        assert Decimal(total["amount"]).scaleb(-max(s1, s2)) == da + db
        assert value(total) == value(a) + value(b)
        assert Decimal(render(a)) == da
        assert len(render(a).partition(".")[2]) == s1


def test_a_hundred_is_ten_thousand_hundredths() -> None:
    assert value({"amount": 100}) == value({"amount": 10000, "scale": 2})
    assert value({"max": 100}, "max") < value({"amount": 10001, "scale": 2})


def test_a_sum_may_pass_the_range_of_an_amount() -> None:
    total = add({"amount": MOST, "scale": 18}, {"amount": MOST, "unit": "USD"})
    assert total == {"amount": MOST * 10**18 + MOST, "scale": 18, "unit": "USD"}
    assert value(total) == MOST * 10**18 + MOST


@pytest.mark.parametrize(
    ("quantity", "limit", "same"),
    [
        ({"unit": "USD"}, {"unit": "USD"}, True),
        ({}, {}, True),
        ({"unit": "USD"}, {"unit": "usd"}, False),
        ({"unit": "USD"}, {"unit": "EUR"}, False),
        ({"unit": "USD"}, {}, False),
        ({}, {"unit": "USD"}, False),
    ],
)
def test_units_match_exactly_or_are_both_missing(quantity: dict[str, Json], limit: dict[str, Json], same: bool) -> None:
    assert same_unit(quantity, limit) is same
