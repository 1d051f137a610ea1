"""A second hand for everything that is hashed or signed: canonical JSON, base64url, keys and tokens (YEA 6, 10).

Written from the spec with `cryptography` and the standard library alone, so that a stored value never comes from the
code that it is to judge. Plain and recursive: the values here are small and well-formed.
"""

import base64
import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NOW = 1_790_000_000


def b64url(data: bytes) -> str:
    """base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().replace("=", "")


def unb64url(text: str) -> bytes:
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def digest(text: str) -> str:
    """The SHA-256 of a text as base64url."""
    return b64url(hashlib.sha256(text.encode()).digest())


def canonical(value: Any) -> str:
    """Canonical JSON; raises ValueError for what has none."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) < 2**53:
        return str(value)
    if isinstance(value, str):
        value.encode()  # refuses a lone surrogate, as a ValueError
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    raise ValueError(f"no canonical form: {value!r}")


class Key:
    """An Ed25519 key pair from `cryptography`, with the two members that recipes use of a key."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.seed = b64url(seed)
        self.public = "ed25519:" + b64url(self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> str:
        """The signature as base64url."""
        return b64url(self._key.sign(message))


def key(number: int) -> Key:
    """The key whose seed is 32 bytes of this number."""
    return Key(bytes([number]) * 32)


PRINCIPAL, AGENT, SUBAGENT, MALLORY = map(key, (1, 2, 3, 4))
FRIENDS = tuple(map(key, range(5, 25)))


def signed(signer: Key, payload: Any) -> dict[str, Any]:
    """A block."""
    return {"p": payload, "s": signer.sign(canonical(payload).encode())}


def text_token(text: str) -> str:
    """The token of any JSON text."""
    return "pg1." + b64url(text.encode())


def token(*blocks: Any) -> str:
    """The token of blocks."""
    return text_token(canonical(list(blocks)))


def compact(value: Any) -> str:
    """JSON text as an adapter gets it: no blanks, members in the order that they have."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
