"""BYOB 7 and 8: long random sessions on every topology, compared post by post with the model of the text."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from fuzz.models import visibility
from fuzz.models.floor import OK, Floor
from fuzz.models.sessions import Move, choose
from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import BOARD, TOPOLOGIES, TRIO, Place, Recipe, effect
from harness.byob.sight import Act, held, look, marked
from harness.byob.table import Table
from harness.check import check
from harness.targets.hosts import Answer

SESSIONS, MOVES = 4, 24
RECIPES: dict[str, Recipe] = {**TOPOLOGIES, "broadcast": TRIO}
ROUNDS = {
    "broadcast": (1, 2, 5),
    "debate": (1, 2, 5),
    "pipeline": (1,),
    "hub_spoke": (2, 4, 9),
    "delegation": (2, 4, 9),
}
# Topology → what a deviation proves: of the order, of what is seen by other seats.
CLAUSES = {
    "broadcast": ("BYOB-7-14", "BYOB-7-18"),
    "debate": ("BYOB-7-20", "BYOB-7-25"),
    "pipeline": ("BYOB-7-27", "BYOB-7-30"),
    "hub_spoke": ("BYOB-7-36", "BYOB-7-40"),
    "delegation": ("BYOB-7-46", "BYOB-7-49"),
}
REFUSALS = {"say": "BYOB-8-01", "pass": "BYOB-8-02", "proposal": "BYOB-8-03"}
HAND, DEPTH, END, OWN = "BYOB-8-06", "BYOB-8-17", "BYOB-8-27", "BYOB-7-07"
MOST = 6


def drawn(rng: Random, kind: str) -> tuple[Recipe, dict[str, Any]]:
    """Return a recipe of a topology, perhaps with a human, and changes of its config."""
    recipe = RECIPES[kind]
    recipe = replace(recipe, places=tuple(replace(place, card=BOARD) for place in recipe.places))
    if rng.random() < 0.5:
        recipe = recipe.with_seats(Place("h", "H", "human"))
    seats = [place.seat for place in recipe.places]
    changes: dict[str, Any] = {
        "topology": {"rounds": rng.choice(ROUNDS[kind])},
        "floor": {"max_bot_depth": rng.choice((3, 5, 100))},
        "termination": {"any": [{"max_entries": 1000}, {"budget_tokens": rng.choice((60, 10_000))}]},
    }
    if rng.random() < 0.5:
        author = rng.choice(seats)
        patterns = rng.choice(([], [f"{author}.say"], ["*.say"], [f"{author}.*"], ["*.pass", "*.raise_hand"]))
        changes["visibility"] = {rng.choice(seats): patterns}
    return recipe, changes


class Session:
    """One random session: the table, the model, and what was accepted so far.

    Args:
        t: the check's context.
        kind: the topology.
        table: a fresh table, all seats of which have joined.
        config: as the model takes it.
    """

    def __init__(self, t: Context, kind: str, table: Table, config: Mapping[str, Any]) -> None:
        self.t, self.kind, self.table, self.config = t, kind, table, config
        self.floor = Floor(config, {seat: place.kind for seat, place in table.places.items()})
        self.order, self.sight = CLAUSES[kind]
        self.acts: list[Act] = []
        self.moves: list[str] = []

    async def saw(self) -> bool:
        """Expect that the floor is where the model allows it; returns whether the table goes on."""
        allowed = self.floor.holders()
        holder = await self.table.holder(*sorted(each for each in allowed if each is not None))
        is_open = holder is not None or await self.table.is_open()
        fits = self.floor.saw(holder, closed=not is_open)
        human = holder in self.table.places and self.table.places[holder].kind == "human"
        clause = END if not is_open else DEPTH if human else self.order
        names = " or ".join(sorted(each or "nobody, on a closed table" for each in allowed))
        got = f"{holder or 'nobody'} on {'an open' if is_open else 'a closed'} table"
        self.t.expect(clause, fits, wanted=f"the floor with {names} after {self.past()}", got=got)
        return fits and is_open

    def choose(self, rng: Random, hands: bool) -> Move:
        """Return a next move; no hand of a holder or of a human, which may be refused (BYOB-Q067)."""
        while True:
            move = choose(self.floor, rng, hands=hands)
            free = move.seat not in self.floor.holders() and self.table.places[move.seat].kind == "bot"
            if move.kind != "raise_hand" or free:
                return move

    async def move(self, move: Move, tokens: int) -> bool:
        """Let somebody post, and expect what the model allows; returns whether the model can go on."""
        allowed = self.floor.answers(move.seat, move.kind, move.to)
        marker = marked(self.t)
        answer = await self.post(move, marker, tokens)
        said = f"{move.seat} {move.kind}" + (f" to {move.to[0]}" if move.kind == "say" else "")
        outcome = OK if answer.ok else answer.code
        clause = HAND if move.kind == "raise_hand" else self.order if OK in allowed else REFUSALS[move.kind]
        wanted = f"{' or '.join(sorted(allowed))} to {said} after {self.past()}"
        if not self.t.expect(clause, outcome in allowed, wanted=wanted, got=answer):
            return False
        self.moves.append(said if answer.ok else f"{said}, refused")
        if not answer.ok:
            return True
        if move.kind != "proposal":
            act = Act(move.seat, move.kind, move.to, reading.seq_of(answer.value), marker if move.kind == "say" else "")
            self.acts.append(act)
        return self.floor.post(move.seat, move.kind, move.to, tokens)

    async def post(self, move: Move, marker: str, tokens: int) -> Answer:
        """Send the post of a move."""
        report = {"tokens_used": tokens}
        if move.kind == "say":
            return await self.table.say(move.seat, marker, to=list(move.to), budget=report)
        if move.kind == "proposal":
            owner = next(place.owner for place in self.table.places.values() if place.kind == "bot")
            return await self.table.propose(move.seat, effect(owner=owner), budget=report)
        return await self.table.post(move.seat, move.kind)

    def past(self) -> str:
        """Return the last moves in words."""
        return "; ".join(self.moves[-MOST:]) or "all have joined"

    async def looked(self) -> None:
        """Expect that every seat has seen of all this what the model says."""
        for seat in self.table.tokens:
            sight = await look(self.t, self.table, seat, self.acts)
            for act in self.acts:
                sees = visibility.sees(self.config, seat, act.entry)
                held(self.t, OWN if act.seat == seat else self.sight, sight, act, sees)


async def sessions(t: Context, kind: str) -> None:
    """Play random sessions on a topology."""
    for clause in t.check.clauses:
        t.lacks(clause, "no random session of this run came to it")  # counts only where no check did
    for _ in range(SESSIONS):
        recipe, changes = drawn(t.rng, kind)
        if kind in t.dialect.refuses_extra:
            recipe = recipe.without_seats("h")
        table = await t.table(recipe, **changes)
        session = Session(t, kind, table, recipe.config_with(changes))
        hands = t.rng.random() < 0.6
        for _ in range(MOVES):
            if not await session.saw():
                break
            if not await session.move(session.choose(t.rng, hands), t.rng.choice((0, 3, 10))):
                break
        else:
            await session.saw()
        await session.looked()


COMMON = (*REFUSALS.values(), HAND, DEPTH, END, OWN)


@check("byob/7/broadcast-random-session", *CLAUSES["broadcast"], *COMMON)
async def broadcast(t: Context) -> None:
    """Random sessions of a broadcast go as the text allows, and show each seat what it may see."""
    await sessions(t, "broadcast")


@check("byob/7/debate-random-session", *CLAUSES["debate"], *COMMON)
async def debate(t: Context) -> None:
    """Random sessions of a debate go as the text allows, and show each seat what it may see."""
    await sessions(t, "debate")


@check("byob/7/pipeline-random-session", *CLAUSES["pipeline"], *COMMON)
async def pipeline(t: Context) -> None:
    """Random sessions of a pipeline go as the text allows, and show each seat what it may see."""
    await sessions(t, "pipeline")


@check("byob/7/hub-random-session", *CLAUSES["hub_spoke"], *COMMON)
async def hub(t: Context) -> None:
    """Random sessions of a hub and its spokes go as the text allows, and show each seat what it may see."""
    await sessions(t, "hub_spoke")


@check("byob/7/tree-random-session", *CLAUSES["delegation"], *COMMON)
async def tree(t: Context) -> None:
    """Random sessions of a tree of reports go as the text allows, and show each seat what it may see."""
    await sessions(t, "delegation")
