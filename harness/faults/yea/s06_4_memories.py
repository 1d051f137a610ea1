"""YEA 6.4: verifications that are remembered by too little, and trust that spreads."""

from typing import Any

from harness.faults import fault
from harness.faults.granting import Block, Decoder, decoding
from reference.yea import grants
from reference.yea.grants import Grant
from reference.yea.service import Service

KNOWN = "yea/6.4/what-verified-before-proves-nothing-else"
NOT_ITS_ROOT = "yea/6.4/a-delegation-is-not-its-root"
CHAIN = "yea/6.4/blocks-stay-in-their-chain"
UNTRUSTED = "yea/6.4/an-untrusted-issuer-is-unauthorized"
HOLDER = "yea/6.4/the-holder-is-the-proofs-key"


class _BySignature(Decoder):
    def __init__(self) -> None:
        self.known: set[str] = set()

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        if signature in self.known:
            return True
        if super().signed(key, payload, signature, position):
            self.known.add(str(signature))
            return True
        return False


@fault("yea/signatures-are-remembered", KNOWN)
class SignaturesRemembered(decoding(_BySignature)):  # type: ignore[misc]
    """Verifies a signature once, and takes it for right on any other payload."""


@fault("yea/grants-are-remembered-by-their-last-signature", KNOWN)
class ByLastSignature(Service):
    """Remembers a grant by the signature of its last block."""

    def decode_grant(self, token: str) -> Grant | None:
        """By memory, if the signature is there."""
        known: dict[Any, Grant] = self.__dict__.setdefault("known", {})
        try:
            last = grants.read_blocks(token)[-1].get("s")
        except grants.GrantError:
            last = None
        if not isinstance(last, str) or last not in known:
            grant = super().decode_grant(token)
            if grant is None:
                return None
            known[last] = grant
        return known[last]


@fault("yea/grants-are-remembered-by-their-root", NOT_ITS_ROOT)
class ByRoot(Service):
    """Remembers a grant by its grant id, and takes a delegation of it for the same."""

    def decode_grant(self, token: str) -> Grant | None:
        """By memory, if the root is known."""
        grant = super().decode_grant(token)
        known: dict[str, Grant] = self.__dict__.setdefault("known", {})
        return None if grant is None else known.setdefault(grant.id, grant)


class _PrevOfAny(Decoder):
    """Compares prev with the root's id as well."""

    def check_link(self, blocks: list[Block], position: int) -> None:
        self.root = blocks[0]
        super().check_link(blocks, position)

    def follows(self, payload: Block, before: Block) -> bool:
        return super().follows(payload, before) or super().follows(payload, self.root)


@fault("yea/prev-may-be-the-root", CHAIN)
class PrevMayBeTheRoot(decoding(_PrevOfAny)):  # type: ignore[misc]
    """Takes a prev that names the root, wherever the block stands."""


class _SecondPrev(Decoder):
    def check_link(self, blocks: list[Block], position: int) -> None:
        self.position = position
        super().check_link(blocks, position)

    def follows(self, payload: Block, before: Block) -> bool:
        return self.position > 1 or super().follows(payload, before)


@fault("yea/only-the-second-prev-is-compared", CHAIN)
class OnlyTheSecondPrev(decoding(_SecondPrev)):  # type: ignore[misc]
    """Compares no prev from the third block on."""


@fault("yea/holders-become-trusted", UNTRUSTED)
class HoldersBecomeTrusted(Service):
    """Trusts as an issuer whoever once held a grant of a principal."""

    def trusts(self, grant: Grant) -> bool:
        """Note the holder."""
        known: set[str] = self.__dict__.setdefault("known", set())
        if super().trusts(grant):
            known.add(grant.holder)
            return True
        return grant.issuer in known


@fault("yea/holders-in-any-letters", HOLDER)
class HoldersInAnyLetters(Service):
    """Compares the holder's key with the proof's without regard to capitals."""

    def holds(self, grant: Grant, key: str | None) -> bool:
        """In small letters."""
        return grant.holder.lower() == str(key).lower()
