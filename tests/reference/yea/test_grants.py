"""Every token here is put together by hand; signatures come from a second library."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reference.yea import b64url, grants
from reference.yea.canonical import CanonicalError
from reference.yea.grants import GrantError
from reference.yea.keys import KeyPair
from reference.yea.types import Json

SEEDS = [bytes([number]) * 32 for number in (1, 2, 3, 4)]
PRINCIPAL, AGENT, SUB, MALLORY = KEYS = [KeyPair(seed) for seed in SEEDS]
SIGNERS = {key.public: Ed25519PrivateKey.from_private_bytes(seed) for key, seed in zip(KEYS, SEEDS, strict=True)}
IAT = 1790000000


def text_of(value: object) -> str:
    """Canonical JSON by the standard library, for values with ASCII keys and integers only."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def signature(key: KeyPair, payload: object) -> str:
    return b64url.encode(SIGNERS[key.public].sign(text_of(payload).encode()))


def token_of(text: str) -> str:
    return "pg1." + b64url.encode(text.encode())


def block(key: KeyPair, payload: dict[str, Any]) -> dict[str, Any]:
    return {"p": payload, "s": signature(key, payload)}


def root(**members: Any) -> dict[str, Any]:
    return {"iss": PRINCIPAL.public, "sub": AGENT.public, "caveats": [], "iat": IAT, "nonce": "n", **members}


def child(parent: dict[str, Any], **members: Any) -> dict[str, Any]:
    prev = b64url.encode(hashlib.sha256(parent["s"].encode()).digest())
    return {"prev": prev, "sub": SUB.public, "caveats": [], "iat": IAT, **members}


def chain() -> list[dict[str, Any]]:
    first = block(PRINCIPAL, root(caveats=[{"can": ["a.*"]}]))
    return [first, block(AGENT, child(first, caveats=[{"exp": IAT + 60}, {"verbs": ["ASK"]}]))]


def without(payload: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in payload.items() if key != name}


def refused(token: str) -> str:
    with pytest.raises(GrantError) as caught:
        grants.decode(token)
    assert len(str(caught.value)) < 500
    return str(caught.value)


# --- making tokens


def test_an_issued_token_is_the_canonical_text_of_its_signed_block() -> None:
    caveats: list[Json] = [{"svc": ["shop.example"]}, {"note": "é/\u2028"}]
    token = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=caveats, iat=IAT, nonce="n1")
    assert token == token_of(text_of([block(PRINCIPAL, root(caveats=caveats, nonce="n1"))]))


def test_a_delegated_token_has_one_more_block_signed_by_the_holder() -> None:
    first = block(PRINCIPAL, root())
    token = grants.delegate(token_of(text_of([first])), AGENT, sub=SUB.public, caveats=[{"exp": 5}], iat=IAT)
    assert token == token_of(text_of([first, block(AGENT, child(first, caveats=[{"exp": 5}]))]))


def test_only_the_holder_can_delegate() -> None:
    token = token_of(text_of([block(PRINCIPAL, root())]))
    for key in (PRINCIPAL, SUB, MALLORY):
        with pytest.raises(GrantError, match="only the holder"):
            grants.delegate(token, key, sub=SUB.public, caveats=[], iat=IAT)


def test_an_invalid_token_cannot_be_delegated() -> None:
    with pytest.raises(GrantError):
        grants.delegate("pg1.", AGENT, sub=SUB.public, caveats=[], iat=IAT)


@pytest.mark.parametrize(
    "members",
    [{"sub": "bob"}, {"caveats": {}}, {"caveats": [{"exp": 1.5}]}, {"iat": True}, {"nonce": 5}, {"nonce": "\ud800"}],
    ids=ascii,
)
def test_a_malformed_block_cannot_be_issued(members: dict[str, Any]) -> None:
    with pytest.raises(GrantError):
        grants.issue(PRINCIPAL, **{"sub": AGENT.public, "caveats": [], "iat": IAT, "nonce": "n", **members})


def test_any_block_can_be_signed_and_encoded_by_hand() -> None:
    odd = grants.sign_block(MALLORY, {"x": [1, "é"]})
    assert odd == {"p": {"x": [1, "é"]}, "s": signature(MALLORY, {"x": [1, "é"]})}
    assert grants.encode_blocks([odd, None, 5]) == token_of(text_of([odd, None, 5]))
    with pytest.raises(CanonicalError):
        grants.sign_block(MALLORY, {"x": 1.5})
    with pytest.raises(CanonicalError):
        grants.encode_blocks(["\ud800"])


# --- reading tokens


