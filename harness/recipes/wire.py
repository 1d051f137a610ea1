"""Recipes over a target's wire: signed anew for its service id, the proposal at hand and its clock."""

import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from harness.context import Context
from harness.errors import NotApplicable, Untested
from harness.offers import Offer
from harness.people import Agent, new_key
from harness.recipes.limits import measured
from harness.recipes.proofs import ProofRecipe, Stage
from harness.recipes.recipe import Recipe
from harness.recipes.scene import Scene, token_text
from harness.recipes.spelling import has_both_alphabets
from harness.refusals import Refusal
from harness.targets.base import Connection
from reference.yea.keys import KeyPair
from reference.yea.quantities import value

FRIENDS = 4
Frame = dict[str, Any]


def scene(t: Context, agent: Agent, proposal: dict[str, Any] | None = None, by: str = "a") -> Scene:
    """Return the scene of an agent's request, with fresh friends and a fresh stranger.

    Args:
        proposal: what is to be committed, or nothing yet.
        by: whose grants count, a trusted principal of the profile.
    """
    return Scene(
        service=t.facts.service_id,
        capability=str((proposal or {}).get("capability", "")),
        now=int(t.now()),
        principal=t.principal(by).key,
        stranger=new_key(),
        agent=agent.key,
        friends=tuple(_friend() for _ in range(FRIENDS)),
        nonce=lambda: secrets.token_urlsafe(9),
        proposal=proposal or {},
    )


def _friend() -> KeyPair:
    key = new_key()
    while not has_both_alphabets(key.public):
        key = new_key()
    return key


def scene_of(offer: Offer, by: str = "a") -> Scene:
    """Return the scene of a COMMIT of an offer's first proposal."""
    proposal = {**offer.proposal, "capability": offer.capability}
    return scene(offer.instance.context, offer.agent, proposal, by)


def refusals(*tables: Sequence[Recipe]) -> list[Refusal]:
    """Return the cases of tables of recipes that are refused, for `refused_commits`."""
    return [_refusal(recipe) for table in tables for recipe in table]


def _refusal(recipe: Recipe) -> Refusal:
    def change(offer: Offer) -> Frame:
        return offer.commit(grants=[recipe.make(scene_of(offer))])

    return Refusal(recipe.name, recipe.clause, change, recipe.codes)


def undo_refusals(*tables: Sequence[Recipe], clause: str | None = None) -> list[Refusal]:
    """Return the same cases for `refused_undos`; they may prove another clause than their own."""
    return [_undo_refusal(recipe, clause or recipe.clause) for table in tables for recipe in table]


def _undo_refusal(recipe: Recipe, clause: str) -> Refusal:
    def change(offer: Offer, receipt: dict[str, Any]) -> Frame:
        return offer.undo(receipt, grants=[recipe.make(scene_of(offer))])

    return Refusal(recipe.name, clause, change, recipe.codes)


def proof_refusals(verb: str, others: Callable[..., dict[str, str]], *tables: Sequence[ProofRecipe]) -> list[Refusal]:
    """Return cases of wrong proofs on COMMIT or UNDO.

    Args:
        others: returns the stage's other targets, given the offer (and for UNDO the receipt).
    """

    def made(recipe: ProofRecipe) -> Refusal:
        def fits(offer: Offer, receipt: dict[str, Any]) -> bool:
            return bool(others(offer, receipt).get(recipe.over) != receipt["id"])  # it may be called as its proposal

        def change(offer: Offer, *receipt: dict[str, Any]) -> Frame:
            target = receipt[0]["id"] if receipt else offer.proposal["hash"]
            stage = stage_of(offer.instance.context, offer.agent, verb, target, others(offer, *receipt))
            frame = offer.undo(receipt[0]) if receipt else offer.commit()
            return {**frame, "proof": recipe.make(stage)}

        # A key that reads as another's is no requester's key either, and which check comes first is open (YEA-Q47).
        codes = ("unauthorized", "forbidden") if recipe.foreign and verb == "COMMIT" else ("unauthorized",)
        return Refusal(recipe.name, recipe.clause, change, codes, fits=fits)

    return [made(recipe) for table in tables for recipe in table if verb in recipe.verbs]


