"""What a policy is: it decides who sees what, who speaks next, and when no turns remain (BYOB 7).

A policy has no state of its own. Where it stands is a small JSON object that travels in each floor_granted entry,
so that a replay goes on exactly there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from reference.byob.types import Config, Entry, Seat


@dataclass(frozen=True, slots=True)
class Grant:
    """The next turn: the seat that gets the floor, and where the policy then stands, as a JSON object."""

    holder: str
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has just ended.

    holder: the seat that had the floor. kind: how the turn ended. to: the addresses of the say, as posted.
    hands: the seats whose raised hands are not served yet, the first raised first. A hand is served by the next
    grant to its seat.
    """

    holder: str
    kind: Literal["say", "pass"]
    to: tuple[str, ...] = ()
    hands: tuple[str, ...] = field(default=())


class Policy(Protocol):
    """One topology. Every method is a pure function of its arguments; `config` is the whole table config."""

    kind: str

    def check(self, config: Config) -> None:
        """Raises ByobError E_CONFIG, with one sentence that names the member, when the config does not make sense."""

    def seats(self, config: Config) -> tuple[str, ...]:
        """The ids of all seats that the topology names, each once."""

    def deciders(self, config: Config) -> tuple[str, ...]:
        """The seats that may decide when floor.decision_by is not configured."""

    def opening(self, config: Config) -> Grant | None:
        """The first turn."""

    def after(self, config: Config, state: Mapping[str, Any], turn: Turn) -> Grant | None:
        """The turn that follows `turn`, or None when no turns remain.

        state: the state of the grant whose turn has ended. A human's say out of turn ends no turn.
        """

    def sees(self, config: Config, seat: str, entry: Entry, seats: Mapping[str, Seat]) -> bool:
        """Whether a seat sees a say, pass or raise_hand of another seat, as long as nothing overrides it.

        seats: the seats that have joined, by id.
        """
