"""Grant tokens from a plain description, whole or spoiled in one of the ways that verification has to notice (YEA 6.2).

A spoiled token is signed as well as it can be, so that nothing but the one thing is wrong with it.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from reference.yea import b64url
from reference.yea.grants import PREFIX, Block, block_id, encode_blocks, sign_block
from reference.yea.keys import KeyPair

NOW = 1_790_000_000
KEYS = [KeyPair(bytes([number]) * 32) for number in range(1, 7)]
"""The principal, the agent, its sub-agents, and last a stranger."""

NONCE = "n?????"  # so that the token has one of the two characters that the other alphabet lacks
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
Caveats = Sequence[Sequence[Any]]
"""The caveats of each block, root first."""


def token(caveats: Caveats, spoiled: str = "") -> str:
    """Return the token of a chain with these caveats; `spoiled` is "" or the name of a row of SPOILS."""
    blocks = _blocks(caveats)
    return SPOILS[spoiled](blocks) if spoiled else encode_blocks(blocks)


def _blocks(caveats: Caveats) -> list[Block]:
    blocks: list[Block] = []
    for number, each in enumerate(caveats):
        payload: dict[str, Any] = {"sub": KEYS[number + 1].public, "caveats": list(each), "iat": NOW - 60}
        payload |= {"prev": block_id(str(blocks[-1]["s"]))} if blocks else {"iss": KEYS[0].public, "nonce": NONCE}
        blocks.append(sign_block(KEYS[number], payload))
    return blocks


Spoil = Callable[[list[Block]], str]


def _last(change: Callable[[dict[str, Any]], Any], signer: KeyPair | None = None) -> Spoil:
    """Change the payload of the last block, and sign it anew."""

    def spoil(blocks: list[Block]) -> str:
        payload = _payload(blocks[-1])
        change(payload)
        blocks[-1] = sign_block(signer or KEYS[len(blocks) - 1], payload)
        return encode_blocks(blocks)

    return spoil


def _signature(change: Callable[[str], str], at: int = -1) -> Spoil:
    """Change the text of a signature."""

    def spoil(blocks: list[Block]) -> str:
        blocks[at] = {**blocks[at], "s": change(str(blocks[at]["s"]))}
        return encode_blocks(blocks)

    return spoil


def _unsigned(at: int) -> Spoil:
    """Take the caveats away after the block was signed."""

    def spoil(blocks: list[Block]) -> str:
        blocks[at] = {**blocks[at], "p": {**_payload(blocks[at]), "caveats": []}}
        return encode_blocks(blocks)

    return spoil


def _order(change: Callable[[list[Block]], list[Block]]) -> Spoil:
    return lambda blocks: encode_blocks(change(blocks) or blocks)


def _text(change: Callable[[str], str]) -> Spoil:
    return lambda blocks: change(encode_blocks(blocks))


def _json(change: Callable[[str], str]) -> Spoil:
    """Change the JSON inside the token."""

    def spoil(blocks: list[Block]) -> str:
        text = b64url.decode(encode_blocks(blocks).removeprefix(PREFIX)).decode()
        return PREFIX + b64url.encode(change(text).encode())

    return spoil


def _signed_as(write: Callable[[Any], str], **more: Any) -> Spoil:
    """Sign the last block over another text than the canonical one, and put the same text into the token."""

    def spoil(blocks: list[Block]) -> str:
        payload = {**_payload(blocks[-1]), **more}
        text = write(payload).replace("\ud800", "\ufffd")
        signed = {"p": payload, "s": KEYS[len(blocks) - 1].sign(text.encode())}
        return PREFIX + b64url.encode(json.dumps([*blocks[:-1], signed], separators=(",", ":")).encode())

    return spoil


def _payload(block: Block) -> dict[str, Any]:
    payload = block["p"]
    return dict(payload) if isinstance(payload, dict) else {}


def _respelt(text: str) -> str:
    """The same bytes with other unused bits in the last character."""
    return text[:-1] + ALPHABET[ALPHABET.index(text[-1]) ^ 1]


def _follow(identify: Callable[[str], str]) -> Spoil:
    """Link the last block by another name of the block before it."""

    def spoil(blocks: list[Block]) -> str:
        if len(blocks) == 1:
            return encode_blocks(blocks)
        before = str(blocks[-2]["s"])
        return _last(lambda payload: payload.update(prev=identify(before)))(blocks)

    return spoil


def _own_holder(blocks: list[Block]) -> str:
    return _last(lambda payload: None, KEYS[len(blocks)])(blocks)


SPOILS: dict[str, Spoil] = {
    "signed by a stranger": _last(lambda payload: None, KEYS[-1]),
    "signed by the principal": _last(lambda payload: None, KEYS[0]),
    "signed by its own holder": _own_holder,
    "caveats gone after signing": _unsigned(-1),
    "root caveats gone after signing": _unsigned(0),
    "without iat": _last(lambda payload: payload.pop("iat")),
    "without nonce": _last(lambda payload: payload.pop("nonce", None)),
    "without prev": _last(lambda payload: payload.pop("prev", None)),
    "without caveats": _last(lambda payload: payload.pop("caveats")),
    "null caveats": _last(lambda payload: payload.update(caveats=None)),
    "holder is no key": _last(lambda payload: payload.update(sub="ed25519:abc")),
    "holder respelt": _last(lambda payload: payload.update(sub=_respelt(payload["sub"]))),
    "issuer respelt": _last(lambda payload: payload.update(iss=_respelt(payload["iss"])) if "iss" in payload else None),
    "prev of another": _follow(lambda signature: block_id("x")),
    "prev is the signature": _follow(lambda signature: signature),
    "prev of the bytes": _follow(lambda text: b64url.encode(hashlib.sha256(b64url.decode(text)).digest())),
    "root gone": _order(lambda blocks: blocks[1:]),
    "last twice": _order(lambda blocks: [*blocks, blocks[-1]]),
    "turned round": _order(lambda blocks: blocks[::-1]),
    "no blocks": lambda blocks: encode_blocks([]),
    "signature padded": _signature(lambda text: f"{text}=="),
    "signature with a blank": _signature(lambda text: f"{text} "),
    "signature respelt": _signature(_respelt),
    "root signature respelt": _signature(_respelt, 0),
    "signature too long": _signature(lambda text: f"{text}AA"),
    "signature cut": _signature(lambda text: text[:-2]),
    "another version": _text(lambda text: f"pg2.{text.removeprefix(PREFIX)}"),
    "no prefix": _text(lambda text: text.removeprefix(PREFIX)),
    "padded": _text(lambda text: text + "=" * (-len(text.removeprefix(PREFIX)) % 4 or 4)),
    "a blank": _text(lambda text: f"{text[:9]} {text[9:]}"),
    "a line break behind": _text(lambda text: f"{text}\n"),
    "the other alphabet": _text(lambda text: text.replace("-", "+").replace("_", "/")),
    "respelt": _text(_respelt),
    "an integer with a point": _json(lambda text: text.replace(f'"iat":{NOW - 60}', f'"iat":{NOW - 60}.0')),
    "an integer with an exponent": _json(lambda text: text.replace(f'"iat":{NOW - 60}', '"iat":178999994e1')),
    "something behind": _json(lambda text: f"{text}[]"),
    "signed with spaces": _signed_as(lambda payload: json.dumps(payload, sort_keys=True)),
    "signed as it comes": _signed_as(lambda payload: json.dumps(payload, separators=(",", ":"))),
    "a fraction": _signed_as(lambda p: json.dumps(p, sort_keys=True, separators=(",", ":")), x=1.5),
    "a lone surrogate": _signed_as(
        lambda p: json.dumps(p, sort_keys=True, separators=(",", ":"), ensure_ascii=False), x="\ud800"
    ),
}
