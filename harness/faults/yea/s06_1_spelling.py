"""YEA 6.1: base64url that is read in more than one spelling, in tokens, signatures, keys and proofs."""

import base64
import re
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add
from harness.faults.granting import Block, Decoder, decoding
from harness.recipes.spelling import ALPHABET, ORDER
from reference.yea import b64url
from reference.yea.grants import Grant
from reference.yea.keys import is_public_key
from reference.yea.service import Service
from reference.yea.service.reading import Proof

Spell = Callable[[str], str]


def _zero_bits(text: str) -> str:
    unused = {2: 4, 3: 2}.get(len(text) % 4)
    if not unused or text[-1] not in ALPHABET:
        return text
    return text[:-1] + ALPHABET[ALPHABET.index(text[-1]) >> unused << unused]


# How a lenient reader puts a spelling right, and what it forgives.
FORGIVEN: dict[str, tuple[str, Spell]] = {
    "padding": ("padding", lambda text: text.rstrip("=")),
    "standard-alphabet": ("+ and / for - and _", lambda text: text.replace("+", "-").replace("/", "_")),
    "blanks": ("blanks and line breaks", lambda text: re.sub(r"\s", "", text)),
    "unused-bits": ("unused bits", _zero_bits),
}


class _LenientToken(Decoder):
    spell: Spell

    def body(self, token: str) -> str:
        return type(self).spell(super().body(token))


class _LenientSignature(Decoder):
    """A spelling is put right only to verify: the block's id is still that of the text as it came."""

    spell: Spell

    def check_signature(self, signature: Any) -> None:
        super().check_signature(type(self).spell(signature) if isinstance(signature, str) else signature)

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return super().signed(key, payload, type(self).spell(str(signature)), position)


def _right_key(key: str, spell: Spell) -> str:
    scheme, colon, text = key.partition(":")
    return scheme + colon + spell(text)


class _LenientKey(Decoder):
    spell: Spell

    def check_holder(self, key: str) -> None:
        super().check_holder(_right_key(key, type(self).spell))

    def signer(self, blocks: list[Block], position: int) -> str:
        return _right_key(super().signer(blocks, position), type(self).spell)

    def holder(self, blocks: list[Block]) -> str:
        return _right_key(super().holder(blocks), type(self).spell)


def _lenient_proofs(spell: Spell) -> type[Service]:
    class LenientProofs(Service):
        def proof_signed(self, proof: Proof, verb: str, target: str) -> bool:
            right = Proof(_right_key(proof.key, spell), proof.ts, spell(proof.sig))
            return super().proof_signed(right, verb, target)

        def holds(self, grant: Grant, key: str | None) -> bool:
            return super().holds(grant, _right_key(str(key), spell))

    return LenientProofs


def _with(base: type[Decoder], spell: Spell) -> type[Service]:
    return decoding(type(base.__name__, (base,), {"spell": staticmethod(spell)}))


TOTAL = "yea/6.1/respelt-grants-get-no-fresh-total"
for _name, (_what, _spell) in FORGIVEN.items():
    add(
        Fault(
            f"yea/tokens-forgive-{_name}",
            f"Reads a token in spite of {_what}.",
            ("yea/6.1/respelt-tokens-are-refused",),
            _with(_LenientToken, _spell),
        )
    )
    add(
        Fault(
            f"yea/block-signatures-forgive-{_name}",
            f"Verifies a block signature in spite of {_what}, and takes the spelling for another block.",
            ("yea/6.1/respelt-block-signatures-are-refused", TOTAL),
            _with(_LenientSignature, _spell),
        )
    )
    add(
        Fault(
            f"yea/grant-keys-forgive-{_name}",
            f"Takes a holder's key in spite of {_what}.",
            ("yea/6.1/respelt-keys-in-grants-are-refused",),
            _with(_LenientKey, _spell),
        )
    )
    add(
        Fault(
            f"yea/proofs-forgive-{_name}",
            f"Verifies a proof in spite of {_what}.",
            ("yea/6.1/misspelt-proofs-fail-a-read", "yea/6.1/misspelt-proofs-fail-a-commit"),
            _lenient_proofs(_spell),
        )
    )


