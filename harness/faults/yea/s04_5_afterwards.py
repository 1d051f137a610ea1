"""YEA 4.4 and 4.5: services that lose sight of a commit once it was undone, or once time has passed."""

from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Body, Request, Service
from reference.yea.service.steps import Work
from reference.yea.service.store import DONE, OPEN, ProposalRecord, ReceiptRecord
from reference.yea.types import Json

REPLAY = "yea/4.4/replay-after-an-undo"
LIMITS = "yea/4.4/replay-ignores-limits"
LATER = "yea/4.4/replay-works-after-expiry"
OUTLIVES = "yea/4.5/undo-outlives-the-proposal"
EARLIER = "yea/4.5/undo-leaves-earlier-commits"
AGAIN = "yea/4.5/repeated-undo-needs-authority"
ANY = "yea/4.5/any-grant-that-covers-it-undoes"


@fault("yea/undone-proposals-are-open-again", REPLAY)
class OpenAgain(Service):
    """Commits a proposal anew once its commit was undone."""

    def keep_reversal(self, receipt: dict[str, Json], record: ReceiptRecord) -> None:
        """Open the proposal."""
        super().keep_reversal(receipt, record)
        proposal = self.find_proposal(str(record.receipt["proposal"]))
        self.update_proposal(proposal, state=OPEN, acting=None, receipt=None)


@fault("yea/replay-after-an-undo-is-the-reversal", REPLAY)
class ReplaysTheReversal(Service):
    """Answers a replay by the receipt of the undo where there was one."""

    def replay(self, record: ProposalRecord) -> Body:
        """Take the latest."""
        receipt = self.store.receipts.get(record.receipt or "")
        undone = self.store.receipts.get(receipt.undone_by or "") if receipt is not None else None
        return self.receipt_body(undone.receipt, replay=True) if undone is not None else super().replay(record)


@fault("yea/replay-after-an-undo-conflicts", REPLAY)
class ConflictsAfterwards(Service):
    """Refuses a replay once the commit was undone."""

    def replay(self, record: ProposalRecord) -> Body:
        """Look whether it was."""
        receipt = self.store.receipts.get(record.receipt or "")
        if receipt is not None and receipt.state == DONE:
            raise YeaError("conflict", "this was undone")
        return super().replay(record)


def _replaying(change: Any) -> type[Service]:
    class Replaying(Service):
        """Makes the receipt of a replay anew."""

        seen = 0.0

        def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
            """Look at the clock."""
            super().check_replay(record, request, grants)
            self.seen = request.now

        def replay(self, record: ProposalRecord) -> Body:
            """Change it."""
            body = super().replay(record)
            receipt = body["receipt"]
            return {**body, "receipt": change(dict(receipt), int(self.seen)) if isinstance(receipt, dict) else receipt}

    return Replaying


def _renewed(receipt: dict[str, Any], now: int) -> dict[str, Any]:
    undo = receipt["undo"]
    return {**receipt, "undo": {"until": undo["until"] - receipt["at"] + now} if undo else undo}


def _spent(receipt: dict[str, Any], now: int) -> dict[str, Any]:
    return {name: value for name, value in receipt.items() if name != "uses"}


for _id, _says, _kills, _change in (
    ("replay-has-its-own-time", "Says the time of the replay.", LATER, lambda receipt, now: {**receipt, "at": now}),
    ("replay-renews-the-window", "Counts the undo window from the replay.", LATER, _renewed),
    ("replay-leaves-out-uses", "Leaves `uses` out of the receipt of a replay.", LIMITS, _spent),
):
    add(Fault(f"yea/{_id}", _says, (_kills,), _replaying(_change)))


@fault("yea/undo-ends-with-the-proposal", OUTLIVES)
class EndsWithTheProposal(Service):
    """Undoes nothing after the proposal's expires."""

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        """Look at the proposal."""
        super().check_window(record, request)
        self.check_expiry(self.find_proposal(str(record.receipt["proposal"])), request)


@fault("yea/undo-resets-the-object", EARLIER)
class Resets(Service):
    """Takes back all that was ever done to an object."""

    def reverse(self, record: ReceiptRecord, request: Request) -> Work:
        """Undo every other commit of it as well."""
        capability: Any = self.intent_named(self.undo_capability(record))
        for change in capability.world.changes(str(record.job["object"])):
            if change["by"] != record.receipt["proposal"]:
                capability.world.take_back(str(record.job["object"]), change["by"])
        return super().reverse(record, request)


@fault("yea/repeated-undo-is-for-any-principal", AGAIN)
class ForAnyPrincipal(Service):
    """Shows the receipt of an undo to whoever has a grant."""

    def undo_grants(self, record: ReceiptRecord, grants: list[Grant]) -> list[Grant]:
        """Take all, once it is undone."""
        return grants if record.state == DONE else super().undo_grants(record, grants)


@fault("yea/repeated-undo-needs-no-grants", AGAIN)
class ForAnybody(Service):
    """Shows the receipt of an undo to anybody."""

    def undo(self, request: Request) -> Work:
        """Look whether it is undone, first of all."""
        record = self.find_receipt(self.read_name(request, "receipt"))
        return (self.undo_replay(record)) if record.state == DONE else (yield from super().undo(request))


@fault("yea/repeated-undo-takes-an-old-proof", AGAIN)
class TakesOldProofs(Service):
    """Looks at the time of a proof only while there is something to undo."""

    def check_proof(self, request: Request, target: str) -> None:
        """Let it be old."""
        record = self.store.receipts.get(target)
        if request.proof is not None and record is not None and record.state == DONE:
            now, request.now = request.now, float(request.proof.ts)
            try:
                super().check_proof(request, target)
            finally:
                request.now = now
        else:
            super().check_proof(request, target)


@fault("yea/first-grant-decides-an-undo", ANY)
class FirstDecides(Service):
    """Looks at the first good grant of an UNDO alone."""

    def undo_grants(self, record: ReceiptRecord, grants: list[Grant]) -> list[Grant]:
        """Leave out the others."""
        return super().undo_grants(record, grants)[:1]


@fault("yea/one-bad-grant-spoils-an-undo", ANY)
class OneSpoils(Service):
    """Refuses an UNDO when one of its grants is no good."""

    def authorize_undo(self, record: ReceiptRecord, request: Request, grants: list[Grant]) -> None:
        """Count those that are."""
        if len(grants) < len(request.grants):
            raise YeaError("unauthorized", "one of the grants is no good")
        super().authorize_undo(record, request, grants)
