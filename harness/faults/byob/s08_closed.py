"""BYOB 8: tables that take too much after their close, or too little."""

from collections.abc import Callable, Mapping
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.byob.s05_speaking import recoding
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.table.tasking import Plan
from reference.byob.types import Entry, Seat

FLOOR = "byob/8/closed-table-refuses-the-floor-plane"
ROUNDS = "byob/8/table-closed-by-its-rounds-refuses-too"
WORK = "byob/8/open-tasks-finish-after-the-close"
LAST = "byob/8/task-of-the-last-decision-can-be-finished"
NONE = "byob/8/closed-table-grants-no-floor"
READS = "byob/8/closed-table-can-be-read"


def _open(kind: str) -> type[Table]:
    """Make a table that takes a kind after its close from those who held the floor, and from humans."""

    class StillOpen(Table):
        """Takes some posts after the close."""

        def check_open(self, what: str) -> None:
            """Let this kind pass."""
            if what != kind:
                super().check_open(what)

        def check_floor(self, seat: Seat, of: str) -> None:
            """Ask for no floor after the close."""
            if self.state.status == "open" or of != kind:
                super().check_floor(seat, of)

    return StillOpen


for _kind in ("say", "pass", "proposal", "decision"):
    add(Fault(f"byob/closed-tables-take-a-{_kind}", f"Takes a {_kind} after the close.",
              (FLOOR, ROUNDS) if _kind in ("say", "pass") else (FLOOR,), _open(_kind)))  # fmt: skip
add(Fault("byob/closed-tables-have-no-floor", "Refuses all after the close with E_NOT_FLOOR.", (FLOOR, ROUNDS),
          recoding("check_open", "E_NOT_FLOOR", "E_TABLE_CLOSED")))  # fmt: skip
add(Fault("byob/posts-after-the-close-are-not-found", "Refuses all after the close with E_NOT_FOUND.", (FLOOR, ROUNDS),
          recoding("check_open", "E_NOT_FOUND", "E_TABLE_CLOSED")))  # fmt: skip


@fault("byob/humans-say-after-the-close", FLOOR, ROUNDS)
class HumansSay(Table):
    """Lets humans say after the close."""

    def check_speech(self, author: Seat, body: Mapping[str, Any]) -> Plan | None:
        """Take them out."""
        if author.kind == "human" and body["kind"] == "say":
            return None
        return super().check_speech(author, body)


def _shut(method: str, when: Callable[..., bool]) -> type[Table]:
    """Make a table that refuses by one of its methods after the close, where `when` is true of its arguments."""

    def refuse(self: Table, *given: Any) -> Any:
        if self.state.status == "closed" and when(*given):
            raise ByobError("E_TABLE_CLOSED", "the table is closed")
        return getattr(Table, method)(self, *given)

    return type("Shut", (Table,), {method: refuse})


for _words, _says, _method, _when, _kills in (
    ("approvals-end-with-the-table", "Takes no approval after the close.", "decide",
     lambda body, now: body["decision"] == "approve", (WORK, LAST)),
    ("rejections-end-with-the-table", "Takes no rejection after the close.", "decide",
     lambda body, now: body["decision"] == "reject", (WORK,)),
    ("statuses-end-with-the-table", "Takes no status after the close.", "check_report",
     lambda seat, body: body["kind"] == "status", (WORK, LAST)),
    ("receipts-end-with-the-table", "Takes no receipt after the close.", "check_report",
     lambda seat, body: body["kind"] == "receipt", (WORK, LAST)),
    ("verdicts-end-with-the-table", "Takes no verdict after the close.", "check_report",
     lambda seat, body: body["kind"] == "verify", (WORK, LAST)),
    ("projections-end-with-the-table", "Shows no projection after the close.", "project", lambda *_: True, (READS,)),
    ("entries-end-with-the-table", "Shows no entries after the close.", "read", lambda *_: True, (READS,)),
    ("memory-ends-with-the-table", "Shows no task after the close.", "task", lambda *_: True, (READS,)),
):  # fmt: skip
    add(Fault(f"byob/{_words}", _says, _kills, _shut(_method, _when)))


@fault("byob/no-memory-after-the-close", READS)
class NoMemory(Host):
    """Shows no memory after the close."""

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """Refuse it."""
        if self._table(table).state.status == "closed":
            raise ByobError("E_TABLE_CLOSED", "the table is closed")
        return super().memory(table, token, now)


@fault("byob/tails-end-with-the-table", READS)
class EmptyTails(Table):
    """Shows an empty tail after the close."""

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """Empty it."""
        shown = super().project(seat, since)
        return {**shown, "tail": []} if self.state.status == "closed" else shown


@fault("byob/reports-after-the-close-change-nothing", WORK, LAST)
class ReportsIdle(Table):
    """Takes reports after the close and leaves the task as it was."""

    def task(self, id: str) -> dict[str, Any]:
        """Show it as it was at the close."""
        shown = super().task(id)
        return {**shown, "state": "awaiting_approval"} if self.state.status == "closed" else shown


@fault("byob/closing-decisions-open-nothing", LAST)
class OpensNothing(Table):
    """Opens no task for the decision that closes the table."""

    def open_task(self, plan: Plan, opened_by: int, now: int) -> None:
        """Look at the conditions first."""
        if self.reason_to_close() is None:
            super().open_task(plan, opened_by, now)


@fault("byob/floor-goes-on-after-the-close", NONE)
class GoesOn(Table):
    """Grants the floor again when something is written after the close."""

    def settle(self, now: int) -> None:
        """Grant it to the first seat."""
        super().settle(now)
        if self.state.status == "closed" and self.state.entries[-1]["kind"] == "verify":
            self.system("floor_granted", {"holder": "a", "policy": {"turn": 1}, **self.size_budget()}, now)


@fault("byob/closed-tables-show-a-holder", NONE)
class ShowsHolder(Table):
    """Shows in the projections of a closed table who held the floor last."""

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """Leave it there."""
        shown = super().project(seat, since)
        closed = self.state.status == "closed"
        return {**shown, "floor": {**shown["floor"], "holder": "a", "you_have_floor": seat == "a"}} if closed else shown


@fault("byob/hands-after-the-close-get-the-floor", NONE)
class HandsGet(Table):
    """Serves a hand that is raised after the close."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Grant it the floor."""
        if body.get("kind") != "raise_hand" or self.state.status == "open":
            return super().post(seat, body, now)
        entry = self.write(seat, "raise_hand", {}, now)
        self.system("floor_granted", {"holder": seat, "policy": {"turn": 1}, **self.size_budget()}, now)
        return entry
