"""YEA 6.2, structure: what a grant is made of, and that a malformed one is unauthorized, never forbidden.

The malformed ones are signed by the right keys, so that only their shape can be why they are refused.
"""

from harness.check import check
from harness.context import Context
from harness.offers import Offer
from harness.recipes.caveats import NARROWED
from harness.recipes.chains import HOLDING, LINKS, SIGNERS
from harness.recipes.recipe import clauses
from harness.recipes.scene import token
from harness.recipes.spelling import NUMBERS, UNDECODABLE
from harness.recipes.structure import (
    BLOCKS,
    FIELDS,
    FRACTIONS,
    HOLDERS,
    LARGE_NUMBERS,
    MALFORMED_AND_FORBIDDEN,
    SIGNATURES,
    SIGNED_TEXTS,
    SURROGATES,
    TEXTS,
)
from harness.recipes.wire import refusals, scene, scene_of
from harness.refusals import Refusal, refused_commits

ACCEPTED = "YEA-6.2-17"  # the closing control: a token of ours that is as it must be
SUBS = tuple(recipe for recipe in HOLDERS if recipe.clause == "YEA-6.2-10")
PREVS = tuple(recipe for recipe in LINKS if recipe.clause == "YEA-6.2-05")
AWAY = tuple(recipe for recipe in HOLDING if recipe.clause == "YEA-6.2-14")
CHAINS = (2, 3, 5)


