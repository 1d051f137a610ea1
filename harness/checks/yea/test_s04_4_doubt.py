"""YEA 4.4, commits in doubt: interrupted after it started, a commit is never applied again, and counts for limits.

To see one the target must be ended in the middle of a commit and started again with what it kept, which naysayer does
only to a target that it started itself.
"""

import asyncio
from collections.abc import Awaitable, Callable

from harness.check import check
from harness.context import Context
from harness.encoding import shown
from harness.errors import NotApplicable, TargetFault
from harness.histories import Change
from harness.offers import Offer
from harness.people import Agent
from harness.recipes.limits import limit, measured
from harness.targets.base import Exchange

START = 0.5  # seconds that a commit is given to start; the role's commit takes longer


def _restart(t: Context) -> Callable[[], Awaitable[None]]:
    """Return what restarts the target; raises NotApplicable where nothing does."""
    if t.target.restart is None:
        raise NotApplicable("naysayer did not start this target, so it cannot cut off a commit part way")
    return t.target.restart


async def _interrupted(t: Context, offer: Offer, grants: list[str]) -> None:
    """Send a COMMIT, and end and restart the target while it is at work."""
    restart, conn = _restart(t), await t.connect()
    running = asyncio.create_task(t.send(offer.commit(grants=grants), conn))
    try:
        await asyncio.sleep(START)
        await restart()
        exchange = await running
    except TargetFault:
        return  # cut off, as it was meant to be
    finally:
        running.cancel()
    if exchange.kind == "RECEIPT":
        raise NotApplicable("the commit for the role doubt was done before it could be interrupted")


async def _afterwards(t: Context, offer: Offer, grants: list[str]) -> Exchange:
    return await t.send(offer.commit(grants=grants), await t.connect())


def _expect_memory(exchanges: list[Exchange]) -> None:
    if all(exchange.code == "not_found" for exchange in exchanges):
        raise NotApplicable("the target keeps no proposals over a restart, so no commit is ever found in doubt")


async def _agent_and_offer(t: Context) -> tuple[Agent, Offer]:
    agent = t.agent()
    return agent, await t.offer("doubt", agent=agent)


@check(
    "yea/4.4/interrupted-commit-is-never-applied-again",
    "YEA-4.4-37",
    needs=("doubt",),
    commits=4,
    alone=True,
)
async def never_again(t: Context) -> None:
    """A commit that was interrupted after it started has happened at most once, however often it is sent again."""
    _restart(t)
    change = await Change.of(t, "doubt")
    _, offer = await _agent_and_offer(t)
    before = await offer.state()
    await _interrupted(t, offer, [offer.grant])
    await t.close()
    again = [await _afterwards(t, offer, [offer.grant]) for _ in range(2)]
    _expect_memory(again)
    seen = [exchange.seen() for exchange in again]
    if not offer.instance.watched:
        t.lacks("YEA-4.4-37", "the profile names no state ask for the role doubt")
        raise NotApplicable("the profile names no state ask for the role doubt")
    after = await offer.state()
    times = change.happened(before, after)
    wanted = f"the change at most once, COMMIT sent again being answered {' and '.join(seen)}"
    got = f"from {shown(before)} to {shown(after)}"
    t.expect("YEA-4.4-37", times is None or times <= 1, wanted=wanted, got=got)


@check(
    "yea/4.4/interrupted-commit-counts-for-limits",
    "YEA-4.4-38",
    needs=("doubt",),
    commits=4,
    alone=True,
)
async def counts_for_limits(t: Context) -> None:
    """What an interrupted commit would use is used up, so nothing more fits into a total of that much."""
    _restart(t)
    agent, offer = await _agent_and_offer(t)
    more = await t.offer("doubt", agent=agent)
    if measured(offer.proposal) is None:
        t.lacks("YEA-4.4-38", "the proposal for the role doubt reports no measure above 0")
        raise NotApplicable("the proposal for the role doubt reports no measure above 0")
    held = t.grant(agent, total=limit(offer.proposal))
    await _interrupted(t, offer, [held])
    await t.close()
    again = await _afterwards(t, offer, [held])
    exchange = await _afterwards(t, more, [held])
    _expect_memory([again, exchange])
    wanted = f"consent_required past the total, the interrupted COMMIT being answered {again.seen()}"
    t.expect("YEA-4.4-38", exchange.code == "consent_required", wanted=wanted, got=exchange)
    other = await _afterwards(t, more, [t.grant(agent)])
    wanted = "RECEIPT for the same proposal under a grant without a total"
    t.expect("YEA-4.4-38", other.kind == "RECEIPT", wanted=wanted, got=other)
