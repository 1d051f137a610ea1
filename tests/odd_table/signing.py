"""Signatures and hashes, by other means than the reference: the standard json module, and `cryptography`."""

import base64
import binascii
import hashlib
import json
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key


def canonical(value: Any) -> bytes:
    """Return canonical JSON; right for the values that a table carries."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def key_of(text: Any) -> Ed25519PublicKey | None:
    """Return the Ed25519 key in a base64 SPKI, or None."""
    try:
        key = load_der_public_key(base64.b64decode(text, validate=True))
    except (ValueError, TypeError, binascii.Error):
        return None
    return key if isinstance(key, Ed25519PublicKey) else None


def signed(public_key: Any, body: dict[str, Any], *members: str, **fixed: Any) -> bool:
    """Return whether `body["signature"]` is right over these members of the body, those it has, and the fixed ones."""
    key = key_of(public_key)
    content = {**{name: body[name] for name in members if name in body}, **fixed}
    try:
        raw = base64.b64decode(body["signature"], validate=True)
        if key is None:
            return False
        key.verify(raw, canonical(content))
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


def digest(text: bytes | str) -> str:
    """Return a SHA-256 in hex."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()
