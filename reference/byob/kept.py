"""What a table remembers beside its ledger: who holds which token, and which nonces are spent (BYOB 2, 4).

It is no part of the audit, and must survive a restart all the same, so it travels in the batches. Of a token only the
SHA-256 is kept (BYOB 2).
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any


def digest(token: str) -> str:
    """The SHA-256 of a token, in hex. Any string will do: it comes from a request."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def kept_admin(token: str) -> dict[str, Any]:
    """What a batch keeps of a new admin token."""
    return {"admin": digest(token)}


def kept_seat(seat: str, token: str, owner: str, nonce: str) -> dict[str, Any]:
    """What a batch keeps of a join."""
    return {"seat": seat, "token": digest(token), **kept_nonce(owner, nonce)}


def kept_nonce(owner: str, nonce: str) -> dict[str, Any]:
    """What a batch keeps of an owner's signature."""
    return {"owner": owner, "nonce": nonce}


class Kept:
    """All that the batches of a table kept so far."""

    def __init__(self) -> None:
        self.admin = ""
        self.tokens: dict[str, str] = {}
        self.nonces: set[tuple[str, str]] = set()

    def apply(self, kept: Mapping[str, Any]) -> None:
        """Adds what one batch kept."""
        if "admin" in kept:
            self.admin = kept["admin"]
        if "token" in kept:
            self.tokens[kept["token"]] = kept["seat"]
        if "nonce" in kept:
            self.nonces.add((kept["owner"], kept["nonce"]))

    def seat(self, token: str) -> str | None:
        """The seat whose token this is, or None. Takes the same time for every wrong one."""
        found, wanted = None, digest(token)
        for known, seat in self.tokens.items():
            if hmac.compare_digest(known, wanted):
                found = seat
        return found

    def is_admin(self, token: str) -> bool:
        """Whether this is the table's admin token. Takes the same time for every wrong one."""
        return hmac.compare_digest(digest(token), self.admin)

    def is_spent(self, owner: str, nonce: str) -> bool:
        """Whether the owner signed something with this nonce that was accepted on this table."""
        return (owner, nonce) in self.nonces

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]
