"""The table host that a bridge is seated at: the reference in this process, which notes every request of the bridge.

The harness talks to it in memory. The bridge talks to it through `Noting`, over a socket when it is a child. For a
check, the host can be told to refuse whatever the bridge asks about one table.
"""

import contextlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette

from harness.byob import codes
from harness.byob.tokens import Tokens
from harness.encoding import EXCERPT
from harness.targets.asgi import App, Message
from harness.targets.hosts import ABSENT
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.http_server import HttpServer
from reference.byob.store import MemoryStore
from reference.yea import jsontext
from reference.yea.transports.tcp import authority, listen

LOCAL = "127.0.0.1"
BASE = "/v0.1"
TABLE = re.compile(r"(?:^|/)tables/([^/?]+)")
LARGEST = 1 << 20
MOST_REQUESTS = 1000
"""Requests of a bridge that are noted for one table; of further ones only their number."""

JSON_HEADERS = [(b"content-type", b"application/json"), (b"byob-protocol", b"byob/0.1")]


@dataclass
class Request:
    """A request that a bridge sent: its method, path, headers by name in small letters, body, and the answer's status.

    `value` is the body as JSON, ABSENT where it is none. `status` is 0 until it is answered.
    """

    method: str
    path: str
    query: str
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    status: int = 0
    value: Any = ABSENT

    @property
    def endpoint(self) -> str:
        """What follows the table in its path: `seats`, `entries`, `approvals`, …"""
        return self.path.split("?")[0].rstrip("/").rsplit("/", 1)[-1]

    @property
    def members(self) -> dict[str, Any]:
        """Its body where that is an object, else an empty one."""
        return self.value if isinstance(self.value, dict) else {}

    def seen(self) -> str:
        """What it was, in words."""
        return f"{self.method} {self.path}, answered {self.status}"

    def text(self) -> str:
        """All of it, to look for a secret in."""
        headers = "\n".join(f"{name}: {value}" for name, value in self.headers.items())
        return f"{self.method} {self.path}?{self.query}\n{headers}\n{self.body.decode('utf-8', 'backslashreplace')}"


@dataclass
class Noted:
    """What a bridge asked about one table: the requests in order, how many were not kept, and who is told of them."""

    requests: list[Request] = field(default_factory=list)
    more: int = 0
    tell: Callable[[Request], None] = lambda request: None
    refusal: str = ""


class Room:
    """The host, and what its bridges asked of it.

    Args:
        clock: unix seconds.
        tokens: told of each token that the host issues, so that none is shown.
    """

    def __init__(self, clock: Callable[[], float], tokens: Tokens) -> None:
        def new_token() -> str:
            token = secrets.token_urlsafe()
            tokens.add(token)
            return token

        host = Host(MemoryStore(), token=new_token)
        self.app: App = byob_app(host, clock)
        """For the harness, which is not noted."""
        self.noted_app: Starlette = byob_app(host, clock)
        """For bridges."""
        self.noted_app.add_middleware(Noting, room=self)
        self._noted: dict[str, Noted] = {}

    def noted(self, table: str) -> Noted:
        """Return what was asked about a table; "" for what names none."""
        return self._noted.setdefault(table, Noted())

    def forget(self, table: str) -> None:
        """Let go of what was asked about a table."""
        self._noted.pop(table, None)

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Serve it to bridges on a free port of loopback; yields the origin."""
        with listen(LOCAL, 0) as bound:
            server = HttpServer(bound, self.noted_app)
            await server.start()
            try:
                yield f"http://{authority(bound)}"
            finally:
                await server.stop()


class Noting:
    """ASGI between a bridge and the host: notes each request, and refuses those about a table that is to refuse."""

    def __init__(self, app: App, room: Room) -> None:
        self._app, self._room = app, room

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        messages = await _whole(receive)
        request = _request(scope, b"".join(message.get("body", b"") for message in messages))
        found = TABLE.search(request.path)
        noted = self._room.noted(found[1] if found else "")
        kept = len(noted.requests) < MOST_REQUESTS
        if kept:
            noted.requests.append(request)
        else:
            noted.more += 1

        async def answered(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.status = message["status"]
                if kept:
                    noted.tell(request)
            await send(message)

        async def again() -> Any:
            return messages.pop(0) if messages else await receive()

        if noted.refusal:
            await _refuse(noted.refusal, answered)
        else:
            await self._app(scope, again, answered)


async def _whole(receive: Any) -> list[Any]:
    """The messages of a request's body, up to more than the host will read."""
    messages, size = [], 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body") or size > 2 * LARGEST:
            return messages


def _request(scope: Any, body: bytes) -> Request:
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    request = Request(scope["method"], scope["path"], scope["query_string"].decode("latin-1"), headers, body[:LARGEST])
    with contextlib.suppress(ValueError):
        request.value = jsontext.loads(body) if 0 < len(body) <= LARGEST else ABSENT
    return request


async def _refuse(code: str, send: Any) -> None:
    body = json.dumps({"error": {"code": code, "message": "the host says no"}}).encode()
    headers = [*JSON_HEADERS, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": codes.STATUS[code], "headers": headers})
    await send({"type": "http.response.body", "body": body})


def shown(request: Request, mask: Callable[[str], str]) -> str:
    """Return a request as the transcript shows it: without its headers, and without secrets."""
    body = mask(request.body[: 4 * EXCERPT].decode("utf-8", "backslashreplace"))
    return f"the bridge sent to the host: {request.method} {request.path} {body} → {request.status}"
