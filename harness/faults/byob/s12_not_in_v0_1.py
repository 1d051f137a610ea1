"""BYOB 12: hosts that have what v0.1 has not."""

from typing import Any

from harness.faults import fault
from reference.byob.errors import ByobError
from reference.byob.table import Table
from reference.byob.types import Entry


@fault("byob/votes-are-ends", "byob/12/votes-end-nothing")
class VotesAreEnds(Table):
    """Takes a vote for an end condition."""

    def check_config(self, body: Any) -> None:
        """Read a decision."""
        ends = ["decision" if each == "vote" else each for each in body["termination"]["any"]]
        super().check_config({**body, "termination": {"any": ends}})


@fault("byob/posts-are-signed", "byob/12/posts-carry-no-signature")
class PostsAreSigned(Table):
    """Wants a signature on every post."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Want one."""
        if "signature" not in body:
            raise ByobError("E_BAD_SIGNATURE", "the post has no signature")
        return super().post(seat, body, now)
