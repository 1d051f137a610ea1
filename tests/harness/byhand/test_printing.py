"""What goes to a terminal."""

import json
from typing import Any

import pytest

from harness.byhand.printing import Printer, ascii_json, say, say_line, whole
from reference.yea.client import Reply

EVIL = "\x1b[2J\x07\r\x7f\x85\u202e\u2028\ufeff\U000e0041é🚀"


@pytest.mark.parametrize("value", [EVIL, {EVIL: [EVIL, 1.5, None, True]}, [], "\ud800", "a\\u0041"])
def test_json_is_printable_ascii_of_the_same_value(value: Any) -> None:
    text = ascii_json(value)
    assert text.isascii() and text.isprintable()
    assert json.loads(text) == value
    assert whole(text) == text


def test_json_of_any_depth() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert ascii_json(deep) == "[" * 100_001 + "]" * 100_001


def test_lens_is_shown_whole_with_everything_spelled_out() -> None:
    text = (EVIL + "\n") * 10_000
    shown = whole(text)
    assert shown.count("\n") == 10_000
    assert shown.split("\n")[0] == r"\x1b[2J\x07\r\x7f\x85\u202e\u2028\ufeff\U000e0041é🚀"


def test_frames_are_one_line_of_json_each(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(as_json=True)
    printer.reply(Reply({"kind": "ANSWER", "data": EVIL}, 1))
    printer.event({"kind": "EVENT", "message": EVIL})
    out, err = capsys.readouterr()
    assert [json.loads(line) for line in out.splitlines()] == [
        {"kind": "ANSWER", "data": EVIL},
        {"kind": "EVENT", "message": EVIL},
    ]
    assert err == ""


def test_lens_goes_to_standard_output_and_events_are_messages(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer(as_json=False)
    printer.event({"kind": "EVENT", "message": "a\nb\x1b"})
    printer.frame({"kind": "NEW", "a": "b\n"})
    assert capsys.readouterr() == ('kind: NEW\na: "b\\n"\n', "… a\\nb\\x1b\n")


def test_a_service_ownership_of_a_line_ends_where_ours_begins(capsys: pytest.CaptureFixture[str]) -> None:
    say("ours\n  ours too\x1b")
    say_line("theirs\nno line of ours")
    assert capsys.readouterr().err == "ours\n  ours too\\x1b\ntheirs\\nno line of ours\n"
