"""Doing no harm: the one place that decides whether a request may be sent to a target.

COMMITs need a proposal, and proposals come from INTENTs, so it is enough to hold INTENTs to the capabilities that
the profile lists under a role, and auto INTENTs to those of the roles that may change something.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from harness.errors import Untested
from harness.profile import READ_ROLES, Profile


class NotAllowed(Exception):
    """A check tried to use a capability that the profile does not list. It is an error of naysayer's own."""


class Guard:
    """Allows or refuses requests, and counts what changes state.

    Args:
        profile: what may be used.
        offered: returns the names of all capabilities that the target's BRIEF offers; any other name names nothing.
    """

    def __init__(self, profile: Profile, offered: Callable[[], frozenset[str]]) -> None:
        self._profile, self._offered = profile, offered
        self._listed = {role.capability for role in profile.roles.values()}
        self._writable = {r.capability for n, r in profile.roles.items() if n not in READ_ROLES}
        self._source: dict[str, str] = {}
        self.commits: Counter[str] = Counter()

    def check(self, frame: dict[str, Any]) -> None:
        """Raise NotAllowed for a request that the profile does not cover, Untested past `max_commits`."""
        verb, capability = frame.get("verb"), frame.get("capability")
        if verb in ("ASK", "INTENT") and isinstance(capability, str):
            if capability in self._offered() and capability not in self._readable():
                raise NotAllowed(f"{verb} to {capability}, which no role of the profile lists")
            if verb == "INTENT" and frame.get("auto") is True and capability in self._writable:
                self._count(capability)
        proposal = frame.get("proposal")
        if verb == "COMMIT" and isinstance(proposal, str) and proposal in self._source:
            self._count(self._source[proposal])

    def offered(self, capability: str, reply: dict[str, Any]) -> None:
        """Remember which capability a PROPOSALS reply came from."""
        proposals = reply.get("proposals")
        for proposal in proposals if isinstance(proposals, list) else ():
            if isinstance(proposal, dict) and isinstance(proposal.get("id"), str):
                self._source[proposal["id"]] = capability

    def _readable(self) -> set[str]:
        roles = self._profile.roles.values()
        reads = {read.capability for role in roles for read in role.given.values()}
        return reads | self._listed | {role.state.capability for role in roles if role.state}

    def _count(self, capability: str) -> None:
        if capability not in self._listed:
            raise NotAllowed(f"COMMIT of a proposal of {capability}, which no role of the profile lists")
        limit = limit_of(self._profile, capability)
        if limit is not None and self.commits[capability] >= limit:
            raise Untested(f"max_commits for {capability} is used up ({limit})")
        self.commits[capability] += 1


def limit_of(profile: Profile, capability: str) -> int | None:
    """Return how often a run may commit to a capability, the smallest number that the profile states, or None."""
    stated = [role.max_commits for role in profile.roles.values() if role.capability == capability]
    return min((limit for limit in (*stated, profile.max_commits) if limit is not None), default=None)
