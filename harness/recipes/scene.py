"""The scene that a recipe is cooked in: keys, service, capability, time and proposal, and how grants are written.

Blocks and tokens are put together here by hand (YEA 6.2), because most recipes are of a kind that no library would
agree to make.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reference.yea import b64url
from reference.yea.canonical import canonical
from reference.yea.keys import KeyPair

Payload = dict[str, Any]
Block = dict[str, Any]

PREFIX = "pg1."
HOUR = 3600
DROP: Any = object()  # in place of a member's value: leave the member out
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Scene:
    """Who and what grants are made of.

    Args:
        service, capability: the service's id, and the capability of the proposal.
        now: unix seconds by the target's clock.
        principal: whom the service trusts and the proposal belongs to; `stranger` is trusted by nobody.
        agent: who sends the request and signs its proof; `friends` hold grants before it.
        nonce: returns a new nonce at each call.
        proposal: the proposal that is to be committed; empty where there is none yet.
    """

    service: str
    capability: str
    now: int
    principal: KeyPair
    stranger: KeyPair
    agent: KeyPair
    friends: tuple[KeyPair, ...]
    nonce: Callable[[], str]
    proposal: Mapping[str, Any] = field(default_factory=dict)

    @property
    def friend(self) -> KeyPair:
        """The first friend."""
        return self.friends[0]

    def scope(self) -> list[Payload]:
        """Return the caveats that every good grant of ours has: this service, one hour."""
        return [{"svc": [self.service]}, {"exp": self.now + HOUR}]

    def root(self, *caveats: Any, **members: Any) -> Payload:
        """Return a root's payload: from the principal to the agent, scoped, with more caveats or other members."""
        return _changed(
            {
                "iss": self.principal.public,
                "sub": self.agent.public,
                "caveats": [*self.scope(), *caveats],
                "iat": self.now,
                "nonce": self.nonce(),
            },
            members,
        )

    def link(self, before: Block, *caveats: Any, **members: Any) -> Payload:
        """Return a delegation's payload: after a block, to the agent, with caveats or other members."""
        prev = block_id(str(before.get("s")))
        payload = {"prev": prev, "sub": self.agent.public, "caveats": list(caveats), "iat": self.now}
        return _changed(payload, members)

    def root_to_friend(self, *caveats: Any, **members: Any) -> Block:
        """Return a good root block from the principal to the first friend."""
        return block(self.principal, self.root(*caveats, **{"sub": self.friend.public, **members}))

    def grant(self, *caveats: Any, **members: Any) -> str:
        """Return a token of one block, correctly signed by the principal whatever its payload says."""
        return token(block(self.principal, self.root(*caveats, **members)))

    def chain(self, *levels: tuple[Any, ...]) -> tuple[Block, ...]:
        """Return a good chain of one block for each level, a tuple of caveats; the agent holds the last one."""
        holders = [*self.friends[: len(levels) - 1], self.agent]
        blocks = [block(self.principal, self.root(*levels[0], sub=holders[0].public))]
        for level, signer, holder in zip(levels[1:], holders, holders[1:], strict=False):
            blocks.append(block(signer, self.link(blocks[-1], *level, sub=holder.public)))
        return tuple(blocks)


def _changed(payload: Payload, members: Mapping[str, Any]) -> Payload:
    return {name: value for name, value in {**payload, **members}.items() if value is not DROP}


def block(key: KeyPair, payload: Any) -> Block:
    """Return a block with this payload, signed over its canonical form."""
    return {"p": payload, "s": key.sign(canonical(payload).encode())}


def token(*blocks: Any) -> str:
    """Return the token of these blocks, whatever they are."""
    return text_token(canonical(list(blocks)))


def text_token(text: str | bytes) -> str:
    """Return a token of any text or bytes in place of the canonical JSON."""
    return PREFIX + b64url.encode(text if isinstance(text, bytes) else text.encode())


def token_text(made: str) -> str:
    """Return the JSON text inside a good token."""
    return b64url.decode(made.removeprefix(PREFIX)).decode()


def block_id(signature: str) -> str:
    """Return a block's id, which is what the next block's `prev` holds (YEA 6.2)."""
    return b64url.encode(hashlib.sha256(signature.encode()).digest())


def loose_text(value: Any) -> str:
    """Return what a lenient writer takes for the canonical form of a value that has none.

    Keys sorted, no spaces, fractions as they are, a lone surrogate as its escape.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def loose_token(key: KeyPair, payload: Any, *, replaced: bool = False) -> str:
    """Return a token of one block whose payload has no canonical form, signed over its loose text.

    With `replaced` the signature is over the text with U+FFFD for lone surrogates, as a lenient encoder writes them.
    """
    text = loose_text(payload)
    signed = re.sub(r"\\ud[89a-f][0-9a-f]{2}", "\ufffd", text) if replaced else text
    return text_token(f'[{{"p":{text},"s":"{key.sign(signed.encode())}"}}]')
