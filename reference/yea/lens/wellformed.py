"""Which frames render by the template of their kind: the table of well-formed frames as data (YEA 9.2).

A shape is a predicate over one value. Member names ending in ? may be absent, and null counts as absent there.
"""

from collections.abc import Callable
from typing import Any

from reference.yea.types import Json, as_integer

Shape = Callable[[Json], bool]

SCHEMA_LEVELS = 32
"""How many nested schemas and arrays a param schema may have below the top one."""


def _anything(_: Json) -> bool:
    return True


def _string(value: Json) -> bool:
    return isinstance(value, str)


def _boolean(value: Json) -> bool:
    return isinstance(value, bool)


def _integer(value: Json) -> bool:
    return as_integer(value) is not None


def _scalar(value: Json) -> bool:
    return isinstance(value, (str, int, float))


def _array(value: Json) -> bool:
    return isinstance(value, list)


def _object(value: Json) -> bool:
    return isinstance(value, dict)


def _array_of(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _record(members: dict[str, Shape]) -> Shape:
    """An object with these members, and any others."""
    required = {name: shape for name, shape in members.items() if not name.endswith("?")}
    optional = {name[:-1]: shape for name, shape in members.items() if name.endswith("?")}

    def fits(value: Json) -> bool:
        return (
            isinstance(value, dict)
            and all(name in value and shape(value[name]) for name, shape in required.items())
            and all(value.get(name) is None or shape(value[name]) for name, shape in optional.items())
        )

    return fits


def _schema(value: Json, levels: int = SCHEMA_LEVELS) -> bool:
    """A param schema (YEA 4.1.1), with at most `levels` nested schemas and arrays below it."""
    return isinstance(value, dict) and all(_schema_type(item, levels) for item in value.values())


def _schema_type(value: Json, levels: int) -> bool:
    if isinstance(value, str):
        return True
    if levels == 0:
        return False
    if isinstance(value, list):
        return len(value) == 1 and _schema_type(value[0], levels - 1)
    return _schema(value, levels - 1)


_EFFECTS = _array_of(
    _record(
        {
            "op": _string,
            "target": _string,
            "field?": _string,
            "detail?": _string,
            "from?": _scalar,
            "to?": _scalar,
        }
    )
)

_CAPABILITIES = _array_of(
    _record({"kind": _string, "name": _string, "summary?": _string, "risk?": _string, "params?": _schema})
)

_RECEIPT = _record({"id": _string, "summary": _string, "undoes?": _string, "effects?": _EFFECTS})

KINDS: dict[str, Shape] = {
    "BRIEF": _record(
        {
            "service": _record({"id": _string, "name": _string, "summary?": _string}),
            "capabilities": _CAPABILITIES,
        }
    ),
    "ANSWER": _record({"data": _anything}),
    "PROPOSALS": _record({"proposals": _array_of(_record({"id": _string, "summary": _string, "effects": _EFFECTS}))}),
    "CLARIFY": _record({"question": _string, "options": _array_of(_record({"label": _string}))}),
    "RECEIPT": _record({"receipt": _RECEIPT, "replay?": _boolean, "auto?": _boolean}),
    "ERROR": _record(
        {
            "code": _string,
            "message": _string,
            "fix?": _array_of(_record({"say": _string, "params?": _object})),
            "need?": _array,
            "consent?": _record({"hash": _string, "summary": _string}),
        }
    ),
    "EVENT": _record({"message": _string}),
}
"""The seven kinds and what a frame of each must be."""

_MORE = _record(
    {"more?": _array_of(_record({"remaining": _integer, "path": _string, "handle": _string, "est": _integer}))}
)


def has_good_more(frame: dict[str, Any]) -> bool:
    """Whether a frame's `more` is absent, null, or a list of More entries."""
    return _MORE(frame)


def known_kind(frame: dict[str, Any]) -> str | None:
    """The kind of a well-formed frame of a known kind, None for every other frame (YEA 9.2)."""
    kind = frame.get("kind")
    if not isinstance(kind, str) or kind not in KINDS or not has_good_more(frame):
        return None
    return kind if KINDS[kind](frame) else None
