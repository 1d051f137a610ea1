"""The depth cut (YEA 9.1)."""

import copy
from collections.abc import Callable

import pytest

from reference.yea.lens.depth import ELLIPSIS, cut
from reference.yea.types import Json

Nest = Callable[[int, Json], Json]


def nested_objects(levels: int, innermost: Json) -> Json:
    """So many one-key objects around a value."""
    for _ in range(levels):
        innermost = {"k": innermost}
    return innermost


def nested_arrays(levels: int, innermost: Json) -> Json:
    """So many one-element arrays around a value."""
    for _ in range(levels):
        innermost = [innermost]
    return innermost


@pytest.mark.parametrize("nested", [nested_objects, nested_arrays])
def test_64_levels_stay(nested: Nest) -> None:
    """The innermost of 64 containers lies 63 below the first."""
    value = nested(64, 1)
    assert cut(value) is value


@pytest.mark.parametrize("nested", [nested_objects, nested_arrays])
@pytest.mark.parametrize("innermost", [{}, [], {"a": 1}, [1]], ids=str)
def test_a_container_64_levels_down_becomes_an_ellipsis(nested: Nest, innermost: Json) -> None:
    """An empty one too."""
    assert cut(nested(64, innermost)) == nested(64, ELLIPSIS)


def test_only_what_is_too_deep_is_cut() -> None:
    """A shallow neighbour of a deep value is unchanged, and so is the input."""
    value: Json = {"deep": nested_arrays(70, 1), "flat": {"a": [1, {}]}}
    before = copy.deepcopy(value)
    assert cut(value) == {"deep": nested_arrays(63, ELLIPSIS), "flat": {"a": [1, {}]}}
    assert value == before


@pytest.mark.parametrize("nested", [nested_objects, nested_arrays])
def test_100000_levels_are_cut_without_recursion(nested: Nest) -> None:
    """No depth of input exhausts the stack."""
    shown = cut(nested(100_000, 1))
    for _ in range(64):
        assert isinstance(shown, (dict, list))
        shown = shown["k"] if isinstance(shown, dict) else shown[0]
    assert shown == ELLIPSIS


@pytest.mark.parametrize("scalar", [None, True, 1, 1.5, "x"])
def test_a_scalar_is_itself(scalar: Json) -> None:
    """There is nothing to cut in it."""
    assert cut(scalar) is scalar
