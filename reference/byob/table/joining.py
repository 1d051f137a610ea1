"""How a seat is taken (BYOB 4)."""

from collections.abc import Mapping
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.kept import kept_seat
from reference.byob.signing import join_payload
from reference.byob.table.watchdog import Watchdog
from reference.byob.types import PROTOCOL
from reference.byob.validating import validate


class Joining(Watchdog):
    """The handshake."""

    MAX_SEATS = 1000
    """Seats that a table has room for."""

    def join(self, body: Any, token: str, now: int) -> str:
        """POST seats: a join-request. token: the new seat's token. Returns the seat's id."""
        self.check_protocol(body)
        validate("join-request", body)
        self.check_open("seat")
        self.check_registered(body)
        self.check_join_signature(body)
        self.check_nonce(body["owner"], body["nonce"])
        self.check_seat_free(body["seat"])
        self.record_join(body, now)
        self.remember(kept_seat(body["seat"], token, body["owner"], body["nonce"]))
        self.settle(now)
        return str(body["seat"])

    def check_protocol(self, body: Any) -> None:
        """BYOB 4: only byob/0.1, whatever else a later version may send. Raises ByobError E_PROTOCOL."""
        protocol = body.get("protocol") if isinstance(body, dict) else None
        if isinstance(protocol, str) and protocol != PROTOCOL:
            raise ByobError("E_PROTOCOL", f"protocol must be {PROTOCOL}")

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """BYOB 4: the owner is one of the config. Raises ByobError E_NOT_OWNER."""
        self.owner_key(body["owner"])

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """BYOB 4: signed over table, seat, owner, kind, role, card and nonce. Raises ByobError E_BAD_SIGNATURE."""
        self.check_signature(body, self.join_payload(body))

    def join_payload(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What the owner signed."""
        return join_payload(self.id, body)

    def check_seat_free(self, seat: str) -> None:
        """BYOB 4: a seat is taken once. Raises ByobError E_SEAT_TAKEN, also when there is no room for another."""
        if seat in self.state.seats:
            raise ByobError("E_SEAT_TAKEN", f"seat {seat} has joined already; choose another id")
        if len(self.state.seats) >= self.MAX_SEATS:
            raise ByobError("E_SEAT_TAKEN", f"all {self.MAX_SEATS} seats of the table are taken")

    def record_join(self, body: Mapping[str, Any], now: int) -> None:
        """BYOB 4: system/seat_joined with the card."""
        members = {"joined": body["seat"], "owner": body["owner"], "member": body["kind"], "card": body["card"]}
        self.system("seat_joined", {**members, "role": body["role"]} if "role" in body else members, now)
