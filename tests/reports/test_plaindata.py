from dataclasses import dataclass
from enum import StrEnum

import pytest

from reports.plaindata import ShapeError, from_plain, to_plain


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    colour: Colour
    size: float

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("a size below zero")


@dataclass(frozen=True)
class Outer:
    name: str
    number: int
    sure: bool
    note: str | None
    inner: tuple[Inner, ...] = ()


PLAIN = {"name": "a", "number": 1, "sure": True, "note": None, "inner": [{"colour": "red", "size": 2.0}]}
MADE = Outer("a", 1, True, None, (Inner(Colour.RED, 2.0),))


def test_a_dataclass_goes_there_and_back() -> None:
    assert to_plain(MADE) == PLAIN
    assert from_plain(Outer, PLAIN) == MADE


def test_a_default_may_be_left_out() -> None:
    assert from_plain(Outer, {"name": "", "number": 0, "sure": False, "note": "n"}) == Outer("", 0, False, "n")


def test_a_whole_number_is_a_float_where_one_is_due() -> None:
    assert from_plain(Inner, {"colour": "red", "size": 2}) == Inner(Colour.RED, 2.0)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"name": 1}, "name must be a string, not 1"),
        ({"number": True}, "number must be an integer, not True"),
        ({"number": 1.0}, r"number must be an integer, not 1\.0"),
        ({"sure": 1}, "sure must be true or false, not 1"),
        ({"note": []}, r"note must be a string, not \[\]"),
        ({"inner": {}}, r"inner must be a list, not \{\}"),
        ({"inner": [1]}, r"inner\[0\] must be an object, not 1"),
        ({"inner": [{"colour": "blue", "size": 1}]}, r"inner\[0\]\.colour must be one of red, not 'blue'"),
        ({"inner": [{"colour": ["red"], "size": 1}]}, r"inner\[0\]\.colour must be one of red"),
        ({"inner": [{"colour": "red", "size": float("nan")}]}, r"inner\[0\]\.size must be a number"),
        ({"inner": [{"colour": "red", "size": 10**400}]}, r"inner\[0\]\.size must be a number"),
        ({"inner": [{"colour": "red", "size": True}]}, r"inner\[0\]\.size must be a number"),
        ({"inner": [{"colour": "red", "size": -1}]}, r"inner\[0\]: a size below zero"),
        ({"inner": [{"size": 1}]}, r"member inner\[0\]\.colour is missing"),
        ({"more": 1}, "unknown member more"),
    ],
)
def test_another_shape_is_refused_and_placed(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ShapeError, match=f"^{complaint}"):
        from_plain(Outer, PLAIN | change)


@pytest.mark.parametrize("value", [None, [], "x", 1])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(ShapeError, match=r"^the value must be an object"):
        from_plain(Outer, value)


def test_what_the_model_does_not_hold_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="the model holds no set"):
        to_plain({1})
