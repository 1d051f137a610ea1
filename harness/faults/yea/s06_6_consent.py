"""YEA 6.6: several grants, and consents, read in the wrong way."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import reshaped
from reference.yea.caveats import Context, Verdict
from reference.yea.conformance import TEST_PRINCIPALS
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Frame, Request, Service
from reference.yea.service.authority import Judged
from reference.yea.service.executing import Authorized
from reference.yea.service.store import ProposalRecord

ENOUGH = "yea/6.6/one-authorizing-grant-is-enough"
SUM = "yea/6.6/grants-do-not-add-up"
SOFT = "yea/6.6/a-soft-failure-among-others-asks-for-consent"
SAYS = "yea/6.6/consent-required-says-what-to-sign"
LIMIT = "yea/6.6/consent-lifts-a-limit"
CEILING = "yea/6.6/consent-lifts-a-risk-ceiling"
FOREIGN = "yea/6.6/consent-of-another-principal-does-not-help"
OWN = "yea/6.6/consent-covers-its-own-proposal-only"
UNDO = "yea/6.6/consent-undoes-nothing"
INTENT = "yea/6.6/consent-authorizes-no-intent"
ENDS = "yea/6.6/consent-ends-with-the-proposal"
ONCE = "yea/6.6/consent-is-good-for-one-commit"
LATER = "yea/6.6/consent-lifts-nothing-for-later"
EACH = "yea/6.3/an-each-below-the-quantity-asks-for-consent"
TOTAL = "yea/6.3/a-total-below-the-quantity-asks-for-consent"


@fault("yea/only-the-first-grant-counts", ENOUGH, SOFT)
class OnlyTheFirst(Service):
    """Looks at the first grant of a COMMIT alone."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Drop the rest."""
        request.grants = request.grants[:1]
        return super().need_valid(request)


@fault("yea/only-the-last-grant-counts", ENOUGH, SOFT)
class OnlyTheLast(Service):
    """Looks at the last grant of a COMMIT alone."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Drop the rest."""
        request.grants = request.grants[-1:]
        return super().need_valid(request)


@fault("yea/one-bad-grant-spoils-the-rest", ENOUGH, SOFT)
class OneSpoils(Service):
    """Answers unauthorized when one of several grants does not verify."""

    def valid_grants(self, request: Request) -> list[Grant]:
        """All, or none."""
        grants = super().valid_grants(request)
        return grants if len(grants) == len(request.grants) else []


@fault("yea/four-grants-at-most", ENOUGH)
class FourAtMost(Service):
    """Reads four grants and no more."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Drop the rest."""
        request.grants = request.grants[:4]
        return super().need_valid(request)


@fault("yea/eight-grants-at-most", ENOUGH)
class EightAtMost(Service):
    """Reads eight grants and no more."""

    def need_valid(self, request: Request) -> list[Grant]:
        """Drop the rest."""
        request.grants = request.grants[:8]
        return super().need_valid(request)


@fault("yea/grants-add-up", SUM)
class AddUp(Service):
    """Takes a caveat for satisfied when it is in one of the grants."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Look at each kind of caveat over all grants."""
        failed = [
            {name for caveat in verdict.hard if isinstance(caveat, dict) for name in caveat} for _, verdict in judged
        ]
        if len(judged) > 1 and failed and not set.intersection(*failed):
            return Authorized(judged[0].grant, judged[0].grant.issuer)
        return super().check_limits(record, judged)


@fault("yea/forbidden-beats-consent", SOFT)
class ForbiddenBeatsConsent(Service):
    """Answers forbidden when one of several grants fails hard."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Look for those first."""
        if all(verdict.decision != "ok" for _, verdict in judged) and any(verdict.hard for _, verdict in judged):
            raise self.forbidden_error(judged)
        return super().check_limits(record, judged)


@fault("yea/limits-are-the-code-limit", SOFT, LIMIT, CEILING, SAYS)
class TheCodeLimit(Service):
    """Answers limit where it should ask for consent."""

    def consent_error(self, record: ProposalRecord, grant: Grant, reason: str) -> YeaError:
        """By another code."""
        return YeaError("limit", reason)


def _consent(name: str, change: Any) -> type[Service]:
    def changed(frame: Frame) -> Frame:
        consent = frame.get("consent")
        return {**frame, "consent": change(dict(consent))} if isinstance(consent, dict) else frame

    return reshaped(changed, "ERROR", codes=("consent_required",))


def _without(name: str) -> Any:
    return lambda consent: {key: value for key, value in consent.items() if key != name}


MEMBERS = ("proposal", "hash", "service", "capability", "principal", "summary", "expires")
for _name in MEMBERS:
    add(
        Fault(
            f"yea/consent-without-{_name}",
            f"Asks for consent without {_name}.",
            (SAYS,),
            _consent(_name, _without(_name)),
        )
    )
for _name, _value in {
    "proposal": "p_other",
    "hash": "A" * 43,
    "service": "other.naysayer.example",
    "capability": "other.naysayer",
    "principal": "ed25519:" + "A" * 43,
    "summary": "something harmless",
    "expires": 1_800_000_000,
}.items():
    add(
        Fault(
            f"yea/consent-with-another-{_name}",
            f"Asks for consent with a {_name} that is not the proposal's.",
            (SAYS,),
            _consent(_name, lambda consent, name=_name, value=_value: {**consent, name: value}),
        )
    )


add(
    Fault(
        "yea/consent-of-the-first-principal",
        "Asks the first principal that it trusts for every consent.",
        (SAYS,),
        _consent("principal", lambda consent: {**consent, "principal": TEST_PRINCIPALS[0]}),
    )
)


