"""Merge patches, by the examples of RFC 7396 that have objects on both sides."""

from typing import Any

import pytest

from reference.yea.client.patches import merged


@pytest.mark.parametrize(
    ("params", "patch", "wanted"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
        ({"a": 1}, {"a": {"b": None}}, {"a": {}}),
    ],
)
def test_null_removes_objects_merge_and_anything_else_replaces(params: Any, patch: Any, wanted: Any) -> None:
    before = repr((params, patch))
    assert merged(params, patch) == wanted
    assert repr((params, patch)) == before


def test_a_patch_may_be_of_any_depth() -> None:
    patch: dict[str, Any] = {"leaf": 1}
    for _ in range(100_000):
        patch = {"a": patch}
    result: Any = merged({}, patch)
    for _ in range(100_000):
        result = result["a"]
    assert result == {"leaf": 1}
