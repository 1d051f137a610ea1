"""Accounts: what a connection was asked, beside what it answered."""

from typing import Any

import pytest

from harness import limits
from harness.monitors.accounts import Account, Answer
from harness.targets.base import Frame


def frame(re: Any, kind: str = "BRIEF") -> Frame:
    return Frame({"re": re, "kind": kind}, 1, 0.0)


def test_answers_are_counted_by_what_they_answer() -> None:
    account = Account()
    account.stream(b'{"yea":1,"id":"a"}\n{"yea":1,"id":"b"}\n{"yea":1,"id":"a"}\n')
    frames = [frame("a", "EVENT"), frame("a"), frame("b", "ERROR"), frame("a", "ERROR"), frame("a")]
    assert [account.answer(each) for each in frames] == [
        Answer(frames[0], 2, (), 0, 0),
        Answer(frames[1], 2, (), 0, 0),
        Answer(frames[2], 1, (), 0, 0),
        Answer(frames[3], 2, ("BRIEF",), 0, 0),
        Answer(frames[4], 2, ("BRIEF", "ERROR"), 0, 0),
    ]


def test_an_answer_to_nobody_is_a_stray() -> None:
    account = Account()
    account.stream(b'{"yea":1,"id":"a"}\n')
    found = [account.answer(frame(re)) for re in ("x", None, ["a"], {}, 5, "a")]
    assert [(answer.asked, answer.strays) for answer in found] == [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 5)]
    assert account.answer(frame("z", "EVENT")).strays == account.answer(frame("a")).strays == 5


def test_a_request_counts_when_its_line_is_complete() -> None:
    account = Account()
    for byte in b'{"yea":1,"id":"a"}':
        account.stream(bytes([byte]))
    assert account.answer(frame("a", "EVENT")).asked == 0
    account.stream(b"\n")
    assert account.answer(frame("a")).asked == 1


DEEP = b'{"yea":1,"id":"a","x":' + b"[" * 501 + b"]" * 501 + b"}"
READABLE = {
    "a right request": (b'{"yea":1,"id":"a"}', 1, 0),
    "no JSON": (b'{"yea":1,', 0, 1),
    "an array": (b"[1]", 0, 1),
    "no id": (b'{"yea":1}', 0, 1),
    "an id that is a number": (b'{"yea":1,"id":7}', 0, 1),
    "another version": (b'{"yea":2,"id":"a"}', 1, 1),
    "no version": (b'{"id":"a"}', 1, 1),
    "many levels": (DEEP, 1, 1),
    "a lone surrogate": (b'{"yea":1,"id":"a","x":"\\ud800"}', 1, 1),
    "spaces around it": (b' {"yea":1,"id":"a"}', 1, 1),
    "100,000 levels": (b"[" * 100_000, 0, 1),
    "not UTF-8": (b'{"yea":1,"id":"a","x":"\xff"}', 0, 1),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_a_target_may_fail_to_read_is_counted_apart(name: str) -> None:
    line, asked, unnamed = READABLE[name]
    account = Account()
    account.request(line, len(line))
    answer = account.answer(frame("a"))
    assert (answer.asked, answer.unnamed) == (asked, unnamed)


def test_a_line_over_the_limit_may_be_refused_before_it_ends() -> None:
    account = Account()
    account.stream(b"x" * (limits.FRAME_LIMIT + 1))
    assert account.answer(frame(None)).unnamed == 1
    account.stream(b"\n")
    assert account.answer(frame(None)).unnamed == 1
    assert len(account.answer(frame("a" * 100)).re) <= 60
