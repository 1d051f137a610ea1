"""A table host without a wire: requests and the time go in, answers come out (BYOB 2).

`Host` finds the table, checks the token, lets the table do the work, keeps what it did and wakes the listeners. It
knows no sockets and has no clock. One caller at a time: it is not safe to call from two threads at once.
"""

import secrets
from collections.abc import Callable
from typing import Any, TypeAlias

from reference.byob.store import Entry, Store

Listener: TypeAlias = Callable[[dict[str, Any]], None]
"""Is told {"seq": int, "kind": str} of a new entry. It must return at once, and not call the host."""


class Host:
    """All the tables of one place.

    Times are unix seconds. `token` is the bearer token of the request, None where it had none. Every method raises
    ByobError for a request that is refused, and StoreError when the ledger cannot be written: then nothing happened.
    """

    def __init__(self, store: Store, *, token: Callable[[], str] = secrets.token_urlsafe) -> None:
        """A host with all the tables that the store has. token: makes a new secret token."""
        raise NotImplementedError

    def create(self, body: Any, now: float) -> dict[str, Any]:
        """POST /tables. body: a table-config. Returns {"table": id, "admin_token": str}."""
        raise NotImplementedError

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        """POST /tables/{id}/seats. body: a join-request. Returns {"seat": id, "seat_token": str}."""
        raise NotImplementedError

    def post(self, table: str, token: str | None, body: Any, now: float) -> Entry:
        """POST /tables/{id}/entries. body: a post-request. Returns the appended entry."""
        raise NotImplementedError

    def projection(self, table: str, token: str | None, since: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/projection. since: the query's value, None for the seat's last cursor."""
        raise NotImplementedError

    def entry(self, table: str, token: str | None, seq: str, now: float) -> Entry:
        """GET /tables/{id}/entries/{seq}: the whole entry. seq: as it stands in the path."""
        raise NotImplementedError

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/memory. Returns {"decisions", "tasks", "status", "tokens_used", "seats"}."""
        raise NotImplementedError

    def task(self, table: str, token: str | None, task: str, now: float) -> dict[str, Any]:
        """GET /tables/{id}/tasks/{task}. Returns {"id", "state", "owner", "executor", "effects", "opened_by"}."""
        raise NotImplementedError

    def approve(self, table: str, body: Any, now: float) -> Entry:
        """POST /tables/{id}/approvals. body: an owner-decision. Returns the approval or rejection entry."""
        raise NotImplementedError

    def close(self, table: str, token: str | None, body: Any, now: float) -> dict[str, Any]:
        """POST /tables/{id}/close. body: {"reason"?: str}. Returns the memory."""
        raise NotImplementedError

    def ledger(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """GET /tables/{id}/ledger. Returns {"entries": [every entry, with ts]}."""
        raise NotImplementedError

    def seat_of(self, table: str, token: str | None) -> str:
        """The seat that a token belongs to; for the event stream. Raises ByobError as every seat endpoint does."""
        raise NotImplementedError

    def listen(self, table: str, seat: str, callback: Listener) -> Callable[[], None]:
        """Calls back for each new entry that the seat may see. Returns what ends that; it may be called twice."""
        raise NotImplementedError

    def tick(self, now: float) -> float | None:
        """Runs the watchdogs that are due. Returns when to call again, None when nothing is being watched."""
        raise NotImplementedError
