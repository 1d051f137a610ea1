"""byob.sign and byob.verify: an owner's Ed25519 signature over canonical JSON (BYOB 3, 4)."""

import base64
import hashlib
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.vectors.generators.byob_second import (
    CARD,
    DECISION,
    JENNY,
    JOIN,
    MALLORY,
    OMAR,
    TAO,
    Key,
    b64,
    backwards,
    canonical,
    compact,
    without,
)
from tests.vectors.generators.documents import Json, case, document, group, ok, refused

SIGN, VERIFY = "byob.sign", "byob.verify"
RIGHT, STRICT = "BYOB-4-21", "BYOB-4-22"
CANONICAL = "BYOB-4-16 BYOB-4-18 BYOB-4-21"
# The order of the group of Ed25519's base point (RFC 8032, 5.1).
ORDER = 2**252 + 27742317777372353535851937790883648493
SIGN_NOTES = {
    "as-received": ("signs the text as it came", RIGHT),
    "top-only": ("sorts the outermost members alone", f"{RIGHT} BYOB-4-16"),
    "spaces": ("signs JSON with blanks", f"{RIGHT} BYOB-4-18"),
    "arrays-sorted": ("sorts the elements of arrays", f"{RIGHT} BYOB-4-17"),
    "drops-null": ("leaves out what is null", RIGHT),
    "known-members": ("signs the members that it knows and no others", RIGHT),
    "hashed-first": ("hashes the text before it signs", RIGHT),
    "seed-hashed": ("derives the key from the seed in another way", RIGHT),
    "raw-key": ("writes the key without its SPKI head, or with another", RIGHT),
    "other-alphabet": ("writes base64url, or no padding, or hex", RIGHT),
    "length-lenient": ("cuts or fills what is not 32 bytes", RIGHT),
    "ascii-only": ("escapes what is not ASCII before it signs", RIGHT),
}
VERIFY_NOTES = {
    "as-received": ("verifies the text as it came", f"{RIGHT} BYOB-4-16"),
    "top-only": ("sorts the outermost members alone", f"{RIGHT} BYOB-4-16"),
    "always": ("verifies nothing", STRICT),
    "known-members": ("verifies the members that it knows and no others", STRICT),
    "loose-types": ('takes true, 1 and "1" for the same', STRICT),
    "drops-empty": ("takes null, empty and absent for the same", STRICT),
    "fills-defaults": ("fills in the defaults of a card before it verifies", STRICT),
    "arrays-sorted": ("takes arrays in any order", f"{STRICT} BYOB-4-17"),
    "hashed-first": ("verifies a signature of the hash too", STRICT),
    "any-text": ("verifies a signature over the text as it came too", STRICT),
    "any-key": ("takes the key for the right one without a look, or another owner's", STRICT),
    "cut": ("cuts a signature or key that is too long", STRICT),
    "malleable": ("accepts a second signature that anyone can compute", STRICT),
    "any-algorithm": ("takes the last 32 bytes of any structure for an Ed25519 key", STRICT),
    "ascii-only": ("escapes what is not ASCII before it verifies", RIGHT),
}
# RFC 8032, 7.1: the seeds of its first two tests.
RFC_8032 = (
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
)
HEAD = bytes.fromhex("302a300506032b6570032100")
OPEN: dict[str, Any] = {"basis": "open", "question": "BYOB-Q028", "flags": "ascii-only"}


def _signed(name: str, value: Any, key: Key = TAO, text: str | None = None, **options: Any) -> Json:
    arguments = {"seed": key.seed, "json": compact(value) if text is None else text}
    return case(SIGN, name, arguments, ok(public_key=key.public, signature=key.sign(value)), **options)


def _unsigned(name: str, seed: str, text: str = "{}", **options: Any) -> Json:
    return case(SIGN, name, {"seed": seed, "json": text}, refused(), **options)


