"""Grants: signed chains of blocks that let an agent act for a principal (YEA 6.1, 6.2, 6.4).

Making, delegating, encoding and decoding. Decoding checks everything about a token that needs no request:
its spelling, the shape of each block, the signatures and the chain. What its caveats allow is decided in
`caveats`.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reference.yea import b64url, jsontext
from reference.yea.canonical import CanonicalError, canonical
from reference.yea.keys import KeyPair, is_public_key, is_signature, verify
from reference.yea.types import Json, as_integer

PREFIX = "pg1."

Block = dict[str, Json]
"""{"p": payload, "s": signature} (YEA 6.2)."""


class GrantError(ValueError):
    """A token that is no valid grant: the request is unauthorized (YEA 6.2, 7)."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A grant whose blocks, signatures and chain are in order (YEA 6.2).

    blocks: as decoded. issuer: the principal's key. holder: the key of the last block.
    block_ids: the id of each block, the first being the grant's id. caveats: the caveats of each block.
    """

    blocks: tuple[Block, ...]
    issuer: str
    holder: str
    block_ids: tuple[str, ...]
    caveats: tuple[tuple[Json, ...], ...]

    @property
    def id(self) -> str:
        """The grant id: that of the root block (YEA 6.2)."""
        return self.block_ids[0]


def block_id(signature: str) -> str:
    """The id of the block with this signature text: b64url(sha256(utf8(s))) (YEA 6.2)."""
    return b64url.encode(hashlib.sha256(signature.encode()).digest())


def sign_block(key: KeyPair, payload: dict[str, Json]) -> Block:
    """A block with this payload, whatever it holds, signed by `key` (YEA 6.2).

    Raises CanonicalError when the payload has no canonical form.
    """
    return {"p": payload, "s": key.sign(canonical(payload).encode())}


def encode_blocks(blocks: Sequence[Json]) -> str:
    """The token of a list of blocks, whatever they hold (YEA 6.2).

    Raises CanonicalError when they have no canonical form.
    """
    return PREFIX + b64url.encode(canonical(list(blocks)).encode())


def issue(key: KeyPair, *, sub: str, caveats: list[Json], iat: int, nonce: str) -> str:
    """The token of a new grant from the principal `key` to the holder key `sub` (YEA 6.2).

    caveats: a list, not looked into. iat: unix seconds. nonce: any string, new for each grant.
    Raises GrantError when the block would be malformed.
    """
    payload: dict[str, Json] = {
        "iss": key.public,
        "sub": sub,
        "caveats": caveats,
        "iat": iat,
        "nonce": nonce,
    }
    return _append((), key, payload)


def delegate(token: str, key: KeyPair, *, sub: str, caveats: list[Json], iat: int) -> str:
    """The token of a narrower grant: `token` and one more block, from its holder `key` to `sub` (YEA 6.2).

    Raises GrantError when the token is no valid grant, when `key` is not its holder's, and when the block
    would be malformed.
    """
    grant = decode(token)
    if key.public != grant.holder:
        raise GrantError(f"only the holder {grant.holder} can delegate this grant, not {key.public}")
    payload: dict[str, Json] = {"prev": grant.block_ids[-1], "sub": sub, "caveats": caveats, "iat": iat}
    return _append(grant.blocks, key, payload)


def decode(token: str) -> Grant:
    """The grant of a token (YEA 6.2; the first three steps of 6.4).

    Raises GrantError for a wrong prefix, text that is not canonical base64url of JSON, a number that is no
    integer in minimal form, a malformed block, a wrong signature, and a chain that does not hold together.
    """
    blocks = read_blocks(token)
    for position, block in enumerate(blocks):
        check_block(block, position)
    check_chain(blocks)
    return Grant(
        blocks=tuple(blocks),
        issuer=_text(blocks[0], "iss"),
        holder=_text(blocks[-1], "sub"),
        block_ids=tuple(block_id(_signature(block)) for block in blocks),
        caveats=tuple(_caveats(block) for block in blocks),
    )


def read_blocks(token: str) -> list[Block]:
    """The blocks of a token, unchecked but for being objects (YEA 6.2). Raises GrantError."""
    if not isinstance(token, str) or not token.startswith(PREFIX):
        raise GrantError(f"a token starts with {PREFIX!r}")
    try:
        # YEA 6.2: refuse a number that is not an integer in minimal form
        value = jsontext.loads(b64url.decode(token[len(PREFIX) :]), minimal_integers=True)
    except (b64url.B64Error, jsontext.JsonError) as error:
        raise GrantError(f"the token cannot be read: {error}") from None
    if not isinstance(value, list) or not value:
        raise GrantError("a grant is a list of at least one block")
    blocks = [block for block in value if isinstance(block, dict)]
    if len(blocks) != len(value):
        raise GrantError("a block is an object")
    return blocks


def check_block(block: Block, position: int) -> None:
    """Refuses a block that is malformed at its position, 0 being the root (YEA 6.2). Raises GrantError."""
    payload, name = block.get("p"), f"block {position}"
    if not is_signature(block.get("s")):
        raise GrantError(f"{name} has no 64-byte signature")
    if not isinstance(payload, dict):
        raise GrantError(f"the payload of {name} is no object")
    for field, has_type in _FIELDS[position > 0].items():
        if field not in payload or not has_type(payload[field]):
            raise GrantError(f"{field!r} of {name} is missing or malformed")
    try:
        canonical(payload)
    except CanonicalError as error:
        raise GrantError(f"the payload of {name} has no canonical form: {error}") from None


def check_chain(blocks: Sequence[Block]) -> None:
    """Refuses well-formed blocks that a wrong key signed, or that follow a wrong block (YEA 6.4).

    Raises GrantError.
    """
    signer = _text(blocks[0], "iss")
    for position, block in enumerate(blocks):
        if position and _text(block, "prev") != block_id(_signature(blocks[position - 1])):
            raise GrantError(f"block {position} does not follow the block before it")
        if not verify(signer, canonical(block["p"]).encode(), _signature(block)):
            raise GrantError(f"block {position} is not signed by {signer[:80]!r}")
        signer = _text(block, "sub")


def _is_string(value: Json) -> bool:
    return isinstance(value, str)


def _is_list(value: Json) -> bool:
    return isinstance(value, list)


def _is_integer(value: Json) -> bool:
    return as_integer(value) is not None


_COMMON = {"sub": is_public_key, "caveats": _is_list, "iat": _is_integer}
_FIELDS: tuple[dict[str, Callable[[Json], bool]], ...] = (
    {"iss": _is_string, **_COMMON, "nonce": _is_string},
    {"prev": _is_string, **_COMMON},
)
"""The required fields of the root's payload and of every later one, with their types (YEA 6.2)."""


def _append(blocks: Sequence[Block], key: KeyPair, payload: dict[str, Json]) -> str:
    try:
        block = sign_block(key, payload)
        check_block(block, len(blocks))
        return encode_blocks([*blocks, block])
    except CanonicalError as error:
        raise GrantError(f"the block would have no canonical form: {error}") from None


def _text(block: Block, field: str) -> str:
    payload = block["p"]
    return str(payload[field]) if isinstance(payload, dict) else ""


def _signature(block: Block) -> str:
    return str(block["s"])


def _caveats(block: Block) -> tuple[Json, ...]:
    payload = block["p"]
    caveats = payload["caveats"] if isinstance(payload, dict) else None
    return tuple(caveats) if isinstance(caveats, list) else ()
