"""Steps and frames."""

import json

from reference.yea.service import Event, Reply, encode


def test_a_frame_is_one_line_of_utf_8() -> None:
    frame: dict[str, object] = {"a": "line\nbreak", "b": "é☃🚀", "c": "\ud800", "d": 1e21, "e": 1e-7}
    line = encode(frame)  # type: ignore[arg-type]
    assert b"\n" not in line
    assert line == '{"a":"line\\nbreak","b":"é☃🚀","c":"\\ud800","d":1e+21,"e":1e-7}'.encode()
    assert json.loads(line) == frame


def test_a_reply_carries_its_line() -> None:
    assert Reply({"a": 1}).line == b'{"a":1}'
    assert Reply({"a": 1}, b"other").line == b"other"


def test_an_event_has_only_what_it_was_given() -> None:
    assert Event("x").body() == {"kind": "EVENT", "message": "x"}
    assert Event("x", 0, [1]).body() == {"kind": "EVENT", "message": "x", "progress": 0, "data": [1]}
