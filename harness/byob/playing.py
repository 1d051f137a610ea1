"""Random sessions on a table, move by move beside the model (`fuzz.models`): who held the floor, who saw what.

The model allows every fair reading, so each deviation is a breach under all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fuzz.models import visibility
from fuzz.models.floor import OK, Floor
from fuzz.models.sessions import Move, choose
from harness.byob import reading
from harness.byob.recipes import effect
from harness.byob.table import Table

NO_TASK = ("E_NO_EXECUTOR",)  # no card covers anything: the floor was looked at, and the proposal refused after it


@dataclass
class Played:
    """A session: how many moves were made, what deviated from the model (the first ends it), and who missed what."""

    moves: list[str] = field(default_factory=list)
    floor: str = ""
    seen: list[str] = field(default_factory=list)

    @property
    def told(self) -> str:
        """The deviation of the floor with the moves that led to it."""
        return f"{self.floor}, after {'; '.join(self.moves[-8:])}" if self.floor else f"{len(self.moves)} moves"


async def play(table: Table, config: Mapping[str, Any], rng: Random, moves: int, *, hands: bool = False) -> Played:
    """Play a session on a fresh table, and hold it to the model.

    Args:
        table: all of whose seats have joined.
        config: the table's, with `spokes` and the map form of `reports` (before the host's dialect).
        rng: decides the moves.
        moves: at most so many.
        hands: whether seats raise their hands.
    """
    floor = Floor(config, {seat: place.kind for seat, place in table.places.items()})
    played = Played()
    posted: list[reading.Entry] = []
    holder = await table.holder(*(seat for seat in floor.holders() if seat is not None))
    if not floor.saw(holder):
        played.floor = f"at first {holder} holds the floor, not {_words(floor.holders())}"
        return played
    while len(played.moves) < moves and floor.may_be_open():
        played.floor, entry = await _move(table, floor, choose(floor, rng, hands=hands), played)
        posted += [entry] if entry else []
        if played.floor:
            break
    played.seen = await _views(table, config, posted)
    return played


async def _move(table: Table, floor: Floor, move: Move, played: Played) -> tuple[str, reading.Entry]:
    """Make a move; returns how it deviates from the model, if it does, and the entry that it made."""
    allowed = floor.answers(move.seat, move.kind, move.to)
    answer = await _post(table, move)
    got = OK if answer.ok or answer.code in NO_TASK else answer.code
    played.moves.append(f"{move.seat} {move.kind} {' '.join(move.to)} {got}")
    if got not in allowed:
        return f"{move.kind} by {move.seat} got {answer.seen()}, not {_words(allowed)}", {}
    if not answer.ok:
        return "", {}
    floor.post(move.seat, move.kind, move.to, tokens=1)
    await table.t.moment()
    projection = await table.projection(table.reader, reading.seq_of(answer.value))
    shown = projection.get("floor")
    holder = shown.get("holder") if isinstance(shown, dict) else None
    closed = projection.get("status") == "closed"
    if floor.saw(None if closed else holder, closed=closed):
        return "", answer.members
    now = "the table is closed" if closed else f"{holder} holds the floor"
    return f"after a {move.kind} by {move.seat} {now}, where {_words(floor.holders())} may", answer.members


def _post(table: Table, move: Move) -> Any:
    if move.kind == "say":
        return table.say(move.seat, "hello", move.to, budget={"tokens_used": 1})
    if move.kind == "proposal":
        return table.propose(move.seat, effect(table.places[move.seat].owner))
    return table.post(move.seat, move.kind)


async def _views(table: Table, config: Mapping[str, Any], posted: list[reading.Entry]) -> list[str]:
    """Return, in words, each entry that a seat sees and must not, or misses."""
    roles = {seat: place.role for seat, place in table.places.items()}
    wrong = []
    for viewer in table.tokens:
        tail = {reading.seq_of(entry) for entry in await table.tail(viewer, 0)}
        for entry in posted:
            wanted = visibility.sees(config, viewer, entry, roles)
            if wanted is not None and (reading.seq_of(entry) in tail) is not wanted:
                verb = "misses" if wanted else "sees"
                wrong.append(f"{viewer} {verb} the {entry['kind']} of {entry['seat']} to {entry.get('to', 'nobody')}")
    return wrong


def _words(names: set[str | None] | set[str]) -> str:
    return " or ".join(sorted(str(name) for name in names if name is not None)) or "nobody"
