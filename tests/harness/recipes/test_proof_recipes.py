"""Every proof recipe is refused by the reference, and the stage's own proof is not."""

import pytest

from harness.recipes import proofs
from harness.recipes.proofs import ProofRecipe, Stage
from reference.yea.proofs import fresh, verify
from tests.harness.recipes.scenes import stage

TABLES = {
    name: value
    for name, value in vars(proofs).items()
    if isinstance(value, tuple) and value and all(isinstance(item, ProofRecipe) for item in value)
}
VERBS = ("ASK", "INTENT", "COMMIT", "UNDO")


def accepted(proof: dict[str, object], at: Stage) -> bool:
    """Return whether the reference takes a proof for a stage's request."""
    good = verify(proof, aud=at.aud, verb=at.verb, target=at.target)
    return good and fresh(int(str(proof["ts"])), at.now) and proof["key"] == at.agent.public


@pytest.mark.parametrize("verb", VERBS)
def test_the_stages_own_proof_is_right(verb: str) -> None:
    assert accepted(stage(verb).proof(), stage(verb))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("name", TABLES)
def test_no_recipe_makes_a_right_proof(name: str, verb: str) -> None:
    at = stage(verb)
    tried = [recipe for recipe in TABLES[name] if verb in recipe.verbs]
    assert [recipe.name for recipe in tried if accepted(recipe.make(at), at)] == []


@pytest.mark.parametrize("name", TABLES)
def test_names_are_unique(name: str) -> None:
    names = [recipe.name for recipe in TABLES[name]]
    assert len(set(names)) == len(names)


def test_recipes_with_another_key_say_so() -> None:
    at = stage("COMMIT")
    recipes = [recipe for table in TABLES.values() for recipe in table if "COMMIT" in recipe.verbs]
    foreign = {recipe.name for recipe in recipes if recipe.make(at)["key"] != at.agent.public}
    assert foreign == {recipe.name for recipe in recipes if recipe.foreign}
