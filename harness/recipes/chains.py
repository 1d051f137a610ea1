"""Chains that do not hold: wrong signers, wrong order, wrong holder, no trust (YEA 6.2, 6.4).

Every block is well-formed.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from harness.recipes.recipe import Recipe
from harness.recipes.scene import Block, Scene, block, block_id, text_token, token, token_text
from harness.recipes.structure import FOREIGN_SERVICE
from reference.yea import b64url

HOUR = 3600


def flipped(signature: str) -> str:
    """Return a signature with one bit changed, still 64 bytes."""
    data = bytearray(b64url.decode(signature))
    data[20] ^= 1
    return b64url.encode(bytes(data))


def _link_by(name: str, clause: str, signer: Callable[[Scene], Any]) -> Recipe:
    def make(scene: Scene) -> str:
        root = scene.root_to_friend()
        return token(root, block(signer(scene), scene.link(root)))

    return Recipe(f"a delegation signed by {name}", clause, make)


SIGNERS = (
    Recipe(
        "a root signed by another key than its issuer's",
        "YEA-6.2-03",
        lambda s: token(block(s.stranger, s.root())),
    ),
    Recipe("a root signed by its holder", "YEA-6.2-03", lambda s: token(block(s.agent, s.root()))),
    _link_by("the root's issuer", "YEA-6.2-04", lambda s: s.principal),
    _link_by("its own holder", "YEA-6.2-04", lambda s: s.agent),
    _link_by("a key that has no part in the chain", "YEA-6.2-04", lambda s: s.stranger),
)


def _prev(name: str, clause: str, prev: Callable[[Scene, Block], str]) -> Recipe:
    def make(scene: Scene) -> str:
        root = scene.root_to_friend()
        return token(root, block(scene.friend, scene.link(root, prev=prev(scene, root))))

    return Recipe(f"a delegation whose prev is {name}", clause, make)


def _third_prev(name: str, prev: Callable[[Block, Block], str]) -> Recipe:
    """A chain of three whose first two blocks are as they must be."""

    def make(scene: Scene) -> str:
        root, second = scene.chain((), ())
        # The agent, who holds the chain of two, is also whom it is delegated to.
        return token(root, second, block(scene.agent, scene.link(second, prev=prev(root, second))))

    return Recipe(f"a third block whose prev is {name}", "YEA-6.4-04", make)


def _spliced(scene: Scene) -> str:
    """A delegation that the friend signed for a narrower root, put behind a wider one of the same holder."""
    narrow = scene.root_to_friend({"can": ["other.naysayer"]})
    return token(scene.root_to_friend(), block(scene.friend, scene.link(narrow)))


LINKS = (
    _prev("the hash of the signature's bytes", "YEA-6.2-05", lambda s, root: _raw_id(root["s"])),
    _prev("the signature itself", "YEA-6.2-05", lambda s, root: root["s"]),
    _prev("empty", "YEA-6.2-05", lambda s, root: ""),
    _prev("the hash of the block's payload", "YEA-6.2-05", lambda s, root: block_id(token_text(token(root["p"])))),
    _prev("in other letters", "YEA-6.4-04", lambda s, root: block_id(root["s"]).swapcase()),
    _prev("the id of another block", "YEA-6.4-04", lambda s, root: block_id(s.root_to_friend()["s"])),
    _third_prev("the id of the root", lambda root, second: block_id(root["s"])),
    _third_prev("the prev of the second", lambda root, second: str(second["p"]["prev"])),
    _third_prev("the signature of the second", lambda root, second: str(second["s"])),
    Recipe("a delegation cut off one chain and put behind another", "YEA-6.4-04", _spliced),
    Recipe(
        "the second and third block of a chain exchanged",
        "YEA-6.4-04",
        lambda s: token(*(s.chain((), (), ())[i] for i in (0, 2, 1))),
    ),
)


def _raw_id(signature: str) -> str:
    return b64url.encode(hashlib.sha256(b64url.decode(signature)).digest())


def _forged(name: str, clause: str, at: int, forge: Callable[[Block], Block]) -> Recipe:
    """A good chain of three, of which one block is changed after signing; those behind it follow the new signature."""

    def make(scene: Scene) -> str:
        blocks = list(scene.chain((), (), ()))
        blocks[at] = forge(blocks[at])
        return token(*blocks)

    return Recipe(f"{name} in block {at + 1} of 3", clause, make)


def _widened(made: Block) -> Block:
    payload = made["p"]
    return {**made, "p": {**payload, "caveats": [*payload["caveats"], {"nbf": 1}]}}


def _bit(made: Block) -> Block:
    return {**made, "s": flipped(made["s"])}


ROOT_SIGNATURES = (
    Recipe("a root signature with one bit changed", "YEA-6.4-02", lambda s: token(_bit(block(s.principal, s.root())))),
    Recipe(
        "a root caveat changed after signing", "YEA-6.4-02", lambda s: token(_widened(block(s.principal, s.root())))
    ),
    Recipe(
        "a root whose exp was put off after signing",
        "YEA-6.4-02",
        lambda s: text_token(token_text(s.grant()).replace(f'"exp":{s.now + HOUR}', f'"exp":{s.now + 2 * HOUR}')),
    ),
    Recipe(
        "a root signature of all zeros",
        "YEA-6.4-02",
        lambda s: token({"p": s.root(), "s": b64url.encode(bytes(64))}),
    ),
    Recipe(
        "a root that the stranger signed as the principal",
        "YEA-6.4-02",
        lambda s: token(block(s.stranger, s.root(iss=s.principal.public))),
    ),
    _forged("a caveat changed after signing", "YEA-6.4-02", 0, _widened),
)

LATER_SIGNATURES = (
    _forged("a caveat changed after signing", "YEA-6.4-03", 1, _widened),
    _forged("a caveat changed after signing", "YEA-6.4-03", 2, _widened),
    _forged("a bit of the signature changed", "YEA-6.4-03", 2, _bit),
    Recipe(
        "a middle block signed by the root's issuer",
        "YEA-6.4-03",
        lambda s: _middle_signed(s, s.principal),
    ),
    Recipe("a middle block signed by a stranger", "YEA-6.4-03", lambda s: _middle_signed(s, s.stranger)),
)


def _middle_signed(scene: Scene, signer: Any) -> str:
    root = scene.root_to_friend()
    middle = block(signer, scene.link(root, sub=scene.friends[1].public))
    return token(root, middle, block(scene.friends[1], scene.link(middle)))


HOLDING = (
    Recipe(
        "a grant that it has delegated away",
        "YEA-6.2-14",
        lambda s: token(*_delegated_away(s)),
    ),
    Recipe(
        "a grant of another holder",
        "YEA-6.4-07",
        lambda s: s.grant(sub=s.friend.public),
    ),
    Recipe(
        "a grant of its own key in other letters",
        "YEA-6.4-07",
        lambda s: s.grant(sub=_in_other_letters(s.agent.public)),
    ),
    Recipe(
        "the root of a grant that was delegated to it",
        "YEA-6.4-05",
        lambda s: token(s.chain((), ())[0]),
    ),
    Recipe(
        "the first two blocks of a chain of three",
        "YEA-6.4-05",
        lambda s: token(*s.chain((), (), ())[:2]),
    ),
    Recipe(
        "the last block of a chain alone",
        "YEA-6.4-05",
        lambda s: token(s.chain((), ())[1]),
        also=("forbidden",),  # it names no issuer at all, so no principal either
    ),
)


def _in_other_letters(key: str) -> str:
    """Return another public key, of the same letters; the last is kept, because it has unused bits."""
    scheme, colon, text = key.partition(":")
    return scheme + colon + text[:-1].swapcase() + text[-1]


def _delegated_away(scene: Scene) -> tuple[Block, Block]:
    root = block(scene.principal, scene.root())
    return root, block(scene.agent, scene.link(root, sub=scene.friend.public))


def _foreign(*caveats: Any) -> Callable[[Scene], str]:
    return lambda s: token(block(s.stranger, s.root(*caveats, iss=s.stranger.public)))


# On a proposal that belongs to a principal, a stranger's grant fails two checks of which either may come first
# (YEA-Q47): the trust, and the principal. On one that belongs to nobody it fails the trust alone.
UNTRUSTED = (
    Recipe("a good grant of a principal that nobody trusts", "YEA-6.4-06", _foreign()),
    Recipe(
        "a grant that its holder gave itself",
        "YEA-6.4-06",
        lambda s: token(block(s.agent, s.root(iss=s.agent.public))),
    ),
)

FORBIDDEN_TOO = (
    Recipe(
        "a forged root signature and an exp in the past",
        "YEA-6.4-08",
        lambda s: token(block(s.stranger, s.root({"exp": s.now - HOUR}))),
    ),
    Recipe(
        "a forged root signature and a foreign svc",
        "YEA-6.4-08",
        lambda s: token(block(s.stranger, s.root({"svc": [FOREIGN_SERVICE]}))),
    ),
    Recipe(
        "another holder and an exp in the past",
        "YEA-6.4-08",
        lambda s: s.grant({"exp": s.now - HOUR}, sub=s.friend.public),
    ),
    Recipe(
        "a forged delegation and an unknown caveat",
        "YEA-6.4-08",
        lambda s: _forged_link(s, {"naysayer": 1}),
    ),
)


def _forged_link(scene: Scene, *caveats: Any) -> str:
    root = scene.root_to_friend(*caveats)
    return token(root, block(scene.stranger, scene.link(root)))
