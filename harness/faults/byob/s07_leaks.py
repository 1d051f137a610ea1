"""BYOB 7: tables that hide an entry in the tail and show it elsewhere."""

from typing import Any

from harness.faults import fault
from harness.faults.byob.s07_visibility import DEBATE, HUB, PIPE, TREE
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.store import Batch
from reference.byob.table import Table
from reference.byob.types import Entry, Task

HIDERS = (DEBATE, PIPE, HUB, TREE)


def _latest(table: Table) -> str:
    """Return the text of the last say."""
    return next((str(e.get("body")) for e in reversed(table.state.entries) if e["kind"] == "say"), "")


@fault("byob/entries-show-what-tails-hide", *HIDERS)
class EntriesShow(Table):
    """Shows by the entry endpoint whatever there is."""

    def read(self, seat: str, seq: str) -> Entry:
        """Look at no rule."""
        return self.state.entries[int(seq) - 1] if int(seq) <= len(self.state.entries) else super().read(seat, seq)


@fault("byob/hidden-entries-are-refused-otherwise", *HIDERS)
class HiddenTold(Table):
    """Tells by another code that a hidden entry is there."""

    def read(self, seat: str, seq: str) -> Entry:
        """Say whose it is not."""
        if int(seq) <= len(self.state.entries) and not self.sees(seat, self.state.entries[int(seq) - 1]):
            raise ByobError("E_NOT_OWNER", "this entry is not for you")
        return super().read(seat, seq)


@fault("byob/hidden-entries-are-quoted-in-their-refusal", *HIDERS)
class HiddenQuoted(Table):
    """Quotes a hidden entry in the message that refuses it."""

    def read(self, seat: str, seq: str) -> Entry:
        """Quote it."""
        if int(seq) <= len(self.state.entries) and not self.sees(seat, self.state.entries[int(seq) - 1]):
            raise ByobError("E_NOT_FOUND", f"you may not see {self.state.entries[int(seq) - 1].get('body')}")
        return super().read(seat, seq)


@fault("byob/memory-quotes-the-last-say", PIPE)
class MemoryQuotes(Table):
    """Shows the last say in everybody's memory."""

    def memory(self) -> dict[str, Any]:
        """Add it."""
        return {**super().memory(), "latest": _latest(self)}


@fault("byob/projections-quote-the-last-say", PIPE)
class ProjectionsQuote(Table):
    """Shows the last say in everybody's projection, outside the tail."""

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """Add it."""
        return {**super().project(seat, since), "latest": _latest(self)}


@fault("byob/errors-quote-the-last-say", PIPE)
class ErrorsQuote(Table):
    """Quotes the last say in a refusal."""

    def find_task(self, id: str) -> Task:
        """Quote it."""
        try:
            return super().find_task(id)
        except ByobError as error:
            raise ByobError(error.code, f"there is no such task, after {_latest(self)}") from None


@fault("byob/events-carry-hidden-bodies", PIPE, HUB, TREE)
class EventsCarry(Host):
    """Tells every seat of every entry, with its body."""

    def announce(self, table: Table, batch: Batch) -> None:
        """Tell all of it."""
        for _, callback in [*self._listeners.get(table.id, ())]:
            for entry in batch.entries:
                callback({"seq": entry["seq"], "kind": entry["kind"], "body": entry.get("body", "")})
