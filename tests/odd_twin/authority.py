"""Who may do what: proofs, grants, and the totals they count (YEA 6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from reference.yea import caveats, grants, proofs, quantities
from reference.yea.consent import is_consent
from reference.yea.grants import Grant, GrantError
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.settings import Settings

SIGN_FIX = {"say": "sign {aud, verb, target, ts} with the holder's key"}


@dataclass(frozen=True)
class Judged:
    """What one presented grant says about a request: `decision` is ok, soft, hard or invalid."""

    decision: str
    grant: Grant | None = None
    blocking: tuple[Any, ...] = ()

    @property
    def issuer(self) -> str:
        """The principal that signed the grant; empty for an invalid one."""
        return self.grant.issuer if self.grant else ""


INVALID = Judged("invalid")
IGNORING_LIMITS = {
    **caveats.CAVEATS,
    **{name: caveats.Rule(lambda _: True, lambda *_: "satisfied") for name in ("each", "total", "risk", "only")},
}
DECISIONS = {"ok": "ok", "consent_required": "soft", "forbidden": "hard"}


class Authority:
    """Verifies proofs and grants for one service.

    Args:
        service: the service's id.
        trusted: the principals' public keys.
        settings: how the open places are read.
    """

    def __init__(self, service: str, trusted: Sequence[str], settings: Settings) -> None:
        self.service, self.trusted, self.settings = service, frozenset(trusted), settings
        self.used: dict[str, dict[str, dict[str, Any]]] = {}

    def proved(self, frame: dict[str, Any], verb: str, target: str, now: float) -> str:
        """Return the key of the frame's proof; raises Refusal when it is missing, stale or wrong."""
        proof: Any = frame.get("proof")
        if not isinstance(proof, dict) or not proofs.is_proof(proof):
            raise Refusal("unauthorized", "a proof of possession is missing", fix=[SIGN_FIX])
        if not proofs.fresh(proof["ts"], now):
            raise Refusal("unauthorized", "the proof is more than 300 s off", fix=[SIGN_FIX])
        if not proofs.verify(proof, aud=self.service, verb=verb, target=target):
            raise Refusal("unauthorized", "the proof’s signature does not hold", fix=[SIGN_FIX])
        return str(proof["key"])

    def judge(
        self,
        tokens: Sequence[str],
        key: str,
        verb: str,
        capability: str,
        now: float,
        *,
        proposal: dict[str, Any] | None = None,
        waive_limits: bool = False,
    ) -> list[Judged]:
        """Return what each grant says, in the order presented."""
        context = caveats.Context(self.service, verb, capability, now, proposal, self.used)
        table = caveats.WITHOUT_LIMITS if waive_limits else caveats.CAVEATS
        if verb != "COMMIT" and self.settings.limits_bind_commit_only:
            table = IGNORING_LIMITS
        return [self._judge(token, key, context, table) for token in tokens]

    def _judge(self, token: str, key: str, context: caveats.Context, table: Any) -> Judged:
        try:
            grant = grants.decode(token)
        except GrantError:
            return INVALID
        if grant.issuer not in self.trusted or grant.holder != key:
            return INVALID
        verdict = caveats.evaluate(grant, context, table=table)
        return Judged(DECISIONS[verdict.decision], grant, verdict.blocking)

    def is_consent(self, grant: Grant, proposal: dict[str, Any]) -> bool:
        """Whether a grant is the consent to a proposal (YEA 4.4)."""
        return is_consent(
            grant,
            service=self.service,
            capability=proposal["capability"],
            hash=proposal["hash"],
            expires=proposal["expires"],
        )

    def reserve(self, grant: Grant, uses: dict[str, Any]) -> Callable[[], None]:
        """Count a proposal's quantities under every total of a grant; returns what takes them back (YEA 6.3)."""
        keys = [
            (block_id, str(total["of"]))
            for block_id, listed in zip(grant.block_ids, grant.caveats, strict=True)
            for caveat in listed
            for total in (_total(caveat),)
            if total.get("of") in uses
        ]
        if not self.settings.repeated_totals_count_twice:
            keys = list(dict.fromkeys(keys))
        for block_id, measure in keys:
            counted = self.used.setdefault(block_id, {})
            before = counted.get(measure, {"amount": 0})
            counted[measure] = quantities.add(before, uses[measure])

        def release() -> None:
            for block_id, measure in keys:
                counted = self.used[block_id]
                counted[measure] = _less(counted[measure], uses[measure])

        return release


def _total(caveat: Any) -> dict[str, Any]:
    """Return the limit of a total caveat, or nothing."""
    total: dict[str, Any] = caveat.get("total", {}) if isinstance(caveat, dict) else {}
    return total


def _less(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Return the exact difference of two quantities, at the scale 18."""
    return {**first, "amount": quantities.value(first) - quantities.value(second), "scale": quantities.MAX_SCALE}


def refuse(judged: Sequence[Judged], nothing: str = "no grant covers this request") -> Refusal:
    """Return the refusal when no grant will do: forbidden if one is valid and fails hard, else unauthorized."""
    hard = [item for item in judged if item.decision == "hard"]
    if not hard:
        return Refusal("unauthorized", "none of the grants is valid here")
    return Refusal("forbidden", nothing, need=[caveat for item in hard for caveat in item.blocking])
