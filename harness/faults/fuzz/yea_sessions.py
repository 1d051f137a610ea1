"""Services that go wrong in the course of a session: what comes after an undo, a replay, or a second repeat."""

from collections import Counter
from typing import Any

from harness.faults.fuzz import borrow, listed, unlisted
from reference.yea.grants import Grant
from reference.yea.quantities import value as exact
from reference.yea.service import Service
from reference.yea.service.capability import Call
from reference.yea.service.executing import Receipt
from reference.yea.service.limits import total_name
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body
from reference.yea.service.store import DONE, OPEN, AutoRecord, ProposalRecord, ReceiptRecord

SESSIONS = "yea/sessions"

borrow(SESSIONS, "yea/hash-unchecked", "yea/requester-unchecked", "yea/principal-unchecked")


@listed(SESSIONS, "undone-commits-open-again")
class UndoneOpenAgain(Service):
    """Commits a proposal once more after its commit was undone."""

    def keep_reversal(self, receipt: Receipt, record: ReceiptRecord) -> None:
        """Open the proposal again."""
        super().keep_reversal(receipt, record)
        proposal = self.store.proposals.get(str(record.receipt["proposal"]))
        if proposal is not None:
            self.update_proposal(proposal, state=OPEN, acting=None)


@listed(SESSIONS, "replays-give-back")
class ReplaysGiveBack(Service):
    """Gives a total back what a commit has used when that is sent again."""

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """Take it for a failed one."""
        super().check_replay(record, request, grants)
        uses = record.proposal.get("uses")
        if isinstance(uses, dict):
            totals = [(block, measure) for grant in grants for block, measure, _ in self.totals_of(grant)]
            self.release([(total_name(b, measure), exact(uses[measure])) for b, measure in totals if measure in uses])


@listed(SESSIONS, "undone-autos-are-forgotten")
class UndoneAutosForgotten(Service):
    """Forgets an auto INTENT when its commit is undone, and commits it again when it is repeated."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        """Look whether it stands."""
        known = super().recall_auto(name, request)
        receipt: Any = known.body.get("receipt") if known is not None and known.body is not None else None
        record = self.store.receipts.get(str(receipt["id"])) if isinstance(receipt, dict) else None
        return None if record is not None and record.state == DONE else known


@unlisted(SESSIONS, "committed-offers-are-forgotten")
class CommittedOffersForgotten(Service):
    """Forgets what an auto INTENT was offered once that was committed, and offers anew when it is repeated."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        """Look whether all of it is open."""
        known = super().recall_auto(name, request)
        listed: Any = known.body.get("proposals") if known is not None and known.body is not None else None
        records = [self.store.proposals.get(str(proposal["id"])) for proposal in listed or ()]
        return None if any(record is not None and record.state != OPEN for record in records) else known


@listed(SESSIONS, "second-replay-executes")
class SecondReplayExecutes(Service):
    """Executes a commit again, under the same receipt, when it is repeated for the second time."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._replayed: Counter[str] = Counter()

    def replay(self, record: ProposalRecord) -> Body:
        """Count."""
        name = str(record.proposal["id"])
        self._replayed[name] += 1
        if self._replayed[name] == 2:
            capability = self.intent_named(str(record.proposal["capability"]))
            call = Call(0.0, record.acting or "", proposal=f"{name}-again")
            for _ in capability.apply(record.job, call):
                pass
        return super().replay(record)
