"""YEA 5.2: receipts that are malformed, or that say otherwise than the proposal they are of."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add
from harness.faults.yea.s05_1_proposals import Change, Members, with_, without
from reference.yea.service import Body, Request, Service
from reference.yea.service.executing import Receipt
from reference.yea.service.store import ReceiptRecord
from reference.yea.types import Json

DECLARED = "yea/5.1/changes-are-declared"
IRREVERSIBLE = "yea/5.1/irreversible-has-undo-null"
NAMES = "yea/5.2/receipt-names-its-proposal"
AT = "yea/5.2/at-is-the-second-of-the-commit"
USES = "yea/5.2/receipt-repeats-uses"
UNTIL = "yea/5.2/until-is-at-and-the-window"
FINAL = "yea/5.2/an-undo-receipt-is-final"
MEMBERS = "yea/5.2/receipts-have-their-members"
RESULT = "yea/5.2/a-null-result-is-left-out"
SHAPE = "yea/5.2/undo-is-null-or-has-an-until"
UNIX = "yea/5.2/at-is-unix-seconds"
TRAFFIC = "yea/5.2/receipt-names-its-proposal"
MORE = {"op": "send", "target": "audit@example.com"}

Reshape = Callable[[Members, Members], Members]
"""(receipt, its proposal) to the receipt that is sent."""


def receiving(change: Reshape) -> type[Service]:
    """Return a service that sends the receipt of each commit otherwise than it keeps it."""

    class Receiving(Service):
        """Shows receipts otherwise."""

        def receipt_body(self, receipt: Receipt, *, replay: bool = False, auto: bool = False) -> Body:
            """Change it."""
            record = self.store.proposals.get(str(receipt["proposal"]))
            if "undoes" not in receipt and record is not None:
                receipt = change(receipt, record.proposal)
            return super().receipt_body(receipt, replay=replay, auto=auto)

    return Receiving


def _plain(change: Change) -> Reshape:
    return lambda receipt, _: change(receipt)


def _until(change: Callable[[int], Any]) -> Reshape:
    return lambda receipt, _: (
        {**receipt, "undo": {"until": change(receipt["undo"]["until"])}} if receipt["undo"] else receipt
    )


def _at(change: Callable[[int], Any]) -> Reshape:
    return lambda receipt, _: {**receipt, "at": change(receipt["at"])}


def _effects(change: Callable[[list[Any]], list[Any]]) -> Reshape:
    return lambda receipt, _: {**receipt, "effects": change(receipt["effects"])}


def _unless_there(**more: Any) -> Reshape:
    return lambda receipt, _: {**more, **receipt}


def _always_undoable(receipt: Members, _: Members) -> Members:
    return {**receipt, "undo": receipt["undo"] or {"until": 1_800_000_000}}


def _less_used(receipt: Members, _: Members) -> Members:
    return {**receipt, "uses": {}} if "uses" in receipt else receipt


# (id, what a receipt is or does, what it is killed by, the change, what the row is then).
RECEIPTS: tuple[tuple[str, str, tuple[str, ...], Reshape, str], ...] = (
    ("receipts-without-summary", "leaves the summary out", (MEMBERS,), _plain(without("summary")), "failed"),
    ("receipts-without-effects", "leaves the effects out", (MEMBERS,), _plain(without("effects")), "failed"),
    ("receipts-elsewhere", "names another capability", (NAMES,), _plain(with_(capability="other")), "failed"),
    ("receipts-of-another-proposal", "names another proposal", (NAMES,), _plain(with_(proposal="p_x")), "failed"),
    ("every-receipt-undoes", "undoes something", (NAMES,), _plain(with_(undoes="r_0")), "failed"),
    ("at-in-milliseconds", "tells milliseconds", (AT, UNIX), _at(lambda at: at * 1000), "failed"),
    ("at-is-a-text", "tells the time as a text", (AT, UNIX), _at(str), "failed"),
    ("at-is-the-expiry", "tells when its proposal expires", (AT,), lambda r, p: {**r, "at": p["expires"]}, "failed"),
    ("at-is-some-seconds-off", "tells the second of a slow clock", (AT,), _at(lambda at: at - 30), "warned"),
    ("receipts-without-uses", "leaves the uses out", (USES,), _plain(without("uses")), "failed"),
    ("receipts-with-other-uses", "says it used less", (USES,), _less_used, "failed"),
    ("receipts-with-more-uses", "says it used more", (USES,), _unless_there(uses={"x": {"amount": 1}}), "failed"),
    ("receipts-with-a-null-result", "has a result of null", (RESULT,), _unless_there(result=None), "failed"),
    ("receipts-repeat-the-window", "has no until", (UNTIL, SHAPE), lambda r, p: {**r, "undo": p["undo"]}, "failed"),
    ("until-in-milliseconds", "ends in milliseconds", (UNTIL,), _until(lambda end: end * 1000), "failed"),
    ("until-is-a-window", "ends in seconds from now", (UNTIL,), _until(lambda end: 3600), "failed"),
    ("until-a-minute-early", "ends a minute early", (UNTIL,), _until(lambda end: end - 60), "failed"),
    ("until-is-a-text", "ends at a text", (UNTIL, SHAPE), _until(str), "failed"),
    ("undoable-receipts-without-undo", "cannot be undone", (UNTIL,), _plain(with_(undo=None)), "failed"),
    ("irreversible-receipts-with-undo", "can be undone, always", (IRREVERSIBLE,), _always_undoable, "failed"),
    ("receipts-with-more-effects", "did more", (DECLARED,), _effects(lambda listed: [*listed, MORE]), "failed"),
    ("receipts-with-fewer-effects", "did less", (DECLARED,), _effects(lambda listed: listed[1:]), "warned"),
)
for _id, _says, _claims, _reshape, _outcome in RECEIPTS:
    add(Fault(f"yea/{_id}", f"A receipt {_says}.", _claims, receiving(_reshape), outcome=_outcome, traffic=TRAFFIC))


def _reversal(change: Change) -> type[Service]:
    class Reversal(Service):
        """Makes the receipt of an UNDO otherwise."""

        def reversal(self, record: ReceiptRecord, request: Request, result: Json) -> Receipt:
            """Change it."""
            return change(super().reversal(record, request, result))

    return Reversal


for _id, _says, _turn in (
    ("reversals-can-be-undone", "can be undone", with_(undo={"until": 1_800_000_000})),
    ("reversals-undo-themselves", "undoes itself", lambda r: {**r, "undoes": r["id"]}),
    ("reversals-undo-nothing", "does not say what it undoes", without("undoes")),
):
    add(Fault(f"yea/{_id}", f"The receipt of an UNDO {_says}.", (FINAL,), _reversal(_turn)))
