"""The HTTP driver: bodies are read raw and bounded, redirects are not followed, and no server crashes or hangs it."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from harness import limits
from harness.clock import EPOCH, virtual_now
from harness.errors import TargetFault
from harness.targets.addresses import parse
from harness.targets.base import Exchange, Frame, Http, Target
from harness.targets.http import HttpConnection, http_target
from tests.harness.peers import BRIEF, URL, Seen, line, post

MIB = 1 << 20
NDJSON = {"Content-Type": "application/x-ndjson"}
HELLO: dict[str, Any] = {"yea": 1, "id": "1", "verb": "HELLO"}
REPLY = {"yea": 1, "id": "s", "re": "1", **BRIEF}


class Body(httpx.AsyncByteStream):
    """A body that goes on and on: the same chunk, and a pause after each."""

    def __init__(self, chunk: bytes, times: int, pause: float = 0.0) -> None:
        self.chunk, self.times, self.pause = chunk, times, pause
        self.sent = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self.times):
            self.sent += 1
            yield self.chunk
            await asyncio.sleep(self.pause)


def serving(content: Any, status: int = 200, **headers: str) -> Any:
    """Return a handler that answers every request like this."""

    def handler(request: httpx.Request) -> httpx.Response:
        stream = {"stream": content} if isinstance(content, Body) else {"content": content}
        return httpx.Response(status, headers={**NDJSON, **headers}, **stream)

    return handler


def asked(handler: Any, timeout: float = 10.0) -> tuple[Exchange | str, list[str], float]:
    """POST HELLO; returns the exchange or what was wrong, the junk, and how long it took."""

    async def script(connection: HttpConnection, seen: Seen) -> tuple[Exchange | str, list[str], float]:
        begun = virtual_now()
        try:
            found: Exchange | str = await connection.request(HELLO)
        except TargetFault as fault:
            found = f"{type(fault).__name__}: {fault.why}"
        return found, seen.junk, virtual_now() - begun

    result: tuple[Exchange | str, list[str], float] = post(handler, script, timeout)
    return result


def test_events_and_the_final_reply_are_an_exchange() -> None:
    event = {**REPLY, "kind": "EVENT", "message": "é"}
    body = line(event) * 2 + line(REPLY)
    wanted = Exchange(
        HELLO,
        [Frame(value, len(line(value)) - 1, EPOCH, line(value)[:-1], 200) for value in (event, event, REPLY)],
        http=Http(
            200,
            "application/x-ndjson",
            {"content-type": "application/x-ndjson", "content-length": str(len(body))},
        ),
    )
    found, junk, _ = asked(serving(body))
    assert (found, junk) == (wanted, [])


def test_a_request_is_one_post_of_the_frame() -> None:
    asked_for: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked_for.append(request)
        return httpx.Response(200, content=line(REPLY))

    async def script(connection: HttpConnection, seen: Seen) -> list[bytes]:
        await connection.request(HELLO)
        return seen.out

    assert post(handler, script) == [b'{"yea":1,"id":"1","verb":"HELLO"}']
    (request,) = asked_for
    assert (request.method, str(request.url), request.content) == ("POST", URL, b'{"yea":1,"id":"1","verb":"HELLO"}')
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept-encoding"] == "identity"


BODIES = {
    "no newline at the end": (line(REPLY)[:-1], [REPLY], []),
    "blank lines": (b"\n \r\n" + line(REPLY) + b"\n\n", [REPLY], []),
    "carriage returns": (line(REPLY)[:-1] + b"\r\n", [REPLY], []),
    "junk before it": (b"?\n\xff\n" + line(REPLY), [REPLY], ["json", "text"]),
    "a line over the limit": (b"x" * 2 * MIB + b"\n" + line(REPLY), [REPLY], ["long"]),
    "another after the final": (line(REPLY) + line({**REPLY, "id": "s2"}), [REPLY, {**REPLY, "id": "s2"}], []),
    "an answer to somebody else": (line({**REPLY, "re": "2"}), [{**REPLY, "re": "2"}], []),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_is_read_line_by_line(name: str) -> None:
    body, frames, junk = BODIES[name]
    found, _, _ = asked(serving(body))
    assert isinstance(found, Exchange)
    assert [frame.value for frame in found.frames] == frames
    assert [each.sort for each in found.junk] == junk


def test_what_follows_the_final_reply_is_one_too_many() -> None:
    async def script(connection: HttpConnection, seen: Seen) -> list[Any]:
        exchange = await connection.request(HELLO)
        return [frame.value for frame in await connection.settle(exchange)]

    again = {**REPLY, "id": "s2"}
    assert post(serving(line(REPLY) + line(again)), script) == [again]
    assert post(serving(line(REPLY)), script) == []


SPOILT = {
    "an empty body": (serving(b""), "HELLO got no reply", []),
    "only EVENTs": (serving(line({**REPLY, "kind": "EVENT"})), "HELLO got no reply", []),
    "status 204": (serving(b"", 204), "HELLO got HTTP 204", []),
    "status 400": (serving(b'{"error":"no such page"}', 400), "HELLO got HTTP 400", []),
    "status 307": (serving(line(REPLY), 307), "HELLO got HTTP 307", []),
    "status 413": (serving(b"too large", 413), "HELLO got HTTP 413", []),
    "status 500": (serving(b"<h1>oops</h1>", 500), "HELLO got HTTP 500", []),
    "an array": (serving(b"[1]"), "HELLO got no frame: JSON, but not an object", ["JSON, but not an object"]),
    "a cut frame": (serving(line(REPLY)[:30]), None, 1),
    "a page": (serving(b"<!doctype html>\n<p>hello"), None, 2),
}


@pytest.mark.parametrize("name", SPOILT)
def test_an_answer_without_a_final_reply_is_a_fault_of_the_target(name: str) -> None:
    handler, why, junk = SPOILT[name]
    found, spoilt, _ = asked(handler)
    assert isinstance(found, str)
    if why is None:
        assert found.startswith("TargetFault: HELLO got no frame: not JSON: ")
        assert len(spoilt) == junk
    else:
        assert (found, spoilt) == (f"TargetFault: {why}", junk)


@pytest.mark.parametrize("status", [201, 202, 400, 401, 404, 500])
def test_a_reply_is_read_whatever_the_status_and_tells_it(status: int) -> None:
    found, spoilt, _ = asked(serving(b"some words\n" + line(REPLY), status))
    assert isinstance(found, Exchange)
    assert ([(frame.value, frame.status) for frame in found.frames], spoilt) == ([(REPLY, status)], [])


@pytest.mark.parametrize("kind", ["text/html", "application/json", "", "x/y; charset=utf-16", "é"])
def test_the_content_type_is_reported_and_decides_nothing(kind: str) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers=[(b"content-type", kind.encode())] if kind else [], content=line(REPLY))

    found, _, _ = asked(handler)
    assert isinstance(found, Exchange)
    assert found.http is not None
    assert (found.kind, found.http.content_type) == ("BRIEF", kind)


LOCATIONS = [
    "http://elsewhere.invalid/yea",
    URL,
    "/yea",
    "//[::1",
    "http://[::1",
    "file:///etc/passwd",
    "http://a:99999999/",
    "x" * 100_000,
    "\x7f",
]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", LOCATIONS)
def test_a_redirect_is_not_followed(status: int, location: str) -> None:
    asked_for: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        asked_for.append(str(request.url))
        return httpx.Response(status, headers={"Location": location})

    found, _, _ = asked(handler)
    assert isinstance(found, str)
    assert found.startswith(("TargetFault: HELLO got HTTP 30", "TargetFault: HELLO got no frame: broken HTTP: "))
    assert asked_for == [URL]


def test_compressed_bodies_are_read_as_they_are() -> None:
    bomb = gzip.compress(bytes(20 * MIB), 9)
    found, junk, _ = asked(serving(Body(bomb, 1), **{"Content-Encoding": "gzip"}))
    assert isinstance(found, str)
    assert found.startswith("TargetFault: HELLO got no frame: not UTF-8: ")
    assert junk[0].startswith("not UTF-8: ")


def test_an_endless_body_is_bounded_in_bytes() -> None:
    body = Body(b"x" * 65536, 10_000)
    found, junk, seconds = asked(serving(body))
    assert (found, seconds) == ("TargetFault: HELLO got no frame: a body over 64 MiB", 0.0)
    assert junk[0] == "a body over 64 MiB"
    assert body.sent == limits.CONNECTION_CAP // 65536 + 1


def test_an_endless_body_is_bounded_in_time() -> None:
    body = Body(b" ", 10_000, pause=1.0)
    assert asked(serving(body), 5.0) == (
        "TargetFault: HELLO got no frame: no complete answer within 5 s",
        ["no complete answer within 5 s"],
        5.0,
    )
    assert body.sent <= 6


@pytest.mark.parametrize("said", [b"\n", b"{}\n", b"[]\n", line({**REPLY, "kind": "EVENT"})])
def test_a_body_of_too_many_lines_is_bounded(said: bytes) -> None:
    found, junk, _ = asked(serving(said * (8 * MIB // len(said))))
    bad = f"a body of over {limits.JUNK_CAP:,} lines that are no frames"
    assert junk[-1] == (bad if said == b"[]\n" else f"a body of over {limits.FRAMES_CAP:,} lines")
    assert len(junk) <= limits.JUNK_CAP + 1
    kept = len(found.frames) if isinstance(found, Exchange) else 0
    assert kept <= limits.FRAMES_CAP


def test_a_server_that_never_answers_runs_into_the_timeout() -> None:
    async def handler(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    assert asked(handler) == (
        "TargetFault: HELLO got no frame: no complete answer within 10 s",
        ["no complete answer within 10 s"],
        10.0,
    )


BROKEN = {
    "a reset": (httpx.ReadError("Connection reset by peer"), "Connection reset by peer"),
    "an early close": (httpx.RemoteProtocolError("Server disconnected"), "Server disconnected"),
    "something unnamed": (httpx.ReadError(""), "ReadError"),
    "a long complaint": (httpx.RemoteProtocolError("y" * 9000), "y" * 200),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_http_is_a_fault_of_the_target(name: str) -> None:
    problem, words = BROKEN[name]

    def handler(request: httpx.Request) -> httpx.Response:
        raise problem

    why = f"broken HTTP: {words}"
    assert asked(handler) == (f"TargetFault: HELLO got no frame: {why}", [why], 0.0)


def refused(cause: OSError | None) -> httpx.ConnectError:
    problem = httpx.ConnectError("All connection attempts failed")
    problem.__cause__ = cause
    return problem


UNREACHABLE = {
    "a refused port": (refused(ConnectionRefusedError(111, "x")), "connection refused"),
    "an unknown host": (refused(OSError(-2, "Name or service not known")), "Name or service not known"),
    "no words": (refused(None), "All connection attempts failed"),
    "a silent network": (httpx.ConnectTimeout(""), "no answer within 5 s"),
}


@pytest.mark.parametrize("name", UNREACHABLE)
def test_a_server_that_cannot_be_reached_is_gone(name: str) -> None:
    problem, words = UNREACHABLE[name]

    def handler(request: httpx.Request) -> httpx.Response:
        raise problem

    assert asked(handler) == (f"TargetGone: no connection to {URL}: {words}", [], 0.0)


def test_any_body_can_be_posted_raw() -> None:
    bodies: list[tuple[bytes, str | None]] = []

    async def handler(request: httpx.Request) -> httpx.Response:
        bodies.append((await request.aread(), request.headers.get("content-type")))
        return httpx.Response(413, content=b"no")

    async def pieces() -> AsyncIterator[bytes]:
        yield b"{"
        yield b"}"

    async def script(connection: HttpConnection, seen: Seen) -> list[str]:
        exchanges = [
            await connection.raw(b"[1]"),
            await connection.raw(b"\xff", headers={"Content-Type": "text/plain"}),
            await connection.raw(pieces()),
        ]
        return [exchange.seen() for exchange in exchanges]

    assert post(handler, script) == ["HTTP 413"] * 3
    assert bodies == [(b"[1]", "application/json"), (b"\xff", "text/plain"), (b"{}", "application/json")]


def test_discovery_is_a_page() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"X": request.method}, content=request.url.path.encode() * 2)

    async def script(connection: HttpConnection, seen: Seen) -> list[tuple[str, bytes, bytes]]:
        pages = [await connection.get(), await connection.get("/.well-known/yea")]
        return [(page.http.headers["x"], page.body, sent) for page, sent in zip(pages, seen.out, strict=True)]

    assert post(handler, script) == [
        ("GET", b"/yea/yea", b"GET http://peer.invalid/yea"),
        ("GET", b"/.well-known/yea/.well-known/yea", b"GET http://peer.invalid/.well-known/yea"),
    ]


def test_a_page_that_does_not_come_is_a_fault() -> None:
    async def handler(request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    async def script(connection: HttpConnection, seen: Seen) -> str:
        with pytest.raises(TargetFault) as caught:
            await connection.get()
        return caught.value.why

    assert post(handler, script) == f"GET {URL} got no frame: no complete answer within 10 s"


def test_headers_that_are_many_or_long_are_bounded() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        many = {f"x-{number}": "v" * 5000 for number in range(500)}
        return httpx.Response(200, headers=many, content=json.dumps(REPLY).encode())

    found, _, _ = asked(handler)
    assert isinstance(found, Exchange)
    assert found.http is not None
    assert len(found.http.headers) == 100
    assert {len(value) for value in found.http.headers.values()} == {1000}


def test_the_client_of_an_address_follows_nothing_and_keeps_little_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, Any]] = []
    monkeypatch.setattr(httpx, "AsyncClient", lambda **options: made.append(options))
    target = http_target(
        parse("http://127.0.0.1:9/yea"), virtual_now, timeout=3.0, headers={"Authorization": "Bearer x"}
    )
    connection = asyncio.run(_connected(target))
    assert made == [
        {
            "headers": {"Authorization": "Bearer x"},
            "verify": False,
            "timeout": httpx.Timeout(3.0, connect=5.0),
            "limits": httpx.Limits(keepalive_expiry=1.0),
            "follow_redirects": False,
            "trust_env": False,
        }
    ]
    assert (target.transport, target.address, target.loopback, target.managed) == ("http", connection.url, True, False)


async def _connected(target: Target) -> HttpConnection:
    connection = await target.connect(Seen(), "http1")
    assert isinstance(connection, HttpConnection)
    return connection
