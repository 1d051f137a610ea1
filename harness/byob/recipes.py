"""The tables that checks play on, as data: a config, and who takes which seat. A fresh one is made for each check.

    table = await t.table(DUO)                                    all seats joined
    table = await t.table(DUO, floor={"max_chars": 1000})         members of an object are merged into the recipe's
    table = await t.table(DUO.with_seats(Place("v", "V")), termination={"any": ["decision"]})

| recipe | topology | seats |
| --- | --- | --- |
| DUO | broadcast, order a, b, rounds 50 | bot a of owner A, bot b of owner B |
| DUO_H | the same | with human h of owner H outside the order |
| TRIO | broadcast, order a, b, c, rounds 50 | bots of A, B and C |
| DEBATE | pro p, con c, judge j, rounds 2; closes by a decision | bots of P, C and J |
| PIPE | stages s1, s2, s3, rounds 1 | bots of S1, S2 and S3 |
| HUB | hub, spokes x, y, z, rounds 50 | bots of HUB, X, Y and Z |
| TREE | root over m and n, m over k, rounds 50 | bots of ROOT, M, N and K |
| WORK | DUO, with bot v of owner V outside the order | b may move and label on the board |
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Config = dict[str, Any]
TALK: Config = {"bot": "naysayer", "proxy": False, "capabilities": []}


def card(*capabilities: Config, **members: Any) -> Config:
    """Return a capability card with these capabilities."""
    return {**TALK, "capabilities": list(capabilities), **members}


def capability(resource: str, *actions: str, **flags: bool) -> Config:
    """Return a capability, for example `capability("board", "move", auto_approve=True)`."""
    return {"resource": resource, "actions": list(actions), **flags}


def effect(owner: str = "B", resource: str = "board", action: str = "move", **args: Any) -> Config:
    """Return an effect; by default the one that seat b of WORK can execute."""
    return {"owner": owner, "resource": resource, "action": action, "args": args}


# No name that a table gives, but one that every object inherits in some languages, and a careless lookup finds there.
INHERITED = "constructor"
BOARD = card(capability("board", "move", "label"))


@dataclass(frozen=True)
class Place:
    """A seat and who takes it: the seat's id, its owner's id, bot or human, its role if any, and its card."""

    seat: str
    owner: str
    kind: str = "bot"
    role: str | None = None
    card: Mapping[str, Any] = field(default_factory=lambda: TALK)


@dataclass(frozen=True)
class Recipe:
    """A table config without id and owners, and its seats in the order in which they join."""

    config: Config
    places: tuple[Place, ...]

    def with_seats(self, *places: Place) -> "Recipe":
        """Return the recipe with these seats: each replaces that of the same id, or comes last."""
        given = {place.seat: place for place in places}
        kept = [given.pop(place.seat, place) for place in self.places]
        return replace(self, places=(*kept, *given.values()))

    def without_seats(self, *seats: str) -> "Recipe":
        """Return the recipe without these seats; the topology still names them."""
        return replace(self, places=tuple(place for place in self.places if place.seat not in seats))

    def config_with(self, changes: Mapping[str, Any]) -> Config:
        """Return the config with changes: objects are merged one level deep, None takes a member out."""
        merged = dict(self.config)
        for name, value in changes.items():
            old = merged.get(name)
            if isinstance(old, dict) and isinstance(value, dict) and name != "termination":
                value = {key: each for key, each in {**old, **value}.items() if each is not None}
            merged[name] = value
        return {name: value for name, value in merged.items() if value is not None}


LONG = {"any": [{"max_entries": 1000}]}
WIDE = {"max_chars": 200, "max_bot_depth": 100}


def _table(topology: Config, places: tuple[Place, ...], termination: Config = LONG) -> Recipe:
    config = {
        "topic": "Which card goes first?",
        "topology": topology,
        "floor": WIDE,
        "termination": termination,
        "projection": {"inline_limit": 1000},
    }
    return Recipe(config, places)


DUO = _table({"kind": "broadcast", "order": ["a", "b"], "rounds": 50}, (Place("a", "A"), Place("b", "B")))
DUO_H = DUO.with_seats(Place("h", "H", "human"))
TRIO = _table(
    {"kind": "broadcast", "order": ["a", "b", "c"], "rounds": 50}, (Place("a", "A"), Place("b", "B"), Place("c", "C"))
)
DEBATE = _table(
    {"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 2},
    (Place("p", "P"), Place("c", "C"), Place("j", "J")),
    {"any": ["decision"]},
)
PIPE = _table(
    {"kind": "pipeline", "stages": ["s1", "s2", "s3"], "rounds": 1},
    (Place("s1", "S1"), Place("s2", "S2"), Place("s3", "S3")),
)
HUB = _table(
    {"kind": "hub_spoke", "hub": "hub", "spokes": ["x", "y", "z"], "rounds": 50},
    (Place("hub", "HUB"), Place("x", "X"), Place("y", "Y"), Place("z", "Z")),
)
TREE = _table(
    {"kind": "delegation", "hub": "root", "reports": {"root": ["m", "n"], "m": ["k"]}, "rounds": 50},
    (Place("root", "ROOT"), Place("m", "M"), Place("n", "N"), Place("k", "K")),
)
WORK = DUO.with_seats(Place("b", "B", card=BOARD), Place("v", "V"))
TOPOLOGIES = {"broadcast": DUO, "debate": DEBATE, "pipeline": PIPE, "hub_spoke": HUB, "delegation": TREE}
FIRST = {"broadcast": "a", "debate": "p", "pipeline": "s1", "hub_spoke": "hub", "delegation": "root"}
