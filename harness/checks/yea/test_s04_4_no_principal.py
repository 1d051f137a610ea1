"""YEA 4.4, proposals without a principal: only a consent commits them, and it decides for whom.

They come from an INTENT whose grants did not authorize it. A target may refuse such an INTENT (YEA-Q43): then nothing
here applies.
"""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.drafts import consent, draft, expiry
from harness.offers import Offer, receipt_of
from harness.recipes.consents import DELEGATED, FOR_ANOTHER, MORE_OR_LESS, ORDERS, OTHER_VALUES
from harness.recipes.recipe import Recipe, clauses
from harness.recipes.wire import scene_of
from harness.refusals import shows_receipt, unchanged

Frame = dict[str, Any]
NEAR = (DELEGATED, MORE_OR_LESS, OTHER_VALUES, FOR_ANOTHER)


@check("yea/4.4/no-principal-asks-for-consent", "YEA-4.4-07", "YEA-4.4-08", needs=("undoable",), commits=2)
async def asks_for_consent(t: Context) -> None:
    """A COMMIT of a proposal without a principal, under a grant that would do, gets consent_required for its issuer."""
    offer = await draft(t, "undoable")
    before = await offer.state()
    exchange = await t.send(offer.commit())
    if t.expect_error("YEA-4.4-07", exchange, "consent_required"):
        _expect_named(t, "YEA-4.4-08", exchange.reply.get("consent"), "a")
    await unchanged(t, "YEA-4.4-07", offer, before, "a COMMIT without consent")
    t.expect_kind("YEA-4.4-07", await t.send(offer.commit(grants=[consent(offer)])), "RECEIPT")


def _expect_named(t: Context, clause: str, given: Any, name: str) -> None:
    named = given.get("principal") if isinstance(given, dict) else None
    key = t.principal(name).public
    t.expect(clause, same(named, key), wanted=f"consent.principal {key}", got=named)


@check("yea/4.4/consent-commits-without-a-principal", *clauses(ORDERS), needs=("undoable",), commits=len(ORDERS))
async def consents(t: Context) -> None:
    """A consent of a trusted principal commits a proposal without a principal, its caveats in any order."""
    for recipe in ORDERS:
        offer = await draft(t, "undoable")
        expiry(offer)  # a consent can be made at all
        exchange = await t.send(offer.commit(grants=[recipe.make(scene_of(offer))]))
        t.expect(recipe.clause, exchange.kind == "RECEIPT", wanted=f"RECEIPT to {recipe.name}", got=exchange)


@check("yea/4.4/any-trusted-principal-may-consent", "YEA-4.4-09", needs=("undoable",), principals=2, commits=1)
async def any_principal(t: Context) -> None:
    """A consent of the other trusted principal commits it as well, though the grants on the INTENT were not its own."""
    offer = await draft(t, "undoable")
    exchange = await t.send(offer.commit(grants=[consent(offer, by="b")]))
    t.expect_kind("YEA-4.4-09", exchange, "RECEIPT")


@check(
    "yea/4.4/a-near-consent-is-none",
    *clauses(*NEAR),
    "YEA-4.4-09",
    needs=("undoable",),
    commits=sum(map(len, NEAR)) + 1,
)
async def near_consents(t: Context) -> None:
    """A grant with a caveat more, less or otherwise than a consent's, or a delegated one, is no consent."""
    offer = await draft(t, "undoable")
    expiry(offer)  # a consent can be made at all
    before = await offer.state()
    for recipe in (recipe for table in NEAR for recipe in table):
        offer, before = await _refuse(t, offer, before, recipe)
    t.expect_kind("YEA-4.4-09", await t.send(offer.commit(grants=[consent(offer)])), "RECEIPT")


async def _refuse(t: Context, offer: Offer, before: Any, recipe: Recipe) -> tuple[Offer, Any]:
    """Try one near-consent and return the offer to go on with: a new one if this was wrongly committed."""
    exchange = await t.send(offer.commit(grants=[recipe.make(scene_of(offer))]))
    ok = exchange.code in recipe.codes
    t.expect(recipe.clause, ok, wanted=f"ERROR {recipe.word} to a COMMIT with {recipe.name}", got=exchange)
    await unchanged(t, recipe.clause, offer, before, f"a COMMIT with {recipe.name}")
    if exchange.kind == "RECEIPT":
        offer = await draft(t, "undoable")
        before = await offer.state()
    return offer, before


