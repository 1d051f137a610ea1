from io import StringIO

import pytest

from reports.model import Outcome
from reports.progress import RunProgress


class Tty(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def counts(passed: int, failed: int = 0) -> dict[Outcome, int]:
    return {Outcome.PASSED: passed, Outcome.FAILED: failed, Outcome.NOT_APPLICABLE: 0}


def test_without_a_terminal_a_line_at_the_start_and_at_each_quarter() -> None:
    stream = StringIO()
    with RunProgress(stream, 100, "yea") as progress:
        for number in range(101):
            progress.update(counts(number - number // 50, number // 50), running=8)
    assert stream.getvalue().splitlines() == [
        "yea: 100 checks to run",
        "yea: 25 of 100: 25 passed",
        "yea: 50 of 100: 49 passed, 1 failed",
        "yea: 75 of 100: 74 passed, 1 failed",
        "yea: 100 of 100: 98 passed, 2 failed",
    ]


def test_a_run_that_stops_early_says_where() -> None:
    stream = StringIO()
    with pytest.raises(KeyboardInterrupt), RunProgress(stream, 10) as progress:
        progress.update(counts(2))
        raise KeyboardInterrupt
    assert stream.getvalue().splitlines() == ["checks: 10 checks to run", "checks: stopped after 2 of 10"]


def test_a_run_that_ends_by_itself_has_not_stopped_early() -> None:
    stream = StringIO()
    with RunProgress(stream, 28) as progress:
        progress.update(counts(27))
    assert stream.getvalue().splitlines() == ["checks: 28 checks to run", "checks: 27 of 28: 27 passed"]


def test_a_run_of_nothing_is_done_at_once() -> None:
    stream = StringIO()
    with RunProgress(stream, 0) as progress:
        progress.update({})
    assert stream.getvalue().splitlines() == ["checks: 0 checks to run", "checks: 0 of 0: none yet"]


def test_more_rows_than_planned_are_no_trouble() -> None:
    stream = StringIO()
    with RunProgress(stream, 2) as progress:
        progress.update(counts(5))
        progress.update(counts(6))
    assert stream.getvalue().splitlines()[-1] == "checks: 6 of 2: 6 passed"


def test_on_a_terminal_the_counts_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    stream = Tty()
    with RunProgress(stream, 10, "yea") as progress:
        progress.update(counts(3, 1), running=2)
    shown = stream.getvalue()
    assert "4/10" in shown
    assert "3 passed, 1 failed, 2 running" in shown


def test_a_dumb_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = Tty()
    with RunProgress(stream, 4) as progress:
        progress.update(counts(4))
    assert stream.getvalue() == "checks: 4 checks to run\nchecks: 4 of 4: 4 passed\n"
