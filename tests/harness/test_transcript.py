"""Transcripts: what passes is recorded, masked and shown to the monitors under the transport that it went over."""

from typing import Any

from harness.targets.base import Frame, Junk
from harness.transcript import Transcript


def test_everything_is_recorded_and_handed_on() -> None:
    told: list[Any] = []
    transcript = Transcript(
        lambda: 5.0,
        lambda *seen: told.append(seen),
        lambda text: text.replace("secret", "***"),
        "tcp",
        "yea/2.1/x",
        sending=lambda *sent: told.append(sent),
    )
    frame = Frame({"re": "1"}, 9, 0.0, b'{"re":"1"}')
    junk = Junk("not JSON: x", b"secret?", 0.0)
    transcript.sent("tcp1", b'{"id":"secret"}')
    transcript.received("tcp1", frame)
    transcript.spoiled("tcp1", junk)
    transcript.note("a remark")
    assert [(event.dir.value, event.conn, event.text) for event in transcript.events] == [
        ("sent", "tcp1", '{"id":"***"}'),
        ("received", "tcp1", '{"re":"1"}'),
        ("received", "tcp1", "***?"),
        ("note", "tcp1", "not JSON: x"),
        ("note", "", "a remark"),
    ]
    assert told == [
        ("tcp", "yea/2.1/x tcp1", b'{"id":"secret"}'),
        ("tcp", "yea/2.1/x tcp1", frame),
        ("tcp", "yea/2.1/x tcp1", junk),
    ]


def test_a_connection_over_another_transport_is_told_by_its_name() -> None:
    told: list[str] = []
    transcript = Transcript(lambda: 0.0, lambda transport, *_: told.append(transport), str, "tcp", "c")
    for name in ("tcp1", "http2", "http2.17", "tls3", "stdio4", "probe", "setup"):
        transcript.received(name, Frame({}, 2, 0.0, b"{}"))
    assert told == ["tcp", "http", "http", "tls", "stdio", "tcp", "tcp"]


def test_a_long_transcript_keeps_its_beginning_and_its_end() -> None:
    transcript = Transcript(lambda: 0.0, lambda *_: None, str, "tcp", "c")
    for number in range(1000):
        transcript.sent("tcp1", b"%d" % number)
    texts = [event.text for event in transcript.events]
    assert (texts[0], texts[-1], len(texts)) == ("0", "999", 61)
    assert "[940 events left out]" in texts