@check("yea/4.4/the-first-consent-decides-for-whom", "YEA-4.4-15", needs=("undoable",), principals=2, commits=2)
async def first_consent(t: Context) -> None:
    """The commit acts for the issuer of the consent, wherever it stands; that principal alone can undo it."""
    for order in ("first", "last"):
        offer = await draft(t, "undoable")
        signed, plain = consent(offer, by="b"), t.grant(offer.agent)
        listed = [signed, plain] if order == "first" else [plain, signed]
        exchange = await t.send(offer.commit(grants=listed))
        wanted = f"RECEIPT with B's consent {order} beside A's grant"
        if not t.expect("YEA-4.4-15", exchange.kind == "RECEIPT", wanted=wanted, got=exchange):
            continue
        receipt = receipt_of(exchange)
        by_a = await t.send(offer.undo(receipt, grants=[t.grant(offer.agent)]))
        t.expect("YEA-4.4-15", by_a.code == "forbidden", wanted="forbidden to undo it for A", got=by_a)
        by_b = await t.send(offer.undo(receipt, grants=[t.grant(offer.agent, by="b")]))
        t.expect("YEA-4.4-15", by_b.kind == "RECEIPT", wanted="RECEIPT to undo it for B", got=by_b)


@check("yea/4.4/the-first-of-two-consents-decides", "YEA-4.4-15", needs=("undoable",), principals=2, commits=2)
async def two_consents(t: Context) -> None:
    """With consents of two principals the commit acts for the first one's."""
    for first, second in (("a", "b"), ("b", "a")):
        offer = await draft(t, "undoable")
        exchange = await t.send(offer.commit(grants=[consent(offer, by=first), consent(offer, by=second)]))
        if not t.expect_kind("YEA-4.4-15", exchange, "RECEIPT"):
            continue
        receipt = receipt_of(exchange)
        other = await t.send(offer.undo(receipt, grants=[t.grant(offer.agent, by=second)]))
        t.expect("YEA-4.4-15", other.code == "forbidden", wanted=f"forbidden to undo it for {second}", got=other)
        own = await t.send(offer.undo(receipt, grants=[t.grant(offer.agent, by=first)]))
        t.expect("YEA-4.4-15", own.kind == "RECEIPT", wanted=f"RECEIPT to undo it for {first}", got=own)


@check("yea/4.4/its-replay-is-for-that-principal", "YEA-4.4-16", needs=("undoable",), principals=2, commits=3)
async def replay_for_the_consenter(t: Context) -> None:
    """A replay of a commit by consent is for the principal that consented, and no other."""
    offer = await draft(t, "undoable")
    first = await t.commit(offer, offer.commit(grants=[consent(offer)]))
    by_b = await t.send(offer.commit(grants=[t.grant(offer.agent, by="b")]))
    t.expect_error("YEA-4.4-16", by_b, "forbidden")
    receipt = first.reply["receipt"]["id"]
    hidden = not shows_receipt(by_b, receipt)
    t.expect("YEA-4.4-16", hidden, wanted="nothing of the receipt for B", got=by_b)
    by_a = await t.send(offer.commit(grants=[t.grant(offer.agent)]))
    equal = isinstance(by_a.reply.get("receipt"), dict) and same(by_a.reply["receipt"].get("id"), receipt)
    t.expect("YEA-4.4-16", equal, wanted="the first receipt again for A", got=by_a)


@check(
    "yea/4.4/without-consent-the-first-grant-names-the-principal",
    "YEA-4.4-17",
    needs=("undoable",),
    principals=2,
    commits=2,
)
async def first_grant(t: Context) -> None:
    """Without a consent the earliest grant that would do names whose consent is asked for."""
    offer = await draft(t, "undoable")
    grants = {name: t.grant(offer.agent, by=name) for name in ("a", "b")}
    for first, second in (("b", "a"), ("a", "b")):
        exchange = await t.send(offer.commit(grants=[grants[first], grants[second]]))
        if t.expect_error("YEA-4.4-17", exchange, "consent_required"):
            _expect_named(t, "YEA-4.4-17", exchange.reply.get("consent"), first)
