"""The adapter operations, as the reference answers them: arguments in, an ok or an error out."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from harness.version import VERSION
from reference.byob import keys as owner_keys
from reference.byob import tasks, tokens
from reference.byob.canonical import canonical as byob_canonical
from reference.byob.errors import ByobError
from reference.byob.projection import prefix_hash
from reference.yea import caveats, consent, effects, grants, jsontext, proofs
from reference.yea.b64url import B64Error
from reference.yea.canonical import canonical
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.keys import KeyPair
from reference.yea.lens import lens_reply, lens_value
from reference.yea.proposals import proposal_hash
from reference.yea.quantities import is_quantity, render, uses_valid

Arguments = Mapping[str, Any]
Answer = dict[str, Any]
Operation = Callable[[Arguments], Answer]


class Refused(ValueError):
    """An operation refuses its input; `code` is the word that the wire would say, if there is one."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


def _json(arguments: Arguments, name: str = "json") -> Any:
    return jsontext.loads(_text(arguments, name))


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str):
        raise Refused(f"{name} must be a string")
    return value


def _integer(arguments: Arguments, name: str) -> int:
    value = arguments.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(f"{name} must be an integer")
    return value


def _object(arguments: Arguments) -> dict[str, Any]:
    value = _json(arguments)
    if not isinstance(value, dict):
        raise Refused("json must be an object")
    return value


def _key(arguments: Arguments) -> KeyPair:
    return KeyPair.from_text(_text(arguments, "seed"))


def hello(_: Arguments) -> Answer:
    """Say who answers."""
    protocols = ["yea", "byob"]
    return {
        "name": "naysayer reference",
        "version": VERSION,
        "language": "Python",
        "adapter": 1,
        "protocols": protocols,
    }


def fitted(arguments: Arguments) -> Answer:
    """Fit a reply frame into a budget, handles numbered (YEA 8)."""
    count = 0

    def handle(_: Any) -> str:
        nonlocal count
        count += 1
        return f"h_{count}"

    return {"json": jsontext.dumps(fit(_object(arguments), _integer(arguments, "budget"), handle))}


def quantity(arguments: Arguments) -> Answer:
    """Render a quantity (YEA 9.2)."""
    value = _json(arguments)
    if not is_quantity(value):
        raise Refused("not a quantity")
    return {"text": render(value)}


def sign(arguments: Arguments) -> Answer:
    """Sign a proof (YEA 6.5)."""
    texts = {name: _text(arguments, name) for name in ("aud", "verb", "target")}
    made = proofs.sign(_key(arguments), **texts, ts=_integer(arguments, "ts"))
    return {"key": made["key"], "sig": made["sig"]}


def verify(arguments: Arguments) -> Answer:
    """Verify a proof's signature, no clock involved (YEA 6.5)."""
    proof = {name: arguments.get(name) for name in ("key", "sig", "ts")}
    texts = {name: _text(arguments, name) for name in ("aud", "verb", "target")}
    return {"valid": proofs.verify(proof, **texts)}


def issue(arguments: Arguments) -> Answer:
    """Issue a root grant (YEA 6.2)."""
    made = grants.issue(
        _key(arguments),
        sub=_text(arguments, "sub"),
        caveats=_json(arguments, "caveats"),
        iat=_integer(arguments, "iat"),
        nonce=_text(arguments, "nonce"),
    )
    return {"token": made}


def delegate(arguments: Arguments) -> Answer:
    """Append a block to a grant (YEA 6.2)."""
    made = grants.delegate(
        _text(arguments, "token"),
        _key(arguments),
        sub=_text(arguments, "sub"),
        caveats=_json(arguments, "caveats"),
        iat=_integer(arguments, "iat"),
    )
    return {"token": made}


