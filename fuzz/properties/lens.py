"""YEA 9, Lens: values and replies render as the reference renders them, and always the same way."""

import json
import math
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop
from fuzz.strategies.frames import frame_texts
from fuzz.strategies.json_texts import json_texts, nested_texts
from fuzz.targets import Operations
from reference.yea import jsontext
from reference.yea.lens import lens_reply, lens_value

VALUES = st.one_of(json_texts(), nested_texts())
OPEN_WHEN_EMPTY = ("field", "detail", "summary", "risk", "undoes")
OPS = ("create", "update", "delete", "send", "other")


@prop("lens/value", "YEA-9-01", "YEA-9.1-03", "YEA-9.1-05", "YEA-9.1-13", "YEA-9.1-22", "YEA-9.1-37", examples=VALUES)
def value(target: Operations, text: str) -> str | None:
    """A value renders byte for byte as the reference renders it."""
    if overflows(text):
        return None
    wanted = lens_value(jsontext.loads(text))
    event("table" if "]{" in wanted else "cut" if "…" in wanted else "plain")
    return _compare(wanted, answer(target, "lens.value", {"json": text}))


@prop("lens/reply", "YEA-9-01", "YEA-9.2-67", "YEA-9.2-80", "YEA-9.2-88", examples=frame_texts())
def reply(target: Operations, text: str) -> str | None:
    """A reply frame, well formed or not, renders byte for byte as the reference renders it."""
    frame: Any = jsontext.loads(text)
    if is_open(frame):
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


def overflows(text: str) -> bool:
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


def is_open(frame: Any) -> bool:
    """Whether section 9.2 leaves room somewhere in a frame (YEA-Q81 to Q88)."""
    members = frame.keys() - {"yea", "id", "re", "more", "lens"}
    return (
        not members or _is_duration_open(frame) or _is_percent_open(frame) or any(map(_is_part_open, _objects(frame)))
    )


def _is_duration_open(frame: dict[str, Any]) -> bool:
    """Zero and negative durations (YEA-Q83)."""
    retry = _number(frame.get("retry"))
    return retry is not None and retry <= 0


def _is_percent_open(frame: dict[str, Any]) -> bool:
    """A half of a percent that doubles and decimals round differently (YEA-Q87)."""
    progress = _number(frame.get("progress"))
    if progress is None or not 0 <= progress <= 1:
        return False
    exact = {math.floor(Decimal(made) * 100 + Decimal("0.5")) for made in (repr(progress), progress)}
    return exact != {math.floor(progress * 100 + 0.5)}


def _number(value: Any) -> float | int | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _is_part_open(part: dict[str, Any]) -> bool:
    """Empty or null members, other ops and other data (YEA-Q84, YEA-Q86, YEA-Q88)."""
    empty = any(part.get(name) == "" for name in OPEN_WHEN_EMPTY) or part.get("need") == []
    null = "result" in part and part["result"] is None
    odd_op = isinstance(part.get("op"), str) and part["op"] not in OPS
    odd_data = "proposals" in part and any(map(_has_odd_data, _list(part["proposals"])))
    return empty or null or odd_op or odd_data or _shows_effects_of_undo(part) or _has_odd_params(part)


def _has_odd_data(proposal: Any) -> bool:
    if not isinstance(proposal, dict) or "data" not in proposal:
        return False
    return not (isinstance(proposal["data"], dict) and proposal["data"])


def _shows_effects_of_undo(part: dict[str, Any]) -> bool:
    receipt = part.get("receipt")
    return part.get("auto") is True and isinstance(receipt, dict) and receipt.get("undoes") is not None


def _has_odd_params(part: dict[str, Any]) -> bool:
    """A parameter whose name is not bare."""
    capabilities = _list(part.get("capabilities"))
    params = [each.get("params") for each in capabilities if isinstance(each, dict)]
    return any(not _is_bare(name) for each in _objects(params) for name in each)


def _is_bare(name: str) -> bool:
    return bool(name) and name.isascii() and name.replace("_", "").removesuffix("?").isalnum() and not name.isdigit()


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


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