@check("yea/6.2/any-text-is-signed", *clauses(TEXTS), needs=("undoable",), commits=1 + len(TEXTS))
async def any_text(t: Context) -> None:
    """A grant whose nonce holds any text verifies: the canonical form that is signed is as section 10 spells it."""
    await t.commit(await t.offer("undoable"))
    for recipe in TEXTS:
        offer = await t.offer("undoable")
        exchange = await t.send(offer.commit(grants=[recipe.make(scene_of(offer))]))
        wanted = f"RECEIPT to a COMMIT with {recipe.name}"
        t.expect(recipe.clause, exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check(
    "yea/6.2/chains-made-offline-are-accepted",
    "YEA-6.2-02",
    "YEA-6.2-03",
    "YEA-6.2-04",
    "YEA-6.2-05",
    "YEA-6.2-14",
    "YEA-6.2-15",
    "YEA-6.2-17",
    needs=("undoable",),
    commits=2 + len(CHAINS),
)
async def chains(t: Context) -> None:
    """A grant that was delegated once, twice or four times, with nobody asked, works for its last holder."""
    await t.commit(await t.offer("undoable"))
    root = t.agent()
    whole = await t.send((await t.offer("undoable", agent=root, grant=scene(t, root).grant())).commit())
    for clause in ("YEA-6.2-02", "YEA-6.2-03", "YEA-6.2-17"):
        t.expect_kind(clause, whole, "RECEIPT")
    for length in CHAINS:
        agent = t.agent()
        held = token(*scene(t, agent).chain(*[()] * length))
        exchange = await t.send((await t.offer("undoable", agent=agent, grant=held)).commit())
        for clause in ("YEA-6.2-04", "YEA-6.2-05", "YEA-6.2-14", "YEA-6.2-15"):
            wanted = f"RECEIPT to the last holder of {length} blocks"
            t.expect(clause, exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check(
    "yea/6.2/undecodable-tokens-are-refused",
    *clauses(UNDECODABLE),
    ACCEPTED,
    needs=("undoable",),
    commits=len(UNDECODABLE) + 2,
)
async def undecodable_tokens_are_refused(t: Context) -> None:
    """A token that is no base64url of a list of blocks is unauthorized, and no failure of the service."""
    await refused_commits(t, "undoable", refusals(UNDECODABLE), accept=ACCEPTED)


@check(
    "yea/6.2/odd-number-spellings-are-refused",
    *clauses(NUMBERS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(NUMBERS) + 2,
)
async def odd_number_spellings_are_refused(t: Context) -> None:
    """A token that spells an integer 1.0, 1e3 or -0 is unauthorized, whatever it is worth."""
    await refused_commits(t, "undoable", refusals(NUMBERS), accept=ACCEPTED)


@check(
    "yea/6.2/non-objects-as-blocks-are-refused",
    *clauses(BLOCKS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(BLOCKS) + 2,
)
async def non_objects_as_blocks_are_refused(t: Context) -> None:
    """A block that is no object, or whose payload is none, makes the grant unauthorized."""
    await refused_commits(t, "undoable", refusals(BLOCKS), accept=ACCEPTED)


@check(
    "yea/6.2/malformed-signatures-are-refused",
    *clauses(SIGNATURES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SIGNATURES) + 2,
)
async def malformed_signatures_are_refused(t: Context) -> None:
    """A block whose signature is missing or not 64 bytes makes the grant unauthorized."""
    await refused_commits(t, "undoable", refusals(SIGNATURES), accept=ACCEPTED)


@check(
    "yea/6.2/missing-or-mistyped-fields-are-refused",
    *clauses(FIELDS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(FIELDS) + 2,
)
async def missing_or_mistyped_fields_are_refused(t: Context) -> None:
    """A rightly signed block without one of its fields, or with one of another type, is unauthorized."""
    await refused_commits(t, "undoable", refusals(FIELDS), accept=ACCEPTED)


@check(
    "yea/6.2/holders-that-are-no-keys-are-refused",
    *clauses(SUBS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SUBS) + 2,
)
async def holders_that_are_no_keys_are_refused(t: Context) -> None:
    """A block to a holder that is no public key makes the grant unauthorized, at any place."""
    await refused_commits(t, "undoable", refusals(SUBS), accept=ACCEPTED)


@check(
    "yea/6.2/fractions-in-payloads-are-refused",
    *clauses(FRACTIONS, LARGE_NUMBERS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(FRACTIONS) + len(LARGE_NUMBERS) + 2,
)
async def fractions_in_payloads_are_refused(t: Context) -> None:
    """A payload with a number that has no canonical form is unauthorized, not forbidden."""
    await refused_commits(t, "undoable", refusals(FRACTIONS, LARGE_NUMBERS), accept=ACCEPTED)


@check(
    "yea/6.2/lone-surrogates-in-payloads-are-refused",
    *clauses(SURROGATES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SURROGATES) + 2,
)
async def lone_surrogates_in_payloads_are_refused(t: Context) -> None:
    """A payload with a lone surrogate in any string or key is unauthorized, and no failure of the service."""
    await refused_commits(t, "undoable", refusals(SURROGATES), accept=ACCEPTED)


@check(
    "yea/6.2/signatures-cover-the-canonical-form",
    *clauses(SIGNED_TEXTS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SIGNED_TEXTS) + 2,
)
async def signatures_cover_the_canonical_form(t: Context) -> None:
    """A signature over any other text of the payload than its canonical form is unauthorized."""
    await refused_commits(t, "undoable", refusals(SIGNED_TEXTS), accept=ACCEPTED)


@check(
    "yea/6.2/blocks-are-signed-by-the-holder-before",
    *clauses(SIGNERS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SIGNERS) + 2,
)
async def blocks_are_signed_by_the_holder_before(t: Context) -> None:
    """A root not signed by its issuer, or a delegation not signed by the holder before it, is unauthorized."""
    await refused_commits(t, "undoable", refusals(SIGNERS), accept=ACCEPTED)


@check(
    "yea/6.2/prev-is-the-hash-of-the-signature-text",
    *clauses(PREVS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(PREVS) + 2,
)
async def prev_is_the_hash_of_the_signature_text(t: Context) -> None:
    """A prev that is not the hash of the signature text before it makes the grant unauthorized."""
    await refused_commits(t, "undoable", refusals(PREVS), accept=ACCEPTED)


@check(
    "yea/6.2/malformed-beats-forbidden",
    *clauses(MALFORMED_AND_FORBIDDEN),
    ACCEPTED,
    needs=("undoable",),
    commits=len(MALFORMED_AND_FORBIDDEN) + 2,
)
async def malformed_beats_forbidden(t: Context) -> None:
    """A grant with a malformed block is unauthorized even when a caveat fails too."""
    await refused_commits(t, "undoable", refusals(MALFORMED_AND_FORBIDDEN), accept=ACCEPTED)


@check(
    "yea/6.2/a-delegated-grant-is-its-last-holders",
    *clauses(AWAY),
    ACCEPTED,
    needs=("undoable",),
    commits=len(AWAY) + 2,
)
async def a_delegated_grant_is_its_last_holders(t: Context) -> None:
    """An agent that delegated its grant is not the holder of what it made."""
    await refused_commits(t, "undoable", refusals(AWAY), accept=ACCEPTED)


@check(
    "yea/6.2/a-delegation-only-narrows",
    *clauses(NARROWED),
    ACCEPTED,
    needs=("undoable",),
    commits=len(NARROWED) + 2,
)
async def a_delegation_only_narrows(t: Context) -> None:
    """What a delegation allows does not widen what the block before it allows."""
    await refused_commits(t, "undoable", refusals(NARROWED), accept=ACCEPTED)


def _low_then_high(offer: Offer) -> str:
    return token(*scene_of(offer).chain(({"risk": "low"},), ({"risk": "high"},)))


@check("yea/6.2/a-delegation-lifts-no-risk-ceiling", "YEA-6.2-16", ACCEPTED, needs=("risky",), commits=3)
async def risk_only_narrows(t: Context) -> None:
    """A delegation that says risk high does not lift the ceiling of the block before it."""
    case = Refusal(
        "a root that says risk low and a child that says high",
        "YEA-6.2-16",
        lambda offer: offer.commit(grants=[_low_then_high(offer)]),
        ("consent_required",),
    )
    await refused_commits(t, "risky", [case], accept=ACCEPTED)
