"""YEA 3: another default budget, and grants and proofs that are not needed where they are."""

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Body, Frame, Reply, Request, Service
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work

DEFAULT = "yea/3/budget-is-2000-when-absent"
BUDGETS = "yea/3.1/bad-budgets-are-none"
COMMIT = "yea/3/commit-needs-grants"
UNDO = "yea/3/undo-needs-grants"
PROOF = "yea/3/grants-need-a-proof"
READ_PROOF = "yea/3/grants-need-a-proof-on-ask-and-intent"
NULL = "yea/3.1/null-grants-are-none"
UNLIMITED = 10_000_000

for _budget in (1000, 4000, UNLIMITED):
    _says = f"Takes {_budget} tokens for the budget of a request without one."
    _service = type("OtherDefault", (Service,), {"DEFAULT_BUDGET": _budget})
    add(Fault(f"yea/default-budget-of-{_budget}", _says, (DEFAULT, BUDGETS), _service))


@fault("yea/no-grants-is-forbidden", COMMIT, UNDO)
class NoGrantsForbidden(Service):
    """Refuses a COMMIT or UNDO without grants as forbidden."""

    def check_presented(self, request: Request) -> None:
        """Use that code."""
        if not request.grants:
            raise YeaError("forbidden", "no grant came with the request")


@fault("yea/no-grants-is-bad-frame", COMMIT, UNDO)
class NoGrantsBadFrame(Service):
    """Refuses a COMMIT or UNDO without grants as bad_frame."""

    def check_presented(self, request: Request) -> None:
        """Use that code."""
        if not request.grants:
            raise YeaError("bad_frame", "grants is missing")


def _nobody(key: str, principal: str) -> Grant:
    """A grant that was never given."""
    return Grant((), principal, key, ("none",), ((),))


@fault("yea/commit-without-grants", COMMIT)
class CommitsWithoutGrants(Service):
    """Commits without grants what its own INTENT had grants for."""

    def commit(self, request: Request) -> Work:
        """Take the INTENT's principal."""
        if request.grants or request.proof is None:
            return (yield from super().commit(request))
        record = self.find_proposal(self.read_name(request, "proposal"))
        self.check_hash(record, request)
        self.check_proof(request, self.proof_target(request, hash=str(record.proposal["hash"])))
        self.check_requester(record, request)
        principal = record.principal or ""
        return (yield from self.execute(record, request, Authorized(_nobody(str(request.key), principal), principal)))


@fault("yea/undo-without-grants", UNDO)
class UndoesWithoutGrants(Service):
    """Undoes any receipt without grants."""

    def undo(self, request: Request) -> Work:
        """Ask for nothing."""
        if request.grants:
            return (yield from super().undo(request))
        record = self.find_receipt(self.read_name(request, "receipt"))
        if record.undone_by is not None:
            return self.undo_replay(record)
        return (yield from self.reverse(record, request))


@fault("yea/null-grants-are-bad-frame", COMMIT, UNDO, NULL)
class NullGrantsBadFrame(Service):
    """Refuses grants null as bad_frame."""

    def read_grants(self, frame: Frame) -> list[str]:
        """Refuse it."""
        if frame.get("grants", []) is None:
            raise YeaError("bad_frame", "`grants` is null")
        return super().read_grants(frame)


@fault("yea/proof-is-optional", PROOF, READ_PROOF)
class NoProof(Service):
    """Takes a request without a proof for one of the first grant's holder."""

    def check_proof(self, request: Request, target: str) -> None:
        """Believe the grant."""
        if request.proof is not None:
            super().check_proof(request, target)
            return
        grants = [grant for token in request.grants if (grant := self.decode_grant(token)) is not None]
        request.key = grants[0].holder if grants else None


@fault("yea/missing-proof-is-forbidden", PROOF, READ_PROOF, "yea/3.1/malformed-proof-is-none")
class NoProofForbidden(Service):
    """Refuses a missing proof as forbidden."""

    def check_proof(self, request: Request, target: str) -> None:
        """Use that code."""
        if request.proof is None:
            raise YeaError("forbidden", "the request needs a proof")
        super().check_proof(request, target)


