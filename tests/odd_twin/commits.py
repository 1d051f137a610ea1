"""The twin's COMMIT (YEA 4.4)."""

import math
from typing import Any

from reference.yea import proofs
from tests.odd_twin.authority import Judged, refuse
from tests.odd_twin.oddity import ABSENT, SMALL_EXTRA
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.state import SERVICE_ID, Asked, Body, Done, Prepared, State, spelt


class Commits(State):
    """Commits proposals, once each."""

    async def _commit(self, asked: Asked) -> Body:
        self._read_grants(asked)
        name, sent = asked.frame.get("proposal"), asked.frame.get("hash")
        prepared = self._prepared.get(name) if isinstance(name, str) else None
        if prepared is None:
            raise self._lost(asked, "proposal", name, sent)
        self._prove(asked, prepared.proposal["hash"])
        if sent != prepared.proposal["hash"]:
            raise Refusal("conflict", "the hash is not that of the proposal", fix=[{"say": "send the INTENT again"}])
        async with prepared.lock:
            if prepared.done is not None:
                self._check_replay(asked, prepared, prepared.done)
                return self._receipt(asked, prepared.done.receipt, replay=True)
            permit, principal = self._permit(asked, prepared)
            done = await self._execute(asked, prepared, permit, principal)
        return self._receipt(asked, done.receipt)

    def _prove(self, asked: Asked, target: str) -> None:
        """Check on COMMIT and UNDO that grants are there and the proof holds."""
        if not asked.grants:
            raise Refusal("unauthorized", "a grant is missing")
        verb = str(asked.frame["verb"])
        asked.key = self.authority.proved(asked.frame, verb, target, asked.clock())

    def _lost(self, asked: Asked, what: str, name: Any, target: Any) -> Refusal:
        """Return why an unknown name is refused: what is wrong with grants and proof comes first (YEA-Q25)."""
        if not asked.grants or not proofs.is_proof(asked.frame.get("proof")):
            return Refusal("unauthorized", "a grant or its proof is missing")
        if isinstance(target, str) and isinstance(name, str):
            self._prove(asked, target)
        return Refusal("not_found", f"there is no {what} {spelt(name)}")

    def _judge_commit(self, asked: Asked, prepared: Prepared, *, waive_limits: bool = False) -> list[Judged]:
        proposal = prepared.proposal
        return self.authority.judge(
            asked.grants or (),
            str(asked.key),
            "COMMIT",
            proposal["capability"],
            asked.clock(),
            proposal=proposal,
            waive_limits=waive_limits,
        )

    def _permit(self, asked: Asked, prepared: Prepared) -> tuple[Judged, str]:
        """Return the grant to charge and the principal it acts for, or raise Refusal (YEA 4.4)."""
        proposal = prepared.proposal
        judged = self._judge_commit(asked, prepared)
        if all(item.grant is None for item in judged):
            raise refuse(judged)
        if asked.clock() > proposal["expires"]:
            raise Refusal("expired", "the proposal has expired", fix=[{"say": "send the INTENT again", "params": {}}])
        judged = self._by_requester(asked, prepared, prepared.principal, judged)
        able = [item for item in judged if item.decision == "ok"]
        soft = [item for item in judged if item.decision == "soft"]
        if prepared.principal is None:
            consents = [item for item in able if item.grant and self.authority.is_consent(item.grant, proposal)]
            if consents:
                return consents[0], consents[0].issuer
            if able or soft:
                raise self._needs_consent(proposal, (able or soft)[0].issuer)
        elif able:
            return able[-1], prepared.principal
        elif soft:
            raise self._needs_consent(proposal, soft[-1].issuer)
        raise refuse(judged)

    def _by_requester(
        self, asked: Asked, prepared: Prepared, principal: str | None, judged: list[Judged]
    ) -> list[Judged]:
        """Return the valid grants of the right principal; raises Refusal for another requester or principal."""
        if prepared.requester is None or asked.key != prepared.requester:
            raise Refusal("forbidden", "only the agent that asked for the proposal may commit it")
        own = [item for item in judged if item.grant is not None and principal in (None, item.issuer)]
        if not own:
            raise Refusal("forbidden", "the proposal belongs to another principal")
        return own

    def _needs_consent(self, proposal: Body, principal: str) -> Refusal:
        consent = {
            "expires": proposal["expires"],
            "summary": proposal["summary"],
            "principal": principal,
            "capability": proposal["capability"],
            "service": SERVICE_ID,
            "hash": proposal["hash"],
            "proposal": proposal["id"],
            "x-hint": "ask nicely",
        }
        return Refusal("consent_required", "the principal has to approve this", consent=consent)

    def _check_replay(self, asked: Asked, prepared: Prepared, done: Done) -> None:
        """Refuse a repeat that is not authorized like the commit was, limits and consent aside (YEA 4.4)."""
        judged = self._judge_commit(asked, prepared, waive_limits=True)
        if all(item.grant is None for item in judged):
            raise refuse(judged)
        judged = self._by_requester(asked, prepared, prepared.principal, judged)
        able = [item for item in judged if item.decision == "ok"]
        if not able:
            raise refuse(judged)
        consents = [item for item in able if item.grant and self.authority.is_consent(item.grant, prepared.proposal)]
        acts_for = (consents or able)[0].issuer
        if acts_for != done.principal:
            raise Refusal("forbidden", "the commit acted for another principal")

    async def _execute(self, asked: Asked, prepared: Prepared, permit: Judged, principal: str) -> Done:
        """Reserve, apply and record; between the caller's check and the reservation nothing else can run."""
        plan, proposal = prepared.plan, prepared.proposal
        if plan.stale() and (plan.races or self.settings.conflicts_when_stale):
            raise Refusal("conflict", "the world has changed since", fix=[{"say": "send the INTENT again"}])
        if permit.grant is None:
            raise ValueError("a commit needs a grant")
        release = self.authority.reserve(permit.grant, proposal.get("uses", {}))
        try:
            result = await plan.apply(lambda message, progress: self._tell(asked, message, progress))
        except BaseException:
            release()
            raise
        now = asked.clock()
        until = None if plan.window is None else math.ceil(now) + plan.window
        receipt: Body = {
            "x": {"y": 0.5},
            "undo": None if until is None else {"x": 1, "until": until},
            "effects": [self._reported(effect) for effect in reversed(proposal["effects"])],
            "at": int(now),
            "summary": proposal["summary"],
            "capability": proposal["capability"],
            "proposal": proposal["id"],
            "id": self.rotor.new_id("r"),
        }
        if "uses" in proposal:
            receipt["uses"] = proposal["uses"]
        if result is not None:
            receipt["result"] = result
        if self.rotor.turn("undoes", (True, False)):
            receipt["undoes"] = None
        done = prepared.done = Done(receipt, plan, principal, str(asked.key), until)
        self._done[receipt["id"]] = done
        return done

    def _reported(self, effect: Body) -> Body:
        """Return an effect as a receipt tells it."""
        if not self.settings.terse_receipts:
            return effect
        return {name: value for name, value in effect.items() if name not in ("detail", *SMALL_EXTRA)}

    def _receipt(self, asked: Asked, receipt: Body, *, auto: bool = False, replay: bool = False) -> Body:
        body: Body = {"kind": "RECEIPT", "receipt": receipt}
        for name, value in (("auto", auto), ("replay", replay)):
            chosen = value or self.rotor.turn(f"no {name}", (ABSENT, False, None))
            if chosen is not ABSENT:
                body[name] = chosen
        return self._trim(body, asked.budget, asked.key, asked.clock())
