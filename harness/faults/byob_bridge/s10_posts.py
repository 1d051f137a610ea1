"""Bridges whose tools do something else at the table than they should."""

from typing import Any

from harness.faults import fault
from reference.byob.bridge.bridge import Bridge, Result

JOIN = "byob-bridge/10/join-takes-a-seat"
SAY = "byob-bridge/10/say-posts-a-say"
PASS = "byob-bridge/10/pass-posts-a-pass"  # noqa: S105 - no password
HAND = "byob-bridge/10/raise-hand-posts-a-raise-hand"
PROPOSE = "byob-bridge/10/propose-posts-a-proposal"
DECIDE = "byob-bridge/10/decide-posts-a-decision"
STATUS = "byob-bridge/10/status-posts-a-status"
RECEIPT = "byob-bridge/10/receipt-posts-the-artifact"
VERIFY = "byob-bridge/10/verify-posts-a-verdict"

Texts = list[str] | None
Effects = list[dict[str, Any]]


@fault("byob-bridge/does-not-join", JOIN)
class DoesNotJoin(Bridge):
    """Its byob_join says that the seat is taken, and asks nobody."""

    async def join(self, seat: str, role: str = "") -> Result:
        """Take a seat."""
        return {"table": self.settings.table, "seat": seat}


@fault("byob-bridge/joins-and-fails", JOIN)
class JoinsAndFails(Bridge):
    """Its byob_join takes the seat, and then says that it failed."""

    async def join(self, seat: str, role: str = "") -> Result:
        """Take a seat."""
        await super().join(seat, role)
        return await super().join(seat, role)


@fault("byob-bridge/says-nothing", SAY)
class SaysNothing(Bridge):
    """Its byob_say succeeds, and posts nothing."""

    async def say(self, body: str, to: Texts = None, reply_to: int | None = None, refs: Texts = None) -> Result:
        """Speak."""
        return {"kind": "say", "body": body}


@fault("byob-bridge/changes-what-is-said", SAY)
class ChangesWhatIsSaid(Bridge):
    """Its byob_say adds a line of its own to the text."""

    async def say(self, body: str, to: Texts = None, reply_to: int | None = None, refs: Texts = None) -> Result:
        """Speak."""
        return await super().say(f"{body}\n(sent by my bridge)", to, reply_to, refs)


@fault("byob-bridge/says-it-to-everybody", SAY)
class SaysItToEverybody(Bridge):
    """Its byob_say takes `to`, and says to everybody what was meant for one."""

    async def say(self, body: str, to: Texts = None, reply_to: int | None = None, refs: Texts = None) -> Result:
        """Speak."""
        return await super().say(body, None, reply_to, refs)


@fault("byob-bridge/says-for-pass", PASS)
class SaysForPass(Bridge):
    """Its byob_pass says that it passes, instead of passing."""

    async def pass_(self, body: str = "") -> Result:
        """Yield the floor."""
        return await self.seat().say("I pass.")


@fault("byob-bridge/passes-nothing", PASS)
class PassesNothing(Bridge):
    """Its byob_pass succeeds, and posts nothing."""

    async def pass_(self, body: str = "") -> Result:
        """Yield the floor."""
        return {"kind": "pass"}


@fault("byob-bridge/raises-no-hand", HAND)
class RaisesNoHand(Bridge):
    """Its byob_raise_hand succeeds, and posts nothing."""

    async def raise_hand(self, body: str = "") -> Result:
        """Ask for the floor."""
        return {"kind": "raise_hand"}


@fault("byob-bridge/raises-two-hands", HAND)
class RaisesTwoHands(Bridge):
    """Its byob_raise_hand posts twice."""

    async def raise_hand(self, body: str = "") -> Result:
        """Ask for the floor."""
        await super().raise_hand(body)
        return await super().raise_hand(body)


@fault("byob-bridge/proposes-without-effects", PROPOSE)
class ProposesWithoutEffects(Bridge):
    """Its byob_propose posts a say, without the effects."""

    async def propose(self, body: str, effects: Effects, to: Texts = None, refs: Texts = None) -> Result:
        """Propose."""
        return await self.seat().say(body)


@fault("byob-bridge/drops-arguments-of-effects", PROPOSE)
class DropsArguments(Bridge):
    """Its byob_propose leaves out the args of the effects."""

    async def propose(self, body: str, effects: Effects, to: Texts = None, refs: Texts = None) -> Result:
        """Propose."""
        return await super().propose(body, [{**each, "args": {}} for each in effects], to, refs)


@fault("byob-bridge/proposes-another-text", PROPOSE)
class ProposesAnotherText(Bridge):
    """Its byob_propose posts the effects with a text of its own."""

    async def propose(self, body: str, effects: Effects, to: Texts = None, refs: Texts = None) -> Result:
        """Propose."""
        return await super().propose("I propose this", effects, to, refs)


@fault("byob-bridge/says-what-it-decides", DECIDE)
class SaysWhatItDecides(Bridge):
    """Its byob_decide posts a say."""

    async def decide(self, body: str, effects: Effects | None = None, to: Texts = None, refs: Texts = None) -> Result:
        """Decide."""
        return await self.seat().say(body)


@fault("byob-bridge/decides-another-text", DECIDE)
class DecidesAnotherText(Bridge):
    """Its byob_decide posts a decision with a text of its own."""

    async def decide(self, body: str, effects: Effects | None = None, to: Texts = None, refs: Texts = None) -> Result:
        """Decide."""
        return await super().decide("so be it", effects, to, refs)


@fault("byob-bridge/status-is-failed-always", STATUS)
class FailedAlways(Bridge):
    """Its byob_status reports failed, whatever the agent says."""

    async def status(self, task: str, state: str, body: str = "") -> Result:
        """Report."""
        return await self.seat().status(task, "failed", body or None)


@fault("byob-bridge/posts-no-status", STATUS)
class PostsNoStatus(Bridge):
    """Its byob_status succeeds, and posts nothing."""

    async def status(self, task: str, state: str, body: str = "") -> Result:
        """Report."""
        return {"task": task, "state": state}


@fault("byob-bridge/drops-the-artifact", RECEIPT)
class DropsTheArtifact(Bridge):
    """Its byob_receipt sends a word for the artifact."""

    async def receipt(self, task: str, artifact: Any, body: str = "") -> Result:
        """Report."""
        return await super().receipt(task, "done", body)


@fault("byob-bridge/posts-no-receipt", RECEIPT)
class PostsNoReceipt(Bridge):
    """Its byob_receipt succeeds, and posts nothing."""

    async def receipt(self, task: str, artifact: Any, body: str = "") -> Result:
        """Report."""
        return {"task": task}


@fault("byob-bridge/verifies-as-passed-always", VERIFY)
class PassedAlways(Bridge):
    """Its byob_verify posts pass, whatever the agent says."""

    async def verify(self, task: str, result: str, body: str = "") -> Result:
        """Judge."""
        return await self.seat().verify(task, "pass", body or None)


@fault("byob-bridge/posts-no-verdict", VERIFY)
class PostsNoVerdict(Bridge):
    """Its byob_verify succeeds, and posts nothing."""

    async def verify(self, task: str, result: str, body: str = "") -> Result:
        """Judge."""
        return {"task": task, "result": result}
