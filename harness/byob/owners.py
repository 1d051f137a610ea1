"""Owners with fresh keys, and what they sign: joins and decisions (BYOB 4 and 9).

The canonical text is written here apart from the reference, so that the two hold each other to the spec. The wire
only ever carries what every reading of it agrees on: ASCII keys and strings, and integers (BYOB-Q028, BYOB-Q029).
"""

import base64
import json
import secrets
from typing import Any

from nacl.exceptions import CryptoError
from nacl.signing import SigningKey

SPKI_HEAD = bytes.fromhex("302a300506032b6570032100")  # RFC 8410: an Ed25519 key as SubjectPublicKeyInfo, without it
JOIN_MEMBERS = ("table", "seat", "owner", "kind", "role", "card", "nonce")
DECISION_MEMBERS = ("table", "owner", "task", "decision", "reason", "nonce")


class Owner:
    """An owner and its key, which is made here and dies with the run.

    Args:
        id: the owner's name in the table config.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self._key = SigningKey.generate()

    @property
    def public_key(self) -> str:
        """The public key as base64 of its SPKI DER form, 44 bytes (BYOB 3)."""
        return base64.b64encode(SPKI_HEAD + bytes(self._key.verify_key)).decode("ascii")

    @property
    def seed(self) -> bytes:
        """The private key as 32 bytes, which nothing but a file for its owner's own program may show."""
        return bytes(self._key)

    def sign(self, value: dict[str, Any]) -> str:
        """Return the base64 of the Ed25519 signature over the canonical JSON of a value."""
        return base64.b64encode(self._key.sign(canonical(value).encode("utf-8")).signature).decode("ascii")

    def verifies(self, value: dict[str, Any], signature: Any) -> bool:
        """Whether a base64 text is this owner's signature over the canonical JSON of a value."""
        try:
            given = base64.b64decode(signature, validate=True) if isinstance(signature, str) else b""
            self._key.verify_key.verify(canonical(value).encode("utf-8"), given)
        except (ValueError, CryptoError):
            return False
        return True


def canonical(value: Any) -> str:
    """Return canonical JSON: keys sorted at every depth, no whitespace (BYOB 4)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def signed(members: tuple[str, ...], table: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return what is signed of a request: these members as far as it has them, with the table of the path."""
    whole = {**request, "table": table}
    return {name: whole[name] for name in members if name in whole}


def nonce() -> str:
    """Return a fresh nonce, 32 hexadecimal digits (BYOB-Q033)."""
    return secrets.token_hex(16)
