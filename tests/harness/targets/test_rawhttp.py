"""Half requests: what an answer holds, over an in-memory socket whose other end is a few lines."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from harness.clock import EPOCH, run_virtual, virtual_now
from harness.errors import TargetGone
from harness.targets import rawhttp
from harness.targets.addresses import parse
from harness.targets.base import Exchange, Frame, Http
from harness.targets.memory import stream_pair

FRAME = b'{"yea":1,"id":"s","re":"?","kind":"ERROR","code":"bad_frame","message":"too long"}'
VALUE = {"yea": 1, "id": "s", "re": "?", "kind": "ERROR", "code": "bad_frame", "message": "too long"}
REFUSED = b"HTTP/1.1 413 Too Large\r\nContent-Type: text/plain\r\n\r\nno"

Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def part_of_a_post(peer: Peer, sent: bytes = b"POST / HTTP/1.1\r\n\r\nx") -> tuple[Exchange, float, bytes]:
    """Send the start of a POST to a peer; returns the exchange, the seconds it took, and what the peer got."""
    got = bytearray()

    async def main() -> tuple[Exchange, float, bytes]:
        (reader, writer), there = stream_pair()

        async def dial() -> rawhttp.Streams:
            return reader, writer

        async def reading(theirs: asyncio.StreamReader) -> None:
            while data := await theirs.read(1 << 16):
                got.extend(data)

        serving = asyncio.gather(peer(*there), reading(there[0]))
        exchange = Exchange(b"")
        begun = virtual_now()
        await rawhttp.post_part(dial, sent, exchange, virtual_now, 5.0)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        there[1].close()
        return exchange, virtual_now() - begun, bytes(got)

    return run_virtual(main())


def saying(*parts: bytes, close: bool = False) -> Peer:
    async def peer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(1)
        if close:
            writer.close()
        await asyncio.Event().wait()

    return peer


def test_a_refusal_is_taken_as_soon_as_its_head_is_there() -> None:
    sent = b"POST /yea HTTP/1.1\r\n\r\nxxxxxxxxx"
    exchange, seconds, got = part_of_a_post(saying(REFUSED[:20], REFUSED[20:]), sent)
    assert exchange.http == Http(413, "text/plain", {"content-type": "text/plain"})
    assert (exchange.frames, exchange.closed, seconds) == ([], False, 1.0)
    assert got == sent


@pytest.mark.parametrize("chunked", [False, True])
def test_a_frame_with_status_200_is_taken_as_soon_as_it_is_whole(chunked: bool) -> None:
    body = b"%x\r\n%s\n\r\n" % (len(FRAME) + 1, FRAME) if chunked else FRAME + b"\n"
    exchange, seconds, _ = part_of_a_post(saying(b"HTTP/1.1 200 OK\r\n\r\n", body[:9], body[9:]))
    assert exchange.frames == [Frame(VALUE, len(FRAME), EPOCH + 2, FRAME)]
    assert (exchange.code, seconds) == ("bad_frame", 2.0)


def test_silence_runs_into_the_timeout() -> None:
    exchange, seconds, _ = part_of_a_post(saying(b"HTTP/1.1 200 OK\r\n\r\n"))
    assert (exchange.final, exchange.closed, seconds) == (None, False, 5.0)
    assert exchange.http == Http(200, "", {})


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1", b"SSH-2.0-x\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"\r\n\r\n"])
def test_what_is_no_http_is_none(said: bytes) -> None:
    exchange, _, _ = part_of_a_post(saying(said, close=True))
    assert (exchange.http, exchange.frames, exchange.closed) == (None, [], True)


def test_an_endless_answer_is_bounded() -> None:
    read = 0

    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal read
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            writer.write(b"x" * 10_000)
            read += 10_000
            await asyncio.sleep(0.001)

    part_of_a_post(endless)
    assert read < 2 * rawhttp.ANSWER_CAP


def test_the_head_is_the_request_line_the_headers_and_an_empty_line() -> None:
    assert rawhttp.head("/yea?a=b", [(b"Host", b"h:1"), (b"Content-Length", b"5")]) == (
        b"POST /yea?a=b HTTP/1.1\r\nHost: h:1\r\nContent-Length: 5\r\n\r\n"
    )


def test_headers_are_bounded() -> None:
    lines = b"".join(b"x-%d: %s\r\n" % (number, b"y" * 2000) for number in range(500))
    http, _ = rawhttp.read_answer(b"HTTP/1.1 200 OK\r\n" + lines + b"\r\n", lambda: 0.0)
    assert http is not None
    assert len(http.headers) <= 100
    assert max(map(len, http.headers.values())) == 1000


def test_hanging_up_sends_what_there_is_and_closes() -> None:
    async def main() -> bytes:
        (reader, writer), (their_reader, their_writer) = stream_pair()

        async def dial() -> rawhttp.Streams:
            return reader, writer

        await rawhttp.hang_up(dial, b"POST / HTTP/1.1\r\n\r\n{")
        their_writer.close()
        return await their_reader.read()

    assert run_virtual(main()) == b"POST / HTTP/1.1\r\n\r\n{"


def test_a_port_where_nobody_listens_is_gone() -> None:
    async def main() -> Any:
        return await rawhttp.dialer(parse("http://127.0.0.1:1/yea"), True)()

    with pytest.raises(TargetGone, match="no connection to"):
        asyncio.run(main())


@pytest.mark.parametrize(
    ("peer", "came", "took"),
    [
        (saying(b"HTTP/1.1 400 Bad Request\r\n\r\n"), b"HTTP/1.1 400 Bad Request\r\n\r\n", 0.0),
        (saying(), b"", 1.0),
        (saying(close=True), b"", 0.0),
    ],
    ids=["answers", "is silent", "closes"],
)
def test_what_a_server_says_to_a_head_that_is_none_is_waited_for_a_while(peer: Peer, came: bytes, took: float) -> None:
    async def main() -> tuple[bytes, float]:
        (reader, writer), there = stream_pair()

        async def dial() -> rawhttp.Streams:
            return reader, writer

        serving = asyncio.ensure_future(peer(*there))
        begun = virtual_now()
        got = await rawhttp.say(dial, b"GET //[ HTTP/1.1\r\n\r\n")
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        there[1].close()
        return got, virtual_now() - begun

    assert run_virtual(main()) == (came, took)
