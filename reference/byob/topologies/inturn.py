"""Topologies that speak in a fixed order: turn after turn until the last (BYOB 7).

The state is {"turn": n}: the number of the regular turn that was granted last, from 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from reference.byob.topologies.policy import Grant, Turn
from reference.byob.types import Config

ROUNDS = 1
"""How often the order is gone through when `rounds` is not configured. The spec is silent (BYOB 7)."""


class InTurn(ABC):
    """A policy whose n-th speaker follows from the config alone. A subclass says who that is."""

    @abstractmethod
    def speaker(self, topology: Mapping[str, Any], turn: int) -> str | None:
        """The seat whose turn number `turn` is, from 1; None when there are not that many turns."""

    def opening(self, config: Config) -> Grant | None:
        """Turn number 1."""
        return self._grant(config, 1)

    def after(self, config: Config, state: Mapping[str, Any], turn: Turn) -> Grant | None:
        """The next regular turn, whatever was said."""
        return self._grant(config, state["turn"] + 1)

    def _grant(self, config: Config, number: int) -> Grant | None:
        holder = self.speaker(config["topology"], number)
        return None if holder is None else Grant(holder, {"turn": number})


def in_rounds(order: list[str], topology: Mapping[str, Any], turn: int) -> str | None:
    """The seat of turn number `turn` when `order` is gone through topology.rounds times."""
    done, place = divmod(turn - 1, len(order))
    return order[place] if done < topology.get("rounds", ROUNDS) else None
