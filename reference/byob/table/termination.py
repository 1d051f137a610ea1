"""When a table ends (BYOB 3, 8)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from reference.byob.errors import ByobError
from reference.byob.table.core import Core
from reference.byob.types import Config


class Termination(Core):
    """The end conditions, and the close."""

    conditions: ClassVar[Mapping[str, str]] = {
        "decision": "is_decided",
        "budget_tokens": "is_over_budget",
        "max_entries": "is_long",
    }
    """The conditions of termination.any, each with the method that says whether it is met."""

    ROUNDS_EXHAUSTED: ClassVar = "rounds_exhausted"
    """One more condition. It ends every table, listed or not, when the floor would go on (see `floor.py`)."""

    MAX_ENTRIES = 250_000
    """Entries from which a table is closed whatever its config says. Twice as many, and it takes nothing any more."""

    def check_termination(self, config: Config) -> None:
        """BYOB 3: a table MUST have at least one end condition. Raises ByobError E_NO_TERMINATION."""
        known = (*self.conditions, self.ROUNDS_EXHAUSTED)
        if not any(name in known for name, _ in self.end_conditions(config)):
            wanted = ", ".join(known)
            raise ByobError("E_NO_TERMINATION", f"termination.any must list at least one end condition: {wanted}")

    def end_conditions(self, config: Config) -> Iterator[tuple[str, Any]]:
        """The listed conditions in order, each with its limit, None where it has none."""
        for condition in config.get("termination", {}).get("any", ()):
            if isinstance(condition, str):
                yield condition, None
            else:
                yield from condition.items()

    def reason_to_close(self) -> str | None:
        """The first listed condition that is met, if any is (BYOB 8)."""
        for name, limit in self.end_conditions(self.state.config):
            if name in self.conditions and getattr(self, self.conditions[name])(limit):
                return name
        return "entry_limit" if self.is_full() else None

    def is_decided(self, limit: None) -> bool:
        """BYOB 8: a decision closes the table."""
        return bool(self.state.decisions)

    def is_over_budget(self, limit: int) -> bool:
        """BYOB 8: the sum of tokens exceeds N."""
        return self.state.tokens_used > limit

    def is_long(self, limit: int) -> bool:
        """BYOB 8: max_entries. Every entry counts, and the table closes when there are that many."""
        return len(self.state.entries) >= limit

    def is_full(self) -> bool:
        """Whether the table has as many entries as the host wants to keep open."""
        return len(self.state.entries) >= self.MAX_ENTRIES

    def check_open(self, what: str) -> None:
        """Raises ByobError E_TABLE_CLOSED after the close (BYOB 8). what: the request, for the message."""
        if self.state.status == "closed":
            raise ByobError("E_TABLE_CLOSED", f"the table is closed and takes no {what} any more")

    def check_room(self) -> None:
        """Raises ByobError E_TABLE_CLOSED when even the work after the close has filled the ledger."""
        if len(self.state.entries) >= 2 * self.MAX_ENTRIES:
            raise ByobError("E_TABLE_CLOSED", "the ledger is full and takes no entry any more")

    def end(self, reason: str, now: int) -> None:
        """Closes the table, which is open. reason: a condition's name, depth_exhausted, or the admin's words."""
        self.system("table_closed", {"reason": reason}, now)
