"""Faults of auto-commit: its conditions, its proof, and what is executed (YEA 4.3.1)."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import is_event, kept_back
from reference.yea.caveats import CAVEATS, Context, Outcome, Rule, evaluate
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.proposals import RISKS
from reference.yea.service import Body, Intent, Pause, Reply, Request, Service, Steps
from reference.yea.service.authority import Judged
from reference.yea.service.capability import Plan
from reference.yea.service.executing import Authorized
from reference.yea.service.limits import Reservation
from reference.yea.service.steps import Event, Work
from reference.yea.service.store import ProposalRecord
from reference.yea.types import Json

ONE_TRIP = "yea/4.3.1/auto-commits-in-one-round-trip"
TWO_PRINCIPALS = "yea/4.3.1/commit-grant-is-the-principals"
FIRST_GRANT = "yea/4.3.1/first-grant-names-the-principal"


@fault("yea/auto-is-ignored", ONE_TRIP)
class AutoIgnored(Service):
    """Never commits an auto INTENT."""

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        return None


@fault("yea/auto-is-not-said", ONE_TRIP)
class AutoNotSaid(Service):
    """Leaves auto out of the reply to an auto-commit."""

    def receipt_body(self, receipt: dict[str, Json], *, replay: bool = False, auto: bool = False) -> Body:
        return super().receipt_body(receipt, replay=replay)


@fault("yea/auto-is-said-inside", ONE_TRIP)
class AutoInside(Service):
    """Puts auto into the receipt and not beside it."""

    def receipt_body(self, receipt: dict[str, Json], *, replay: bool = False, auto: bool = False) -> Body:
        return super().receipt_body({**receipt, "auto": True} if auto else receipt, replay=replay)


@fault("yea/auto-receipt-has-no-undo", "yea/4.3.1/auto-receipt-can-be-undone")
class AutoWithoutUndo(Service):
    """Gives an auto-committed receipt no undo window."""

    def receipt(self, record: ProposalRecord, request: Request, result: Json) -> dict[str, Json]:
        receipt = super().receipt(record, request, result)
        return {**receipt, "undo": None} if request.auto else receipt


@fault("yea/auto-is-refused", "yea/4.3.1/any-intent-may-carry-auto", outcome="warned")
class AutoRefused(Service):
    """Refuses auto on one capability."""

    def intent(self, request: Request) -> Work:
        if request.auto and request.frame.get("capability") == "shop.tip":
            raise YeaError("invalid_params", "auto is not for tips")
        return (yield from super().intent(request))


# --- condition 1: which grants authorize -------------------------------------------------------


@fault("yea/auto-without-a-principal", "yea/4.3.1/intent-must-be-authorized")
class AutoWithoutPrincipal(Service):
    """Commits an auto INTENT that no grant authorized, when one authorizes the COMMIT."""

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        if record.principal is not None:
            return super().auto_conditions(request, record)
        for grant in self.valid_grants(request):
            if self.evaluate(grant, self.commit_context(record, request, grant)).decision == "ok":
                return Authorized(grant, grant.issuer)
        return None


@fault("yea/auto-needs-no-commit-grant", "yea/4.3.1/commit-must-be-authorized")
class AutoNeedsNoCommitGrant(Service):
    """Takes the grant for the INTENT as one for the COMMIT."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        own = [grant for grant in self.valid_grants(request) if grant.issuer == record.principal]
        return Authorized(own[0], own[0].issuer) if own else None


@fault("yea/auto-wants-one-grant-for-both", "yea/4.3.1/two-grants-of-one-principal-will-do")
class AutoWantsOneGrant(Service):
    """Commits an auto INTENT only if the grant for the INTENT authorizes the COMMIT as well."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        found = super().auto_authorized(request, record)
        plain = self.context(request, "INTENT", str(record.proposal["capability"]))
        return found if found and self.evaluate(found.grant, plain).decision == "ok" else None


@fault("yea/auto-under-anybodys-grant", TWO_PRINCIPALS)
class AutoUnderAnybodysGrant(Service):
    """Commits an auto INTENT under another principal's grant."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        for grant in self.valid_grants(request):
            if self.evaluate(grant, self.commit_context(record, request, grant)).decision == "ok":
                return Authorized(grant, grant.issuer)
        return None


