"""Faults of `lens.reply` that print a member of any type where a string is due (YEA 9.2, well-formed frames)."""

from collections.abc import Callable
from typing import Any

from harness.faults.adapter.overriding import frame_row
from harness.faults.adapter.tools import register
from reference.yea.lens import lens_reply
from reference.yea.lens.compact import compact_json

Frame = dict[str, Any]
Parts = Callable[[Frame], list[Any]]
"""Finds the parts of a frame, well-formed or not."""


def _printing(parts: Parts, *names: str) -> Callable[[Frame], str]:
    """The Lens of a frame after the members of these names, in these parts, were made strings."""

    def render(frame: Frame) -> str:
        for part in parts(frame):
            if isinstance(part, dict):
                part.update({name: _text(part[name]) for name in names if name in part})
        return lens_reply(frame)

    return render


def _text(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else compact_json(value)


def _of(kind: str, *path: str) -> Parts:
    """The frame itself, or one member of it, in replies of one kind."""

    def parts(frame: Frame) -> list[Any]:
        whole = [frame] if frame.get("kind") == kind else []
        return [part.get(path[0]) for part in whole] if path else list(whole)

    return parts


def _effects(frame: Frame) -> list[Any]:
    holders = [*_items(frame.get("proposals")), frame.get("receipt")]
    return [effect for holder in holders if isinstance(holder, dict) for effect in _items(holder.get("effects"))]


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


PRINTING = (
    frame_row(
        "services-of-any-type",
        "Prints the id, name and summary of a service whatever their types are.",
        "brief-service-id-number brief-service-name-filled-list brief-service-summary-number",
        _printing(_of("BRIEF", "service"), "id", "name", "summary"),
    ),
    frame_row(
        "receipts-of-any-type",
        "Prints the id, summary and undoes of a receipt whatever their types are.",
        "receipt-id-number receipt-summary-object receipt-undoes-number",
        _printing(_of("RECEIPT", "receipt"), "id", "summary", "undoes"),
    ),
    frame_row(
        "errors-of-any-type",
        "Prints the code and message of an error whatever their types are.",
        "error-code-number error-message-object",
        _printing(_of("ERROR"), "code", "message"),
    ),
    frame_row(
        "effects-of-any-type",
        "Prints the op, target, field and detail of an effect whatever their types are.",
        "proposals-effects-op-number proposals-effects-target-list proposals-effects-field-number "
        "proposals-effects-detail-object receipt-effects-op-number",
        _printing(_effects, "op", "target", "field", "detail"),
    ),
)

register("lens.reply", *PRINTING)
