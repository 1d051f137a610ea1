"""YEA 6.3, caveats: what holds, what does not, and that the unknown and the malformed fail closed."""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.encoding import shown
from harness.errors import NotApplicable
from harness.offers import Offer
from harness.recipes.caveats import (
    HOLDS,
    LEVELS,
    LIMIT_RANGES,
    LIMIT_SHAPES,
    LISTS,
    MISSES,
    OTHER,
    PLACES,
    TIMES,
    UNKNOWN,
    UNREPORTED,
)
from harness.recipes.recipe import clauses
from harness.recipes.wire import accepted, refusals, scene_of, undo_refusals
from harness.refusals import Refusal, refused_commits, refused_undos

ACCEPTED = "YEA-6.3-01"  # the closing control: every caveat of the grant is satisfied


@check(
    "yea/6.3/unknown-caveats-are-forbidden",
    *clauses(UNKNOWN),
    ACCEPTED,
    needs=("undoable",),
    commits=len(UNKNOWN) + 2,
)
async def unknown_caveats_are_forbidden(t: Context) -> None:
    """A caveat with an unknown name, or that is no single-key object, forbids the COMMIT."""
    await refused_commits(t, "undoable", refusals(UNKNOWN), accept=ACCEPTED)


@check(
    "yea/6.3/malformed-lists-are-forbidden",
    *clauses(LISTS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(LISTS) + 2,
)
async def malformed_lists_are_forbidden(t: Context) -> None:
    """An svc, verbs or can that is no list of strings forbids the COMMIT, even if it reads as covering it."""
    await refused_commits(t, "undoable", refusals(LISTS), accept=ACCEPTED)


@check(
    "yea/6.3/malformed-times-are-forbidden",
    *clauses(TIMES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(TIMES) + 2,
)
async def malformed_times_are_forbidden(t: Context) -> None:
    """An exp or nbf that is no integer forbids the COMMIT."""
    await refused_commits(t, "undoable", refusals(TIMES), accept=ACCEPTED)


@check(
    "yea/6.3/malformed-risk-and-only-are-forbidden",
    *clauses(LEVELS),
    ACCEPTED,
    needs=("undoable",),
    commits=len(LEVELS) + 2,
)
async def malformed_risk_and_only_are_forbidden(t: Context) -> None:
    """A risk that is no level, or an only that is no string, forbids the COMMIT."""
    await refused_commits(t, "undoable", refusals(LEVELS), accept=ACCEPTED)


@check(
    "yea/6.3/malformed-limits-are-forbidden",
    *clauses(LIMIT_SHAPES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(LIMIT_SHAPES) + 2,
)
async def malformed_limits_are_forbidden(t: Context) -> None:
    """An each or total that is no limit forbids the COMMIT, also of what it does not measure."""
    await refused_commits(t, "undoable", refusals(LIMIT_SHAPES), accept=ACCEPTED)


@check(
    "yea/6.3/limits-out-of-range-are-forbidden",
    *clauses(LIMIT_RANGES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(LIMIT_RANGES) + 2,
)
async def limits_out_of_range_are_forbidden(t: Context) -> None:
    """An each or total outside the ranges of quantities forbids the COMMIT."""
    await refused_commits(t, "undoable", refusals(LIMIT_RANGES), accept=ACCEPTED)


@check(
    "yea/6.3/unsatisfied-caveats-are-forbidden",
    *clauses(MISSES),
    ACCEPTED,
    needs=("undoable",),
    commits=len(MISSES) + 2,
)
async def unsatisfied_caveats_are_forbidden(t: Context) -> None:
    """An svc, verbs, can, exp, nbf or only that does not cover the COMMIT forbids it."""
    await refused_commits(t, "undoable", refusals(MISSES), accept=ACCEPTED)


@check(
    "yea/6.3/every-caveat-of-every-block-counts",
    *clauses(PLACES),
    needs=("undoable",),
    commits=len(PLACES) + 2,
)
async def every_caveat_of_every_block_counts(t: Context) -> None:
    """One failing caveat forbids the COMMIT, wherever it stands in the list and the chain."""
    await refused_commits(t, "undoable", refusals(PLACES), accept=ACCEPTED)


@check("yea/6.3/satisfied-caveats-let-a-commit-pass", *clauses(HOLDS), needs=("undoable",), commits=len(HOLDS) + 1)
async def satisfied(t: Context) -> None:
    """Well-formed caveats that cover the COMMIT do not stop it, all of them together."""
    await accepted(t, lambda: t.offer("undoable"), HOLDS)


MALFORMED_ON_UNDO = (*LEVELS[:2], *LEVELS[-2:], *LIMIT_SHAPES[:1], *LIMIT_RANGES[:1], *LIMIT_RANGES[-1:])


@check(
    "yea/6.3/malformed-commit-caveats-forbid-an-undo",
    "YEA-6.3-10",
    "YEA-4.5-01",
    needs=("undoable",),
    commits=2,
    basis="open",
)
async def malformed_on_undo(t: Context) -> None:
    """A malformed each, total, risk or only forbids an UNDO as well (YEA-Q65)."""
    await refused_undos(t, "undoable", undo_refusals(MALFORMED_ON_UNDO, clause="YEA-6.3-10"))


NO_BOUND_HERE: tuple[dict[str, Any], ...] = (
    {"each": {"of": UNREPORTED, "max": 0}},
    {"total": {"of": UNREPORTED, "max": 0}},
    {"risk": "low"},
    {"only": "x"},
)


def _commit_only(offer: Offer) -> list[dict[str, Any]]:
    """Return caveats that no COMMIT of the offer satisfies, on whatever it reports."""
    uses = offer.proposal.get("uses")
    reported = [{name: {"of": of, "max": 0}} for of in uses for name in ("each", "total")] if uses else []
    return [*NO_BOUND_HERE, *reported]


@check("yea/6.3/commit-caveats-do-not-bind-an-intent", "YEA-6.3-24", "YEA-6.3-23", needs=("undoable",), commits=2)
async def commit_caveats_on_intent(t: Context) -> None:
    """An INTENT under each, total and only that no COMMIT satisfies is authorized, so its proposal has a principal."""
    agent = t.agent()
    narrow = t.grant(agent, *NO_BOUND_HERE)
    offer = await t.offer("undoable", agent=agent, grant=narrow)
    t.expect_error("YEA-6.3-23", await t.send(offer.commit()), "forbidden")
    exchange = await t.send(offer.commit(grants=[t.grant(agent)]))
    wanted = "RECEIPT under a plain grant, so the INTENT was authorized"
    t.expect("YEA-6.3-24", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/6.3/commit-caveats-do-not-bind-an-undo", "YEA-6.3-24", needs=("undoable",), commits=1)
async def commit_caveats_on_undo(t: Context) -> None:
    """An UNDO under each, total, risk and only that no COMMIT satisfies is carried out."""
    offer = await t.offer("undoable")
    receipt = (await t.commit(offer)).reply["receipt"]
    narrow = t.grant(offer.agent, *_commit_only(offer))
    exchange = await t.send(offer.undo(receipt, grants=[narrow]))
    t.expect_kind("YEA-6.3-24", exchange, "RECEIPT")


@check("yea/6.3/can-on-undo-is-the-receipts-capability", "YEA-6.3-25", needs=("undoable",), commits=3)
async def can_on_undo(t: Context) -> None:
    """On UNDO, can is checked against the capability of the receipt that is undone."""

    def under(*patterns: str) -> Any:
        return lambda offer, receipt: offer.undo(receipt, grants=[t.grant(offer.agent, can=list(patterns))])

    cases = [
        Refusal(f"a can of {pattern!r}", "YEA-6.3-25", under(pattern), ("forbidden",))
        for pattern in (OTHER, "other.*", "UNDO")
    ]
    await refused_undos(t, "undoable", cases, accept="YEA-6.3-25")
    offer = await t.offer("undoable")
    receipt = (await t.commit(offer)).reply["receipt"]
    narrow = t.grant(offer.agent, can=[offer.capability], verbs=["UNDO"])
    t.expect_kind("YEA-6.3-25", await t.send(offer.undo(receipt, grants=[narrow])), "RECEIPT")


LEVEL_NAMES = ("low", "medium", "high")


@check("yea/6.3/risk-is-a-ceiling", "YEA-6.3-21", "YEA-6.6-06", needs=("risky",), commits=6)
async def risk_ceiling(t: Context) -> None:
    """A risk caveat below the proposal's risk gets consent_required; at it or above, the commit passes."""
    risk = (await t.offer("risky")).proposal.get("risk")
    at = LEVEL_NAMES.index(risk) if risk in LEVEL_NAMES else 0
    cases = [
        Refusal(f"risk {level} for a {risk} proposal", clause, _under_risk(level), ("consent_required",))
        for level in LEVEL_NAMES[:at]
        for clause in ("YEA-6.3-21", "YEA-6.6-06")
    ]
    await refused_commits(t, "risky", cases, accept="YEA-6.3-21")
    for level in LEVEL_NAMES[at:]:
        offer = await t.offer("risky")
        wanted = f"RECEIPT under risk {level} for a {risk} proposal"
        exchange = await t.send(_under_risk(level)(offer))
        t.expect("YEA-6.3-21", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)


@check("yea/6.3/risk-is-each-proposals-own", "YEA-6.3-21", needs=("multi",), commits=2)
async def own_risk(t: Context) -> None:
    """Of the proposals of one INTENT a ceiling stops those above it, whatever the others and the capability say."""
    offer = await t.offer("multi")
    risks = {proposal.get("risk"): proposal for proposal in reversed(offer.proposals)}
    if len(risks) < 2 or not risks.keys() <= set(LEVEL_NAMES):
        raise NotApplicable("the proposals for the role multi are all of one risk")
    low, high = sorted(risks, key=LEVEL_NAMES.index)[:: len(risks) - 1]
    held = scene_of(offer).grant({"risk": low})
    for risk, wanted in ((high, "consent_required"), (low, "RECEIPT")):
        exchange = await t.send(offer.commit(risks[risk], grants=[held]))
        ok = wanted in (exchange.kind, exchange.code)
        t.expect("YEA-6.3-21", ok, wanted=f"{wanted} for a {risk} proposal under risk {low}", got=exchange)


def _under_risk(level: str) -> Any:
    return lambda offer: offer.commit(grants=[scene_of(offer).grant({"risk": level})])


@check("yea/6.3/low-risk-passes-every-ceiling", "YEA-6.3-21", needs=("undoable",), commits=2)
async def low_risk(t: Context) -> None:
    """A proposal of low risk is committed under a grant that says risk low, and under one that says medium."""
    for level in LEVEL_NAMES[:2]:
        offer = await t.offer("undoable")
        if offer.proposal.get("risk") != "low":
            t.lacks("YEA-6.3-21", f"the role undoable proposes a risk of {shown(offer.proposal.get('risk'))}")
            return
        exchange = await t.send(_under_risk(level)(offer))
        wanted = f"RECEIPT under risk {level}"
        t.expect("YEA-6.3-21", exchange.kind == "RECEIPT", wanted=wanted, got=exchange)
