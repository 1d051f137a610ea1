"""Lens for a terminal: one line stays one line (YEA 9).

Lens inserts the texts of a service into its templates as they are, so a line break in a summary would look like a line
of the template. Here such texts are written on one line first, everything invisible spelled out. Values in lean
notation are left alone, for they are quoted there. A model gets `Reply.lens`, which is Lens to the byte.
"""

from typing import Any

from reference.yea.client.frames import Frame, one_line
from reference.yea.lens import lens_reply
from reference.yea.lens.wellformed import has_good_more, known_kind

TEXT, SCHEMA = "a text", "a param schema"

_EFFECTS = [{"op": TEXT, "target": TEXT, "field": TEXT, "detail": TEXT}]

TEMPLATES: dict[str, Any] = {
    "BRIEF": {
        "service": {"id": TEXT, "name": TEXT, "summary": TEXT},
        "capabilities": [{"kind": TEXT, "name": TEXT, "summary": TEXT, "risk": TEXT, "params": SCHEMA}],
    },
    "ANSWER": {},
    "PROPOSALS": {"proposals": [{"id": TEXT, "summary": TEXT, "effects": _EFFECTS}]},
    "CLARIFY": {"question": TEXT, "options": [{"label": TEXT}]},
    "RECEIPT": {"receipt": {"id": TEXT, "summary": TEXT, "undoes": TEXT, "effects": _EFFECTS}},
    "ERROR": {"code": TEXT, "message": TEXT, "fix": [{"say": TEXT}], "consent": {"hash": TEXT, "summary": TEXT}},
    "EVENT": {"message": TEXT},
}
"""The members of each kind that its template inserts as they are (YEA 9.2)."""

_MORE = {"more": [{"path": TEXT, "handle": TEXT}]}


def terminal_text(frame: Frame) -> str:
    """The Lens of a reply frame in which no text of the service can begin a line of its own. Never raises."""
    kind = known_kind(frame)
    shown = _spelled(frame, TEMPLATES[kind]) if kind else frame
    return lens_reply(_spelled(shown, _MORE) if has_good_more(frame) else shown)


def _spelled(value: Any, shape: Any) -> Any:
    """A copy of the value whose texts, where the shape has them, are on one line."""
    if shape == TEXT:
        return one_line(value) if isinstance(value, str) else value
    if shape == SCHEMA:
        return _schema(value)
    if isinstance(shape, list) and isinstance(value, list):
        return [_spelled(item, shape[0]) for item in value]
    if isinstance(shape, dict) and isinstance(value, dict):
        return {name: _spelled(item, shape[name]) if name in shape else item for name, item in value.items()}
    return value


def _schema(value: Any) -> Any:
    """A well-formed param schema, so at most 33 levels deep: its names and types are all texts."""
    if isinstance(value, dict):
        return {one_line(name): _schema(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_schema(item) for item in value]
    return _spelled(value, TEXT)
