"""Faults of `hash`: what is hashed, and how the hash is written (YEA 5.1)."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.canonical import Writer, by_utf_16, lenient
from harness.faults.adapter.tools import Row, read, register, rewrite
from reference.yea import b64url
from reference.yea.canonical import canonical

KNOWN = ("id", "capability", "summary", "effects", "uses", "risk", "undo", "expires")


def _digest(text: str) -> str:
    return b64url.encode(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())


def _without(proposal: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in proposal.items() if name not in names}


def _plain(proposal: dict[str, Any]) -> dict[str, Any]:
    return _without(proposal, "hash", "data")


def _deep(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _deep(item) for name, item in _plain(value).items()}
    return [_deep(item) for item in value] if isinstance(value, list) else value


def _cut(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def _loose(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _raw(proposal: dict[str, Any]) -> bytes:
    return hashlib.sha256(canonical(_plain(proposal)).encode()).digest()


def _unscaled(value: Any) -> Any:
    """The value without the members that say a scale of 0."""
    if isinstance(value, dict):
        return {name: _unscaled(item) for name, item in value.items() if (name, item) != ("scale", 0)}
    return [_unscaled(item) for item in value] if isinstance(value, list) else value


Hash = Callable[[dict[str, Any]], str]
HASHES: tuple[tuple[str, str, str, Hash], ...] = (
    (
        "covers-hash",
        "Hashes an earlier hash member too.",
        "its-own-hash another-hash hash-that-is-a-fraction",
        lambda p: _digest(canonical(_without(p, "data"))),
    ),
    (
        "covers-data",
        "Hashes data too.",
        "data-with-fractions data-null",
        lambda p: _digest(canonical(_without(p, "hash"))),
    ),
    (
        "known-members-only",
        "Hashes the members that it knows and no others.",
        "unknown-member members-not-ascii member-in-capitals",
        lambda p: _digest(canonical({name: p[name] for name in KNOWN if name in p})),
    ),
    (
        "left-out-at-any-depth",
        "Leaves hash and data out wherever they stand.",
        "data-and-hash-inside-an-effect",
        lambda p: _digest(canonical(_deep(p))),
    ),
    (
        "nulls-dropped",
        "Leaves members out that are null.",
        "short-proposal uses-null",
        lambda p: _digest(canonical({n: v for n, v in _plain(p).items() if v is not None})),
    ),
    (
        "empty-uses-dropped",
        "Leaves an empty uses out.",
        "uses-empty",
        lambda p: _digest(canonical({n: v for n, v in _plain(p).items() if n != "uses" or v != {}})),
    ),
    (
        "undo-always",
        "Writes a null undo where there is none.",
        "no-undo",
        lambda p: _digest(canonical({"undo": None, **_plain(p)})),
    ),
    (
        "members-as-they-come",
        "Hashes the members in the order of the input.",
        "proposal members-in-another-order short-proposal",
        lambda p: _digest(Writer(order=list).write(_plain(p))),
    ),
    (
        "keys-by-utf-16-units",
        "Sorts keys by UTF-16 units.",
        "members-not-ascii",
        lambda p: _digest(Writer(order=by_utf_16).write(_plain(p))),
    ),
    (
        "ascii-only",
        "Escapes what is not ASCII before it hashes.",
        "summary-not-ascii replacement-character",
        lambda p: _digest(json.dumps(_plain(p), sort_keys=True, separators=(",", ":"))),
    ),
    (
        "spaces",
        "Hashes a text with blanks.",
        "proposal short-proposal",
        lambda p: _digest(json.dumps(_plain(p), sort_keys=True, ensure_ascii=False)),
    ),
    ("hex", "Writes the hash as hex.", "proposal no-members", lambda p: _raw(p).hex()),
    (
        "padded",
        "Writes the hash with padding.",
        "proposal no-members",
        lambda p: base64.urlsafe_b64encode(_raw(p)).decode(),
    ),
    (
        "standard-alphabet",
        "Writes the hash with + and /.",
        "short-proposal",
        lambda p: base64.b64encode(_raw(p)).decode().rstrip("="),
    ),
    (
        "fractions-hashed",
        "Hashes fractions.",
        "fraction-in-an-effect fraction-in-uses fraction-in-a-member-not-known",
        lambda p: _digest(_loose(_plain(p))),
    ),
    (
        "fractions-cut",
        "Cuts fractions off before it hashes.",
        "fraction-in-an-effect fraction-in-uses",
        lambda p: _digest(canonical(rewrite(_plain(p), _cut))),
    ),
    (
        "scales-of-0-dropped",
        "Leaves a scale of 0 out of what it hashes.",
        "uses-with-scale-0",
        lambda p: _digest(json.dumps(_unscaled(_plain(p)), sort_keys=True, separators=(",", ":"), ensure_ascii=False)),
    ),
    (
        "lone-surrogates-replaced",
        "Replaces lone surrogates by U+FFFD before it hashes.",
        "lone-surrogate-in-the-summary lone-surrogate-in-an-effect",
        lambda p: _digest(Writer(text=lenient, key=lenient).write(_plain(p))),
    ),
)


def _row(words: str, says: str, kills: str, make: Hash) -> Row:
    return words, says, kills, lambda arguments: {"hash": make(read(arguments))}


def _text_as_it_came(arguments: Arguments) -> dict[str, Any]:
    return {"hash": _digest(arguments["json"])}


register(
    "hash",
    *(_row(*entry) for entry in HASHES),
    ("text-as-it-came", "Hashes the text as it came.", "proposal blanks-between-tokens", _text_as_it_came),
)
