from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reference.yea.framing import MAX_FRAME, FrameSplitter, Line, Oversize


def test_a_frame_is_at_most_one_mebibyte_without_its_newline() -> None:
    assert MAX_FRAME == 1048576
    assert FrameSplitter().limit == MAX_FRAME


def test_lines_come_out_without_their_newline_and_in_order() -> None:
    splitter = FrameSplitter()
    assert splitter.feed(b"one\ntwo\n\nthr") == [Line(b"one"), Line(b"two"), Line(b"")]
    assert splitter.pending == 3
    assert splitter.feed(b"") == []
    assert splitter.feed(b"ee\r\n") == [Line(b"three\r")]
    assert splitter.pending == 0


def test_only_a_line_feed_ends_a_frame() -> None:
    splitter = FrameSplitter()
    assert splitter.feed("\r\x0b\x0c\x85\u2028\u2029".encode()) == []
    assert splitter.feed(b"\n") == [Line("\r\x0b\x0c\x85\u2028\u2029".encode())]


def test_a_line_of_exactly_the_limit_is_a_frame() -> None:
    splitter = FrameSplitter(limit=4)
    assert splitter.feed(b"abcd") == []
    assert splitter.feed(b"\n") == [Line(b"abcd")]


def test_a_line_over_the_limit_is_reported_once_and_as_soon_as_it_passes() -> None:
    splitter = FrameSplitter(limit=4)
    assert splitter.feed(b"abcd") == []
    assert splitter.feed(b"e") == [Oversize(4)]
    assert splitter.pending == 0
    assert splitter.feed(b"f" * 100) == []
    assert splitter.pending == 0
    assert splitter.feed(b"g\nnext\n") == [Line(b"next")]


def test_the_rest_of_an_oversize_line_is_no_frame() -> None:
    splitter = FrameSplitter(limit=4)
    assert splitter.feed(b"abcdefgh\nij\nklmnop\n") == [Oversize(4), Line(b"ij"), Oversize(4)]


def test_a_dropped_line_is_never_held() -> None:
    splitter = FrameSplitter(limit=1000)
    for _ in range(100):
        splitter.feed(b"x" * 999)
        assert splitter.pending <= 1000
    assert splitter.feed(b"\n") == []


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"defgh", b"\n\n", b"ijklmnop"]), max_size=20), st.data())
def test_any_split_of_the_bytes_gives_the_same_events(pieces: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    whole = FrameSplitter(limit=6)
    parts = FrameSplitter(limit=6)
    events = whole.feed(stream)
    split = [
        event
        for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for event in parts.feed(stream[start:end])
    ]
    assert split == events
    assert parts.pending == whole.pending


@given(st.binary(max_size=60))
def test_short_lines_are_those_between_newlines(stream: bytes) -> None:
    *lines, rest = stream.split(b"\n")
    splitter = FrameSplitter()
    assert splitter.feed(stream) == [Line(line) for line in lines]
    assert splitter.pending == len(rest)


@given(st.integers(1, 3000), st.lists(st.integers(0, 3000), max_size=5))
def test_the_start_of_a_line_over_the_limit_is_told_whatever_the_split(limit: int, cuts: list[int]) -> None:
    stream = bytes(index % 9 + 48 for index in range(limit + 1))
    splitter, places = FrameSplitter(limit), [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    found = [event for start, end in pairwise(places) for event in splitter.feed(stream[start:end])]
    assert [event.start for event in found if isinstance(event, Oversize)] == [stream[: min(limit, 1024)]]
