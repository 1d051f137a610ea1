"""key.public: public keys of seeds (YEA 6.1), and what is no seed."""

from typing import Any

from tests.vectors.generators.documents import Json, case, document, group, ok, refused
from tests.vectors.generators.second import Key, b64url

NOTES = {
    "padding-accepted": ("accepts padding", "6.1-03"),
    "alphabet-lenient": ("accepts the standard alphabet, or skips characters that it does not know", "6.1-04"),
    "unused-bits-ignored": ("ignores the unused bits of the last character", "6.1-05"),
    "length-lenient": ("cuts or fills what is not 32 bytes", "6.1-06"),
    "padded": ("writes padding", "6.1-08"),
    "standard-alphabet": ("writes + and /", "6.1-01"),
    "no-scheme": ("writes the key without ed25519:", "6.1-01"),
    "seed-reversed": ("reads the seed in another byte order, or hashes it first", "6.1-01"),
}
# RFC 8032, 7.1: the seeds of its first three tests, and their public keys.
RFC_8032 = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    ),
)
SEED = b64url(bytes(range(224, 256)))  # holds both - and _


def _known(name: str, seed: bytes, **options: Any) -> Json:
    made = Key(seed)
    return case("key.public", name, {"seed": made.seed}, ok(public=made.public), **options)


def _published(number: int, seed: str, public: str) -> Json:
    answer = ok(public="ed25519:" + b64url(bytes.fromhex(public)))
    arguments = {"seed": b64url(bytes.fromhex(seed))}
    return case("key.public", f"rfc 8032 test {number}", arguments, answer, flags="seed-reversed")


def _refused(name: str, seed: str, **options: Any) -> Json:
    return case("key.public", name, {"seed": seed}, refused(), **options)


def make() -> Json:
    """The file."""
    good = [
        *(_known(f"seed of 32 bytes {n}", bytes([n]) * 32) for n in (0, 1, 2, 3, 4)),
        _known("seed of 32 bytes 255", b"\xff" * 32, flags="standard-alphabet no-scheme padded"),
        _known("seed of - and _", bytes(range(224, 256)), flags="standard-alphabet"),
        _known("seed of 32 bytes in order", bytes(range(32)), flags="seed-reversed"),
        *(_published(number, *pair) for number, pair in enumerate(RFC_8032, 1)),
    ]
    spelled = [
        _refused("padding", SEED + "=", flags="padding-accepted", clauses="6.1-03"),
        _refused("two padding characters", SEED + "==", clauses="6.1-03"),
        _refused("padding in front", "=" + SEED, clauses="6.1-03"),
        _refused("unused bit set", SEED[:-1] + "9", flags="unused-bits-ignored", clauses="6.1-05"),
        _refused("both unused bits set", SEED[:-1] + "_", flags="unused-bits-ignored", clauses="6.1-05"),
        _refused(
            "standard alphabet",
            SEED.translate(str.maketrans("-_", "+/")),
            flags="alphabet-lenient",
            clauses="6.1-04",
        ),
        _refused("newline at the end", SEED + "\n", flags="alphabet-lenient", clauses="6.1-04"),
        _refused("newline inside", SEED[:20] + "\n" + SEED[20:], flags="alphabet-lenient", clauses="6.1-04"),
        _refused("space in front", " " + SEED, flags="alphabet-lenient", clauses="6.1-04"),
        _refused("other characters inside", SEED[:20] + "!*" + SEED[20:], flags="alphabet-lenient", clauses="6.1-04"),
        _refused("fullwidth letter", "Ａ" + SEED[1:], flags="alphabet-lenient", clauses="6.1-04"),
    ]
    sized = [
        _refused("31 bytes", b64url(bytes(31)), flags="length-lenient"),
        _refused("33 bytes", b64url(bytes(33)), flags="length-lenient"),
        _refused("64 bytes", b64url(bytes(64)), comment="a seed and a public key", flags="length-lenient"),
        _refused("empty", "", flags="length-lenient"),
        _refused("one character", "A", flags="length-lenient"),
        _refused("41 characters", SEED[:41], comment="1 more than a multiple of 4", flags="length-lenient"),
        _refused("hex", bytes(range(32)).hex(), flags="length-lenient"),
        _refused("public key", Key(bytes(32)).public, comment="no seed"),
    ]
    groups = [
        group("public keys", "6.1-01 6.1-08", good),
        group("seeds spelled otherwise", "6.1-06", spelled),
        group("seeds of another size", "6.1-06", sized),
    ]
    return document("key.public", "6.1", groups, NOTES)
