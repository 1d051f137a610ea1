"""Owners' keys, held to a second library."""

import base64

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from reference.byob.keys import KeyFormatError, OwnerKey, public_bytes, verify

SEED = bytes(range(32))
KEY = OwnerKey(SEED)
DER = (serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
PKCS8 = (serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
SIGNATURE = KEY.sign({"b": 1, "a": [2]})


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


@given(st.binary(min_size=32, max_size=32))
def test_keys_and_signatures_are_those_of_a_second_library(seed: bytes) -> None:
    key, other = OwnerKey(seed), Ed25519PrivateKey.from_private_bytes(seed)
    assert key.public_key == b64(other.public_key().public_bytes(*DER))
    assert key.pkcs8() == b64(other.private_bytes(*PKCS8))
    assert key.sign({"b": 1, "a": "é"}) == b64(other.sign('{"a":"é","b":1}'.encode()))


def test_a_signature_is_over_the_canonical_text() -> None:
    assert verify(KEY.public_key, {"a": [2], "b": 1}, SIGNATURE)


def other_spelling(text: str) -> str:
    """The same bytes to a careless reader: another value in the bits that nothing uses."""
    body, last = text.rstrip("=")[:-1], text.rstrip("=")[-1]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return body + alphabet[alphabet.index(last) ^ 1] + "=" * text.count("=")


CHANGED = [
    (KEY.public_key, {"a": [2], "b": 2}, SIGNATURE),
    (KEY.public_key, {"a": [2]}, SIGNATURE),
    (OwnerKey(bytes(32)).public_key, {"a": [2], "b": 1}, SIGNATURE),
    (KEY.public_key, {"a": [2], "b": 1}, KEY.sign({})),
    (KEY.public_key, {"a": [2], "b": 1}, SIGNATURE[:-4]),
    (KEY.public_key, {"a": [2], "b": 1}, SIGNATURE.rstrip("=")),
    (KEY.public_key, {"a": [2], "b": 1}, f" {SIGNATURE}"),
    (KEY.public_key, {"a": [2], "b": 1}, f"{SIGNATURE}\n"),
    (KEY.public_key, {"a": [2], "b": 1}, other_spelling(SIGNATURE)),
    (KEY.public_key, {"a": [2], "b": 1}, ""),
    (KEY.public_key, {"a": [2], "b": 1}, None),
    (KEY.public_key, {"a": [2], "b": 1}, "\ud800"),
    (None, {"a": [2], "b": 1}, SIGNATURE),
    ("", {"a": [2], "b": 1}, SIGNATURE),
]


@pytest.mark.parametrize(("public_key", "value", "signature"), CHANGED, ids=range(len(CHANGED)))
def test_anything_else_does_not_verify(public_key: object, value: dict[str, object], signature: object) -> None:
    assert verify(public_key, value, signature) is False  # type: ignore[arg-type]


def test_the_public_key_is_44_bytes_of_spki() -> None:
    assert public_bytes(KEY.public_key) == base64.b64decode(KEY.public_key)[12:]


NO_KEYS = [
    "",
    5,
    None,
    b64(bytes(32)),
    b64(bytes(44)),
    b64(base64.b64decode(KEY.public_key) + b"\0"),
    KEY.public_key.rstrip("="),
    other_spelling(KEY.public_key),
    KEY.public_key.replace("/", "_"),
    f"-----BEGIN PUBLIC KEY-----\n{KEY.public_key}\n-----END PUBLIC KEY-----",
    "MCowBQYDK2VuAyEA" + KEY.public_key[16:],  # X25519
]


@pytest.mark.parametrize("text", NO_KEYS)
def test_what_is_no_spki_key_is_no_key(text: object) -> None:
    with pytest.raises(KeyFormatError, match="base64 of a 44-byte SPKI"):
        public_bytes(text)


def test_the_private_key_comes_back_from_pkcs8() -> None:
    assert OwnerKey.from_pkcs8(KEY.pkcs8()).sign([]) == KEY.sign([])


@pytest.mark.parametrize("text", ["", KEY.public_key, b64(SEED), KEY.pkcs8()[4:]])
def test_what_is_no_pkcs8_key_is_refused_without_showing_it(text: str) -> None:
    with pytest.raises(KeyFormatError) as raised:
        OwnerKey.from_pkcs8(text)
    assert not text or text not in str(raised.value)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_is_32_bytes(length: int) -> None:
    with pytest.raises(KeyFormatError, match=f"32 bytes, not {length}"):
        OwnerKey(bytes(length))


def test_a_new_key_is_made_from_the_source_of_randomness() -> None:
    asked: list[int] = []

    def source(length: int) -> bytes:
        asked.append(length)
        return SEED

    assert OwnerKey.generate(source).public_key == KEY.public_key
    assert asked == [32]
    assert OwnerKey.generate().public_key != OwnerKey.generate().public_key


def test_the_secret_shows_in_no_repr() -> None:
    assert repr(KEY) == f"OwnerKey(public_key='{KEY.public_key}')"
    assert not hasattr(KEY, "__dict__")
