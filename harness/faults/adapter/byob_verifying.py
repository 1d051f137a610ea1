"""Faults of `byob.verify` beside its text: what else is taken for the right signature, object or key (BYOB 4)."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

from nacl.signing import SigningKey

from harness.faults.adapter.byob_owners import Arguments, holds, known
from harness.faults.adapter.tools import Row, read, register
from reference.byob.canonical import canonical
from reference.byob.keys import public_bytes

ORDER = 2**252 + 27742317777372353535851937790883648493


def _either(*texts: Callable[[Arguments], bytes]) -> Callable[[Arguments], dict[str, Any]]:
    """Verifies what is signed over any of these messages."""

    def run(arguments: Arguments) -> dict[str, Any]:
        key = public_bytes(arguments["public_key"])
        signature = base64.b64decode(arguments["signature"], validate=True)
        return {"valid": any(holds(key, text(arguments), signature) for text in texts)}

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
        return {"valid": holds(raw, _message(arguments), signature(base64.b64decode(arguments["signature"])))}

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
    return {"valid": any(holds(key, _message(arguments), signature) for key in keys)}


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
        _either(_values(known)),
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

register("byob.verify", *VERIFYING)
