"""The HTTP bridge (YEA 2.4)."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from reference.yea.transports.http import bridge_app
from reference.yea.transports.http_server import HttpServer
from reference.yea.transports.tcp import authority, listen
from tests.reference.yea.service.driving import Caller, Frame, code
from tests.reference.yea.transports.sockets import run

MIB = 1 << 20


@asynccontextmanager
async def bridged(caller: Caller) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the bridge, without sockets."""
    transport = httpx.ASGITransport(app=bridge_app(caller.service, lambda: caller.now))
    async with httpx.AsyncClient(transport=transport, base_url="http://bridge.invalid") as client:
        yield client


@asynccontextmanager
async def listening(caller: Caller) -> AsyncIterator[tuple[str, int]]:
    """The host and port of a bridge on a real socket."""
    listener = listen("127.0.0.1", 0)
    server = HttpServer(listener, caller.service, lambda: caller.now)
    host, port = listener.getsockname()[:2]
    await server.start()
    try:
        yield host, port
    finally:
        await server.stop(0)
        listener.close()


def frames(response: httpx.Response) -> list[Frame]:
    """The frames of a response."""
    assert response.text.endswith("\n")
    return [json.loads(line) for line in response.text.splitlines()]


def test_a_post_is_answered_with_200_and_one_frame_a_line() -> None:
    async def test() -> None:
        caller = Caller()
        async with bridged(caller) as client:
            for frame, wanted in (
                ({"verb": "HELLO"}, "BRIEF"),
                ({"verb": "NOPE"}, "bad_frame"),
                (caller.ask("none"), "unknown_capability"),
                ({"verb": "COMMIT"}, "not_found"),
            ):
                response = await client.post("/yea", json=caller.framed(frame))
                assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
                assert [code(reply) for reply in frames(response)] == [wanted]

    run(test())


@pytest.mark.parametrize("body", [b"", b"junk", b"[]", b'{"yea":1,"id":"a","verb":"HELLO"}\n' * 2, b"\xff"])
def test_a_body_that_is_no_frame_is_a_bad_frame(body: bytes) -> None:
    async def test() -> None:
        async with bridged(Caller()) as client:
            response = await client.post("/yea", content=body)
            assert (response.status_code, [code(reply) for reply in frames(response)]) == (200, ["bad_frame"])

    run(test())


def test_both_gets_are_discovery() -> None:
    async def test() -> None:
        caller = Caller()
        brief = caller.send({"verb": "HELLO"})
        async with bridged(caller) as client:
            for path in ("/yea", "/.well-known/yea"):
                response = await client.get(path)
                assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
                found = response.json()
                assert (found["kind"], found["service"]) == ("BRIEF", brief["service"])
                assert found["capabilities"] == brief["capabilities"]

    run(test())


def test_other_methods_and_paths() -> None:
    async def test() -> None:
        async with bridged(Caller()) as client:
            got = [
                (await client.request(method, path)).status_code
                for method, path in (
                    ("PUT", "/yea"),
                    ("DELETE", "/yea"),
                    ("OPTIONS", "/yea"),
                    ("POST", "/.well-known/yea"),
                    ("GET", "/yea/"),
                    ("POST", "/yea/"),
                    ("GET", "/"),
                )
            ]
            assert got == [405, 405, 405, 405, 404, 404, 404]

    run(test())


def test_state_is_shared_by_all_posts() -> None:
    async def test() -> None:
        caller = Caller()
        async with bridged(caller) as client:

            async def post(frame: Frame) -> Frame:
                return frames(await client.post("/yea", json=caller.framed(frame)))[-1]

            proposal = (await post(caller.intent("calendar.book", {"event": "e"})))["proposals"][0]
            receipt = (await post(caller.commit(proposal)))["receipt"]
            assert (await post(caller.commit(proposal)))["replay"] is True
            assert (await post(caller.undo(receipt)))["receipt"]["undoes"] == receipt["id"]

    run(test())


def test_events_are_streamed_as_they_happen() -> None:
    async def test() -> None:
        caller = Caller()
        commit = caller.framed(caller.commit(caller.propose("shop.deliver", {"order": "o", "seconds": 0.3})))
        async with listening(caller) as (host, port), httpx.AsyncClient() as client:
            seen: list[tuple[str, float]] = []
            loop = asyncio.get_running_loop()
            async with client.stream("POST", f"http://{host}:{port}/yea", json=commit) as response:
                async for line in response.aiter_lines():
                    seen.append((json.loads(line)["kind"], loop.time()))
        assert [kind for kind, _ in seen] == ["EVENT", "EVENT", "RECEIPT"]
        assert seen[0][1] + 0.1 < seen[1][1] < seen[2][1] - 0.1

    run(test())


