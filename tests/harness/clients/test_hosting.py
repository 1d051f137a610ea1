"""A play is served over streams and as the bridge, and what a client sends is bounded and seen."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from harness.clients.hosting import Hosted, hosted, listen
from harness.clients.plays import Case, Flood, HangUp, Play
from harness.clients.session import make_certificate
from harness.errors import Untested
from harness.targets.tls import trusting
from tests.harness.peers import Seen

LOCAL = "127.0.0.1"
ANSWER = {"kind": "ANSWER", "data": "lunch"}
EVENT = {"kind": "EVENT", "message": "soon"}
ASK = {"yea": 1, "id": "1", "verb": "ASK"}
CASES = [Case("an answer", (EVENT, ANSWER)), Case("a long one", (Flood(2000),)), Case("the end", (HangUp(),))]


def served(kind: str, script: Callable[[Hosted, Path], Awaitable[Any]], folder: Path, cases: list[Case] = CASES) -> Any:
    async def main() -> Any:
        ca, chain = make_certificate(folder, LOCAL)
        async with hosted(Play("played.example", cases), kind, Seen(), chain, listen(LOCAL, 0)) as where:
            return await script(where, ca)

    return asyncio.run(main())


def port(where: Hosted) -> int:
    return int(where.url.rpartition(":")[2].partition("/")[0])


@pytest.mark.parametrize("kind", ["tcp", "tls"])
def test_a_stream_carries_requests_and_replies(tmp_path: Path, kind: str) -> None:
    async def script(where: Hosted, ca: Path) -> tuple[list[Any], bytes]:
        reader, writer = await asyncio.open_connection(LOCAL, port(where), ssl=trusting(ca) if kind == "tls" else None)
        for number in range(3):
            writer.write(json.dumps({**ASK, "id": str(number)}).encode() + b"\n")
        lines = [json.loads(await reader.readline()) for _ in range(3)]
        rest = await reader.read()
        writer.close()
        return lines, rest

    lines, rest = served(kind, script, tmp_path)
    assert [(line["kind"], line["re"]) for line in lines] == [("EVENT", "0"), ("ANSWER", "0"), ("ANSWER", "1")]
    assert rest == b""


def test_what_is_no_frame_is_seen_and_not_answered(tmp_path: Path) -> None:
    async def script(where: Hosted, ca: Path) -> tuple[Any, list[str]]:
        reader, writer = await asyncio.open_connection(LOCAL, port(where))
        writer.write(b"\n[]\n" + b"x" * (2 << 20) + b"\n" + json.dumps(ASK).encode() + b"\n")
        first = json.loads(await reader.readline())
        writer.close()
        assert isinstance(where.watcher, Seen)
        return first["kind"], where.watcher.junk

    assert served("tcp", script, tmp_path) == (
        "EVENT",
        ["JSON, but not an object", "a request over 1,048,576 bytes"],
    )


@pytest.mark.parametrize("kind", ["http", "https"])
def test_the_bridge_takes_posts_and_tells_what_came_elsewhere(tmp_path: Path, kind: str) -> None:
    async def script(where: Hosted, ca: Path) -> Any:
        verify = trusting(ca) if kind == "https" else True
        async with httpx.AsyncClient(verify=verify, trust_env=False) as client:
            answer = await client.post(where.url, json=ASK)
            found = await client.get(where.url)
            known = await client.get(f"{where.url.removesuffix('/yea')}/.well-known/yea")
            codes = [
                (await client.post(where.url, content=b"[]")).status_code,
                (await client.post(where.url, content=b"x" * (2 << 20))).status_code,
                (await client.post(where.url.removesuffix("yea"), json=ASK)).status_code,
                (await client.put(f"{where.url}/more", json=ASK)).status_code,
            ]
        kinds = [json.loads(line)["kind"] for line in answer.text.splitlines()]
        return answer.headers["content-type"], kinds, found.json()["kind"], known.json()["kind"], codes, where.strays

    assert served(kind, script, tmp_path) == (
        "application/x-ndjson",
        ["EVENT", "ANSWER"],
        "BRIEF",
        "BRIEF",
        [400, 413, 404, 404],
        ["POST /", "PUT /yea/more"],
    )


def test_an_address_without_a_port_is_where_the_port_is(tmp_path: Path) -> None:
    async def main() -> tuple[str, int]:
        _, chain = make_certificate(tmp_path, LOCAL)
        bound = listen(LOCAL, 0)
        number = bound.getsockname()[1]
        async with hosted(Play("p", CASES), "tcp", Seen(), chain, bound, port_in_url=False) as where:
            _, writer = await asyncio.open_connection(LOCAL, number)
            writer.close()
            return where.url, number

    assert asyncio.run(main())[0] == f"yea://{LOCAL}"


def test_a_port_that_is_taken_makes_the_check_untested() -> None:
    taken = listen(LOCAL, 0)
    with taken, pytest.raises(Untested, match="cannot be had"):
        listen(LOCAL, taken.getsockname()[1])


def test_a_connection_that_stays_open_is_broken_in_the_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> bytes:
        _, chain = make_certificate(tmp_path, LOCAL)
        async with hosted(Play("p", CASES), "tcp", Seen(), chain, listen(LOCAL, 0)) as where:
            reader, writer = await asyncio.open_connection(LOCAL, port(where))
            writer.write(json.dumps(ASK).encode() + b"\n")
            await reader.readline()
        try:
            return (await reader.read())[-1:]
        except ConnectionError:
            return b"\n"
        finally:
            writer.close()

    assert asyncio.run(main()) == b"\n"
    assert caplog.records == []


def test_a_long_reply_that_the_client_takes_is_a_sign_of_it(tmp_path: Path) -> None:
    async def script(where: Hosted, ca: Path) -> int:
        moves: list[int] = []
        where.play.moved = lambda: moves.append(1)
        reader, writer = await asyncio.open_connection(LOCAL, port(where))
        writer.write(json.dumps(ASK).encode() + b"\n")
        while not (await reader.read(1 << 20)).endswith(b"\n"):
            pass
        writer.close()
        await where.drained()
        return len(moves)

    assert served("tcp", script, tmp_path, [Case("a long one", (Flood(3 << 20),))]) == 5
