"""One connection over a stream."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import NamedTuple

import pytest

from harness.targets.memory import stream_pair
from reference.yea.client.errors import BadReply, ConnectionLost
from reference.yea.client.links import IN_FLIGHT, StreamLink
from tests.reference.yea.client.playing import Frame, answered, closing, run

ANSWER = {"kind": "ANSWER", "data": 1}


class Ends(NamedTuple):
    """A link, what it reads from, and the service's end of the stream."""

    link: StreamLink
    reader: asyncio.StreamReader
    their_reader: asyncio.StreamReader
    their_writer: asyncio.StreamWriter


@contextlib.asynccontextmanager
async def linked() -> AsyncIterator[Ends]:
    """A link to nobody yet."""
    (reader, writer), (their_reader, their_writer) = stream_pair()
    link = StreamLink(reader, writer)
    async with closing(their_writer):
        yield Ends(link, reader, their_reader, their_writer)
        await link.close()


def ignore(_: Frame) -> None:
    return None


async def exchange(link: StreamLink, name: str) -> Frame:
    line = json.dumps({"id": name}).encode()
    return (await link.exchange(name, line, ignore)).frame


def test_a_request_is_one_line_and_its_reply_comes_back() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = asyncio.create_task(exchange(ends.link, "1"))
            assert await ends.their_reader.readline() == b'{"id": "1"}\n'
            ends.their_writer.write(answered(ANSWER, {"id": "1"}))
            assert (await waiting)["data"] == 1
            await ends.link.close()
            assert await ends.their_reader.read() == b""

    run(test())


def test_so_many_are_in_flight_and_the_others_wait_their_turn() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = [asyncio.create_task(exchange(ends.link, str(number))) for number in range(IN_FLIGHT + 1)]
            lines = [await ends.their_reader.readline() for _ in range(IN_FLIGHT)]
            await asyncio.sleep(0)
            assert ends.their_reader._buffer == b""  # type: ignore[attr-defined]
            ends.their_writer.write(answered(ANSWER, json.loads(lines[0])))
            assert json.loads(await ends.their_reader.readline()) == {"id": str(IN_FLIGHT)}
            for number in range(1, IN_FLIGHT + 1):
                ends.their_writer.write(answered(ANSWER, {"id": str(number)}))
            assert len(await asyncio.gather(*waiting)) == IN_FLIGHT + 1

    run(test())


def test_a_cancelled_request_leaves_the_others_alone() -> None:
    async def test() -> None:
        async with linked() as ends:
            first, second = (asyncio.create_task(exchange(ends.link, name)) for name in "12")
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)
            ends.their_writer.write(answered(ANSWER, {"id": "1"}) + answered(ANSWER, {"id": "2"}))
            assert (await second)["re"] == "2"
            assert ends.link.hint() == '; it sent a "ANSWER" in reply to "1"'

    run(test())


def test_closing_here_fails_what_waits() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = asyncio.create_task(exchange(ends.link, "1"))
            await asyncio.sleep(0)
            await ends.link.close()
            with pytest.raises(ConnectionLost, match="closed here"):
                await waiting
            with pytest.raises(ConnectionLost, match="closed here"):
                await exchange(ends.link, "2")

    run(test())


def test_a_broken_connection_says_why() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = asyncio.create_task(exchange(ends.link, "1"))
            await asyncio.sleep(0)
            ends.reader.set_exception(ConnectionResetError(104, "Connection reset by peer"))
            with pytest.raises(ConnectionLost, match="the connection broke: Connection reset by peer"):
                await waiting

    run(test())


def test_a_service_that_says_something_else_and_closes_is_quoted() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = asyncio.create_task(exchange(ends.link, "1"))
            await asyncio.sleep(0)
            ends.their_writer.write(b"SSH-2.0-x\r\n")
            ends.their_writer.close()
            with pytest.raises(
                ConnectionLost, match="the service closed the connection; it sent a line that is not JSON"
            ):
                await waiting

    run(test())


def test_a_reply_without_its_envelope_fails_its_request() -> None:
    async def test() -> None:
        async with linked() as ends:
            waiting = asyncio.create_task(exchange(ends.link, "1"))
            await asyncio.sleep(0)
            ends.their_writer.write(b'{"re":"1"}\n')
            with pytest.raises(BadReply):
                await waiting

    run(test())
