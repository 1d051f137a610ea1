"""What seats write (BYOB 5, 8)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from reference.byob.addressing import named_seats
from reference.byob.errors import ByobError
from reference.byob.table.joining import Joining
from reference.byob.table.tasking import Plan
from reference.byob.types import FLOOR_KINDS, WORK_KINDS, Entry, Seat
from reference.byob.validating import validate


class Posting(Joining):
    """From a post-request to the entry."""

    stored: ClassVar[tuple[str, ...]] = ("reply_to", "to", "body", "refs", "budget")
    """The members of a request that its entry has too. All others are the core's, or ignored."""

    stored_of: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "proposal": ("effects",),
        "decision": ("effects",),
        "status": ("task", "state"),
        "receipt": ("task", "artifact"),
        "verify": ("task", "result"),
    }
    """What the entry of a kind has beside them."""

    EVERYBODY: ClassVar[tuple[str, ...]] = ("*",)
    """Whom speech without `to` addresses."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """POST entries: a post-request of a seat that has joined. Returns the appended entry."""
        validate("post-request", body)
        author, kind = self.state.seats[seat], body["kind"]
        self.check_room()
        if kind in WORK_KINDS:
            self.check_addresses(body)
            self.check_report(author, body)
            plan = None
        else:
            plan = self.check_speech(author, body)
        entry = self.record(author, body, now)
        if plan is not None:
            self.open_task(plan, entry["seq"], now)
        self.settle(now)
        return entry

    def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Plan | None:
        """What holds before the close only (BYOB 8). Returns the task that the post's effects open, if it has any."""
        kind = body["kind"]
        self.check_open(kind)
        if kind in FLOOR_KINDS:
            self.check_floor(author, kind)
        if kind == "decision":
            self.check_decider(author)
        self.check_addresses(body)
        wanted = self.effects(body)
        return self.plan(author, wanted) if wanted else None

    def check_decider(self, seat: Seat) -> None:
        """BYOB 5: only a seat in decision_by decides. Raises ByobError E_NOT_DECIDER."""
        deciders = self.deciders()
        if seat.id not in deciders:
            wanted = ", ".join(deciders) or "nobody"
            raise ByobError("E_NOT_DECIDER", f"{seat.id} may not decide on this table, but {wanted} may")

    def deciders(self) -> tuple[str, ...]:
        """floor.decision_by, or the topology's default (BYOB 3, 7)."""
        config = self.state.config
        configured = config.get("floor", {}).get("decision_by")
        return self.state.policy.deciders(config) if configured is None else tuple(configured)

    def check_addresses(self, body: Mapping[str, Any]) -> None:
        """BYOB 5: @seat is a seat that has joined, or one of the topology. Raises ByobError E_ADDRESS."""
        for seat in named_seats(body.get("to", ())):
            if not self.is_addressable(seat):
                raise ByobError("E_ADDRESS", f"to names @{seat}, which is no seat of this table")

    def is_addressable(self, seat: str) -> bool:
        """Whether a seat exists, or is awaited."""
        return seat in self.state.seats or seat in self.state.policy.seats(self.state.config)

    def effects(self, body: Mapping[str, Any]) -> list[Any]:
        """BYOB 5: proposals and decisions have effects; those of another kind mean nothing."""
        return body.get("effects", []) if "effects" in self.stored_of.get(body["kind"], ()) else []

    def record(self, author: Seat, body: Mapping[str, Any], now: int) -> Entry:
        """Appends the entry."""
        kind = body["kind"]
        names = (*self.stored, *self.stored_of.get(kind, ()))
        members = {name: body[name] for name in names if name in body}
        if kind not in WORK_KINDS:
            members.setdefault("to", [*self.EVERYBODY])
        return self.write(author.id, kind, self.truncated(kind, members), now)
