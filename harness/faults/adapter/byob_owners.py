"""Faults of `byob.sign` beside its text: how keys and signatures are made and spelled (BYOB 3, 4)."""

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from nacl.bindings import crypto_sign_SEEDBYTES
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from harness.faults.adapter.tools import Row, read, register
from reference.byob.canonical import canonical
from reference.byob.keys import OwnerKey, public_bytes

SPKI = bytes.fromhex("302a300506032b6570032100")
Arguments = dict[str, Any]


def signed(seed: str, text: str) -> dict[str, Any]:
    """The ok of a `byob.sign` over a text; raises ValueError for what is no seed."""
    key = SigningKey(base64.b64decode(seed, validate=True))
    public = base64.b64encode(SPKI + bytes(key.verify_key)).decode()
    return {"public_key": public, "signature": base64.b64encode(key.sign(text.encode()).signature).decode()}


def verified(public_key: str, text: str, signature: str) -> bool:
    """Whether a signature is the one of a text; raises ValueError for what is no key or no signature."""
    return holds(public_bytes(public_key), text.encode(), base64.b64decode(signature, validate=True))


def holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes is the one of a message by a key of 32 bytes."""
    try:
        VerifyKey(key).verify(message, signature)
    except BadSignatureError:
        return False
    return True


def _seed(change: Callable[[bytes], bytes]) -> Callable[[Arguments], dict[str, Any]]:
    def run(arguments: Arguments) -> dict[str, Any]:
        key = OwnerKey(change(base64.b64decode(arguments["seed"], validate=True)))
        return {"public_key": key.public_key, "signature": key.sign(read(arguments))}

    return run


def _key(change: Callable[[bytes], str]) -> Callable[[Arguments], dict[str, Any]]:
    """The rule, with the key spelled otherwise."""

    def run(arguments: Arguments) -> dict[str, Any]:
        made = signed(arguments["seed"], canonical(read(arguments)))
        return {**made, "public_key": change(public_bytes(made["public_key"]))}

    return run


def _signature(change: Callable[[bytes], str]) -> Callable[[Arguments], dict[str, Any]]:
    def run(arguments: Arguments) -> dict[str, Any]:
        made = signed(arguments["seed"], canonical(read(arguments)))
        return {**made, "signature": change(base64.b64decode(made["signature"]))}

    return run


def _hashed_first(arguments: Arguments) -> dict[str, Any]:
    key = SigningKey(base64.b64decode(arguments["seed"], validate=True))
    digest = hashlib.sha256(canonical(read(arguments)).encode()).digest()
    made = signed(arguments["seed"], "")
    return {**made, "signature": base64.b64encode(key.sign(digest).signature).decode()}


def b64(data: bytes) -> str:
    """Padded base64."""
    return base64.b64encode(data).decode()


KNOWN = ("table", "seat", "owner", "kind", "role", "card", "nonce", "task", "decision", "reason")


def known(value: Any) -> Any:
    """The value without members that joins and decisions do not have."""
    return {name: item for name, item in value.items() if name in KNOWN} if isinstance(value, dict) else value


SIGNING: tuple[Row, ...] = (
    (
        "hashed-first",
        "Signs the digest of the text.",
        "join decision empty-object",
        _hashed_first,
    ),
    (
        "known-members",
        "Signs the members that it knows and no others.",
        "further-member seed-in-order",
        lambda arguments: signed(arguments["seed"], canonical(known(read(arguments)))),
    ),
    (
        "seed-hashed",
        "Hashes the seed first.",
        "seed-of-zeros rfc-8032-test-1",
        _seed(lambda seed: hashlib.sha256(seed).digest()),
    ),
    ("seed-reversed", "Reads the seed backwards.", "seed-in-order rfc-8032-test-2", _seed(lambda seed: seed[::-1])),
    ("seed-cut", "Cuts a seed that is too long.", "seed-of-33-bytes seed-of-64-bytes", _seed(lambda seed: seed[:32])),
    (
        "seed-filled",
        "Fills a seed that is too short with zeros.",
        "seed-of-31-bytes empty-seed",
        _seed(lambda seed: seed.ljust(crypto_sign_SEEDBYTES, b"\0")),
    ),
    ("key-raw", "Writes the 32 bytes of the key without their head.", "omar seed-of-255s join", _key(b64)),
    (
        "key-pem",
        "Writes the key as PEM.",
        "mallory decision",
        _key(lambda key: f"-----BEGIN PUBLIC KEY-----\n{b64(SPKI + key)}\n-----END PUBLIC KEY-----\n"),
    ),
    (
        "key-x25519",
        "Names another algorithm in the key's head.",
        "omar mallory",
        _key(lambda key: b64(SPKI.replace(b"\x2b\x65\x70", b"\x2b\x65\x6e") + key)),
    ),
    ("signature-hex", "Writes the signature as hex.", "join seed-of-zeros", _signature(bytes.hex)),
    (
        "signature-unpadded",
        "Writes the signature in base64 without padding.",
        "join decision",
        _signature(lambda signature: b64(signature).rstrip("=")),
    ),
    (
        "signature-with-message",
        "Returns the signature with the message behind it.",
        "join empty-object",
        lambda arguments: {
            **signed(arguments["seed"], canonical(read(arguments))),
            "signature": b64(bytes(SigningKey(base64.b64decode(arguments["seed"])).sign(arguments["json"].encode()))),
        },
    ),
)

register("byob.sign", *SIGNING)
