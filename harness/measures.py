"""Quantities that a proposal uses, and limits around them, so that a check can be one step off (YEA 5.1, 6.3)."""

from typing import Any

from harness.errors import Untested
from harness.offers import Offer
from reference.yea.quantities import is_measure_name, is_quantity

MOST = 2**53 - 1


def measure_of(offer: Offer) -> tuple[str, dict[str, Any]]:
    """Return a measure that the first proposal uses, with its quantity, which is above zero.

    Raises Untested when the proposal reports no such thing.
    """
    uses = offer.proposal.get("uses")
    for name, quantity in uses.items() if isinstance(uses, dict) else ():
        if is_measure_name(name) and is_quantity(quantity) and 0 < quantity["amount"] < MOST // 8:
            return name, quantity
    raise Untested(f"the role {offer.instance.role.name} offers a proposal that reports no amount above 0 in uses")


def limit(of: str, quantity: dict[str, Any], change: int = 0, *, times: int = 1, **other: Any) -> dict[str, Any]:
    """Return a limit on a measure: `times` the quantity and `change` smallest steps more; `other` replaces members."""
    members = {name: value for name, value in quantity.items() if name != "amount"}
    return {"of": of, "max": int(quantity["amount"]) * times + change, **members, **other}
