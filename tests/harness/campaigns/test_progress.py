"""The line for the person who waits."""

import io
from collections.abc import Iterator

import pytest

from harness.campaigns.local import OFTEN, Counting
from harness.campaigns.progress import FuzzProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def clock(*times: float) -> Iterator[float]:
    return iter(times)


def test_a_terminal_gets_one_line_that_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    times, stream = clock(0.0, 0.1, 2.0, 4.0), Terminal()
    progress = FuzzProgress(stream, lambda: next(times))
    for _ in range(3):
        progress.tick(1000)
    assert stream.getvalue() == "\rfuzz: 2,000 examples, 1,000 a second\x1b[K\rfuzz: 3,000 examples, 750 a second\x1b[K"
    progress.clear()
    progress.clear()
    assert stream.getvalue().count("\r") == 3


def test_a_file_gets_a_line_now_and_then() -> None:
    times, stream = clock(0.0, 5.0, 10.0, 12.0), io.StringIO()
    progress = FuzzProgress(stream, lambda: next(times))
    for _ in range(3):
        progress.tick(50)
    progress.clear()
    assert stream.getvalue() == "fuzz: 100 examples, 10 a second\n"


def test_a_shard_tells_what_is_new_over_all_its_campaigns() -> None:
    told: list[int] = []
    times = clock(*(number * OFTEN for number in range(100)))
    counting = Counting(told.append, lambda: True, lambda: next(times))
    assert all(counting(tried) for tried in (0, 5, 9, 0, 4))
    assert sum(told) == 13


def test_a_shard_stops_when_it_should() -> None:
    counting = Counting(lambda _: None, lambda: False)
    assert counting(1) is False
