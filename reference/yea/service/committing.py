"""COMMIT: who may, under which limits, and that it happens once (YEA 4.4, 6.3, 6.6)."""

import logging
from collections.abc import Callable, Generator
from typing import NamedTuple

from reference.yea.caveats import Context
from reference.yea.consent import is_consent
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.quantities import value as exact
from reference.yea.service.authority import Judged
from reference.yea.service.capability import Call
from reference.yea.service.planning import Planning
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body, Event, Job, Pause, Reply, Step, Work
from reference.yea.service.store import DONE, DOUBT, OPEN, RUNNING, ProposalRecord, ReceiptRecord, TotalRecord
from reference.yea.types import Json

logger = logging.getLogger(__name__)

Reservation = list[tuple[str, int]]
"""What a commit has reserved: the name of each total, and how much of it in units of 10^-18."""


Receipt = dict[str, Json]
"""A receipt as it is sent (YEA 5.2)."""


class Ends(NamedTuple):
    """The three ends of a job: it succeeded, it failed without effect, or nobody knows."""

    done: Callable[[Json], Receipt]
    give_back: Callable[[], None]
    doubt: Callable[[], None]


class Authorized(NamedTuple):
    """The grant that authorizes a commit, and whom it acts for."""

    grant: Grant
    principal: str


