"""Fitting a reply into its budget, and the slices that EXPAND gives back (YEA 8).

The informative algorithm of the section: cut by halves until the estimate of the Lens is within the budget or nothing
is left to cut. `elision` says what may be cut and in which order; here the steps are tried out and the More entries
made. The number of steps is found by galloping and bisection, each try rendered in full, so a reply of 10,000 rows
takes one walk over the rows and a few renderings of about the size of the budget.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from reference.yea.elision import CutKind, Frame, Part, Path, Plan, find_parts
from reference.yea.estimate import est
from reference.yea.lens import lens_reply
from reference.yea.lens.depth import ELLIPSIS
from reference.yea.lens.wellformed import known_kind
from reference.yea.types import Json

HANDLE_TOKENS = 16
"""Estimated tokens that a handle may cost; a longer one makes `fit` start over with what it does cost."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One part that a reply lost.

    path: where it was, dotted, array positions as numbers: data.events, proposals.0.data.rows.
    kind: items or text of a deep root, or the list root itself: proposals, capabilities.
    remainder: the items, or the characters, that are left out; as they were before any cut.
    """

    path: str
    kind: CutKind
    remainder: list[Json] | str


def fit(frame: Frame, budget: int, new_handle: Callable[[Cut], str], *, expanding: CutKind | None = None) -> Frame:
    """A reply frame cut until the estimate of its Lens is at most the budget, or nothing is left to cut (YEA 8).

    frame: any reply; never changed, and what is not cut is shared with the result. One that is not well-formed, or of
    a kind that may not be cut, comes back as it is.
    budget: estimated tokens. new_handle: gives the handle for a cut; called once for each, in the frame's order, and
    again for all of them in the rare case that a handle costs more than HANDLE_TOKENS.
    expanding: for the answer to an EXPAND, the kind of the cut that it continues (see `expand`). `data.items` then
    keeps at least one item, and those of a list root stay whole.
    The new More entries follow those that the frame already has. Raises only what new_handle raises.
    """
    plan = Plan(find_parts(frame, known_kind(frame), expanding))
    while plan.least > budget and plan.advance(len(plan.steps) + 1):
        pass
    start, handle_tokens = len(plan.steps), HANDLE_TOKENS
    while True:
        steps = _fewest_steps(frame, plan, budget, start, handle_tokens)
        cuts = plan.kept(steps)
        handles = [new_handle(_cut(part, kept)) for part, kept in cuts.items()]
        entries = [
            _entry(part, kept, handle, _cost(part.value[kept:]))
            for (part, kept), handle in zip(cuts.items(), handles, strict=True)
        ]
        fitted = _shortened(frame, cuts, entries)
        if not cuts or not plan.advance(steps + 1) or _is_within(fitted, budget):
            return fitted
        start, handle_tokens = steps + 1, max([handle_tokens, *map(est, handles)])


def expand(remainder: list[Json] | str) -> dict[str, Json]:
    """The data of the ANSWER that continues a cut: {"items": […]} or {"text": "…"} (YEA 4.6, 8)."""
    return {"text": remainder} if isinstance(remainder, str) else {"items": remainder}


def _is_within(frame: Frame, budget: int) -> bool:
    return est(lens_reply(frame)) <= budget


def _fewest_steps(frame: Frame, plan: Plan, budget: int, start: int, handle_tokens: int) -> int:
    """How many steps, from start on, make the frame fit; all that there are when none does."""

    def fits(steps: int) -> bool:
        # These entries cost no less than the real ones will; no handle is made, no remainder rendered for them.
        cuts = plan.kept(steps)
        handle = "_" * handle_tokens
        entries = [_entry(part, kept, handle, part.whole) for part, kept in cuts.items()]
        return _is_within(_shortened(frame, cuts, entries), budget)

    low, high, stride = start - 1, start, 1
    while plan.parts and not fits(high):
        if not plan.advance(high + 1):
            return high
        low, high, stride = high, high + stride, stride * 2
        plan.advance(high)
        high = min(high, len(plan.steps))
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def _cut(part: Part, kept: int) -> Cut:
    return Cut(_dotted(part), part.kind, part.value[kept:])


def _dotted(part: Part) -> str:
    return ".".join(map(str, part.path))


def _entry(part: Part, kept: int, handle: str, tokens: int) -> dict[str, Json]:
    """A More entry (YEA 8)."""
    return {"handle": handle, "path": _dotted(part), "remaining": len(part.value) - kept, "est": tokens}


def _cost(remainder: list[Json] | str) -> int:
    """Estimated tokens of the whole answer that fetching a remainder would give."""
    return est(lens_reply({"kind": "ANSWER", "data": expand(remainder)}))


def _shortened(frame: Frame, kept: dict[Part, int], entries: list[dict[str, Json]]) -> Frame:
    """A copy of the frame in which parts keep only so much, with More entries for them.

    Only what holds a cut part is copied. The parts come in the frame's order, so an array is short before what is
    inside it is looked for.
    """
    fitted = dict(frame)
    copies: dict[Path, Any] = {(): fitted}
    for part, keeps in kept.items():
        short = part.value[:keeps]
        _copy_at(copies, part.path[:-1])[part.path[-1]] = short + ELLIPSIS if isinstance(short, str) else short
        copies[part.path] = short
    if entries:
        fitted["more"] = [*(frame.get("more") or []), *entries]
    return fitted


def _copy_at(copies: dict[Path, Any], path: Path) -> Any:
    """The copy of the object or array at a path of the frame, made when it is first asked for."""
    if path not in copies:
        holder = _copy_at(copies, path[:-1])
        holder[path[-1]] = holder[path[-1]].copy()
        copies[path] = holder[path[-1]]
    return copies[path]
