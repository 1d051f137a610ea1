import pytest

from reference.yea.types import MAX_INTEGER, as_integer


@pytest.mark.parametrize(
    ("value", "integer"),
    [
        (0, 0),
        (-1, -1),
        (2**53 - 1, 2**53 - 1),
        (-(2**53) + 1, -(2**53) + 1),
        (1.0, 1),
        (1e3, 1000),
        (-0.0, 0),
        (9007199254740991.0, 2**53 - 1),
    ],
)
def test_an_integer_is_a_number_without_a_fraction_in_range(value: object, integer: int) -> None:
    read = as_integer(value)
    assert (read, type(read)) == (integer, int)


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        None,
        "1",
        [],
        {},
        1.5,
        2**53,
        -(2**53),
        9007199254740992.0,
        10**400,
        1e300,
        float("inf"),
        float("-inf"),
        float("nan"),
    ],
    ids=repr,
)
def test_anything_else_is_no_integer(value: object) -> None:
    assert as_integer(value) is None


def test_the_largest_integer_is_the_last_one_below_its_double_neighbour() -> None:
    assert float(MAX_INTEGER) == MAX_INTEGER
    assert float(MAX_INTEGER + 2) == MAX_INTEGER + 1
