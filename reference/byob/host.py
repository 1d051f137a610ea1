"""A table host without a wire: requests and the time go in, answers come out (BYOB 2).

`Host` finds the table, checks the token, lets the table do the work, keeps what it did and wakes the listeners. It
knows no sockets and has no clock. One caller at a time: it is not safe to call from two threads at once.
"""

import secrets
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, TypeAlias, TypeVar

from reference.byob.errors import ByobError
from reference.byob.store import Batch, Store, StoreError
from reference.byob.table import Table
from reference.byob.types import Entry

Listener: TypeAlias = Callable[[dict[str, Any]], None]
"""Is told {"seq": int, "kind": str} of a new entry. It must return at once, raise nothing, and not call the host."""

T = TypeVar("T")


class Host:
    """All the tables of one place.

    Times are unix seconds. `token` is the bearer token of the request, None where it had none. Every method raises
    ByobError for a request that is refused; then nothing of it is in any ledger. It raises StoreError when a ledger
    could not be written.
    """

    MAX_TABLES: ClassVar[int] = 10_000
    """Tables that the host has room for."""

    def __init__(
        self,
        store: Store,
        *,
        token: Callable[[], str] = secrets.token_urlsafe,
        table_class: type[Table] = Table,
    ) -> None:
        """A host with all the tables that the store has.

        token: makes a new secret token. table_class: what a table is.
        Raises StoreError when the store holds what is no table.
        """
        self.store = store
        self._new_token = token
        self._table_class = table_class
        self.tables: dict[str, Table] = {}
        """The tables by id. Only the host changes them."""
        self._unsure: set[str] = set()  # tables to load again, because something went wrong in the middle
        self._listeners: dict[str, list[tuple[str, Listener]]] = {}
        self._alarms: dict[str, int] = {}  # table → when its next watchdog is due, in milliseconds
        self._unreported: set[str] = set()  # closed sub-tables whose parent may not know it yet
        for id, batches in store.tables():
            self._load(id, batches)
        self.recover()

    # --- endpoints -----------------------------------------------------------------------------

    def create(self, body: Any, now: float) -> dict[str, Any]:
        """POST /tables. body: a table-config. Returns {"table": id, "admin_token": str}."""
        table = self._table_class(_id_of(body))
        table.check_config(body)
        self.check_new(table.id)
        self.check_parent(table.id, body.get("parent"))
        token = self._new_token()
        table.open(body, token, _ms(now))
        self.tables[table.id] = table
        self._apply(table, lambda: None)
        self.report(table.id)
        return {"table": table.id, "admin_token": token}

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        """POST /tables/{id}/seats. body: a join-request. Returns {"seat": id, "seat_token": str}."""
        found = self._awake(table, now)
        token = self._new_token()
        seat = self._run(found, lambda: found.join(body, token, _ms(now)))
        return {"seat": seat, "seat_token": token}

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """POST /tables/{id}/entries. body: a post-request. Returns the appended entry."""
        seat, found = self.seat_of(table, token), self._awake(table, now)
        return self._run(found, lambda: found.post(seat, body, _ms(now)))

    def projection(self, table: str, token: str | None, since: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/projection. since: the query's value, None for the seat's last cursor."""
        seat = self.seat_of(table, token)
        return self._awake(table, now).project(seat, since)

    def entry(self, table: str, token: str | None, seq: str, now: float) -> Entry:
        """GET /tables/{id}/entries/{seq}: the whole entry. seq: as it stands in the path."""
        seat = self.seat_of(table, token)
        return self._awake(table, now).read(seat, seq)

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/memory. Returns {"decisions", "tasks", "status", "tokens_used", "seats"}."""
        self.seat_of(table, token)
        return self._awake(table, now).memory()

    def task(self, table: str, token: str | None, task: str, now: float) -> dict[str, Any]:
        """GET /tables/{id}/tasks/{task}. Returns {"id", "state", "owner", "executor", "effects", "opened_by"}."""
        self.seat_of(table, token)
        return self._awake(table, now).task(task)

    def approve(self, table: str, body: Any, now: float) -> Entry:
        """POST /tables/{id}/approvals. body: an owner-decision. Returns the approval or rejection entry."""
        found = self._awake(table, now)
        return self._run(found, lambda: found.decide(body, _ms(now)))

    def close(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        """POST /tables/{id}/close. body: {"reason"?: str}. Returns the memory."""
        self.check_admin(table, token)
        found = self._awake(table, now)
        return self._run(found, lambda: found.close(body, _ms(now)))

    def ledger(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/ledger. Returns {"entries": [every entry, with ts]}."""
        self.check_admin(table, token)
        return self._awake(table, now).ledger()

    # --- around the endpoints ------------------------------------------------------------------

    def seat_of(self, table: str, token: str | None) -> str:
        """The seat that a token belongs to. Raises ByobError E_NOT_FOUND or E_UNAUTHORIZED, as seat endpoints do."""
        kept = self._table(table).kept
        seat = None if token is None else kept.seat(token)
        if seat is None:
            text = "a seat token of this table is needed: Authorization: Bearer <seat_token>"
            raise ByobError("E_UNAUTHORIZED", text)
        return seat

    def check_admin(self, table: str, token: str | None) -> None:
        """Raises ByobError E_NOT_FOUND or E_UNAUTHORIZED unless this is the table's admin token."""
        found = self._table(table)
        if token is None or not found.kept.is_admin(token):
            text = "the admin token of this table is needed: Authorization: Bearer <admin_token>"
            raise ByobError("E_UNAUTHORIZED", text)

    def listen(self, table: str, seat: str, callback: Listener) -> Callable[[], None]:
        """Calls back for each new entry that the seat may see. Returns what ends that; it may be called twice."""
        listener = (seat, callback)
        listeners = self._listeners.setdefault(table, [])
        listeners.append(listener)

        def end() -> None:
            if listener in listeners:
                listeners.remove(listener)

        return end

    def tick(self, now: float) -> float | None:
        """Runs the watchdogs that are due. Returns when to call again, None when nothing is being watched.

        It also makes up for what could not be written before: the results of sub-tables.
        """
        due = [table for table, alarm in self._alarms.items() if alarm <= _ms(now)]
        for table in due:
            self._awake(table, now)
        for table in [*self._unreported]:
            self.report(table)
        return min(self._alarms.values()) / 1000 if self._alarms else None

    # --- creation and sub-tables ---------------------------------------------------------------

    def check_new(self, table: str) -> None:
        """Raises ByobError E_CONFIG for the id of a table that exists, E_INTERNAL when there is no room for another."""
        if self._find(table) is not None:
            raise ByobError("E_CONFIG", f"a table {table} exists already; choose another id")
        if len(self.tables) >= self.MAX_TABLES:
            raise ByobError("E_INTERNAL", f"the host has room for {self.MAX_TABLES} tables, and they are all taken")

    def check_parent(self, table: str, parent: str | None) -> None:
        """BYOB 3, 7: a parent exists and is open. Raises ByobError E_NOT_FOUND or E_TABLE_CLOSED."""
        if parent is not None:
            self._table(parent).check_open("sub-table")

    def recover(self) -> None:
        """BYOB 7: a process that ended between a sub-table's close and its result left the result to the next."""
        for table in [*self.tables]:
            self.report(table)

    def report(self, table: str) -> None:
        """BYOB 7: a sub-table that has closed appends its result to its parent, which may close by it in turn."""
        child = self._table(table)
        while child.state.status == "closed":
            self._unreported.add(child.id)
            parent = self._find(child.parent())
            told = parent and self._apply(parent, partial(parent.take_result, child.result(), child.state.closed_at))
            self._unreported.discard(child.id)
            if parent is None or told is None:
                return
            child = parent

    # --- the work ------------------------------------------------------------------------------

    def _table(self, id: str) -> Table:
        """Raises ByobError E_NOT_FOUND."""
        table = self._find(id)
        if table is None:
            raise ByobError("E_NOT_FOUND", "there is no such table")
        return table

    def _find(self, id: str | None) -> Table | None:
        if id in self._unsure:
            self._load(id, self.store.batches(id))
            self._unsure.discard(id)
        return None if id is None else self.tables.get(id)

    def _awake(self, id: str, now: float) -> Table:
        """The table, after its watchdog has looked."""
        table = self._table(id)
        self._run(table, lambda: table.wake(_ms(now)))
        return self._table(id)

    def _run(self, table: Table, command: Callable[[], T]) -> T:
        """Does what a request asks for, and what follows for parents."""
        was_open = table.state.status == "open"
        answer = self._apply(table, command)
        if was_open:
            self.report(table.id)
        return answer

    def _apply(self, table: Table, command: Callable[[], T]) -> T:
        """Lets a table work and keeps what it wrote: all of it, or nothing where anything goes wrong."""
        try:
            answer = command()
        except BaseException:
            if table.take() is not None:
                self._forget(table)
            raise
        self._commit(table)
        return answer

    def _commit(self, table: Table) -> None:
        """Keeps what was written, then tells of it."""
        batch = table.take()
        if batch is None:
            return
        try:
            self.store.append(table.id, batch)
        except BaseException:
            self._forget(table)
            raise
        self._set_alarm(table)
        self.announce(table, batch)

    def announce(self, table: Table, batch: Batch) -> None:
        """BYOB 2: wakes the seats that may see a new entry."""
        for seat, callback in [*self._listeners.get(table.id, ())]:
            for entry in batch.entries:
                if table.is_announced(seat, entry):
                    callback({"seq": entry["seq"], "kind": entry["kind"]})

    def _set_alarm(self, table: Table) -> None:
        alarm = table.next_alarm()
        if alarm is None:
            self._alarms.pop(table.id, None)
        else:
            self._alarms[table.id] = alarm

    def _forget(self, table: Table) -> None:
        """Drops a table that is ahead of its ledger. The next request loads it again."""
        del self.tables[table.id]
        self._alarms.pop(table.id, None)
        self._unsure.add(table.id)

    def _load(self, id: str, batches: Iterable[Batch]) -> None:
        """Makes a table of what was stored of it; nothing of nothing."""
        table = self._table_class(id)
        try:
            table.replay(batches)
        except (ByobError, LookupError, TypeError, ValueError, AttributeError) as problem:
            text = f"entry {len(table.state.entries)} of the table {id!r} makes no sense in its ledger ({problem!r})"
            raise StoreError(None, f"{text}; restore the ledger from a copy, or move it away") from problem
        if table.state.entries:
            self.tables[id] = table
            self._set_alarm(table)


def _ms(now: float) -> int:
    return round(now * 1000)


def _id_of(body: Any) -> str:
    """The id in a body that nobody has validated yet."""
    return str(body.get("id")) if isinstance(body, dict) else ""