def test_a_chain_reads_back_whole() -> None:
    blocks = chain()
    ids = tuple(b64url.encode(hashlib.sha256(item["s"].encode()).digest()) for item in blocks)
    grant = grants.decode(token_of(text_of(blocks)))
    assert grant == grants.Grant(
        blocks=tuple(blocks),
        issuer=PRINCIPAL.public,
        holder=SUB.public,
        block_ids=ids,
        caveats=(({"can": ["a.*"]},), ({"exp": IAT + 60}, {"verbs": ["ASK"]})),
    )
    assert grant.id == ids[0] == grants.decode(token_of(text_of(blocks[:1]))).id
    assert blocks[1]["p"]["prev"] == ids[0] == grants.block_id(blocks[0]["s"])


def test_the_first_block_alone_is_its_own_holders_grant() -> None:
    assert grants.decode(token_of(text_of(chain()[:1]))).holder == AGENT.public


def test_a_chain_of_many_blocks_is_a_grant() -> None:
    token, key = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=[], iat=IAT, nonce=""), AGENT
    for number in range(40):
        other = SUB if key is AGENT else AGENT
        token, key = grants.delegate(token, key, sub=other.public, caveats=[{"exp": number}], iat=-number), other
    grant = grants.decode(token)
    assert len(set(grant.block_ids)) == 41
    assert grant.caveats == ((), *(({"exp": number},) for number in range(40)))


ODD_TEXT: dict[str, Callable[[str], str]] = {
    "blanks": lambda text: text.replace('":', '" :\n').replace("},", "}\t, "),
    "other key order": lambda text: text.replace('{"p":', '{"q":0,"p":'),
    "escapes": lambda text: text.replace("ed25519", "\\u0065d25519"),
    "a repeated key": lambda text: text.replace('"nonce":"n"', '"nonce":"first","nonce":"n"'),
}


@pytest.mark.parametrize("name", ODD_TEXT)
def test_the_text_of_a_token_need_not_be_canonical(name: str) -> None:
    text = text_of(chain())
    odd = ODD_TEXT[name](text)
    assert odd != text
    assert grants.decode(token_of(odd)).block_ids == grants.decode(token_of(text)).block_ids


def test_unknown_members_are_ignored() -> None:
    first = block(PRINCIPAL, root(x=[None], prev=5))
    assert grants.decode(token_of(text_of([{**first, "note": "x"}]))).holder == AGENT.public


@pytest.mark.parametrize("name", ["nonce", "iss"])
def test_a_later_block_may_hold_the_members_of_a_root_as_unknown_ones(name: str) -> None:
    first = block(PRINCIPAL, root())
    grants.decode(token_of(text_of([first, block(AGENT, child(first, **{name: 5}))])))


def test_empty_and_negative_values_of_the_right_type_are_no_malformation() -> None:
    grant = grants.decode(token_of(text_of([block(PRINCIPAL, root(nonce="", iat=-(2**53) + 1))])))
    assert grant.issuer == PRINCIPAL.public


def test_strings_that_look_like_other_numbers_are_strings() -> None:
    payload = root(nonce="1.0", caveats=[{"only": "-0"}, {"svc": ["1e3", "0.5"]}, {"exp": -5}])
    grants.decode(token_of(text_of([block(PRINCIPAL, payload)])))


GOOD = token_of(text_of([block(PRINCIPAL, root())]))


@pytest.mark.parametrize(
    "token",
    [
        None,
        5,
        GOOD.encode(),
        "",
        "pg1",
        "pg1.",
        GOOD[4:],
        GOOD.replace("pg1.", "pg2."),
        GOOD.replace("pg1.", "PG1."),
        " " + GOOD,
        GOOD + "\n",
        GOOD + " ",
        GOOD + "=",
        GOOD + "A",
        GOOD + "AAAA",
        GOOD[:-1],
        GOOD[:40] + "\n" + GOOD[40:],
        "pg1." + GOOD,
        "pg1.!!!",
        "pg1._w",
        token_of(""),
        token_of("not json"),
        token_of("NaN"),
        token_of("{}"),
        token_of("null"),
        token_of("5"),
        token_of('"x"'),
        token_of("[]"),
        token_of("[[]]"),
        token_of("[null]"),
        token_of('["x"]'),
        token_of("[{}]"),
        token_of(text_of([block(PRINCIPAL, root())]) + "x"),
        token_of(text_of([block(PRINCIPAL, root())]) + "[]"),
        token_of(text_of(block(PRINCIPAL, root()))),
        token_of(text_of([block(PRINCIPAL, root()), None])),
        token_of("\ufeff" + text_of([block(PRINCIPAL, root())])),
    ],
    ids=lambda token: ascii(token)[:24],
)
def test_a_token_that_cannot_be_decoded_is_no_grant(token: Any) -> None:
    assert grants.decode(GOOD).holder == AGENT.public
    refused(token)


