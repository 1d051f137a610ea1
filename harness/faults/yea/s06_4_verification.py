"""YEA 6.4: one step of the verification left out, or taken in the wrong order."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.granting import Block, Decoder, Granting, decoding
from reference.yea import grants
from reference.yea.errors import YeaError
from reference.yea.grants import Grant, GrantError
from reference.yea.service import Request, Service
from reference.yea.service.authority import Judged

PREFIX = "yea/6.4/tokens-begin-with-pg1"
ROOT = "yea/6.4/a-wrong-root-signature-is-refused"
LATER = "yea/6.4/a-wrong-later-signature-is-refused"
CHAIN = "yea/6.4/blocks-stay-in-their-chain"
HOLDER = "yea/6.4/the-holder-is-the-proofs-key"
FIRST = "yea/6.4/verification-comes-before-caveats"


class _AnyPrefix(Decoder):
    def body(self, token: str) -> str:
        return token.rpartition(".")[2]


class _AnyCase(Decoder):
    def body(self, token: str) -> str:
        return super().body(token[:4].lower() + token[4:])


class _NoPrefix(Decoder):
    def body(self, token: str) -> str:
        return token.removeprefix(grants.PREFIX)


class _NoRootSignature(Decoder):
    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return position == 0 or super().signed(key, payload, signature, position)


class _NoLaterSignature(Decoder):
    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return position > 0 or super().signed(key, payload, signature, position)


class _FirstTwoSignatures(Decoder):
    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        return position > 1 or super().signed(key, payload, signature, position)


class _NoSignedCaveats(Decoder):
    """Reads the caveats, and verifies whatever was signed without the last of them."""

    def signed(self, key: str, payload: Block, signature: Any, position: int) -> bool:
        shorter = {**payload, "caveats": payload["caveats"][:-1]}
        return super().signed(key, payload, signature, position) or super().signed(key, shorter, signature, position)


class _NoPrev(Decoder):
    def follows(self, payload: Block, before: Block) -> bool:
        return True


class _AnyCasePrev(Decoder):
    def follows(self, payload: Block, before: Block) -> bool:
        own = grants.block_id(str(before.get("s")))
        return str(payload.get("prev")).lower() == own.lower()


# (id, what is wrong, what it is killed by, the decoder).
DECODERS: tuple[tuple[str, str, tuple[str, ...], type[Decoder]], ...] = (
    ("any-prefix", "Reads a token whatever stands before its last full stop.", (PREFIX,), _AnyPrefix),
    ("prefix-in-any-letters", "Reads a token whose prefix is in capitals.", (PREFIX,), _AnyCase),
    ("no-prefix", "Reads a token without its prefix.", (PREFIX,), _NoPrefix),
    ("root-signatures-unchecked", "Does not verify the signature of the root.", (ROOT,), _NoRootSignature),
    ("later-signatures-unchecked", "Does not verify signatures after the root's.", (LATER,), _NoLaterSignature),
    ("third-signatures-unchecked", "Does not verify signatures after the second.", (LATER,), _FirstTwoSignatures),
    (
        "last-caveats-unsigned",
        "Verifies a block as if its last caveat were not there.",
        (ROOT, LATER),
        _NoSignedCaveats,
    ),
    ("prev-unchecked", "Does not compare prev.", (CHAIN, "yea/6.2/prev-is-the-hash-of-the-signature-text"), _NoPrev),
    ("prev-in-any-letters", "Compares prev without regard to capitals.", (CHAIN,), _AnyCasePrev),
)
for _id, _says, _kills, _decoder in DECODERS:
    add(Fault(f"yea/grants-{_id}", _says, _kills, decoding(_decoder)))


@fault("yea/everybody-is-trusted", "yea/6.4/an-untrusted-issuer-is-unauthorized")
class EverybodyTrusted(Service):
    """Trusts every principal."""

    def trusts(self, grant: Grant) -> bool:
        """Yes."""
        return True


@fault(
    "yea/strangers-stand-in-for-principals",
    "yea/6.4/an-untrusted-issuer-is-refused",
    "yea/6.4/an-untrusted-issuer-is-unauthorized",
)
class StrangersStandIn(Service):
    """Takes whoever issued a grant for the proposal's principal."""

    def trusts(self, grant: Grant) -> bool:
        """Yes."""
        return True

    def granted_by(self, principal: str, grants: list[Grant]) -> list[Grant]:
        """All of them."""
        return grants


