"""What seats and the admin read (BYOB 2, 6, 7)."""

import re
from typing import Any

from reference.byob.errors import ByobError
from reference.byob.projection import Fixed, prefix, prefix_hash, project
from reference.byob.table.posting import Posting
from reference.byob.types import Entry
from reference.byob.visibility import visible

_NUMBER = re.compile("[0-9]{1,18}")


class Reading(Posting):
    """Projections, entries, tasks and memory. A read writes nothing."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.cursors: dict[str, int] = {}
        """The cursor that each seat's last read returned. Reads are not in the ledger: a restart forgets them."""
        self._fixed: tuple[tuple[int, int], Fixed] | None = None

    def sees(self, seat: str, entry: Entry) -> bool:
        """Whether a seat may see an entry (BYOB 7)."""
        state = self.state
        return visible(state.config, state.policy, seat, entry, state.seats)

    def is_announced(self, seat: str, entry: Entry) -> bool:
        """Whether the seat's event stream tells of a new entry (BYOB 2)."""
        return self.sees(seat, entry)

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """GET projection (BYOB 6). since: as it stands in the query, None for where the seat's last read ended."""
        start = self.last_cursor(seat) if since is None else self.since(since)
        projection = project(self.state, seat, start, lambda entry: self.sees(seat, entry), self.fixed())
        self.cursors[seat] = projection["cursor"]
        return projection

    def fixed(self) -> Fixed:
        """BYOB 6: the prefix changes only when a seat joins or a decision is made."""
        version = (len(self.state.seats), len(self.state.decisions))
        if self._fixed is None or self._fixed[0] != version:
            made = self.prefix()
            self._fixed = version, Fixed(made, self.prefix_hash(made))
        return self._fixed[1]

    def prefix(self) -> dict[str, Any]:
        """The stable part of every projection (BYOB 6)."""
        return prefix(self.state)

    def prefix_hash(self, prefix: dict[str, Any]) -> str:
        """The SHA-256 of its canonical JSON (BYOB 6)."""
        return prefix_hash(prefix)

    def last_cursor(self, seat: str) -> int:
        """BYOB 6: where the seat's last read ended, the beginning before the first."""
        return self.cursors.get(seat, 0)

    def since(self, text: str) -> int:
        """Raises ByobError E_SCHEMA for what is no seq."""
        if _NUMBER.fullmatch(text) is None:
            raise ByobError("E_SCHEMA", "since must be a seq: an integer of at most 18 digits, 0 for the beginning")
        return int(text)

    def read(self, seat: str, seq: str) -> Entry:
        """GET entries/{seq}: the full entry. Raises ByobError E_NOT_FOUND, also for what the seat may not see."""
        place = int(seq) if _NUMBER.fullmatch(seq) else 0
        if 1 <= place <= len(self.state.entries):
            entry = self.state.entries[place - 1]
            if self.sees(seat, entry):
                return entry
        raise ByobError("E_NOT_FOUND", "there is no such entry, or this seat may not see it")

    def task(self, id: str) -> dict[str, Any]:
        """GET tasks/{task}. Raises ByobError E_NOT_FOUND."""
        return self.find_task(id).shown()

    def memory(self) -> dict[str, Any]:
        """GET memory: what is derived from the ledger (BYOB 1, 2)."""
        fixed = self.fixed().prefix
        return {
            "decisions": fixed["decisions"],
            "tasks": [task.shown() for task in self.state.tasks.values()],
            "status": self.state.status,
            "tokens_used": self.state.tokens_used,
            "seats": fixed["seats"],
        }

    def ledger(self) -> dict[str, Any]:
        """GET ledger: all entries, whoever may see them."""
        return {"entries": [*self.state.entries]}
