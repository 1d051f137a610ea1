"""YEA 4.4: replays that execute again, show too much or stop too early, and commits that happen twice at once."""

from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import reshaped
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Body, Frame, Pause, Request, Service
from reference.yea.service.capability import Call
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work
from reference.yea.service.store import OPEN, ProposalRecord

ORIGINAL = "yea/4.4/replay-returns-the-original-receipt"
AUTHORITY = "yea/4.4/replay-needs-grants-and-proof"
REQUESTER = "yea/4.4/replay-is-for-the-requester"
PRINCIPAL = "yea/4.4/replay-is-for-the-principal"
CAVEATS = "yea/4.4/replay-needs-the-other-caveats"
HASH = "yea/4.4/replay-needs-the-right-hash"
LIMITS = "yea/4.4/replay-ignores-limits"
RISK = "yea/4.4/replay-ignores-the-risk-ceiling"
EXPIRY = "yea/4.4/replay-works-after-expiry"
CONSENT = "yea/4.4/replay-needs-no-second-consent"
DRAFT = "yea/4.4/its-replay-is-for-that-principal"
ONCE = "yea/4.4/simultaneous-commits-execute-once"
SLOW = "yea/4.4/simultaneous-slow-commits-execute-once"
CHARGED = "yea/4.4/simultaneous-commits-are-charged-once"


@fault("yea/replays-do-not-say-so", ORIGINAL)
class Silent(Service):
    """Answers a repeat with the receipt alone."""

    def receipt_body(self, receipt: dict[str, Any], *, replay: bool = False, auto: bool = False) -> Body:
        """Without replay."""
        return super().receipt_body(receipt, auto=auto)


@fault("yea/replays-say-so-in-the-receipt", ORIGINAL)
class InTheReceipt(Service):
    """Puts replay into the receipt."""

    def receipt_body(self, receipt: dict[str, Any], *, replay: bool = False, auto: bool = False) -> Body:
        """Inside."""
        shown = {**receipt, "replay": True} if replay else receipt
        return super().receipt_body(shown, auto=auto)


def _replayed(**changes: Any) -> type[Service]:
    def change(frame: Frame) -> None:
        receipt = frame.get("receipt")
        if frame.get("replay") is True and isinstance(receipt, dict):
            frame["receipt"] = {**receipt, **changes}

    return reshaped(change, "RECEIPT")


for _name, _value in {
    "id": "r_again",
    "at": 1_790_009_999,
    "effects": [],
    "undo": None,
    "result": {"again": 1},
}.items():
    _says = f"Answers a repeat with another {_name} in the receipt."
    add(Fault(f"yea/replays-with-another-{_name}", _says, (ORIGINAL,), _replayed(**{_name: _value})))


@fault("yea/repeats-are-conflicts", ORIGINAL, LIMITS, RISK, EXPIRY, CONSENT)
class RepeatsConflict(Service):
    """Answers a COMMIT of a committed proposal by conflict."""

    def replay(self, record: ProposalRecord) -> Body:
        """Refuse."""
        raise YeaError("conflict", "this was committed already")


@fault("yea/repeats-execute-again", ORIGINAL)
class ExecuteAgain(Service):
    """Executes a COMMIT each time it comes."""

    def find_proposal(self, name: str | None) -> ProposalRecord:
        """Forget what was done."""
        record = super().find_proposal(name)
        return self.update_proposal(record, state=OPEN, acting=None, receipt=None) if record.state == "done" else record


@fault("yea/repeats-execute-again-in-silence", ORIGINAL)
class ExecuteInSilence(Service):
    """Returns the first receipt for a repeat, and executes again all the same."""

    def commit(self, request: Request) -> Work:
        """Apply once more."""
        body = yield from super().commit(request)
        if isinstance(body, dict) and body.get("replay"):
            record = self.find_proposal(str(request.frame.get("proposal")))
            job = {**record.job}
            capability: Any = self.capabilities[str(record.proposal["capability"])]
            for _ in capability.apply(job, Call(request.now, record.acting, proposal="p_again")):
                pass
        return body


