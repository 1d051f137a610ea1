"""Executing a commit or an undo: begun, run, and brought to one of three ends (YEA 4.4, 6.3)."""

import logging
from collections.abc import Callable, Generator, Iterator
from typing import NamedTuple

from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.proposals import undo_window
from reference.yea.service.capability import Call
from reference.yea.service.limits import Limits
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body, Event, Job, Pause, Reply, Step, Work
from reference.yea.service.store import DONE, DOUBT, OPEN, RUNNING, ProposalRecord, ReceiptRecord, whole
from reference.yea.types import Json

logger = logging.getLogger(__name__)

Receipt = dict[str, Json]
"""A receipt as it is sent (YEA 5.2)."""


class Authorized(NamedTuple):
    """The grant that authorizes a commit, and whom it acts for."""

    grant: Grant
    principal: str


class Ends(NamedTuple):
    """The three ends of a job: it succeeded, it failed without effect, or nobody knows."""

    done: Callable[[Json], Receipt]
    give_back: Callable[[], None]
    doubt: Callable[[], None]


class Executing(Limits):
    """What COMMIT, an auto INTENT and UNDO share."""

    WAIT = 0.02
    """Seconds between two looks at a commit or undo that another request is running."""

    RECEIPT_MEMORY = 86_400.0
    """Seconds that a receipt is kept after its undo window, or after the commit when there is none."""

    def wait(self) -> Pause:
        """What a request waits while another one runs the same commit or undo: it then gets the replay."""
        return Pause(self.WAIT)

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Reserves, applies, and makes the receipt. A failure gives everything back (YEA 4.4, 6.3)."""
        self.need_room("receipts", request.now)
        proposal, store = record.proposal, self.store
        capability = self.intent_named(str(proposal["capability"]))
        uses = proposal.get("uses")
        with store.transaction():
            reserved = self.reserve(authorized.grant, uses if isinstance(uses, dict) else {})
            record = self.begin(record, authorized)
        call = Call(request.now, authorized.principal, proposal=str(proposal["id"]))

        def give_back() -> None:
            self.release(reserved)
            self.update_proposal(record, state=OPEN, acting=None)

        def doubt() -> None:
            self.update_proposal(record, state=DOUBT)
            self.found_in_doubt(authorized.principal, capability.name, request.now)

        def done(result: Json) -> Receipt:
            receipt = self.receipt(record, request, result)
            self.keep_receipt(receipt, record, authorized.principal)
            return receipt

        receipt = yield from self.run_job(
            lambda: capability.apply(record.job, call), request, Ends(done, give_back, doubt)
        )
        return self.receipt_body(receipt, auto=auto)

    def begin(self, record: ProposalRecord, authorized: Authorized) -> ProposalRecord:
        """Marks the commit as running, in the same transaction as its reservation."""
        return self.update_proposal(record, state=RUNNING, acting=authorized.principal)

    def run_job(self, start: Callable[[], Job], request: Request, ends: Ends) -> Generator[Step, float, Receipt]:
        """Runs an apply or revert to one of its three ends, and returns the receipt of the good one.

        A job that raises had no effect (YEA 4.4): it is given back, and may be tried again. One that is
        stopped from outside, or whose outcome cannot be kept, may have had one: it is in doubt.
        """
        try:
            result = yield from self.drive(start(), request)
        except Exception as error:
            with self.store.transaction():
                ends.give_back()
            if isinstance(error, YeaError):
                raise
            logger.exception("an apply or revert failed")
            raise self.internal_error() from None
        except BaseException:
            with self.store.transaction():
                ends.doubt()
            raise
        try:
            with self.store.transaction():
                return ends.done(result)
        except BaseException:
            with self.store.transaction():
                ends.doubt()
            raise

    def drive(self, job: Job, request: Request) -> Generator[Step, float, Json]:
        """A capability's steps as the service's own: each Event is an EVENT frame of this request (YEA 2.2)."""
        try:
            step = next(job)
            while True:
                if isinstance(step, Event):
                    yield from self.event(request, step)
                else:
                    request.now = yield step
                step = job.send(request.now)
        except StopIteration as end:
            result: Json = end.value
            return result
        finally:
            job.close()

    def event(self, request: Request, event: Event) -> Iterator[Reply]:
        """An EVENT frame (YEA 2.2, 5), or none: one over 1 MiB is not sent."""
        reply = self.made(self.envelope(request.id, event.body()))
        if len(reply.line) <= self.MAX_FRAME:
            yield reply

    def receipt(self, record: ProposalRecord, request: Request, result: Json) -> dict[str, Json]:
        """The receipt of a commit that has just happened (YEA 5.2)."""
        proposal, at = record.proposal, int(request.now)
        receipt: dict[str, Json] = {
            "id": self.new_id("r_"),
            "proposal": proposal["id"],
            "capability": proposal["capability"],
            "summary": proposal["summary"],
            "at": at,
            "effects": proposal["effects"],
        }
        if "uses" in proposal:
            receipt["uses"] = proposal["uses"]
        receipt["undo"] = self.undo_until(proposal, at)
        if result is not None:
            receipt["result"] = result
        return receipt

    def undo_until(self, proposal: dict[str, Json], at: int) -> Json:
        """YEA 5.2: the commit time plus the window, or null when the action cannot be undone."""
        window = undo_window(proposal["undo"])
        return {"until": at + window} if window is not None else None

    def keep_receipt(self, receipt: dict[str, Json], record: ProposalRecord, principal: str) -> None:
        """Keeps the receipt, and the proposal as long as it, so that every repeat finds both."""
        undo = receipt["undo"]
        end = undo["until"] if isinstance(undo, dict) else receipt["at"]
        until = whole(end) + self.RECEIPT_MEMORY
        self.store.receipts.put(str(receipt["id"]), ReceiptRecord(receipt, record.job, principal, until))
        self.update_proposal(record, state=DONE, receipt=str(receipt["id"]), until=until)

    def receipt_body(self, receipt: dict[str, Json], *, replay: bool = False, auto: bool = False) -> Body:
        """A RECEIPT; `auto` and `replay` stand beside the receipt, and only when true (YEA 5)."""
        body: Body = {"kind": "RECEIPT", "receipt": receipt}
        if auto:
            body["auto"] = True
        if replay:
            body["replay"] = True
        return body
