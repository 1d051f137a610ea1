"""Ed25519 keys and signatures in YEA's spelling (YEA 6.1).

A public key is "ed25519:" and the base64url of its 32 bytes; a signature is the base64url of its 64 bytes.
Both in canonical base64url only: anything else is no key, and never verifies.
"""

import os
from collections.abc import Callable

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from reference.yea import b64url

PREFIX = "ed25519:"
KEY_BYTES = 32
SIGNATURE_BYTES = 64


class KeyFormatError(ValueError):
    """A text or byte string that is no Ed25519 key or seed."""


class KeyPair:
    """A private key and its public key.

    The seed is held inside and shown by nothing: not by repr, not by an attribute.
    """

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        """Takes the seed, 32 bytes. Raises KeyFormatError for any other length."""
        if len(seed) != KEY_BYTES:
            raise KeyFormatError(f"a seed is {KEY_BYTES} bytes, not {len(seed)}")
        self._key = SigningKey(bytes(seed))
        self.public = PREFIX + b64url.encode(bytes(self._key.verify_key))

    @classmethod
    def generate(cls, random_bytes: Callable[[int], bytes] = os.urandom) -> "KeyPair":
        """A new key pair from a source of random bytes: it is given a length and returns that many."""
        return cls(random_bytes(KEY_BYTES))

    @classmethod
    def from_text(cls, seed: str) -> "KeyPair":
        """The key pair of a seed in canonical base64url. Raises KeyFormatError for any other text."""
        return cls(_decode(seed, KEY_BYTES, "seed"))

    def sign(self, message: bytes) -> str:
        """The base64url signature of `message` (YEA 6.1)."""
        return b64url.encode(self._key.sign(message).signature)

    def __repr__(self) -> str:
        return f"KeyPair(public={self.public!r})"


def public_bytes(key: str) -> bytes:
    """The 32 bytes of a public key (YEA 6.1). Raises KeyFormatError when the text is no public key."""
    if not isinstance(key, str) or not key.startswith(PREFIX):
        raise KeyFormatError(f"a public key starts with {PREFIX!r}: {str(key)[:80]!r}")
    return _decode(key[len(PREFIX) :], KEY_BYTES, "public key")


def is_public_key(key: object) -> bool:
    """Whether a value is a public key in its canonical spelling (YEA 6.1). Never raises."""
    return _bytes_or_none(public_bytes, key) is not None


def signature_bytes(sig: str) -> bytes:
    """The 64 bytes of a signature (YEA 6.1). Raises KeyFormatError when the text is no signature."""
    return _decode(sig, SIGNATURE_BYTES, "signature")


def is_signature(sig: object) -> bool:
    """Whether a value is a signature in its canonical spelling (YEA 6.1). Never raises."""
    return _bytes_or_none(signature_bytes, sig) is not None


def verify(key: str, message: bytes, sig: str) -> bool:
    """Whether `sig` is the signature of `message` by `key` (YEA 6.1).

    A key or signature that is malformed, or no string at all, never verifies. Never raises.
    """
    public = _bytes_or_none(public_bytes, key)
    signature = _bytes_or_none(signature_bytes, sig)
    if public is None or signature is None:
        return False
    try:
        VerifyKey(public).verify(message, signature)
    except BadSignatureError:
        return False
    return True


def _decode(text: str, length: int, what: str) -> bytes:
    try:
        data = b64url.decode(text)
    except b64url.B64Error as error:
        raise KeyFormatError(f"a {what} is canonical base64url: {error}") from None
    if len(data) != length:
        raise KeyFormatError(f"a {what} is {length} bytes, not {len(data)}")
    return data


def _bytes_or_none(read: Callable[[str], bytes], value: object) -> bytes | None:
    if not isinstance(value, str):
        return None
    try:
        return read(value)
    except KeyFormatError:
        return None
