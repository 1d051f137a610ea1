"""A table of the reference in this process, on virtual time, with seats at it; and hosts that a test plays."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import httpx

from harness.clock import run_virtual, virtual_now
from harness.targets.asgi import AsgiTransport
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.keys import OwnerKey
from reference.byob.seat import Rules, Seat, TableHost
from reference.byob.seat.wire import Wire
from reference.byob.store import MemoryStore

URL = "http://table.invalid"
TABLE = "prio"
TAO, JENNY = OwnerKey(b"t" * 32), OwnerKey(b"j" * 32)
KEYS = {"tao": TAO, "jenny": JENNY}
EFFECT = {"owner": "jenny", "resource": "taskboard", "action": "reorder", "args": {"order": ["#461", "#459"]}}
CARD = {
    "bot": "tester",
    "proxy": False,
    "capabilities": [{"resource": "taskboard", "actions": ["reorder", "label"]}],
}


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test on virtual time, so that nothing is waited for; what hangs fails."""
    run_virtual(test)


def config(**members: Any) -> dict[str, Any]:
    """A table config: pro is tao's bot, con and judge are jenny's."""
    return {
        "id": TABLE,
        "topic": "What goes first?",
        "owners": {name: {"public_key": key.public_key} for name, key in KEYS.items()},
        "topology": {"kind": "debate", "pro": "pro", "con": "con", "judge": "judge", "rounds": 1},
        "termination": {"any": ["decision"]},
        **members,
    }


class Room:
    """A host and one table of it. `requests` are those that reached the host: method, path and body."""

    def __init__(self) -> None:
        self.host = Host(MemoryStore())
        self.requests: list[tuple[str, str, Any]] = []
        self.admin = ""
        self._transport = AsgiTransport(byob_app(self.host, virtual_now))

    def client(self, wrap: Callable[[httpx.AsyncBaseTransport], httpx.AsyncBaseTransport] | None = None) -> Any:
        """A new HTTP client. wrap: what stands between it and the host."""
        noting = Noting(self._transport, self.requests)
        return httpx.AsyncClient(transport=noting if wrap is None else wrap(noting))

    def owner(self, rules: Rules | None = None) -> TableHost:
        """A connection without a seat."""
        return TableHost(URL, http=self.client(), rules=rules or Rules())

    async def join(self, seat: str, owner: str, *, rules: Rules | None = None, http: Any = None, **more: Any) -> Seat:
        """A seat of an owner."""
        async with self.owner() as host:
            token = await host.join(KEYS[owner], table=TABLE, seat=seat, owner=owner, **more)
        return Seat(Wire(URL, http or self.client()), TABLE, seat, token, rules=rules or Rules())

    async def ledger(self) -> list[dict[str, Any]]:
        """The whole ledger."""
        async with self.owner() as host:
            return await host.ledger(TABLE, self.admin)

    async def story(self) -> list[tuple[str, str]]:
        """Who wrote what, in order: kinds by seat, events of the core."""
        return [(entry["seat"], entry.get("event", entry["kind"])) for entry in await self.ledger()]

    def posted(self) -> list[Any]:
        """The posts that reached the host."""
        return [body for method, path, body in self.requests if (method, path[-8:]) == ("POST", "/entries")]


class Noting(httpx.AsyncBaseTransport):
    """Notes each request, and hands it on."""

    def __init__(self, inner: httpx.AsyncBaseTransport, requests: list[tuple[str, str, Any]]) -> None:
        self._inner, self._requests = inner, requests

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        self._requests.append((request.method, request.url.path, json.loads(body) if body else None))
        return await self._inner.handle_async_request(request)


@contextlib.asynccontextmanager
async def room(**members: Any) -> AsyncIterator[Room]:
    """A host with a table of this config."""
    made = Room()
    async with made.owner() as host:
        _, made.admin = await host.create(config(**members))
    yield made


def played(answer: Callable[[httpx.Request], httpx.Response]) -> httpx.AsyncClient:
    """An HTTP client to a host that a test plays."""
    return httpx.AsyncClient(transport=httpx.MockTransport(answer))


def answered(value: Any, status: int = 200) -> httpx.Response:
    """An answer of JSON, not read yet."""
    return httpx.Response(status, stream=httpx.ByteStream(json.dumps(value).encode()))


def seat_at(answer: Callable[[httpx.Request], httpx.Response], rules: Rules | None = None) -> Seat:
    """A seat at a host that a test plays."""
    return Seat(Wire(URL, played(answer)), TABLE, "con", "token-of-con", rules=rules or Rules())


def projection(**members: Any) -> dict[str, Any]:
    """A projection of an open table at which nobody has the floor, but for the members given."""
    return {
        "protocol": "byob/0.1",
        "table": TABLE,
        "seat": "con",
        "prefix": {"topic": "T", "rules": {}, "seats": [], "decisions": []},
        "prefix_hash": "0" * 64,
        "tail": [],
        "cursor": 9,
        "floor": {"holder": None, "you_have_floor": False, "grant_seq": None},
        "status": "open",
        "my_tasks": [],
        **members,
    }
