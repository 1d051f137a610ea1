"""YEA 9, Lens: values and replies render as the reference renders them, and always the same way."""

import json
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop
from fuzz.strategies.frames import frame_texts
from fuzz.strategies.json_texts import json_texts, nested_texts
from fuzz.targets import Operations
from reference.yea import jsontext
from reference.yea.lens import lens_reply, lens_value

VALUES = st.one_of(json_texts(), json_texts(), nested_texts())
OPEN_WHEN_EMPTY = ("field", "detail", "summary", "risk", "unit", "question", "label")


@prop("lens/value", "YEA-9-01", "YEA-9.1-03", "YEA-9.1-05", "YEA-9.1-13", "YEA-9.1-22", "YEA-9.1-37", examples=VALUES)
def value(target: Operations, text: str) -> str | None:
    """A value renders byte for byte as the reference renders it."""
    if _overflows(text):
        return None
    wanted = lens_value(jsontext.loads(text))
    event("table" if "]{" in wanted else "cut" if "…" in wanted else "plain")
    return _compare(wanted, answer(target, "lens.value", {"json": text}))


@prop("lens/reply", "YEA-9-01", "YEA-9.2-67", "YEA-9.2-80", "YEA-9.2-88", examples=frame_texts())
def reply(target: Operations, text: str) -> str | None:
    """A reply frame, well formed or not, renders byte for byte as the reference renders it."""
    frame: Any = jsontext.loads(text)
    if _open(frame):
        event("the text is open")
        return None
    wanted = lens_reply(frame)
    event(f"kind {frame.get('kind')!r}"[:40])
    return _compare(wanted, answer(target, "lens.reply", {"json": text}))


@prop("lens/deterministic", "YEA-9-02", examples=VALUES)
def deterministic(target: Operations, text: str) -> str | None:
    """The same value renders the same twice."""
    first = answer(target, "lens.value", {"json": text})
    second = answer(target, "lens.value", {"json": text})
    return None if first == second else f"first {json.dumps(first)[:300]}, then {json.dumps(second)[:300]}"


def _compare(wanted: str, got: dict[str, Any]) -> str | None:
    if got.get("ok") == {"text": wanted}:
        return None
    return f"wanted {json.dumps(wanted)[:600]}, got {json.dumps(got)[:600]}"


def _overflows(text: str) -> bool:
    """A number beyond doubles is open (YEA-Q82)."""
    return any(
        isinstance(each, float) and each in (float("inf"), float("-inf")) for each in _scalars(jsontext.loads(text))
    )


def _scalars(value: Any) -> list[Any]:
    waiting, found = [value], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list):
            waiting.extend(each.values() if isinstance(each, dict) else each)
        else:
            found.append(each)
    return found


def _open(frame: Any) -> bool:
    """Places where section 9.2 leaves room: empty or null members, odd ops and data, zero times (YEA-Q83 to Q88)."""
    if frame.get("retry") == 0 or frame.get("need") in ([], "") or _null_result(frame):
        return True
    for proposal in frame.get("proposals") if isinstance(frame.get("proposals"), list) else ():
        if (
            isinstance(proposal, dict)
            and "data" in proposal
            and not (isinstance(proposal["data"], dict) and proposal["data"])
        ):
            return True
    return any(_open_part(part) for part in _objects(frame))


def _null_result(frame: Any) -> bool:
    receipt = frame.get("receipt")
    if not isinstance(receipt, dict):
        return False
    undone = isinstance(receipt.get("undoes"), str) and frame.get("auto") is True
    return undone or receipt.get("undoes") == "" or ("result" in receipt and receipt["result"] is None)


def _open_part(part: dict[str, Any]) -> bool:
    empty = any(part.get(name) == "" for name in OPEN_WHEN_EMPTY)
    odd_op = isinstance(part.get("op"), str) and part["op"] not in ("create", "update", "delete", "send", "other")
    null_side = part.get("uses", 0) is None
    return empty or odd_op or null_side


def _objects(value: Any) -> list[dict[str, Any]]:
    waiting, found = [value], []
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found.append(each)
            waiting.extend(each.values())
        elif isinstance(each, list):
            waiting.extend(each)
    return found
