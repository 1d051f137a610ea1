"""Who a request acts for: proofs and grants (YEA 6.4, 6.5, 6.6)."""

from collections.abc import Mapping
from typing import NamedTuple

from reference.yea import proofs
from reference.yea.canonical import canonical
from reference.yea.caveats import CAVEATS, Context, Rule, Verdict, evaluate
from reference.yea.errors import YeaError
from reference.yea.grants import Grant, GrantError, decode
from reference.yea.service.core import Core
from reference.yea.service.reading import Proof, Request, shown
from reference.yea.types import Json

REMEMBERED_TOKENS = 1024
LONGEST_REMEMBERED = 8192
"""How many tokens are decoded once and then known, and the longest of them."""

NEEDED = 32
LONGEST_NEEDED = 1024
"""How many caveats a `need` lists, and the longest of them: a grant may hold as many and as long as it likes."""


class Judged(NamedTuple):
    """A valid grant and what its caveats say about the request."""

    grant: Grant
    verdict: Verdict


class Authority(Core):
    """Proofs, grants, and what they cover."""

    PROOF_WINDOW = proofs.PROOF_WINDOW
    """YEA 6.5: seconds that a proof's time may be off, either way."""

    CAVEATS: Mapping[str, Rule] = CAVEATS
    """The rules for caveats (YEA 6.3)."""

    REQUIRE_GRANTS = False
    """YEA 3: a service may require grants for ASK and INTENT."""

    # --- the proof -----------------------------------------------------------------------------

    def proof_target(self, request: Request, **names: str) -> str:
        """What the proof of this request must be over (the table of YEA 6.5).

        An INTENT with auto is bound to its frame id.
        """
        auto = request.auto and request.verb == "INTENT"
        return proofs.target(request.verb, auto=auto, frame_id=request.id, **names)

    def check_proof(self, request: Request, target: str) -> None:
        """Raises `unauthorized` unless the request's proof is there, timely and right (YEA 6.5)."""
        proof = request.proof
        if proof is None:
            say = f"sign a proof over {shown(target)} with the key that holds the grant"
            raise YeaError("unauthorized", "the request needs a proof", fix=[{"say": say}])
        if not self.proof_fresh(proof, request.now):
            raise YeaError("unauthorized", f"the time of the proof is more than {self.PROOF_WINDOW} s off")
        if not self.proof_signed(proof, request.verb, target):
            say = f"sign a proof over {shown(target)} for the audience {shown(self.id)}"
            raise YeaError("unauthorized", "the proof does not verify", fix=[{"say": say}])
        request.key = proof.key

    def proof_fresh(self, proof: Proof, now: float) -> bool:
        """YEA 6.5: a proof with |now − ts| > 300 is rejected."""
        return proofs.fresh(proof.ts, now, self.PROOF_WINDOW)

    def proof_signed(self, proof: Proof, verb: str, target: str) -> bool:
        """YEA 6.5: the signature is over this service, verb and target and the proof's ts."""
        return proofs.verify(dict(proof._asdict()), aud=self.audience(), verb=verb, target=target)

    def audience(self) -> str:
        """YEA 4.1, 6.5: proofs are bound to service.id."""
        return self.id

    # --- grants --------------------------------------------------------------------------------

    def check_presented(self, request: Request) -> None:
        """YEA 3: COMMIT and UNDO need grants. An empty list is none."""
        if not request.grants:
            raise YeaError("unauthorized", f"{request.verb} needs a grant of a principal, and none came with it")

    def valid_grants(self, request: Request) -> list[Grant]:
        """The presented grants that verify, whatever their caveats say, in their order (YEA 6.4, steps 1–5)."""
        grants = []
        for token in request.grants:
            grant = self.decode_grant(token)
            if grant is not None and self.trusts(grant) and self.holds(grant, request.key):
                grants.append(grant)
        return grants

    def need_valid(self, request: Request) -> list[Grant]:
        """The valid grants of a request that needs one. Raises `unauthorized` when there is none."""
        grants = self.valid_grants(request)
        if not grants:
            raise YeaError(
                "unauthorized",
                "none of the grants is a valid grant of a trusted principal to the key of the proof",
            )
        return grants

    def decode_grant(self, token: str) -> Grant | None:
        """The grant of a token, or None for one that is malformed or does not verify (YEA 6.2)."""
        known = self._tokens.get(token)
        if known is not None:
            return known
        try:
            grant = decode(token)
        except GrantError:
            return None
        if len(token) <= LONGEST_REMEMBERED:
            while len(self._tokens) >= REMEMBERED_TOKENS:
                del self._tokens[next(iter(self._tokens))]
            self._tokens[token] = grant
        return grant

    def trusts(self, grant: Grant) -> bool:
        """YEA 6.4: the root's issuer is a principal that the service trusts."""
        return grant.issuer in self.trusted

    def holds(self, grant: Grant, key: str | None) -> bool:
        """YEA 6.4: the holder of the grant is the key of the proof."""
        return grant.holder == key

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """What the caveats of a grant say (YEA 6.3)."""
        return evaluate(grant, context, table=self.CAVEATS)

    def context(
        self,
        request: Request,
        verb: str,
        capability: str,
        *,
        proposal: Mapping[str, Json] | None = None,
        used: Mapping[str, Mapping[str, Json]] | None = None,
    ) -> Context:
        """The request as caveats see it."""
        return Context(self.id, verb, capability, request.now, proposal, used or {})

    # --- ASK and INTENT ------------------------------------------------------------------------

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Whom an ASK or INTENT acts for: the issuer of the first grant that covers it, or None.

        YEA 3, 4.3.1, 6.6. A request with grants has a proof (raises `unauthorized`).
        """
        if not request.grants:
            if self.REQUIRE_GRANTS:
                self.check_presented(request)
            return None
        self.check_proof(request, self.proof_target(request, capability=capability))
        return self.principal_of(request, capability)

    def principal_of(self, request: Request, capability: str) -> str | None:
        """The issuer of the first valid grant that covers the request on its own, or None (YEA 4.3.1)."""
        context = self.context(request, request.verb, capability)
        grants = self.need_valid(request) if self.REQUIRE_GRANTS else self.valid_grants(request)
        judged = [Judged(grant, self.evaluate(grant, context)) for grant in grants]
        for grant, verdict in judged:
            if verdict.decision == "ok":
                return grant.issuer
        if self.REQUIRE_GRANTS:
            raise self.forbidden_error(judged)
        return None

    def forbidden_error(self, judged: list[Judged]) -> YeaError:
        """YEA 7: valid grants that do not cover the request; `need` lists the caveats that blocked it."""
        need: dict[str, Json] = {}
        for _, verdict in judged:
            for caveat in verdict.blocking[:NEEDED]:
                text = canonical(caveat)
                if len(text) <= LONGEST_NEEDED:
                    need[text] = caveat
        return YeaError("forbidden", "no valid grant covers this request", need=[*need.values()][:NEEDED])
