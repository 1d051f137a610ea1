"""The twin's INTENT, with and without auto (YEA 4.3)."""

import math
from typing import Any

from reference.yea.proposals import proposal_hash
from tests.odd_twin import schema
from tests.odd_twin.commits import Commits
from tests.odd_twin.oddity import ABSENT, HASHED_EXTRA, SMALL_EXTRA
from tests.odd_twin.plans import EXPIRY, Choice, Plan
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.state import Asked, Auto, Body, Prepared

ROUTES = {"calendar.suggest": "calendar.book", "shop.flaky": "shop.order"}


class Intents(Commits):
    """Plans, and commits by itself what it may."""

    async def _intent(self, asked: Asked) -> Body:
        self._read_grants(asked)
        params = self._read_params(asked)
        entry = self._capability(asked, "intent")
        auto = asked.frame.get("auto") is True
        target = f"auto:{entry.name}:{asked.frame['id']}" if auto else entry.name
        presented = self._identify(asked, "INTENT", target, entry.name)
        if not auto or not presented:
            return self._plan(asked, entry, params, presented)[0]
        return await self._auto(asked, entry, params)

    async def _auto(self, asked: Asked, entry: Any, params: Body) -> Body:
        key = (str(asked.key), str(asked.frame["id"]))
        if key in self._autos:
            return await self._repeat(asked, self._autos[key])
        kept = self._autos[key] = Auto(asked.principal)
        try:
            kept.body = await self._plan_and_commit(asked, entry, params)
        except Refusal as refusal:
            kept.refusal = refusal
            if not self.settings.refused_auto_keeps_error:
                del self._autos[key]
            raise
        finally:
            kept.ended.set()
        return kept.body

    async def _repeat(self, asked: Asked, kept: Auto) -> Body:
        """Answer a repeat as the first was answered; who asks was verified again before (YEA-Q40)."""
        if kept.principal is not None and asked.principal != kept.principal:
            raise Refusal("forbidden", "the first was authorized by another principal")
        await kept.ended.wait()
        if kept.body is None:
            raise kept.refusal or Refusal("unavailable", "the first attempt broke off")
        return {**kept.body, "replay": True} if kept.body["kind"] == "RECEIPT" else kept.body

    async def _plan_and_commit(self, asked: Asked, entry: Any, params: Body) -> Body:
        body, made = self._plan(asked, entry, params, presented=True)
        if not made or asked.principal is None or made[0].plan.window is None:
            return body
        first = made[0]
        judged = self._judge_commit(asked, first)
        able = [item for item in judged if item.decision == "ok" and item.issuer == asked.principal]
        if not able:
            return body
        done = await self._execute(asked, first, able[-1], asked.principal)
        return self._receipt(asked, done.receipt, auto=True)

    def _plan(self, asked: Asked, entry: Any, params: Body, presented: bool) -> tuple[Body, list[Prepared]]:
        self.world.now = asked.clock()
        plans = entry.run(schema.check(entry, params))
        if isinstance(plans, Choice):
            options = [{"x": [], "params": patch, "label": label} for label, patch in plans.options]
            return {"kind": "CLARIFY", "options": options, "question": plans.question}, []
        bound = presented or self.settings.proof_binds_requester
        now = asked.clock()
        made = [
            Prepared(self._proposal(entry.name, plan, now), plan, asked.key if bound else None, asked.principal)
            for plan in plans
        ]
        self._prepared.update({one.proposal["id"]: one for one in made})
        body: Body = {"kind": "PROPOSALS", "proposals": [one.proposal for one in made]}
        return self._trim(body, asked.budget, asked.key, now), made

    def _proposal(self, capability: str, plan: Plan, now: float) -> Body:
        nulls: Body = {"field": None, "detail": None} if self.settings.null_members else {}
        proposal: Body = {
            **HASHED_EXTRA,
            "expires": self._expires(plan, now),
            "undo": None if plan.window is None else {"x": "y", "window": plan.window},
            "risk": plan.risk,
            "effects": [{**SMALL_EXTRA, **nulls, **effect} for effect in plan.effects],
            "summary": plan.summary,
            "capability": ROUTES.get(capability, capability) if self.settings.routes else capability,
            "id": self.rotor.new_id("p"),
        }
        uses = self.rotor.turn("no uses", (ABSENT, {})) if plan.uses is None else plan.uses
        if uses is not ABSENT:
            proposal["uses"] = uses
        if plan.data is not None or self.settings.null_members:
            proposal["data"] = plan.data
        return {"hash": proposal_hash(proposal), **proposal}

    def _expires(self, plan: Plan, now: float) -> int:
        if plan.ttl is None or self.settings.whole_minutes:
            return math.ceil((now + (plan.ttl or EXPIRY)) / 60) * 60
        return int(now) + plan.ttl
