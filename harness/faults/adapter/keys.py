"""Faults of `key.public`: lenient readers and other spellings of base64url (YEA 6.1)."""

import base64
import hashlib
import re
from collections.abc import Callable

from harness.faults.adapter.tools import Row, register
from reference.yea import b64url
from reference.yea.keys import KeyPair


def unused_bits(text: str) -> bytes:
    """The bytes of base64url, whatever its unused bits are."""
    if re.fullmatch(r"[A-Za-z0-9_-]*", text) is None:
        raise ValueError("another alphabet")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def skipping(text: str) -> bytes:
    """The bytes of base64url, with characters that do not belong to it skipped."""
    return b64url.decode(re.sub(r"[^A-Za-z0-9_-]", "", text))


def either_alphabet(text: str) -> bytes:
    """The bytes of base64url, or of base64 without padding."""
    return b64url.decode(text.replace("+", "-").replace("/", "_"))


def stripped(text: str) -> bytes:
    """The bytes of base64url with blanks around it."""
    return b64url.decode(text.strip())


Read = Callable[[str], bytes]
READERS: tuple[tuple[str, str, str, Read], ...] = (
    ("padding", "Accepts padding.", "padding two-padding-characters", lambda text: b64url.decode(text.rstrip("="))),
    (
        "unused-bits",
        "Ignores the unused bits of the last character.",
        "unused-bit-set both-unused-bits-set",
        unused_bits,
    ),
    (
        "other-characters",
        "Skips characters that it does not know.",
        "newline-at-the-end newline-inside space-in-front other-characters-inside padding",
        skipping,
    ),
    ("either-alphabet", "Accepts the standard alphabet too.", "standard-alphabet", either_alphabet),
    ("blanks-around", "Strips blanks around the seed.", "newline-at-the-end space-in-front", stripped),
    ("cut", "Cuts a seed that is too long.", "33-bytes 64-bytes", lambda text: b64url.decode(text)[:32]),
    (
        "filled",
        "Fills a seed that is too short with zeros.",
        "31-bytes empty",
        lambda text: b64url.decode(text).ljust(32, b"\0"),
    ),
    (
        "hex",
        "Reads hex as well.",
        "hex",
        lambda text: bytes.fromhex(text) if re.fullmatch("[0-9a-f]{64}", text) else b64url.decode(text),
    ),
    (
        "hashed",
        "Hashes the seed first.",
        "seed-of-32-bytes-1 rfc-8032-test-1",
        lambda text: hashlib.sha256(b64url.decode(text)).digest(),
    ),
    (
        "reversed",
        "Reads the seed in the other byte order.",
        "rfc-8032-test-1 seed-of-32-bytes-in-order",
        lambda text: b64url.decode(text)[::-1],
    ),
)
WRITERS: tuple[tuple[str, str, str, Callable[[bytes], str]], ...] = (
    (
        "padded",
        "Writes the key with padding.",
        "seed-of-32-bytes-0 rfc-8032-test-2",
        lambda data: "ed25519:" + base64.urlsafe_b64encode(data).decode(),
    ),
    (
        "writes-standard-alphabet",
        "Writes the key with + and /.",
        "seed-of-32-bytes-4 rfc-8032-test-1",
        lambda data: "ed25519:" + base64.b64encode(data).decode().rstrip("="),
    ),
    ("no-scheme", "Writes the key without its scheme.", "seed-of-32-bytes-0 seed-of-and", b64url.encode),
    (
        "writes-hex",
        "Writes the key as hex.",
        "seed-of-32-bytes-0 rfc-8032-test-3",
        lambda data: "ed25519:" + data.hex(),
    ),
    (
        "der",
        "Writes the key in its DER envelope.",
        "seed-of-32-bytes-2 rfc-8032-test-3",
        lambda data: "ed25519:" + b64url.encode(bytes.fromhex("302a300506032b6570032100") + data),
    ),
)


def _reader(words: str, says: str, kills: str, read: Read) -> Row:
    return words, says, kills, lambda arguments: {"public": KeyPair(read(arguments["seed"])).public}


def _writer(words: str, says: str, kills: str, write: Callable[[bytes], str]) -> Row:
    def run(arguments: dict[str, str]) -> dict[str, str]:
        public = KeyPair.from_text(arguments["seed"]).public
        return {"public": write(b64url.decode(public.removeprefix("ed25519:")))}

    return words, says, kills, run


register("key.public", *(_reader(*entry) for entry in READERS), *(_writer(*entry) for entry in WRITERS))
