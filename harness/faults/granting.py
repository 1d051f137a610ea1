"""A grant decoder whose every step can be replaced alone: the base of the faults of YEA 6.1, 6.2 and 6.4.

`Decoder` decides as the reference does (a test holds it to that); a fault replaces one step of it, and the rest of the
service stays whole.
"""

from collections.abc import Callable, Mapping
from typing import Any

from reference.yea import b64url, grants, jsontext
from reference.yea.canonical import CanonicalError, canonical
from reference.yea.grants import Grant, GrantError, block_id
from reference.yea.keys import is_public_key, is_signature, verify
from reference.yea.service import Service
from reference.yea.types import as_integer

Block = dict[str, Any]


def text(value: Any) -> bool:
    """Whether a value is a string."""
    return isinstance(value, str)


def whole(value: Any) -> bool:
    """Whether a value is an integer."""
    return as_integer(value) is not None


def listed(value: Any) -> bool:
    """Whether a value is a list."""
    return isinstance(value, list)


class Decoder:
    """The steps from a token to a grant (YEA 6.2, and 1 to 3 of 6.4). Every one may raise GrantError."""

    FIELDS: tuple[Mapping[str, Callable[[Any], bool]], ...] = (
        {"iss": text, "sub": text, "caveats": listed, "iat": whole, "nonce": text},
        {"prev": text, "sub": text, "caveats": listed, "iat": whole},
    )
    """The fields that a root and a later block must have."""

    def decode(self, token: str) -> Grant:
        """All steps."""
        blocks = self.blocks(self.value(self.raw(self.body(token))))
        for position, block in enumerate(blocks):
            self.check_block(block, position)
        for position in range(len(blocks)):
            self.check_link(blocks, position)
        return self.grant(blocks)

    def body(self, token: str) -> str:
        """The token without its prefix."""
        if not token.startswith(grants.PREFIX):
            raise GrantError("a wrong prefix")
        return token[len(grants.PREFIX) :]

    def raw(self, body: str) -> bytes:
        """What the body stands for."""
        try:
            return b64url.decode(body)
        except b64url.B64Error as error:
            raise GrantError(str(error)) from None

    def value(self, data: bytes) -> Any:
        """The JSON value."""
        try:
            return jsontext.loads(data, minimal_integers=True)
        except jsontext.JsonError as error:
            raise GrantError(str(error)) from None

    def blocks(self, value: Any) -> list[Block]:
        """The blocks: at least one, and all of them objects."""
        if not isinstance(value, list) or not value or not all(isinstance(block, dict) for block in value):
            raise GrantError("no list of blocks")
        return value

    def check_block(self, block: Block, position: int) -> None:
        """The shape of one block."""
        payload = block.get("p")
        if not isinstance(payload, dict):
            raise GrantError("a payload that is no object")
        self.check_signature(block.get("s"))
        for field, has_type in self.FIELDS[position > 0].items():
            if field not in payload or not has_type(payload[field]):
                raise GrantError(f"{field} is missing or mistyped")
        self.check_holder(payload["sub"])
        self.check_canonical(payload)

    def check_signature(self, signature: Any) -> None:
        """A signature is the base64url of 64 bytes."""
        if not is_signature(signature):
            raise GrantError("no signature")

    def check_holder(self, key: str) -> None:
        """A holder is a public key."""
        if not is_public_key(key):
            raise GrantError("a holder that is no key")

    def check_canonical(self, payload: Block) -> None:
        """A payload has a canonical form."""
        self.signed_text(payload)

    def signed_text(self, payload: Block) -> bytes:
        """What a block's signature is over."""
        try:
            return canonical(payload).encode()
        except CanonicalError as error:
            raise GrantError(str(error)) from None

    def check_link(self, blocks: list[Block], position: int) -> None:
        """One block follows the one before it, and the right key signed it."""
        block = blocks[position]
        if position and not self.follows(block["p"], blocks[position - 1]):
            raise GrantError("a wrong prev")
        if not self.signed(self.signer(blocks, position), block["p"], block.get("s"), position):
            raise GrantError("a wrong signature")

    def follows(self, payload: Block, before: Block) -> bool:
        """Whether prev is the id of the block before."""
        return payload.get("prev") == block_id(str(before.get("s")))

    def signer(self, blocks: list[Block], position: int) -> str:
        """The key that must have signed a block."""
        return str(blocks[0]["p"].get("iss") if position == 0 else blocks[position - 1]["p"].get("sub"))

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        """Whether a key signed a payload."""
        return verify(key, self.signed_text(payload), str(signature))

    def grant(self, blocks: list[Block]) -> Grant:
        """The grant of good blocks."""
        return Grant(
            blocks=tuple(blocks),
            issuer=str(blocks[0]["p"].get("iss")),
            holder=self.holder(blocks),
            block_ids=tuple(block_id(str(block.get("s"))) for block in blocks),
            caveats=tuple(self.caveats(block) for block in blocks),
        )

    def holder(self, blocks: list[Block]) -> str:
        """The key that holds the grant."""
        return str(blocks[-1]["p"].get("sub"))

    def caveats(self, block: Block) -> tuple[Any, ...]:
        """The caveats of a block."""
        caveats = block["p"].get("caveats")
        return tuple(caveats) if isinstance(caveats, list) else ()


class Granting(Service):
    """A service that decodes grants step by step."""

    DECODER = Decoder()

    def decode_grant(self, token: str) -> Grant | None:
        """By the decoder."""
        try:
            return self.DECODER.decode(token)
        except GrantError:
            return None


def decoding(decoder: type[Decoder]) -> type[Granting]:
    """Return a service with this decoder."""

    class Decoding(Granting):
        """Decodes grants in its own way."""

        DECODER = decoder()

    return Decoding
