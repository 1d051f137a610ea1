"""YEA 4.4: commits without their checks, in the wrong order, or for the wrong agent and principal."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import reshaped
from reference.yea import b64url
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Body, Frame, Reply, Request, Service, Steps
from reference.yea.service.capability import ApplyError
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord

RECEIPT = "yea/4.4/commit-gets-a-receipt"
EVENTS = "yea/4.4/events-may-precede-the-receipt"
HASH = "yea/4.4/hash-mismatch-conflicts"
HIDDEN = "yea/4.4/conflict-hides-the-hash"
EXPIRED = "yea/4.4/expired-proposal-is-refused"
BEFORE_CONSENT = "yea/4.4/expiry-comes-before-consent"
BEFORE_LIMITS = "yea/4.4/expiry-comes-before-limits"
RETRIED = "yea/4.4/failed-commit-may-be-retried"
AGENT = "yea/4.4/another-agent-is-forbidden"
PRINCIPAL = "yea/4.4/another-principal-is-forbidden"
ANONYMOUS = "yea/4.4/anonymous-proposal-is-never-committed"
PROVEN = "yea/4.4/proven-proposal-without-grants-has-no-principal"
AGENT_LIMITS = "yea/4.4/the-requester-comes-before-limits"
AGENT_CONSENT = "yea/4.4/the-requester-comes-before-consent"
PRINCIPAL_LIMITS = "yea/4.4/the-principal-comes-before-limits"


def _receipt(**changes: Any) -> type[Service]:
    def change(frame: Frame) -> None:
        receipt = frame.get("receipt")
        if isinstance(receipt, dict) and "undoes" not in receipt:
            frame["receipt"] = {**receipt, **changes}

    return reshaped(change, "RECEIPT")


add(
    Fault("yea/receipts-name-no-proposal", "Names another proposal in a receipt.", (RECEIPT,), _receipt(proposal="p_x"))
)
for _flag in ("replay", "auto"):

    def _flagged(frame: Frame, flag: str = _flag) -> None:
        frame[flag] = True

    _says = f"Says {_flag} on every RECEIPT."
    add(Fault(f"yea/every-receipt-says-{_flag}", _says, (RECEIPT,), reshaped(_flagged, "RECEIPT")))


@fault("yea/slow-commits-end-in-error", EVENTS)
class SlowEndInError(Service):
    """Answers a COMMIT that has sent EVENTs by an ERROR."""

    def event(self, request: Request, event: Any) -> Any:
        """Remember it."""
        request.goal = "told"
        return super().event(request, event)

    def commit(self, request: Request) -> Work:
        """Forget the receipt."""
        body = yield from super().commit(request)
        if request.goal == "told":
            raise YeaError("unavailable", "the connection to the kitchen was lost")
        return body


@fault("yea/hash-unchecked", HASH, HIDDEN, "yea/4.4/replay-needs-the-right-hash")
class HashUnchecked(Service):
    """Commits whatever hash is sent."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """Pass."""


@fault("yea/missing-hash-passes", HIDDEN)
class MissingHashPasses(Service):
    """Compares the hash only where one is sent."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """Look whether there is one."""
        if "hash" in request.frame:
            super().check_hash(record, request)


@fault("yea/wrong-hash-is-not-found", HASH, "yea/4.4/replay-needs-the-right-hash")
class WrongHashNotFound(Service):
    """Answers not_found to another hash."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """By another code."""
        try:
            super().check_hash(record, request)
        except YeaError:
            raise YeaError("not_found", "there is no such proposal with that hash") from None


@fault("yea/hash-by-its-end", HASH)
class HashByItsEnd(Service):
    """Compares the end of the hash alone."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """Its last characters."""
        if str(request.frame.get("hash"))[8:] != str(record.proposal["hash"])[8:]:
            super().check_hash(record, request)


def _telling(where: str) -> type[Service]:
    class Telling(Service):
        """Shows the right hash in a conflict."""

        right = ""

        def error_body(self, error: YeaError) -> Body:
            """Render it with what is known."""
            body, right = super().error_body(error), self.right
            self.right = ""
            return {**body, "lens": f"✗ conflict: the hash is {right}"} if right else body

        def check_hash(self, record: ProposalRecord, request: Request) -> None:
            """Say it."""
            try:
                super().check_hash(record, request)
            except YeaError as error:
                right = str(record.proposal["hash"])
                if where == "message":
                    raise YeaError("conflict", f"the hash is {right}") from None
                if where == "lens":
                    self.right = right
                    raise
                raise YeaError(
                    "conflict", error.message, fix=[{"say": "send it again", "params": {"hash": right}}]
                ) from None

    return Telling


for _where in ("message", "fix", "lens"):
    _says = f"Shows the right hash in the {_where} of a conflict."
    add(Fault(f"yea/conflict-tells-the-hash-in-its-{_where}", _says, (HIDDEN,), _telling(_where)))


def _in_part(show: Callable[[str], str]) -> type[Service]:
    class InPart(Service):
        """Shows the right hash in another way."""

        def check_hash(self, record: ProposalRecord, request: Request) -> None:
            """Say it like that."""
            try:
                super().check_hash(record, request)
            except YeaError:
                raise YeaError("conflict", f"expected {show(str(record.proposal['hash']))}") from None

    return InPart


for _id, _says, _show in (
    ("conflict-tells-how-the-hash-begins", "Shows the beginning of the right hash.", lambda right: right[:12] + "…"),
    (
        "conflict-tells-the-hash-in-hex",
        "Shows the right hash in hexadecimal.",
        lambda right: b64url.decode(right).hex(),
    ),
):
    add(Fault(f"yea/{_id}", _says, (HIDDEN,), _in_part(_show)))


@fault("yea/sub-agents-commit-for-their-agent", AGENT)
class SubAgents(Service):
    """Lets a sub-agent, to whom an agent delegated its grant, commit what that agent planned."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Look through the chain."""
        grants = [grant for grant in map(self.decode_grant, request.grants) if grant is not None]
        if not any(len(grant.caveats) > 1 and grant.issuer == record.principal for grant in grants):
            super().check_requester(record, request)


