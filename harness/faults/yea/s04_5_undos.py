"""Faults of UNDO (YEA 4.5)."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Body, Pause, Request, Service
from reference.yea.service.executing import Receipt
from reference.yea.service.steps import Work
from reference.yea.service.store import ReceiptRecord
from reference.yea.types import Json

RECEIPT = "yea/4.5/undo-gets-a-receipt"
WINDOW = "yea/4.5/closed-window-is-expired"
REPEATED = "yea/4.5/repeated-undo-is-a-replay"
EFFECTS = "yea/4.5/reversal-inverts-the-effects"

AT_ONCE = "yea/4.5/simultaneous-undos-fail-each"

Effect = dict[str, Json]


@fault("yea/reversal-names-nothing", RECEIPT)
class ReversalNamesNothing(Service):
    """Leaves undoes out of the reversal's receipt."""

    def reversal(self, record: ReceiptRecord, request: Request, result: Json) -> Receipt:
        return {name: value for name, value in super().reversal(record, request, result).items() if name != "undoes"}


@fault("yea/reversal-has-the-same-id", RECEIPT)
class ReversalSameId(Service):
    """Answers an UNDO with the id of the receipt that it undoes."""

    def receipt_body(self, receipt: Receipt, *, replay: bool = False, auto: bool = False) -> Body:
        shown = {**receipt, "id": receipt["undoes"]} if "undoes" in receipt else receipt
        return super().receipt_body(shown, replay=replay, auto=auto)


@fault("yea/undo-does-nothing", "yea/4.5/undo-restores-the-state")
class UndoDoesNothing(Service):
    """Makes a receipt for a reversal that it does not carry out."""

    def reverse(self, record: ReceiptRecord, request: Request) -> Work:
        yield from ()
        receipt = self.reversal(record, request, None)
        self.keep_reversal(receipt, record)
        return self.receipt_body(receipt)


@fault("yea/undo-window-never-closes", WINDOW)
class WindowNeverCloses(Service):
    """Undoes after the window."""

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        return


@fault("yea/closed-window-is-forbidden", WINDOW)
class ClosedIsForbidden(Service):
    """Answers an UNDO after the window by forbidden."""

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        try:
            super().check_window(record, request)
        except YeaError as error:
            raise YeaError("forbidden", error.message) from None


@fault("yea/undo-for-any-principal", "yea/4.5/undo-is-for-the-same-principal")
class AnyPrincipal(Service):
    """Undoes under a grant of any principal."""

    def undo_grants(self, record: ReceiptRecord, grants: list[Grant]) -> list[Grant]:
        return grants


@fault("yea/undo-by-the-committer-only", "yea/4.5/another-agent-may-undo", outcome="warned")
class CommitterOnly(Service):
    """Undoes only for the key that committed."""

    def authorize_undo(self, record: ReceiptRecord, request: Request, grants: list[Grant]) -> None:
        super().authorize_undo(record, request, grants)
        if self.find_proposal(str(record.receipt["proposal"])).key != request.key:
            raise YeaError("forbidden", "another key committed this")


@fault("yea/repeated-undo-conflicts", REPEATED)
class RepeatedConflicts(Service):
    """Answers a second UNDO by a conflict."""

    def undo_replay(self, record: ReceiptRecord) -> Body:
        raise YeaError("conflict", "this is undone already")


@fault("yea/repeated-undo-is-no-replay", REPEATED)
class RepeatedNoReplay(Service):
    """Leaves replay out of the reply to a second UNDO."""

    def undo_replay(self, record: ReceiptRecord) -> Body:
        return {name: value for name, value in super().undo_replay(record).items() if name != "replay"}


@fault("yea/repeated-undo-makes-receipts", REPEATED)
class RepeatedMakesReceipts(Service):
    """Gives a second UNDO a receipt of its own."""

    def undo_replay(self, record: ReceiptRecord) -> Body:
        body = super().undo_replay(record)
        receipt = body["receipt"]
        return {**body, "receipt": {**receipt, "id": self.new_id("r_")}} if isinstance(receipt, dict) else body


@fault("yea/repeated-undo-expires", "yea/4.5/repeated-undo-after-the-window", outcome="warned")
class RepeatedExpires(Service):
    """Forgets at the end of the window that a receipt was undone."""

    def authorize_undo(self, record: ReceiptRecord, request: Request, grants: list[Grant]) -> None:
        super().authorize_undo(record, request, grants)
        self.check_window(record, request)


