"""What an owner is asked before a decision on a task is signed (BYOB 10). Pure.

The agent may have written the reason, and other seats have written the effects. So every text of theirs is JSON in
ASCII, on a line of its own: none can begin a line, hide, or look like the bridge.
"""

import json
from typing import Any, Final

from reference.byob.seat.errors import Misuse
from reference.byob.seat.reading import Task

LONGEST: Final = 20_000
"""Characters of a question. What nobody can read in whole, nobody can approve."""

RUN_BY_HAND: Final = "the owner can decide with `naysayer byob approve`"


class NotApproved(Misuse):
    """Nothing was signed."""


def question(table: str, owner: str, task_id: str, task: Task | None, decision: str, reason: str | None) -> str:
    """The text that the owner sees. task: None when the bridge has no seat to read it from. Raises NotApproved."""
    lines = [
        f"Sign as the owner {ascii_json(owner)}: {decision} the task {ascii_json(task_id)} of the table "
        f"{ascii_json(table)}?",
        *_effects(task),
    ]
    if reason is not None:
        lines.append(f"The reason that is signed with it: {ascii_json(reason)}")
    text = "\n".join(lines)
    if len(text) > LONGEST:
        raise NotApproved(f"the task is too long to be shown here, so nothing was signed; {RUN_BY_HAND}")
    return text


def _effects(task: Task | None) -> list[str]:
    if task is None:
        return ["What it would change cannot be shown: this bridge has taken no seat. Decline, unless you know."]
    if not task.effects:
        return [f"It is {task.state}. The host does not say what it would change. Decline, unless you know."]
    return [f"It is {task.state}, and would change:", *(f"  {ascii_json(effect)}" for effect in task.effects)]


def ascii_json(value: Any) -> str:
    """A value as one line of JSON in printable ASCII."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("\x7f", "\\u007f")
