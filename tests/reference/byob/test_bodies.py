"""Reading a request body (BYOB 2): what is JSON, and what is refused before any schema sees it."""

import json
from typing import Any

import pytest

from reference.byob import bodies, validating
from reference.byob.errors import ByobError


def refused(raw: bytes) -> str:
    with pytest.raises(ByobError) as raised:
        bodies.parse(raw)
    assert raised.value.code == "E_SCHEMA"
    return raised.value.message


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": [1, -2.5, True, None, "é😀\u0000\\"], "": {}},
        [],
        "text",
        None,
        {"big": 10**300, "small": 1e-300},
        {"escaped": "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")},
    ],
)
def test_json_is_read_as_it_stands(value: Any) -> None:
    assert bodies.parse(json.dumps(value).encode()) == value
    assert bodies.parse(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "the body is not JSON: Expecting value in line 1, column 1"),
        (b'{"a": 1,}', "the body is not JSON: "),
        (b"{'a': 1}", "the body is not JSON: "),
        (b'{"a": 1} x', "the body is not JSON: Extra data in line 1, column 10"),
        (b'{"a": 1}{"a": 1}', "the body is not JSON: Extra data"),
        (b'{"a": "\n"}', "the body is not JSON: Invalid control character"),
        (b'{"a": NaN}', "the body is not JSON: NaN is no JSON value"),
        (b'{"a": -Infinity}', "the body is not JSON: -Infinity is no JSON value"),
        (b"\xef\xbb\xbf{}", "the body is not JSON: "),
        (b'{"a": "\xff"}', "the body is not UTF-8"),
        (b'{"a": "\xed\xa0\x80"}', "the body is not UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "the body is not UTF-8"),
        (b'{"a": 1, "a": 2}', "an object in the body has the same member twice"),
        (b'{"a": {"b": 1, "\\u0062": 1}}', "an object in the body has the same member twice"),
        (b'{"a": 1e400}', "a number in the body is too large"),
        (b'{"a": -1e400}', "a number in the body is too large"),
        (b'{"a": ' + b"9" * 100_000 + b"}", "a number in the body is too large"),
        (b'{"a": "\\ud800"}', "the body holds half of a surrogate pair, which is no Unicode text"),
        (b'{"\\udfff x": 1}', "the body holds half of a surrogate pair, which is no Unicode text"),
    ],
)
def test_what_two_readers_could_take_differently_is_refused(raw: bytes, said: str) -> None:
    assert refused(raw).startswith(said)


def nested(depth: int) -> bytes:
    """A body of so many arrays and objects inside each other."""
    return (b'{"a":[' * (depth // 2) + b"[" * (depth % 2)) + (b"]" * (depth % 2) + b"]}" * (depth // 2))


@pytest.mark.parametrize("depth", [1, 2, validating.MAX_DEPTH - 1, validating.MAX_DEPTH])
def test_a_body_may_be_so_deep(depth: int) -> None:
    bodies.parse(nested(depth))


@pytest.mark.parametrize("depth", [validating.MAX_DEPTH + 1, 2 * validating.MAX_DEPTH, 500, 5_000, 150_000])
def test_a_body_is_no_deeper(depth: int) -> None:
    assert refused(nested(depth)) == "the body nests arrays and objects more than 64 deep"


def test_an_open_array_of_any_depth_is_refused() -> None:
    assert "more than 64 deep" in refused(b"[" * 1_000_000)


def test_a_wide_body_is_not_deep() -> None:
    value = {"a": [[] for _ in range(1_000)]}
    assert bodies.parse(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "header",
    ["application/json", "Application/JSON", "application/json; charset=utf-8", 'application/json;charset="UTF-8"'],
)
def test_the_content_type_is_json(header: str) -> None:
    bodies.check_type(header)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json-patch+json",
        "application/json; charset=latin-1",
        "application/json, text/plain",
    ],
)
def test_no_other_content_type_is_read(header: str | None) -> None:
    with pytest.raises(ByobError) as raised:
        bodies.check_type(header)
    assert str(raised.value) == "E_SCHEMA: a body is sent as Content-Type: application/json"