def request_refusals(
    t: Context, agent: Agent, others: dict[str, str], *tables: Sequence[ProofRecipe], clause: str | None = None
) -> list[Refusal]:
    """Return cases of wrong proofs on ASK or INTENT, for `refused_requests`."""

    def made(recipe: ProofRecipe) -> Refusal:
        def change(frame: Frame) -> Frame:
            stage = stage_of(t, agent, str(frame["verb"]), str(frame["capability"]), others)
            return {**frame, "proof": recipe.make(stage)}

        return Refusal(recipe.name, clause or recipe.clause, change, ("unauthorized",))

    return [made(recipe) for table in tables for recipe in table if "ASK" in recipe.verbs]


def stage_of(t: Context, agent: Agent, verb: str, target: str, others: dict[str, str]) -> Stage:
    """Return the stage of one request's proof."""
    return Stage(t.facts.service_id, verb, target, int(t.now()), agent.key, new_key(), others)


def together(at: Scene, recipes: Sequence[Recipe]) -> str:
    """Return one grant with the caveats of all these one-block grants besides its scope."""
    scoped = len(at.scope())
    made = [json.loads(token_text(recipe.make(at)))[0]["p"]["caveats"][scoped:] for recipe in recipes]
    return at.grant(*(caveat for caveats in made for caveat in caveats))


def _batches(at: Scene, recipes: Sequence[Recipe]) -> list[list[Recipe]]:
    """Return the recipes in groups of which none has two totals of one measure: twice may count twice (YEA-Q69)."""
    batches: list[tuple[list[Recipe], set[str]]] = []
    for recipe in recipes:
        measures = _totals(at, recipe)
        batch = next((batch for batch in batches if not batch[1] & measures), None)
        if batch is None:
            batches.append(batch := ([], set()))
        batch[0].append(recipe)
        batch[1].update(measures)
    return [batch for batch, _ in batches]


def _totals(at: Scene, recipe: Recipe) -> set[str]:
    """Return the measures that a one-block grant has totals of."""
    caveats = json.loads(token_text(recipe.make(at)))[0]["p"]["caveats"]
    return {caveat["total"]["of"] for caveat in caveats if "total" in caveat}


async def priced(t: Context, role: str = "uses", agent: Agent | None = None, *, by: str = "a") -> Offer:
    """Return an offer of a role whose proposal reports a measure above 0; raises Untested when it reports none."""
    offer = await t.offer(role, agent=agent, by=by)
    if measured(offer.proposal) is None:
        raise Untested(f"the proposal for the role {role} reports no measure above 0")
    return offer


async def priced_alike(t: Context, agents: Sequence[Agent], role: str = "uses") -> list[Offer]:
    """Return an offer for each agent, all of one measure and one quantity of it, so that a total counts commits.

    Raises NotApplicable when the quantities differ.
    """
    offers = [await priced(t, role, agent) for agent in agents]
    if len({_exactly(offer) for offer in offers}) > 1:
        raise NotApplicable(f"the proposals for the role {role} do not all use the same quantity")
    return offers


def _exactly(offer: Offer) -> tuple[Any, ...]:
    name, quantity = measured(offer.proposal) or ("", {"amount": 0})
    return name, value(quantity), quantity.get("unit")


async def accepted(
    t: Context, make: Callable[[], Awaitable[Offer]], recipes: Sequence[Recipe], conn: Connection | None = None
) -> None:
    """Expect a COMMIT to be accepted under each of these grants.

    They are tried as the caveats of one grant, which takes one COMMIT (another for a second total of one measure). Only
    if that is refused is each tried alone, to see which one it was.
    """
    for batch in _batches(scene_of(await make()), recipes):
        await _accepted(t, make, batch, conn)


async def _accepted(
    t: Context, make: Callable[[], Awaitable[Offer]], recipes: Sequence[Recipe], conn: Connection | None
) -> None:
    offer = await make()
    whole = await t.send(offer.commit(grants=[together(scene_of(offer), recipes)]), conn)
    if whole.kind == "RECEIPT":
        for recipe in recipes:
            t.expect(recipe.clause, True, wanted=f"RECEIPT to a COMMIT with {recipe.name}", got=whole)
        return
    single = True
    for recipe in recipes:
        exchange = await t.send(offer.commit(grants=[recipe.make(scene_of(offer))]), conn)
        ok = exchange.kind == "RECEIPT"
        single &= t.expect(recipe.clause, ok, wanted=f"RECEIPT to a COMMIT with {recipe.name}", got=exchange)
        if ok:
            offer = await make()
    if single:
        wanted = "RECEIPT under a grant with many caveats that are all satisfied"
        t.expect(recipes[0].clause, False, wanted=wanted, got=whole)
