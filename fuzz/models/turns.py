"""Who may speak next: the floor order of the five topologies (BYOB 7), as sets of allowed next turns.

A policy here is a function from a place in the order to the places that may follow a turn. A `Place` names who holds
the floor and remembers as much of the past as the order needs; no place at all means that no turns are left.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

Config = Mapping[str, Any]


@dataclass(frozen=True)
class Place:
    """A place in a topology's order.

    Args:
        holder: who has the floor.
        position: in a fixed order, the number of the regular turn; else how many turns of the hub or root have begun.
        path: in delegation, the managers above the holder, root first; in hub_spoke the hub above a spoke.
        moved: regular turns, by position, that were already taken as a raised hand (BYOB-Q067).
        extra: whether this is the turn of a raised hand, and no regular one.
    """

    holder: str
    position: int = 0
    path: tuple[str, ...] = ()
    moved: frozenset[int] = frozenset()
    extra: bool = False


@dataclass(frozen=True)
class Turn:
    """A turn that has just ended: its kind, `say` or `pass`, and whom it named with `@`."""

    kind: str
    named: tuple[str, ...] = ()


Next = frozenset[Place | None]
"""What may follow: places, and None where no turns may be left."""


def opening(topology: Config) -> Place:
    """Return the first turn."""
    order = sequence(topology)
    if order is not None:
        return Place(order[0])
    return Place(str(topology["hub"]), 1)


def after(topology: Config, place: Place, turn: Turn, hands: Sequence[str] = ()) -> Next:
    """Return what may follow a turn.

    Args:
        topology: of the table's config.
        place: where the turn was.
        turn: what it was.
        hands: the seats that have raised a hand since they last held the floor, the first one first.
    """
    kind = topology["kind"]
    following = TREES[kind](topology, place, turn) if kind in TREES else _in_order(topology, place)
    if not hands:
        return following
    served = frozenset(each for hand in hands for each in _served(topology, place, hand))
    return served if _must_serve(topology, place, following, hands) else served | following


def before(topology: Config, place: Place, hand: str) -> Place:
    """Return the turn of a raised hand that is served before a turn which was about to begin."""
    if sequence(topology) is None:
        return replace(place, holder=hand, path=(*place.path, place.holder), extra=True)
    return replace(place, holder=hand, extra=True)


def sequence(topology: Config) -> list[str] | None:
    """Return the regular turns of a topology with a fixed order, None for the others."""
    rounds = int(topology.get("rounds", 1))
    if topology["kind"] == "broadcast":
        return list(topology["order"]) * rounds
    if topology["kind"] == "pipeline":
        return list(topology["stages"]) * rounds
    if topology["kind"] == "debate":
        return [topology["pro"], topology["con"]] * rounds + [topology["judge"]]
    return None


# A fixed order


def _in_order(topology: Config, place: Place) -> Next:
    order = sequence(topology) or []
    position = place.position if place.extra else place.position + 1
    while position < len(order) and position in place.moved:
        position += 1
    if position < len(order):
        return frozenset({Place(order[position], position, moved=place.moved)})
    judge = topology.get("judge")
    if topology["kind"] == "debate" and place.holder == judge:
        return frozenset({None, replace(place, extra=False)})  # BYOB-Q069: it may keep the floor until it decides
    return frozenset({None})


# Raised hands


def _served(topology: Config, place: Place, hand: str) -> Iterator[Place]:
    """Yield the turns that a raised hand may get: an extra one, or a regular one moved forward (BYOB-Q067)."""
    order = sequence(topology)
    if order is None:
        yield replace(place, holder=hand, path=(*place.path, place.holder), extra=True)
        return
    position = place.position if place.extra else place.position + 1
    while position < len(order) and position in place.moved:
        position += 1
    yield Place(hand, position, moved=place.moved, extra=True)
    size = len(topology.get("order") or topology.get("stages") or order)
    here = range(position, min(len(order), position + size))
    own = next((at for at in here if order[at] == hand and at not in place.moved), None)
    if own is not None:
        yield Place(hand, position, moved=place.moved | {own}, extra=True)


def _must_serve(topology: Config, place: Place, following: Next, hands: Sequence[str]) -> bool:
    """Whether the hand has to be served at once: one hand in a broadcast, of a seat of the order that is not next."""
    regular = {each.holder for each in following if each is not None}
    one = len(hands) == 1 and hands[0] in topology.get("order", ())
    return topology["kind"] == "broadcast" and one and bool(regular) and hands[0] not in {*regular, place.holder}


# A hub, and a tree of reports


def _after_hub(topology: Config, place: Place, turn: Turn) -> Next:
    """hub_spoke: the hub hands the floor to a spoke that it names, whose turn returns it."""
    hub, rounds = str(topology["hub"]), int(topology["rounds"])
    if place.path:
        return _back(Place(hub, place.position), rounds)
    if turn.kind == "pass":
        return frozenset({None})
    spokes = topology.get("spokes")
    named = [seat for seat in turn.named if seat != hub and (spokes is None or seat in spokes)]
    return _handed(place, named, rounds)


def _after_report(topology: Config, place: Place, turn: Turn) -> Next:
    """delegation: a seat hands the floor to a direct report that it names; else it walks back up."""
    root, rounds = str(topology["hub"]), int(topology["rounds"])
    reports = topology["reports"].get(place.holder, ())
    named = [seat for seat in turn.named if seat in reports] if turn.kind == "say" and not place.extra else []
    if place.holder == root and not place.path:
        return frozenset({None}) if turn.kind == "pass" else _handed(place, named, rounds)
    if named:
        return frozenset(replace(place, holder=seat, path=(*place.path, place.holder)) for seat in named)
    above = replace(place, holder=place.path[-1], path=place.path[:-1], extra=False)
    return _back(above, rounds) if above.holder == root and not above.path else frozenset({above})


def _handed(place: Place, named: list[str], rounds: int) -> Next:
    """What follows a say of the hub: one named spoke gets the floor, of several any (BYOB-Q071)."""
    last = place.position >= rounds
    if named:
        over = {replace(place, holder=seat, path=(place.holder,)) for seat in named}
        kept = {replace(place, holder=place.holder)} if len(named) > 1 else set()
        return frozenset({*over, *kept, *({None} if last else set())})
    # Without a spoke it may count as a turn or not.
    uncounted: set[Place | None] = {place}
    return frozenset(uncounted | ({None} if last else {replace(place, position=place.position + 1)}))


def _back(hub: Place, rounds: int) -> Next:
    """What follows when the floor comes back to the hub or root: its next turn, or the end of the rounds."""
    if hub.position >= rounds:
        return frozenset({None})
    return frozenset({replace(hub, position=hub.position + 1)})


TREES: dict[str, Callable[[Config, Place, Turn], Next]] = {"hub_spoke": _after_hub, "delegation": _after_report}
