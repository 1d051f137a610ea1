"""BYOB 4: joins that are taken or refused for the wrong reason, or leave the wrong trace."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from harness.faults import fault
from harness.faults.tables import answering
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import Api
from reference.byob.table import Table

LEAVES = "byob/4/refused-join-leaves-nothing"
RECORDED = "byob/4/join-is-recorded-with-its-card"
TAKEN = "byob/4/seat-is-taken-once"


@fault("byob/strangers-join", "byob/4/only-registered-owners-join")
class StrangersJoin(Table):
    """Registers an owner that it does not know by its first join."""

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """Take anybody."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Look at the signatures of those it knows."""
        if body["owner"] in self.state.config["owners"]:
            super().check_join_signature(body)


@fault("byob/strangers-are-unauthorized", "byob/4/only-registered-owners-join")
class StrangersUnauthorized(Table):
    """Refuses an unregistered owner with E_UNAUTHORIZED."""

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """Refuse with another code."""
        try:
            super().check_registered(body)
        except ByobError as error:
            raise ByobError("E_UNAUTHORIZED", str(error)) from None


@fault("byob/any-protocol", "byob/4/protocol-must-be-this-one")
class AnyProtocol(Table):
    """Takes joins of any version of the protocol."""

    def join(self, body: Any, token: str, now: int) -> str:
        """Read it as its own."""
        return super().join({**body, "protocol": "byob/0.1"} if isinstance(body, dict) else body, token, now)


@fault("byob/protocol-is-a-schema-fault", "byob/4/protocol-must-be-this-one")
class ProtocolIsSchema(Table):
    """Refuses another version of the protocol with E_SCHEMA."""

    def check_protocol(self, body: Any) -> None:
        """Refuse with another code."""
        try:
            super().check_protocol(body)
        except ByobError as error:
            raise ByobError("E_SCHEMA", str(error)) from None


@fault("byob/third-kind-of-seat", "byob/4/bots-and-humans")
class ThirdKind(Table):
    """Takes a seat of any kind, as a bot's."""

    def join(self, body: Any, token: str, now: int) -> str:
        """Take what it does not know for a bot."""
        if isinstance(body, dict) and body.get("kind") == "proxy":
            body = {**body, "kind": "bot"}
        return super().join(body, token, now)

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Look at humans' only."""
        if body["kind"] == "human":
            super().check_join_signature(body)


def _kindless(projection: Any) -> None:
    for seat in projection["prefix"]["seats"]:
        seat["kind"] = "bot"


def _roleless(projection: Any) -> None:
    for seat in projection["prefix"]["seats"]:
        seat.pop("role", None)


@fault("byob/everybody-is-shown-as-a-bot", "byob/4/bots-and-humans")
class ShownAsBots(answering(_kindless, "projection")):  # type: ignore[misc]
    """Shows humans as bots in the prefix."""


@fault("byob/roles-are-not-shown", "byob/4/role-is-kept")
class RolesNotShown(answering(_roleless, "projection")):  # type: ignore[misc]
    """Shows no roles in the prefix."""


@fault("byob/nonces-are-not-remembered", "byob/4/nonce-serves-once")
class NoncesForgotten(Table):
    """Takes a nonce any number of times."""

    def check_nonce(self, owner: str, nonce: str) -> None:
        """Take it."""


@fault("byob/nonce-reuse-is-a-bad-signature", "byob/4/nonce-serves-once")
class NonceReuseUnsigned(Table):
    """Refuses a used nonce with E_BAD_SIGNATURE."""

    def check_nonce(self, owner: str, nonce: str) -> None:
        """Refuse with another code."""
        try:
            super().check_nonce(owner, nonce)
        except ByobError as error:
            raise ByobError("E_BAD_SIGNATURE", str(error)) from None


@fault("byob/repeated-join-gives-another-token", "byob/4/repeated-join-gives-nothing")
class RepeatedJoin(Table):
    """Answers a repeated join with a fresh token of the same seat."""

    def check_nonce(self, owner: str, nonce: str) -> None:
        """Take it."""

    def check_seat_free(self, seat: str) -> None:
        """Take it."""

    def record_join(self, body: Mapping[str, Any], now: int) -> None:
        """Record it once."""
        if body["seat"] not in self.state.seats:
            super().record_join(body, now)


@fault("byob/joins-are-recorded-without-card", RECORDED)
class WithoutCard(Table):
    """Records a join with another card than was sent."""

    def record_join(self, body: Mapping[str, Any], now: int) -> None:
        """Record a card that says nothing."""
        super().record_join({**body, "card": {"bot": "?", "capabilities": []}}, now)


