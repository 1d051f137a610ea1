"""Topologies in which the floor is handed down and returned: hub_spoke and delegation (BYOB 7).

The state is {"turn": n, "stack": [seat, …]}. n counts the hub's turns from 1; the stack holds the seats that
handed the floor down and wait for it, the hub first.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from reference.byob.addressing import named_seats
from reference.byob.topologies.policy import Grant, Turn
from reference.byob.types import Config


class Handing(ABC):
    """A policy whose hub speaks first and hands the floor on by address. A subclass says who may hand it to whom."""

    @abstractmethod
    def may_hand(self, topology: Mapping[str, Any], holder: str, seat: str) -> bool:
        """Whether `holder` may hand the floor to `seat`."""

    def deciders(self, config: Config) -> tuple[str, ...]:
        """The hub."""
        return (config["topology"]["hub"],)

    def opening(self, config: Config) -> Grant | None:
        """The hub's first turn."""
        return self._hubs_turn(config, 1)

    def after(self, config: Config, state: Mapping[str, Any], turn: Turn) -> Grant | None:
        """The seat that was handed the floor, else the one that waits for it, else the hub again.

        A say hands the floor to the first seat in its `to` that its holder may hand it to.
        """
        topology, number, stack = config["topology"], state["turn"], state["stack"]
        if turn.kind == "say":
            for seat in named_seats(turn.to):
                if self.may_hand(topology, turn.holder, seat):
                    return Grant(seat, {"turn": number, "stack": [*stack, turn.holder]})
        elif not stack:
            return None  # BYOB 7: a hub pass ends the rounds
        if len(stack) > 1:
            return Grant(stack[-1], {"turn": number, "stack": stack[:-1]})
        return self._hubs_turn(config, number + 1)

    def _hubs_turn(self, config: Config, number: int) -> Grant | None:
        topology = config["topology"]
        # BYOB 7: rounds counts the hub's turns; without it they end by a pass only
        if number > topology.get("rounds", number):
            return None
        return Grant(topology["hub"], {"turn": number, "stack": []})
