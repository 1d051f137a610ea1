"""Params against a compact schema (YEA 4.1.1)."""

from typing import Any

import pytest

from reference.yea.errors import YeaError
from reference.yea.service.params import BASES, example, fits, read_params

OK: dict[str, list[Any]] = {
    "string": ["", "x"],
    "int": [0, -5, 3.0, 2**53 - 1],
    "number": [0, 1.5, -2],
    "bool": [True, False],
    "date": ["2026-09-24", "2024-02-29"],
    "datetime": ["2026-09-24T15:00:00Z", "2026-09-24T15:00Z", "2026-09-24T15:00:00.5+02:00"],
    "any": [None, {}, [], 1, "x"],
    "low|high": ["low", "high"],
    "string[]": [[], ["a", "b"]],
    "string — a name": ["x"],
    "int[] — some": [[1, 2]],
}
BAD: dict[str, list[Any]] = {
    "string": [1, None, [], {}],
    "int": [1.5, "1", True, 2**53, 1e300],
    "number": ["1", True, float("inf"), None],
    "bool": [0, 1, "true"],
    "date": ["2026-13-01", "2026-02-30", "20260924", "2026-W01-1", "2026-09-24\n", 20260924],
    "datetime": ["2026-09-24", "2026-09-24T25:00:00Z", "2026-09-24T15:00:00", "2026-09-24 15:00:00Z"],
    "low|high": ["", "mid", "low|high", 1],
    "string[]": ["a", [1], [None], ["a"] * 1001],
    "int[] — some": [["1"]],
}


@pytest.mark.parametrize(("wanted", "value"), [(k, v) for k, values in OK.items() for v in values])
def test_what_fits(wanted: str, value: Any) -> None:
    assert fits(wanted, value)


@pytest.mark.parametrize(("wanted", "value"), [(k, v) for k, values in BAD.items() for v in values])
def test_what_does_not_fit(wanted: str, value: Any) -> None:
    assert not fits(wanted, value)


def test_nested_schemas() -> None:
    wanted: Any = {"a": "int", "b?": [{"sku": "string", "qty?": "int"}]}
    assert fits(wanted, {"a": 1})
    assert fits(wanted, {"a": 1, "b": None, "c": "unknown"})
    assert fits(wanted, {"a": 1, "b": [{"sku": "x"}, {"sku": "y", "qty": 2}]})
    misfits: list[Any] = [{}, {"a": "x"}, {"a": 1, "b": {}}, {"a": 1, "b": [{"qty": 1}]}, []]
    for bad in misfits:
        assert not fits(wanted, bad)


@pytest.mark.parametrize("wanted", [*BASES, "low|high", "date[]", {"a": "int", "b?": "date"}, [{"a": "datetime"}]])
def test_an_example_fits(wanted: Any) -> None:
    assert fits(wanted, example(wanted))


def test_reading_keeps_what_the_schema_names_and_makes_whole_numbers_ints() -> None:
    schema: Any = {"a": "int — how many", "b?": "string", "c?": "any"}
    read = read_params(schema, {"a": 3.0, "b": None, "x": 1})
    assert read == {"a": 3} and isinstance(read["a"], int)


def test_one_fix_makes_every_param_fit() -> None:
    schema: Any = {"a": "int", "b": {"c": "date"}, "d?": "low|high", "e": [{"f": "bool"}], "g": "string[]"}
    sent: dict[str, Any] = {"a": "x", "b": 5, "d": True, "e": "z" * 1000}
    with pytest.raises(YeaError) as caught:
        read_params(schema, sent)
    assert caught.value.code == "invalid_params"
    assert caught.value.message == (
        "`a` must be of type int, not this text; `b` must be an object, not this number; "
        "`d` must be one of low, high, not a boolean; `e` must be an array of objects, not this text; "
        "`g` is missing and must be of type string[]"
    )
    [fix] = caught.value.fix
    patch = fix["params"]
    assert isinstance(patch, dict)
    assert set(read_params(schema, sent | patch)) == {"a", "b", "d", "e", "g"}
