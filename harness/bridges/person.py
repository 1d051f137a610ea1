"""The owner, as an elicitation finds them: somebody who confirms, declines, cancels, or leaves the box unticked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mcp_types

YES = ("accept", "approve", "approved", "confirm", "confirmed", "allow", "sign", "yes", "ok", "y", "true")
NO = ("reject", "decline", "declined", "deny", "denied", "cancel", "refuse", "no", "n", "false")
ACCEPT, DECLINE, CANCEL, UNTICKED, FAILS = "accept", "decline", "cancel", "unticked", "fails"
WAYS = {
    ACCEPT: "accept, with every box ticked",
    DECLINE: "decline",
    CANCEL: "cancel",
    UNTICKED: "accept, with every box left unticked",
    FAILS: "an error, since the question could not be shown",
}
MOST_QUESTIONS = 20


@dataclass
class Person:
    """An owner who answers every question in one way, one of `WAYS`.

    Args:
        way: how they answer.
        asked: called when a question comes, before it is answered.

    `questions` are the messages they were shown, and `boxes` says whether any question had a boolean to leave unticked.
    """

    way: str = ACCEPT
    asked: Callable[[], None] = lambda: None
    questions: list[str] = field(default_factory=list)
    boxes: bool = False

    async def __call__(self, _: Any, params: Any) -> "mcp_types.ElicitResult | mcp_types.ErrorData":
        """Answer one elicitation of the SDK."""
        self.asked()
        if len(self.questions) < MOST_QUESTIONS:
            self.questions.append(str(params.message)[:2000])
        schema = getattr(params, "requested_schema", None)
        wanted = schema if isinstance(schema, dict) else {}
        self.boxes = self.boxes or bool(ticks(wanted))
        return self.answer(wanted)

    def answer(self, schema: dict[str, Any]) -> "mcp_types.ElicitResult | mcp_types.ErrorData":
        """Return the answer to a form of this schema."""
        if self.way == FAILS:
            return mcp_types.ErrorData(code=mcp_types.INTERNAL_ERROR, message="the question could not be shown")
        if self.way == DECLINE:
            return mcp_types.ElicitResult(action="decline")
        if self.way == CANCEL:
            return mcp_types.ElicitResult(action="cancel")
        return mcp_types.ElicitResult(action="accept", content=filled(schema, self.way == ACCEPT))


def _properties(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    properties = schema.get("properties")
    listed = properties.items() if isinstance(properties, dict) else ()
    return {str(name): each for name, each in listed if isinstance(each, dict)}


def ticks(schema: dict[str, Any]) -> list[str]:
    """Return the names of a form's booleans."""
    return [name for name, each in _properties(schema).items() if each.get("type") == "boolean"]


def filled(schema: dict[str, Any], yes: bool) -> dict[str, Any]:
    """Return a form filled: every boolean and enumeration says yes, or no (BYOB-Q110); other fields hold anything."""
    return {name: _value(each, yes) for name, each in _properties(schema).items()}


def _value(part: dict[str, Any], yes: bool) -> Any:
    choices = _choices(part)
    if choices:
        return _choice(choices, yes)
    kind = part.get("type")
    if kind == "boolean":
        return yes
    if kind in ("integer", "number"):
        low = part.get("minimum")
        return low if isinstance(low, int) else 1 if yes else 0
    if kind == "array":
        items = part.get("items")
        return [_choice(_choices(items), yes)] if isinstance(items, dict) and _choices(items) else []
    return "yes" if yes else "no"


def _choices(part: dict[str, Any]) -> list[Any]:
    listed = part.get("enum")
    if isinstance(listed, list):
        return listed
    titled = part.get("oneOf", part.get("anyOf"))
    return [each["const"] for each in titled if isinstance(each, dict) and "const" in each] if titled else []


def _choice(choices: list[Any], yes: bool) -> Any:
    """The first choice that says so; without one, the first for yes and the last for no."""
    words = YES if yes else NO
    found = [each for each in choices if str(each).lower() in words]
    return found[0] if found else choices[0 if yes else -1]
