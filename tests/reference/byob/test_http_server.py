"""A table host on a real socket (BYOB 2): what no client library would send, and streams that end."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any

import httpx
import pytest

from reference.byob import bodies, events
from tests.reference.byob.playing import Play
from tests.reference.byob.serving import AUTH, NOW, TOKEN, Address, ScriptedHost, answers, listening, raw, request

JSON = "Content-Type: application/json"
BEARER = f"Authorization: Bearer {TOKEN}"
POST = "/v0.1/tables/t/entries"
MIB = 1 << 20


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test, and fails it when it hangs."""

    async def bounded() -> None:
        async with asyncio.timeout(30):
            await test

    asyncio.run(bounded())


async def still_serves(address: Address) -> None:
    """Fails unless the server answers a plain request."""
    ((status, headers, _),) = answers(await raw(address, request("GET", "/v0.1/tables/t/memory", BEARER)))
    assert (status, headers["byob-protocol"]) == (200, "byob/0.1")


@pytest.mark.parametrize(
    "junk",
    [
        b"GET junk\r\n\r\n",
        b"\x00\xff\r\n\r\n",
        b"POST\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nx-long: " + b"x" * 100_000,
        request("POST", POST, BEARER, JSON, "Content-Length: -1", sized=False),
        request("POST", POST, BEARER, JSON, "Content-Length: 1, 2", sized=False),
        request("POST", POST, BEARER, JSON, "Content-Length: " + "9" * 400, sized=False),
        request("POST", POST, BEARER, JSON, "Transfer-Encoding: gzip", sized=False),
        request("POST", POST, BEARER, JSON, "Transfer-Encoding: chunked", sized=False) + b"no size\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_as_everything_else_is(junk: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            ((status, headers, body),) = answers(await raw(address, junk))
            assert (status, headers["byob-protocol"], headers["content-type"]) == (400, "byob/0.1", "application/json")
            assert body == {"error": {"code": "E_SCHEMA", "message": "the request is not HTTP/1.1"}}
            assert host.calls == []
            await still_serves(address)

    run(test())
    assert [record for record in caplog.records if record.name != "asyncio"] == []


@pytest.mark.parametrize(
    "parts",
    [
        (b"",),
        (b"GET /v0.1/tab",),
        (request("POST", POST, BEARER, JSON, "Content-Length: 100", sized=False), b'{"a":'),
        (request("POST", POST, BEARER, JSON, "Transfer-Encoding: chunked", sized=False), b"5\r\n{"),
        (request("POST", POST, BEARER, JSON, "Expect: 100-continue", "Content-Length: 100", sized=False),),
    ],
)
@pytest.mark.parametrize("eof", [True, False])
def test_a_client_that_goes_in_the_middle_leaves_nothing_behind(parts: tuple[bytes, ...], eof: bool) -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            if eof:
                assert TOKEN.encode() not in await raw(address, *parts)
            else:
                _, writer = await asyncio.open_connection(*address)
                writer.writelines(parts)
                await writer.drain()
                writer.transport.abort()
                await asyncio.gather(writer.wait_closed(), return_exceptions=True)
            await still_serves(address)
            assert host.calls == [("memory", "t", TOKEN, NOW)]

    run(test())


def test_a_body_in_chunks_is_a_body() -> None:
    async def test() -> None:
        async with listening(ScriptedHost()) as address:
            head = request("POST", POST, BEARER, JSON, "Transfer-Encoding: chunked", sized=False)
            ((status, _, body),) = answers(await raw(address, head, b'3\r\n{"a\r\n', b'4\r\n":1}\r\n0\r\n\r\n'))
            assert (status, body["called"]) == (200, ["post", "t", TOKEN, {"a": 1}, NOW])

    run(test())


def test_a_target_may_name_the_host_too() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            wanted = {
                "http://x/v0.1/tables/t/memory": 200,
                "HTTP://user@[::1]:80/v0.1/tables/t/memory?a": 200,
                "http://x": 404,
                "http://[/v0.1": 404,
                "*": 404,
                "v0.1/tables/t/memory": 404,
            }
            for target, status in wanted.items():
                ((got, headers, _),) = answers(await raw(address, request("GET", target, BEARER)))
                assert (got, headers["byob-protocol"]) == (status, "byob/0.1"), target

    run(test())


def test_requests_in_one_piece_are_answered_in_order() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            bodies_ = [{"n": 1}, {"n": 2}, {"n": 3}]
            parts = [request("POST", POST, BEARER, JSON, body=json.dumps(body).encode()) for body in bodies_]
            parts.insert(1, request("POST", POST, BEARER, JSON, body=b"{"))
            parts.insert(3, request("PUT", POST, BEARER, JSON, body=b"{}"))
            got = answers(await raw(address, b"".join(parts)))
            assert [status for status, _, _ in got] == [200, 400, 200, 404, 200]
            assert [call[3] for call in host.calls] == bodies_

    run(test())


def test_too_large_a_body_is_refused_declared_or_not_and_not_waited_for() -> None:
    async def test() -> None:
        host = ScriptedHost()
        chunk = b"%x\r\n%s\r\n" % (MIB // 2, b"x" * (MIB // 2))
        async with listening(host) as address:
            for parts in (
                (request("POST", POST, BEARER, JSON, f"Content-Length: {1 << 30}", sized=False), b"x" * 2 * MIB),
                (request("POST", POST, BEARER, JSON, "Transfer-Encoding: chunked", sized=False), chunk * 3),
                (request("POST", POST, BEARER, JSON, body=b"x" * (bodies.MAX_BODY + 1)),),
            ):
                got = await raw(address, *parts)
                assert got.startswith(b"HTTP/1.1 400 ")
                assert b"byob-protocol: byob/0.1\r\n" in got
                assert b'"code":"E_SCHEMA"' in got
            assert host.calls == []

    run(test())


def test_a_body_that_never_comes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.01)

    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            head = request("POST", POST, BEARER, JSON, "Connection: close", "Content-Length: 100", sized=False)
            ((status, _, body),) = answers(await raw(address, head + b"{", eof=False))
            assert (status, body["error"]["code"], host.calls) == (400, "E_SCHEMA", [])

    run(test())


async def opened(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection on which `hello` has been read."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(request("GET", "/v0.1/tables/t/events", BEARER))
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"byob-protocol: byob/0.1\r\n" in head
    assert b"content-type: text/event-stream" in head
    await reader.readuntil(b'event: hello\ndata: {"table":"t","seat":"bot-a"}\n\n\r\n')
    return reader, writer


def test_a_stream_wakes_a_seat_once_for_each_entry_and_ends_with_the_server() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            reader, writer = await opened(address)
            host.tell(5)
            await reader.readuntil(b'event: entry\ndata: {"seq":5,"kind":"say"}\n\n\r\n')
            writer.close()
            other, closing = await opened(address)
            host.tell(6, "pass")
        rest = await other.read()
        assert rest.partition(b"\r\n")[2] == b'event: entry\ndata: {"seq":6,"kind":"pass"}\n\n\r\n0\r\n\r\n'
        assert host.listeners == []
        closing.close()
        await asyncio.gather(writer.wait_closed(), closing.wait_closed(), return_exceptions=True)

    run(test())


async def heard(reader: asyncio.StreamReader, seq: int) -> list[tuple[int, str]]:
    """The entries that a stream tells of, up to the one with this seq."""
    found: list[tuple[int, str]] = []
    while not found or found[-1][0] != seq:
        line = await reader.readline()
        if line.startswith(b"data: "):
            data = json.loads(line.removeprefix(b"data: "))
            found.append((data["seq"], data["kind"]))
    return found


def test_a_stream_tells_what_its_seat_may_see_and_nothing_twice() -> None:
    async def test() -> None:
        play = Play().create(visibility={"b": ["nobody.say"]}).bots("a", "b", "c")
        async with listening(play.host, lambda: play.now) as address:

            async def listen(seat: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
                reader, writer = await asyncio.open_connection(*address)
                token = play.tokens["t", seat]
                writer.write(request("GET", "/v0.1/tables/t/events", f"Authorization: Bearer {token}"))
                await reader.readuntil(b"event: hello\ndata: ")
                await reader.readline()
                return reader, writer

            streams = {seat: await listen(seat) for seat in ("b", "c")}
            before = len(play.ledger())
            play.say("a")
            assert await heard(streams["b"][0], before + 2) == [(before + 2, "system")]
            assert await heard(streams["c"][0], before + 2) == [(before + 1, "say"), (before + 2, "system")]
            for _, writer in streams.values():
                writer.transport.abort()
            again = {seat: await listen(seat) for seat in ("b", "c")}
            play.say("b")
            for reader, writer in again.values():
                assert await heard(reader, before + 4) == [(before + 3, "say"), (before + 4, "system")]
                writer.transport.abort()
            writers = [writer for _, writer in [*streams.values(), *again.values()]]
            await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)

    run(test())


def test_a_client_that_never_reads_is_dropped_and_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "QUEUED", 16)

    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            _, deaf = await opened(address)
            deaf.transport.pause_reading()  # type: ignore[attr-defined]
            reader, writer = await opened(address)
            seq = 0
            while len(host.listeners) > 1:  # until what the system itself keeps for the deaf one is full
                host.tell(seq, "x" * 10_000)
                await reader.readuntil(b"\n\n\r\n")
                seq += 1
            host.tell(seq)
            await reader.readuntil(b'"kind":"say"}\n\n\r\n')
            await still_serves(address)
            deaf.transport.abort()
            writer.close()
            await asyncio.gather(deaf.wait_closed(), writer.wait_closed(), return_exceptions=True)

    run(test())


def test_a_client_that_goes_is_not_listening_any_more() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            _, writer = await opened(address)
            assert len(host.listeners) == 1
            writer.transport.abort()
            await asyncio.gather(writer.wait_closed(), return_exceptions=True)
            while host.listeners:
                await still_serves(address)

    run(test())


def test_many_listen_at_once() -> None:
    async def test() -> None:
        host = ScriptedHost()
        async with listening(host) as address:
            streams = [await opened(address) for _ in range(200)]
            host.tell(9)
            for reader, _ in streams:
                await reader.readuntil(b'event: entry\ndata: {"seq":9,"kind":"say"}\n\n\r\n')
        for _, writer in streams:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in streams), return_exceptions=True)

    run(test())


