"""BYOB 4: cards that are not what was sent, and approvals that no card gives, or that a card forbids."""

from collections.abc import Mapping, Sequence
from typing import Any

from harness.faults import fault
from harness.faults.tables import answering
from reference.byob import effects
from reference.byob.errors import ByobError
from reference.byob.table import Table
from reference.byob.types import Seat

REQUIRES = "byob/4/requires-approval-binds-the-own-seats"
AUTO = "byob/4/auto-approve-covers-its-actions"
Effects = Sequence[Mapping[str, Any]]


@fault("byob/any-capability", "byob/4/capabilities-have-resource-and-actions")
class AnyCapability(Table):
    """Looks at no capability of a card, and takes those away that it cannot read."""

    def join(self, body: Any, token: str, now: int) -> str:
        """Keep what it can read."""
        if isinstance(body, dict) and isinstance(body.get("card"), dict) and body.get("seat") == "bad":
            body = {**body, "card": {**body["card"], "capabilities": []}}
        return super().join(body, token, now)

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Take cards without capabilities as they are."""
        if body["card"]["capabilities"]:
            super().check_join_signature(body)


@fault("byob/card-defaults-before-verifying", "byob/4/card-is-verified-as-sent")
class DefaultsFirst(Table):
    """Fills in what a card leaves out before it verifies the signature."""

    def join_payload(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the flags."""
        signed = super().join_payload(body)
        filled = [
            {"requires_approval": False, "auto_approve": False, **each} for each in signed["card"]["capabilities"]
        ]
        return {**signed, "card": {"proxy": False, **signed["card"], "capabilities": filled}}


def _no_proxies(projection: Any) -> None:
    for seat in projection["prefix"]["seats"]:
        seat["proxy"] = False


def _all_proxies(projection: Any) -> None:
    for seat in projection["prefix"]["seats"]:
        seat["proxy"] = True


@fault("byob/proxies-are-hidden", "byob/4/proxies-are-shown")
class ProxiesHidden(answering(_no_proxies, "projection")):  # type: ignore[misc]
    """Shows no seat as a proxy."""


@fault("byob/all-are-proxies", "byob/4/proxies-are-shown")
class AllProxies(answering(_all_proxies, "projection")):  # type: ignore[misc]
    """Shows every seat as a proxy."""


@fault("byob/own-proposals-never-wait", REQUIRES)
class OwnNeverWait(Table):
    """Approves the owner's own proposals at once, requires_approval or not."""

    def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
        """Look at owners only."""
        return proposer.owner == executor.owner or super().is_auto_approved(wanted, proposer, executor)


@fault("byob/auto-approve-beats-requires-approval", REQUIRES)
class AutoWins(Table):
    """Lets auto_approve win over requires_approval on the same capability."""

    def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
        """Look at auto_approve first."""
        marked = [each for each in executor.card["capabilities"] if each.get("auto_approve")]
        names = {(each["resource"], action) for each in marked for action in each["actions"]}
        free = {(effect["resource"], effect["action"]) for effect in wanted} <= names
        return free or super().is_auto_approved(wanted, proposer, executor)


@fault("byob/auto-approve-means-nothing", AUTO)
class AutoMeansNothing(Table):
    """Looks at no auto_approve."""

    def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
        """Look at the owner's own only."""
        return effects.own_approval(wanted, proposer, executor)


@fault("byob/auto-approve-covers-the-card", AUTO)
class AutoCoversCard(Table):
    """Takes one auto_approve for the whole card."""

    def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
        """Look whether there is one."""
        marked = any(each.get("auto_approve") for each in executor.card["capabilities"])
        return marked or super().is_auto_approved(wanted, proposer, executor)


@fault("byob/config-grants-approval", "byob/4/config-grants-no-approval")
class ConfigGrants(Table):
    """Takes an auto_approve of the table config for the owner's."""

    def is_auto_approved(self, wanted: Effects, proposer: Seat, executor: Seat) -> bool:
        """Look into the config."""
        granted = self.state.config["floor"].get("auto_approve") or self.state.config.get("auto_approve")
        return bool(granted) or super().is_auto_approved(wanted, proposer, executor)


@fault("byob/bare-cards-are-refused", "byob/4/card-is-verified-as-sent")
class BareRefused(Table):
    """Refuses a card whose capabilities do not state both flags."""

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """Look for the flags."""
        super().check_registered(body)
        if any("auto_approve" not in each for each in body["card"]["capabilities"]):
            raise ByobError("E_SCHEMA", "card.capabilities: auto_approve is missing")
