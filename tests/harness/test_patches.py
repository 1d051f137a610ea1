"""Merge patches, by the examples of RFC 7396."""

import pytest

from harness.patches import merged


@pytest.mark.parametrize(
    ("params", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_patch_is_merged(params: dict[str, object], patch: dict[str, object], result: dict[str, object]) -> None:
    before = repr(params)
    assert merged(params, patch) == result
    assert repr(params) == before


def test_a_patch_may_be_deep() -> None:
    patch: dict[str, object] = {"a": 1}
    for _ in range(10_000):
        patch = {"a": patch}
    assert merged({}, patch)["a"]
