"""Who sees which entry (BYOB 7), as True, False, or None where the text leaves it open."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Config = Mapping[str, Any]
Entry = Mapping[str, Any]
GOVERNANCE = ("system", "proposal", "decision", "approval", "rejection", "status", "receipt", "verify")
ANY = "*"


def sees(config: Config, viewer: str, entry: Entry, roles: Mapping[str, str | None] | None = None) -> bool | None:
    """Return whether a seat sees an entry.

    Args:
        config: the table's, with `spokes` and the map form of `reports`.
        viewer: a joined seat.
        entry: with `seat` and `kind`, and `to` if it has one.
        roles: the roles of the seats that have one.
    """
    if entry["kind"] in GOVERNANCE or entry["seat"] == viewer:
        return True
    override = config.get("visibility", {}).get(viewer)
    if override is not None:
        return any(_matches(pattern, entry) for pattern in override)
    topology = config["topology"]
    default = VIEWS[topology["kind"]](topology, viewer, entry)
    if default is False and topology["kind"] in ADDRESSED:
        return _addressed(viewer, entry, (roles or {}).get(viewer))
    return default


def _matches(pattern: str, entry: Entry) -> bool:
    seat, _, kind = pattern.rpartition(".")
    return seat in (ANY, entry["seat"]) and kind in (ANY, entry["kind"])


def _broadcast(topology: Config, viewer: str, entry: Entry) -> bool | None:
    return True


def _debate(topology: Config, viewer: str, entry: Entry) -> bool | None:
    sides = (topology["pro"], topology["con"])
    if viewer == topology["judge"]:
        return entry["kind"] == "say" and entry["seat"] in sides
    return True if viewer in sides else None  # BYOB-Q074: further seats


def _pipeline(topology: Config, viewer: str, entry: Entry) -> bool | None:
    stages: Sequence[str] = topology["stages"]
    if viewer not in stages:
        return True
    before = {stages[at - 1] for at, stage in enumerate(stages) if stage == viewer and at > 0}
    if entry["seat"] in before:
        return True
    wraps = int(topology.get("rounds", 1)) > 1 and viewer == stages[0] and entry["seat"] == stages[-1]
    return None if wraps else False  # BYOB-Q070


def _hub(topology: Config, viewer: str, entry: Entry) -> bool | None:
    spokes = topology.get("spokes")
    if viewer == topology["hub"]:
        return True
    if spokes is not None and viewer not in spokes:
        return None  # BYOB-Q074: further seats
    return bool(entry["seat"] == topology["hub"])


def _delegation(topology: Config, viewer: str, entry: Entry) -> bool | None:
    reports: Mapping[str, Sequence[str]] = topology["reports"]
    members = {topology["hub"], *(report for under in reports.values() for report in under)}
    if viewer not in members:
        return None
    author = entry["seat"]
    return author in reports.get(viewer, ()) or viewer in reports.get(author, ())


def _addressed(viewer: str, entry: Entry, role: str | None) -> bool | None:
    """Whether an entry is addressed to a seat: by `@seat`; by its role or by `*` is open (BYOB-Q073)."""
    to = entry.get("to")
    if not isinstance(to, list):
        return None if entry["kind"] == "say" else False
    if f"@{viewer}" in to:
        return True
    return None if ANY in to or (role is not None and f"role:{role}" in to) else False


VIEWS: dict[str, Callable[[Config, str, Entry], bool | None]] = {
    "broadcast": _broadcast,
    "debate": _debate,
    "pipeline": _pipeline,
    "hub_spoke": _hub,
    "delegation": _delegation,
}
ADDRESSED = ("hub_spoke", "delegation")
