"""Who sees which say, pass and raised hand."""

from typing import Any

from tests.odd_table.floors import addressed, teams_of

Post = dict[str, Any]
SHADED = {"say", "pass", "raise_hand"}


def sees(config: Post, seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    """Return whether a seat sees an entry."""
    if entry["kind"] not in SHADED or entry["seat"] == seat:
        return True
    override = (config.get("visibility") or {}).get(seat)
    if override is not None:
        return any(_fits(pattern, entry) for pattern in override)
    return bool(DEFAULTS[config["topology"]["kind"]](config["topology"], seat, role, entry, odd))


def _fits(pattern: str, entry: Post) -> bool:
    author, _, kind = pattern.rpartition(".")
    return author in ("*", entry["seat"]) and kind in ("*", entry["kind"])


def _everything(*_: Any) -> bool:
    return True


def _debate(topology: Post, seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    if seat == topology["judge"]:
        return entry["kind"] == "say" and entry["seat"] in (topology["pro"], topology["con"])
    return seat in (topology["pro"], topology["con"]) or "governance-only" not in odd


def _pipeline(topology: Post, seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    stages = topology["stages"]
    if seat not in stages:
        return True
    place = stages.index(seat)
    return place > 0 and stages[place - 1] == entry["seat"]


def _named(seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    words = entry.get("to") or []
    return seat in addressed(entry) or f"role:{role}" in words or ("stars" in odd and "*" in words)


def _hub_spoke(topology: Post, seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    if seat == topology["hub"]:
        return True
    listed = topology.get("spokes")
    if listed is not None and seat not in listed:
        return "governance-only" not in odd
    return entry["seat"] == topology["hub"] or _named(seat, role, entry, odd)


def _delegation(topology: Post, seat: str, role: str | None, entry: Post, odd: frozenset[str]) -> bool:
    reports = teams_of(topology)
    inside = {topology["hub"], *reports, *(each for team in reports.values() for each in team)}
    if seat not in inside:
        return "governance-only" not in odd
    near = entry["seat"] in reports.get(seat, []) or seat in reports.get(entry["seat"], [])
    return near or _named(seat, role, entry, odd)


DEFAULTS = {
    "broadcast": _everything,
    "debate": _debate,
    "pipeline": _pipeline,
    "hub_spoke": _hub_spoke,
    "delegation": _delegation,
}
