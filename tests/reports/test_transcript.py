from collections.abc import Callable, Iterator

import pytest

from reports.transcript import MAX_EVENTS, MAX_TEXT, Direction, Event, Recorder, render
from tests.reports.samples import EVIL, HUGE


def ticking() -> Callable[[], float]:
    times: Iterator[float] = (100 + 0.5 * step for step in range(1_000_000))
    return lambda: next(times)


def test_events_keep_time_direction_and_size() -> None:
    recorder = Recorder(ticking())
    recorder.sent("c1", b'{"verb":"HELLO"}\n')
    recorder.received("c1", '{"name":"é"}')
    recorder.note("closed by the target", "c1")
    assert recorder.events == (
        Event(0.5, Direction.SENT, "c1", '{"verb":"HELLO"}\n', 17),
        Event(1.0, Direction.RECEIVED, "c1", '{"name":"é"}', 13),
        Event(1.5, Direction.NOTE, "c1", "closed by the target", 0),
    )


def test_bytes_that_are_no_text_are_kept_readable() -> None:
    recorder = Recorder(ticking())
    recorder.received("c1", b"\xff\xfeok")
    assert [(event.text, event.bytes) for event in recorder.events] == [("\\xff\\xfeok", 4)]


def test_a_lone_surrogate_has_a_size_too() -> None:
    recorder = Recorder(ticking())
    recorder.sent("c1", "\ud800")
    assert recorder.events[0].bytes == 3


def test_a_secret_is_masked_before_the_text_is_cut() -> None:
    recorder = Recorder(ticking(), mask=lambda text: text.replace("s" * 20, "*"))
    recorder.sent("c1", "x" * 4060 + "s" * 20 + "y" * 100)
    assert "s" not in recorder.events[0].text.split("…")[0]


def test_the_first_and_the_last_events_are_kept() -> None:
    recorder = Recorder(ticking(), limit=4)
    for number in range(10):
        recorder.sent("c1", str(number))
    assert [event.text for event in recorder.events] == ["0", "1", "[6 events left out]", "8", "9"]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_nothing_is_left_out_up_to_the_limit(number: int) -> None:
    recorder = Recorder(ticking(), limit=5)
    for each in range(number):
        recorder.sent("c1", str(each))
    assert [event.text for event in recorder.events] == [str(each) for each in range(number)]


def test_a_limit_that_keeps_no_two_ends_is_refused() -> None:
    with pytest.raises(ValueError, match="at least two"):
        Recorder(ticking(), limit=1)


def test_a_flood_is_bounded() -> None:
    recorder = Recorder(ticking())
    for _ in range(1000):
        recorder.received("c1", "x" * 5000)
    assert len(recorder.events) == MAX_EVENTS + 1
    assert sum(len(event.text) for event in recorder.events) < MAX_TEXT + 4096 + MAX_EVENTS * 300


def test_a_clock_that_goes_back_gives_no_negative_time() -> None:
    times = iter((5.0, 4.0))
    recorder = Recorder(lambda: next(times))
    recorder.note("late")
    assert recorder.events[0].at == 0.0


def test_events_render_one_a_line() -> None:
    events = (
        Event(0.5, Direction.SENT, "c1", "{}\n", 3),
        Event(12.25, Direction.RECEIVED, "c1", '{"a":1}', 7),
        Event(13.0, Direction.NOTE, "", "closed", 0),
    )
    assert render(events, indent="  ") == [
        "     0.500 → c1 (3 bytes): {}",
        '    12.250 ← c1 (7 bytes): {"a":1}',
        "    13.000 ·: closed",
    ]


@pytest.mark.parametrize("text", [EVIL, HUGE])
def test_hostile_text_renders_safe_and_short(text: str) -> None:
    (line,) = render([Event(0, Direction.RECEIVED, text, text, len(text))], limit=500)
    assert line.isprintable()
    assert len(line) < 900
