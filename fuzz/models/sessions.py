"""Random sessions on a table: what somebody might do next, right or wrong, by the model's present state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from fuzz.models.floor import Floor

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Move:
    """A post that somebody tries: who, of which kind, and for a say to whom."""

    seat: str
    kind: str
    to: tuple[str, ...] = ("*",)


def choose(floor: Floor, rng: Random, *, hands: bool = False, wrong: float = 0.2) -> Move:
    """Return a next move.

    Args:
        floor: the model; one who may hold the floor moves, but for wrong moves and hands.
        rng: decides.
        hands: whether seats may raise their hands.
        wrong: how likely anybody at all moves instead of the holder, from 0 to 1.
    """
    seats = list(floor.seats)
    if hands and rng.random() < 0.15:
        return Move(rng.choice(seats), "raise_hand")
    holders = sorted(holder for holder in floor.holders() if holder is not None)
    seat = rng.choice(seats) if rng.random() < wrong or not holders else rng.choice(holders)
    kind = rng.choices(("say", "pass", "proposal"), (8, 1, 1))[0]
    if seat in _heads(floor.config) and kind == "pass" and rng.random() < 0.8:
        kind = "say"  # a hub's pass ends it all
    return Move(seat, kind, _to(floor.config, seat, rng) if kind == "say" else ("*",))


def _heads(config: Config) -> tuple[str, ...]:
    return (config["topology"]["hub"],) if "hub" in config["topology"] else ()


def _to(config: Config, seat: str, rng: Random) -> tuple[str, ...]:
    """Return an address: in a tree often a seat below, which gets the floor, or else the seat above."""
    near = _under(config["topology"], seat) or _above(config["topology"], seat)
    return (f"@{rng.choice(list(near))}",) if near and rng.random() < 0.8 else ("*",)


def _under(topology: Config, seat: str) -> Sequence[str]:
    if topology["kind"] == "hub_spoke":
        spokes: Sequence[str] = topology["spokes"]
        return spokes if seat == topology["hub"] else ()
    under: Sequence[str] = topology["reports"].get(seat, ()) if topology["kind"] == "delegation" else ()
    return under


def _above(topology: Config, seat: str) -> Sequence[str]:
    if topology["kind"] == "hub_spoke":
        return (topology["hub"],)
    reports: Mapping[str, Sequence[str]] = topology["reports"] if topology["kind"] == "delegation" else {}
    return tuple(manager for manager, under in reports.items() if seat in under)