def _objects() -> Json:
    spaced = json.dumps(DECISION, indent=2)
    return group(
        "what is signed is canonical",
        CANONICAL,
        [
            _signed("join", JOIN, flags="as-received top-only spaces hashed-first arrays-sorted"),
            _signed(
                "join backwards", JOIN, text=compact(backwards(JOIN)), comment="the same signature", flags="as-received"
            ),
            _signed("join without a role", without(JOIN, "role"), flags="known-members"),
            _signed("join with a bare card", {**JOIN, "card": {"bot": "x", "proxy": False, "capabilities": []}}),
            _signed("decision", DECISION, JENNY, flags="as-received hashed-first"),
            _signed("decision with blanks", DECISION, JENNY, spaced, comment="the same signature", flags="spaces"),
            _signed("decision without a reason", without(DECISION, "reason"), JENNY, flags="known-members"),
            _signed("rejection", {**DECISION, "decision": "reject", "reason": 'Not "now".'}, JENNY),
            _signed("member null", {**DECISION, "reason": None}, JENNY, question="BYOB-Q030", flags="drops-null"),
            _signed("further member", {**JOIN, "note": [1, {"b": 1, "a": 2}]}, flags="known-members top-only"),
            _signed("empty object", {}, flags="hashed-first"),
            _signed("array", [{"b": 1, "a": 2}, "z", "y"], flags="arrays-sorted top-only"),
            _signed("string", "say", comment="a value need not be an object"),
        ],
    )


def _keys() -> Json:
    seeds = {"seed of zeros": bytes(32), "seed of 255s": b"\xff" * 32, "seed in order": bytes(range(32))}
    flags = "seed-hashed raw-key other-alphabet"
    return group(
        "keys and signatures as they are spelled",
        RIGHT,
        [
            *(_signed(name, {"a": 1}, Key(seed), flags=flags) for name, seed in seeds.items()),
            *(
                _signed(f"rfc 8032 test {n}", {"a": n}, Key(bytes.fromhex(seed)), flags="seed-hashed")
                for n, seed in enumerate(RFC_8032, 1)
            ),
            _signed("omar", {"a": 1}, OMAR, flags=flags),
            _signed("mallory", {"a": 1}, MALLORY, flags="raw-key"),
        ],
    )


def _refused() -> Json:
    seed = TAO.seed
    return group(
        "what cannot be signed",
        RIGHT,
        [
            _unsigned("seed of 31 bytes", b64(b"\1" * 31), flags="length-lenient"),
            _unsigned("seed of 33 bytes", b64(b"\1" * 33), flags="length-lenient"),
            _unsigned("seed of 64 bytes", b64(b"\1" * 64), flags="length-lenient", comment="seed and public key"),
            _unsigned("empty seed", "", flags="length-lenient"),
            _unsigned("seed of other characters", "!" + seed[1:], flags="length-lenient"),
            _unsigned("no json", seed, '{"a":'),
        ],
    )


def _sign_open() -> Json:
    return group(
        "what the text leaves open",
        RIGHT,
        [
            _signed("reason not ascii", {**DECISION, "reason": "Später – 後で 👍"}, JENNY, **OPEN),
            _signed(
                "reason with line ends", {**DECISION, "reason": "a\nb\tc"}, JENNY, **{**OPEN, "flags": "as-received"}
            ),
            _signed("owner not ascii", {**DECISION, "owner": "jürgen"}, JENNY, **OPEN),
        ],
    )


def sign_document() -> Json:
    """The file of byob.sign."""
    return document(SIGN, "4", [_objects(), _keys(), _refused(), _sign_open()], SIGN_NOTES)


def _verified(
    name: str, valid: bool, value: Any, signature: str, key: str = TAO.public, text: str | None = None, **options: Any
) -> Json:
    arguments = {"public_key": key, "json": compact(value) if text is None else text, "signature": signature}
    return case(VERIFY, name, arguments, ok(valid=valid), **options)


def _right() -> Json:
    sig = TAO.sign(JOIN)
    inner = {**JOIN, "card": backwards(CARD)}
    escaped = compact(JOIN).replace('"tao"', r'"\u0074ao"')
    return group(
        "the right signature",
        CANONICAL,
        [
            _verified("join", True, JOIN, sig, flags="as-received"),
            _verified("join backwards", True, JOIN, sig, text=compact(backwards(JOIN)), flags="as-received"),
            _verified("card backwards", True, JOIN, sig, text=compact(inner), flags="top-only as-received"),
            _verified("join with blanks", True, JOIN, sig, text=json.dumps(JOIN, indent=1), flags="as-received"),
            _verified("join with an escape", True, JOIN, sig, text=escaped, flags="as-received"),
            _verified("join without a role", True, without(JOIN, "role"), TAO.sign(without(JOIN, "role"))),
            _verified("decision", True, DECISION, JENNY.sign(DECISION), JENNY.public),
            _verified(
                "decision without a reason",
                True,
                without(DECISION, "reason"),
                JENNY.sign(without(DECISION, "reason")),
                JENNY.public,
            ),
            _verified(
                "member null", True, {"a": None}, TAO.sign({"a": None}), question="BYOB-Q030", flags="drops-empty"
            ),
            _verified("empty object", True, {}, OMAR.sign({}), OMAR.public),
        ],
    )


