"""YEA 5.1: commits that do more than was declared, undo windows that begin too early, hashes of another text."""

import hashlib
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.yea.s06_2_texts import WRITERS
from reference.yea import b64url
from reference.yea.canonical import canonical
from reference.yea.errors import YeaError
from reference.yea.proposals import UNHASHED, undo_window
from reference.yea.service import Call, Request, Service
from reference.yea.service.executing import Authorized
from reference.yea.service.steps import Work
from reference.yea.service.store import ProposalRecord, ReceiptRecord

TRUE = "yea/5.1/updates-come-true"
FROM_COMMIT = "yea/5.1/the-undo-window-counts-from-the-commit"
RECOMPUTES = "yea/5.1/hash-recomputes"


@fault("yea/commits-apply-twice", TRUE)
class ApplyTwice(Service):
    """Applies what it commits twice."""

    def execute(self, record: ProposalRecord, request: Request, authorized: Authorized, *, auto: bool = False) -> Work:
        """Once more."""
        body = yield from super().execute(record, request, authorized, auto=auto)
        capability = self.intent_named(str(record.proposal["capability"]))
        call = Call(request.now, authorized.principal, proposal=str(record.proposal["id"]))
        yield from self.drive(capability.apply(record.job, call), request)
        return body


@fault("yea/undo-windows-count-from-the-proposal", FROM_COMMIT)
class FromTheProposal(Service):
    """Counts the undo window from the INTENT, whatever until says."""

    def propose(self, *given: Any) -> ProposalRecord:
        """Note when it was."""
        record = super().propose(*given)
        ends: dict[Any, float] = self.__dict__.setdefault("ends", {})
        ends[record.proposal["id"]] = given[1].now + (undo_window(record.proposal["undo"]) or 0)
        return record

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        """By that."""
        if request.now > self.__dict__["ends"][record.receipt["proposal"]]:
            raise YeaError("expired", "the undo window has closed")


def _hashing(write: Callable[[str], str]) -> type[Service]:
    class Hashing(Service):
        """Hashes a text of its own."""

        def hash(self, proposal: dict[str, Any]) -> str:
            """Write the canonical form otherwise."""
            hashed = {name: value for name, value in proposal.items() if name not in UNHASHED}
            return b64url.encode(hashlib.sha256(write(canonical(hashed)).encode()).digest())

    return Hashing


for _id, _says, _write in WRITERS:
    if _id in ("in-ascii", "for-html", "normalized"):
        _says = f"{_says[:-1]} in what it hashes."
        add(Fault(f"yea/proposals-hashed-{_id}", _says, (RECOMPUTES,), _hashing(_write), traffic="yea/4.3"))