@fault("yea/repeated-undo-is-new-after-the-window", "yea/4.5/repeated-undo-after-the-window")
class RepeatedNewLater(Service):
    """Gives an UNDO again after the window a receipt of its own."""

    def undo(self, request: Request) -> Work:
        body = yield from super().undo(request)
        receipt = body.get("receipt") if isinstance(body, dict) else None
        undone = self.store.receipts.get(str(receipt["undoes"])) if isinstance(receipt, dict) else None
        if undone is None or not isinstance(body, dict) or not isinstance(receipt, dict):
            return body
        try:
            self.check_window(undone, request)
        except YeaError:
            return {**body, "receipt": {**receipt, "id": self.new_id("r_")}}
        return body


@fault("yea/undo-starts-twice", "yea/4.5/simultaneous-undos-reverse-once")
class UndoStartsTwice(Service):
    """Marks a receipt as being undone a moment after it began."""

    def reverse(self, record: ReceiptRecord, request: Request) -> Work:
        request.now = yield Pause(0.05)
        return (yield from super().reverse(record, request))


@fault("yea/anything-can-be-undone", "yea/4.5/irreversible-cannot-be-undone", "yea/4.5/undo-cannot-be-undone")
class AnythingUndone(Service):
    """Undoes receipts whose undo is null."""

    def check_undoable(self, record: ReceiptRecord) -> None:
        return


# Wrong inversions: (id, what is wrong, the op it is wrong for, the inverse in place of the right one).
INVERSIONS: tuple[tuple[str, str, str, Callable[[Effect], Effect]], ...] = (
    ("create-stays", "Reverses a create by a create.", "create", lambda effect: effect),
    ("delete-stays", "Reverses a delete by a delete.", "delete", lambda effect: effect),
    ("update-stays", "Leaves from and to of an update as they were.", "update", lambda effect: effect),
    ("send-stays", "Reverses a send by a send.", "send", lambda effect: effect),
    ("send-is-deleted", "Reverses a send by a delete.", "send", lambda effect: {**effect, "op": "delete"}),
    ("other-is-deleted", "Reverses an other by a delete.", "other", lambda effect: {**effect, "op": "delete"}),
    ("other-moves", "Reverses an other on another target.", "other", lambda effect: {**effect, "target": "x"}),
    (
        "missing-side-is-null",
        "Gives null for a side that an update left out.",
        "update",
        lambda effect: {**effect, "from": effect.get("to"), "to": effect.get("from")},
    ),
)


def _inverting(op: str, wrong: Callable[[Effect], Effect]) -> type[Service]:
    class Inverting(Service):
        def effects_of_undo(self, undone: Receipt) -> Json:
            done, right = undone["effects"], super().effects_of_undo(undone)
            if not isinstance(done, list) or not isinstance(right, list):
                return right
            pairs = zip(done, right, strict=True)
            return [wrong(was) if isinstance(was, dict) and was.get("op") == op else now for was, now in pairs]

    return Inverting


for _name, _says, _op, _wrong in INVERSIONS:
    add(Fault(f"yea/undone-{_name}", _says, (EFFECTS,), _inverting(_op, _wrong)))


@fault("yea/reversal-has-no-effects", EFFECTS)
class NoEffects(Service):
    """Gives a reversal no effects."""

    def effects_of_undo(self, undone: Receipt) -> Json:
        return []


@fault("yea/undos-at-once-share-an-error", AT_ONCE)
class SharedError(Service):
    """Answers UNDOs of one receipt that fail at once under the `re` of the first."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.running: dict[str, str] = {}

    def undo(self, request: Request) -> Work:
        name = str(request.frame.get("receipt"))
        first = self.running.setdefault(name, request.id)
        yield Pause(0.01)
        try:
            return (yield from super().undo(request))
        except YeaError as error:
            return self.reply(first, self.error_body(error))
        finally:
            if first == request.id:
                self.running.pop(name, None)


@fault("yea/undos-at-once-fail-once", AT_ONCE)
class OneError(Service):
    """Answers only the first of the UNDOs of one receipt that fail at once; the others wait for ever."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.failed: set[str] = set()

    def undo(self, request: Request) -> Work:
        name = str(request.frame.get("receipt"))
        while name in self.failed:
            yield Pause(1.0)
        try:
            return (yield from super().undo(request))
        except YeaError:
            self.failed.add(name)
            raise