def _changed() -> Json:
    sig, decided = TAO.sign(JOIN), JENNY.sign(DECISION)
    roleless, unexplained = TAO.sign(without(JOIN, "role")), JENNY.sign(without(DECISION, "reason"))
    wider = [{**CARD["capabilities"][0], "actions": ["reorder", "label", "delete"]}, CARD["capabilities"][1]]
    eager = [CARD["capabilities"][0], {**CARD["capabilities"][1], "actions": ["move", "delete"]}]
    sorted_ = [{**CARD["capabilities"][0], "actions": ["label", "reorder"]}, CARD["capabilities"][1]]

    in_order = {**JOIN, "card": {**CARD, "capabilities": sorted_}}
    backwards_ = {**JOIN, "card": {**CARD, "capabilities": sorted_[::-1]}}

    def join(name: str, changed: Json, signature: str = sig, **options: Any) -> Json:
        return _verified(name, False, changed, signature, **{"flags": "always", **options})

    def decision(name: str, changed: Json, signature: str = decided, **options: Any) -> Json:
        return _verified(name, False, changed, signature, JENNY.public, **{"flags": "always", **options})

    return group(
        "another object than the signed one",
        STRICT,
        [
            join("another table", {**JOIN, "table": "agent-prio-w46"}),
            join("another seat", {**JOIN, "seat": "bot-tao2"}),
            join("another owner", {**JOIN, "owner": "jenny"}),
            join("another kind", {**JOIN, "kind": "human"}),
            join("another role", {**JOIN, "role": "con"}),
            join("role in capitals", {**JOIN, "role": "Pro"}),
            join("no role", without(JOIN, "role")),
            join("null role", {**JOIN, "role": None}, roleless, question="BYOB-Q030", flags="drops-empty"),
            join("another nonce", {**JOIN, "nonce": DECISION["nonce"]}),
            join("wider card", {**JOIN, "card": {**CARD, "capabilities": wider}}),
            join("wider automatic card", {**JOIN, "card": {**CARD, "capabilities": eager}}),
            join("actions in another order", JOIN, TAO.sign(in_order), flags="arrays-sorted"),
            join("capabilities in another order", backwards_, TAO.sign(in_order), flags="arrays-sorted"),
            join("card without proxy", {**JOIN, "card": without(CARD, "proxy")}, flags="fills-defaults"),
            join("proxy a word", {**JOIN, "card": {**CARD, "proxy": "false"}}, flags="loose-types"),
            join("proxy a number", {**JOIN, "card": {**CARD, "proxy": 0}}, flags="loose-types"),
            join("card described", {**JOIN, "card": {**CARD, "description": ""}}, flags="drops-empty"),
            join("further member", {**JOIN, "transport": "http"}, flags="known-members"),
            join("another name", {**without(JOIN, "nonce"), "Nonce": JOIN["nonce"]}),
            join("blank at the end", {**JOIN, "seat": "bot-tao "}),
            decision("another task", {**DECISION, "task": "task-16"}),
            decision("the other decision", {**DECISION, "decision": "reject"}),
            decision("another reason", {**DECISION, "reason": "It is my board!"}),
            decision("no reason", without(DECISION, "reason")),
            decision("empty reason", {**DECISION, "reason": ""}, unexplained, flags="drops-empty"),
            decision("a join's signature", JOIN, flags="always"),
            decision("wrapped in an array", [DECISION], flags="always"),
            decision("empty object instead", {}, flags="always"),
        ],
    )


