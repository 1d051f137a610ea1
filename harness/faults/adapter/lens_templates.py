"""Faults of `lens.reply` in the templates of the kinds: effects, receipts, errors, briefs and more lines (YEA 9.2)."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from harness.faults.adapter.overriding import reply_row
from harness.faults.adapter.tools import register
from reference.yea.lens import replies
from reference.yea.lens.compact import compact_json
from reference.yea.lens.times import duration_text, time_text
from reference.yea.lens.values import member_lines, scalar_text

Frame = dict[str, Any]
Template = Callable[[Frame], Iterator[str]]

_effect_line, _receipt, _error = replies._effect_line, replies._receipt, replies._error


def _side(value: Any) -> str:
    return "-" if value is None else str(value)


def _effect(
    effect: Frame,
    *,
    is_there: Callable[[Frame], bool] = lambda e: e.get("from") is not None or e.get("to") is not None,
    side: Callable[[Any], str] = scalar_text,
) -> str:
    """An effect line with other rules for its sides."""
    bare = _effect_line({name: value for name, value in effect.items() if name not in ("from", "to", "detail")})
    change = f": {side(effect.get('from'))} → {side(effect.get('to'))}" if is_there(effect) else ""
    return f"{bare}{change}{'' if effect.get('detail') is None else ' — ' + effect['detail']}"


def _only_given(effect: Frame) -> str:
    """A missing side is left out instead of shown as -."""
    return _effect_line(effect).replace(": - → ", ": → ").removesuffix(" → -")


def _spaced_symbol(effect: Frame) -> str:
    """Without the op, which the symbol stands for."""
    return _effect_line(effect).replace(f" {effect['op']} ", " ", 1)


def _with(kind: str, template: Template) -> dict[str, Any]:
    return {"TEMPLATES": {**replies.TEMPLATES, kind: template}}


def _inside(**members: Any) -> Template:
    """A receipt with some members of its own changed; a callable makes the member from the frame."""
    return lambda frame: _receipt({**frame, **members})


def _hidden_if(hides: Callable[[Any], bool]) -> Template:
    """A receipt whose result is not shown when a condition holds for it."""

    def template(frame: Frame) -> Iterator[str]:
        receipt = frame["receipt"]
        if "result" in receipt and hides(receipt["result"]):
            receipt = {name: value for name, value in receipt.items() if name != "result"}
        return _receipt({**frame, "receipt": receipt})

    return template


def _undo_shown(frame: Frame) -> Iterator[str]:
    first, *rest = _receipt(frame)
    undone = frame["receipt"].get("undoes") is not None
    yield first + (f" · {replies._until(frame['receipt'].get('undo'))}" if undone else "")
    yield from rest


def _undo_effects(frame: Frame) -> Iterator[str]:
    first, *rest = _receipt(frame)
    yield first
    if frame["receipt"].get("undoes") is not None:
        yield from map(_effect_line, frame["receipt"].get("effects") or [])
    yield from rest


def _truthy_undo(undo: Any) -> str:
    """As in ECMAScript, where a member of anything that is not null can be read."""
    until = undo.get("until") if isinstance(undo, dict) else None
    return f"undo until {time_text(until)}" if undo or isinstance(undo, (dict, list)) else "irreversible"


def _replay_first(frame: Frame) -> Iterator[str]:
    """(replay) before the receipt id."""
    first, *rest = _receipt(frame)
    name = f" (receipt {frame['receipt']['id']})"
    yield first.replace(f"{name} (replay)", f" (replay){name}", 1)
    yield from rest


def _ordered_by_frame(frame: Frame) -> Iterator[str]:
    first, *_ = _error(frame)
    yield first
    head = {"code": frame["code"], "message": frame["message"]}
    for name in frame:
        if name in ("fix", "need", "consent", "retry"):
            yield from list(_error({**head, name: frame[name]}))[1:]


def _retry_always(frame: Frame) -> Iterator[str]:
    yield from _error(frame)
    if "retry" in frame and frame["retry"] is None:
        yield f"  retry in: {duration_text(None)}"


def _retry_truthy(frame: Frame) -> Iterator[str]:
    return _error({**frame, "retry": frame.get("retry") or None})


def _no_empty_params(frame: Frame) -> Iterator[str]:
    fixes = [{**fix, "params": fix.get("params") or None} for fix in frame.get("fix") or []]
    return _error({**frame, "fix": fixes})


def _spaced(value: Any) -> str:
    return json.dumps(json.loads(compact_json(value)), ensure_ascii=False)


def _sorted_json(value: Any) -> str:
    return json.dumps(json.loads(compact_json(value)), ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _written_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _ascii_json(value: Any) -> str:
    return json.dumps(json.loads(compact_json(value)), separators=(",", ":"))


def _list_sides(effect: Frame) -> str:
    return _effect(effect, side=_side)


def _brief(change: Callable[[Frame], Frame]) -> Template:
    """A brief whose capabilities are changed before they are rendered."""
    template = replies.TEMPLATES["BRIEF"]
    return lambda frame: template({**frame, "capabilities": list(map(change, frame["capabilities"]))})


def _no_parentheses(frame: Frame) -> Iterator[str]:
    """No parentheses where params are absent."""
    first, *rest = replies.TEMPLATES["BRIEF"](frame)
    return iter([first, *(line.replace("()", "") for line in rest)])


def _json_arrays(value: Any) -> str:
    """An array of a schema without its brackets, with [] after it."""
    return f"{_type(value[0])}[]" if isinstance(value, list) else _type(value)


def _zero_based(frame: Frame) -> Iterator[str]:
    yield f"? {frame['question']}"
    for number, option in enumerate(frame["options"]):
        yield f"  {number}. {option['label']}"


def _quoted_texts(frame: Frame) -> Iterator[str]:
    yield f"? {scalar_text(frame['question'])}"
    for number, option in enumerate(frame["options"], start=1):
        yield f"  {number}. {scalar_text(option['label'])}"


def _plural(frame: Frame) -> Iterator[str]:
    """Always proposals."""
    first, *rest = replies._proposals(frame)
    return iter([first.replace("1 proposal:", "1 proposals:"), *rest])


def _dash_always(frame: Frame) -> Iterator[str]:
    """The header of several proposals, or none, ends in its dash also when nothing is shared."""
    first, *rest = replies._proposals(frame)
    return iter([first if " — " in first else first.replace("proposals:", "proposals — :"), *rest])


def _data_first(frame: Frame) -> Iterator[str]:
    """The data stands before the attributes."""
    for proposal in frame["proposals"]:
        proposal["effects"] = list(proposal["effects"])
    lines = list(replies._proposals(frame))
    for at in range(len(lines) - 1):
        if " · expires: " in lines[at] and lines[at + 1].startswith("  data"):
            end = next((n for n in range(at + 2, len(lines)) if not lines[n].startswith("    ")), len(lines))
            lines[at:end] = [*lines[at + 1 : end], lines[at]]
    return iter(lines)


_type = replies._type

EFFECTS = (
    reply_row(
        "truthy-sides",
        "Takes a side that is false, 0 or empty for a missing one.",
        "effect-only-false effect-zero-to-empty",
        _effect_line=lambda effect: _effect(effect, is_there=lambda e: bool(e.get("from") or e.get("to"))),
    ),
    reply_row(
        "null-sides",
        "Shows sides that are both null.",
        "effect-both-null proposals-effects-from-null",
        _effect_line=lambda effect: _effect(effect, is_there=lambda e: "from" in e or "to" in e),
    ),
    reply_row(
        "raw-sides",
        "Prints sides as they are.",
        "effect-quoted-sides effect-sides-with-line-breaks effect-keyword-sides effect-false-to-true",
        _effect_line=_list_sides,
    ),
    reply_row(
        "missing-sides-left-out",
        "Leaves a missing side out.",
        "effect-only-to effect-only-from",
        _effect_line=_only_given,
    ),
    reply_row("ops-left-out", "Leaves the op out.", "effects-of-every-op effect-field", _effect_line=_spaced_symbol),
    reply_row(
        "other-symbols",
        "Has another sign for send.",
        "effects-of-every-op effect-detail",
        SYMBOLS={**replies.SYMBOLS, "send": "→"},
    ),
)

RECEIPTS = (
    reply_row(
        "always-effects",
        "Shows effects without auto.",
        "receipt-effects-hidden receipt-effects-hidden-auto-false",
        **_with("RECEIPT", _inside(auto=True)),
    ),
    reply_row(
        "never-effects", "Never shows effects.", "receipt-effects-of-auto", **_with("RECEIPT", _inside(auto=None))
    ),
    reply_row("no-replay", "Does not mark replays.", "receipt-replay", **_with("RECEIPT", _inside(replay=None))),
    reply_row(
        "replay-first",
        "Marks a replay before the receipt id.",
        "receipt-replay receipt-undone-replay",
        **_with("RECEIPT", _replay_first),
    ),
    reply_row(
        "truthy-result",
        "Leaves out a result that is false, 0 or empty.",
        "receipt-result-false receipt-result-zero receipt-result-empty-array",
        **_with("RECEIPT", _hidden_if(lambda result: not result)),
    ),
    reply_row(
        "undo-of-an-undo",
        "Shows how long an undo can be undone.",
        "receipt-undone receipt-undone-with-an-undo",
        **_with("RECEIPT", _undo_shown),
    ),
    reply_row(
        "effects-of-an-undo",
        "Shows the effects of an undo.",
        "receipt-undone-effects-and-result",
        **_with("RECEIPT", _undo_effects),
    ),
)

UNDOS = (
    reply_row(
        "truthy-undo-of-a-receipt",
        "Takes any undo that is there for one with a time.",
        "receipt-undo-true receipt-undo-empty receipt-undo-window receipt-undo-string receipt-undo-array",
        _until=_truthy_undo,
    ),
)

ERRORS = (
    reply_row(
        "lines-in-the-order-of-the-frame",
        "Writes the lines of an ERROR in the order of its members.",
        "error-all-lines-in-their-order error-members-first",
        **_with("ERROR", _ordered_by_frame),
    ),
    reply_row("null-retry", "Shows a retry of null.", "error-retry-null", **_with("ERROR", _retry_always)),
    reply_row(
        "truthy-retry",
        "Leaves out a retry that is false, 0 or empty.",
        "duration-false duration-empty-string duration-zero",
        **_with("ERROR", _retry_truthy),
    ),
    reply_row(
        "empty-params-left-out",
        "Leaves out empty params of a fix.",
        "error-fix-empty-params",
        **_with("ERROR", _no_empty_params),
    ),
    reply_row(
        "spaced-json", "Writes blanks into compact JSON.", "error-need error-fix-and-params", compact_json=_spaced
    ),
    reply_row(
        "sorted-json",
        "Sorts the keys of compact JSON.",
        "error-fix-params-as-json",
        compact_json=_sorted_json,
    ),
    reply_row(
        "written-json",
        "Writes compact JSON with Python's numbers and in the written order.",
        "error-fix-params-as-json error-need-of-anything",
        compact_json=_written_json,
    ),
    reply_row(
        "ascii-json",
        "Escapes what is not ASCII in compact JSON.",
        "error-fix-params-as-json error-fix-params-lone-surrogate",
        compact_json=_ascii_json,
    ),
)

OTHERS = (
    reply_row(
        "data-named",
        "Shows the data of an ANSWER as a member.",
        "answer-object answer-array answer-string",
        **_with("ANSWER", lambda frame: iter(member_lines("data", frame["data"], ""))),
    ),
    reply_row(
        "summary-always",
        "Writes the dash of a summary that is missing.",
        "brief-capability-bare brief-capability-risk-without-summary",
        **_with("BRIEF", _brief(lambda entry: {**entry, "summary": entry.get("summary") or "-"})),
    ),
    reply_row(
        "risk-left-out",
        "Shows no risk of a capability.",
        "brief-whole brief-capability-risk-without-summary",
        **_with("BRIEF", _brief(lambda entry: {**entry, "risk": None})),
    ),
    reply_row(
        "no-parentheses",
        "Leaves out the parentheses of absent params.",
        "brief-capability-bare brief-capability-empty-params",
        **_with("BRIEF", _no_parentheses),
    ),
    reply_row("arrays-behind", "Writes an array of a schema as type[].", "params-array-of-objects", _type=_json_arrays),
    reply_row("options-from-0", "Numbers options from 0.", "clarify-two-options", **_with("CLARIFY", _zero_based)),
    reply_row(
        "quoted-texts",
        "Renders the texts of a template as scalars.",
        "clarify-texts-as-they-are",
        **_with("CLARIFY", _quoted_texts),
    ),
    reply_row(
        "always-plural",
        "Writes proposals for one.",
        "proposal-whole proposal-nothing-optional",
        **_with("PROPOSALS", _plural),
    ),
    reply_row(
        "dash-always",
        "Writes the dash of the header also when nothing is shared.",
        "proposals-none shared-none",
        **_with("PROPOSALS", _dash_always),
    ),
    reply_row(
        "data-first",
        "Puts the data of a proposal before its attributes.",
        "proposal-whole proposal-data-indented",
        **_with("PROPOSALS", _data_first),
    ),
)

register("lens.reply", *EFFECTS, *RECEIPTS, *UNDOS, *ERRORS, *OTHERS)
