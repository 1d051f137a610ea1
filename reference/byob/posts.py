"""What a table keeps of a post-request: the members that an entry of its kind has, and nothing else (BYOB 5)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.types import Entry

COMMON = ("kind", "to", "reply_to", "body", "refs", "budget")
"""The members that every kind may have."""

OWN = {
    "say": (),
    "pass": (),
    "raise_hand": (),
    "proposal": ("effects",),
    "decision": ("effects",),
    "status": ("task", "state"),
    "receipt": ("task", "artifact"),
    "verify": ("task", "result"),
}
"""Kind → the members that it has beside the common ones."""


def kept(post: Mapping[str, Any]) -> Entry:
    """The members of a post that go into its entry, as they were sent.

    post: one that fits its schema. Unknown members, those of other kinds, and those that only the core writes (seq,
    table, seat, ts, truncated) are left out.
    """
    return {name: post[name] for name in (*COMMON, *OWN[post["kind"]]) if name in post}
