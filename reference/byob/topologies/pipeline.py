"""pipeline: one stage after the other, each seeing the one before it (BYOB 7)."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from reference.byob.topologies.inturn import InTurn, in_rounds
from reference.byob.types import Config, Entry, Seat


class Pipeline(InTurn):
    """`stages` in order, × `rounds`; the last stage decides."""

    kind = "pipeline"

    def check(self, config: Config) -> None:
        """Any stages make sense; a seat may be more than one of them."""

    def seats(self, config: Config) -> tuple[str, ...]:
        """The seats of the stages."""
        return tuple(dict.fromkeys(config["topology"]["stages"]))

    def deciders(self, config: Config) -> tuple[str, ...]:
        """The last stage."""
        return (config["topology"]["stages"][-1],)

    def speaker(self, topology: Mapping[str, Any], turn: int) -> str | None:
        """The stages, one after the other."""
        return in_rounds(topology["stages"], topology, turn)

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """A stage sees the stage before it, the first one none in any round; who is no stage sees everything."""
        stages = config["topology"]["stages"]
        return seat not in stages or (entry["seat"], seat) in pairwise(stages)
