"""Commits in doubt (YEA 4.4): one that is cut off part way, and what the service makes of it afterwards.

A service that was killed in the middle of a commit may know that it had no effect, or had it, or not know; only the
last is a doubt. How it answers the COMMIT when it is sent again is open (YEA-Q42), so what can be told is told by that
answer: a RECEIPT settles it, a proposal that is no longer known says nothing, and else it is held in doubt.
"""

import asyncio

from harness.context import Context
from harness.errors import NotApplicable, TargetFault, TargetGone, Untested
from harness.offers import Offer
from harness.targets.base import Exchange

START = 0.5  # seconds that a commit is given to start; the role's commit takes longer
ATTEMPTS = 2
PATIENCE = 5.0  # seconds in which a COMMIT in doubt may be answered, if it is
FORGOTTEN = ("not_found", "expired", "conflict", "forbidden", "unauthorized", "invalid_params", "bad_frame")


async def interrupted(t: Context, offer: Offer, grants: list[str]) -> None:
    """Send a COMMIT, and kill and restart the target while it is at work.

    Raises NotApplicable when the target cannot be restarted, or when the commit was done before that; Untested when it
    was refused.
    """
    if t.target.restart is None:
        raise NotApplicable(t.target.not_restarted)
    running = asyncio.create_task(t.send(offer.commit(grants=grants), await t.connect()))
    try:
        await asyncio.sleep(START)
        await t.restart()
    finally:
        outcome = (await asyncio.gather(running, return_exceptions=True))[0]
    await t.close()
    if isinstance(outcome, Exchange):
        if outcome.kind != "RECEIPT":
            raise Untested(f"a right COMMIT for the role doubt got {outcome.seen()}")
        raise NotApplicable(f"the commit for the role doubt ended before it could be cut off: {outcome.seen()}")
    if not isinstance(outcome, TargetFault):
        raise outcome


async def sent_again(t: Context, offer: Offer, grants: list[str]) -> Exchange | None:
    """Send the COMMIT again over a new connection and return what it got; None when it got nothing."""
    try:
        return await t.send(offer.commit(grants=grants), await t.connect(), PATIENCE)
    except TargetGone:
        raise
    except TargetFault:
        return None


async def brought_about(t: Context, by: str = "a") -> Exchange | None:
    """Bring a commit of the role doubt, under principal `by`, into doubt; return what it got when it was sent again.

    Raises NotApplicable when the service holds none in doubt. One that had not yet begun is no doubt, so it is tried
    more than once.
    """
    for _ in range(ATTEMPTS):
        offer = await t.offer("doubt", by=by)
        await interrupted(t, offer, [offer.grant])
        again = await sent_again(t, offer, [offer.grant])
        if is_held(again):
            return again
    raise NotApplicable(f"the interrupted COMMIT is not held in doubt: sent again, it got {seen(again)}")


def seen(again: Exchange | None) -> str:
    """Put what a COMMIT that was sent again got in words."""
    return "no reply" if again is None else again.seen()


def is_held(again: Exchange | None) -> bool:
    """Whether a service that answers like this still knows the commit and will not do it: it holds it in doubt."""
    return again is None or (again.kind == "ERROR" and again.code not in FORGOTTEN)
