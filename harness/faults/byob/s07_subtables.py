"""BYOB 7: hosts whose sub-tables are not apart from their parents, or report wrongly."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.types import Entry

SEATS = "byob/7/subtable-has-seats-of-its-own"
LEDGER = "byob/7/subtable-has-a-ledger-of-its-own"
TOPOLOGY = "byob/7/subtable-has-a-topology-of-its-own"
ONCE = "byob/7/closed-subtable-reports-once"
SEVERAL = "byob/7/every-decision-is-reported"
QUIET = "byob/7/nothing-else-of-a-subtable-reaches-the-parent"
NEST = "byob/7/subtables-nest"


class _Family(Host):
    """Knows the parent of a table."""

    def parent_of(self, table: str) -> Table | None:
        """Return it, None for a table without one."""
        return self._find(self._table(table).parent())

    def tell(self, table: str, write: Callable[[Table], Any]) -> None:
        """Let the parent of a table write, if it has one that is open."""
        parent = self.parent_of(table)
        if parent is not None and parent.state.status == "open":
            self._run(parent, lambda: write(parent))


@fault("byob/parents-tokens-open-subtables", SEATS)
class ParentsTokens(_Family):
    """Takes a seat token of the parent on a sub-table, for the seat of the same id."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Ask the parent as well."""
        try:
            return super().seat_of(table, token)
        except ByobError:
            parent = self.parent_of(table)
            seat = parent.kept.seat(token) if parent is not None and token is not None else None
            if seat is None:
                raise
            return seat


@fault("byob/parents-admins-open-subtables", SEATS)
class ParentsAdmins(_Family):
    """Takes the parent's admin token for a sub-table's."""

    def check_admin(self, table: str, token: str | None) -> None:
        """Ask the parent as well."""
        try:
            super().check_admin(table, token)
        except ByobError:
            parent = self.parent_of(table)
            if parent is None or token is None or not parent.kept.is_admin(token):
                raise


@fault("byob/joins-show-in-the-parent", SEATS)
class JoinsShow(_Family):
    """Writes the joins of a sub-table into its parent as well."""

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        """Write it twice."""
        answer = super().join(table, body, now)
        self.tell(table, lambda parent: parent.record_join(body, round(now * 1000)))
        return answer


@fault("byob/posts-show-in-the-parent", LEDGER, QUIET)
class PostsShow(_Family):
    """Writes a note with each post of a sub-table into its parent."""

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Write it twice."""
        entry = super().post(table, token, body, now)
        self.tell(table, lambda parent: parent.system("note", {"body": str(body.get("body"))}, round(now * 1000)))
        return entry


@fault("byob/subtables-count-on-from-a-hundred", LEDGER)
class CountOn(Table):
    """Counts the entries of a sub-table on from those of another ledger."""

    def next_seq(self) -> int:
        """Leave room for the parent's."""
        return super().next_seq() + (100 if self.parent() else 0)


@fault("byob/subtables-take-their-parents-topology", TOPOLOGY)
class ParentsTopology(Host):
    """Plays a sub-table by the topology of its parent."""

    def create(self, body: Any, now: float) -> dict[str, Any]:
        """Replace its own."""
        parent = self._find(body.get("parent")) if isinstance(body, dict) else None
        given = body if parent is None else {**body, "topology": parent.state.config["topology"]}
        return super().create(given, now)


@fault("byob/turns-of-subtables-move-the-parent", TOPOLOGY)
class TurnsMove(_Family):
    """Ends the turn of the parent's holder with each say in a sub-table."""

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """Pass for the holder above."""
        entry = super().post(table, token, body, now)
        self.tell(table, lambda parent: self._pass(parent, round(now * 1000)))
        return entry

    def _pass(self, parent: Table, now: int) -> None:
        if parent.state.holder is not None:
            parent.write(parent.state.holder, "pass", {}, now)
            parent.settle(now)


# The result


def resulting(change: Callable[[Table, dict[str, Any]], dict[str, Any]]) -> type[Table]:
    """Make a table that reports another result to its parent."""

    class Resulting(Table):
        """Reports otherwise."""

        def result(self) -> dict[str, Any]:
            """Change it."""
            return change(self, super().result())

    return Resulting


def _said(table: Table) -> list[str]:
    return [str(entry.get("body")) for entry in table.state.entries if entry["kind"] in ("say", "proposal")]


def _reason(table: Table) -> Any:
    return next((entry["reason"] for entry in table.state.entries if entry.get("event") == "table_closed"), "")


