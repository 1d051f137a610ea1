"""Histories: requests sent at the same time, and how often what they ask for really happened."""

import asyncio
from collections.abc import Sequence
from typing import Any

from harness.context import Context
from harness.cuts import same
from harness.encoding import shown
from harness.errors import Untested
from harness.offers import Offer
from harness.targets.base import Connection, Exchange

Frame = dict[str, Any]


async def at_once(t: Context, requests: Sequence[tuple[Frame, Connection | None]]) -> list[Exchange]:
    """Send frames together, each over its connection (the default one for None), and return all their exchanges.

    Every one is awaited before a failure of any is raised.
    """
    sent = (t.send(frame, connection) for frame, connection in requests)
    results = await asyncio.gather(*sent, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if isinstance(result, Exchange)]


class Change:
    """What one execution does to a role's state, measured on an object of its own."""

    def __init__(self, before: Any, after: Any) -> None:
        self.before, self.after = before, after

    @classmethod
    async def of(cls, t: Context, role: str) -> "Change":
        """Commit one proposal of the role and return what that changed; raises Untested when it changed nothing."""
        offer = await t.offer(role)
        before = await offer.state()
        await t.commit(offer)
        after = await offer.state()
        if offer.instance.watched and same(before, after):
            raise Untested(f"a COMMIT for the role {role} did not change what its state ask reads")
        return cls(before, after)

    @property
    def counts(self) -> bool:
        """Whether what is read is a number, so that how often the change happened can be told."""
        return _is_number(self.before) and _is_number(self.after)

    def happened(self, before: Any, after: Any) -> int | None:
        """Return how often the change happened between two readings of another object; None if they do not tell.

        Numbers that count up tell; other values tell no more than whether it happened at all.
        """
        if same(before, after):
            return 0
        if self.counts and _is_number(before) and _is_number(after):
            times, rest = divmod(after - before, self.after - self.before)
            return None if rest else int(times)
        return 1 if same(before, self.before) and same(after, self.after) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


async def expect_times(
    t: Context, clause: str, change: Change, offer: Offer, before: Any, times: int, after_what: str
) -> None:
    """Expect, by this clause, that the change happened so many times to an offer's object since it read `before`."""
    if not offer.instance.watched:
        t.lacks(clause, f"the profile names no state ask for the role {offer.instance.role.name}")
        return
    after = await offer.state()
    happened = change.happened(before, after)
    ok = happened == times if happened is not None else times > 0  # it changed, and how often cannot be told
    wanted = (
        f"one execution changes {shown(change.before)} to {shown(change.after)}, so {times} of them after {after_what}"
    )
    t.expect(clause, ok, wanted=wanted, got=f"from {shown(before)} to {shown(after)}", of=offer)
