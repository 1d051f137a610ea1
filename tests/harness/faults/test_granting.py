"""The step-by-step decoder decides as the reference does, so that a fault which replaces one step breaks no other."""

import pytest

from harness.faults.granting import Decoder
from harness.recipes import Recipe, caveats, chains, limits, spelling, structure
from reference.yea.grants import Grant, GrantError, decode
from tests.harness.recipes.scenes import MEASURED, scene

MODULES = (spelling, structure, chains, caveats, limits)
RECIPES = [
    recipe
    for module in MODULES
    for table in vars(module).values()
    if isinstance(table, tuple) and table and all(isinstance(item, Recipe) for item in table)
    for recipe in table
]


def outcome(token: str, *, by_steps: bool) -> Grant | str:
    """Return the grant of a token, or that there is none."""
    try:
        return Decoder().decode(token) if by_steps else decode(token)
    except GrantError:
        return "none"


@pytest.mark.parametrize("uses", [None, MEASURED], ids=["plain", "measured"])
def test_both_decoders_agree_on_every_recipe(uses: object) -> None:
    at = scene(uses)
    tokens = {recipe.name: recipe.make(at) for recipe in RECIPES if uses is not None or not _measured(recipe)}
    by_steps = {name: outcome(token, by_steps=True) for name, token in tokens.items()}
    assert by_steps == {name: outcome(token, by_steps=False) for name, token in tokens.items()}


def _measured(recipe: Recipe) -> bool:
    return any(recipe in table for table in (limits.EACH, limits.TOTAL, limits.WITHIN, limits.SOFT_AND_HARD))


def test_the_recipes_hold_good_grants_and_bad_ones() -> None:
    at = scene(MEASURED)
    found = {isinstance(outcome(recipe.make(at), by_steps=True), Grant) for recipe in RECIPES}
    assert found == {True, False}
