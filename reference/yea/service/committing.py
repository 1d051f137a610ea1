"""COMMIT: who may, under which limits, and that it happens once (YEA 4.4, 6.3, 6.6)."""

from reference.yea.consent import is_consent
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service.authority import Judged
from reference.yea.service.executing import Authorized, Executing
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body, Work
from reference.yea.service.store import DONE, DOUBT, OPEN, ProposalRecord, whole
from reference.yea.types import Json


class Committing(Executing):
    """COMMIT."""

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
        if request.now >= whole(record.proposal["expires"]):
            raise YeaError("expired", "the proposal has expired; send the INTENT again")

    def authorize(self, record: ProposalRecord, request: Request, grants: list[Grant]) -> Authorized:
        """YEA 4.4: the principal, then the expiry, then consent and limits; the requester came before."""
        own = self.check_principal(record, grants)
        self.check_expiry(record, request)
        judged = [Judged(grant, self.evaluate(grant, self.commit_context(record, request, grant))) for grant in own]
        if record.principal is None:
            return self.check_consent(record, judged)
        return self.check_limits(record, judged)

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
            expires=whole(proposal["expires"]),
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
