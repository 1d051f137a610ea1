"""Faults of `grant.issue` and `grant.delegate`: what is signed, linked and encoded (YEA 6.2)."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.canonical import Writer, lenient
from harness.faults.adapter.tools import read, register, rewrite
from reference.yea import b64url, grants
from reference.yea.canonical import canonical
from reference.yea.keys import KeyPair

Payload = dict[str, Any]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _loose(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _ascii(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _as_it_comes(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _standard(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")


def _cut(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


def lenient_blocks(token: str) -> list[grants.Block]:
    """The blocks of a token to a reader that minds neither spelling nor numbers."""
    text = token.split(".")[-1]
    blocks = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    return [block for block in blocks if isinstance(block, dict)]


@dataclass(frozen=True)
class Maker:
    """Makes blocks and tokens; every field is a place where implementations go wrong."""

    caveats: Callable[[Any], Any] = lambda caveats: caveats
    payload: Callable[[Payload, Arguments], Payload] = lambda payload, arguments: payload
    signed: Callable[[Any], str] = canonical
    digest: Callable[[bytes], bytes] = lambda text: text
    encoded: Callable[[Any], str] = canonical
    spelled: Callable[[bytes], str] = b64url.encode
    prefix: str = "pg1."
    prev: Callable[[list[grants.Block]], str] = lambda blocks: grants.block_id(str(blocks[-1]["s"]))
    blocks: Callable[[str], list[grants.Block]] = lambda token: list(grants.decode(token).blocks)

    def block(self, payload: Payload, arguments: Arguments) -> grants.Block:
        """A block signed by the seed's key."""
        made = self.payload({**payload, "caveats": self.caveats(read(arguments, "caveats"))}, arguments)
        return {"p": made, "s": KeyPair.from_text(arguments["seed"]).sign(self.digest(_bytes(self.signed(made))))}

    def token(self, blocks: list[grants.Block]) -> dict[str, str]:
        """The answer with the token of blocks."""
        return {"token": self.prefix + self.spelled(_bytes(self.encoded(blocks)))}

    def issue(self, arguments: Arguments) -> dict[str, str]:
        """grant.issue"""
        payload = {
            "iss": KeyPair.from_text(arguments["seed"]).public,
            **{name: arguments[name] for name in ("sub", "iat", "nonce")},
        }
        return self.token([self.block(payload, arguments)])

    def delegate(self, arguments: Arguments) -> dict[str, str]:
        """grant.delegate"""
        before = self.blocks(arguments["token"])
        payload = {"prev": self.prev(before), "sub": arguments["sub"], "iat": arguments["iat"]}
        return self.token([*before, self.block(payload, arguments)])


def _without(name: str) -> Callable[[Payload, Arguments], Payload]:
    return lambda payload, arguments: {key: value for key, value in payload.items() if key != name}


def _with(**members: Any) -> Callable[[Payload, Arguments], Payload]:
    return lambda payload, arguments: {**payload, **members}


def _with_issuer(payload: Payload, arguments: Arguments) -> Payload:
    return {**payload, "iss": KeyPair.from_text(arguments["seed"]).public}