RESULTS: tuple[tuple[str, str, tuple[str, ...], Callable[[Table, dict[str, Any]], dict[str, Any]]], ...] = (
    ("results-tell-no-text", "Reports which decisions there are, and not what they say.", (ONCE, SEVERAL, NEST),
     lambda table, result: {**result, "decisions": [each["seq"] for each in result["decisions"]]}),
    ("results-tell-the-last-decision", "Reports the last decision only.", (SEVERAL,),
     lambda table, result: {**result, "decisions": result["decisions"][-1:], "refs": result["refs"][-1:]}),
    ("results-have-no-refs", "Reports decisions without references.", (ONCE, SEVERAL),
     lambda table, result: {**result, "refs": []}),
    ("results-refer-to-entries", "Refers to a decision as if it stood in the parent.", (ONCE, SEVERAL),
     lambda table, result: {**result, "refs": [f"entry:{each['seq']}" for each in result["decisions"]]}),
    ("results-refer-by-order", "Refers to a decision by its number instead of its seq.", (ONCE, SEVERAL),
     lambda table, result: {**result, "refs": [f"table:{table.id}#{n}" for n, _ in enumerate(result["refs"], 1)]}),
    ("results-tell-what-was-said", "Reports the says and proposals as well.", (QUIET,),
     lambda table, result: {**result, "said": _said(table)}),
    ("results-tell-the-reason", "Reports why the sub-table closed.", (QUIET,),
     lambda table, result: {**result, "reason": _reason(table)}),
    ("results-tell-the-topic", "Reports the topic of the sub-table.", (QUIET,),
     lambda table, result: {**result, "topic": table.state.config["topic"]}),
    ("results-tell-the-approvals", "Reports what owners decided.", (QUIET,),
     lambda table, result: {**result, "owners": [e for e in table.state.entries if e["kind"] == "approval"]}),
)  # fmt: skip
for _words, _says, _kills, _change in RESULTS:
    add(Fault(f"byob/{_words}", _says, _kills, resulting(_change)))


@fault("byob/subtables-report-nothing", ONCE, SEVERAL, NEST)
class ReportNothing(Host):
    """Tells no parent of its sub-table's close."""

    def report(self, table: str) -> None:
        """Keep it."""


@fault("byob/subtables-report-twice", ONCE, NEST)
class ReportTwice(Table):
    """Writes the result of a sub-table twice."""

    def take_result(self, result: dict[str, Any], now: int) -> Entry | None:
        """Write another one."""
        self.system("subtable_result", result, now)
        return super().take_result({**result, "subtable": result["subtable"] + "-again"}, now)


@fault("byob/every-close-is-reported", ONCE)
class EveryClose(_Family):
    """Reports a sub-table again when it is closed again."""

    def close(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        """Report it whatever it was before."""
        again = self._table(table).state.status == "closed"
        answer = super().close(table, token, body, now)
        if again:
            result = self._table(table).result()
            self.tell(table, lambda parent: parent.system("subtable_result", result, round(now * 1000)))
        return answer


@fault("byob/only-decisions-are-reported", ONCE)
class OnlyDecisions(Host):
    """Reports a sub-table only when it has decided."""

    def report(self, table: str) -> None:
        """Look for a decision."""
        if self._table(table).state.decisions:
            super().report(table)


@fault("byob/results-close-the-parent", NEST)
class ResultsClose(Table):
    """Closes a table when its sub-table has decided."""

    def take_result(self, result: dict[str, Any], now: int) -> Entry | None:
        """Take the decision for its own."""
        entry = super().take_result(result, now)
        if entry is not None and result["decisions"] and self.state.status == "open":
            self.end("decision", now)
        return entry


@fault("byob/results-go-to-the-top", NEST)
class ToTheTop(_Family):
    """Tells the table at the top of every close below it."""

    def report(self, table: str) -> None:
        """Tell the grandparent too."""
        super().report(table)
        child, parent = self._table(table), self.parent_of(table)
        if child.state.status == "closed" and parent is not None:
            self.tell(parent.id, lambda top: top.take_result(child.result(), child.state.closed_at))


@fault("byob/results-carry-results", NEST)
class CarryResults(Table):
    """Reports the results of its own sub-tables as well."""

    def result(self) -> dict[str, Any]:
        """Add them."""
        below = [entry for entry in self.state.entries if entry.get("event") == "subtable_result"]
        return {**super().result(), "below": below}
