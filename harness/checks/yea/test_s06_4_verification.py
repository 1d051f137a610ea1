"""YEA 6.4, verification: each of its steps, with grants that are well-formed and fail just that one."""

from harness.check import check
from harness.context import Context
from harness.drafts import consent, draft
from harness.errors import Untested
from harness.offers import Offer
from harness.recipes import Recipe
from harness.recipes.caveats import LISTS, MISSES, TIMES, UNKNOWN
from harness.recipes.chains import FORBIDDEN_TOO, HOLDING, LATER_SIGNATURES, LINKS, ROOT_SIGNATURES, UNTRUSTED
from harness.recipes.recipe import clauses
from harness.recipes.spelling import PREFIXES
from harness.recipes.wire import refusals, scene_of, undo_refusals
from harness.refusals import refused_commits, refused_undos, unchanged

ACCEPTED = "YEA-6.2-17"  # the closing control: a token of ours that verifies
ORDER = tuple(recipe for recipe in LINKS if recipe.clause == "YEA-6.4-04")
HELD = tuple(recipe for recipe in HOLDING if recipe.clause != "YEA-6.2-14")


@check(
    "yea/6.4/tokens-begin-with-pg1",
    *clauses(PREFIXES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(PREFIXES) + 2,
)
async def tokens_begin_with_pg1(t: Context) -> None:
    """A token that begins otherwise than with pg1. is unauthorized."""
    await refused_commits(t, "undoable", refusals(PREFIXES), accept=ACCEPTED)


@check(
    "yea/6.4/a-wrong-root-signature-is-refused",
    *clauses(ROOT_SIGNATURES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(ROOT_SIGNATURES) + 2,
)
async def a_wrong_root_signature_is_refused(t: Context) -> None:
    """A root that was changed after signing, or signed by another key, is unauthorized."""
    await refused_commits(t, "undoable", refusals(ROOT_SIGNATURES), accept=ACCEPTED)


@check(
    "yea/6.4/a-wrong-later-signature-is-refused",
    *clauses(LATER_SIGNATURES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(LATER_SIGNATURES) + 2,
)
async def a_wrong_later_signature_is_refused(t: Context) -> None:
    """A later block that was changed after signing, or signed by another key, is unauthorized."""
    await refused_commits(t, "undoable", refusals(LATER_SIGNATURES), accept=ACCEPTED)


@check(
    "yea/6.4/blocks-stay-in-their-chain",
    *clauses(ORDER),
    ACCEPTED,
    needs=("undoable",),
    commits=len(ORDER) + 2,
)
async def blocks_stay_in_their_chain(t: Context) -> None:
    """A block whose prev is not the block before it makes the grant unauthorized."""
    await refused_commits(t, "undoable", refusals(ORDER), accept=ACCEPTED)


@check(
    "yea/6.4/the-holder-is-the-proofs-key",
    *clauses(HELD),
    ACCEPTED,
    needs=("undoable",),
    commits=len(HELD) + 2,
)
async def the_holder_is_the_proofs_key(t: Context) -> None:
    """A grant whose last holder is not the key of the proof is unauthorized."""
    await refused_commits(t, "undoable", refusals(HELD), accept=ACCEPTED)


@check(
    "yea/6.4/verification-comes-before-caveats",
    *clauses(FORBIDDEN_TOO),
    ACCEPTED,
    needs=("undoable",),
    commits=len(FORBIDDEN_TOO) + 2,
)
async def verification_comes_before_caveats(t: Context) -> None:
    """A grant that does not verify is unauthorized even when a caveat fails too."""
    await refused_commits(t, "undoable", refusals(FORBIDDEN_TOO), accept=ACCEPTED)


@check("yea/6.4/an-untrusted-issuer-is-refused", "YEA-6.4-06", ACCEPTED, needs=("undoable",), commits=4)
async def untrusted(t: Context) -> None:
    """A good grant of a principal that the service does not trust commits nothing."""
    # It names another principal than the proposal's too, and which of the two decides the code is open (YEA-Q47).
    cases = refusals([Recipe(r.name, r.clause, r.make, r.word, ("forbidden",)) for r in UNTRUSTED])
    await refused_commits(t, "undoable", cases, accept=ACCEPTED)


@check("yea/6.4/an-untrusted-issuer-is-unauthorized", "YEA-6.4-06", needs=("undoable",), commits=5)
async def untrusted_on_a_draft(t: Context) -> None:
    """Where a proposal belongs to no principal, a grant of one that nobody trusts is unauthorized, a consent too."""
    offer = await draft(t, "undoable")
    before = await offer.state()
    for what, tokens in _untrusted(t, offer).items():
        exchange = await t.send(offer.commit(grants=tokens))
        ok = exchange.code == "unauthorized"
        t.expect("YEA-6.4-06", ok, wanted=f"ERROR unauthorized to a COMMIT with {what}", got=exchange)
        await unchanged(t, "YEA-6.4-06", offer, before, f"a COMMIT with {what}")
    right = await t.send(offer.commit(grants=[consent(offer)]))
    if right.kind != "RECEIPT":
        raise Untested(f"a COMMIT with the consent of a trusted principal got {right.seen()}")


def _untrusted(t: Context, offer: Offer) -> dict[str, list[str]]:
    at = scene_of(offer)
    grants = {recipe.name: [recipe.make(at)] for recipe in UNTRUSTED}
    consented = consent(offer, by="x")
    both = [consented, *grants[UNTRUSTED[0].name]]
    return {**grants, "a stranger's consent": [consented], "a stranger's consent and grant": both}


VALID_BUT_NARROW = tuple(recipe for recipe in MISSES if recipe.clause not in ("YEA-6.3-12", "YEA-6.3-23"))
SAMPLE = (UNKNOWN[0], LISTS[0], TIMES[0])


@check(
    "yea/6.4/caveats-that-do-not-cover-are-forbidden",
    "YEA-6.4-09",
    "YEA-7-09",
    "YEA-4.5-01",
    needs=("undoable",),
    commits=len(VALID_BUT_NARROW) + 4,
)
async def forbidden_on_both(t: Context) -> None:
    """A grant that verifies and does not cover the request is forbidden, on COMMIT and on UNDO."""
    commits = [Recipe(r.name, "YEA-6.4-09", r.make, r.word) for r in VALID_BUT_NARROW]
    await refused_commits(t, "undoable", refusals(commits), accept="YEA-6.4-09")
    await refused_undos(t, "undoable", undo_refusals(VALID_BUT_NARROW, SAMPLE, clause="YEA-7-09"))
