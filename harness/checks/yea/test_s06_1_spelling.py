"""YEA 6.1, keys and encoding: one spelling for each key, signature and token, and nothing else verifies.

A respelt signature would be a new block id, and a new block id a fresh total; so what looks like pedantry here is what
keeps a limit a limit.
"""

from collections.abc import Callable

from harness.check import check
from harness.context import Context
from harness.errors import Untested
from harness.recipes.limits import limit
from harness.recipes.proofs import MISSHAPEN, SPELLED_OTHERWISE
from harness.recipes.proofs import SECOND_SIGNATURES as SECOND_PROOFS
from harness.recipes.recipe import clauses
from harness.recipes.scene import PREFIX, Block, token
from harness.recipes.spelling import (
    KEY_SPELLINGS,
    SECOND_SIGNATURES,
    SIGNATURE_SPELLINGS,
    SPELLINGS,
    TOKEN_SPELLINGS,
    spellable_root,
)
from harness.recipes.structure import HOLDERS
from harness.recipes.wire import priced, proof_refusals, refusals, request_refusals, scene_of
from harness.refusals import refused_commits, refused_requests, unchanged

ACCEPTED = "YEA-6.2-17"  # the closing control: a token of ours, spelt right
KEY_LENGTHS = tuple(recipe for recipe in HOLDERS if recipe.clause == "YEA-6.1-07")
PROOF_CLAUSES = clauses(SPELLED_OTHERWISE, MISSHAPEN)


@check(
    "yea/6.1/respelt-tokens-are-refused",
    *clauses(TOKEN_SPELLINGS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(TOKEN_SPELLINGS) + 2,
)
async def respelt_tokens(t: Context) -> None:
    """A token that is padded, spelt in another alphabet or with unused bits is unauthorized."""
    await refused_commits(t, "undoable", refusals(TOKEN_SPELLINGS), accept=ACCEPTED)


@check(
    "yea/6.1/respelt-block-signatures-are-refused",
    *clauses(SIGNATURE_SPELLINGS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(SIGNATURE_SPELLINGS) + 2,
)
async def respelt_signatures(t: Context) -> None:
    """A block signature in any other spelling than its canonical one is unauthorized, wherever it stands."""
    await refused_commits(t, "undoable", refusals(SIGNATURE_SPELLINGS), accept=ACCEPTED)


@check(
    "yea/6.1/respelt-keys-in-grants-are-refused",
    *clauses(KEY_SPELLINGS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(KEY_SPELLINGS) + 2,
)
async def respelt_keys(t: Context) -> None:
    """A holder or issuer whose key is respelt is not that key: the grant is unauthorized."""
    await refused_commits(t, "undoable", refusals(KEY_SPELLINGS), accept=ACCEPTED)


@check(
    "yea/6.1/keys-of-another-length-are-refused",
    "YEA-6.1-07",
    ACCEPTED,
    needs=("undoable",),
    commits=len(KEY_LENGTHS) + 2,
)
async def key_lengths(t: Context) -> None:
    """A grant to a key of 31 or 33 bytes is unauthorized, and no failure of the service."""
    await refused_commits(t, "undoable", refusals(KEY_LENGTHS), accept=ACCEPTED)


@check("yea/6.1/misspelt-proofs-fail-a-read", *PROOF_CLAUSES, "YEA-6.5-01", needs=("ask",), principals=1)
async def misspelt_proofs(t: Context) -> None:
    """An ASK whose proof spells its key or signature in any other way is unauthorized."""
    instance, agent = await t.role("ask"), t.agent()
    await refused_requests(
        t,
        lambda: t.with_grants("ASK", instance.capability, agent, params=instance.params),
        request_refusals(t, agent, {}, SPELLED_OTHERWISE, MISSHAPEN),
        "ANSWER",
        accept="YEA-6.5-01",
    )


@check(
    "yea/6.1/misspelt-proofs-fail-a-commit",
    *PROOF_CLAUSES,
    "YEA-6.5-01",
    needs=("undoable",),
    commits=len(SPELLED_OTHERWISE) + len(MISSHAPEN) + 2,
)
async def misspelt_proofs_on_commit(t: Context) -> None:
    """A COMMIT whose proof spells its key or signature in any other way is refused."""
    cases = proof_refusals("COMMIT", lambda offer: {}, SPELLED_OTHERWISE, MISSHAPEN)
    await refused_commits(t, "undoable", cases, accept="YEA-6.5-01")


@check("yea/6.1/second-signatures-are-refused", "YEA-6.1-02", ACCEPTED, needs=("undoable",), commits=4, basis="open")
async def second_signatures(t: Context) -> None:
    """A signature whose S is past the group's order, a second one for the same text, is refused (YEA-Q62)."""
    cases = [
        *refusals(SECOND_SIGNATURES),
        *proof_refusals("COMMIT", lambda offer: {}, SECOND_PROOFS),
    ]
    await refused_commits(t, "undoable", cases, accept=ACCEPTED)


@check(
    "yea/6.1/respelt-grants-get-no-fresh-total",
    *clauses(SPELLINGS),
    needs=("uses",),
    commits=2 + 2 * len(SPELLINGS),
)
async def respelt_totals(t: Context) -> None:
    """A grant whose total is used up does not get another one by being spelt otherwise."""
    agent = t.agent()
    first, second = await priced(t, agent=agent), await priced(t, agent=agent)
    root = spellable_root(scene_of(first), {"total": limit(first.proposal)})
    await t.commit(first, first.commit(grants=[token(root)]))
    before = await second.state()
    used_up = await t.send(second.commit(grants=[token(root)]))
    if used_up.code != "consent_required":
        raise Untested(f"a COMMIT under a total that is used up got {used_up.seen()}")
    for spelling in SPELLINGS:
        for what, spelt in _spelt(root, spelling.write).items():
            exchange = await t.send(second.commit(grants=[spelt]))
            name = f"a used-up grant whose {what} has {spelling.name}"
            refused = exchange.kind == "ERROR" and exchange.code in ("unauthorized", "consent_required")
            t.expect(spelling.clause, refused, wanted=f"no fresh total for {name}", got=exchange)
            await unchanged(t, spelling.clause, second, before, f"a COMMIT with {name}")


def _spelt(root: Block, write: Callable[[str], str]) -> dict[str, str]:
    text = token(root).removeprefix(PREFIX)
    return {"token": PREFIX + write(text), "signature": token({**root, "s": write(root["s"])})}
