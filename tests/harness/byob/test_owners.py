"""Owners sign what the spec says, by a second opinion on Ed25519, SPKI and canonical JSON."""

import base64
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from harness.byob import owners
from harness.byob.owners import Owner, canonical


def verify(owner: Owner, value: dict[str, Any], signature: str) -> None:
    key = load_der_public_key(base64.b64decode(owner.public_key))
    assert isinstance(key, Ed25519PublicKey)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    key.verify(base64.b64decode(signature), text.encode())


def test_a_signature_verifies_with_the_published_key() -> None:
    owner = Owner("tao")
    value = {"table": "t", "card": {"b": [1, {"d": None, "c": True}], "a": 'x "y"'}}
    verify(owner, value, owner.sign(value))
    assert len(base64.b64decode(owner.public_key)) == 44


def test_no_two_owners_have_one_key() -> None:
    assert Owner("a").public_key != Owner("a").public_key


def test_canonical_json_sorts_at_every_depth_and_has_no_whitespace() -> None:
    assert canonical({"b": 1, "a": {"d": [3, 1], "c": None}}) == '{"a":{"c":null,"d":[3,1]},"b":1}'


def test_what_is_signed_is_what_the_spec_lists_and_no_more() -> None:
    request = {"protocol": "byob/0.1", "seat": "a", "owner": "A", "kind": "bot", "card": {}, "nonce": "n", "x": 1}
    assert owners.signed(owners.JOIN_MEMBERS, "t", request) == {
        "table": "t", "seat": "a", "owner": "A", "kind": "bot", "card": {}, "nonce": "n",
    }  # fmt: skip


def test_nonces_are_fresh_and_of_32_hex_digits() -> None:
    nonces = {owners.nonce() for _ in range(100)}
    assert (len(nonces), {len(each) for each in nonces}) == (100, {32})