def _fitted(text: str, size: int) -> str:
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return text
    return b64url.encode(data[:size])


class _AnyLength(Decoder):
    """Reads the first 32 bytes of a key and the first 64 of a signature."""

    def check_holder(self, key: str) -> None:
        super().check_holder(_right_key(key, lambda text: _fitted(text, 32)))

    def signer(self, blocks: list[Block], position: int) -> str:
        return _right_key(super().signer(blocks, position), lambda text: _fitted(text, 32))

    def holder(self, blocks: list[Block]) -> str:
        return _right_key(super().holder(blocks), lambda text: _fitted(text, 32))


class _Crashing(Decoder):
    """Takes a key of another length for a failure of its own."""

    def check_holder(self, key: str) -> None:
        if is_public_key(key):
            return
        raise ValueError("a key is 32 bytes long")


add(
    Fault(
        "yea/grant-keys-of-33-bytes-are-cut",
        "Takes the first 32 bytes of a holder's key.",
        ("yea/6.1/keys-of-another-length-are-refused",),
        decoding(_AnyLength),
    )
)
add(
    Fault(
        "yea/bad-grant-keys-are-internal",
        "Fails with internal on a holder that is no key.",
        (
            "yea/6.1/keys-of-another-length-are-refused",
            "yea/6.2/holders-that-are-no-keys-are-refused",
            "yea/6.1/respelt-keys-in-grants-are-refused",
        ),
        decoding(_Crashing),
    )
)


def _lenient_shapes(change: Callable[[Proof], Proof]) -> type[Service]:
    class LenientShapes(Service):
        def proof_signed(self, proof: Proof, verb: str, target: str) -> bool:
            return super().proof_signed(change(proof), verb, target)

        def holds(self, grant: Grant, key: str | None) -> bool:
            return super().holds(grant, change(Proof(str(key), 0, "")).key)

    return LenientShapes


def _scheme(key: str) -> str:
    return "ed25519:" + key.rpartition(":")[2]


for _name, _says, _change in (
    ("keys-need-no-scheme", "Takes a proof's key whatever its scheme.", lambda p: p._replace(key=_scheme(p.key))),
    (
        "keys-of-33-bytes-are-cut",
        "Takes the first 32 bytes of a proof's key.",
        lambda p: p._replace(key=_right_key(p.key, lambda text: _fitted(text, 32))),
    ),
    (
        "signatures-of-65-bytes-are-cut",
        "Takes the first 64 bytes of a proof's signature.",
        lambda p: p._replace(sig=_fitted(p.sig, 64)),
    ),
):
    add(
        Fault(
            f"yea/proof-{_name}",
            _says,
            ("yea/6.1/misspelt-proofs-fail-a-read",),
            _lenient_shapes(_change),
        )
    )


def _reduced(text: str) -> str:
    try:
        data = b64url.decode(text)
    except b64url.B64Error:
        return text
    return b64url.encode(data[:32] + (int.from_bytes(data[32:], "little") % ORDER).to_bytes(32, "little"))


add(
    Fault(
        "yea/second-block-signatures-verify",
        "Verifies a block's signature whose S is past the group's order.",
        ("yea/6.1/second-signatures-are-refused",),
        _with(_LenientSignature, _reduced),
        outcome="warned",
    )
)
add(
    Fault(
        "yea/second-proof-signatures-verify",
        "Verifies a proof's signature whose S is past the group's order.",
        ("yea/6.1/second-signatures-are-refused",),
        _lenient_shapes(lambda p: p._replace(sig=_reduced(p.sig))),
        outcome="warned",
    )
)