@fault("yea/auto-stops-at-another-principal", TWO_PRINCIPALS)
class AutoStops(Service):
    """Stops looking for a grant at the first one of another principal."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        for grant in self.valid_grants(request):
            if grant.issuer != record.principal:
                return None
            if self.evaluate(grant, self.commit_context(record, request, grant)).decision == "ok":
                return Authorized(grant, grant.issuer)
        return None


@fault("yea/last-grant-names-the-principal", FIRST_GRANT)
class LastGrant(Service):
    """Takes the last grant that covers an INTENT for its principal's."""

    def principal_of(self, request: Request, capability: str) -> str | None:
        context = self.context(request, request.verb, capability)
        judged = [Judged(grant, self.evaluate(grant, context)) for grant in self.valid_grants(request)]
        return next((g.issuer for g, verdict in reversed(judged) if verdict.decision == "ok"), None)


@fault("yea/idle-grant-names-the-principal", FIRST_GRANT)
class IdleGrant(Service):
    """Takes the first grant for the principal's, whether or not it covers the INTENT."""

    def principal_of(self, request: Request, capability: str) -> str | None:
        valid = self.valid_grants(request)
        return valid[0].issuer if valid else None


# --- condition 1: limits and risk --------------------------------------------------------------


def _satisfied(value: Any, context: Context, block_id: str) -> Outcome:
    return "satisfied"


def _ignoring(name: str) -> type[Service]:
    table: Mapping[str, Rule] = {**CAVEATS, name: Rule(lambda value: True, _satisfied)}

    class Ignoring(Service):
        def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
            for grant in self.valid_grants(request):
                context = self.commit_context(record, request, grant)
                if grant.issuer == record.principal and evaluate(grant, context, table=table).decision == "ok":
                    return Authorized(grant, grant.issuer)
            return None

    return Ignoring


STOPS = {
    "each": "yea/4.3.1/each-limit-stops-auto",
    "total": "yea/4.3.1/total-limit-stops-auto",
    "risk": "yea/4.3.1/risk-ceiling-stops-auto",
}
for _name, _check in STOPS.items():
    add(Fault(f"yea/auto-ignores-{_name}", f"Auto-commits whatever `{_name}` says.", (_check,), _ignoring(_name)))


@fault("yea/auto-asks-for-consent", *STOPS.values())
class AutoAsksForConsent(Service):
    """Answers an auto INTENT over a limit by consent_required and not by PROPOSALS."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        found = super().auto_authorized(request, record)
        soft = [grant for grant in self.valid_grants(request) if self._is_soft(record, request, grant)]
        if found is None and soft:
            raise self.consent_error(record, soft[0], "a limit is passed")
        return found

    def _is_soft(self, record: ProposalRecord, request: Request, grant: Grant) -> bool:
        return self.evaluate(grant, self.commit_context(record, request, grant)).decision == "consent_required"


@fault("yea/auto-reserves-late", "yea/4.3.1/auto-totals-are-atomic")
class AutoReservesLate(Service):
    """Reserves an auto-commit's quantities a moment after they were checked."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        if auto:
            request.now = yield Pause(0.05)
        return (yield from super().execute(record, request, authorized, auto=auto))


# --- condition 2, and the reply when a condition fails -----------------------------------------


@fault("yea/auto-commits-the-irreversible", "yea/4.3.1/irreversible-stops-auto")
class AutoIrreversible(Service):
    """Auto-commits what cannot be undone."""

    def auto_undoable(self, record: ProposalRecord) -> bool:
        return True


