"""Reply renderings: one template for each kind of reply (YEA 9.2)."""

import math
from collections.abc import Callable, Iterator
from typing import Any

from reference.yea import quantities
from reference.yea.lens.compact import compact_json
from reference.yea.lens.depth import cut
from reference.yea.lens.order import members
from reference.yea.lens.times import duration_text, time_text
from reference.yea.lens.values import STEP, lean_lines, member_lines, scalar_text
from reference.yea.lens.wellformed import has_good_more, known_kind
from reference.yea.numbers import number_text
from reference.yea.types import Json, as_integer

Frame = dict[str, Any]

MAX_WINDOW = 2**52
"""The longest undo window in seconds (YEA 5.1)."""

SYMBOLS = {"create": "+", "update": "~", "delete": "-", "send": ">", "other": "*"}


def lens_reply(frame: Json) -> str:
    """The Lens of a reply frame, lines joined by \\n, none at the end (YEA 9.2).

    A frame of no known kind, or one that is not well-formed, is the lean notation of its members; a value that is no
    object at all is its lean notation. Never raises.
    """
    shown: Any = cut(frame)
    if not isinstance(shown, dict):
        return "\n".join(lean_lines(shown))
    kind = known_kind(shown)
    lines = list(TEMPLATES[kind](shown)) if kind else _unknown(shown)
    if has_good_more(shown):
        lines += map(_more_line, shown.get("more") or [])
    return "\n".join(lines)


def _unknown(frame: Frame) -> list[str]:
    """The members of a frame without its envelope; a malformed `more` is shown among them."""
    hidden = {"yea", "id", "re", "lens"} | ({"more"} if has_good_more(frame) else set())
    return lean_lines({name: value for name, value in frame.items() if name not in hidden})


def _more_line(more: Frame) -> str:
    remaining, est = number_text(more["remaining"]), number_text(more["est"])
    return f"… {remaining} more at {more['path']} — EXPAND {more['handle']} (~{est} tokens)"


def _brief(frame: Frame) -> Iterator[str]:
    service = frame["service"]
    yield f"# {service['name']} ({service['id']})"
    if service.get("summary") is not None:
        yield service["summary"]
    for entry in frame["capabilities"]:
        summary = _optional(" — {}", entry.get("summary"))
        risk = _optional(" [risk:{}]", entry.get("risk"))
        yield f"{entry['kind']} {entry['name']}({_params(entry.get('params') or {})}){summary}{risk}"


def _params(schema: dict[str, Json]) -> str:
    return ", ".join([f"{name}: {_type(value)}" for name, value in members(schema)])


def _type(value: Json) -> str:
    """The type of one parameter: its string, {…} around a nested schema, […] around an element."""
    if isinstance(value, dict):
        return f"{{{_params(value)}}}"
    if isinstance(value, list):
        return f"[{_type(value[0])}]"
    return str(value)


def _answer(frame: Frame) -> Iterator[str]:
    yield from lean_lines(frame["data"])


def _proposals(frame: Frame) -> Iterator[str]:
    proposals: list[Frame] = frame["proposals"]
    attributes = [_attributes(proposal) for proposal in proposals]
    shared = _shared(attributes)
    noun = "proposal" if len(proposals) == 1 else "proposals"
    yield f"{len(proposals)} {noun}{_optional(' — {}', ' · '.join(shared.values()) or None)}:"
    for proposal, own in zip(proposals, attributes, strict=True):
        yield f"[{proposal['id']}] {proposal['summary']}"
        yield from map(_effect_line, proposal["effects"])
        line = " · ".join([text for name, text in own.items() if name not in shared])
        if line:
            yield STEP + line
        if "data" in proposal:
            yield from member_lines("data", proposal["data"], STEP)


def _attributes(proposal: Frame) -> dict[str, str]:
    """The rendered attributes of a proposal by name, in their fixed order; `uses` may be missing."""
    attributes: dict[str, str] = {}
    if "uses" in proposal and proposal["uses"] != {}:
        attributes["uses"] = f"uses: {_uses(proposal['uses'])}"
    attributes["risk"] = f"risk: {scalar_text(proposal.get('risk'))}"
    attributes["undo"] = f"undo: {_undo(proposal.get('undo'))}"
    attributes["expires"] = f"expires: {time_text(proposal.get('expires'))}"
    return attributes