def test_a_last_character_with_other_unused_bits_is_no_token() -> None:
    lengths = set()
    for nonce in ("", "n", "nn"):
        token = token_of(text_of([block(PRINCIPAL, root(nonce=nonce))]))
        lengths.add(len(token) % 4)
        grants.decode(token)
        if len(token) % 4:
            alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            respelt = token[:-1] + alphabet[alphabet.index(token[-1]) + 1]
            assert "canonical" in refused(respelt)
    assert len(lengths) == 3


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ('"iat":1790000000', '"iat":1790000000.0'),
        ('"iat":1790000000', '"iat":179e7'),
        ('"iat":1790000000', '"iat":1.79E9'),
        ('"iat":1790000000', '"iat":1790000000e0'),
        ('{"nbf":0}', '{"nbf":-0}'),
        ('{"nbf":0}', '{"nbf":0.0}'),
        ('{"nbf":0}', '{"nbf":-0.0}'),
        ('{"nbf":0}', '{"nbf":0e1}'),
        ('{"nbf":0}', '{"nbf":00}'),
        ('{"nbf":0}', '{"nbf":+0}'),
        ('[{"p"', '[{"x":1.0,"p"'),
    ],
)
def test_a_number_that_is_no_minimal_integer_is_refused(written: str, spelling: str) -> None:
    text = text_of([block(PRINCIPAL, root(caveats=[{"nbf": 0}]))])
    grants.decode(token_of(text))
    assert text.count(written) == 1
    refused(token_of(text.replace(written, spelling)))


@pytest.mark.parametrize(
    "number", ["9007199254740992", "-9007199254740992", "9" * 400, "9" * 100_000, "1.5", "1790000000.5", "1e400"]
)
@pytest.mark.parametrize("place", ['{"exp":%s}', '{"x":[[{"y":%s}]]}'])
def test_a_number_without_canonical_form_is_refused(number: str, place: str) -> None:
    text = text_of([block(PRINCIPAL, root(caveats=["HERE"]))]).replace('"HERE"', place % number)
    refused(token_of(text))


@pytest.mark.parametrize(
    ("written", "spelling"),
    [
        ('"nonce":"n"', '"nonce":"\\ud800"'),
        ('["a"]', '["\\udfff"]'),
        ('"svc"', '"\\ud800"'),
        ('"nonce":"n"', '"nonce":"n","\\udc00":1'),
    ],
)
def test_a_payload_with_a_lone_surrogate_is_refused(written: str, spelling: str) -> None:
    text = text_of([block(PRINCIPAL, root(caveats=[{"svc": ["a"]}]))])
    assert text.count(written) == 1
    assert "canonical form" in refused(token_of(text.replace(written, spelling)))


SIGNATURE = signature(PRINCIPAL, root())


@pytest.mark.parametrize(
    "sig",
    [
        None,
        5,
        "",
        [SIGNATURE],
        SIGNATURE + "=",
        SIGNATURE + "==",
        SIGNATURE + "A",
        SIGNATURE[:-1],
        SIGNATURE + "\n",
        SIGNATURE.replace("-", "+").replace("_", "/"),
        SIGNATURE[:-1] + chr(ord(SIGNATURE[-1]) + 1),
        b64url.encode(bytes(63)),
        b64url.encode(bytes(65)),
    ],
    ids=ascii,
)
def test_a_block_without_a_64_byte_signature_is_malformed(sig: Any) -> None:
    assert "64-byte signature" in refused(token_of(text_of([{"p": root(), "s": sig}])))
    first = block(PRINCIPAL, root())
    assert "64-byte signature" in refused(token_of(text_of([first, {"p": child(first), "s": sig}])))


def test_a_block_without_a_signature_or_payload_is_malformed() -> None:
    refused(token_of(text_of([{"p": root()}])))
    refused(token_of(text_of([{"s": SIGNATURE}])))
    payloads: list[Json] = [None, [], "x", 5]
    for payload in payloads:
        refused(token_of(text_of([{"p": payload, "s": signature(PRINCIPAL, payload)}])))


@pytest.mark.parametrize("name", ["iss", "sub", "caveats", "iat", "nonce"])
def test_a_root_has_each_of_its_fields(name: str) -> None:
    assert name in refused(token_of(text_of([block(PRINCIPAL, without(root(), name))])))


@pytest.mark.parametrize("name", ["prev", "sub", "caveats", "iat"])
def test_a_later_block_has_each_of_its_fields(name: str) -> None:
    first = block(PRINCIPAL, root())
    assert name in refused(token_of(text_of([first, block(AGENT, without(child(first), name))])))