@fault("yea/conflict-tells-the-hash-after-the-commit", HIDDEN)
class TellsAfterwards(Service):
    """Shows the right hash in the conflict of a proposal that was committed."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """Say it when it is done."""
        try:
            super().check_hash(record, request)
        except YeaError:
            if record.state != "done":
                raise
            raise YeaError("conflict", f"this was committed as {record.proposal['hash']}") from None


@fault("yea/proposals-never-expire", EXPIRED, BEFORE_CONSENT, BEFORE_LIMITS)
class NeverExpire(Service):
    """Commits a proposal however late."""

    def check_expiry(self, record: ProposalRecord, request: Request) -> None:
        """Pass."""


@fault("yea/expired-proposals-are-not-found", EXPIRED, BEFORE_CONSENT, BEFORE_LIMITS)
class ExpiredNotFound(Service):
    """Answers not_found to a COMMIT of an expired proposal."""

    def check_expiry(self, record: ProposalRecord, request: Request) -> None:
        """By another code."""
        try:
            super().check_expiry(record, request)
        except YeaError:
            raise YeaError("not_found", "there is no such proposal") from None


@fault("yea/consent-before-expiry", BEFORE_CONSENT, BEFORE_LIMITS)
class ConsentBeforeExpiry(Service):
    """Asks for consent before it looks at the expiry."""

    def check_expiry(self, record: ProposalRecord, request: Request) -> None:
        """Not yet."""

    def authorize(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> Authorized:
        """Now."""
        authorized = super().authorize(record, request, grants)
        super().check_expiry(record, request)
        return authorized


@fault("yea/failed-commits-are-final", RETRIED, "yea/6.3/a-failed-commit-gives-its-total-back")
class FailedAreFinal(Service):
    """Answers a COMMIT that failed with the same ERROR again."""

    def __init__(self, **options: Any) -> None:
        """Nothing has failed yet."""
        super().__init__(**options)
        self._failed: dict[str, YeaError] = {}

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Remember failures."""
        name = str(record.proposal["id"])
        if name in self._failed:
            raise self._failed[name]
        try:
            return (yield from super().execute(record, request, authorized, auto=auto))
        except ApplyError as error:
            self._failed[name] = error
            raise


@fault("yea/retries-are-replays", RETRIED)
class RetriesAreReplays(Service):
    """Says replay on the receipt of a retry."""

    def __init__(self, **options: Any) -> None:
        """Nothing has failed yet."""
        super().__init__(**options)
        self._failed: set[str] = set()

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Remember failures."""
        name = str(record.proposal["id"])
        try:
            body = yield from super().execute(record, request, authorized, auto=auto)
        except ApplyError:
            self._failed.add(name)
            raise
        return {**body, "replay": True} if name in self._failed and isinstance(body, dict) else body


@fault("yea/requester-unchecked", AGENT, AGENT_CONSENT, "yea/4.4/replay-is-for-the-requester")
class RequesterUnchecked(Service):
    """Lets every agent commit a proposal."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Pass, if anybody at all asked for it."""
        if record.key is None:
            super().check_requester(record, request)


