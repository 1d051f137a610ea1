"""Names for frames, proposals, receipts and handles."""

import secrets
from collections.abc import Callable
from typing import TypeAlias

IdSource: TypeAlias = Callable[[str], str]
"""Takes a prefix and returns a new id that starts with it. No two calls may return the same id."""

RANDOM_BYTES = 9


def random_id(prefix: str) -> str:
    """The prefix and 72 random bits in base64url, so that no id can be guessed or met twice."""
    return prefix + secrets.token_urlsafe(RANDOM_BYTES)


def counted_ids() -> IdSource:
    """A source that counts, for tests: `s_1`, `p_2`, and so on."""
    count = 0

    def next_id(prefix: str) -> str:
        nonlocal count
        count += 1
        return f"{prefix}{count}"

    return next_id
