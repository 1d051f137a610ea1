"""Bridges that sign another card than the owner's, or that choose for the agent what the agent should choose."""

from dataclasses import replace
from typing import Any

from harness.faults import fault
from reference.byob.bridge.bridge import Bridge, Result
from reference.byob.keys import OwnerKey

FILE = "byob-bridge/10/signs-the-card-of-the-file"
DEFAULT = "byob-bridge/10/without-a-card-file-talks-only"
CHOOSES = "byob-bridge/10/the-agent-chooses-seat-and-role"
CANNOT = "byob-bridge/10/the-agent-cannot-choose-capabilities"
WIDE = [{"resource": "*", "actions": ["*"], "auto_approve": True}]


@fault("byob-bridge/talks-only-always", FILE)
class TalksOnlyAlways(Bridge):
    """It signs a card without capabilities, whatever is in the file."""

    def card(self) -> dict[str, Any]:
        """Leave the capabilities out."""
        return {**self.settings.card, "capabilities": []}


@fault("byob-bridge/approves-automatically", FILE)
class ApprovesAutomatically(Bridge):
    """It lets the capabilities of the file be approved automatically."""

    def card(self) -> dict[str, Any]:
        """Set auto_approve."""
        card = self.settings.card
        return {**card, "capabilities": [{**each, "auto_approve": True} for each in card["capabilities"]]}


@fault("byob-bridge/names-itself-in-the-card", FILE)
class NamesItself(Bridge):
    """It puts its own name into the card of the file."""

    def card(self) -> dict[str, Any]:
        """Set bot."""
        return {**self.settings.card, "bot": "a bridge"}


@fault("byob-bridge/joins-with-another-key", "byob-bridge/10/join-takes-a-seat")
class JoinsWithAnotherKey(Bridge):
    """Its join is signed by a key that it makes up, and the host refuses it."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.settings = replace(self.settings, key=OwnerKey.generate())


@fault("byob-bridge/default-card-may-do-everything", DEFAULT)
class DefaultIsWide(Bridge):
    """Without a card file it signs a card that may do everything."""

    def card(self) -> dict[str, Any]:
        """Widen the default."""
        card = self.settings.card
        return card if card["capabilities"] else {**card, "capabilities": WIDE}


@fault("byob-bridge/chooses-the-seat", CHOOSES)
class ChoosesTheSeat(Bridge):
    """It takes a seat of its own choice."""

    async def join(self, seat: str, role: str = "") -> Result:
        """Take a seat."""
        return await super().join("b", role)


@fault("byob-bridge/drops-the-role", CHOOSES)
class DropsTheRole(Bridge):
    """It takes a role from the agent, and joins without one."""

    async def join(self, seat: str, role: str = "") -> Result:
        """Take a seat."""
        return await super().join(seat)


class _Told(Bridge):
    told: dict[str, Any] = {}

    def card(self) -> dict[str, Any]:
        """Let the agent change the card."""
        return {**self.settings.card, **self.told}


@fault("byob-bridge/takes-capabilities-from-the-agent", CANNOT)
class TakesCapabilities(_Told):
    """Its byob_join takes capabilities, and signs them."""

    async def join(self, seat: str, role: str = "", capabilities: Any = None) -> Result:
        """Take a seat."""
        self.told = {"capabilities": capabilities} if capabilities else {}
        return await super().join(seat, role)


@fault("byob-bridge/takes-a-card-from-the-agent", CANNOT)
class TakesACard(_Told):
    """Its byob_join takes a whole card, and signs that."""

    async def join(self, seat: str, role: str = "", card: Any = None) -> Result:
        """Take a seat."""
        self.told = card or {}
        return await super().join(seat, role)


@fault("byob-bridge/takes-powers-from-the-agent", CANNOT)
class TakesPowers(_Told):
    """Its byob_join takes capabilities under a name of its own, and signs them."""

    async def join(self, seat: str, role: str = "", powers: list[dict[str, Any]] | None = None) -> Result:
        """Take a seat."""
        self.told = {"capabilities": powers} if powers else {}
        return await super().join(seat, role)


@fault("byob-bridge/lets-the-agent-approve-automatically", CANNOT)
class TakesAutoApprove(_Told):
    """Its byob_join takes auto_approve, and sets it in the card of the file."""

    async def join(self, seat: str, role: str = "", auto_approve: bool = False) -> Result:
        """Take a seat."""
        given = self.settings.card["capabilities"]
        self.told = {"capabilities": [{**each, "auto_approve": auto_approve} for each in given]}
        return await super().join(seat, role)
