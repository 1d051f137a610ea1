import hashlib

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.yea import b64url
from reference.yea.keys import KeyFormatError, KeyPair, is_public_key, is_signature, public_bytes, verify

SEED = bytes(range(32))
ORDER = 2**252 + 27742317777372353535851937790883648493


def other_library(seed: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(seed)


@pytest.mark.parametrize(
    ("seed", "public"),
    [
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ed25519:O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik"),
        ("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE", "ed25519:iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w"),
    ],
)
def test_a_seed_has_one_public_key(seed: str, public: str) -> None:
    assert KeyPair.from_text(seed).public == public


@settings(max_examples=30)
@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=200))
def test_another_library_makes_the_same_keys_and_signatures(seed: bytes, message: bytes) -> None:
    key, other = KeyPair(seed), other_library(seed)
    raw = other.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    assert key.public == "ed25519:" + b64url.encode(raw)
    assert public_bytes(key.public) == raw
    assert key.sign(message) == b64url.encode(other.sign(message))
    assert verify(key.public, message, b64url.encode(other.sign(message)))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(KeyFormatError, match=f"32 bytes, not {length}"):
        KeyPair(bytes(length))


@pytest.mark.parametrize(
    "text",
    [
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQF",
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE\n",
        b64url.encode(bytes(31)),
        b64url.encode(bytes(33)),
        "",
    ],
    ids=repr,
)
def test_a_seed_in_another_spelling_is_refused(text: str) -> None:
    with pytest.raises(KeyFormatError):
        KeyPair.from_text(text)


def test_a_new_key_takes_its_seed_from_the_given_source() -> None:
    asked: list[int] = []

    def source(length: int) -> bytes:
        asked.append(length)
        return SEED

    assert KeyPair.generate(source).public == KeyPair(SEED).public
    assert asked == [32]
    assert KeyPair.generate().public != KeyPair.generate().public


def test_nothing_shows_the_seed() -> None:
    key = KeyPair(SEED)
    shown = f"{key!r} {key} {[key]}"
    assert shown.count(key.public) == 3
    assert SEED.hex() not in shown
    assert b64url.encode(SEED) not in shown


RAW = b64url.encode(hashlib.sha256(b"any 32 bytes").digest())


@pytest.mark.parametrize(
    "value",
    [
        None,
        5,
        b"ed25519:" + RAW.encode(),
        "",
        RAW,
        f"ed25519{RAW}",
        f"Ed25519:{RAW}",
        f" ed25519:{RAW}",
        f"ed25519:{RAW} ",
        f"ed25519:{RAW}\n",
        f"ed25519:{RAW}=",
        f"ed25519: {RAW}",
        f"ed25519:{RAW}A",
        f"ed25519:{RAW[:-1]}",
        "ed25519:" + b64url.encode(bytes(31)),
        "ed25519:" + b64url.encode(bytes(33)),
        "ed25519:" + RAW[:-1] + chr(ord(RAW[-1]) + 1),  # the unused bits set
        "ed25519:",
    ],
    ids=repr,
)
def test_what_is_no_public_key_is_malformed_and_never_verifies(value: object) -> None:
    assert not is_public_key(value)
    assert not verify(value, b"m", KeyPair(SEED).sign(b"m"))  # type: ignore[arg-type]
    with pytest.raises(KeyFormatError):
        public_bytes(value)  # type: ignore[arg-type]


def test_thirty_two_bytes_are_a_public_key_whether_or_not_a_point() -> None:
    assert is_public_key(f"ed25519:{RAW}")


GOOD = KeyPair(SEED).sign(b"message")


def respelt(text: str) -> str:
    """The same bytes with an unused bit of the last character set."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) | 1]


def malleated(text: str) -> str:
    """The signature with the group order added to S."""
    raw = b64url.decode(text)
    s = int.from_bytes(raw[32:], "little") + ORDER
    return b64url.encode(raw[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize(
    "sig",
    [
        None,
        7,
        GOOD.encode(),
        "",
        GOOD[:-1],
        GOOD + "A",
        GOOD + "=",
        GOOD + "==",
        GOOD + "\n",
        " " + GOOD,
        GOOD[:10] + "\n" + GOOD[10:],
        respelt(GOOD),
        malleated(GOOD),
        b64url.encode(bytes(63)),
        b64url.encode(bytes(64)),
        b64url.encode(bytes(65)),
    ],
    ids=repr,
)
def test_what_is_not_the_signature_never_verifies(sig: object) -> None:
    assert not verify(KeyPair(SEED).public, b"message", sig)  # type: ignore[arg-type]


def test_the_unused_bits_of_a_signature_are_seen() -> None:
    assert respelt(GOOD) != GOOD
    assert is_signature(GOOD)
    assert not is_signature(respelt(GOOD))


def test_a_signature_holds_for_one_key_and_one_message() -> None:
    key = KeyPair(SEED)
    assert verify(key.public, b"message", GOOD)
    assert not verify(key.public, b"message ", GOOD)
    assert not verify(KeyPair(bytes(32)).public, b"message", GOOD)


def test_a_flipped_bit_anywhere_breaks_a_signature_in_both_libraries() -> None:
    raw = bytearray(b64url.decode(GOOD))
    public = Ed25519PublicKey.from_public_bytes(public_bytes(KeyPair(SEED).public))
    public.verify(bytes(raw), b"message")
    for position in range(0, 512, 37):
        flipped = bytearray(raw)
        flipped[position // 8] ^= 1 << position % 8
        assert not verify(KeyPair(SEED).public, b"message", b64url.encode(bytes(flipped)))
        with pytest.raises(InvalidSignature):
            public.verify(bytes(flipped), b"message")


def test_a_key_of_small_order_verifies_nothing() -> None:
    identity = (1).to_bytes(32, "little")
    key = "ed25519:" + b64url.encode(identity)
    assert is_public_key(key)
    assert not verify(key, b"message", b64url.encode(identity + bytes(32)))