@fault("yea/consent-lifts-the-limit-for-good", LATER)
class LiftsForGood(Service):
    """Needs no further consent of a key for a capability once there was one."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """By memory, if a consent was needed."""
        lifted: set[Any] = self.__dict__.setdefault("lifted", set())
        named = (record.key, record.proposal["capability"])
        try:
            authorized = super().check_limits(record, judged)
        except YeaError as error:
            if error.code == "consent_required" and named in lifted:
                return Authorized(judged[0].grant, judged[0].grant.issuer)
            raise
        if self.consents(record, authorized.grant):
            lifted.add(named)
        return authorized


@fault("yea/consent-is-asked-for-once", LATER)
class AskedForOnce(Service):
    """Takes a second attempt after consent_required for a consent."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Ask once."""
        asked: set[Any] = self.__dict__.setdefault("asked", set())
        try:
            return super().check_limits(record, judged)
        except YeaError as error:
            if error.code == "consent_required" and record.proposal["id"] in asked:
                return Authorized(judged[0].grant, judged[0].grant.issuer)
            asked.add(record.proposal["id"])
            raise


@fault("yea/only-lifts-limits", EACH, TOTAL)
class OnlyLiftsLimits(Service):
    """Takes any grant with the proposal's hash in only for a consent."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Forget what failed softly."""
        verdict = super().evaluate(grant, context)
        only = any(isinstance(c, dict) and "only" in c for caveats in grant.caveats for c in caveats)
        return Verdict() if only and not verdict.hard else verdict


@fault("yea/consent-lifts-nothing", LIMIT, CEILING, OWN)
class LiftsNothing(Service):
    """Takes no grant with only for a COMMIT."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Only fails, whatever it holds."""
        verdict = super().evaluate(grant, context)
        held = tuple(
            caveat for level in grant.caveats for caveat in level if isinstance(caveat, dict) and "only" in caveat
        )
        return Verdict((*verdict.hard, *held), verdict.soft) if context.verb == "COMMIT" else verdict


@fault("yea/consent-stands-alone", LIMIT, CEILING)
class StandsAlone(Service):
    """Takes a consent only when no other grant comes with it."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Ask again when one does."""
        for grant, verdict in judged:
            if verdict.decision == "consent_required":
                raise self.consent_error(record, grant, "a limit is exceeded")
        return super().check_limits(record, judged)


@fault("yea/any-principal-consents", FOREIGN, "yea/4.4/another-principal-is-forbidden")
class AnyPrincipal(Service):
    """Takes the grant of another principal for this very hash."""

    def check_principal(self, record: ProposalRecord, grants: list[Grant]) -> list[Grant]:
        """Let those pass that name the hash."""
        named = [
            grant for grant in grants if any({"only": record.proposal["hash"]} in level for level in grant.caveats)
        ]
        return named or super().check_principal(record, grants)


@fault("yea/consent-covers-the-capability", OWN)
class CoversCapability(Service):
    """Takes a consent for every proposal of its capability."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Only never fails."""
        verdict = super().evaluate(grant, context)
        return Verdict(tuple(c for c in verdict.hard if not (isinstance(c, dict) and "only" in c)), verdict.soft)


def _blanket(*verbs: str) -> type[Service]:
    class Blanket(Service):
        """Takes a consent for other verbs too."""

        def evaluate(self, grant: Grant, context: Context) -> Verdict:
            """Verbs never fail for them."""
            verdict = super().evaluate(grant, context)
            hard = tuple(c for c in verdict.hard if not (isinstance(c, dict) and "verbs" in c))
            return Verdict(hard, verdict.soft) if context.verb in verbs else verdict

    return Blanket


add(Fault("yea/consent-undoes", "Takes a consent for an UNDO.", (UNDO,), _blanket("UNDO")))
add(Fault("yea/consent-plans", "Takes a consent for an INTENT.", (INTENT,), _blanket("INTENT")))


@fault("yea/consent-outlives-the-proposal", ENDS, "yea/4.4/expired-proposal-is-refused")
class OutlivesTheProposal(Service):
    """Commits a proposal that has expired, under whatever grant."""

    def check_expiry(self, record: ProposalRecord, request: Request) -> None:
        """Nothing expires."""

    def evaluate(self, grant: Grant, context: Context) -> Verdict:
        """Nor does a grant."""
        verdict = super().evaluate(grant, context)
        return Verdict(tuple(c for c in verdict.hard if not (isinstance(c, dict) and "exp" in c)), verdict.soft)


@fault("yea/consent-commits-again", ONCE)
class CommitsAgain(Service):
    """Commits a proposal anew for each COMMIT with a consent."""

    def find_proposal(self, name: str | None) -> ProposalRecord:
        """Forget that it was committed when a consent is on the way."""
        record = super().find_proposal(name)
        if record.state == "done" and self._consented:
            return self.update_proposal(record, state="open", acting=None, receipt=None)
        return record

    _consented = False

    def commit(self, request: Request) -> Any:
        """See whether a consent came with the request."""
        grants = [self.decode_grant(token) for token in request.grants]
        self._consented = any(g is not None and any("only" in str(level) for level in g.caveats) for g in grants)
        try:
            return (yield from super().commit(request))
        finally:
            self._consented = False


@fault("yea/consent-needs-company", LIMIT, CEILING)
class NeedsCompany(Service):
    """Takes a consent only where another grant comes with it."""

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Count the grants."""
        if len(judged) == 1 and self.consents(record, judged[0].grant):
            raise self.forbidden_error(judged)
        return super().check_limits(record, judged)
