"""A checker of grants in which every step can be replaced: what the faults of reading and verifying are made with.

The steps are those of YEA 6.2 and 6.4. It registers nothing itself.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.tools import context
from reference.yea import caveats, grants
from reference.yea.canonical import canonical
from reference.yea.grants import Block, GrantError
from reference.yea.keys import verify

Text = Callable[[Any], str]


def _read(token: str) -> list[Block]:
    return grants.read_blocks(token)


def signer_of(blocks: Sequence[Block], at: int) -> Any:
    """The key that has to sign the block at a position."""
    return member(blocks[at - 1], "sub") if at else member(blocks[0], "iss")


def member(block: Block, name: str) -> Any:
    """A member of a block's payload, None if there is none."""
    payload = block.get("p")
    return payload.get(name) if isinstance(payload, dict) else None


def signed_by(blocks: Sequence[Block], at: int, signer: Any, text: Text) -> bool:
    """Whether a key signed this text of a block's payload."""
    return verify(signer, text(blocks[at].get("p")).encode("utf-8", "surrogatepass"), str(blocks[at].get("s")))


def linked_to(blocks: Sequence[Block], at: int) -> bool:
    """Whether a block's prev is the id of the block before it."""
    return not at or member(blocks[at], "prev") == grants.block_id(str(blocks[at - 1].get("s")))


def _trusts(blocks: Sequence[Block], trusted: Collection[str]) -> bool:
    return member(blocks[0], "iss") in trusted


def _holds(blocks: Sequence[Block], key: str) -> bool:
    return bool(member(blocks[-1], "sub") == key)


@dataclass(frozen=True)
class Checker:
    """Verifies a grant; every field is a place where implementations go wrong."""

    read: Callable[[str], list[Block]] = _read
    block: Callable[[Block, int], None] = grants.check_block
    positions: Callable[[Sequence[Block]], Collection[int]] = lambda blocks: range(len(blocks))
    signer: Callable[[Sequence[Block], int], Any] = signer_of
    text: Text = canonical
    signed: Callable[[Sequence[Block], int, Any, Text], bool] = signed_by
    linked: Callable[[Sequence[Block], int], bool] = linked_to
    trusts: Callable[[Sequence[Block], Collection[str]], bool] = _trusts
    holds: Callable[[Sequence[Block], str], bool] = _holds
    caveats_first: bool = False
    malformed: str = "unauthorized"

    def check(self, arguments: Arguments) -> dict[str, str]:
        """grant.check"""
        return {"decision": self.decide(arguments)}

    def decide(self, arguments: Arguments) -> str:
        """The decision."""
        try:
            blocks = self.read(arguments["token"])
            if self.caveats_first:
                decision = _covers(blocks, arguments)
                if decision != "ok":
                    return decision
        except (GrantError, ValueError, LookupError, TypeError):
            return "unauthorized"
        try:
            for position, block in enumerate(blocks):
                self.block(block, position)
        except GrantError:
            return self.malformed
        if not self.verified(blocks) or not self.trusts(blocks, arguments["trusted"]):
            return "unauthorized"
        return _covers(blocks, arguments) if self.holds(blocks, arguments["proof_key"]) else "unauthorized"

    def verified(self, blocks: Sequence[Block]) -> bool:
        """Whether signatures and links are right."""
        return all(self.linked(blocks, at) for at in range(len(blocks))) and all(
            self.signed(blocks, at, self.signer(blocks, at), self.text) for at in self.positions(blocks)
        )


def _covers(blocks: Sequence[Block], arguments: Arguments) -> str:
    grant = grants.Grant(
        blocks=tuple(blocks),
        issuer="",
        holder="",
        block_ids=tuple(grants.block_id(str(block.get("s"))) for block in blocks),
        caveats=tuple(tuple(member(block, "caveats") or ()) for block in blocks),
    )
    return caveats.evaluate(grant, context(arguments)).decision


RULE = Checker()
