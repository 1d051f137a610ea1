"""Which reply is whose (YEA 2.1, 2.2)."""

import json
from typing import Any

import pytest

from reference.yea.client.errors import BadReply, ReplyTooLarge
from reference.yea.client.multiplex import Delivery, Multiplexer, Received, strings_at_start


def line(re: Any, kind: str = "ANSWER", **members: Any) -> bytes:
    return json.dumps({"yea": 1, "id": "s", "re": re, "kind": kind, **members}).encode() + b"\n"


def waiting(*names: str, limit: int = 1000) -> Multiplexer:
    requests = Multiplexer(limit)
    for name in names:
        requests.begin(name)
    return requests


def told(deliveries: list[Delivery]) -> list[tuple[str, str]]:
    """What was delivered: the kind of each frame, the text of each error."""
    return [(name, item.frame["kind"] if isinstance(item, Received) else str(item)) for name, item in deliveries]


def test_replies_come_in_any_order_and_find_their_requests() -> None:
    requests = waiting("1", "2")
    assert told(requests.feed(line("2") + line("1", "EVENT") + line("1", "BRIEF"))) == [
        ("2", "ANSWER"),
        ("1", "EVENT"),
        ("1", "BRIEF"),
    ]


def test_any_split_of_the_bytes_delivers_the_same() -> None:
    data = line("1", "EVENT") + b"junk\n\n" + line("2") + line("1")
    whole = told(waiting("1", "2").feed(data))
    for size in (1, 2, 7, 50):
        requests = waiting("1", "2")
        starts = range(0, len(data), size)
        parts = [delivery for start in starts for delivery in requests.feed(data[start : start + size])]
        assert told(parts) == whole


def test_a_reply_knows_the_size_of_its_line() -> None:
    [(_, item)] = waiting("1").feed(line("1"))
    assert isinstance(item, Received)
    assert item.size == len(line("1")) - 1


@pytest.mark.parametrize(
    ("sent", "note"),
    [
        (b"not json\n", "a line that is not JSON"),
        (b"\xff\xfe\n", "a line that is not JSON"),
        (b'{"yea":1,"id":"s","re":"1","kind":"ANSWER","data":NaN}\n', "a line that is not JSON"),
        (b"[1]\n", "a line that is JSON, but no object"),
        (line("3"), 'a "ANSWER" in reply to "3"'),
        (line(1), 'a "ANSWER" in reply to 1'),
        (line(None), 'a "ANSWER" in reply to null'),
        (line(["1"]), 'a "ANSWER" in reply to ["1"]'),
        (line("3", "ERROR"), 'a "ERROR" in reply to "3"'),
        (b'{"kind":[[[]]]}\n', "a [[[]]] in reply to null"),
        (b"[" * 5000 + b"\n", "a reply over 1000 bytes"),
    ],
)
def test_a_bad_line_is_noted_and_what_follows_is_read(sent: bytes, note: str) -> None:
    requests = waiting("1", "2")
    assert told(requests.feed(sent + line("1") + line("2"))) == [("1", "ANSWER"), ("2", "ANSWER")]
    assert requests.strays[0].startswith(note)


def test_blank_lines_are_nothing() -> None:
    requests = waiting("1")
    assert told(requests.feed(b"\n \r\n" + line("1"))) == [("1", "ANSWER")]
    assert not requests.strays


def test_notes_are_few_and_short() -> None:
    requests = waiting("1")
    requests.feed((b"x" * 900 + b"\n") * 500)
    assert len(requests.strays) == 8
    assert max(map(len, requests.strays)) <= 200


def test_only_the_first_final_reply_counts() -> None:
    requests = waiting("1", "2")
    assert told(requests.feed(line("1") + line("1", "ERROR") + line("1", "EVENT"))) == [("1", "ANSWER")]


def test_a_forgotten_request_gets_nothing() -> None:
    requests = waiting("1")
    requests.forget("1")
    requests.forget("never")
    assert requests.feed(line("1")) == []


def test_an_id_is_in_use_once() -> None:
    with pytest.raises(ValueError, match="in use"):
        waiting("1", "1")


def test_a_kind_that_nobody_knows_is_final() -> None:
    requests = waiting("1")
    assert told(requests.feed(line("1", "STATUS") + line("1"))) == [("1", "STATUS")]


@pytest.mark.parametrize("members", [{"yea": 2}, {"yea": True}, {"yea": None}, {"id": 5}, {"id": None}])
def test_a_reply_without_its_envelope_ends_the_request(members: dict[str, Any]) -> None:
    requests = waiting("1", "2")
    [(name, item)] = requests.feed(line("1", **members) + line("1"))
    assert (name, type(item)) == ("1", BadReply)
    assert told(requests.feed(line("2"))) == [("2", "ANSWER")]


@pytest.mark.parametrize("re", [None, "", "?"])
def test_an_error_that_could_not_name_its_request_is_for_the_only_one(re: str | None) -> None:
    assert told(waiting("1").feed(line(re, "ERROR"))) == [("1", "ERROR")]
    assert told(waiting("1", "2").feed(line(re, "ERROR"))) == []
    assert told(waiting().feed(line(re, "ERROR"))) == []


def big(start: bytes) -> bytes:
    return start + b"x" * 1000 + b'"}\n'


TOO_LARGE = "the service sent a reply over 1000 bytes, which was not kept; a smaller budget may help"


@pytest.mark.parametrize(
    ("sent", "names", "wanted"),
    [
        (b'{"yea":1,"id":"s","re":"2","data":"', ("1", "2"), [("2", TOO_LARGE)]),
        (b'{"data":{"re":"1"},"re":"2","x":"', ("1", "2"), [("2", TOO_LARGE)]),
        (b'{"data":"', ("1",), [("1", TOO_LARGE)]),
        (b'{"data":"', ("1", "2"), []),
        (b'{"re":"3","data":"', ("1",), []),
        (b'{"re":"1","kind":"EVENT","data":"', ("1",), []),
        (b"\xff\xff", ("1",), [("1", TOO_LARGE)]),
    ],
)
def test_a_reply_over_the_limit_fails_its_request_and_the_stream_goes_on(
    sent: bytes, names: tuple[str, ...], wanted: list[tuple[str, str]]
) -> None:
    requests = waiting(*names, limit=1000)
    deliveries = requests.feed(big(sent))
    assert told(deliveries) == wanted
    assert all(isinstance(item, ReplyTooLarge) for _, item in deliveries)
    requests.begin("next")
    assert told(requests.feed(line("next"))) == [("next", "ANSWER")]


def test_a_reply_over_the_limit_fails_before_it_ends_and_is_not_held() -> None:
    requests = waiting("1", limit=1000)
    found = [delivery for _ in range(1000) for delivery in requests.feed(b"x" * 1000)]
    assert told(found) == [("1", TOO_LARGE)]


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        (b"", {}),
        (b"[", {}),
        (b"{", {}),
        (b'{"a":"b', {}),
        (b' { "a" : "b" , "c" : 1 , "d":"e"', {"a": "b", "d": "e"}),
        (b'{"a":"b","a":"c"', {"a": "c"}),
        (b'{"a":{"b":"c"},"d":"e","f":[', {"d": "e"}),
        (b'{"a":"b"}', {"a": "b"}),
        (b'{"a":"\xc3', {}),
        (b'{5:"x"', {}),
        (b'{"a":' + b"[" * 1000, {}),
        (b'{"re":"1","data":' + b"[" * 1000, {"re": "1"}),
    ],
)
def test_the_start_of_a_frame_shows_its_string_members(start: bytes, wanted: dict[str, str]) -> None:
    assert strings_at_start(start) == wanted