class Committing(Planning):
    """COMMIT, and the execution that an auto-commit shares with it."""

    WAIT = 0.02
    """Seconds between two looks at a commit or undo that another request is running."""

    RECEIPT_MEMORY = 86_400.0
    """Seconds that a receipt is kept after its undo window, or after the commit when there is none."""

    def commit(self, request: Request) -> Work:
        """YEA 4.4: COMMIT is answered by a RECEIPT, the original one when it happened before."""
        name = self.read_name(request, "proposal")
        record = self.find_proposal(name)
        self.check_hash(record, request)
        self.check_presented(request)
        self.check_proof(request, self.proof_target(request, hash=str(record.proposal["hash"])))
        grants = self.need_valid(request)
        while True:
            self.check_requester(record, request)
            if record.state == OPEN:
                break
            # What runs, ran or may have run is not authorized anew, but no less than a replay is.
            self.check_replay(record, request, grants)
            if record.state == DONE:
                return self.replay(record)
            if record.state == DOUBT:
                raise self.doubt_error()
            request.now = yield self.wait()
            record = self.find_proposal(name)
        authorized = self.authorize(record, request, grants)
        return (yield from self.execute(record, request, authorized))

    def wait(self) -> Pause:
        """What a request waits while another one runs the same commit or undo: it then gets the replay."""
        return Pause(self.WAIT)

    # --- who may commit ------------------------------------------------------------------------

    def check_hash(self, record: ProposalRecord, request: Request) -> None:
        """YEA 3.1, 4.4: another hash, or none, is a conflict, which never tells the right one."""
        if self.read_name(request, "hash") != record.proposal["hash"]:
            raise YeaError("conflict", "the hash is not that of the proposal; send the INTENT again")

    def check_requester(self, record: ProposalRecord, request: Request) -> None:
        """YEA 4.4: only the key whose proof was on the INTENT may commit what came of it."""
        if record.key is None or record.key != request.key:
            raise YeaError("forbidden", "only the agent key that proved itself on the INTENT may commit this")

    def check_principal(self, record: ProposalRecord, grants: list[Grant]) -> list[Grant]:
        """YEA 4.4: only grants of the principal that the INTENT acted for count, if it acted for one."""
        if record.principal is None:
            return grants
        return self.granted_by(record.principal, grants)

    def granted_by(self, principal: str, grants: list[Grant]) -> list[Grant]:
        """The grants of one principal. Raises `forbidden` when there is none."""
        own = [grant for grant in grants if grant.issuer == principal]
        if not own:
            raise YeaError("forbidden", "no grant of the principal that this acts for came with the request")
        return own

    def check_expiry(self, record: ProposalRecord, request: Request) -> None:
        """YEA 4.4, 5.1: past its `expires` a proposal cannot be committed, and never asks for consent."""
        if request.now >= float(str(record.proposal["expires"])):
            raise YeaError("expired", "the proposal has expired; send the INTENT again")

    def authorize(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> Authorized:
        """YEA 4.4: the principal, then the expiry, then consent and limits; the requester came before."""
        own = self.check_principal(record, grants)
        self.check_expiry(record, request)
        judged = [Judged(grant, self.evaluate(grant, self.commit_context(record, request, grant))) for grant in own]
        if record.principal is None:
            return self.check_consent(record, judged)
        return self.check_limits(record, judged)

    def commit_context(self, record: ProposalRecord, request: Request, grant: Grant) -> Context:
        """The COMMIT as the caveats of one grant see it, with what its blocks have used up (YEA 6.3)."""
        capability = str(record.proposal["capability"])
        used = self.used(grant)
        return self.context(request, "COMMIT", capability, proposal=record.proposal, used=used)

    def check_limits(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """YEA 6.6: the first grant that covers the commit; else consent_required if one fails only softly."""
        for grant, verdict in judged:
            if verdict.decision == "ok":
                return Authorized(grant, grant.issuer)
        for grant, verdict in judged:
            if verdict.decision == "consent_required":
                raise self.consent_error(record, grant, "a limit or the risk is above what the grant allows")
        raise self.forbidden_error(judged)

    def check_consent(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """YEA 4.4: a proposal without a principal is committed by a consent grant to it, and nothing else.

        It acts for the issuer of the first consent; without one, consent_required names the issuer of the
        first grant that would do.
        """
        for grant, verdict in judged:
            if verdict.decision == "ok" and self.consents(record, grant):
                return Authorized(grant, grant.issuer)
        for decision in ("ok", "consent_required"):
            for grant, verdict in judged:
                if verdict.decision == decision:
                    raise self.consent_error(record, grant, "the proposal has no principal")
        raise self.forbidden_error(judged)

    def consents(self, record: ProposalRecord, grant: Grant) -> bool:
        """YEA 4.4: one root block, with exactly the caveats of a consent to this proposal."""
        proposal = record.proposal
        return is_consent(
            grant,
            service=self.id,
            capability=str(proposal["capability"]),
            hash=str(proposal["hash"]),
            expires=int(str(proposal["expires"])),
        )

    def consent_error(self, record: ProposalRecord, grant: Grant, reason: str) -> YeaError:
        """YEA 6.6: consent_required, with what the principal would sign for."""
        proposal = record.proposal
        consent: dict[str, Json] = {
            "proposal": proposal["id"],
            "hash": proposal["hash"],
            "service": self.id,
            "capability": proposal["capability"],
            "principal": grant.issuer,
            "summary": proposal["summary"],
            "expires": proposal["expires"],
        }
        return YeaError("consent_required", f"{reason}, so the principal must approve", consent=consent)

    # --- once ----------------------------------------------------------------------------------

    def check_replay(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> None:
        """YEA 4.4: a replay is for the same principal; each, total, risk and consent are not judged again."""
        own = self.granted_by(record.acting or "", grants)
        judged = [Judged(grant, self.evaluate(grant, self.commit_context(record, request, grant))) for grant in own]
        if all(verdict.decision == "forbidden" for _, verdict in judged):
            raise self.forbidden_error(judged)

    def replay(self, record: ProposalRecord) -> Body:
        """YEA 4.4: the original receipt, marked as a replay."""
        receipt = self.store.receipts.get(record.receipt or "")
        if receipt is None:
            raise YeaError("not_found", "the receipt of this commit is no longer kept")
        return self.receipt_body(receipt.receipt, replay=True)

    def receipt_body(self, receipt: dict[str, Json], *, replay: bool = False, auto: bool = False) -> Body:
        """A RECEIPT; `auto` and `replay` stand beside the receipt, and only when true (YEA 5)."""
        body: Body = {"kind": "RECEIPT", "receipt": receipt}
        if auto:
            body["auto"] = True
        if replay:
            body["replay"] = True
        return body

    # --- totals --------------------------------------------------------------------------------

    def used(self, grant: Grant) -> dict[str, dict[str, Json]]:
        """What is committed or reserved under the blocks of a grant (YEA 6.3)."""
        used: dict[str, dict[str, Json]] = {}
        for block_id, measure, _ in self.totals_of(grant):
            total = self.store.totals.get(total_name(block_id, measure))
            if total is not None:
                used.setdefault(block_id, {})[measure] = {"amount": total.value, "scale": 18}
        return used

    def totals_of(self, grant: Grant) -> list[tuple[str, str, float | None]]:
        """Each block id and measure with a `total`, once, and the time from which nothing can use it.

        YEA 6.3: a total is kept by block id and measure, so a measure that stands twice in a block counts
        once. Every chain with the block has the blocks before it, so the earliest `exp` up to it ends it.
        """
        found: dict[tuple[str, str], float | None] = {}
        end: float | None = None
        for block_id, caveats in zip(grant.block_ids, grant.caveats, strict=True):
            measures = []
            for caveat in caveats:
                name, value = next(iter(caveat.items())) if isinstance(caveat, dict) and caveat else ("", None)
                if name == "exp" and isinstance(value, (int, float)):
                    end = value if end is None else min(end, value)
                if name == "total" and isinstance(value, dict):
                    measures.append(str(value.get("of")))
            found.update({(block_id, measure): end for measure in measures})
        return [(block_id, measure, until) for (block_id, measure), until in found.items()]

    def reserve(self, grant: Grant, uses: dict[str, Json]) -> Reservation:
        """YEA 6.3: takes the quantities from every total of the authorizing grant, before anything is done."""
        reserved: Reservation = []
        for block_id, measure, until in self.totals_of(grant):
            if measure in uses:
                name, amount = total_name(block_id, measure), exact(uses[measure])
                before = self.store.totals.get(name)
                value = amount if before is None else before.value + amount
                self.store.totals.put(name, TotalRecord(value, until))
                reserved.append((name, amount))
        return reserved

    def release(self, reserved: Reservation) -> None:
        """YEA 6.3: a reservation is released if execution fails."""
        for name, amount in reserved:
            total = self.store.totals.get(name)
            if total is not None:
                self.store.totals.put(name, TotalRecord(total.value - amount, total.until))

    # --- execution -----------------------------------------------------------------------------

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Reserves, applies, and makes the receipt. A failure gives everything back (YEA 4.4, 6.3)."""
        self.need_room("receipts", request.now)
        proposal, store = record.proposal, self.store
        capability = self.intent_named(str(proposal["capability"]))
        uses = proposal.get("uses")
        with store.transaction():
            reserved = self.reserve(authorized.grant, uses if isinstance(uses, dict) else {})
            record = self.begin(record, request, authorized, auto)
        job = capability.apply(record.job, Call(request.now, authorized.principal, proposal=str(proposal["id"])))

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

        receipt = yield from self.run_job(job, request, Ends(done, give_back, doubt))
        return self.receipt_body(receipt, auto=auto)

    def begin(self, record: ProposalRecord, request: Request, authorized: Authorized, auto: bool) -> ProposalRecord:
        """Marks the commit as running, in the same transaction as its reservation."""
        return self.update_proposal(record, state=RUNNING, acting=authorized.principal)

    def run_job(self, job: Job, request: Request, ends: Ends) -> Generator[Step, float, Receipt]:
        """Runs an apply or revert to one of its three ends, and returns the receipt of the good one.

        A job that raises had no effect (YEA 4.4): it is given back, and may be tried again. One that is
        stopped from outside, or whose outcome cannot be kept, may have had one: it is in doubt.
        """
        try:
            result = yield from self.drive(job, request)
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
                    yield self.event(request, step)
                else:
                    request.now = yield step
                step = job.send(request.now)
        except StopIteration as end:
            result: Json = end.value
            return result
        finally:
            job.close()

    def event(self, request: Request, event: Event) -> Reply:
        """An EVENT frame (YEA 2.2, 5)."""
        return self.reply(request.id, event.body())

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
        undo = proposal["undo"]
        return {"until": at + int(str(undo["window"]))} if isinstance(undo, dict) else None

    def keep_receipt(self, receipt: dict[str, Json], record: ProposalRecord, principal: str) -> None:
        """Keeps the receipt, and the proposal as long as it, so that every repeat finds both."""
        undo = receipt["undo"]
        end = undo["until"] if isinstance(undo, dict) else receipt["at"]
        until = float(str(end)) + self.RECEIPT_MEMORY
        self.store.receipts.put(str(receipt["id"]), ReceiptRecord(receipt, record.job, principal, until))
        self.update_proposal(record, state=DONE, receipt=str(receipt["id"]), until=until)


def total_name(block_id: str, measure: str) -> str:
    """YEA 6.3: a total is kept by block id and measure."""
    return f"{block_id} {measure}"
