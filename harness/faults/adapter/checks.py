"""Faults of `grant.check` in how tokens and blocks are read (YEA 6.1, 6.2)."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from harness.faults.adapter.canonical import Writer, lenient
from harness.faults.adapter.keys import either_alphabet, skipping, stripped, unused_bits
from harness.faults.adapter.tools import register
from harness.faults.adapter.verifying import RULE, Checker, Text, signed_by, signer_of
from reference.yea import b64url, grants, jsontext
from reference.yea.canonical import canonical
from reference.yea.grants import Block, GrantError
from reference.yea.keys import verify


def _token(
    decode: Callable[[str], bytes], *, prefix: str = "pg1.", minimal: bool = True
) -> Callable[[str], list[Block]]:
    """A reader of tokens with another idea of base64url, of the prefix or of numbers."""

    def read_token(token: str) -> list[Block]:
        if re.match(prefix, token) is None:
            raise GrantError("another prefix")
        blocks = jsontext.loads(decode(re.sub(prefix, "", token, count=1)), minimal_integers=minimal)
        if not isinstance(blocks, list) or not blocks or not all(isinstance(block, dict) for block in blocks):
            raise GrantError("no list of blocks")
        return [block for block in blocks if isinstance(block, dict)]

    return read_token


def _any_list(token: str) -> list[Block]:
    """A reader for which an empty list is a grant without blocks, that covers everything."""
    value = jsontext.loads(b64url.decode(token.removeprefix("pg1.")))
    if value == []:
        return [{"p": {}, "s": ""}]
    return grants.read_blocks(token)


def _fields(*unchecked: str) -> Callable[[Block, int], None]:
    """A check of a block that fills in what it does not look at."""
    good: dict[str, Any] = {"nonce": "n", "iat": 0, "caveats": [], "prev": "", "iss": ""}

    def check(block: Block, position: int) -> None:
        payload = block.get("p")
        if isinstance(payload, dict):
            block = {**block, "p": {**payload, **{name: good[name] for name in unchecked}}}
        grants.check_block(block, position)

    return check


def _sub_is_any_string(block: Block, position: int) -> None:
    payload = block.get("p")
    if isinstance(payload, dict) and isinstance(payload.get("sub"), str):
        block = {**block, "p": {**payload, "sub": "ed25519:" + b64url.encode(bytes(32))}}
    grants.check_block(block, position)


def _shapes_unchecked(block: Block, position: int) -> None:
    """Only asks whether a payload is there."""
    if not isinstance(block.get("p"), dict):
        raise GrantError("no payload")


def _loose(value: Any) -> str:
    return re.sub(
        "[\ud800-\udfff]",
        lambda match: f"\\u{ord(match[0]):04x}",
        json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False),
    )


def _respelt(decode: Callable[[str], bytes]) -> Callable[[Sequence[Block], int, Any, Text], bool]:
    """Verifies a signature whose base64url is read leniently."""

    def signed(blocks: Sequence[Block], at: int, signer: Any, text: Text) -> bool:
        sig = b64url.encode(decode(str(blocks[at].get("s"))))
        return verify(signer, text(blocks[at]["p"]).encode(), sig)

    return signed


def _without_signature_shape(block: Block, position: int) -> None:
    grants.check_block({**block, "s": b64url.encode(bytes(64))} if isinstance(block.get("s"), str) else block, position)


def _cut(decode: Callable[[str], bytes]) -> Callable[[str], bytes]:
    return lambda text: decode(text)[:64].ljust(64, b"\0")


def _padding(text: str) -> bytes:
    return b64url.decode(text.rstrip("="))


def _respelt_key(blocks: Sequence[Block], at: int) -> Any:
    """The signer's key in its canonical spelling, however it is spelled."""
    scheme, colon, text = str(signer_of(blocks, at)).partition(":")
    return f"{scheme}{colon}{b64url.encode(skipping(text))}"


