"""Making broken table hosts: from one overridden class to a host, and small bases for what many faults do.

A fault of BYOB is a subclass of `Table` (what a table does), of `Host` (tokens, tables, sub-tables) or of `Api` (what
HTTP shows of it), with one thing overridden:

    @fault("byob/passes-keep-the-floor", "byob/8/a-pass-yields-the-floor")
    class PassesKeep(Table): ...

`answering` makes an Api that changes JSON answers, `writing` a Table that changes entries as they are written.
"""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference.byob import answers
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import Api, bearer, segment
from reference.byob.store import Store
from reference.byob.table import Table
from reference.byob.types import Entry

Json = Any
Change = Callable[[Any], Any]
"""Gets a copy of a JSON value and changes it in place, or returns another one."""


def broken_host(kind: type[Any], store: Store) -> Host:
    """Return a host on a store that is broken as the class says: a Table, a Host or an Api."""
    if issubclass(kind, Table):
        return Host(store, table_class=kind)
    if issubclass(kind, Api):
        kind = type("BrokenHost", (Host,), {"API": kind})
    broken: Host = kind(store)
    return broken


def answering(change: Change, *endpoints: str) -> type[Api]:
    """Return an Api that changes the JSON value of each granted answer.

    Args:
        change: gets a copy of the value; see `Change`.
        endpoints: of which endpoints (`create`, `join`, `post`, `projection`, `entry`, `memory`, `task`, `approve`,
            `close`, `ledger`); of all when none is named.
    """

    class Answering(Api):
        """Changes its answers."""

        async def handle(self, method: Any, request: Request) -> Response:
            """Change what the method returns."""

            async def changed(request: Request) -> Any:
                value = await method(request)
                wanted = not endpoints or method.__name__ in endpoints
                return _changed(change, value) if wanted and not isinstance(value, Response) else value

            return await super().handle(changed, request)

        async def ledger(self, request: Request) -> Any:
            """Return the ledger as a value, so that it can be changed."""
            return self.host.ledger(segment(request, "table"), bearer(request), self.clock())

    return Answering


def refusing(change: Callable[[ByobError], tuple[int, Json]]) -> type[Api]:
    """Return an Api that answers refusals otherwise: `change` returns the status and the body."""

    class Refusing(Api):
        """Refuses otherwise."""

        async def handle(self, method: Any, request: Request) -> Response:
            """Change what is answered to a refused request."""

            async def changed(request: Request) -> Any:
                try:
                    return await method(request)
                except ByobError as error:
                    status, body = change(error)
                    return Response(answers.encoded(body), status, answers.HEADERS, answers.JSON)

            return await super().handle(changed, request)

    return Refusing


def writing(change: Change, *kinds: str, events: tuple[str, ...] = ()) -> type[Table]:
    """Return a Table that changes the members of entries as it writes them.

    Args:
        change: gets a copy of the members beside seq, table, seat, kind and ts; see `Change`.
        kinds: of which kinds; `system` entries are chosen by `events`.
        events: of which system events.
    """

    class Writing(Table):
        """Writes otherwise."""

        def write(self, seat: str, kind: str, members: Mapping[str, Any], now: int) -> Entry:
            """Change the members, then write them."""
            if kind in kinds or (kind == "system" and members.get("event") in events):
                members = _changed(change, dict(members))
            return super().write(seat, kind, members, now)

    return Writing


def without(*names: str) -> Change:
    """Return a change that leaves members out."""
    return lambda value: {name: each for name, each in value.items() if name not in names}


def setting(**members: Any) -> Change:
    """Return a change that sets members."""
    return lambda value: {**value, **members}


def _changed(change: Change, value: Any) -> Any:
    copy = dict(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value
    changed = change(copy)
    return copy if changed is None else changed
