"""Proposals: from a capability's plan to what is offered, and finding one again (YEA 4.3, 5.1)."""

import dataclasses
import math

from reference.yea.errors import YeaError
from reference.yea.proposals import RISKS, proposal_hash, undo_window
from reference.yea.quantities import uses_valid
from reference.yea.service.asking import Asking
from reference.yea.service.capability import Call, Clarify, Intent, Plan
from reference.yea.service.reading import Request, shown
from reference.yea.service.steps import Body
from reference.yea.service.store import ProposalRecord
from reference.yea.types import Json


class PlanError(ValueError):
    """A capability made a plan that no proposal may say (YEA 5.1): an error of the service's own."""


class Planning(Asking):
    """What INTENT does without auto."""

    PROPOSAL_MEMORY = 900.0
    """Seconds that an expired proposal is remembered, so that its COMMIT gets `expired` and not `not_found`."""

    def plan(self, request: Request, capability: Intent, principal: str | None) -> Body | list[ProposalRecord]:
        """The proposals for a request, kept and inert, or the CLARIFY that asks for more (YEA 4.3)."""
        params = self.fit_params(capability, request)
        plans = capability.plan(params, Call(request.now, principal, request.goal))
        if isinstance(plans, Clarify):
            return self.clarify(plans)
        records = [self.propose(plan, request, capability, principal) for plan in plans]
        if not records:
            raise PlanError(f"{capability.name} made no plan")
        for record in records:
            self.keep_proposal(record, request.now)
        return records

    def clarify(self, question: Clarify) -> Body:
        """YEA 4.3: a question, and a merge patch for each way to resolve it."""
        options: list[Json] = [{"label": label, "params": patch} for label, patch in question.options]
        return {"kind": "CLARIFY", "question": question.question, "options": options}

    def offer(self, records: list[ProposalRecord]) -> Body:
        """YEA 4.3: PROPOSALS."""
        proposals: list[Json] = [record.proposal for record in records]
        return {"kind": "PROPOSALS", "proposals": proposals}

    def propose(self, plan: Plan, request: Request, capability: Intent, principal: str | None) -> ProposalRecord:
        """A plan as a proposal, bound to the key that proved itself and to the principal, if any (YEA 4.4)."""
        self.check_plan(plan)
        expires = self.expires(plan, request.now)
        proposal: dict[str, Json] = {
            "id": self.new_id("p_"),
            "capability": capability.name,
            "summary": plan.summary,
            "effects": list(plan.effects),
        }
        if plan.uses is not None:
            proposal["uses"] = plan.uses
        proposal |= {"risk": plan.risk, "undo": self.undo_of(plan), "expires": expires}
        proposal["hash"] = self.hash(proposal)
        if plan.data is not None:
            proposal["data"] = plan.data
        until = expires + self.PROPOSAL_MEMORY
        return ProposalRecord(proposal, plan.job, self.bound_key(request), principal, until)

    def check_plan(self, plan: Plan) -> None:
        """YEA 5.1: a service never sends a malformed risk, uses or undo. Raises PlanError."""
        if plan.risk not in RISKS:
            raise PlanError(f"a risk is one of {RISKS}, not {plan.risk!r}")
        if plan.uses is not None and not uses_valid(plan.uses):
            raise PlanError(f"malformed uses: {plan.uses!r}")
        if plan.undo and undo_window({"window": plan.undo}) is None:
            raise PlanError(f"no undo window: {plan.undo!r}")

    def hash(self, proposal: dict[str, Json]) -> str:
        """YEA 5.1: the hash binds everything but `hash` and `data`."""
        return proposal_hash(proposal)

    def undo_of(self, plan: Plan) -> Json:
        """YEA 5.1: a positive window, or null for an action that has none."""
        return {"window": plan.undo} if plan.undo else None

    def expires(self, plan: Plan, now: float) -> int:
        """YEA 5.1: when the proposal can no longer be committed; a whole minute, rounded up."""
        at = now + plan.lifetime
        return math.ceil(at / 60) * 60 if plan.whole_minute else math.floor(at)

    def bound_key(self, request: Request) -> str | None:
        """YEA 4.4: only the key whose verified proof was on the INTENT may commit; with none, nobody may."""
        return request.key

    # --- keeping and finding -------------------------------------------------------------------

    def keep_proposal(self, record: ProposalRecord, now: float) -> None:
        """Keeps a proposal. One without a principal is only a draft: when there are too many, the oldest goes."""
        name = str(record.proposal["id"])
        if record.principal is None:
            self.make_room("drafts")
            self.store.drafts.put(name, record)
        else:
            self.need_room("proposals", now)
            self.store.proposals.put(name, record)

    def find_proposal(self, name: str | None) -> ProposalRecord:
        """The proposal of that name. Raises `not_found` (YEA 3.1)."""
        record = None
        if name is not None:
            record = self.store.proposals.get(name) or self.store.drafts.get(name)
        if record is None:
            raise YeaError("not_found", f"there is no proposal {shown(name)}")
        return record

    def intent_named(self, name: str) -> Intent:
        """The capability that made a proposal. A store on disk may know one that is no longer offered."""
        capability = self.capabilities.get(name)
        if not isinstance(capability, Intent):
            raise YeaError("unavailable", f"the service no longer offers {name}")
        return capability

    def update_proposal(self, record: ProposalRecord, **changes: str | float | None) -> ProposalRecord:
        """Keeps a proposal whose commit has begun, and returns it as it now stands."""
        name = str(record.proposal["id"])
        changed = dataclasses.replace(record, **changes)  # type: ignore[arg-type]
        self.store.drafts.remove(name)
        self.store.proposals.put(name, changed)
        return changed