CHECKERS: tuple[tuple[str, str, str, Checker], ...] = (
    (
        "token-padded",
        "Accepts padding in a token.",
        "token-with-padding",
        replace(RULE, read=_token(_padding)),
    ),
    (
        "token-unused-bits",
        "Ignores the unused bits of a token.",
        "token-with-an-unused-bit-set",
        replace(RULE, read=_token(unused_bits)),
    ),
    (
        "token-blanks",
        "Skips blanks in a token.",
        "token-with-a-line-break-at-the-end token-with-a-space-inside",
        replace(RULE, read=_token(skipping)),
    ),
    (
        "token-standard-alphabet",
        "Reads + and / in a token.",
        "token-with-and-for-and",
        replace(RULE, read=_token(either_alphabet)),
    ),
    (
        "prefix-optional",
        "Reads a token without its prefix.",
        "token-that-begins",
        replace(RULE, read=_token(b64url.decode, prefix=r"(pg1\.)?")),
    ),
    (
        "any-version",
        "Reads a token of any version.",
        "token-that-begins-pg2",
        replace(RULE, read=_token(b64url.decode, prefix=r"(?i)pg[0-9]+\.")),
    ),
    (
        "numbers-by-value",
        "Reads 1.0, 1e3 and -0 in a token as integers.",
        "token-that-writes-iat-as-a-decimal-0 token-that-writes-a-caveat-s-0-as-0",
        replace(RULE, read=_token(b64url.decode, minimal=False)),
    ),
    (
        "no-blocks-needed",
        "Takes an empty list for a grant without caveats.",
        "token-of-the-empty-list",
        replace(
            RULE,
            read=_any_list,
            block=lambda b, p: None,
            signed=lambda *_: True,
            trusts=lambda *_: True,
            holds=lambda *_: True,
        ),
    ),
    (
        "signature-padded",
        "Accepts padding in a signature.",
        "root-signature-with-padding chain-on-a-root-signature-with-padding",
        replace(RULE, block=_without_signature_shape, signed=_respelt(_padding)),
    ),
    (
        "signature-unused-bits",
        "Ignores the unused bits of a signature: a new block id with fresh totals.",
        "root-signature-with-an-unused-bit-set chain-on-a-root-signature-with-an-unused-bit-set",
        replace(RULE, block=_without_signature_shape, signed=_respelt(unused_bits)),
    ),
    (
        "signature-blanks",
        "Strips blanks around a signature.",
        "delegation-s-signature-with-a-line-break-at-the-end",
        replace(RULE, block=_without_signature_shape, signed=_respelt(stripped)),
    ),
    (
        "signature-cut",
        "Cuts a signature that is too long.",
        "block-whose-signature-is-65-bytes-long first-block-whose-signature-is-65-bytes-long",
        replace(RULE, block=_without_signature_shape, signed=_respelt(_cut(b64url.decode))),
    ),
    (
        "nonce-optional",
        "Does not ask for a nonce.",
        "root-block-without-nonce root-block-whose-nonce-is-a-number",
        replace(RULE, block=_fields("nonce")),
    ),
    (
        "iat-optional",
        "Does not ask for iat.",
        "root-block-without-iat delegation-block-without-iat root-block-whose-iat-is-true",
        replace(RULE, block=_fields("iat")),
    ),
    (
        "caveats-optional",
        "Takes missing or null caveats for none.",
        "root-block-without-caveats root-block-whose-caveats-are-null",
        replace(RULE, block=_fields("caveats")),
    ),
    (
        "sub-any-string",
        "Takes any string for a holder.",
        "holder-and-proof-that-are-the-same-name holder-and-proof-padded-alike",
        replace(RULE, block=_sub_is_any_string),
    ),
    (
        "keys-respelt",
        "Verifies with a key that is not spelled canonically.",
        "middle-holder-that-is-padded issuer-and-trusted-key-padded-alike",
        replace(RULE, block=_sub_is_any_string, signer=_respelt_key),
    ),
    (
        "fractions-signed",
        "Verifies a payload with fractions.",
        "exp-with-a-fraction unknown-member-that-is-a-fraction",
        replace(RULE, read=_token(b64url.decode, minimal=False), block=_shapes_unchecked, text=_loose),
    ),
    (
        "fractions-forbidden",
        "Answers forbidden where a payload has no canonical form.",
        "lone-surrogate-in-its-nonce two-surrogates-in-the-wrong-order",
        replace(RULE, malformed="forbidden"),
    ),
    (
        "lone-surrogates-replaced",
        "Verifies over U+FFFD where a payload has a lone surrogate.",
        "lone-surrogate-in-its-nonce-and-signed-with-u-fffd-for-it",
        replace(RULE, block=_shapes_unchecked, text=Writer(text=lenient, key=lenient).write),
    ),
    (
        "signed-as-it-comes",
        "Verifies the members in another order as well.",
        "block-signed-over-its-members-in-another-order",
        replace(
            RULE,
            signed=lambda blocks, at, signer, text: (
                signed_by(blocks, at, signer, text) or _reordered(blocks, at, signer)
            ),
        ),
    ),
    (
        "signed-with-spaces",
        "Verifies a text with blanks as well.",
        "block-signed-over-a-text-with-spaces",
        replace(
            RULE,
            signed=lambda blocks, at, signer, text: (
                signed_by(blocks, at, signer, text) or signed_by(blocks, at, signer, _spaced)
            ),
        ),
    ),
)


def _reordered(blocks: Sequence[Block], at: int, signer: Any) -> bool:
    """Over iss before iat, as a writer of the spec's order has them."""
    return signed_by(blocks, at, signer, lambda p: re.sub(r'("iat":\d+),("iss":"[^"]*")', r"\2,\1", canonical(p)))


def _spaced(payload: Any) -> str:
    return json.dumps(payload, sort_keys=True)


register("grant.check", *((words, says, kills, checker.check) for words, says, kills, checker in CHECKERS))
