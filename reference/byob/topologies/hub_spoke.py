"""hub_spoke: the hub hands the floor to a spoke, whose turn returns it (BYOB 7)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.addressing import addresses
from reference.byob.errors import ByobError
from reference.byob.topologies.handing import Handing
from reference.byob.types import Config, Entry, Seat


class HubSpoke(Handing):
    """`hub` and its `spokes`. Without a list of spokes every other seat is one."""

    kind = "hub_spoke"

    def check(self, config: Config) -> None:
        """Raises E_CONFIG when the hub is one of its spokes."""
        topology = config["topology"]
        if topology["hub"] in topology.get("spokes", ()):
            raise ByobError("E_CONFIG", "topology.spokes must not name the hub itself")

    def seats(self, config: Config) -> tuple[str, ...]:
        """The hub, then the spokes as far as they are listed."""
        topology = config["topology"]
        return tuple(dict.fromkeys((topology["hub"], *topology.get("spokes", ()))))

    def may_hand(self, topology: Mapping[str, Any], holder: str, seat: str) -> bool:
        """Only the hub hands the floor on, and only to a spoke."""
        return holder == topology["hub"] and _is_spoke(topology, seat)

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """A spoke sees the hub and what is addressed to it; the hub and seats outside the topology see everything."""
        topology = config["topology"]
        if not _is_spoke(topology, seat):
            return True
        return entry["seat"] == topology["hub"] or addresses(entry.get("to", ()), seat, seats)


def _is_spoke(topology: Mapping[str, Any], seat: str) -> bool:
    return seat != topology["hub"] and ("spokes" not in topology or seat in topology["spokes"])
