"""What a proposal's own members say: its hash, its risk and its undo window (YEA 5.1)."""

import hashlib

from reference.yea import b64url
from reference.yea.canonical import canonical
from reference.yea.types import Json, as_integer

RISKS = ("low", "medium", "high")
"""The risk levels, in ascending order (YEA 6.3)."""

MAX_WINDOW = 2**52
"""The longest undo window in seconds (YEA 5.1)."""

UNHASHED = frozenset({"hash", "data"})
"""The members that the hash does not cover (YEA 5.1)."""


def proposal_hash(proposal: dict[str, Json]) -> str:
    """b64url(sha256(canonical(proposal without "hash" and "data"))) (YEA 5.1).

    Every other member counts, known or not. Raises CanonicalError when one has no canonical form, as a
    fraction or a lone surrogate.
    """
    hashed: dict[str, Json] = {name: value for name, value in proposal.items() if name not in UNHASHED}
    return b64url.encode(hashlib.sha256(canonical(hashed).encode()).digest())


def undo_window(undo: Json) -> int | None:
    """The seconds of a proposal's `undo`, 1 to 2^52, or None: the action is irreversible (YEA 5.1).

    Anything but an object with such a window counts as null.
    """
    window = as_integer(undo.get("window")) if isinstance(undo, dict) else None
    return window if window is not None and 0 < window <= MAX_WINDOW else None