@fault("yea/other-agents-are-unauthorized", AGENT, AGENT_LIMITS, AGENT_CONSENT)
class OthersUnauthorized(Service):
    """Answers unauthorized to another agent."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """By another code."""
        try:
            super().check_requester(record, request)
        except YeaError:
            raise YeaError("unauthorized", "this is another agent's proposal") from None


@fault("yea/limits-before-the-requester", AGENT_LIMITS, AGENT_CONSENT)
class LimitsFirst(Service):
    """Asks for consent before it looks who asks."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Judge the grants first."""
        if record.state == "open":
            self.authorize(record, request, self.need_valid(request))
        super().check_requester(record, request)


@fault("yea/principal-unchecked", PRINCIPAL, PRINCIPAL_LIMITS)
class PrincipalUnchecked(Service):
    """Commits a proposal under a grant of any principal."""

    def check_principal(self, record: ProposalRecord, grants: list[Grant]) -> list[Grant]:
        """All of them."""
        return grants


@fault("yea/other-principals-are-unauthorized", PRINCIPAL, PRINCIPAL_LIMITS)
class OtherPrincipalsUnauthorized(Service):
    """Answers unauthorized under another principal's grant."""

    def check_principal(self, record: ProposalRecord, grants: list[Grant]) -> list[Grant]:
        """By another code."""
        try:
            return super().check_principal(record, grants)
        except YeaError:
            raise YeaError("unauthorized", "the grant is another principal's") from None


@fault("yea/limits-before-the-principal", PRINCIPAL_LIMITS)
class LimitsBeforePrincipal(Service):
    """Asks for consent before it looks for whom."""

    def check_principal(self, record: ProposalRecord, grants: list[Grant]) -> list[Grant]:
        """Ask as soon as a grant fails softly."""
        for grant in grants:
            context = self.context(
                Request({}, "", "COMMIT", 0.0, 0, [], {}, False, None, None),
                "COMMIT",
                str(record.proposal["capability"]),
                proposal=record.proposal,
                used=self.used(grant),
            )
            if self.evaluate(grant, context).soft:
                raise self.consent_error(record, grant, "a limit is exceeded")
        return super().check_principal(record, grants)


@fault("yea/anonymous-proposals-are-everybodys", ANONYMOUS)
class AnonymousEverybodys(Service):
    """Lets any agent commit what nobody in particular has asked for."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Pass for those."""
        if record.key is not None:
            super().check_requester(record, request)

    def check_consent(self, record: ProposalRecord, judged: Any) -> Authorized:
        """And for any principal."""
        if record.key is None and judged:
            return Authorized(judged[0].grant, judged[0].grant.issuer)
        return super().check_consent(record, judged)


@fault("yea/anonymous-proposals-need-consent", ANONYMOUS)
class AnonymousByConsent(Service):
    """Lets a consent commit what nobody in particular has asked for."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Pass for those."""
        if record.key is not None:
            super().check_requester(record, request)


@fault("yea/proofs-alone-bind-proposals", PROVEN, outcome="warned")
class ProofsAloneBind(Service):
    """Binds a proposal to a proof without grants, and commits it under any grant of that key."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Verify the proof, and take any trusted principal for the one."""
        if not request.grants and request.proof is not None:
            self.check_proof(request, self.proof_target(request, capability=capability))
            return None
        return super().acting_for(request, capability)

    def check_consent(self, record: ProposalRecord, judged: Any) -> Authorized:
        """Under any grant that would do."""
        for grant, verdict in judged:
            if verdict.decision == "ok":
                return Authorized(grant, grant.issuer)
        return super().check_consent(record, judged)


@fault("yea/failing-commits-get-no-reply", RETRIED)
class FailingGetNoReply(Service):
    """Answers nothing to a COMMIT that fails while it is executed."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Keep the ERROR back."""
        steps = super().handle(raw, now)
        try:
            step = next(steps)
            while True:
                if not (isinstance(step, Reply) and step.frame.get("code") == "unavailable"):
                    now = yield step
                step = steps.send(now)
        except StopIteration:
            return
        finally:
            steps.close()
