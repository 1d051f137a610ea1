"""Limits (YEA 6.3) on a proposal that reports a measure: at it, past it, in other units and scales."""

from collections.abc import Mapping
from typing import Any

from harness.recipes.caveats import OTHER, UNREPORTED
from harness.recipes.recipe import Recipe
from harness.recipes.scene import Scene
from reference.yea.quantities import is_quantity

MAX_AMOUNT = 2**53 - 1
MAX_SCALE = 18


def measures(proposal: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the measures in a proposal's uses with a well-formed amount above 0, each with its quantity."""
    uses = proposal.get("uses")
    listed = uses.items() if isinstance(uses, dict) else ()
    return {name: quantity for name, quantity in listed if is_quantity(quantity) and quantity["amount"] > 0}


def measured(proposal: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return the first measure in a proposal's uses with a well-formed amount above 0; None if it has none."""
    return next(iter(measures(proposal).items()), None)


def limit(
    proposal: Mapping[str, Any], *, on: str | None = None, times: int = 1, more: int = 0, **members: Any
) -> dict[str, Any]:
    """Return a limit on a measure of the proposal: so many times its quantity, and `more` of its smallest steps.

    `on` is the measure, the first by default. `members` replace the limit's own; a unit of None leaves the unit out.
    Raises LookupError when the proposal reports nothing above 0.
    """
    found = measured(proposal) if on is None else (on, measures(proposal)[on])
    if found is None:
        raise LookupError("the proposal reports no measure")
    name, quantity = found
    kept: dict[str, Any] = {key: quantity[key] for key in ("scale", "unit") if key in quantity}
    made: dict[str, Any] = {"of": name, "max": quantity["amount"] * times + more, **kept, **members}
    return {key: value for key, value in made.items() if value is not None}


def _finer(proposal: Mapping[str, Any], more: int = 0) -> dict[str, Any]:
    """Return the limit at the proposal's quantity, spelt at the next finer scale."""
    plain = limit(proposal)
    scale = plain.get("scale", 0)
    if scale >= MAX_SCALE or plain["max"] * 10 + more > MAX_AMOUNT:
        return {**plain, "max": plain["max"] + min(more, 0)}
    return {**plain, "max": plain["max"] * 10 + more, "scale": scale + 1}


def hair_below(proposal: Mapping[str, Any], times: int = 1) -> dict[str, Any]:
    """Return the largest limit below so many times the quantity that any limit can say, or the next one below it."""
    made = limit(proposal, times=times)
    scale = made.get("scale", 0)
    while scale < MAX_SCALE and made["max"] * 10 - 1 <= MAX_AMOUNT:
        made["max"], scale = made["max"] * 10, scale + 1
    return {**made, "max": made["max"] - 1, "scale": scale}


def _unit_of(proposal: Mapping[str, Any]) -> Any:
    found = measured(proposal)
    return None if found is None else found[1].get("unit")


def _other_unit(scene: Scene) -> str:
    return "zz" if _unit_of(scene.proposal) != "zz" else "yy"


def _one_sided_unit(scene: Scene) -> str | None:
    """Return no unit where the proposal has one, else one."""
    return None if _unit_of(scene.proposal) is not None else "zz"


def _respelt_unit(scene: Scene) -> str:
    """Return the proposal's unit in other letters, or another unit when that is the same."""
    unit = _unit_of(scene.proposal)
    return str(unit).swapcase() if unit is not None and str(unit).swapcase() != unit else _other_unit(scene)


def _limits(name: str) -> tuple[Recipe, ...]:
    """Return the recipes that are the same for `each` and `total`."""
    over = "YEA-6.3-18" if name == "each" else "YEA-6.3-19"

    def soft(words: str, clause: str, make: Any) -> Recipe:
        return Recipe(f"{name} {words}", clause, lambda s: s.grant({name: make(s)}), "consent_required")

    return (
        soft("one step below the quantity", over, lambda s: limit(s.proposal, more=-1)),
        soft("of 0", over, lambda s: limit(s.proposal, max=0)),
        Recipe(
            f"{name} of 0 beside an only of this proposal",
            over,
            lambda s: s.grant({name: limit(s.proposal, max=0)}, {"only": s.proposal["hash"]}),
            "consent_required",
        ),
        soft("a tenth of a step below the quantity", over, lambda s: _finer(s.proposal, -1)),
        soft("a hair below the quantity", over, lambda s: hair_below(s.proposal)),
        soft("in another unit", "YEA-6.3-26", lambda s: limit(s.proposal, unit=_other_unit(s))),
        soft("in the unit spelt otherwise", "YEA-6.3-26", lambda s: limit(s.proposal, unit=_respelt_unit(s))),
        soft("with a unit on one side only", "YEA-6.3-26", lambda s: limit(s.proposal, unit=_one_sided_unit(s))),
        soft(
            "far above the quantity, in another unit",
            "YEA-6.3-27",
            lambda s: limit(s.proposal, max=MAX_AMOUNT, scale=0, unit=_other_unit(s)),
        ),
    )


EACH, TOTAL = _limits("each"), _limits("total")

WITHIN = (
    Recipe("each at the quantity", "YEA-6.3-18", lambda s: s.grant({"each": limit(s.proposal)}), "ok"),
    Recipe(
        "each at the quantity in a finer scale", "YEA-6.3-18", lambda s: s.grant({"each": _finer(s.proposal)}), "ok"
    ),
    Recipe(
        "each far above", "YEA-6.3-18", lambda s: s.grant({"each": limit(s.proposal, max=MAX_AMOUNT, scale=0)}), "ok"
    ),
    Recipe("total at the quantity", "YEA-6.3-19", lambda s: s.grant({"total": limit(s.proposal)}), "ok"),
    Recipe("total in a finer scale", "YEA-6.3-19", lambda s: s.grant({"total": _finer(s.proposal)}), "ok"),
    Recipe(
        "each of 0 on another measure", "YEA-6.3-31", lambda s: s.grant({"each": {"of": UNREPORTED, "max": 0}}), "ok"
    ),
    Recipe("total of 0 on another", "YEA-6.3-31", lambda s: s.grant({"total": {"of": UNREPORTED, "max": 0}}), "ok"),
)


def _mixed(words: str, hard: Any) -> Recipe:
    return Recipe(
        f"an each too low and {words}",
        "YEA-6.6-07",
        lambda s: s.grant({"each": limit(s.proposal, max=0)}, hard(s)),
        "forbidden",
    )


SOFT_AND_HARD = (
    _mixed("another capability", lambda s: {"can": [OTHER]}),
    _mixed("an unknown caveat", lambda s: {"naysayer": 1}),
    _mixed("an exp in the past", lambda s: {"exp": s.now - 3600}),
    _mixed("a malformed total", lambda s: {"total": {"of": UNREPORTED, "max": -1}}),
    Recipe(
        "another capability and then an each too low",
        "YEA-6.6-07",
        lambda s: s.grant({"can": [OTHER]}, {"each": limit(s.proposal, max=0)}),
        "forbidden",
    ),
)
