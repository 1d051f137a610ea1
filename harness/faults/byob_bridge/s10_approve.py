"""Bridges that sign decisions which the owner has not confirmed."""

import asyncio
from typing import Any

from mcp.server.mcpserver import Context
from pydantic import BaseModel

from harness.faults import fault
from reference.byob.bridge.approving import NotApproved
from reference.byob.bridge.bridge import Bridge, Decision, Result
from reference.byob.bridge.server import can_elicit
from reference.byob.keys import OwnerKey

FIRST = "byob-bridge/10/approve-asks-the-owner-first"
THINKS = "byob-bridge/10/nothing-is-signed-while-the-owner-thinks"
CONFIRMED = "byob-bridge/10/a-confirmed-decision-is-signed"
DECLINED = "byob-bridge/10/a-declined-decision-is-not-signed"
CANCELLED = "byob-bridge/10/a-cancelled-or-unticked-decision-is-not-signed"
AGENT = "byob-bridge/10/the-agent-cannot-confirm"
NOBODY = "byob-bridge/10/refuses-where-nobody-can-be-asked"
OWN = (*(name for name in Bridge.TOOLS if name != "approve"), "approve_")
"""The tools, with a byob_approve that the bridge itself makes, not the server."""


class Box(BaseModel):
    """What the owner answers."""

    confirm: bool


@fault("byob-bridge/asks-nobody", FIRST, DECLINED, CANCELLED, NOBODY)
class AsksNobody(Bridge):
    """Its byob_approve signs at once."""

    TOOLS = OWN

    async def approve_(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """Approve."""
        return await self.approve(task, decision, reason)


@fault("byob-bridge/signs-then-asks", FIRST)
class SignsThenAsks(Bridge):
    """It asks the owner after it has signed and sent."""

    async def question(self, task: str, decision: Any, reason: str) -> str:
        """Sign first."""
        text = await super().question(task, decision, reason)
        await super().approve(task, decision, reason)
        return text

    async def approve(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """It is approved."""
        return {"task": task}


@fault("byob-bridge/signs-while-the-owner-thinks", THINKS)
class SignsMeanwhile(Bridge):
    """It signs a moment after it has asked, without waiting for the answer."""

    async def question(self, task: str, decision: Any, reason: str) -> str:
        """Sign soon."""
        self.soon = asyncio.create_task(self._sign(task, decision, reason))
        return await super().question(task, decision, reason)

    async def _sign(self, task: str, decision: Any, reason: str) -> None:
        await asyncio.sleep(0.01)
        await super().approve(task, decision, reason)

    async def approve(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """It is approved."""
        await self.soon
        return {"task": task}


@fault("byob-bridge/confirms-and-forgets", CONFIRMED)
class Forgets(Bridge):
    """It sends nothing after the owner has confirmed."""

    async def approve(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """It is approved."""
        return {"task": task, "decision": decision}


@fault("byob-bridge/approves-always", CONFIRMED)
class ApprovesAlways(Bridge):
    """It approves what was to be rejected."""

    async def approve(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """Approve."""
        return await super().approve(task, "approve", reason)


@fault("byob-bridge/decides-with-another-key", CONFIRMED)
class DecidesWithAnotherKey(Bridge):
    """Its decision is signed by a key that it makes up, and the host refuses it."""

    async def approve(self, task: str, decision: Decision = "approve", reason: str = "") -> Result:
        """Approve."""
        told = self.settings
        return await self.host.decide(
            OwnerKey.generate(), table=told.table, owner=told.owner, task=task, decision=decision, reason=reason or None
        )


@fault("byob-bridge/signs-what-was-declined", DECLINED, AGENT)
class SignsDeclined(Bridge):
    """It signs although the owner declined."""

    def confirmed(self, action: str, confirm: bool) -> None:
        """Take a decline for a confirmation."""
        if action != "decline":
            super().confirmed(action, confirm)


@fault("byob-bridge/signs-what-was-cancelled", CANCELLED)
class SignsCancelled(Bridge):
    """It signs although the owner cancelled."""

    def confirmed(self, action: str, confirm: bool) -> None:
        """Take a cancel for a confirmation."""
        if action != "cancel":
            super().confirmed(action, confirm)


@fault("byob-bridge/signs-what-was-not-ticked", CANCELLED)
class SignsUnticked(Bridge):
    """It signs although the owner left the box unticked."""

    def confirmed(self, action: str, confirm: bool) -> None:
        """Look at the action alone."""
        super().confirmed(action, True)


class _Asks(Bridge):
    """Asks inside of the tool, so that it sees how that goes."""

    TOOLS = OWN

    async def approve_(self, task: str, context: Context, decision: Decision = "approve", reason: str = "") -> Result:
        """Ask, then sign."""
        return await self.asked(context, task, decision, reason)

    async def asked(self, context: Any, task: str, decision: Decision, reason: str) -> Result:
        """Ask the owner, and sign when they confirm."""
        self.may_ask(can_elicit(context))
        answer = await context.elicit(await self.question(task, decision, reason), Box)
        if answer.action != "accept" or not answer.data.confirm:
            raise NotApproved("the owner did not confirm")
        return await self.approve(task, decision, reason)


@fault("byob-bridge/signs-when-the-question-fails", THINKS)
class SignsWhenItFails(_Asks):
    """It signs when the client could not show the question."""

    async def asked(self, context: Any, task: str, decision: Decision, reason: str) -> Result:
        """Take an error for a confirmation."""
        try:
            return await super().asked(context, task, decision, reason)
        except NotApproved:
            raise
        except Exception:  # the client's error, whatever the SDK makes of it
            return await self.approve(task, decision, reason)


@fault("byob-bridge/lets-the-agent-confirm", AGENT)
class LetsTheAgentConfirm(_Asks):
    """Its byob_approve takes `confirm`, with which the agent spares the owner the question."""

    async def approve_(
        self, task: str, context: Context, decision: Decision = "approve", reason: str = "", confirm: bool = False
    ) -> Result:
        """Ask, unless the agent confirms."""
        if confirm:
            return await self.approve(task, decision, reason)
        return await self.asked(context, task, decision, reason)


@fault("byob-bridge/signs-where-nobody-can-be-asked", NOBODY)
class SignsWithoutElicitation(_Asks):
    """It signs at once for a client that cannot elicit."""

    async def asked(self, context: Any, task: str, decision: Decision, reason: str) -> Result:
        """Sign when it cannot ask."""
        if not can_elicit(context):
            return await self.approve(task, decision, reason)
        return await super().asked(context, task, decision, reason)


@fault("byob-bridge/says-that-it-cannot-ask", NOBODY, outcome="warned")
class SaysThatItCannot(_Asks):
    """For a client that cannot elicit it returns a text that says so, as a success."""

    async def asked(self, context: Any, task: str, decision: Decision, reason: str) -> Result:
        """Return a text when it cannot ask."""
        if not can_elicit(context):
            return {"told": "run byob approve yourself"}
        return await super().asked(context, task, decision, reason)
