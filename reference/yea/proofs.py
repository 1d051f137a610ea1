"""Proof of possession: what a request's proof signs, and whether it does (YEA 6.5)."""

from collections.abc import Mapping

from reference.yea.canonical import CanonicalError, canonical
from reference.yea.keys import KeyPair
from reference.yea.keys import verify as verify_signature
from reference.yea.types import Json, as_integer

PROOF_WINDOW = 300
"""Seconds that a proof's time may be off, either way, the last one included (YEA 6.5)."""

TARGETS: Mapping[tuple[str, bool], tuple[str, ...]] = {
    ("COMMIT", False): ("hash",),
    ("UNDO", False): ("receipt",),
    ("ASK", False): ("capability",),
    ("INTENT", False): ("capability",),
    ("INTENT", True): ("auto", "capability", "frame_id"),
    ("EXPAND", False): ("handle",),
}
"""The rows of the target table: for a verb, without or with auto, what is joined by colons (YEA 6.5)."""


def target(
    verb: str,
    *,
    capability: str | None = None,
    hash: str | None = None,
    receipt: str | None = None,
    handle: str | None = None,
    auto: bool = False,
    frame_id: str | None = None,
) -> str:
    """The target that a proof for this verb signs, by the table of YEA 6.5.

    Takes the names of the request: the capability, the proposal hash, the receipt id, the handle; for an
    INTENT with auto the frame id too (auto means nothing on other verbs).
    Raises ValueError for a verb without a proof, and for a missing name.
    """
    names = {
        "capability": capability,
        "hash": hash,
        "receipt": receipt,
        "handle": handle,
        "auto": "auto",
        "frame_id": frame_id,
    }
    row = TARGETS.get((verb, auto and verb == "INTENT"))
    if row is None:
        raise ValueError(f"no proof belongs to the verb {verb!r}")
    parts = []
    for name in row:
        part = names[name]
        if part is None:
            raise ValueError(f"the proof of {verb} is over the {name}, which is missing")
        parts.append(part)
    return ":".join(parts)


def payload(aud: str, verb: str, target: str, ts: int) -> bytes:
    """The bytes that a proof signs (YEA 6.5). ts: unix seconds.

    Raises CanonicalError when a part has no canonical form.
    """
    return canonical({"aud": aud, "verb": verb, "target": target, "ts": ts}).encode()


def sign(key: KeyPair, *, aud: str, verb: str, target: str, ts: int) -> dict[str, Json]:
    """A proof: {"key", "ts", "sig"} by the holder's key, for the service `aud` at unix second `ts` (YEA 6.5).

    Raises CanonicalError when a part has no canonical form.
    """
    return {"key": key.public, "ts": ts, "sig": key.sign(payload(aud, verb, target, ts))}


def is_proof(value: Json) -> bool:
    """Whether a value has a string key, an integer ts and a string sig; else it is no proof (YEA 3.1)."""
    return _parts(value) is not None


def verify(proof: Json, *, aud: str, verb: str, target: str) -> bool:
    """Whether a proof's signature is right for this service, verb and target (YEA 6.5).

    The signature alone: `fresh` looks at the time. A malformed proof is not right. Never raises.
    """
    parts = _parts(proof)
    if parts is None:
        return False
    key, ts, sig = parts
    try:
        message = payload(aud, verb, target, ts)
    except CanonicalError:
        return False
    return verify_signature(key, message, sig)


def fresh(ts: int, now: float, window: float = PROOF_WINDOW) -> bool:
    """Whether a proof of unix second `ts` may be used at unix time `now`: |now − ts| ≤ 300 (YEA 6.5)."""
    return abs(now - ts) <= window


def _parts(proof: Json) -> tuple[str, int, str] | None:
    if not isinstance(proof, dict):
        return None
    key, ts, sig = proof.get("key"), as_integer(proof.get("ts")), proof.get("sig")
    return (key, ts, sig) if isinstance(key, str) and ts is not None and isinstance(sig, str) else None
