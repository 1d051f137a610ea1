"""broadcast: round-robin, a raised hand is served right after the current turn (BYOB 7)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.topologies.inturn import InTurn, in_rounds
from reference.byob.topologies.policy import Grant, Turn
from reference.byob.types import Config, Entry, Seat


class Broadcast(InTurn):
    """`order` × `rounds`; everyone sees everything; nobody decides unless that is configured."""

    kind = "broadcast"

    def check(self, config: Config) -> None:
        """Any order makes sense; a seat may stand in it more than once."""

    def seats(self, config: Config) -> tuple[str, ...]:
        """The seats of the order."""
        return tuple(dict.fromkeys(config["topology"]["order"]))

    def deciders(self, config: Config) -> tuple[str, ...]:
        """Nobody."""
        return ()

    def speaker(self, topology: Mapping[str, Any], turn: int) -> str | None:
        """The seats of the order, one after the other."""
        return in_rounds(topology["order"], topology, turn)

    def after(self, config: Config, state: Mapping[str, Any], turn: Turn) -> Grant | None:
        """The first raised hand, then the round-robin where it stood.

        A hand gets an extra turn, also after the last round and for a seat outside the order. It gets none when its
        seat is the next one anyway.
        """
        regular = super().after(config, state, turn)
        if not turn.hands or (regular is not None and regular.holder == turn.hands[0]):
            return regular
        return Grant(turn.hands[0], {"turn": state["turn"]})

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """Everything."""
        return True