class _Replaying(Service):
    """Checks replays in its own way."""

    def allowed(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> bool:
        """Whether a repeat is let through without further checks."""
        return False

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """Ask."""
        if not self.allowed(record, request, grants):
            super().check_replay(record, request, grants)


@fault("yea/replays-need-no-authority", AUTHORITY, REQUESTER, PRINCIPAL, CAVEATS)
class NoAuthority(Service):
    """Answers a COMMIT of a committed proposal to anybody who knows its hash."""

    def commit(self, request: Request) -> Work:
        """Before anything else."""
        record = self.find_proposal(self.read_name(request, "proposal"))
        self.check_hash(record, request)
        if record.state == "done":
            return self.replay(record)
        return (yield from super().commit(request))


@fault("yea/replays-need-no-hash", HASH)
class NoHash(Service):
    """Answers a COMMIT of a committed proposal whatever its hash."""

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """Only before it is done."""
        if record.state != "done":
            super().check_hash(record, request)


@fault("yea/replays-for-any-agent", REQUESTER)
class AnyAgent(Service):
    """Shows a receipt to every agent of the principal."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Only before it is done."""
        if record.state != "done":
            super().check_requester(record, request)


@fault("yea/replays-for-any-principal", PRINCIPAL, DRAFT)
class AnyPrincipal(_Replaying):
    """Shows a receipt to every principal."""

    def granted_by(self, principal: str, grants: list[Grant]) -> list[Grant]:
        """All of them."""
        return grants


@fault("yea/replay-errors-show-the-receipt", REQUESTER, PRINCIPAL)
class ErrorsShow(Service):
    """Names the receipt in the ERROR to a repeat by somebody else."""

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """Say which."""
        try:
            super().check_requester(record, request)
        except YeaError:
            raise YeaError("forbidden", f"the receipt {record.receipt} is another agent's") from None

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """Say which."""
        try:
            super().check_replay(record, request, grants)
        except YeaError:
            raise YeaError("forbidden", f"the receipt {record.receipt} is another principal's") from None


@fault("yea/replays-judge-no-caveats", CAVEATS)
class JudgeNothing(_Replaying):
    """Shows a receipt under any valid grant of the principal."""

    def allowed(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> bool:
        """Whose grant is it?"""
        return any(grant.issuer == record.acting for grant in grants)


@fault("yea/replays-judge-limits", LIMITS, RISK)
class JudgeLimits(Service):
    """Asks for consent to a repeat that is over a limit now."""

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """As for a commit."""
        super().check_replay(record, request, grants)
        for grant in grants:
            if self.evaluate(grant, self.commit_context(record, request, grant)).soft:
                raise self.consent_error(record, grant, "a limit is exceeded")


@fault("yea/replays-expire", EXPIRY)
class ReplaysExpire(Service):
    """Answers expired to a repeat after the proposal's expires."""

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """As for a commit."""
        self.check_expiry(record, request)
        super().check_replay(record, request, grants)


@fault("yea/replays-need-the-consent", CONSENT, DRAFT)
class NeedTheConsent(Service):
    """Asks for consent again to a repeat of what a consent committed."""

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """As for a commit."""
        super().check_replay(record, request, grants)
        if record.principal is None and not any(self.consents(record, grant) for grant in grants):
            raise self.consent_error(record, grants[0], "the proposal has no principal")


class _Waiting(Service):
    """Lets a moment pass before it executes what it has authorized."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Wait."""
        request.now = yield Pause(0.05)
        return (yield from super().execute(record, request, authorized, auto=auto))


@fault("yea/commits-race", ONCE, SLOW, CHARGED)
class Race(_Waiting):
    """Looks whether a proposal was committed, and executes it a moment later without looking again."""


@fault("yea/slow-commits-race", SLOW)
class SlowRace(Service):
    """Takes a proposal for committed only once its commit has ended."""

    def begin(self, record: ProposalRecord, authorized: Authorized) -> ProposalRecord:
        """Not marked as running."""
        return self.update_proposal(record, acting=authorized.principal)


@fault("yea/simultaneous-commits-have-receipts-of-their-own", SLOW)
class OwnReceipts(Service):
    """Answers a COMMIT that waited for another with a receipt id of its own."""

    def commit(self, request: Request) -> Work:
        """Give it another id when it had to wait."""
        began = request.now
        body = yield from super().commit(request)
        if isinstance(body, dict) and body.get("replay") and request.now > began:
            return {**body, "receipt": {**body["receipt"], "id": self.new_id("r_")}}  # type: ignore[dict-item]
        return body