RULE = Maker()
REPLACING = Writer(text=lenient, key=lenient).write
# What goes wrong alike when a grant is issued and when it is delegated: the words of the cases of either.
BOTH: tuple[tuple[str, str, str, str, Maker], ...] = (
    (
        "members-as-they-come",
        "Signs the members in the order that they have.",
        "two-caveats every-caveat",
        "after-a-root no-caveats",
        replace(RULE, signed=_as_it_comes),
    ),
    (
        "token-as-it-comes",
        "Encodes the blocks in the order that their members have.",
        "two-caveats",
        "after-a-root",
        replace(RULE, encoded=_as_it_comes),
    ),
    (
        "ascii-only",
        "Escapes what is not ASCII before signing.",
        "names-not-ascii nonce-not-ascii",
        "names-not-ascii",
        replace(RULE, signed=_ascii),
    ),
    (
        "token-ascii-only",
        "Escapes what is not ASCII in the token.",
        "names-not-ascii nonce-not-ascii",
        "names-not-ascii",
        replace(RULE, encoded=_ascii),
    ),
    (
        "hash-signed",
        "Signs the hash of the payload.",
        "two-caveats no-caveats",
        "after-a-root",
        replace(RULE, digest=lambda text: hashlib.sha256(text).digest()),
    ),
    (
        "caveats-sorted",
        "Sorts the caveats.",
        "every-caveat caveats-twice-and-in-another-order",
        "every-caveat",
        replace(RULE, caveats=lambda caveats: sorted(caveats, key=canonical)),
    ),
    (
        "fractions-signed",
        "Signs fractions.",
        "exp-with-a-fraction fraction-deep-inside exp-2-to-53",
        "exp-with-a-fraction",
        replace(RULE, signed=_loose, encoded=_loose),
    ),
    (
        "fractions-cut",
        "Cuts fractions off.",
        "exp-with-a-fraction fraction-deep-inside",
        "exp-with-a-fraction",
        replace(RULE, caveats=lambda caveats: rewrite(caveats, _cut)),
    ),
    (
        "lone-surrogates-replaced",
        "Replaces lone surrogates by U+FFFD.",
        "lone-surrogate lone-surrogate-in-a-name",
        "lone-surrogate",
        replace(RULE, signed=REPLACING, encoded=REPLACING),
    ),
    (
        "iat-as-a-string",
        "Writes iat as a string.",
        "two-caveats iat-0",
        "after-a-root",
        replace(RULE, payload=lambda payload, arguments: {**payload, "iat": str(payload["iat"])}),
    ),
    (
        "no-prefix",
        "Writes no pg1. before the token.",
        "two-caveats",
        "after-a-root",
        replace(RULE, prefix=""),
    ),
    (
        "standard-alphabet",
        "Writes the token with + and /.",
        "token-of-and",
        "token-of-and",
        replace(RULE, spelled=_standard),
    ),
)
ISSUE_ONLY: tuple[tuple[str, str, str, Maker], ...] = (
    ("no-nonce", "Leaves the nonce out.", "two-caveats iat-0", replace(RULE, payload=_without("nonce"))),
    ("its-own-nonce", "Makes a nonce of its own.", "two-caveats", replace(RULE, payload=_with(nonce="random"))),
    (
        "no-iat",
        "Leaves iat out when it is 0.",
        "iat-0",
        replace(RULE, payload=lambda p, a: p if p["iat"] else _without("iat")(p, a)),
    ),
    (
        "expired-by-default",
        "Adds an exp where there is none.",
        "no-caveats negative-integers",
        replace(RULE, caveats=lambda c: c if any("exp" in each for each in c) else [*c, {"exp": 1_790_003_600}]),
    ),
    (
        "once-each",
        "Leaves out caveats that are there already.",
        "caveats-twice-and-in-another-order",
        replace(RULE, caveats=lambda c: [each for at, each in enumerate(c) if each not in c[:at]]),
    ),
    (
        "padded",
        "Writes the token with padding.",
        "two-caveats",
        replace(RULE, spelled=lambda data: base64.urlsafe_b64encode(data).decode()),
    ),
)
DELEGATE_ONLY: tuple[tuple[str, str, str, Maker], ...] = (
    (
        "prev-of-the-bytes",
        "Hashes the bytes of the signature for prev.",
        "after-a-root after-a-delegation",
        replace(RULE, prev=lambda blocks: raw_id(blocks[-1])),
    ),
    (
        "prev-of-the-payload",
        "Hashes the payload for prev.",
        "after-a-root after-nine-delegations",
        replace(RULE, prev=lambda blocks: payload_id(blocks[-1])),
    ),
    (
        "prev-of-the-root",
        "Links to the root, whatever the last block is.",
        "after-a-delegation after-nine-delegations",
        replace(RULE, prev=lambda blocks: grants.block_id(str(blocks[0]["s"]))),
    ),
    (
        "prev-is-the-signature",
        "Writes the signature itself for prev.",
        "after-a-root",
        replace(RULE, prev=lambda blocks: str(blocks[-1]["s"])),
    ),
    (
        "with-an-issuer",
        "Writes an iss into a delegation.",
        "after-a-root to-itself",
        replace(RULE, payload=_with_issuer),
    ),
    ("with-a-nonce", "Writes a nonce into a delegation.", "after-a-root", replace(RULE, payload=_with(nonce="n"))),
    (
        "replaces-the-last-block",
        "Puts the new block in place of the last delegation.",
        "after-a-delegation after-nine-delegations",
        replace(
            RULE, blocks=lambda token: list(grants.decode(token).blocks)[: max(1, len(grants.decode(token).blocks) - 1)]
        ),
    ),
    (
        "lenient",
        "Extends a token that no decoder accepts.",
        "token-without-its-prefix token-of-another-version token-that-spells-iat-as-a-decimal",
        replace(RULE, blocks=lenient_blocks),
    ),
)


def raw_id(block: grants.Block) -> str:
    """The hash of the bytes of a block's signature."""
    return b64url.encode(hashlib.sha256(b64url.decode(str(block["s"]))).digest())


def payload_id(block: grants.Block) -> str:
    """The hash of a block's payload."""
    return grants.block_id(canonical(block["p"]))


register(
    "grant.issue",
    *((words, says, issue, maker.issue) for words, says, issue, _, maker in BOTH),
    *((words, says, kills, maker.issue) for words, says, kills, maker in ISSUE_ONLY),
)
register(
    "grant.delegate",
    *((words, says, delegate, maker.delegate) for words, says, _, delegate, maker in BOTH),
    *((words, says, kills, maker.delegate) for words, says, kills, maker in DELEGATE_ONLY),
)