@fault("yea/grants-without-a-proof-are-ignored", READ_PROOF)
class IgnoresGrants(Service):
    """Answers ASK and INTENT whose grants come without a proof as if there were none."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Act for nobody."""
        return super().acting_for(request, capability) if request.proof else None


@fault("yea/grants-are-forbidden-to-strangers", READ_PROOF, outcome="warned")
class DemandsAsForbidden(Service):
    """Demands grants for ASK and INTENT, and says so with forbidden."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Refuse those that have none."""
        if not request.grants:
            raise YeaError("forbidden", "grants are needed")
        return super().acting_for(request, capability)


@fault("yea/bad-budget-fails", BUDGETS, "yea/3.1/bad-budgets-do-not-fail")
class BadBudgetFails(Service):
    """Refuses a budget that is no positive whole number as invalid_params."""

    def read_budget(self, frame: Frame) -> int:
        """Refuse it."""
        budget = frame.get("budget", 1)
        if not isinstance(budget, int) or isinstance(budget, bool) or budget <= 0:
            raise YeaError("invalid_params", "`budget` is a positive whole number")
        return super().read_budget(frame)


@fault("yea/budget-as-text-counts", BUDGETS)
class TextBudget(Service):
    """Reads a budget out of a string."""

    def read_budget(self, frame: Frame) -> int:
        """Read it."""
        budget = frame.get("budget")
        return int(budget) if isinstance(budget, str) and budget.isdecimal() else super().read_budget(frame)


@fault("yea/fractional-budget-counts", BUDGETS)
class FractionalBudget(Service):
    """Rounds a budget with a fraction."""

    def read_budget(self, frame: Frame) -> int:
        """Round it."""
        budget = frame.get("budget")
        return max(1, round(budget)) if isinstance(budget, float) else super().read_budget(frame)


@fault("yea/budget-zero-counts", BUDGETS)
class ZeroBudget(Service):
    """Takes a budget of 0 or less for the smallest one."""

    def read_budget(self, frame: Frame) -> int:
        """Take 1."""
        budget = frame.get("budget")
        small = isinstance(budget, int) and not isinstance(budget, bool) and budget <= 0
        return 1 if small else super().read_budget(frame)


@fault("yea/negative-floats-are-budgets", BUDGETS)
class NegativeFloats(Service):
    """Looks at the sign of a budget only where it is written without a point."""

    def read_budget(self, frame: Frame) -> int:
        """Turn a float into an integer."""
        budget = frame.get("budget")
        whole = isinstance(budget, float) and budget.is_integer() and budget < 0
        return 1 if whole else super().read_budget(frame)


@fault("yea/negative-budget-is-no-limit", BUDGETS)
class NegativeBudget(Service):
    """Takes a negative budget for no limit."""

    def read_budget(self, frame: Frame) -> int:
        """Take a huge one."""
        budget = frame.get("budget")
        return UNLIMITED if isinstance(budget, int) and budget < 0 else super().read_budget(frame)


@fault("yea/budget-true-is-1", BUDGETS)
class TrueBudget(Service):
    """Takes a budget of true for 1."""

    def read_budget(self, frame: Frame) -> int:
        """Take 1."""
        return 1 if frame.get("budget") is True else super().read_budget(frame)


@fault("yea/null-budget-is-no-limit", BUDGETS)
class NullBudget(Service):
    """Takes a budget of null for no limit."""

    def read_budget(self, frame: Frame) -> int:
        """Take a huge one."""
        return UNLIMITED if frame.get("budget", 1) is None else super().read_budget(frame)


@fault("yea/budget-in-a-list-is-internal", BUDGETS, "yea/3.1/bad-budgets-do-not-fail")
class ListBudget(Service):
    """Fails on a budget that is a list."""

    def read_budget(self, frame: Frame) -> int:
        """Fail."""
        if isinstance(frame.get("budget"), list):
            raise self.internal_error()
        return super().read_budget(frame)


@fault("yea/budget-is-of-the-brief-only", DEFAULT)
class DefaultOnAsk(Service):
    """Does not cut an ANSWER when the request has no budget."""

    def finish(self, request: Request, body: Body) -> Reply:
        """Give it all the room."""
        if body.get("kind") == "ANSWER" and "budget" not in request.frame:
            request.budget = UNLIMITED
        return super().finish(request, body)
