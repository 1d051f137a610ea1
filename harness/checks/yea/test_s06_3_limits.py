"""YEA 6.3, each and total on one COMMIT: at the limit, past it, and in units that do not match."""

from harness.check import check
from harness.context import Context
from harness.recipes.limits import EACH, SOFT_AND_HARD, TOTAL, WITHIN
from harness.recipes.recipe import clauses
from harness.recipes.wire import accepted, priced, refusals
from harness.refusals import refused_commits

ACCEPTED = "YEA-6.3-01"  # the closing control: every caveat of the grant is satisfied


@check(
    "yea/6.3/an-each-below-the-quantity-asks-for-consent",
    *clauses(EACH),
    ACCEPTED,
    "YEA-6.6-04",
    needs=("uses",),
    commits=len(EACH) + 3,
)
async def each(t: Context) -> None:
    """An each below the proposal's quantity, or in another unit, gets consent_required and never forbidden."""
    await refused_commits(t, lambda: priced(t), refusals(EACH), accept=ACCEPTED)
    offer = await priced(t)
    t.expect_error("YEA-6.6-04", await t.send(refusals(EACH)[0].change(offer)), "consent_required")


@check(
    "yea/6.3/a-total-below-the-quantity-asks-for-consent",
    *clauses(TOTAL),
    ACCEPTED,
    "YEA-6.6-05",
    needs=("uses",),
    commits=len(TOTAL) + 3,
)
async def total(t: Context) -> None:
    """A total below the proposal's quantity, or in another unit, gets consent_required and never forbidden."""
    await refused_commits(t, lambda: priced(t), refusals(TOTAL), accept=ACCEPTED)
    offer = await priced(t)
    t.expect_error("YEA-6.6-05", await t.send(refusals(TOTAL)[0].change(offer)), "consent_required")


@check("yea/6.3/limits-at-the-quantity-let-it-pass", *clauses(WITHIN), needs=("uses",), commits=len(WITHIN) + 2)
async def within(t: Context) -> None:
    """Limits at or above the quantity, in any scale, and limits on other measures do not stop a commit."""
    await accepted(t, lambda: priced(t), WITHIN)


@check(
    "yea/6.6/a-hard-failure-beats-a-soft-one",
    *clauses(SOFT_AND_HARD),
    ACCEPTED,
    needs=("uses",),
    commits=len(SOFT_AND_HARD) + 2,
)
async def soft_and_hard(t: Context) -> None:
    """A grant that fails a limit and a caveat that no consent lifts is forbidden."""
    await refused_commits(t, lambda: priced(t), refusals(SOFT_AND_HARD), accept=ACCEPTED)
