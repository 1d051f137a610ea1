"""Frame ids and frames as bytes (YEA 2.1, 4.3.1)."""

import os

import pytest

from reference.yea import b64url
from reference.yea.client.frames import FrameIds, encode, one_line, short


def test_ids_count_and_are_never_given_twice() -> None:
    ids = FrameIds()
    assert [ids.new() for _ in range(3)] == ["1", "2", "3"]


def test_an_auto_id_is_random_bits_of_which_there_are_64_or_more() -> None:
    asked: list[int] = []

    def random_bytes(count: int) -> bytes:
        asked.append(count)
        return os.urandom(count)

    ids = FrameIds(random_bytes)
    made = [ids.new(auto=True) for _ in range(100)]
    assert len(set(made)) == 100
    assert {len(b64url.decode(name.removeprefix("a-"))) * 8 for name in made} == {asked[0] * 8}
    assert asked[0] * 8 >= 64


def test_a_frame_is_one_line_of_utf8_whatever_it_holds() -> None:
    assert encode({"a": "x\ny", "é": ["\U0001f680", "\ud800", 1.0]}) == (
        b'{"a":"x\\ny","\xc3\xa9":["\xf0\x9f\x9a\x80","\\ud800",1]}'
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain, é — 🚀", "plain, é — 🚀"),
        ("a\nb\r\t\x1b[31m\x7f\x85", "a\\nb\\r\\t\\x1b[31m\\x7f\\x85"),
        ("\u202e\u2028\ufeff\u00a0", "\\u202e\\u2028\\ufeff\\xa0"),
        ("\ud800\U000e0041", "\\ud800\\U000e0041"),
    ],
)
def test_one_line_shows_every_invisible_character(text: str, wanted: str) -> None:
    assert one_line(text) == wanted


def test_short_is_json_of_bounded_length() -> None:
    assert short(None) == "null"
    assert short("a\u202eb") == '"a\\u202eb"'
    assert short("x" * 1000, 10) == '"xxxxxxxx…'
