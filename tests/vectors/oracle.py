"""A second opinion on grants and proofs: YEA 6.1 to 6.5 once more, written from the text.

It uses `cryptography` and exact fractions where the reference uses PyNaCl and scaled integers, and shares nothing with
it. Plain and slow.
"""

import json
import re
from fractions import Fraction
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.vectors.generators.second import b64url, canonical, digest, unb64url

LEVELS = {"low": 1, "medium": 2, "high": 3}
LARGEST = 2**53 - 1
HARD, SOFT, FINE = "forbidden", "consent_required", "ok"


class Refused(Exception):
    """The grant is no grant."""


def raw(text: Any, size: int) -> bytes:
    """The bytes of canonical base64url of this size."""
    if not isinstance(text, str) or re.fullmatch("[A-Za-z0-9_-]*", text) is None or len(text) % 4 == 1:
        raise Refused("not base64url")
    data = unb64url(text)
    if b64url(data) != text or (size and len(data) != size):
        raise Refused("not canonical, or of another size")
    return data


def key_bytes(key: Any) -> bytes:
    """The 32 bytes of a public key."""
    if not isinstance(key, str) or key[:8] != "ed25519:":
        raise Refused("no key")
    return raw(key[8:], 32)


def verifies(key: Any, message: bytes, sig: Any) -> bool:
    """Whether a signature is right."""
    try:
        Ed25519PublicKey.from_public_bytes(key_bytes(key)).verify(raw(sig, 64), message)
    except (Refused, InvalidSignature, ValueError):
        return False
    return True


def proof_is_right(arguments: dict[str, Any]) -> bool:
    """proof.verify"""
    members = {name: arguments[name] for name in ("aud", "verb", "target", "ts")}
    return verifies(arguments["key"], canonical(members).encode(), arguments["sig"])


def _minimal(text: str) -> int:
    if re.fullmatch("0|-?[1-9][0-9]*", text) is None:
        raise Refused("a number that is spelled otherwise")
    return int(text)


def blocks_of(token: str) -> list[Any]:
    """The blocks of a token, checked on their own."""
    if token[:4] != "pg1.":
        raise Refused("no prefix")
    try:
        text = raw(token[4:], 0).decode()
        blocks = json.loads(text, parse_int=_minimal, parse_float=_minimal, parse_constant=_minimal)
    except (ValueError, RecursionError):
        raise Refused("no JSON") from None
    if not isinstance(blocks, list) or not blocks:
        raise Refused("no blocks")
    for at, block in enumerate(blocks):
        _check(block, first=at == 0)
    return blocks


def _check(block: Any, *, first: bool) -> None:
    if not isinstance(block, dict) or not isinstance(block.get("p"), dict):
        raise Refused("no block")
    payload = block["p"]
    raw(block.get("s"), 64)
    texts = ("iss", "sub", "nonce") if first else ("prev", "sub")
    if not all(isinstance(payload.get(name), str) for name in texts) or not isinstance(payload.get("caveats"), list):
        raise Refused("a field is missing or of another type")
    if type(payload.get("iat")) is not int:
        raise Refused("no iat")
    key_bytes(payload["sub"])
    try:
        canonical(payload)
    except ValueError:
        raise Refused("no canonical form") from None


def verified(token: str) -> list[Any]:
    """The blocks of a token whose signatures and links are right."""
    blocks = blocks_of(token)
    for at, block in enumerate(blocks):
        signer = blocks[at - 1]["p"]["sub"] if at else block["p"]["iss"]
        if at and block["p"]["prev"] != digest(blocks[at - 1]["s"]):
            raise Refused("another prev")
        if not verifies(signer, canonical(block["p"]).encode(), block["s"]):
            raise Refused("a wrong signature")
    return blocks


def block_ids(token: str) -> list[str]:
    """grant.block_ids"""
    return [digest(block["s"]) for block in verified(token)]


def decision(token: str, trusted: list[str], proof_key: str, context: dict[str, Any]) -> str:
    """grant.check"""
    try:
        blocks = verified(token)
    except Refused:
        return "unauthorized"
    if blocks[0]["p"]["iss"] not in trusted or blocks[-1]["p"]["sub"] != proof_key:
        return "unauthorized"
    outcomes = {
        outcome(caveat, context, context.get("used", {}).get(digest(block["s"]), {}))
        for block in blocks
        for caveat in block["p"]["caveats"]
    }
    return next(word for word in (HARD, SOFT, FINE) if word in outcomes | {FINE})


def outcome(caveat: Any, context: dict[str, Any], used: dict[str, Any]) -> str:
    """What one caveat says."""
    if not isinstance(caveat, dict) or len(caveat) != 1:
        return HARD
    name, value = next(iter(caveat.items()))
    commit, proposal = context["verb"] == "COMMIT", context.get("proposal", {})
    if name in ("svc", "verbs", "can"):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            return HARD
        asked = context[{"svc": "service", "verbs": "verb", "can": "capability"}[name]]
        fits = [item == asked or (name == "can" and item[-1:] == "*" and asked.startswith(item[:-1])) for item in value]
        return FINE if any(fits) else HARD
    if name in ("exp", "nbf"):
        if type(value) is not int:
            return HARD
        return FINE if (context["now"] < value if name == "exp" else context["now"] >= value) else HARD
    if name == "risk":
        if not isinstance(value, str) or value not in LEVELS:
            return HARD
        return _risk(value, proposal) if commit else FINE
    if name == "only":
        return FINE if isinstance(value, str) and (not commit or value == proposal.get("hash")) else HARD
    if name in ("each", "total"):
        if not is_measured(value, "max", {"of"}) or not is_measure(value.get("of")):
            return HARD
        return _limit(value, proposal, used if name == "total" else {}) if commit else FINE
    return HARD


def _risk(level: str, proposal: dict[str, Any]) -> str:
    own = proposal.get("risk")
    if not isinstance(own, str) or own not in LEVELS:
        return HARD
    return FINE if LEVELS[own] <= LEVELS[level] else SOFT


def is_measure(name: Any) -> bool:
    """Whether a value is a measure name."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    rest = letters + "0123456789_.-"
    return isinstance(name, str) and 1 <= len(name) <= 64 and name[0] in letters and all(c in rest for c in name)


def is_measured(value: Any, amount: str, more: set[str]) -> bool:
    """Whether a value is a quantity, or a limit but for its `of`."""
    if not isinstance(value, dict) or not set(value) <= {amount, "scale", "unit"} | more:
        return False
    number, scale, unit = value.get(amount), value.get("scale", 0), value.get("unit", "x")
    return (
        type(number) is int
        and 0 <= number <= LARGEST
        and type(scale) is int
        and 0 <= scale <= 18
        and isinstance(unit, str)
        and re.fullmatch("[A-Za-z0-9_./%-]{1,32}", unit) is not None
    )


def _value(quantity: dict[str, Any], amount: str = "amount") -> Fraction:
    return Fraction(quantity[amount], 10 ** quantity.get("scale", 0))


def _limit(limit: dict[str, Any], proposal: dict[str, Any], used: dict[str, Any]) -> str:
    uses = proposal.get("uses", {})
    if not isinstance(uses, dict) or not all(
        is_measure(n) and is_measured(q, "amount", set()) for n, q in uses.items()
    ):
        return HARD
    measure = limit["of"]
    if measure not in uses:
        return FINE
    before = _value(used[measure]) if measure in used else Fraction(0)
    fits = before + _value(uses[measure]) <= _value(limit, "max")
    return FINE if fits and uses[measure].get("unit") == limit.get("unit") else SOFT
