"""Faults of `byob.sign`, `byob.verify` and `byob.prefix_hash` beside their text: keys, signatures, digests."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

from nacl.bindings import crypto_sign_SEEDBYTES
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from harness.faults.adapter.tools import Row, read, register
from reference.byob.canonical import canonical
from reference.byob.keys import OwnerKey, public_bytes

SPKI = bytes.fromhex("302a300506032b6570032100")
ORDER = 2**252 + 27742317777372353535851937790883648493
Arguments = dict[str, Any]


def signed(seed: str, text: str) -> dict[str, Any]:
    """The ok of a `byob.sign` over a text; raises ValueError for what is no seed."""
    key = SigningKey(base64.b64decode(seed, validate=True))
    public = base64.b64encode(SPKI + bytes(key.verify_key)).decode()
    return {"public_key": public, "signature": base64.b64encode(key.sign(text.encode()).signature).decode()}


def verified(public_key: str, text: str, signature: str) -> bool:
    """Whether a signature is the one of a text; raises ValueError for what is no key or no signature."""
    return _holds(public_bytes(public_key), text.encode(), base64.b64decode(signature, validate=True))


def _holds(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        VerifyKey(key).verify(message, signature)
    except BadSignatureError:
        return False
    return True


# --- byob.sign --------------------------------------------------------------------------------------------------------


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


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


KNOWN = ("table", "seat", "owner", "kind", "role", "card", "nonce", "task", "decision", "reason")


def _known(value: Any) -> Any:
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
        lambda arguments: signed(arguments["seed"], canonical(_known(read(arguments)))),
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
    ("key-raw", "Writes the 32 bytes of the key without their head.", "omar seed-of-255s join", _key(_b64)),
    (
        "key-pem",
        "Writes the key as PEM.",
        "mallory decision",
        _key(lambda key: f"-----BEGIN PUBLIC KEY-----\n{_b64(SPKI + key)}\n-----END PUBLIC KEY-----\n"),
    ),
    (
        "key-x25519",
        "Names another algorithm in the key's head.",
        "omar mallory",
        _key(lambda key: _b64(SPKI.replace(b"\x2b\x65\x70", b"\x2b\x65\x6e") + key)),
    ),
    ("signature-hex", "Writes the signature as hex.", "join seed-of-zeros", _signature(bytes.hex)),
    (
        "signature-unpadded",
        "Writes the signature in base64 without padding.",
        "join decision",
        _signature(lambda signature: _b64(signature).rstrip("=")),
    ),
    (
        "signature-with-message",
        "Returns the signature with the message behind it.",
        "join empty-object",
        lambda arguments: {
            **signed(arguments["seed"], canonical(read(arguments))),
            "signature": _b64(bytes(SigningKey(base64.b64decode(arguments["seed"])).sign(arguments["json"].encode()))),
        },
    ),
)

# --- byob.verify ------------------------------------------------------------------------------------------------------


def _either(*texts: Callable[[Arguments], bytes]) -> Callable[[Arguments], dict[str, Any]]:
    """Verifies what is signed over any of these messages."""

    def run(arguments: Arguments) -> dict[str, Any]:
        key = public_bytes(arguments["public_key"])
        signature = base64.b64decode(arguments["signature"], validate=True)
        return {"valid": any(_holds(key, text(arguments), signature) for text in texts)}

    return run


def _message(arguments: Arguments) -> bytes:
    return canonical(read(arguments)).encode()


def _values(change: Callable[[Any], Any]) -> Callable[[Arguments], bytes]:
    return lambda arguments: canonical(change(read(arguments))).encode()


def _untyped(value: Any) -> Any:
    """The value with what a loose comparison takes for false as false."""
    if isinstance(value, dict):
        return {name: _untyped(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_untyped(item) for item in value]
    return False if value == 0 or value == "false" else value


def _unmarked(value: Any) -> Any:
    """The value without empty texts and nulls."""
    return {n: v for n, v in value.items() if v not in (None, "")} if isinstance(value, dict) else value


def _filled(value: Any) -> Any:
    """The value with the card's defaults written out."""
    return (
        {**value, "card": {"proxy": False, **value["card"]}} if isinstance(value, dict) and "card" in value else value
    )


def _in_order(value: Any) -> Any:
    """The value with every array sorted."""
    if isinstance(value, dict):
        return {name: _in_order(item) for name, item in value.items()}
    return sorted(map(_in_order, value), key=canonical) if isinstance(value, list) else value


def _parts(key: Callable[[bytes], bytes], signature: Callable[[bytes], bytes]) -> Callable[[Arguments], dict[str, Any]]:
    """Takes key and signature from their bytes by these readers."""

    def run(arguments: Arguments) -> dict[str, Any]:
        raw = key(base64.b64decode(arguments["public_key"], validate=True))
        return {"valid": _holds(raw, _message(arguments), signature(base64.b64decode(arguments["signature"])))}

    return run


def _reduced(signature: bytes) -> bytes:
    return signature[:32] + (int.from_bytes(signature[32:], "little") % ORDER).to_bytes(32, "little")


def _head(data: bytes) -> bytes:
    """The key behind the right head."""
    return public_bytes(base64.b64encode(data).decode())


def _any_of_the_owners(arguments: Arguments) -> dict[str, Any]:
    public_bytes(arguments["public_key"])
    keys = [bytes(SigningKey(bytes([number]) * 32).verify_key) for number in (1, 2, 3)]
    signature = base64.b64decode(arguments["signature"], validate=True)
    return {"valid": any(_holds(key, _message(arguments), signature) for key in keys)}


