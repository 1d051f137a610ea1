"""UNDO: the reversal of a receipt within its window, once (YEA 4.5)."""

import dataclasses

from reference.yea.effects import inverted
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service.authority import Judged
from reference.yea.service.capability import Call
from reference.yea.service.committing import Committing
from reference.yea.service.executing import Ends, Receipt
from reference.yea.service.reading import Request, shown
from reference.yea.service.steps import Work
from reference.yea.service.store import DONE, DOUBT, OPEN, RUNNING, ReceiptRecord, whole
from reference.yea.types import Json


class Undoing(Committing):
    """UNDO."""

    def undo(self, request: Request) -> Work:
        """YEA 4.5: UNDO is answered by a RECEIPT of the reversal, the first one when it happened before."""
        name = self.read_name(request, "receipt")
        record = self.find_receipt(name)
        self.check_presented(request)
        self.check_proof(request, self.proof_target(request, receipt=str(record.receipt["id"])))
        self.authorize_undo(record, request, self.need_valid(request))
        while record.state != OPEN:
            if record.state == DONE:
                return self.undo_replay(record)
            if record.state == DOUBT:
                raise self.doubt_error()
            request.now = yield self.wait()
            record = self.find_receipt(name)
        self.check_undoable(record)
        self.check_window(record, request)
        return (yield from self.reverse(record, request))

    def find_receipt(self, name: str | None) -> ReceiptRecord:
        """The receipt of that name. Raises `not_found` (YEA 3.1)."""
        record = self.store.receipts.get(name) if name is not None else None
        if record is None:
            raise YeaError("not_found", f"there is no receipt {shown(name)}")
        return record

    def authorize_undo(self, record: ReceiptRecord, request: Request, grants: list[Grant]) -> None:
        """YEA 4.5, 6.3: a grant of the principal of the commit, whose `can` covers the receipt's capability."""
        context = self.context(request, "UNDO", self.undo_capability(record))
        judged = [Judged(grant, self.evaluate(grant, context)) for grant in self.undo_grants(record, grants)]
        if all(verdict.decision != "ok" for _, verdict in judged):
            raise self.forbidden_error(judged)

    def undo_grants(self, record: ReceiptRecord, grants: list[Grant]) -> list[Grant]:
        """YEA 4.5: only grants rooted in the principal of the commit count."""
        return self.granted_by(record.principal, grants)

    def undo_capability(self, record: ReceiptRecord) -> str:
        """YEA 6.3: for UNDO, `can` is checked against the capability of the receipt."""
        return str(record.receipt["capability"])

    def check_undoable(self, record: ReceiptRecord) -> None:
        """YEA 5.2: a receipt whose undo is null cannot be undone; the receipt of an undo is one."""
        if record.receipt["undo"] is None:
            raise YeaError("forbidden", "what this receipt tells of cannot be undone")

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        """YEA 4.5: past its window a receipt cannot be undone."""
        undo = record.receipt["undo"]
        if isinstance(undo, dict) and request.now > whole(undo["until"]):
            raise YeaError("expired", "the undo window of this receipt has closed")

    def undo_replay(self, record: ReceiptRecord) -> dict[str, Json]:
        """YEA 4.5: undoing once more gives the first reversal's receipt, marked as a replay."""
        first = self.store.receipts.get(record.undone_by or "")
        if first is None:
            raise YeaError("not_found", "the receipt of this reversal is no longer kept")
        return self.receipt_body(first.receipt, replay=True)

    def reverse(self, record: ReceiptRecord, request: Request) -> Work:
        """Reverts, and makes the receipt of the reversal. Totals are not reduced (YEA 6.3)."""
        self.need_room("receipts", request.now)
        capability = self.intent_named(self.undo_capability(record))
        self.update_receipt(record, RUNNING)
        call = Call(request.now, record.principal, proposal=str(record.receipt["proposal"]))

        def done(result: Json) -> Receipt:
            receipt = self.reversal(record, request, result)
            self.keep_reversal(receipt, record)
            return receipt

        ends = Ends(
            done,
            give_back=lambda: self.update_receipt(record, OPEN),
            doubt=lambda: self.update_receipt(record, DOUBT),
        )
        receipt = yield from self.run_job(lambda: capability.revert(record.job, call), request, ends)
        return self.receipt_body(receipt)

    def reversal(self, record: ReceiptRecord, request: Request, result: Json) -> Receipt:
        """The receipt of a reversal: `undoes` set, `undo` null (YEA 4.5, 5.2)."""
        undone = record.receipt
        receipt: Receipt = {
            "id": self.new_id("r_"),
            "proposal": undone["proposal"],
            "capability": undone["capability"],
            "summary": f"Undid: {undone['summary']}",
            "at": int(request.now),
            "effects": self.effects_of_undo(undone),
            "undo": None,
            "undoes": undone["id"],
        }
        if result is not None:
            receipt["result"] = result
        return receipt

    def effects_of_undo(self, undone: Receipt) -> Json:
        """YEA 4.5: the original's effects, inverted."""
        effects = undone["effects"]
        return (
            [*inverted([effect for effect in effects if isinstance(effect, dict)])] if isinstance(effects, list) else []
        )

    def keep_reversal(self, receipt: Receipt, record: ReceiptRecord) -> None:
        """Keeps the reversal's receipt, as long as the one that it undoes."""
        name = str(receipt["id"])
        self.store.receipts.put(name, ReceiptRecord(receipt, record.job, record.principal, record.until))
        self.update_receipt(record, DONE, undone_by=name)

    def update_receipt(self, record: ReceiptRecord, state: str, undone_by: str | None = None) -> None:
        """Keeps how far the undo of a receipt is."""
        changed = dataclasses.replace(record, state=state, undone_by=undone_by)
        self.store.receipts.put(str(record.receipt["id"]), changed)
