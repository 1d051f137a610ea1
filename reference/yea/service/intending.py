"""INTENT, and its policy-gated auto-commit (YEA 4.3, 4.3.1)."""

from reference.yea.proposals import undo_window
from reference.yea.service.capability import Intent
from reference.yea.service.core import doubt_name
from reference.yea.service.executing import Authorized
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body, Reply, Work
from reference.yea.service.store import AutoRecord, ProposalRecord, is_past
from reference.yea.service.undoing import Undoing

ENVELOPE = ("yea", "id", "re")


class Intending(Undoing):
    """INTENT."""

    AUTO_MEMORY = 900.0
    """YEA 4.3.1: seconds, after the later of arrival and proof time, that an auto INTENT is remembered."""

    def intent(self, request: Request) -> Work:
        """YEA 4.3: INTENT is answered by PROPOSALS or CLARIFY; with auto perhaps by a RECEIPT."""
        capability = self.find_intent(request)
        principal = self.acting_for(request, capability.name)
        name = self.auto_name(request)
        if name is None:
            return (yield from self.plan_or_commit(request, capability, principal, None))
        while (known := self.recall_auto(name, request)) is not None:
            if known.body is not None:
                return self.repeat_auto(request, known.body)
            request.now = yield self.wait()
        return (yield from self.first_auto(request, capability, principal, name))

    def plan_or_commit(self, request: Request, capability: Intent, principal: str | None, name: str | None) -> Work:
        """Plans, and commits the first proposal if it may be (YEA 4.3.1)."""
        planned = self.plan(request, capability, principal)
        if isinstance(planned, dict):
            return planned
        record = self.auto_choice(planned)
        authorized = self.auto_conditions(request, record) if name is not None else None
        if name is None or authorized is None:
            return self.offer(planned)
        self.remember_auto(name, request, None, str(record.proposal["id"]))
        return (yield from self.execute(record, request, authorized, auto=True))

    def auto_choice(self, records: list[ProposalRecord]) -> ProposalRecord:
        """YEA 4.3.1: only the first proposal is ever committed."""
        return records[0]

    # --- the three conditions ------------------------------------------------------------------

    def auto_conditions(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """YEA 4.3.1: the grant that lets the proposal skip the preview, or None when a condition fails."""
        principal = record.principal
        if principal is None or not self.auto_undoable(record):
            return None
        if self.lately_in_doubt(principal, str(record.proposal["capability"]), request.now):
            return None
        return self.auto_authorized(request, record)

    def auto_authorized(self, request: Request, record: ProposalRecord) -> Authorized | None:
        """Condition 1: a grant of the INTENT's principal authorizes the COMMIT outright, with no consent."""
        for grant in self.valid_grants(request):
            if grant.issuer == record.principal:
                context = self.commit_context(record, request, grant)
                if self.evaluate(grant, context).decision == "ok":
                    return Authorized(grant, grant.issuer)
        return None

    def auto_undoable(self, record: ProposalRecord) -> bool:
        """Condition 2: the proposal has a positive undo window."""
        return undo_window(record.proposal["undo"]) is not None

    def lately_in_doubt(self, principal: str, capability: str, now: float) -> bool:
        """Condition 3: a commit of this principal and capability was found in doubt in the last 900 s."""
        doubt = self.store.doubts.get(doubt_name(principal, capability))
        return doubt is not None and not is_past(doubt, now)

    # --- the memory of auto INTENTs ------------------------------------------------------------

    def auto_name(self, request: Request) -> str | None:
        """What an auto INTENT is remembered by: proof key and frame id, whatever the connection.

        None for an INTENT without auto, or without a verified proof: that is handled like a plain one.
        """
        return f"{request.key} {request.id}" if request.auto and request.key is not None else None

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        """What is remembered of an earlier request of that name. It is then remembered for longer."""
        known = self.store.autos.get(name)
        if known is None or is_past(known, request.now):
            return None
        if known.body is not None and known.until < self.auto_until(request):
            self.store.autos.put(name, AutoRecord(known.body, self.auto_until(request), known.proposal))
        return known

    def remember_auto(self, name: str, request: Request, body: Body | None, proposal: str | None = None) -> None:
        """Remembers an auto INTENT: first that it runs, then what it was answered."""
        self.store.autos.put(name, AutoRecord(body, self.auto_until(request), proposal))

    def auto_until(self, request: Request) -> float:
        """YEA 4.3.1: 900 s after the later of the arrival and the proof's ts."""
        ts = request.proof.ts if request.proof is not None else request.now
        return max(request.now, ts) + self.AUTO_MEMORY

    def first_auto(self, request: Request, capability: Intent, principal: str | None, name: str) -> Work:
        """The first auto INTENT of its name: whatever it is answered, a repeat is answered the same."""
        self.need_room("autos", request.now)
        self.remember_auto(name, request, None)
        try:
            outcome = yield from self.guard(self.plan_or_commit(request, capability, principal, name))
        except BaseException:
            self.recover_auto(name)
            raise
        reply = outcome if isinstance(outcome, Reply) else self.finish(request, outcome)
        self.remember_auto(name, request, {k: v for k, v in reply.frame.items() if k not in ENVELOPE})
        return reply

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        """YEA 4.3.1: the original reply as a new frame with a fresh id; `replay` is true on a receipt."""
        repeated = {**body, "replay": True} if body.get("kind") == "RECEIPT" else body
        return self.reply(request.id, repeated)
