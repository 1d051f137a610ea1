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
        self._role_of = {role.capability: name for name, role in profile.roles.items()}
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
        for proposal in reply.get("proposals") or []:
            if isinstance(proposal, dict) and isinstance(proposal.get("id"), str):
                self._source[proposal["id"]] = capability

    def _readable(self) -> set[str]:
        roles = self._profile.roles.values()
        reads = {read.capability for role in roles for read in role.given.values()}
        return reads | set(self._role_of) | {role.state.capability for role in roles if role.state}

    def _count(self, capability: str) -> None:
        role = self._profile.roles[self._role_of[capability]]
        limits = [limit for limit in (role.max_commits, self._profile.max_commits) if limit is not None]
        if limits and self.commits[capability] >= min(limits):
            raise Untested(f"max_commits for {capability} is used up ({min(limits)})")
        self.commits[capability] += 1