def check(arguments: Arguments) -> Answer:
    """Check a grant against a request (YEA 6.3, 6.4)."""
    context = _json(arguments, "context")
    trusted = [key for key in arguments.get("trusted") or [] if isinstance(key, str)]
    asked = caveats.Context(
        service=context["service"],
        verb=context["verb"],
        capability=context["capability"],
        now=context["now"],
        proposal=context.get("proposal"),
        used=context.get("used") or {},
    )
    decision = caveats.check(_text(arguments, "token"), trusted, _text(arguments, "proof_key"), asked)
    return {"decision": decision}


def block_ids(arguments: Arguments) -> Answer:
    """Return a grant's block ids in chain order (YEA 6.2)."""
    return {"ids": list(grants.decode(_text(arguments, "token")).block_ids)}


def consent_caveats(arguments: Arguments) -> Answer:
    """Return a consent grant's caveats (YEA 6.6)."""
    service, capability, proposal = (_text(arguments, name) for name in ("service", "capability", "hash"))
    made = consent.consent_caveats(service, capability, proposal, _integer(arguments, "expires"))
    return {"json": jsontext.dumps(made)}


def undo_effects(arguments: Arguments) -> Answer:
    """Invert a list of effects (YEA 4.5)."""
    inverted: list[Any] = [*effects.inverted(_json(arguments))]
    return {"json": jsontext.dumps(inverted)}


def byob_sign(arguments: Arguments) -> Answer:
    """Sign a value's canonical JSON with an owner's key (BYOB 4)."""
    seed = _text(arguments, "seed")
    key = owner_keys.OwnerKey(base64.b64decode(seed, validate=True))
    return {"public_key": key.public_key, "signature": key.sign(_json(arguments))}


def byob_verify(arguments: Arguments) -> Answer:
    """Verify an owner's signature over a value's canonical JSON (BYOB 4)."""
    key, signature = _text(arguments, "public_key"), _text(arguments, "signature")
    return {"valid": owner_keys.verify(key, _json(arguments), signature)}


YEA_OPERATIONS: dict[str, Operation] = {
    "canonical": lambda a: {"text": canonical(_json(a))},
    "hash": lambda a: {"hash": proposal_hash(_object(a))},
    "est": lambda a: {"count": est(_text(a, "text"))},
    "lens.value": lambda a: {"text": lens_value(_json(a))},
    "lens.reply": lambda a: {"text": lens_reply(_object(a))},
    "fit": fitted,
    "uses.valid": lambda a: {"valid": uses_valid(_json(a))},
    "quantity": quantity,
    "key.public": lambda a: {"public": _key(a).public},
    "proof.sign": sign,
    "proof.verify": verify,
    "grant.issue": issue,
    "grant.delegate": delegate,
    "grant.check": check,
    "grant.block_ids": block_ids,
    "consent.caveats": consent_caveats,
    "undo.effects": undo_effects,
}

BYOB_OPERATIONS: dict[str, Operation] = {
    "byob.canonical": lambda a: {"text": byob_canonical(_json(a))},
    "byob.sign": byob_sign,
    "byob.verify": byob_verify,
    "byob.prefix_hash": lambda a: {"hash": prefix_hash(_object(a))},
    "byob.tokens": lambda a: {"count": tokens.count(_text(a, "text"))},
    "byob.transition": lambda a: {"state": tasks.after(_text(a, "state"), _text(a, "event"))},
}

OPERATIONS: dict[str, Operation] = {"hello": hello, **YEA_OPERATIONS, **BYOB_OPERATIONS}


def answer(operation: str, arguments: Arguments, table: Mapping[str, Operation] = OPERATIONS) -> Answer:
    """Return the answer to one call: {"ok": …}, {"error": …} or {"unsupported": true}. Never raises."""
    run = table.get(operation)
    if run is None:
        return {"unsupported": True}
    try:
        return {"ok": run(arguments)}
    except (ValueError, TypeError, KeyError, AttributeError, B64Error, ByobError) as problem:
        code = getattr(problem, "code", None)
        error = {"message": str(problem)[:300]}
        return {"error": {**error, "code": code} if isinstance(code, str) else error}
