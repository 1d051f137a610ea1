"""delegation: hub_spoke over a tree; the floor goes down to direct reports and walks back up (BYOB 7)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.addressing import addresses
from reference.byob.errors import ByobError
from reference.byob.topologies.handing import Handing
from reference.byob.types import Config, Entry, Seat

MAX_SEATS = 1000
"""Seats of one tree. Whoever reads may make it be walked once per entry, so it stays small."""


class Delegation(Handing):
    """`hub` is the root; `reports` maps a manager's seat to the list of its direct reports."""

    kind = "delegation"

    def check(self, config: Config) -> None:
        """Raises E_CONFIG unless the reports form one tree below the hub, of at most MAX_SEATS seats."""
        topology = config["topology"]
        managers: dict[str, str] = {topology["hub"]: ""}
        waiting = [topology["hub"]]
        while waiting:
            manager = waiting.pop()
            for seat in topology["reports"].get(manager, ()):
                if seat in managers:
                    raise ByobError(
                        "E_CONFIG", f"topology.reports.{manager} names {seat}, which {_place(managers, seat)}"
                    )
                managers[seat] = manager
                waiting.append(seat)
        if len(managers) > MAX_SEATS:
            raise ByobError("E_CONFIG", f"topology.reports must place at most {MAX_SEATS} seats, the hub among them")
        for manager in topology["reports"]:
            if manager not in managers:
                raise ByobError(
                    "E_CONFIG", f"topology.reports.{manager} is out of reach: no line of reports leads to it"
                )

    def seats(self, config: Config) -> tuple[str, ...]:
        """The hub, then every manager and report as listed."""
        topology = config["topology"]
        reports = topology["reports"]
        return tuple(dict.fromkeys((topology["hub"], *(s for m, below in reports.items() for s in (m, *below)))))

    def may_hand(self, topology: Mapping[str, Any], holder: str, seat: str) -> bool:
        """Only to a direct report."""
        return _reports_to(topology, seat, holder)

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """A seat sees its manager, its direct reports and what is addressed to it; one outside the tree everything."""
        topology, author = config["topology"], entry["seat"]
        if seat not in self.seats(config):
            return True
        return (
            _reports_to(topology, seat, author)
            or _reports_to(topology, author, seat)
            or addresses(entry.get("to", ()), seat, seats)
        )


def _reports_to(topology: Mapping[str, Any], seat: str, manager: str) -> bool:
    return seat in topology["reports"].get(manager, ())


def _place(managers: Mapping[str, str], seat: str) -> str:
    return f"reports to {managers[seat]} already" if managers[seat] else "is the hub"