@fault("yea/untrusted-is-forbidden", "yea/6.4/an-untrusted-issuer-is-unauthorized")
class UntrustedIsForbidden(Service):
    """Answers forbidden under a grant of a principal that nobody trusts."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Look at the trust apart."""
        decoded = [self.decode_grant(token) for token in request.grants]
        if any(grant is not None and not self.trusts(grant) for grant in decoded):
            raise YeaError("forbidden", "the principal is not known here")
        return super().need_valid(request)


@fault("yea/holders-unchecked", HOLDER, FIRST)
class AnyHolder(Service):
    """Takes a grant whoever holds it."""

    def holds(self, grant: Grant, key: str | None) -> bool:
        """Yes."""
        return True


@fault("yea/roots-are-everybodys", HOLDER)
class AnyRoot(Service):
    """Takes a grant of one block whoever holds it."""

    def holds(self, grant: Grant, key: str | None) -> bool:
        """Yes for a root."""
        return len(grant.blocks) == 1 or super().holds(grant, key)


@fault("yea/caveats-before-signatures", FIRST)
class CaveatsFirst(Granting):
    """Judges the caveats of a grant before it verifies it."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Refuse grants that would not cover the request."""
        for token in request.grants:
            unverified = self._unverified(token)
            context = self.context(request, request.verb, "", proposal={"hash": request.frame.get("hash")})
            if unverified is not None and self._times_fail(unverified, context):
                raise YeaError("forbidden", "a caveat of the grant is not satisfied")
        return super().need_valid(request)

    def _times_fail(self, grant: Grant, context: Any) -> bool:
        hard = self.evaluate(grant, context).hard
        return any(isinstance(caveat, dict) and ("exp" in caveat or "svc" in caveat) for caveat in hard)

    def _unverified(self, token: str) -> Grant | None:
        class Unverified(Decoder):
            def check_link(self, blocks: list[Block], position: int) -> None:
                return

        try:
            return Unverified().decode(token)
        except GrantError:
            return None


@fault(
    "yea/uncovered-is-unauthorized",
    "yea/6.4/caveats-that-do-not-cover-are-forbidden",
    "yea/6.3/unsatisfied-caveats-are-forbidden",
    "yea/7/unknown-caveats-forbid-an-undo",
)
class UncoveredIsUnauthorized(Service):
    """Answers unauthorized where a valid grant does not cover the request."""

    def forbidden_error(self, judged: list[Judged]) -> YeaError:
        """Say so."""
        return YeaError("unauthorized", "the grant does not cover this request")


@fault("yea/undo-takes-any-grant", "yea/7/invalid-grants-are-unauthorized-on-undo")
class UndoTakesAnyGrant(Granting):
    """Verifies no signatures for an UNDO."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Decode without verifying."""
        if request.verb != "UNDO":
            return super().need_valid(request)

        class Unverified(Decoder):
            def check_link(self, blocks: list[Block], position: int) -> None:
                return

        kept, self.DECODER = self.DECODER, Unverified()
        try:
            return super().need_valid(request)
        finally:
            self.DECODER = kept


@fault(
    "yea/undo-judges-no-caveats",
    "yea/7/unknown-caveats-forbid-an-undo",
    "yea/6.4/caveats-that-do-not-cover-are-forbidden",
    "yea/6.3/can-on-undo-is-the-receipts-capability",
    "yea/6.6/consent-undoes-nothing",
)
class UndoJudgesNothing(Service):
    """Carries out an UNDO under any valid grant of the principal."""

    def undo_grants(self, record: Any, grants: list[Grant]) -> list[Grant]:
        """Those of the principal, without their caveats."""
        own = super().undo_grants(record, grants)
        return [Grant(g.blocks, g.issuer, g.holder, g.block_ids, tuple(() for _ in g.caveats)) for g in own]
