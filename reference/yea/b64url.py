"""base64url without padding, in its one canonical spelling (YEA 6.1).

A respelt signature would be a new block id with fresh totals, so only the exact text that `encode` writes
is ever read: no padding, no other alphabet, no blanks, and zero in the unused bits of the last character.
"""

import base64


class B64Error(ValueError):
    """A text that is not canonical base64url."""


def encode(data: bytes) -> str:
    """The canonical base64url text of `data`, without padding (YEA 6.1)."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode(text: str) -> bytes:
    """The bytes that a canonical base64url text stands for (YEA 6.1).

    Raises B64Error for everything that `encode` does not write, values that are no string included.
    """
    if not isinstance(text, str):
        raise B64Error(f"base64url is a string, not {type(text).__name__}")
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise B64Error(f"not base64url: {text[:80]!r}") from None
    # The library skips foreign characters and ignores the unused bits: canonical is what comes back.
    if encode(data) != text:
        raise B64Error(f"not canonical base64url: {text[:80]!r}")
    return data
