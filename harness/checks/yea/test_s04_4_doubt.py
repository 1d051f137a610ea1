"""YEA 4.4, commits in doubt: interrupted after it started, a commit is never applied again, and counts for limits.

To see one the target must be killed in the middle of a commit and started again with what it kept, which naysayer does
only to a target that it started itself. What condition 3 of an auto-commit makes of it is in `test_s04_3_1_doubt`.
"""

from harness.check import check
from harness.context import Context
from harness.cuts import same
from harness.doubts import interrupted, is_held, seen, sent_again
from harness.encoding import shown
from harness.errors import NotApplicable
from harness.histories import Change
from harness.recipes.limits import limit, measured


@check(
    "yea/4.4/interrupted-commit-is-never-applied-again",
    "YEA-4.4-37",
    needs=("doubt",),
    commits=4,
    restarts=True,
    deadline=120,
)
async def never_again(t: Context) -> None:
    """A commit that was interrupted after it started has happened at most once, however often it is sent again."""
    change = await Change.of(t, "doubt")
    if not change.counts:
        why = "what the state ask of the role doubt reads is no number, so it does not tell how often a commit happened"
        t.lacks("YEA-4.4-37", why)
        raise NotApplicable(why)
    offer = await t.offer("doubt")
    before = await offer.state()
    await interrupted(t, offer, [offer.grant])
    answers = [seen(await sent_again(t, offer, [offer.grant])) for _ in range(2)]
    after = await offer.state()
    times = change.happened(before, after)
    wanted = f"the change at most once, COMMIT sent again being answered {' and '.join(answers)}"
    got = f"from {shown(before)} to {shown(after)}"
    t.expect("YEA-4.4-37", times is None or times <= 1, wanted=wanted, got=got, of=offer)


@check(
    "yea/4.4/interrupted-commit-counts-for-limits",
    "YEA-4.4-38",
    needs=("doubt",),
    commits=4,
    restarts=True,
    deadline=120,
)
async def counts_for_limits(t: Context) -> None:
    """What an interrupted commit would use is used up, so nothing more fits into a total of that much."""
    offer = await t.offer("doubt")
    more = await t.offer("doubt", agent=offer.agent)
    if measured(offer.proposal) is None:
        t.lacks("YEA-4.4-38", "the proposal for the role doubt reports no measure above 0")
        raise NotApplicable("the proposal for the role doubt reports no measure above 0")
    held = t.grant(offer.agent, total=limit(offer.proposal))
    before = await offer.state()
    await interrupted(t, offer, [held])
    again = await sent_again(t, offer, [held])
    happened = offer.instance.watched and not same(await offer.state(), before)
    exchange = await t.send(more.commit(grants=[held]))
    wanted = f"consent_required past the total, the interrupted COMMIT being answered {seen(again)}"
    # YEA-Q42: a service that knows the commit had no effect, and forgot it, may well have the total free again.
    told = happened or is_held(again) or (again is not None and again.kind == "RECEIPT")
    question = None if told else "YEA-Q42"
    refused = exchange.code == "consent_required"
    t.expect("YEA-4.4-38", refused, wanted=wanted, got=exchange, open_question=question)
    if refused:
        other = await t.send(more.commit(grants=[t.grant(offer.agent)]))
        wanted = "RECEIPT for the same proposal under a grant without a total"
        t.expect("YEA-4.4-38", other.kind == "RECEIPT", wanted=wanted, got=other)
