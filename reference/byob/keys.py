"""Owners' Ed25519 keys, in the spelling of a table config (BYOB 3, 4).

A public key is the padded base64 of its SPKI structure, a signature the padded base64 of its 64 bytes. A private
key is written as PKCS#8. Both structures are a fixed head and 32 bytes (RFC 8410), so no parser is needed.
"""

import base64
import os
from collections.abc import Callable

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from reference.byob.canonical import canonical
from reference.yea.types import Json

SEED_BYTES = 32
SIGNATURE_BYTES = 64
_SPKI = bytes.fromhex("302a300506032b6570032100")
_PKCS8 = bytes.fromhex("302e020100300506032b657004220420")


class KeyFormatError(ValueError):
    """A text or byte string that is no Ed25519 key. Its message never shows it."""


class OwnerKey:
    """An owner's private key and its public key. The seed is shown by nothing but `pkcs8`."""

    __slots__ = ("_key", "public_key")

    def __init__(self, seed: bytes) -> None:
        """Takes the seed, 32 bytes. Raises KeyFormatError for any other length."""
        if len(seed) != SEED_BYTES:
            raise KeyFormatError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
        self._key = SigningKey(bytes(seed))
        self.public_key = base64.b64encode(_SPKI + bytes(self._key.verify_key)).decode()

    @classmethod
    def generate(cls, random_bytes: Callable[[int], bytes] = os.urandom) -> "OwnerKey":
        """A new key from a source of random bytes: it is given a length and returns that many."""
        return cls(random_bytes(SEED_BYTES))

    @classmethod
    def from_pkcs8(cls, text: str) -> "OwnerKey":
        """The key of a PKCS#8 structure in base64. Raises KeyFormatError for anything else."""
        return cls(_unwrapped(text, _PKCS8, SEED_BYTES, "private key is the base64 of a 48-byte PKCS#8 structure"))

    def pkcs8(self) -> str:
        """The private key as base64 of PKCS#8: a secret."""
        return base64.b64encode(_PKCS8 + bytes(self._key)).decode()

    def sign(self, value: Json) -> str:
        """The base64 signature over the canonical JSON of a value (BYOB 4)."""
        return base64.b64encode(self._key.sign(canonical(value).encode()).signature).decode()

    def __repr__(self) -> str:
        return f"OwnerKey(public_key={self.public_key!r})"


def public_bytes(public_key: object) -> bytes:
    """The 32 bytes of a public key in base64 of SPKI (BYOB 3). Raises KeyFormatError for anything else."""
    return _unwrapped(public_key, _SPKI, SEED_BYTES, "public key is the base64 of a 44-byte SPKI structure")


def verify(public_key: object, value: Json, signature: object) -> bool:
    """Whether `signature` is the signature of a value's canonical JSON by `public_key` (BYOB 4).

    A key or signature that is malformed, or no string at all, never verifies.
    """
    try:
        key = VerifyKey(public_bytes(public_key))
        signed = _unwrapped(signature, b"", SIGNATURE_BYTES, "signature is the base64 of 64 bytes")
        key.verify(canonical(value).encode(), signed)
    except (KeyFormatError, BadSignatureError):
        return False
    return True


def _unwrapped(text: object, head: bytes, length: int, what: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        data = b""
    # Python skips unused bits and more: only the one spelling counts.
    if len(data) != len(head) + length or not data.startswith(head) or base64.b64encode(data).decode() != text:
        raise KeyFormatError(f"a {what}")
    return data[len(head) :]
