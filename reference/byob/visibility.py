"""Who sees which entry (BYOB 7)."""

from collections.abc import Mapping

from reference.byob.topologies import Policy
from reference.byob.types import GOVERNANCE, Config, Entry, Seat

ANY = "*"


def visible(config: Config, policy: Policy, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
    """Whether a seat may see an entry (BYOB 7).

    Governance entries and own entries always; beyond them what the config's override for this seat names, and where
    there is none what the policy shows by default.
    config: the table's. policy: its topology's. seats: the seats that have joined, by id.
    """
    if entry["kind"] in GOVERNANCE or entry["seat"] == seat:
        return True
    override = config.get("visibility", {}).get(seat)
    if override is None:
        return policy.sees(config, seat, entry, seats)
    return any(matches(pattern, entry) for pattern in override)


def matches(pattern: str, entry: Entry) -> bool:
    """Whether an override's pattern, `<seat>.<kind>`, names an entry. `*` is any seat or any kind, as a whole."""
    seat, _, kind = pattern.rpartition(".")  # a seat's id may hold dots, a kind does not
    return seat in (ANY, entry["seat"]) and kind in (ANY, entry["kind"])
