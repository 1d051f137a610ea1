"""Faults of `grant.check` in whose signature is verified, in links, trust and holders (YEA 6.2, 6.4)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.faults.adapter.grants import raw_id
from harness.faults.adapter.tools import register
from harness.faults.adapter.verifying import RULE, Checker, linked_to, member, signed_by, signer_of
from reference.yea.grants import Block


def _no_chain(blocks: Sequence[Block], at: int) -> bool:
    return True


def _prev_of(identify: Callable[[Block], str]) -> Callable[[Sequence[Block], int], bool]:
    """Links by another hash as well as by the right one."""
    return lambda blocks, at: linked_to(blocks, at) or member(blocks[at], "prev") == identify(blocks[at - 1])


CHECKERS: tuple[tuple[str, str, str, Checker], ...] = (
    (
        "root-only",
        "Verifies the root's signature only.",
        "caveat-changed-after-signing-in-block-2-of-3 middle-block-signed-by-a-stranger",
        replace(RULE, positions=lambda blocks: [0]),
    ),
    (
        "last-only",
        "Verifies the last signature only.",
        "caveat-changed-after-signing-in-block-1-of-3 caveat-changed-after-signing-in-block-2-of-3",
        replace(RULE, positions=lambda blocks: [len(blocks) - 1] if len(blocks) > 1 else [0]),
    ),
    (
        "issuer-signs-all",
        "Accepts a delegation that the root's issuer signed.",
        "delegation-signed-by-the-root-s-issuer middle-block-signed-by-the-root-s-issuer",
        replace(
            RULE,
            signed=lambda blocks, at, signer, text: any(
                signed_by(blocks, at, key, text) for key in (signer, signer_of(blocks, 0))
            ),
        ),
    ),
    (
        "holder-signs-itself",
        "Verifies a delegation with its own holder's key.",
        "delegation-signed-by-its-own-holder two-blocks",
        replace(RULE, signer=lambda blocks, at: member(blocks[at], "sub") if at else member(blocks[0], "iss")),
    ),
    (
        "prev-unchecked",
        "Does not compare prev.",
        "delegation-cut-off-one-chain-and-put-behind-another delegation-whose-prev-is-the-id-of-another-block",
        replace(RULE, linked=_no_chain),
    ),
    (
        "prev-of-the-bytes",
        "Accepts the hash of the signature's bytes for prev.",
        "delegation-whose-prev-is-the-hash-of-the-signature-s-bytes",
        replace(RULE, linked=_prev_of(raw_id)),
    ),
    (
        "prev-is-the-signature",
        "Accepts the signature itself for prev.",
        "delegation-whose-prev-is-the-signature-itself",
        replace(RULE, linked=_prev_of(lambda block: str(block["s"]))),
    ),
    (
        "trusts-all",
        "Trusts every issuer.",
        "nobody-trusted good-grant-of-a-principal-that-nobody-trusts",
        replace(RULE, trusts=lambda blocks, trusted: True),
    ),
    (
        "trusts-any-link",
        "Trusts a grant that passes a trusted key anywhere.",
        "trusted-key-in-the-middle only-the-holder-trusted",
        replace(
            RULE, trusts=lambda blocks, trusted: any(member(b, n) in trusted for b in blocks for n in ("iss", "sub"))
        ),
    ),
    (
        "trusts-by-prefix",
        "Trusts a key that begins like a trusted one.",
        "start-of-a-trusted-key",
        replace(
            RULE, trusts=lambda blocks, trusted: any(str(member(blocks[0], "iss")).startswith(key) for key in trusted)
        ),
    ),
    (
        "any-holder",
        "Does not compare the holder with the proof's key.",
        "grant-of-another-holder proof-by-the-issuer",
        replace(RULE, holds=lambda blocks, key: True),
    ),
    (
        "every-holder",
        "Takes every holder of the chain for the holder.",
        "grant-that-it-has-delegated-away proof-by-the-first-holder",
        replace(RULE, holds=lambda blocks, key: key in [member(block, "sub") for block in blocks]),
    ),
    (
        "caveats-first",
        "Looks at the caveats before the signatures.",
        "forged-root-signature-and-an-exp-in-the-past another-holder-and-an-exp-in-the-past",
        replace(RULE, caveats_first=True),
    ),
)


register("grant.check", *((words, says, kills, checker.check) for words, says, kills, checker in CHECKERS))
