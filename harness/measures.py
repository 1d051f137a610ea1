"""Quantities that a proposal uses, and limits around them, so that a check can be one step off (YEA 5.1, 6.3)."""

from typing import Any

from harness.context import Context
from harness.errors import NotApplicable, Untested
from harness.offers import Offer
from reference.yea.quantities import is_measure_name, is_quantity, value

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


async def steady_measure(t: Context, role: str = "uses") -> tuple[str, dict[str, Any]]:
    """Return what `measure_of` does, for a role whose proposals all use the same.

    Raises Untested when a proposal reports no such thing, NotApplicable when three of them differ.
    """
    found = [measure_of(await t.offer(role)) for _ in range(3)]
    if len({(of, value(quantity), quantity.get("unit")) for of, quantity in found}) > 1:
        raise NotApplicable(f"the proposals for the role {role} do not all use the same quantity")
    return found[0]


def limit(of: str, quantity: dict[str, Any], change: int = 0, *, times: int = 1, **other: Any) -> dict[str, Any]:
    """Return a limit on a measure: `times` the quantity and `change` smallest steps more; `other` replaces members."""
    members = {name: value for name, value in quantity.items() if name != "amount"}
    return {"of": of, "max": int(quantity["amount"]) * times + change, **members, **other}
