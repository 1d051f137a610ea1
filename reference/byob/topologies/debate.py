"""debate: two sides in turn, then the judge (BYOB 7)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.topologies.inturn import InTurn, in_rounds
from reference.byob.types import Config, Entry, Seat


class Debate(InTurn):
    """(`pro`, `con`) × `rounds`, then `judge`, who decides."""

    kind = "debate"

    def check(self, config: Config) -> None:
        """Raises E_CONFIG when one seat is to play two parts."""
        if len(self.seats(config)) < 3:
            raise ByobError("E_CONFIG", "topology.pro, topology.con and topology.judge must be three different seats")

    def seats(self, config: Config) -> tuple[str, ...]:
        """The two sides and the judge."""
        topology = config["topology"]
        return tuple(dict.fromkeys((topology["pro"], topology["con"], topology["judge"])))

    def deciders(self, config: Config) -> tuple[str, ...]:
        """The judge."""
        return (config["topology"]["judge"],)

    def speaker(self, topology: Mapping[str, Any], turn: int) -> str | None:
        """Pro, con and so on; the judge has the turn after their last, and it is the last of all."""
        side = in_rounds([topology["pro"], topology["con"]], topology, turn)
        if side is None and in_rounds([topology["pro"], topology["con"]], topology, turn - 1) is not None:
            return str(topology["judge"])
        return side

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """The judge sees what the two sides say; everybody else sees everything."""
        topology = config["topology"]
        if seat != topology["judge"]:
            return True
        return entry["kind"] == "say" and entry["seat"] in (topology["pro"], topology["con"])