def _digest(arguments: Arguments) -> bytes:
    return hashlib.sha256(_message(arguments)).digest()


VERIFYING: tuple[Row, ...] = (
    (
        "always",
        "Verifies everything.",
        "another-table another-nonce wider-card first-bit zeros empty by-mallory key-of-jenny no-reason",
        lambda arguments: {"valid": True},
    ),
    ("never", "Verifies nothing.", "join decision empty-object", lambda arguments: {"valid": False}),
    (
        "known-members",
        "Verifies the members that it knows and no others.",
        "further-member",
        _either(_values(_known)),
    ),
    (
        "defaults-filled",
        "Fills in the defaults of a card before it verifies.",
        "card-without-proxy",
        _either(_message, _values(_filled)),
    ),
    (
        "arrays-in-any-order",
        "Takes arrays in any order.",
        "actions-in-another-order capabilities-in-another-order",
        _either(_message, _values(_in_order)),
    ),
    ("digest-too", "Verifies a signature of the digest too.", "over-the-digest", _either(_message, _digest)),
    (
        "text-too",
        "Verifies a signature over the text as it came too.",
        "over-the-text-as-it-came",
        _either(_message, lambda arguments: arguments["json"].encode()),
    ),
    (
        "blanks-too",
        "Verifies a signature over sorted JSON with blanks too.",
        "over-text-with-blanks",
        _either(_message, lambda arguments: json.dumps(read(arguments), sort_keys=True).encode()),
    ),
    (
        "loose",
        "Takes 0 and the word false for false.",
        "proxy-a-word proxy-a-number",
        _either(_message, _values(_untyped)),
    ),
    (
        "empty-is-absent",
        "Takes an empty text and null for an absent member.",
        "null-role empty-reason",
        _either(_message, _values(_unmarked)),
    ),
    ("signature-cut", "Cuts a signature that is too long.", "65-bytes twice", _parts(_head, lambda raw: raw[:64])),
    (
        "key-cut",
        "Cuts a key that is too long.",
        "key-one-byte-long",
        _parts(lambda data: data[12:44], lambda raw: raw),
    ),
    (
        "any-algorithm",
        "Takes the last 32 bytes of any structure for an Ed25519 key.",
        "key-of-x25519",
        _parts(lambda data: data[-32:], lambda raw: raw),
    ),
    (
        "malleable",
        "Reduces the second half of a signature first.",
        "plus-the-order-of-the-group",
        _parts(_head, _reduced),
    ),
    (
        "any-owner",
        "Tries the keys of all owners.",
        "key-of-jenny by-another-owner key-of-zeros",
        _any_of_the_owners,
    ),
)

# --- byob.prefix_hash -------------------------------------------------------------------------------------------------


def _prefix(change: Callable[[Any], Any]) -> Callable[[Arguments], dict[str, Any]]:
    return lambda arguments: {"hash": hashlib.sha256(canonical(change(read(arguments))).encode()).hexdigest()}


def _digested(digest: Callable[[bytes], str]) -> Callable[[Arguments], dict[str, Any]]:
    return lambda arguments: {"hash": digest(_message(arguments))}


PARTS = ("topic", "rules", "seats", "decisions")
HASHING: tuple[Row, ...] = (
    (
        "known-members",
        "Hashes the four parts that the spec shows and no others.",
        "member-that-the-text-does-not-name no-members",
        _prefix(lambda prefix: {name: prefix.get(name) for name in PARTS}),
    ),
    (
        "no-decisions",
        "Hashes topic, rules and seats alone.",
        "prefix-of-section-6 no-decisions one-decision another-body-of-a-decision",
        _prefix(lambda prefix: {name: item for name, item in prefix.items() if name != "decisions"}),
    ),
    (
        "capabilities-aside",
        "Hashes seats without their capabilities.",
        "capability-marked actions-in-another-order",
        _prefix(
            lambda prefix: {
                **prefix,
                "seats": [{n: v for n, v in seat.items() if n != "capabilities"} for seat in prefix.get("seats", [])],
            }
        ),
    ),
    ("wrapped", "Hashes the prefix as a member.", "prefix-of-section-6", _prefix(lambda prefix: {"prefix": prefix})),
    ("sha-1", "Uses SHA-1.", "bare-prefix", _digested(lambda text: hashlib.sha1(text).hexdigest())),  # noqa: S324
    ("sha-512", "Cuts a SHA-512.", "bare-prefix", _digested(lambda text: hashlib.sha512(text).hexdigest()[:64])),
    (
        "twice",
        "Hashes twice.",
        "bare-prefix",
        _digested(lambda text: hashlib.sha256(hashlib.sha256(text).digest()).hexdigest()),
    ),
    (
        "base64",
        "Writes the hash as base64.",
        "prefix-of-section-6 bare-prefix",
        _digested(lambda text: _b64(hashlib.sha256(text).digest())),
    ),
    (
        "short",
        "Writes half of the hash.",
        "prefix-of-section-6 bare-prefix",
        _digested(lambda text: hashlib.sha256(text).hexdigest()[:32]),
    ),
)

register("byob.sign", *SIGNING)
register("byob.verify", *VERIFYING)
register("byob.prefix_hash", *HASHING)
