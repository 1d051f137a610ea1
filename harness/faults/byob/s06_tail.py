"""BYOB 6: tables that read since, cursors, visibility and long bodies wrongly."""

from typing import Any, ClassVar

from harness.faults import fault
from harness.faults.byob.s06_projection import ABOVE, BEYOND, CURSOR, GO_ON, HIDDEN, LONG, MINE, SHORT
from reference.byob.projection import tail_entry
from reference.byob.table import Table
from reference.byob.types import Entry


class _Projecting(Table):
    """Changes a projection as the table makes it."""

    calls: ClassVar[dict[tuple[str, str], int]] = {}

    def first_time(self, seat: str) -> bool:
        """Whether the seat reads for the first time."""
        self.calls[self.id, seat] = self.calls.get((self.id, seat), 0) + 1
        return self.calls[self.id, seat] == 1


@fault("byob/since-is-inclusive", ABOVE, CURSOR)
class SinceInclusive(Table):
    """Begins the tail at since itself."""

    def since(self, text: str) -> int:
        """Begin one earlier."""
        return super().since(text) - 1


@fault("byob/since-skips-one", ABOVE)
class SinceSkips(Table):
    """Leaves out the first entry after since."""

    def since(self, text: str) -> int:
        """Begin one later."""
        return super().since(text) + 1


@fault("byob/odd-since-breaks", BEYOND)
class OddSinceBreaks(Table):
    """Breaks on a since that is no number."""

    def since(self, text: str) -> int:
        """Trust it."""
        return int(text)


@fault("byob/since-beyond-the-end-is-zero", BEYOND)
class BeyondIsZero(Table):
    """Reads a since beyond the end as none."""

    def since(self, text: str) -> int:
        """Begin at the beginning."""
        seq = super().since(text)
        return seq if seq <= len(self.state.entries) else 0


@fault("byob/everybody-sees-everything", HIDDEN)
class SeesAll(Table):
    """Shows every entry to every seat."""

    def sees(self, seat: str, entry: Entry) -> bool:
        """Show it."""
        return True


@fault("byob/nobody-sees-others", HIDDEN)
class SeesOwn(Table):
    """Shows says to their seats only."""

    def sees(self, seat: str, entry: Entry) -> bool:
        """Hide those of others."""
        return super().sees(seat, entry) and (entry["kind"] != "say" or entry["seat"] == seat)


@fault("byob/reads-always-begin-anew", GO_ON)
class BeginAnew(Table):
    """Begins every read without since at the beginning."""

    def last_cursor(self, seat: str) -> int:
        """Forget the reads."""
        return 0


@fault("byob/first-read-is-empty", GO_ON)
class FirstReadEmpty(_Projecting):
    """Begins the first read of a seat at the end."""

    def last_cursor(self, seat: str) -> int:
        """Begin where the ledger ends."""
        return len(self.state.entries) if self.first_time(seat) else super().last_cursor(seat)


@fault("byob/cursors-are-shared", GO_ON)
class CursorsShared(Table):
    """Keeps one cursor for all seats."""

    def last_cursor(self, seat: str) -> int:
        """Take the farthest."""
        return max(self.cursors.values(), default=0)


class _Cutting(Table):
    """Cuts bodies in the tail otherwise."""

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """Cut again, from the ledger's entries."""
        projection = super().project(seat, since)
        entries = {entry["seq"]: entry for entry in self.state.entries}
        projection["tail"] = [self.shown(entries[each["seq"]]) for each in projection["tail"]]
        return projection

    def limit(self) -> int:
        """The configured limit."""
        return int(self.state.config.get("projection", {}).get("inline_limit", 10**9))

    def shown(self, entry: Entry) -> Entry:
        """The entry as the tail shows it."""
        return tail_entry(entry, self.limit())


@fault("byob/long-bodies-are-sent-whole", LONG)
class SentWhole(_Cutting):
    """Sends long bodies whole in the tail."""

    def shown(self, entry: Entry) -> Entry:
        """Cut nothing."""
        return tail_entry(entry, None)


@fault("byob/cut-bodies-have-no-reference", LONG)
class NoReference(_Cutting):
    """Names no reference for a body that it cuts."""

    def shown(self, entry: Entry) -> Entry:
        """Keep the refs as they were."""
        shown = super().shown(entry)
        return {**shown, "refs": entry.get("refs", [])} if "refs" in shown else shown


@fault("byob/cut-bodies-lose-their-refs", LONG)
class LosesRefs(_Cutting):
    """Replaces the refs of a body that it cuts."""

    def shown(self, entry: Entry) -> Entry:
        """Keep its own only."""
        shown = super().shown(entry)
        return {**shown, "refs": [f"entry:{entry['seq']}"]} if shown.get("body") != entry.get("body") else shown


@fault("byob/cut-bodies-show-their-end", LONG)
class ShowsEnd(_Cutting):
    """Shows the end of a long body instead of its beginning."""

    def shown(self, entry: Entry) -> Entry:
        """Cut at the front."""
        shown = super().shown(entry)
        return {**shown, "body": entry["body"][-self.limit() :]} if shown.get("body") != entry.get("body") else shown


@fault("byob/bodies-at-the-limit-are-cut", SHORT)
class CutsAtLimit(_Cutting):
    """Cuts a body that is just as long as the limit."""

    def limit(self) -> int:
        """One less."""
        return super().limit() - 1


@fault("byob/the-ledger-keeps-cut-bodies", LONG)
class LedgerCut(Table):
    """Cuts long bodies in the ledger as well."""

    def truncated(self, kind: str, members: dict[str, Any]) -> dict[str, Any]:
        """Cut them as they are written."""
        limit = self.state.config.get("projection", {}).get("inline_limit", 10**9)
        return {**members, "body": members["body"][:limit]} if "body" in members else members


@fault("byob/tasks-of-all-are-mine", MINE)
class TasksOfAll(Table):
    """Lists every task in my_tasks."""

    def project(self, seat: str, since: str | None) -> dict[str, Any]:
        """List them."""
        return {**super().project(seat, since), "my_tasks": [task.shown() for task in self.state.tasks.values()]}