@fault("byob/joins-are-recorded-twice", RECORDED)
class RecordedTwice(Table):
    """Appends two seat_joined entries for a join."""

    def record_join(self, body: Mapping[str, Any], now: int) -> None:
        """Record it twice."""
        super().record_join(body, now)
        super().record_join(body, now)


@fault("byob/one-seat-an-owner", RECORDED)
class OneSeat(Table):
    """Gives an owner one seat only."""

    def check_seat_free(self, seat: str) -> None:
        """Refuse those of whom there are two already."""
        super().check_seat_free(seat)
        if seat == "n2":
            raise ByobError("E_SEAT_TAKEN", "you have a seat")


@fault("byob/description-is-refused", RECORDED)
class NoDescription(Table):
    """Refuses a card with a description."""

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """Refuse it."""
        super().check_registered(body)
        if "description" in body["card"]:
            raise ByobError("E_SCHEMA", "card.description: unknown member")


@fault("byob/taken-seats-are-given-away", TAKEN)
class GivenAway(Table):
    """Gives a seat to whoever joins it last."""

    def check_seat_free(self, seat: str) -> None:
        """Take it."""


@fault("byob/seat-is-free-for-its-owner", TAKEN)
class FreeForOwner(Table):
    """Lets an owner join its own seat again."""

    def check_seat_free(self, seat: str) -> None:
        """Refuse others only, whoever they are."""
        if seat not in self.state.seats or self.state.seats[seat].owner != "A":
            super().check_seat_free(seat)


@fault("byob/taken-seat-is-forbidden", TAKEN)
class TakenIsForbidden(Table):
    """Refuses a taken seat with E_NOT_OWNER."""

    def check_seat_free(self, seat: str) -> None:
        """Refuse with another code."""
        try:
            super().check_seat_free(seat)
        except ByobError as error:
            raise ByobError("E_NOT_OWNER", str(error)) from None


@fault("byob/first-token-dies-with-a-second-join", TAKEN)
class FirstTokenDies(Table):
    """Forgets the token of a seat that somebody else tries to join."""

    def check_seat_free(self, seat: str) -> None:
        """Forget, then refuse."""
        if seat in self.state.seats:
            self.kept.tokens = {token: name for token, name in self.kept.tokens.items() if name != seat}
        super().check_seat_free(seat)


@fault("byob/joins-at-once-all-win", "byob/4/one-of-two-joins-at-once")
class AllWin(Api):
    """Looks whether a seat is free, waits a moment, and then gives it away."""

    async def join(self, request: Request) -> Any:
        """Look at all that come at once as if each came alone."""
        table = self.host.tables[request.path_params["table"]]
        joined = len(table.state.seats)
        await asyncio.sleep(0.01)
        if len(table.state.seats) != joined:
            table.check_seat_free = lambda seat: None  # type: ignore[method-assign]
        return await super().join(request)


@fault("byob/closed-tables-take-seats", "byob/4/closed-tables-take-nobody")
class ClosedTakesSeats(Table):
    """Takes joins after the close."""

    def check_open(self, what: str) -> None:
        """Let seats in."""
        if what != "seat":
            super().check_open(what)


@fault("byob/closed-tables-are-not-found", "byob/4/closed-tables-take-nobody")
class ClosedNotFound(Table):
    """Refuses a join after the close with E_NOT_FOUND."""

    def check_open(self, what: str) -> None:
        """Refuse with another code."""
        try:
            super().check_open(what)
        except ByobError as error:
            raise ByobError("E_NOT_FOUND", str(error)) from None


@fault("byob/refused-joins-are-recorded", LEAVES)
class RefusedRecorded(Host):
    """Records a join before it looks whether it may."""

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        """Record what is refused."""
        try:
            return super().join(table, body, now)
        except ByobError:
            found = self.tables[table]
            self._run(found, lambda: found.record_join(body, int(now * 1000)))
            raise


@fault("byob/refused-joins-take-the-seat", LEAVES)
class RefusedTakesSeat(Table):
    """Leaves the seat of a refused join taken, without an entry."""

    def join(self, body: Any, token: str, now: int) -> str:
        """Take the seat at any rate."""
        try:
            return super().join(body, token, now)
        except ByobError:
            self.state.seats[body["seat"]] = next(iter(self.state.seats.values()))
            raise