@fault("yea/refused-auto-says-auto", "yea/4.3.1/refused-auto-answers-as-without")
class RefusedAutoSaysAuto(Service):
    """Says auto true on PROPOSALS too."""

    def plan_or_commit(self, request: Request, capability: Intent, principal: str | None, name: str | None) -> Work:
        body = yield from super().plan_or_commit(request, capability, principal, name)
        return {**body, "auto": True} if request.auto and isinstance(body, dict) else body


@fault("yea/refused-auto-offers-one", "yea/4.3.1/refused-auto-answers-as-without")
class RefusedAutoOffersOne(Service):
    """Offers only the first proposal when an auto INTENT is not committed."""

    def plan_or_commit(self, request: Request, capability: Intent, principal: str | None, name: str | None) -> Work:
        body = yield from super().plan_or_commit(request, capability, principal, name)
        proposals = body.get("proposals") if isinstance(body, dict) else None
        if request.auto and isinstance(proposals, list):
            return {"kind": "PROPOSALS", "proposals": proposals[:1]}
        return body


# --- which proposal ----------------------------------------------------------------------------


@fault(
    "yea/auto-picks-the-safest",
    "yea/4.3.1/only-the-first-proposal-counts",
    "yea/4.3.1/first-proposal-is-executed",
)
class AutoPicksTheSafest(Service):
    """Auto-commits the proposal of the lowest risk and not the first."""

    def auto_choice(self, records: list[ProposalRecord]) -> ProposalRecord:
        return min(records, key=lambda record: RISKS.index(str(record.proposal["risk"])))


@fault("yea/auto-executes-all", "yea/4.3.1/first-proposal-is-executed")
class AutoExecutesAll(Service):
    """Applies every proposal of an auto INTENT."""

    def plan_or_commit(self, request: Request, capability: Intent, principal: str | None, name: str | None) -> Work:
        body = yield from super().plan_or_commit(request, capability, principal, name)
        if request.auto and isinstance(body, dict) and body["kind"] == "RECEIPT":
            for record in [r for _, r in self.store.proposals.items() if self._beside(r, body)]:
                authorized = self.auto_authorized(request, record)
                if authorized is not None:
                    yield from self.execute(record, request, authorized)
        return body

    def _beside(self, record: ProposalRecord, body: Body) -> bool:
        receipt = body["receipt"]
        effects = receipt.get("effects") if isinstance(receipt, dict) else None
        return record.receipt is None and record.proposal["effects"] == effects


# --- the proof ---------------------------------------------------------------------------------

# Targets that are accepted beside the right one: (id, what is wrong, the target, the check that sees it).
LAX_TARGETS: tuple[tuple[str, str, str, str], ...] = (
    ("the-capability", "Takes a proof over the capability for an auto INTENT.", "{capability}", "auto-proof-target"),
    ("the-frame-id", "Takes a proof over the frame id for an auto INTENT.", "{id}", "auto-proof-target"),
    ("no-frame-id", "Takes an auto proof without a frame id.", "auto:{capability}", "auto-proof-target"),
    ("any-capability", "Takes an auto proof for another capability.", "auto:naysayer.other:{id}", "auto-proof-target"),
    ("any-frame-id", "Takes an auto proof for another frame id.", "auto:{capability}:{id}x", "auto-proof-target"),
)


def _lax(target: str) -> type[Service]:
    class Lax(Service):
        def check_proof(self, request: Request, right: str) -> None:
            try:
                super().check_proof(request, right)
            except YeaError:
                if not request.auto:
                    raise
                capability = str(request.frame.get("capability"))
                super().check_proof(request, target.format(capability=capability, id=request.id))

    return Lax


for _name, _says, _target, _check in LAX_TARGETS:
    add(Fault(f"yea/auto-proof-over-{_name}", _says, (f"yea/4.3.1/{_check}",), _lax(_target)))


