"""BYOB 7 and 8: long random sessions beside the model of `fuzz.models`, for each topology."""

from random import Random
from typing import Any

from harness.byob.context import Context
from harness.byob.playing import play
from harness.byob.recipes import TOPOLOGIES, TRIO, Place, Recipe
from harness.check import check

MOVES, SESSIONS = 30, 6
RECIPES: dict[str, Recipe] = {**TOPOLOGIES, "broadcast": TRIO}
OBSERVED: dict[str, tuple[str, str]] = {
    "broadcast": ("BYOB-7-14", "BYOB-7-18"),
    "debate": ("BYOB-7-20", "BYOB-7-24"),
    "pipeline": ("BYOB-7-27", "BYOB-7-30"),
    "hub_spoke": ("BYOB-7-36", "BYOB-7-40"),
    "delegation": ("BYOB-7-46", "BYOB-7-49"),
}
"""Topology to the clause of its floor order and the clause of its default view."""


def _changes(rng: Random, recipe: Recipe) -> dict[str, Any]:
    """Return changes of a config: short rounds, a low depth limit, and now and then an override."""
    changes: dict[str, Any] = {
        "floor": {"max_bot_depth": rng.choice([3, 5, 100])},
        "topology": {"rounds": rng.choice([1, 2, 3])},
        "termination": {"any": [{"budget_tokens": rng.choice([12, 1000])}]},
    }
    if rng.random() < 0.3:
        patterns = rng.choice([[], ["*.say"], ["*.*"], [f"{recipe.places[0].seat}.*"]])
        changes["visibility"] = {rng.choice(recipe.places).seat: patterns}
    return changes


async def _sessions(t: Context, kind: str) -> None:
    floor, view = OBSERVED[kind]
    for number in range(SESSIONS):
        rng = Random(t.rng.random())
        human = rng.random() < 0.4 and kind not in t.dialect.refuses_extra
        recipe = RECIPES[kind].with_seats(*((Place("h", "H", "human"),) if human else ()))
        changes = _changes(rng, recipe)
        table = await t.table(recipe, **changes)
        config = {**table.config, "topology": recipe.config_with(changes)["topology"]}
        played = await play(table, config, rng, MOVES, hands=number % 2 == 1)
        t.expect(floor, not played.floor, wanted="a session as the model allows", got=played.told)
        t.expect(view, not played.seen, wanted="every seat to see what it may", got="; ".join(played.seen[:5]))


@check("byob/7/broadcast-sessions-follow-the-model", *OBSERVED["broadcast"])
async def broadcast(t: Context) -> None:
    """Random sessions of a broadcast go as the model allows: floor, hands, depth, ends, and who sees what."""
    await _sessions(t, "broadcast")


@check("byob/7/debate-sessions-follow-the-model", *OBSERVED["debate"])
async def debate(t: Context) -> None:
    """Random sessions of a debate go as the model allows."""
    await _sessions(t, "debate")


@check("byob/7/pipeline-sessions-follow-the-model", *OBSERVED["pipeline"])
async def pipeline(t: Context) -> None:
    """Random sessions of a pipeline go as the model allows."""
    await _sessions(t, "pipeline")


@check("byob/7/hub-spoke-sessions-follow-the-model", *OBSERVED["hub_spoke"])
async def hub_spoke(t: Context) -> None:
    """Random sessions around a hub go as the model allows."""
    await _sessions(t, "hub_spoke")


@check("byob/7/delegation-sessions-follow-the-model", *OBSERVED["delegation"])
async def delegation(t: Context) -> None:
    """Random sessions of a delegation go as the model allows."""
    await _sessions(t, "delegation")
