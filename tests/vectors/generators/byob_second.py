"""A second hand for BYOB: canonical JSON, base64 SPKI keys and signatures (BYOB 3, 4).

Written from the spec with `cryptography` and the standard library alone, so that a stored value never comes from the
code that it is to judge. Plain and recursive: the values here are small.
"""

import base64
import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def canonical(value: Any) -> str:
    """Keys sorted at every depth, no whitespace; for values whose numbers are integers."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        raise ValueError(f"how {value!r} is spelled is open")
    return json.dumps(value, ensure_ascii=False)


def compact(value: Any) -> str:
    """JSON text as an adapter gets it: no blanks, members in the order that they have."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def b64(data: bytes) -> str:
    """Padded base64 in the standard alphabet."""
    return base64.b64encode(data).decode()


def digest(value: Any) -> str:
    """The SHA-256 of the canonical JSON as lower-case hex."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


class Key:
    """An owner's Ed25519 key from `cryptography`."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.seed = b64(seed)
        self.public = b64(self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))

    def sign_bytes(self, message: bytes) -> bytes:
        """The 64 bytes of the signature over a message."""
        return self._key.sign(message)

    def sign(self, value: Any) -> str:
        """The base64 signature over the canonical JSON of a value."""
        return b64(self.sign_bytes(canonical(value).encode()))


TAO, JENNY, OMAR, MALLORY = (Key(bytes([number]) * 32) for number in (1, 2, 3, 4))

CARD = {
    "bot": "a script",
    "proxy": False,
    "capabilities": [
        {"resource": "taskboard", "actions": ["reorder", "label"], "requires_approval": False},
        {"resource": "calendar", "actions": ["move"], "auto_approve": True},
    ],
}
JOIN = {
    "table": "agent-prio-w45",
    "seat": "bot-tao",
    "owner": "tao",
    "kind": "bot",
    "role": "pro",
    "card": CARD,
    "nonce": "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
}
DECISION = {
    "table": "agent-prio-w45",
    "owner": "jenny",
    "task": "task-15",
    "decision": "approve",
    "reason": "It is my board.",
    "nonce": "00112233445566778899aabbccddeeff",
}


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """The object without some members."""
    return {name: item for name, item in value.items() if name not in names}


def backwards(value: Any) -> Any:
    """The same value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: backwards(item) for name, item in reversed(value.items())}
    return [backwards(item) for item in value] if isinstance(value, list) else value
