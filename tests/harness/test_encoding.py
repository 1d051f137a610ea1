"""Frames as bytes: requests are compact UTF-8, replies are read strictly."""

import json
from typing import Any

import pytest

from harness.encoding import encode, read_line
from harness.targets.base import Frame, Junk

DEEP = 100_000

WRITTEN: dict[str, tuple[dict[str, Any], bytes]] = {
    "compact, in the order given": ({"yea": 1, "id": "a", "b": [1, 2.5, None]}, b'{"yea":1,"id":"a","b":[1,2.5,null]}'),
    "UTF-8 as it is": ({"n": "é☃😀"}, '{"n":"é☃😀"}'.encode()),
    "no newline": ({"n": "a\nb\r\x00"}, b'{"n":"a\\nb\\r\\u0000"}'),
    "lone surrogates as escapes": ({"n": "é\ud800"}, b'{"n":"\\u00e9\\ud800"}'),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_request_is_one_line(name: str) -> None:
    frame, wanted = WRITTEN[name]
    assert encode(frame) == wanted
    assert json.loads(wanted) == frame


def test_a_frame_of_any_depth_can_be_sent() -> None:
    deep: list[Any] = []
    for _ in range(DEEP):
        deep = [deep]
    line = encode({"id": "é\ud800", "x": deep})
    assert line == '{"id":"é\\ud800","x":'.encode() + b"[" * (DEEP + 1) + b"]" * (DEEP + 1) + b"}"


def test_a_reply_is_kept_with_its_size_time_and_start() -> None:
    line = b' {"re":"1", "kind":"ANSWER"}\r'
    assert read_line(line, 7.5) == Frame({"re": "1", "kind": "ANSWER"}, len(line), 7.5, line)
    long = b'{"x":"' + b"y" * 10_000 + b'"}'
    assert read_line(long, 0.0) == Frame({"x": "y" * 10_000}, 10_008, 0.0, long[:4096])


SPOILED = {
    "invalid UTF-8": (b'{"x":"\xff"}', "not UTF-8: invalid start byte at byte 6", "text"),
    "a cut UTF-8 sequence": (b'"\xe2\x82', "not UTF-8: unexpected end of data at byte 1", "text"),
    "an encoded surrogate": (b'{"x":"\xed\xa0\x80"}', "not UTF-8: invalid continuation byte at byte 6", "text"),
    "an overlong form": (b"\xc0\x80", "not UTF-8: invalid start byte at byte 0", "text"),
    "an array": (b"[1]", "JSON, but not an object", "json"),
    "a string": (b'"x"', "JSON, but not an object", "json"),
    "null": (b"null", "JSON, but not an object", "json"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_no_frame_says_why(name: str) -> None:
    line, problem, sort = SPOILED[name]
    assert read_line(line, 1.0) == Junk(problem, line, 1.0, sort)


NOT_JSON = {
    "empty": b"",
    "half an object": b'{"x":1',
    "two objects": b'{"x":1}{"x":1}',
    "a trailing comma": b'{"x":1,}',
    "single quotes": b"{'x':1}",
    "NaN": b'{"x":NaN}',
    "Infinity": b'{"x":-Infinity}',
    "a leading zero": b'{"x":01}',
    "a raw tab in a string": b'{"x":"\t"}',
    "a comment": b'{"x":1} // no',
    "an HTTP answer": b"HTTP/1.1 400 Bad Request",
    "100,000 levels that never close": b"[" * DEEP,
}


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_is_not_strict_json_is_junk(name: str) -> None:
    found = read_line(NOT_JSON[name], 1.0)
    assert isinstance(found, Junk)
    assert found.problem.startswith("not JSON: ")
    assert (found.start, found.sort) == (NOT_JSON[name][:400], "json")
    assert len(found.problem) <= 400


def test_a_byte_order_mark_is_a_matter_of_text() -> None:
    found = read_line(b'\xef\xbb\xbf{"x":1}', 1.0)
    assert isinstance(found, Junk)
    assert found.sort == "text"


def test_depth_does_no_harm() -> None:
    line = b'{"re":"1","x":' + b"[" * DEEP + b"]" * DEEP + b"}"
    found = read_line(line, 1.0)
    assert isinstance(found, Frame)
    assert (found.size, found.value["re"]) == (len(line), "1")
    depth, value = 0, found.value["x"]
    while value:
        depth, value = depth + 1, value[0]
    assert depth == DEEP - 1
