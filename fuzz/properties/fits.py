"""YEA 8, fitting a reply into its budget: nothing is lost without a word, and the budget is kept."""

import json
from typing import Any

from fuzz.pieces import Apart, can_be_cut, put_together, same
from fuzz.properties import answer, event, prop, result
from fuzz.properties.estimate import count
from fuzz.strategies.replies import Reply, replies
from fuzz.targets import Operations
from reference.yea import jsontext
from reference.yea.jsontext import JsonError


def show(reply: Reply) -> str:
    """The reply and its budget."""
    return f"{reply[0]!r} in a budget of {reply[1]}"


@prop(
    "fit/whole",
    *("YEA-8-10", "YEA-8-12", "YEA-8-13", "YEA-8-14", "YEA-8-16", "YEA-8-18", "YEA-8-19", "YEA-8-20"),
    examples=replies(),
    show=show,
)
def whole(target: Operations, reply: Reply) -> str | None:
    """What was kept and what EXPAND gives back make the whole reply again."""
    fitted = _fitted(target, reply)
    if isinstance(fitted, str):
        return fitted
    before: Any = jsontext.loads(reply[0])
    event("cut" if fitted.get("more") else "whole")
    for frame in (before, fitted):
        frame.pop("lens", None)
    try:
        made = put_together(before, fitted)
    except Apart as problem:
        return str(problem)
    return None if same(made, before) else f"put together it is {json.dumps(made)[:500]}"


@prop("fit/budget", "YEA-8-09", examples=replies(), show=show, binding=False)
def budget(target: Operations, reply: Reply) -> str | None:
    """The Lens of a fitted reply is estimated to be within the budget, as far as there was something to cut."""
    fitted = _fitted(target, reply)
    if isinstance(fitted, str):
        return fitted
    text = result(answer(target, "lens.reply", {"json": jsontext.dumps(fitted)}), "text")
    tokens = None if text is None else count(target, text)
    if tokens is None:
        return "the fitted reply has no Lens, or that has no estimate"
    within = tokens <= reply[1]
    event("within" if within else "above")
    return None if within or not can_be_cut(fitted) else f"{tokens} estimated tokens, and more could be cut"


def _fitted(target: Operations, reply: Reply) -> dict[str, Any] | str:
    """Return the fitted frame, or what is wrong with it."""
    made = answer(target, "fit", {"json": reply[0], "budget": reply[1]})
    text = result(made, "json")
    try:
        frame = jsontext.loads(text or "")
    except JsonError:
        return f"wanted a frame, got {json.dumps(made)[:500]}"
    return dict(frame) if isinstance(frame, dict) else f"wanted a frame, got {json.dumps(made)[:500]}"
