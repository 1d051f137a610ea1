"""One connection of frames (YEA 2.3)."""

import asyncio
import json

import pytest

from reference.yea.service import Steps
from reference.yea.transports.streams import Connection, Gatherer
from tests.reference.yea.service.driving import Caller, code
from tests.reference.yea.transports.sockets import HELLO, connected, run


def test_frames_are_found_by_newline_however_the_bytes_arrive() -> None:
    async def test() -> None:
        caller = Caller()
        async with connected(caller) as (client, _):
            for position in range(len(HELLO)):
                client.write(HELLO[position : position + 1])
                await asyncio.sleep(0)
            assert code(await client.read()) == "BRIEF"
            client.write(HELLO * 5)
            assert [code(await client.read()) for _ in range(5)] == ["BRIEF"] * 5

    run(test())


def test_blank_lines_are_ignored_and_crlf_is_read() -> None:
    async def test() -> None:
        async with connected(Caller()) as (client, _):
            client.write(b"\n  \n\r\n" + HELLO.replace(b"\n", b"\r\n"))
            client.writer.write_eof()
            assert [code(frame) for frame in await client.rest()] == ["BRIEF"]

    run(test())


def test_an_oversized_frame_is_refused_once_before_it_ends_and_the_stream_goes_on() -> None:
    async def test() -> None:
        async with connected(Caller()) as (client, _):
            client.write(b"x" * ((1 << 20) + 1))
            assert code(await client.read()) == "bad_frame"
            client.write(b"x" * 100_000 + b"\n" + HELLO)
            client.writer.write_eof()
            assert [code(frame) for frame in await client.rest()] == ["BRIEF"]

    run(test())


def test_every_reply_is_a_line_for_the_request_that_it_names() -> None:
    async def test() -> None:
        caller = Caller()
        async with connected(caller) as (client, _):
            deliver = caller.commit(caller.propose("shop.deliver", {"order": "o", "seconds": 0.05}))
            client.write(
                caller.framed(deliver | {"id": "slow"}), caller.framed(caller.ask("calendar.agenda", id="fast"))
            )
            replies = [await client.read() for _ in range(4)]
            assert [(reply["re"], reply["kind"]) for reply in replies] == [
                ("slow", "EVENT"),
                ("fast", "ANSWER"),
                ("slow", "EVENT"),
                ("slow", "RECEIPT"),
            ]

    run(test())


class Counting:
    """A writer that keeps what it is given, call by call."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self.closed = False

    def write(self, data: bytes) -> None:
        self.calls.append(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


def test_what_is_written_while_gathering_goes_out_in_one_call_and_in_order() -> None:
    writer = Counting()
    gatherer = Gatherer(writer)  # type: ignore[arg-type]
    gatherer.write(b"1")
    gatherer.gather()
    gatherer.write(b"2")
    gatherer.write(b"3")
    assert (writer.calls, gatherer.is_closing()) == ([b"1"], False)
    gatherer.release()
    gatherer.write(b"4")
    gatherer.gather()
    gatherer.release()
    assert writer.calls == [b"1", b"23", b"4"]


def test_what_was_gathered_goes_out_before_the_end() -> None:
    writer = Counting()
    gatherer = Gatherer(writer)  # type: ignore[arg-type]
    gatherer.gather()
    gatherer.write(b"1")
    gatherer.close()
    assert (writer.calls, writer.closed) == ([b"1"], True)


def test_the_replies_to_what_came_together_go_out_together() -> None:
    async def test() -> None:
        reader, writer = asyncio.StreamReader(), Counting()
        reader.feed_data(HELLO * 5)
        reader.feed_eof()
        serving = Connection(reader, writer, Caller().service, lambda: 0.0)  # type: ignore[arg-type]
        await serving._serve()
        assert [call.count(b"\n") for call in writer.calls] == [5]

    run(test())


def test_a_client_that_closes_its_side_still_gets_every_reply() -> None:
    async def test() -> None:
        caller = Caller()
        async with connected(caller) as (client, serving):
            commit = caller.commit(caller.propose("shop.deliver", {"order": "o", "seconds": 0.05}))
            client.write(caller.framed(commit))
            client.writer.write_eof()
            assert [code(frame) for frame in await client.rest()] == ["EVENT", "EVENT", "RECEIPT"]
            await serving

    run(test())


def test_a_client_that_goes_away_does_not_stop_its_commit() -> None:
    async def test() -> None:
        caller = Caller()
        proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 0.05})
        async with connected(caller) as (client, serving):
            client.write(caller.framed(caller.commit(proposal)))
            await client.read()
            await client.close()
            await serving
        assert caller.send(caller.commit(proposal))["replay"] is True

    run(test())


def test_a_server_that_stops_leaves_its_commits_in_doubt() -> None:
    async def test() -> None:
        caller = Caller()
        proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 5})
        async with connected(caller) as (client, serving):
            client.write(caller.framed(caller.commit(proposal)))
            await client.read()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        assert code(caller.send(caller.commit(proposal))) == "unavailable"

    run(test())


def test_one_request_too_many_in_flight_is_refused_by_its_id() -> None:
    async def test() -> None:
        caller = Caller()
        caller.service.IN_FLIGHT = 2
        params = {"order": "o", "seconds": 0.05}
        commits = [caller.framed(caller.commit(caller.propose("shop.deliver", params))) for _ in range(3)]
        async with connected(caller) as (client, _):
            client.write(*commits, HELLO)
            client.writer.write_eof()
            finals = {frame["re"]: code(frame) for frame in await client.rest() if frame["kind"] != "EVENT"}
        assert finals == dict(
            zip([*(c["id"] for c in commits), "h"], ["RECEIPT", "RECEIPT", "limit", "limit"], strict=True)
        )

    run(test())


def test_a_client_that_does_not_read_is_not_read_from_and_holds_nobody_up() -> None:
    async def test() -> None:
        caller = Caller()
        handle, handled = caller.service.handle, 0

        def counted(raw: bytes, now: float) -> Steps:
            nonlocal handled
            handled += b"menu" in raw
            return handle(raw, now)

        caller.service.handle = counted  # type: ignore[method-assign]
        flood = json.dumps(caller.framed(caller.ask("shop.menu", budget=100_000))).encode() + b"\n"
        async with connected(caller) as (deaf, serving), connected(caller) as (other, _):
            deaf.reader._limit = 1 << 10  # type: ignore[attr-defined]
            deaf.write(flood * 20_000)
            for _ in range(50):
                other.write(HELLO)
                assert code(await other.read()) == "BRIEF"
            assert not serving.done()
            # Each answer is 28 kB: what was answered is what the buffers on the way hold.
            assert 0 < handled < 100

    run(test())


@pytest.mark.parametrize("junk", [b"\x00\xff" * 500, b"{" * 5000, b'{"yea":1,"id":"x","verb":"HELLO"', b"\r" * 100])
def test_junk_ends_nothing(junk: bytes) -> None:
    async def test() -> None:
        async with connected(Caller()) as (client, serving):
            client.write(junk + b"\n" + HELLO)
            while code(await client.read()) != "BRIEF":
                pass
            client.write(junk)
            client.writer.write_eof()
            await client.rest()
            await serving

    run(test())
