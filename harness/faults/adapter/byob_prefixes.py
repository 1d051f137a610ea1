"""Faults of `byob.prefix_hash` beside its text: what is hashed, how, and how the hash is spelled (BYOB 6)."""

import hashlib
from collections.abc import Callable
from typing import Any

from harness.faults.adapter.byob_owners import Arguments, b64
from harness.faults.adapter.tools import Row, read, register
from reference.byob.canonical import canonical


def _prefix(change: Callable[[Any], Any]) -> Callable[[Arguments], dict[str, Any]]:
    return lambda arguments: {"hash": hashlib.sha256(canonical(change(read(arguments))).encode()).hexdigest()}


def _digested(digest: Callable[[bytes], str]) -> Callable[[Arguments], dict[str, Any]]:
    return lambda arguments: {"hash": digest(canonical(read(arguments)).encode())}


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
        _digested(lambda text: b64(hashlib.sha256(text).digest())),
    ),
    (
        "short",
        "Writes half of the hash.",
        "prefix-of-section-6 bare-prefix",
        _digested(lambda text: hashlib.sha256(text).hexdigest()[:32]),
    ),
)

register("byob.prefix_hash", *HASHING)