@fault("yea/auto-proof-without-auto", "yea/4.3.1/auto-proof-is-for-auto-only")
class AutoProofWithoutAuto(Service):
    """Takes an auto proof for a plain INTENT."""

    def check_proof(self, request: Request, target: str) -> None:
        try:
            super().check_proof(request, target)
        except YeaError:
            if request.verb != "INTENT" or request.auto:
                raise
            super().check_proof(request, f"auto:{target}:{request.id}")


@fault("yea/auto-needs-grants", "yea/4.3.1/auto-without-grants-is-plain")
class AutoNeedsGrants(Service):
    """Refuses an auto INTENT without grants."""

    def intent(self, request: Request) -> Work:
        if request.auto:
            self.check_presented(request)
        return (yield from super().intent(request))


@fault("yea/auto-recalls-unproved", "yea/4.3.1/auto-without-grants-is-plain")
class AutoRecallsUnproved(Service):
    """Gives the remembered reply to whoever names its key in a proof, verified or not."""

    def auto_name(self, request: Request) -> str | None:
        return f"{request.proof.key} {request.id}" if request.auto and request.proof is not None else None


@fault("yea/auto-recalls-before-the-proof", "yea/4.3.1/forged-repeat-gets-nothing")
class AutoRecallsFirst(Service):
    """Looks a repeat up before it checks the proof."""

    def intent(self, request: Request) -> Work:
        if request.auto and request.proof is not None:
            known = self.recall_auto(f"{request.proof.key} {request.id}", request)
            if known is not None and known.body is not None:
                return self.repeat_auto(request, known.body)
        return (yield from super().intent(request))


@fault("yea/autos-are-never-charged", "yea/4.3.1/total-limit-stops-auto", "yea/4.3.1/auto-totals-are-atomic")
class AutosUncharged(Service):
    """Judges an auto-commit by its totals, and charges it to none."""

    free = False

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        self.free = auto
        return (yield from super().execute(record, request, authorized, auto=auto))

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        return [] if self.free else super().reserve(grant, uses)


@fault("yea/auto-needs-uses-under-a-limit", "yea/5.1/nothing-used-passes-every-limit")
class AutoNeedsUses(Service):
    """Auto-commits a proposal without uses under no grant with a limit."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        found = super().auto_authorized(request, record)
        limited = found is not None and any(
            isinstance(caveat, dict) and {"each", "total"} & caveat.keys()
            for block in found.grant.caveats
            for caveat in block
        )
        return None if limited and not record.proposal.get("uses") else found


@fault(
    "yea/auto-commits-a-window-of-0",
    "yea/4.3.1/irreversible-stops-auto",
    "yea/5.1/irreversible-has-undo-null",
    "yea/5.1/undo-is-null-or-a-window",
    traffic="yea/5.1/irreversible-has-undo-null",
)
class AutoWindowOfZero(Service):
    """Says a window of 0 where an action cannot be undone, and auto-commits it."""

    def undo_of(self, plan: Plan) -> Json:
        return {"window": plan.undo or 0}

    def auto_undoable(self, record: ProposalRecord) -> bool:
        return isinstance(record.proposal["undo"], dict)


@fault("yea/auto-receipt-comes-before-the-events", "yea/4.3.1/auto-events-come-before-the-receipt")
class AutoReceiptFirst(Service):
    """Sends the EVENTs of an auto-commit after its RECEIPT."""

    def handle(self, raw: bytes, now: float) -> Steps:
        return kept_back(super().handle(raw, now), now, is_event, lambda reply: reply.frame.get("auto") is True)


@fault("yea/auto-is-forgotten-after-events", "yea/4.3.1/auto-events-come-before-the-receipt")
class AutoForgotten(Service):
    """Leaves auto out of the RECEIPT of an auto-commit that has sent EVENTs."""

    def event(self, request: Request, event: Event) -> Iterator[Reply]:
        request.goal = "told"
        return super().event(request, event)

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        body = yield from super().execute(record, request, authorized, auto=auto)
        if request.goal == "told" and isinstance(body, dict):
            return {name: value for name, value in body.items() if name != "auto"}
        return body
