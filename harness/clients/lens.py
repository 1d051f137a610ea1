"""Replies and the Lens of each, written out by hand from YEA 9.1, for what a client shows its model."""

from harness.clients.plays import Frame
from reference.yea import jsontext

REPLIES: dict[str, Frame] = {
    "an object": {"kind": "ANSWER", "data": {"event": "lunch", "guests": 2, "note": None, "open": True}},
    "a table": {"kind": "ANSWER", "data": {"events": [{"id": "e1", "day": "mon"}, {"id": "e2", "day": "tue"}]}},
    "a list of words": {"kind": "ANSWER", "data": {"tags": ["work", "noon"], "with": {"name": "Ana"}}},
    "a text that needs quotes": {"kind": "ANSWER", "data": {"text": "one, two", "number": "12"}},
}
_LENS = {
    "an object": "event: lunch\nguests: 2\nnote: -\nopen: true",
    "a table": "events[2]{id,day}:\n  e1,mon\n  e2,tue",
    "a list of words": "tags: [work, noon]\nwith:\n  name: Ana",
    "a text that needs quotes": 'text: "one, two"\nnumber: "12"',
}


def lens_of(reply: Frame) -> str:
    """Return the Lens of one of REPLIES."""
    return next(_LENS[name] for name, known in REPLIES.items() if known is reply)


def is_json(text: str) -> bool:
    """Whether a text is a JSON object: a raw frame, or its data."""
    try:
        return isinstance(jsontext.loads(text), dict)
    except (jsontext.JsonError, UnicodeEncodeError):
        return False
