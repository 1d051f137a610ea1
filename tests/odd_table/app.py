"""The odd host's HTTP side: a Starlette app with every endpoint, and a stream that is odd on request."""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.odd_table import shapes
from tests.odd_table.floors import teams_of
from tests.odd_table.freedoms import FREEDOMS
from tests.odd_table.signing import digest, key_of
from tests.odd_table.table import Post, Refused, Table

HEADER = {"BYOB-Protocol": "byob/0.1"}
NO_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
TOPOLOGY = {
    "broadcast": {"order": list, "rounds": int},
    "debate": {"pro": str, "con": str, "judge": str, "rounds": int},
    "pipeline": {"stages": list, "rounds": int},
    "hub_spoke": {"hub": str, "rounds": int},
    "delegation": {"hub": str, "reports": dict, "rounds": int},
}


class OddHost:
    """All tables of one host, with the freedoms that it takes.

    Args:
        freedoms: words of `FREEDOMS`; all of them unless given. `lines` beats `bare`.
        now: the clock, in unix seconds.
    """

    def __init__(self, now: Callable[[], float], freedoms: frozenset[str] = frozenset(FREEDOMS)) -> None:
        unknown = freedoms - set(FREEDOMS)
        if unknown:
            raise ValueError(f"unknown freedoms: {', '.join(sorted(unknown))}")
        self.now, self.odd = now, freedoms
        self.tables: dict[str, Table] = {}
        self.seen_before: set[tuple[str, str]] = set()

    # Creating

    def create(self, body: Any) -> Post:
        """Make a table."""
        self._check(body)
        config = dict(body)
        if config["id"] in self.tables:
            if "renamed" not in self.odd:
                raise Refused(409, "E_TABLE_EXISTS", "there is such a table")
            config["id"] = f"{config['id']}-{secrets.token_hex(2)}"
        parent = self.tables.get(config.get("parent", ""))
        if "parent" in config and parent is None:
            raise Refused(404, "E_NOT_FOUND", "there is no such parent")
        table = Table(config, self.odd, self.now)
        if parent is not None:
            table.report = lambda decisions: self._report(parent, table.id, decisions)
        self.tables[table.id] = table
        shown: Any = {"id": table.id, "topic": config["topic"]} if "objects" in self.odd else table.id
        return {"table": shown, "admin_token": table.admin_token}

    def _report(self, parent: Table, child: str, decisions: list[Post]) -> None:
        refs = [f"table:{child}#{entry['seq']}" for entry in decisions]
        parent.system("subtable_result", outcome=[entry["body"] for entry in decisions], refs=refs)

    def _check(self, body: Any) -> None:
        fault = Refused(*((400, "E_SCHEMA") if "teapot-config" in self.odd else (422, "E_CONFIG")), "no such topology")
        schema = Refused(400, "E_SCHEMA", "that is no table-config")
        if isinstance(body, dict) and "termination" not in body and "teapot-config" in self.odd:
            raise Refused(422, "E_NO_TERMINATION", "when does it end?")
        if not shapes.fits(body, shapes.CONFIG, "strict" in self.odd) or not body["owners"]:
            raise schema
        if "short-ids" in self.odd and not re.fullmatch("[a-z][a-z0-9-]{1,31}", body["id"]):
            raise schema
        if not all(
            isinstance(each, dict) and isinstance(each.get("public_key"), str) for each in body["owners"].values()
        ):
            raise schema
        self._check_ends((body.get("termination") or {}).get("any"))
        topology = body["topology"]
        members = TOPOLOGY.get(topology.get("kind"))
        if members is None or not all(isinstance(topology.get(name), kind) for name, kind in members.items()):
            raise fault
        if topology["kind"] == "hub_spoke" and "spokes" in topology and "no-spokes" in self.odd:
            raise fault
        if topology["kind"] == "delegation":
            if any(isinstance(each, str) is not ("bosses" in self.odd) for each in topology["reports"].values()):
                raise fault
            if not _is_tree(topology["hub"], teams_of(topology)):
                raise fault
        if "somebody-decides" in self.odd and _nobody_decides(body):
            raise fault
        beat = (body.get("watchdog") or {}).get("heartbeat_ms", 5000)
        if not isinstance(beat, int) or beat < (5000 if "long-heartbeat" in self.odd else 1):
            raise schema
        if "strict" in self.odd and any(key_of(each["public_key"]) is None for each in body["owners"].values()):
            raise Refused(422, "E_CONFIG", "that is no key")

    def _check_ends(self, ends: Any) -> None:
        if not isinstance(ends, list):
            raise Refused(400, "E_SCHEMA", "termination wants a list of conditions")
        known = [e for e in ends if e in ("decision", "rounds_exhausted") or _limit(e)]
        if not known:
            code = (422, "E_NO_TERMINATION") if "teapot-config" in self.odd else (400, "E_SCHEMA")
            raise Refused(*code, "when does it end?")

    # Finding

    def table(self, name: str) -> Table:
        """Return a table; raises E_NOT_FOUND."""
        if name not in self.tables:
            raise Refused(404, "E_NOT_FOUND", "there is no such table")
        table = self.tables[name]
        table.watch()
        return table

    def seat(self, request: Request) -> tuple[Table, str]:
        """Return the table and the seat that a request comes from; raises E_UNAUTHORIZED, or E_NOT_FOUND first."""
        name = request.path_params["table"]
        if name not in self.tables and "schema-first" not in self.odd:
            raise Refused(401, "E_UNAUTHORIZED", "whose token is that?")
        table = self.table(name)
        seat = table.tokens.get(digest(_bearer(request)))
        if seat is None:
            raise Refused(401, "E_UNAUTHORIZED", "whose token is that?")
        return table, seat

    def admin(self, request: Request) -> Table:
        """Return the table that a request administrates; raises E_UNAUTHORIZED, or E_NOT_FOUND first."""
        name = request.path_params["table"]
        table = self.tables.get(name)
        if table is None and "schema-first" in self.odd:
            raise Refused(404, "E_NOT_FOUND", "there is no such table")
        if table is None or not secrets.compare_digest(_bearer(request).encode(), table.admin_token.encode()):
            raise Refused(401, "E_UNAUTHORIZED", "whose token is that?")
        table.watch()
        return table

    # Endpoints

    async def post_tables(self, request: Request) -> Response:
        """POST /v0.1/tables."""
        return self._made(self.create(await _json(request)))

    async def post_seats(self, request: Request) -> Response:
        """POST …/seats."""
        table = self.table(request.path_params["table"])
        made = table.join(await _json(request))
        seat: Any = made["seat"] if "objects" in self.odd else made["seat"]["seat"]
        return self._made({"seat": seat, "seat_token": made["token"]})

    async def post_entries(self, request: Request) -> Response:
        """POST …/entries."""
        if "schema-first" in self.odd:
            body = await _json(request)
            if not isinstance(body, dict) or body.get("kind") not in shapes.POSTS:
                raise Refused(400, "E_SCHEMA", "that is no post")
        table, seat = self.seat(request)
        return self._made(self._entry(table.post(seat, await _json(request))))

    async def get_projection(self, request: Request) -> Response:
        """GET …/projection."""
        table, seat = self.seat(request)
        since = request.query_params.get("since")
        if since is not None and not (since.isascii() and since.isdigit()):
            raise Refused(400, "E_SCHEMA", "since wants a seq")
        return self._said(table.projection(seat, None if since is None else int(since[:15])))

    async def get_entry(self, request: Request) -> Response:
        """GET …/entries/{seq}."""
        table, seat = self.seat(request)
        wanted = request.path_params["seq"]
        found = [e for e in table.ledger if str(e["seq"]) == wanted and table.sees(seat, e)]
        if not found:
            raise Refused(404, "E_NOT_FOUND", "there is no such entry")
        return self._said(self._entry(found[0]))

    async def get_memory(self, request: Request) -> Response:
        """GET …/memory."""
        return self._said(self.seat(request)[0].memory())

    async def get_task(self, request: Request) -> Response:
        """GET …/tasks/{task}."""
        table, _ = self.seat(request)
        return self._said(table.show(table.task(request.path_params["task"])))

    async def post_approvals(self, request: Request) -> Response:
        """POST …/approvals."""
        table = self.table(request.path_params["table"])
        return self._made(self._entry(table.approve(await _json(request))))

    async def post_close(self, request: Request) -> Response:
        """POST …/close."""
        table = self.admin(request)
        body = await _json(request)
        if not isinstance(body, dict) or not isinstance(body.get("reason"), str):
            raise Refused(400, "E_SCHEMA", "why?")
        if table.closed and "lenient-close" not in self.odd:
            raise Refused(409, "E_TABLE_CLOSED", "it is closed")
        table.close(body["reason"])
        return self._said(table.memory())

    async def get_ledger(self, request: Request) -> Response:
        """GET …/ledger."""
        entries = self.admin(request).ledger
        if "lines" in self.odd:
            text = "".join(json.dumps(entry) + "\n" for entry in entries)
            return Response(text, headers=HEADER, media_type="application/x-ndjson")
        return self._said(entries if "bare" in self.odd else {"entries": entries})

    async def get_events(self, request: Request) -> Response:
        """GET …/events."""
        table, seat = self.seat(request)
        return StreamingResponse(self._stream(table, seat), headers=HEADER, media_type="text/event-stream")

    async def _stream(self, table: Table, seat: str) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[Post] = asyncio.Queue(10_000)
        listener = (seat, queue.put_nowait)
        table.listeners.append(listener)
        chatty, first = "chatty" in self.odd, (table.id, seat) not in self.seen_before
        self.seen_before.add((table.id, seat))
        try:
            if chatty:
                yield b": good morning\r\nretry: 1500\r\n\r\n"
            yield b"event: hello\ndata:\n\n" if chatty else b'event: hello\ndata: {"seat":"' + seat.encode() + b'"}\n\n'
            for entry in [e for e in table.ledger if table.sees(seat, e)] if chatty and first else []:
                yield b"id: %d\r\nevent: entry\r\ndata: {\r\ndata: }\r\n\r\n" % entry["seq"]
            while True:
                entry = await queue.get()
                told = {"seq": entry["seq"], "kind": entry["kind"]} if entry else None
                yield b": psst\n\n" if told is None else b"event: entry\ndata: %s\n\n" % json.dumps(told).encode()
        finally:
            table.listeners.remove(listener)

    # Answers

    def _entry(self, entry: Post) -> Post:
        return {n: v for n, v in entry.items() if n != "ts"} if "no-ts" in self.odd else entry

    def _made(self, value: Any) -> Response:
        return self._said(value, 201 if "created" in self.odd else 200)

    def _said(self, value: Any, status: int = 200) -> Response:
        if "shuffled" in self.odd and isinstance(value, dict):
            value = dict(reversed({**value, "x-odd": [None, {"α": "β"}]}.items()))
        text = json.dumps(value, indent=1 if "shuffled" in self.odd else None)
        return Response(text, status, headers=HEADER, media_type="application/json; charset=utf-8")

    async def refuse(self, request: Request, problem: Exception) -> Response:
        """Answer an error of ours."""
        assert isinstance(problem, Refused)
        if problem.code == "plain":
            if "plain-http" in self.odd:
                return PlainTextResponse(problem.message, problem.status, headers=HEADER)
            problem = Refused(400, "E_SCHEMA", problem.message)
        return self._said({"error": {"code": problem.code, "message": problem.message}}, problem.status)

    async def lost(self, request: Request, problem: Exception) -> Response:
        """Answer a path or method that there is not."""
        assert isinstance(problem, HTTPException)
        if "plain-http" in self.odd:
            return PlainTextResponse("?", problem.status_code, headers=HEADER)
        return self._said({"error": {"code": "E_NOT_FOUND", "message": "nothing there"}}, problem.status_code)

    def app(self) -> Starlette:
        """Return the ASGI app."""
        base = "/v0.1/tables/{table}"
        routes = [
            Route("/v0.1/tables", self.post_tables, methods=["POST"]),
            Route(f"{base}/seats", self.post_seats, methods=["POST"]),
            Route(f"{base}/entries", self.post_entries, methods=["POST"]),
            Route(f"{base}/projection", self.get_projection),
            Route(f"{base}/entries/{{seq}}", self.get_entry),
            Route(f"{base}/events", self.get_events),
            Route(f"{base}/memory", self.get_memory),
            Route(f"{base}/tasks/{{task}}", self.get_task),
            Route(f"{base}/approvals", self.post_approvals, methods=["POST"]),
            Route(f"{base}/close", self.post_close, methods=["POST"]),
            Route(f"{base}/ledger", self.get_ledger),
        ]
        around = [Middleware(Proxy)] if "plain-http" in self.odd else []
        handlers = {Refused: self.refuse, HTTPException: self.lost}
        return Starlette(routes=routes, middleware=around, exception_handlers=handlers)


class Proxy:
    """What stands before a host, and lets no odd escapes through; it knows nothing of BYOB."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 400."""
        odd = scope["type"] == "http" and NO_ESCAPE.search(scope["raw_path"])
        await (PlainTextResponse("what?", 400) if odd else self.app)(scope, receive, send)


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


async def _json(request: Request) -> Any:
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refused(400, "plain", "that is no JSON") from None


def _limit(each: Any) -> bool:
    return isinstance(each, dict) and any(
        isinstance(each.get(name), int) and each[name] > 0 for name in ("budget_tokens", "max_entries")
    )


def _nobody_decides(config: Post) -> bool:
    by = (config.get("floor") or {}).get("decision_by")
    return "decision" in config["termination"]["any"] and config["topology"]["kind"] == "broadcast" and not by


def _is_tree(hub: str, reports: dict[str, Any]) -> bool:
    below = [seat for team in reports.values() for seat in team]
    return hub not in below and len(below) == len(set(below)) and not set(reports) - {hub, *below}
