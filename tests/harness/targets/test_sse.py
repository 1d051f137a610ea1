"""Server-sent events are read as the standard says, in any pieces and with a bound on everything."""

import pytest

from harness.targets.sse import DATA_CAP, LINE_CAP, Event, Parser

HELLO = b'event: hello\ndata: {"seat": "a"}\n\n'


def read(*pieces: bytes) -> list[Event]:
    parser = Parser()
    return [event for piece in pieces for event in parser.feed(piece)]


STREAMS: dict[str, tuple[bytes, list[Event]]] = {
    "a named event": (HELLO, [Event("hello", '{"seat": "a"}')]),
    "an event without a name": (b"data: x\n\n", [Event("message", "x")]),
    "an event without data": (b"event: hello\n\n", [Event("hello", "")]),
    "several data lines": (b"data: a\ndata: b\n\n", [Event("message", "a\nb")]),
    "an id, which stays": (b"id: 7\ndata: a\n\ndata: b\n\n", [Event("message", "a", "7"), Event("message", "b", "7")]),
    "comments, retries and unknown fields": (b": hi\nretry: 10\nodd: 1\n\ndata: a\n\n", [Event("message", "a")]),
    "no space after the colon": (b"event:hello\ndata:x\n\n", [Event("hello", "x")]),
    "lines that end with CR": (b"event: hello\rdata: x\r\r", [Event("hello", "x")]),
    "lines that end with CR and LF": (b"event: hello\r\ndata: x\r\n\r\n", [Event("hello", "x")]),
    "an event that is not finished": (b"data: a\n\ndata: b\n", [Event("message", "a")]),
    "empty lines": (b"\n\n\ndata: a\n\n\n\n", [Event("message", "a")]),
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_read(name: str) -> None:
    data, events = STREAMS[name]
    assert read(data) == events


@pytest.mark.parametrize("name", STREAMS)
def test_any_split_of_the_bytes_gives_the_same_events(name: str) -> None:
    data, events = STREAMS[name]
    assert [read(data[:at], data[at:]) for at in range(len(data))] == [events] * len(data)
    assert read(*(data[at : at + 1] for at in range(len(data)))) == events


def test_what_is_no_event_stream_is_said_once() -> None:
    parser = Parser()
    parser.feed(b"data: \xff\n\n" * 2)
    parser.feed(b"data: " + b"x" * (LINE_CAP + 1) + b"\n\n")
    assert parser.problems == ["bytes that are not UTF-8", f"a line of more than {LINE_CAP} bytes"]


def test_the_data_of_one_event_is_bounded() -> None:
    parser = Parser()
    line = b"data: " + b"x" * 60_000 + b"\n"
    event = parser.feed(line * 5 + b"\n")[0]
    assert len(event.data) < DATA_CAP
    assert parser.problems == [f"an event of more than {DATA_CAP} characters"]


def test_comments_are_counted() -> None:
    parser = Parser()
    assert parser.feed(b": keep-alive\n\n" * 3) == []
    assert parser.comments == 3
