"""Exchanges: which reply is the final one, and how what came is put in words."""

from typing import Any

import pytest

from harness.targets.base import Exchange, Frame, Http, Junk


def made(*values: dict[str, Any], **more: Any) -> Exchange:
    return Exchange({}, [Frame(value, 0, 0.0) for value in values], **more)


JUNK = [Junk("not JSON: x", b"", 0.0), Junk("late", b"", 0.0)]
SEEN = {
    "a receipt": (made({"kind": "RECEIPT"}), "RECEIPT"),
    "an error": (made({"kind": "ERROR", "code": "forbidden"}), "ERROR forbidden"),
    "an error without code": (made({"kind": "ERROR"}), "ERROR"),
    "an error with a list for a code": (made({"kind": "ERROR", "code": ["forbidden"]}), "ERROR"),
    "a code on something else": (made({"kind": "ANSWER", "code": "forbidden"}), "ANSWER"),
    "a frame without kind": (made({}), "a frame without kind"),
    "a kind that is a number": (made({"kind": 5}), "a frame without kind"),
    "EVENTs before the final": (made({"kind": "EVENT"}, {"kind": "BRIEF"}), "BRIEF"),
    "EVENTs alone": (made({"kind": "EVENT"}), "no reply"),
    "the first of two finals": (made({"kind": "BRIEF"}, {"kind": "ERROR"}), "BRIEF"),
    "nothing": (made(), "no reply"),
    "a close": (made(closed=True), "a closed connection"),
    "junk": (made(junk=JUNK, closed=True), "no frame: not JSON: x"),
    "an HTTP status": (made(http=Http(413, ""), junk=JUNK), "HTTP 413"),
    "an HTTP status beside a reply": (made({"kind": "BRIEF"}, http=Http(413, "")), "BRIEF"),
    "status 200 and no reply": (made(http=Http(200, "")), "no reply"),
}


@pytest.mark.parametrize("name", SEEN)
def test_what_came_is_put_in_words(name: str) -> None:
    exchange, words = SEEN[name]
    assert exchange.seen() == words


def test_the_final_reply_is_the_first_that_is_no_event() -> None:
    event, final, late = {"kind": "EVENT"}, {"kind": "ERROR", "code": "conflict"}, {"kind": "BRIEF"}
    exchange = made(event, final, event, late)
    assert (exchange.final, exchange.reply, exchange.kind, exchange.code) == (final, final, "ERROR", "conflict")
    assert [frame.value for frame in exchange.events] == [event, event]
    nothing = made(event)
    assert (nothing.final, nothing.reply, nothing.kind, nothing.code) == (None, {}, "", "")
