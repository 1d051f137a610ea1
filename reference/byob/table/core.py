"""The bottom of the table: its state, and the only way into its ledger (BYOB 1, 5)."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from reference.byob.kept import Kept
from reference.byob.state import State
from reference.byob.store import Batch
from reference.byob.tasks import TRANSITIONS
from reference.byob.timestamps import timestamp
from reference.byob.topologies import POLICIES, Policy
from reference.byob.types import CORE, Entry


class Core:
    """State, what is kept beside it, and the writing of entries.

    Times are milliseconds since 1970. An entry counts as soon as it is written; `take` hands over what was written
    since the last call, for the store.
    """

    policies: ClassVar[Mapping[str, Policy]] = POLICIES
    transitions: ClassVar[Mapping[tuple[str, str], str]] = TRANSITIONS
    state_class: ClassVar[type[State]] = State

    def __init__(self, id: str) -> None:
        """A table without entries."""
        self.id = id
        self.state = self.state_class(self.policies, self.transitions)
        self.kept = Kept()
        self._written: list[Entry] = []
        self._remembered: dict[str, Any] = {}

    def replay(self, batches: Iterable[Batch]) -> None:
        """Takes in what was stored of this table before (BYOB 5)."""
        for batch in batches:
            for entry in batch.entries:
                self.state.apply(entry)
            self.kept.apply(batch.kept)

    def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
        """Appends an entry: the seat's or owner's members, and those that only the core gives (BYOB 5)."""
        given = {"seq": self.next_seq(), "table": self.id, "seat": seat, "kind": kind}
        entry = {**given, **members, "ts": self.stamp(now)}
        self.state.apply(entry)
        self._written.append(entry)
        return entry

    def system(self, event: str, members: Mapping[str, Any], now: int) -> Entry:
        """Appends a system entry. members: what the event tells."""
        return self.write(CORE, "system", {"event": event, **members}, now)

    def remember(self, kept: Mapping[str, Any]) -> None:
        """Keeps something beside the ledger, together with what this request writes."""
        self.kept.apply(kept)
        self._remembered.update(kept)

    def next_seq(self) -> int:
        """BYOB 1: 1, 2, 3, … no gaps."""
        return len(self.state.entries) + 1

    def stamp(self, now: int) -> str:
        """The `ts` of a new entry. It never goes back, whatever the clock does."""
        return timestamp(max(now, self.state.now))

    def take(self) -> Batch | None:
        """What was written since the last call, None for nothing."""
        if not self._written:
            return None
        batch = Batch(tuple(self._written), self._remembered)
        self._written, self._remembered = [], {}
        return batch