def _bad_signatures() -> Json:
    raw = TAO.sign_bytes(canonical(JOIN).encode())
    second = raw[:32] + (int.from_bytes(raw[32:], "little") + ORDER).to_bytes(32, "little")
    text = compact(JOIN)
    hashed = hashlib.sha256(canonical(JOIN).encode())

    def bad(name: str, signature: bytes | str, **options: Any) -> Json:
        spelled = b64(signature) if isinstance(signature, bytes) else signature
        return _verified(name, False, JOIN, spelled, **options)

    return group(
        "another signature than the right one",
        STRICT,
        [
            bad("first bit", bytes([raw[0] ^ 1]) + raw[1:], flags="always"),
            bad("bit in the second half", raw[:40] + bytes([raw[40] ^ 16]) + raw[41:], flags="always"),
            bad("last byte", raw[:-1] + bytes([raw[-1] ^ 1]), flags="always"),
            bad("halves exchanged", raw[32:] + raw[:32], flags="always"),
            bad("zeros", bytes(64), flags="always"),
            bad("63 bytes", raw[:63], flags="always"),
            bad("65 bytes", raw + b"\0", flags="cut"),
            bad("twice", raw + raw, flags="cut"),
            bad("empty", "", flags="always"),
            bad("not base64", "!" * 88, flags="always"),
            bad("hex", raw.hex(), flags="always"),
            bad("plus the order of the group", second, flags="malleable", comment="RFC 8032, 5.1.7: S is below L"),
            bad("over the text as it came", TAO.sign_bytes(text.encode()), flags="any-text"),
            bad("over text with blanks", TAO.sign_bytes(json.dumps(JOIN, sort_keys=True).encode()), flags="any-text"),
            bad("over the digest", TAO.sign_bytes(hashed.digest()), flags="hashed-first"),
            bad("over the digest in hex", TAO.sign_bytes(hashed.hexdigest().encode()), flags="hashed-first"),
            bad("by mallory", MALLORY.sign(JOIN), flags="always any-key"),
            bad("by another owner", JENNY.sign(JOIN), flags="any-key"),
        ],
    )


def _bad_keys() -> Json:
    sig = TAO.sign(JOIN)
    bare = base64.b64decode(TAO.public)[12:]
    x25519 = bytes.fromhex("302a300506032b656e032100") + bare
    nist = ec.derive_private_key(7, ec.SECP256R1()).public_key()
    p256 = nist.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)

    def other(name: str, key: bytes | str, **options: Any) -> Json:
        return _verified(name, False, JOIN, sig, b64(key) if isinstance(key, bytes) else key, **options)

    return group(
        "another key than the signer's",
        STRICT,
        [
            other("key of jenny", JENNY.public, flags="any-key"),
            other("key of zeros", HEAD + bytes(32), flags="any-key"),
            other("key of x25519", x25519, flags="any-algorithm", comment="the same 32 bytes under another algorithm"),
            other("key of p-256", p256, flags="any-key"),
            other("key one byte short", HEAD + bare[:-1], flags="cut"),
            other("key one byte long", HEAD + bare + b"\0", flags="cut"),
            other("key with a bit turned", HEAD + bare[:5] + bytes([bare[5] ^ 4]) + bare[6:], flags="any-key"),
            other("empty key", "", flags="any-key"),
            other("key not base64", "?" * 60, flags="any-key"),
        ],
    )


def _verify_open() -> Json:
    late = {**DECISION, "reason": "Später – 後で 👍"}
    lines = {**DECISION, "reason": "a\nb"}
    return group(
        "what the text leaves open",
        RIGHT,
        [
            _verified("reason not ascii", True, late, JENNY.sign(late), JENNY.public, **OPEN),
            _verified(
                "reason with a line end",
                True,
                lines,
                JENNY.sign(lines),
                JENNY.public,
                **{**OPEN, "flags": "as-received"},
            ),
            _verified(
                "signed in ascii",
                False,
                late,
                b64(JENNY.sign_bytes(json.dumps(late, sort_keys=True, separators=(",", ":")).encode())),
                JENNY.public,
                **OPEN,
            ),
        ],
    )


def verify_document() -> Json:
    """The file of byob.verify."""
    groups = [_right(), _changed(), _bad_signatures(), _bad_keys(), _verify_open()]
    return document(VERIFY, "4", groups, VERIFY_NOTES)