def test_what_waits_when_the_server_stops_is_told_so_with_the_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reference.byob.http_server.GRACE", 0)

    async def test() -> None:
        async with listening(ScriptedHost()) as address:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(request("POST", POST, BEARER, JSON, "Content-Length: 100", sized=False) + b"{")
            await still_serves(address)
        ((status, headers, body),) = answers(await reader.read())
        assert (status, headers["byob-protocol"], body["error"]["code"]) == (500, "byob/0.1", "E_INTERNAL")
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)

    run(test())


def test_a_client_library_is_served_over_one_connection() -> None:
    async def test() -> None:
        async with listening(ScriptedHost()) as (host, port), httpx.AsyncClient(headers=AUTH) as client:
            base = f"http://{host}:{port}/v0.1/tables/t"
            for _ in range(3):
                assert (await client.get(f"{base}/memory")).status_code == 200
                assert (await client.post(f"{base}/entries", json={"body": "é"})).status_code == 200
                assert (await client.post(f"{base}/entries", content=b"{")).status_code == 400

    run(test())


def test_logs_say_nothing_of_a_request(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with listening(ScriptedHost()) as address:
            await still_serves(address)
            await raw(address, request("POST", POST, BEARER, JSON, body=b"{"))

    with caplog.at_level(logging.INFO):
        run(test())
    assert [record for record in caplog.records if record.name != "asyncio"] == []
