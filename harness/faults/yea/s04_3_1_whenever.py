"""YEA 4.3.1: services that ask more of an auto INTENT than the three conditions do."""

from harness.faults import fault
from reference.yea.proposals import undo_window
from reference.yea.service import Intent, Request, Service
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord

WHATEVER = "yea/4.3.1/auto-commits-whatever-can-be-undone"
UNDER_ANY = "yea/4.3.1/auto-commits-under-any-grant-that-covers-it"


@fault("yea/auto-is-for-low-risk", WHATEVER)
class LowRisk(Service):
    """Stops at a proposal whose risk is not low, whatever the grant says."""

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """Look at the risk."""
        return super().auto_conditions(request, record) if record.proposal["risk"] == "low" else None


@fault("yea/auto-is-for-what-is-free", WHATEVER)
class Free(Service):
    """Stops at a proposal with uses, whatever the grant says."""

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """Look at its uses."""
        return None if record.proposal.get("uses") else super().auto_conditions(request, record)


@fault("yea/auto-is-for-long-windows", WHATEVER)
class LongWindows(Service):
    """Stops at a proposal with less than a minute to undo it."""

    def auto_undoable(self, record: ProposalRecord) -> bool:
        """Look at the window."""
        return (undo_window(record.proposal["undo"]) or 0) >= 60


@fault("yea/auto-is-for-one-proposal", WHATEVER)
class OneProposal(Service):
    """Stops where there is more than one proposal."""

    def plan_or_commit(self, request: Request, capability: Intent, principal: str | None, name: str | None) -> Work:
        """Count them."""
        planned = self.plan(request, capability, principal)
        if isinstance(planned, list) and len(planned) > 1:
            return self.offer(planned)
        return (yield from super().plan_or_commit(request, capability, principal, name))


@fault("yea/auto-is-for-root-grants", UNDER_ANY)
class RootGrants(Service):
    """Stops under a delegated grant."""

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """Count its blocks."""
        found = super().auto_authorized(request, record)
        return found if found is not None and len(found.grant.caveats) == 1 else None


@fault("yea/one-bad-grant-spoils-an-intent", UNDER_ANY)
class OneSpoils(Service):
    """Plans without a principal when one of the grants is no good."""

    def principal_of(self, request: Request, capability: str) -> str | None:
        """Count those that verify."""
        spoilt = len(self.valid_grants(request)) < len(request.grants)
        return None if spoilt else super().principal_of(request, capability)
