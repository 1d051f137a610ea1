"""Faults of `proof.sign` and `proof.verify`: other texts, and lenient readers (YEA 6.5, 6.1)."""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.keys import either_alphabet, skipping, stripped, unused_bits
from harness.faults.adapter.tools import Row, register
from reference.yea import b64url
from reference.yea.keys import KeyPair
from reference.yea.keys import verify as verify_signature
from reference.yea.proofs import payload

SCHEME = "ed25519:"


def _members(arguments: Arguments) -> dict[str, Any]:
    return {name: arguments[name] for name in ("aud", "verb", "target", "ts")}


def _right(arguments: Arguments) -> bytes:
    return payload(**_members(arguments))


def _json(value: Any, **options: Any) -> bytes:
    return json.dumps(value, **{"ensure_ascii": False, "separators": (",", ":"), **options}).encode()


Text = Callable[[Arguments], bytes]
TEXTS: tuple[tuple[str, str, str, Text], ...] = (
    (
        "members-as-in-the-example",
        "Signs the members in the order of the spec's example.",
        "commit undo",
        lambda a: _json(_members(a)),
    ),
    (
        "spaces",
        "Signs a text with blanks.",
        "commit target-with-escapes",
        lambda a: _json(_members(a), sort_keys=True, separators=(", ", ": ")),
    ),
    (
        "ascii-only",
        "Escapes what is not ASCII.",
        "aud-not-ascii target-not-ascii",
        lambda a: _json(_members(a), sort_keys=True, ensure_ascii=True),
    ),
    (
        "ts-as-a-string",
        "Signs ts as a string.",
        "commit ts-0",
        lambda a: _json({**_members(a), "ts": str(a["ts"])}, sort_keys=True),
    ),
    (
        "ts-as-a-decimal",
        "Signs ts as a floating-point number.",
        "ask ts-largest",
        lambda a: _json({**_members(a), "ts": float(a["ts"])}, sort_keys=True),
    ),
    (
        "key-signed-too",
        "Signs the key besides.",
        "intent expand",
        lambda a: _json({**_members(a), "key": KeyPair.from_text(a["seed"]).public}, sort_keys=True),
    ),
    (
        "no-audience",
        "Leaves the audience out.",
        "commit aud-in-capitals",
        lambda a: _json({name: value for name, value in _members(a).items() if name != "aud"}, sort_keys=True),
    ),
    (
        "audience-in-small-letters",
        "Signs the audience in small letters.",
        "aud-in-capitals",
        lambda a: payload(**{**_members(a), "aud": a["aud"].lower()}),
    ),
    (
        "target-trimmed",
        "Trims the target.",
        "target-with-blanks",
        lambda a: payload(**{**_members(a), "target": a["target"].strip()}),
    ),
    (
        "auto-without-the-frame",
        "Signs the capability alone for an auto INTENT.",
        "intent-with-auto auto-frame-id-not-ascii",
        lambda a: payload(**{**_members(a), "target": a["target"].removeprefix("auto:").split(":")[0]}),
    ),
    ("hashed", "Signs the hash of the text.", "commit undo ask", lambda a: hashlib.sha256(_right(a)).digest()),
    (
        "joined",
        "Signs the parts joined by newlines.",
        "commit undo ask",
        lambda a: "\n".join(map(str, _members(a).values())).encode(),
    ),
)


def _sign(words: str, says: str, kills: str, text: Text) -> Row:
    def run(arguments: Arguments) -> dict[str, str]:
        pair = KeyPair.from_text(arguments["seed"])
        return {"key": pair.public, "sig": pair.sign(text(arguments))}

    return words, says, kills, run


def _spelled(words: str, says: str, kills: str, spell: Callable[[bytes], str]) -> Row:
    def run(arguments: Arguments) -> dict[str, str]:
        pair = KeyPair.from_text(arguments["seed"])
        return {"key": pair.public, "sig": spell(b64url.decode(pair.sign(_right(arguments))))}

    return words, says, kills, run


register(
    "proof.sign",
    *(_sign(*entry) for entry in TEXTS),
    _spelled(
        "padded", "Writes the signature with padding.", "commit undo", lambda d: base64.urlsafe_b64encode(d).decode()
    ),
    _spelled(
        "standard-alphabet",
        "Writes the signature with + and /.",
        "ask commit",
        lambda d: base64.b64encode(d).decode().rstrip("="),
    ),
)


def _verify(key: str, message: bytes, sig: str) -> bool:
    return verify_signature(key, message, sig)


def _bytes(read: Callable[[str], bytes], size: int, text: str) -> str:
    """The canonical text of what a lenient reader reads, cut or filled to its size."""
    return b64url.encode(read(text)[:size].ljust(size, b"\0"))


def _lenient(read: Callable[[str], bytes]) -> Callable[[Arguments], bool]:
    def valid(arguments: Arguments) -> bool:
        scheme, colon, text = arguments["key"].partition(":")
        key = f"{scheme}{colon}{_bytes(read, 32, text)}"
        return _verify(key, _right(arguments), _bytes(read, 64, arguments["sig"]))

    return valid