def _shared(attributes: list[dict[str, str]]) -> dict[str, str]:
    """The attributes that every one of two or more proposals renders alike; what counts is the text."""
    if len(attributes) < 2:
        return {}
    first = attributes[0]
    return {name: text for name, text in first.items() if all(other.get(name) == text for other in attributes)}


def _uses(value: Json) -> str:
    """The measures in canonical key order, or ? as a whole when one of them is malformed."""
    if not isinstance(value, dict) or not quantities.uses_valid(value):
        return "?"
    return ", ".join([f"{name} {quantities.render(value[name])}" for name in sorted(value)])


def _undo(value: Json) -> str:
    window = as_integer(value.get("window")) if isinstance(value, dict) else None
    return duration_text(window) if window is not None and 0 < window <= MAX_WINDOW else "never"


def _effect_line(effect: Frame) -> str:
    field = _optional(".{}", effect.get("field"))
    detail = _optional(" — {}", effect.get("detail"))
    before, after = effect.get("from"), effect.get("to")
    change = "" if before is None and after is None else f": {scalar_text(before)} → {scalar_text(after)}"
    return f"{STEP}{SYMBOLS.get(effect['op'], '*')} {effect['op']} {effect['target']}{field}{change}{detail}"


def _clarify(frame: Frame) -> Iterator[str]:
    yield f"? {frame['question']}"
    for number, option in enumerate(frame["options"], start=1):
        yield f"{STEP}{number}. {option['label']}"


def _receipt(frame: Frame) -> Iterator[str]:
    receipt: Frame = frame["receipt"]
    name = f"{receipt['summary']} (receipt {receipt['id']}){' (replay)' if frame.get('replay') else ''}"
    if receipt.get("undoes") is not None:
        yield f"↶ undid {receipt['undoes']}: {name}"
    else:
        yield f"✓ {name} · {_until(receipt.get('undo'))}"
        if frame.get("auto"):
            yield from map(_effect_line, receipt.get("effects") or [])
    if "result" in receipt:
        yield from member_lines("result", receipt["result"], STEP)


def _until(undo: Json) -> str:
    if isinstance(undo, dict) and "until" in undo:
        return f"undo until {time_text(undo['until'])}"
    return "irreversible"


def _error(frame: Frame) -> Iterator[str]:
    yield f"✗ {frame['code']}: {frame['message']}"
    for fix in frame.get("fix") or []:
        params = fix.get("params")
        yield f"{STEP}fix: {fix['say']}{'' if params is None else f' → params {compact_json(params)}'}"
    if frame.get("need") is not None:
        yield f"{STEP}need: {compact_json(frame['need'])}"
    consent = frame.get("consent")
    if consent is not None:
        yield f"{STEP}consent: principal must approve {consent['hash']} ({consent['summary']})"
    if frame.get("retry") is not None:
        yield f"{STEP}retry in: {duration_text(frame['retry'])}"


def _event(frame: Frame) -> Iterator[str]:
    yield f"… {frame['message']}{_percent(frame.get('progress'))}"


def _percent(progress: Json) -> str:
    if isinstance(progress, bool) or not isinstance(progress, (int, float)) or not 0 <= progress <= 1:
        return ""
    return f" ({math.floor(progress * 100 + 0.5)}%)"


def _optional(template: str, text: str | None) -> str:
    """A part of a line that is only there when its text is."""
    return "" if text is None else template.format(text)


TEMPLATES: dict[str, Callable[[Frame], Iterator[str]]] = {
    "BRIEF": _brief,
    "ANSWER": _answer,
    "PROPOSALS": _proposals,
    "CLARIFY": _clarify,
    "RECEIPT": _receipt,
    "ERROR": _error,
    "EVENT": _event,
}
"""How a well-formed frame of each kind renders, line by line."""