async def raw(address: tuple[str, int], *parts: bytes, eof: bool = False) -> bytes:
    """What a server answers to these bytes until it closes."""
    reader, writer = await asyncio.open_connection(*address)
    for part in parts:
        writer.write(part)
    if eof:
        writer.write_eof()
    answer = await reader.read()
    writer.close()
    await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    return answer


def head(*headers: str) -> bytes:
    """The head of a POST."""
    return "\r\n".join(["POST /yea HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def test_too_large_a_body_is_413_declared_or_not_and_is_not_waited_for() -> None:
    async def test() -> None:
        chunk = b"%x\r\n%s\r\n" % (MIB // 2, b"x" * (MIB // 2))
        async with listening(Caller()) as address:
            for parts in (
                (head(f"Content-Length: {1 << 30}"), b"x" * 2 * MIB),
                (head(f"Content-Length: {'9' * 400}"),),
                (head("Transfer-Encoding: chunked"), chunk * 3),
                (head(f"Content-Length: {MIB + 1}"), b"x" * (MIB + 1)),
            ):
                answer = await raw(address, *parts, eof=True)
                assert answer.startswith((b"HTTP/1.1 413 ", b"HTTP/1.1 400 ")), answer
            answer = await raw(address, head(f"Content-Length: {MIB + 1}"), b"x" * (MIB + 1), eof=True)
            assert answer.startswith(b"HTTP/1.1 413 ")

    run(test())


def test_a_body_at_the_limit_is_read() -> None:
    async def test() -> None:
        hello = json.dumps({"yea": 1, "id": "h", "verb": "HELLO", "pad": ""}).encode()
        body = hello[:-2] + b"x" * (MIB - len(hello)) + b'"}'
        assert len(body) == MIB
        async with bridged(Caller()) as client:
            assert code(frames(await client.post("/yea", content=body))[0]) == "BRIEF"
            assert (await client.post("/yea", content=body + b" ")).status_code == 413

    run(test())


@pytest.mark.parametrize(
    "junk",
    [b"GET junk\r\n\r\n", b"\x00\xff\r\n\r\n", head("Content-Length: 100") + b"{", head("Content-Length: -1"), b"POST"],
)
def test_broken_http_kills_nothing(junk: bytes) -> None:
    async def test() -> None:
        async with listening(Caller()) as address, httpx.AsyncClient() as client:
            await raw(address, junk, eof=True)
            host, port = address
            assert (await client.get(f"http://{host}:{port}/yea")).status_code == 200

    run(test())


def test_a_client_that_goes_away_does_not_stop_its_commit() -> None:
    async def test() -> None:
        caller = Caller()
        proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 0.1})
        body = json.dumps(caller.framed(caller.commit(proposal))).encode()
        async with listening(caller) as address:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(head(f"Content-Length: {len(body)}") + body)
            await reader.readuntil(b"EVENT")
            writer.transport.abort()
            await asyncio.sleep(0.2)
        assert caller.send(caller.commit(proposal))["replay"] is True

    run(test())


def test_a_bridge_that_stops_leaves_its_commits_in_doubt() -> None:
    async def test() -> None:
        caller = Caller()
        proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 5})
        body = json.dumps(caller.framed(caller.commit(proposal))).encode()
        async with listening(caller) as address:
            reader, writer = await asyncio.open_connection(*address)
            writer.write(head(f"Content-Length: {len(body)}") + body)
            await reader.readuntil(b"EVENT")
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
        assert code(caller.send(caller.commit(proposal))) == "unavailable"

    run(test())


def test_a_bridge_may_be_at_another_path() -> None:
    async def test() -> None:
        caller = Caller()
        app: Any = bridge_app(caller.service, lambda: caller.now, path="/agents")
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://x.invalid") as client:
            assert [(await client.get(path)).status_code for path in ("/agents", "/yea")] == [200, 404]

    run(test())


def test_an_address_is_bound_before_the_server_runs() -> None:
    with listen("127.0.0.1", 0) as listener:
        assert authority(listener).startswith("127.0.0.1:")
