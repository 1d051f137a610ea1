"""What is held of all frames together is bounded, and let go of when nobody holds it any more."""

import gc
import tracemalloc

import pytest

from harness.encoding import encode, read_line
from harness.held import HELD, Held, weigh
from harness.targets.base import Frame, Junk
from reference.yea import jsontext


class Thing:
    """Something that is kept."""

    other: object = None


def test_a_thing_counts_until_nobody_holds_it() -> None:
    held, thing = Held(100), Thing()
    assert held.room(100)
    held.keep(thing, 60)
    assert (held.weight, held.room(40), held.room(41)) == (60, True, False)
    del thing
    assert (held.weight, held.room(100)) == (0, True)


def test_what_only_waits_to_be_collected_makes_room() -> None:
    gc.disable()
    try:
        held, thing = Held(100), Thing()
        held.keep(thing, 60)
        thing.other = thing
        del thing
        assert held.weight == 60
        assert held.room(100)
    finally:
        gc.enable()


def test_frames_are_counted() -> None:
    before = HELD.weight
    line = encode({"yea": 1, "id": "s", "data": [1, 2, 3]})
    frame = read_line(line, 0.0)
    assert isinstance(frame, Frame)
    assert HELD.weight - before == weigh(line)
    del frame
    assert HELD.weight == before


def test_a_frame_for_which_there_is_no_room_is_a_flood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HELD, "cap", HELD.weight + 2000)
    first, second = read_line(b"{}", 0.0), read_line(b'{"a":1}', 1.0)
    assert isinstance(first, Frame)
    assert isinstance(second, Junk)
    assert (second.sort, second.start, second.at) == ("flood", b'{"a":1}', 1.0)


PIECES = {"lists": b"[],", "objects": b"{},", "members": b'{"a":1},', "numbers": b"1,", "texts": b'"ab",', "deep": b""}


@pytest.mark.parametrize("name", PIECES)
def test_no_frame_needs_more_than_it_weighs(name: str) -> None:
    count = 20_000
    deep = b"[" * count + b"]" * count
    line = deep if name == "deep" else b"[" + PIECES[name] * count + b"1]"
    tracemalloc.start()
    try:
        value = jsontext.loads(line)
        needed = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert value
    assert needed < weigh(line)