WRONG_TYPES: dict[str, list[Json]] = {
    "iss": [5, None, ["x"]],
    "nonce": [5, None, ["x"]],
    "prev": [5, None, ["x"]],
    "sub": [5, None, ["x"], {}, "", "bob", AGENT.public + "=", AGENT.public[8:], AGENT.public + "\n"],
    "caveats": [{}, None, "x", 5, True],
    "iat": ["1790000000", None, True, False, [1]],
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_a_field_of_the_wrong_type_makes_its_block_malformed(name: str) -> None:
    for wrong in WRONG_TYPES[name]:
        first = block(PRINCIPAL, root())
        if name != "prev":
            assert name in refused(token_of(text_of([block(PRINCIPAL, root(**{name: wrong}))])))
        if name not in ("iss", "nonce"):
            assert name in refused(token_of(text_of([first, block(AGENT, child(first, **{name: wrong}))])))


def test_a_sub_in_the_middle_that_is_no_key_is_malformed() -> None:
    first = block(PRINCIPAL, root())
    middle = block(AGENT, child(first, sub=SUB.public + "="))
    refused(token_of(text_of([first, middle, block(SUB, child(middle, sub=MALLORY.public))])))


def test_an_issuer_that_is_no_key_signs_nothing() -> None:
    for iss in ("bob", "", PRINCIPAL.public + "="):
        assert "not signed" in refused(token_of(text_of([block(PRINCIPAL, root(iss=iss))])))


def test_a_block_signed_by_a_wrong_key_is_refused() -> None:
    for key in (AGENT, MALLORY):
        assert "not signed" in refused(token_of(text_of([block(key, root())])))
    first = block(PRINCIPAL, root())
    for key in (PRINCIPAL, SUB, MALLORY):
        assert "not signed" in refused(token_of(text_of([first, block(key, child(first))])))


def test_a_signature_over_another_order_of_keys_is_refused() -> None:
    payload = root()
    assert json.dumps(payload, separators=(",", ":")) != text_of(payload)
    raw = SIGNERS[PRINCIPAL.public].sign(json.dumps(payload, separators=(",", ":")).encode())
    assert "not signed" in refused(token_of(text_of([{"p": payload, "s": b64url.encode(raw)}])))


def test_a_changed_payload_breaks_its_signature() -> None:
    for position in (0, 1):
        blocks = chain()
        blocks[position]["p"]["caveats"] = []
        assert f"block {position} is not signed" in refused(token_of(text_of(blocks)))


def test_a_true_that_was_signed_as_1_is_refused() -> None:
    signed = block(PRINCIPAL, root(caveats=[{"exp": 1}]))
    signed["p"]["caveats"] = [{"exp": True}]
    refused(token_of(text_of([signed])))


def test_prev_is_the_digest_of_the_signature_text() -> None:
    first = block(PRINCIPAL, root())
    raw = b64url.encode(hashlib.sha256(b64url.decode(first["s"])).digest())
    for prev in (raw, "", child(first)["prev"] + "=", child(block(PRINCIPAL, root(nonce="m")))["prev"]):
        assert "does not follow" in refused(token_of(text_of([first, block(AGENT, child(first, prev=prev))])))


def test_blocks_cannot_be_dropped_reordered_repeated_or_spliced() -> None:
    first = block(PRINCIPAL, root())
    second = block(AGENT, child(first, sub=AGENT.public))
    third = block(AGENT, child(second))
    other = block(PRINCIPAL, root(nonce="other"))
    grants.decode(token_of(text_of([first, second, third])))
    for blocks in (
        [first, third],
        [second, third],
        [second],
        [first, third, second],
        [second, first],
        [first, first],
        [first, second, second],
        [first, second, third, third],
        [other, second],
        [first, second, third, first],
    ):
        refused(token_of(text_of(blocks)))


def test_a_malformed_block_is_found_before_any_signature_is_checked() -> None:
    bad_signature = {"p": root(), "s": b64url.encode(bytes(64))}
    assert "malformed" in refused(token_of(text_of([bad_signature, block(AGENT, child(bad_signature, iat=None))])))


def test_a_hostile_token_is_decided() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    text = text_of([block(PRINCIPAL, root(caveats=["HERE"]))]).replace('"HERE"', deep)
    assert "not signed" in refused(token_of(text))
    refused(token_of("[" * 700_000))
    refused(token_of(deep))
    refused("pg1." + "A" * 1_000_000)
    refused("pg1." + "=" * 1_000_000)
    refused(token_of("[" + "9" * 700_000 + "]"))
    refused(token_of("[" + "{}," * 200_000 + "{}]"))


def test_a_deep_caveat_that_is_signed_is_a_grant() -> None:
    deep: Json = []
    for _ in range(5000):
        deep = [deep]
    token = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=[deep], iat=IAT, nonce="n")
    assert len(grants.decode(token).caveats[0]) == 1
