"""What a client prints is read leniently: what is no result is a log line."""

import pytest

from harness.clients.results import Result, read

LINES = {
    b'{"outcome": "done"}': Result("done"),
    b'{"outcome": "done", "shown": "event: lunch", "took": 3}': Result("done", shown="event: lunch"),
    b'{"why": "no", "outcome": "failed", "consent": "Book it?"}': Result("failed", "no", consent="Book it?"),
    b'{"outcome": "unsupported", "why": 5, "shown": null}\r': Result("unsupported"),
    b'{"outcome": "DONE"}': None,
    b'{"outcome": ["done"]}': None,
    b'{"result": "done"}': None,
    b'["done"]': None,
    b"starting up": None,
    b"": None,
    b"\xff\xfe": None,
    b"[" * 100_000: None,
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:40].decode(errors="replace"))
def test_a_line_is_a_result_or_none(line: bytes) -> None:
    assert read(line) == LINES[line]


def test_a_result_is_told_in_its_own_words() -> None:
    told = [Result("done").told(), Result("failed", "x" * 300).told()]
    assert told == ["done", "failed: " + "x" * 200]
    assert [Result(word).done for word in ("done", "failed", "unsupported")] == [True, False, False]
    assert [Result(word).unsupported for word in ("done", "failed", "unsupported")] == [False, False, True]