def _also(**others: Callable[[Any], Any]) -> Callable[[Arguments], bool]:
    """Valid also over another value of a member."""

    def valid(arguments: Arguments) -> bool:
        changed = {name: change(arguments[name]) for name, change in others.items()}
        texts = (_right(arguments), payload(**{**_members(arguments), **changed}))
        return any(_verify(arguments["key"], text, arguments["sig"]) for text in texts)

    return valid


def _over(*texts: Text) -> Callable[[Arguments], bool]:
    return lambda a: any(_verify(a["key"], text(a), a["sig"]) for text in (_right, *texts))


def _any_scheme(arguments: Arguments) -> bool:
    key = SCHEME + arguments["key"].split(":")[-1]
    return _verify(key, _right(arguments), arguments["sig"])


def _unreadable_passes(arguments: Arguments) -> bool:
    try:
        if len(b64url.decode(arguments["sig"])) != 64:
            raise ValueError("another size")
        KeyPair(b64url.decode(arguments["key"].removeprefix(SCHEME)))
    except ValueError:
        return True
    return _verify(arguments["key"], _right(arguments), arguments["sig"])


def _padding(text: str) -> bytes:
    return b64url.decode(text.rstrip("="))


VERBS = {"ASK": "INTENT", "INTENT": "ASK"}
CHECKS: tuple[tuple[str, str, str, Callable[[Arguments], bool]], ...] = (
    ("padding", "Accepts padding.", "signature-has-padding key-has-padding", _lenient(_padding)),
    (
        "unused-bits",
        "Ignores unused bits.",
        "signature-has-an-unused-bit-set key-has-an-unused-bit-set",
        _lenient(unused_bits),
    ),
    (
        "other-characters",
        "Skips characters that it does not know.",
        "signature-has-a-space-inside key-has-a-line-break-at-the-end",
        _lenient(skipping),
    ),
    ("either-alphabet", "Accepts the standard alphabet.", "signature-has-and-for-and", _lenient(either_alphabet)),
    (
        "blanks-around",
        "Strips blanks around a value.",
        "signature-has-a-line-break-at-the-end key-has-a-line-break-at-the-end",
        _lenient(stripped),
    ),
    ("cut", "Cuts what is too long.", "with-a-signature-of-65-bytes key-is-33-bytes-long", _lenient(b64url.decode)),
    (
        "any-scheme",
        "Does not look at ed25519:.",
        "key-has-no-scheme key-has-another-scheme key-has-two-schemes",
        _any_scheme,
    ),
    (
        "scheme-without-case",
        "Reads the scheme without regard to case.",
        "key-has-its-scheme-in-capitals",
        lambda a: _verify(a["key"].replace("ED25519:", SCHEME), _right(a), a["sig"]),
    ),
    (
        "unreadable-passes",
        "Passes what its library cannot read.",
        "with-an-empty-signature key-is-empty key-is-31-bytes-long",
        _unreadable_passes,
    ),
    ("no-audience", "Passes a proof for no audience.", "for-an-empty-audience", _also(aud=lambda aud: "")),
    (
        "audience-by-its-start",
        "Passes an audience that goes on.",
        "for-an-audience-that-goes-on",
        _also(aud=lambda aud: aud + "."),
    ),
    ("ask-is-intent", "Takes ASK and INTENT for one verb.", "for-another-verb", _also(verb=lambda v: VERBS.get(v, v))),
    (
        "verb-in-small-letters",
        "Accepts the verb in small letters.",
        "for-the-verb-in-small-letters",
        _also(verb=str.lower),
    ),
    ("one-second-off", "Accepts a ts that is one second off.", "ts-went-up-after-signing", _also(ts=lambda ts: ts - 1)),
    (
        "auto-as-plain",
        "Accepts the proof of a plain INTENT for an auto one.",
        "plain-intent-proof-for-an-auto-one",
        _also(target=lambda target: target.removeprefix("auto:").split(":")[0]),
    ),
    (
        "no-target",
        "Accepts a proof over no target.",
        "over-nothing-for-commit over-nothing-for-ask",
        _also(target=lambda target: ""),
    ),
    (
        "example-order",
        "Accepts the members in the order of the spec's example.",
        "signed-over-a-text-in-the-order-of-the-spec-s-example",
        _over(lambda a: _json(_members(a))),
    ),
    (
        "spaces",
        "Accepts a text with blanks.",
        "signed-over-a-text-with-blanks",
        _over(lambda a: _json(_members(a), sort_keys=True, separators=(", ", ": "))),
    ),
    (
        "ts-as-a-string",
        "Accepts ts as a string.",
        "signed-over-a-text-with-ts-as-a-string",
        _over(lambda a: _json({**_members(a), "ts": str(a["ts"])}, sort_keys=True)),
    ),
    (
        "audience-optional",
        "Accepts a text without an audience.",
        "signed-over-a-text-without-aud",
        _over(lambda a: _json({n: v for n, v in _members(a).items() if n != "aud"}, sort_keys=True)),
    ),
    (
        "refuses-every-proof",
        "Refuses every proof.",
        "right-commit right-intent-with-auto right-over-any-text",
        lambda a: False,
    ),
)


def _check(words: str, says: str, kills: str, valid: Callable[[Arguments], bool]) -> Row:
    return words, says, kills, lambda arguments: {"valid": valid(arguments)}


register("proof.verify", *(_check(*entry) for entry in CHECKS))
