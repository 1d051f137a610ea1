"""The stream driver: lines without I/O, and hostile peers on the virtual clock, none of which crash or hang it."""

import asyncio
import json
import random
from typing import Any

import pytest

from harness import limits
from harness.clock import EPOCH, virtual_now
from harness.errors import TargetFault
from harness.targets.base import Exchange, Frame, Junk
from harness.targets.streams import CHUNK, Lines, StreamConnection
from tests.harness.peers import BRIEF, Peer, Seen, answering, brief, closing, line, saying, talk

MIB = 1 << 20
HELLO: dict[str, Any] = {"yea": 1, "id": "1", "verb": "HELLO"}
REPLY = {"yea": 1, "id": "s", "re": "1", "kind": "ANSWER"}


# Lines


def fed(data: bytes, size: int, cap: int = limits.LINE_CAP) -> tuple[list[tuple[bytes, int]], int]:
    lines = Lines(cap)
    found = []
    for start in range(0, len(data), size):
        found += lines.feed(data[start : start + size])
    return found, lines.pending


def test_lines_are_the_same_however_the_bytes_are_split() -> None:
    data = b"one\n\n\r\ntwo\xff\n" + b"x" * 30 + b"\nrest"
    wanted = ([(b"one", 3), (b"", 0), (b"\r", 1), (b"two\xff", 4), (b"x" * 20, 30)], 4)
    for size in range(1, len(data) + 1):
        assert fed(data, size, 20) == wanted


def test_a_line_is_kept_up_to_its_cap_and_counted_to_its_end() -> None:
    lines = Lines(8)
    for _ in range(1000):
        assert lines.feed(b"y" * 1000) == []
    assert lines.pending == 1_000_000
    assert lines.feed(b"\nnext\n") == [(b"y" * 8, 1_000_000), (b"next", 4)]
    assert lines.pending == 0
    assert lines.feed(b"z" * 8 + b"\n" + b"z" * 9 + b"\n") == [(b"z" * 8, 8), (b"z" * 8, 9)]


# A connection and its peer


def asked(peer: Peer, timeout: float = 10.0) -> tuple[Exchange | str, list[str], float]:
    """Say HELLO to a peer; returns the exchange or what was wrong, the junk, and how long it took."""

    async def script(connection: StreamConnection, seen: Seen) -> tuple[Exchange | str, list[str], float]:
        begun = virtual_now()
        try:
            found: Exchange | str = await connection.request(HELLO)
        except TargetFault as fault:
            found = fault.why
        return found, seen.junk, virtual_now() - begun

    result: tuple[Exchange | str, list[str], float] = talk(peer, script, timeout)
    return result


def test_a_right_answer_is_an_exchange() -> None:
    reply = {"yea": 1, "id": "s-1", "re": "1", **BRIEF}
    size = len(line(reply)) - 1
    frame = Frame(reply, size, EPOCH, line(reply)[:-1])
    assert asked(answering(brief)) == (Exchange(HELLO, [frame]), [], 0.0)


def test_a_request_goes_out_as_one_line_and_is_shown() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> list[bytes]:
        await connection.request(HELLO)
        return seen.out

    assert talk(answering(brief), script) == [b'{"yea":1,"id":"1","verb":"HELLO"}\n']


SPOILT_ANSWERS = {
    "nothing": (b"", "HELLO got no reply (waited 10 s)", []),
    "an answer to somebody else": (line({**REPLY, "re": "2"}), "HELLO got no reply (waited 10 s)", []),
    "an answer to nobody": (line({**REPLY, "re": None}), "HELLO got no reply (waited 10 s)", []),
    "an answer whose re is a list": (line({**REPLY, "re": ["1"]}), "HELLO got no reply (waited 10 s)", []),
    "an answer whose re is a number": (line({**REPLY, "re": 1}), "HELLO got no reply (waited 10 s)", []),
    "EVENTs alone": (line({**REPLY, "kind": "EVENT"}) * 3, "HELLO got no reply (waited 10 s)", []),
    "an answer without its newline": (line(REPLY)[:-1], "HELLO got no reply (waited 10 s)", []),
    "empty lines": (
        b"\n\r\n  \n",
        "HELLO got no frame: an empty line (waited 10 s)",
        ["an empty line"] * 3,
    ),
    "bytes that are not UTF-8": (
        b'{"re":"1","kind":"ANSWER","x":"\xff"}\n',
        "HELLO got no frame: not UTF-8: invalid start byte at byte 31 (waited 10 s)",
        ["not UTF-8: invalid start byte at byte 31"],
    ),
    "a JSON value that is no object": (
        b"[1]\n",
        "HELLO got no frame: JSON, but not an object (waited 10 s)",
        ["JSON, but not an object"],
    ),
}


@pytest.mark.parametrize("name", SPOILT_ANSWERS)
def test_an_answer_that_does_not_come_is_a_fault_of_the_target(name: str) -> None:
    said, why, junk = SPOILT_ANSWERS[name]
    assert asked(saying(said)) == (why, junk, 10.0)


def test_a_banner_is_junk() -> None:
    found, junk, seconds = asked(saying(b"SSH-2.0-OpenSSH_9.6\r\n"))
    assert isinstance(found, str)
    assert found.startswith("HELLO got no frame: not JSON: ")
    assert found.endswith(" (waited 10 s)")
    assert (len(junk), seconds) == (1, 10.0)


def test_junk_before_the_answer_is_kept_beside_it() -> None:
    found, junk, _ = asked(saying(b"\nnoise\n" + line(REPLY)))
    assert isinstance(found, Exchange)
    assert (found.reply, [each.sort for each in found.junk], len(junk)) == (REPLY, ["blank", "json"], 2)


def test_a_close_is_seen_at_once() -> None:
    assert asked(closing(b"")) == ("HELLO got a closed connection (the target closed the connection)", [], 0.0)


def test_a_close_within_a_line_is_seen_as_one() -> None:
    problem = "the connection closed within a line (8 bytes of it came)"
    why = f"HELLO got no frame: {problem} (the target closed the connection)"
    assert asked(closing(b'{"re":"1')) == (why, [problem], 0.0)


def test_an_answer_just_before_the_close_counts() -> None:
    found, junk, _ = asked(closing(line(REPLY)))
    assert isinstance(found, Exchange)
    assert (found.reply, junk) == (REPLY, [])


def test_a_broken_connection_is_no_error_of_ours() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"{")

    class Broken(asyncio.StreamReader):
        async def read(self, n: int = -1) -> bytes:
            await super().read(n)
            raise ConnectionResetError(104, "Connection reset by peer")

    async def script(connection: StreamConnection, seen: Seen) -> tuple[str, list[str]]:
        reader = connection._reader
        assert isinstance(reader, asyncio.StreamReader)
        reader.__class__ = Broken
        with pytest.raises(TargetFault) as caught:
            await connection.request(HELLO)
        return caught.value.why, seen.junk

    why, _ = talk(peer, script)
    assert why == "HELLO got a closed connection (the target closed the connection)"


def test_a_peer_that_sends_a_byte_at_a_time_is_understood() -> None:
    data = b" \r\n" + line({**REPLY, "kind": "EVENT"}) + line({**REPLY, "data": "é☃" * 100})

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for byte in data:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.001)

    found, junk, seconds = asked(peer)
    assert isinstance(found, Exchange)
    assert (found.reply["data"], len(found.events), junk) == ("é☃" * 100, 1, ["an empty line"])
    assert 0 < seconds < 10


def test_a_peer_that_is_too_slow_runs_into_the_timeout() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for byte in line(REPLY):
            writer.write(bytes([byte]))
            await asyncio.sleep(1)

    assert asked(peer, 5.0) == ("HELLO got no reply (waited 5 s)", [], 5.0)


def test_any_split_of_the_bytes_gives_the_same_exchange() -> None:
    data = line({**REPLY, "kind": "EVENT", "message": "é"}) * 2 + b"\n?\n" + line(REPLY)
    choices = random.Random(7)

    def cut_up(size: int) -> Peer:
        async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            start = 0
            while start < len(data):
                end = start + choices.randint(1, size)
                writer.write(data[start:end])
                start = end
                await asyncio.sleep(0)

        return peer

    whole = asked(saying(data))
    assert [asked(cut_up(size)) for size in (1, 2, 7, 50) for _ in range(5)] == [whole] * 20


def test_a_second_final_reply_is_one_too_many() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> tuple[dict[str, Any], list[Any]]:
        exchange = await connection.request(HELLO)
        return exchange.reply, [frame.value for frame in await connection.settle(exchange)]

    again = {**REPLY, "id": "s2", "kind": "ERROR"}
    event = {**REPLY, "id": "s3", "kind": "EVENT"}
    assert talk(saying(line(REPLY) + line(again) + line(event)), script) == (REPLY, [again, event])
    assert talk(saying(line(REPLY)), script) == (REPLY, [])


def test_an_answer_that_comes_after_the_timeout_is_late_and_answers_nobody_else() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = json.loads(await reader.readline())
        second = json.loads(await reader.readline())
        for frame in (first, second):
            writer.write(line({**REPLY, "re": frame["id"]}))
        await asyncio.Event().wait()

    async def script(connection: StreamConnection, seen: Seen) -> tuple[str, list[Any], Any]:
        first = await connection.raw(json.dumps(HELLO).encode(), re="1", timeout=1.0)
        second = await connection.request({**HELLO, "id": "2"})
        late = await connection.settle(Exchange(HELLO))
        return first.seen(), [frame.value for frame in late], second.reply["re"]

    assert talk(peer, script) == ("no reply", [REPLY], "2")


def test_replies_in_any_order_find_their_requests() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ids = [json.loads(await reader.readline())["id"] for _ in range(limits.IN_FLIGHT)]
        writer.write(b"".join(line({**REPLY, "re": each}) for each in reversed(ids)))
        await asyncio.Event().wait()

    async def script(connection: StreamConnection, seen: Seen) -> list[str]:
        asking = [connection.request({**HELLO, "id": str(number)}) for number in range(limits.IN_FLIGHT)]
        return [exchange.reply["re"] for exchange in await asyncio.gather(*asking)]

    assert talk(peer, script) == [str(number) for number in range(limits.IN_FLIGHT)]


def test_at_most_eight_requests_are_in_flight() -> None:
    waiting: list[int] = []

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ids: list[str] = []
        while True:
            try:
                async with asyncio.timeout(1):
                    ids.append(json.loads(await reader.readline())["id"])
            except TimeoutError:
                if not ids:
                    return
                waiting.append(len(ids))
                writer.write(b"".join(line({**REPLY, "re": each}) for each in ids))
                ids = []

    async def script(connection: StreamConnection, seen: Seen) -> int:
        asking = [connection.request({**HELLO, "id": str(number)}) for number in range(20)]
        return len(await asyncio.gather(*asking))

    assert talk(peer, script) == 20
    assert waiting == [8, 8, 4]


def test_raw_bytes_get_the_next_reply_that_answers_nothing_else() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> tuple[Any, list[bytes], Any]:
        exchange = await connection.raw(b"[1]")
        return exchange.reply, seen.out, await connection.stray(1.0)

    stray = {**REPLY, "re": "?", "kind": "ERROR", "code": "bad_frame"}
    assert talk(saying(line(stray)), script) == (stray, [b"[1]\n"], None)


def test_raw_bytes_without_an_answer_give_an_exchange_without_one() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> Exchange:
        return await connection.raw(b"[1]", timeout=2.0)

    assert talk(saying(b""), script) == Exchange(b"[1]")
    closed = talk(closing(b""), script)
    assert (closed.seen(), closed.closed) == ("a closed connection", True)


def test_a_stray_frame_can_be_waited_for() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> tuple[Any, Any]:
        await connection.write(b"x\n")
        first = await connection.stray()
        return first and first.value, await connection.stray()

    stray = {**REPLY, "re": "9"}
    assert talk(saying(line(stray)), script) == (stray, None)
    assert talk(closing(line(stray)), script) == (stray, None)


def test_deep_nesting_is_read_like_anything_else() -> None:
    levels = 100_000
    deep = b'{"re":"1","kind":"ANSWER","data":' + b'{"a":[' * (levels // 2) + b"]}" * (levels // 2) + b"}\n"
    found, junk, _ = asked(saying(deep))
    kind = found.kind if isinstance(found, Exchange) else found
    del found  # pytest cannot show it
    assert (kind, junk) == ("ANSWER", [])
    found, junk, _ = asked(saying(b"[" * levels + b"\n" + line(REPLY)))
    assert isinstance(found, Exchange)
    assert (found.reply, len(junk)) == (REPLY, 1)


# Bounds


def test_a_line_over_the_limit_is_read_away_and_the_next_one_counts() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for _ in range(3 * 16):
            writer.write(b"x" * CHUNK)
            await asyncio.sleep(0)
        writer.write(b"\n" + line(REPLY))
        await asyncio.Event().wait()

    found, junk, _ = asked(peer)
    assert isinstance(found, Exchange)
    assert (found.reply, junk) == (REPLY, [f"a line of {3 * MIB} bytes, over the limit of {MIB}"])
    assert [each.sort for each in found.junk] == ["long"]
    assert len(found.junk[0].start) == 400


def endless(chunk: bytes) -> Peer:
    """Return a peer that sends the same bytes for as long as somebody reads, or 100 MiB of them."""

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for _ in range(100 * MIB // len(chunk)):
            writer.write(chunk)
            await asyncio.sleep(0)

    return peer


def test_a_hundred_mebibytes_without_a_newline_are_bounded() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> tuple[str, list[str], int]:
        with pytest.raises(TargetFault) as caught:
            await connection.request(HELLO)
        return caught.value.why, seen.junk, connection.received_bytes

    why, junk, received = talk(endless(b"x" * CHUNK), script)
    cap = limits.CONNECTION_CAP
    assert junk == [
        "the target sent 64 MiB on one connection",
        f"the connection closed within a line ({cap} bytes of it came)",
    ]
    assert why == f"HELLO got no frame: {junk[0]} (the target closed the connection)"
    assert cap <= received < cap + CHUNK


@pytest.mark.parametrize(
    ("said", "cap"),
    [
        (b"\n", limits.JUNK_CAP),
        (b"{}\n", limits.FRAMES_CAP),
        (b"[]\n", limits.JUNK_CAP),
        (line({**REPLY, "kind": "EVENT"}), limits.FRAMES_CAP),
        (line({"re": "2"}), limits.FRAMES_CAP),
    ],
)
def test_a_flood_of_small_lines_is_bounded(said: bytes, cap: int) -> None:
    async def script(connection: StreamConnection, seen: Seen) -> tuple[str, int, int]:
        with pytest.raises(TargetFault) as caught:
            await connection.request(HELLO)
        kept = len(connection.junk) + len(connection._strays)
        return caught.value.why, kept, connection.received_lines

    why, kept, lines = talk(endless(said * (CHUNK // len(said))), script)
    assert why.endswith("(the target closed the connection)")
    assert lines == cap
    assert kept <= lines + 2


def test_a_peer_that_reads_nothing_does_not_hold_a_request_for_ever() -> None:
    class Clogged(asyncio.StreamWriter):
        async def drain(self) -> None:
            await asyncio.Event().wait()

    async def script(connection: StreamConnection, seen: Seen) -> str:
        writer = connection._writer
        assert isinstance(writer, asyncio.StreamWriter)
        writer.__class__ = Clogged
        with pytest.raises(TargetFault) as caught:
            await connection.request(HELLO)
        return caught.value.why

    assert talk(saying(b""), script) == "HELLO got no reply (waited 10 s)"


def test_closing_twice_or_after_the_peer_is_no_error() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> bool:
        await connection.raw(b"x", timeout=1)
        await connection.close()
        await connection.close()
        await connection.write(b"into the void\n")
        return True

    assert talk(closing(b""), script)
    assert talk(saying(b""), script)


def test_a_watcher_that_breaks_is_an_error_of_ours_and_not_of_the_target() -> None:
    class Breaking(Seen):
        def received(self, connection: str, frame: Frame) -> None:
            raise LookupError("a bug")

    async def script(connection: StreamConnection, seen: Seen) -> str:
        connection._watcher = Breaking()
        with pytest.raises(LookupError) as caught:
            await connection.request(HELLO)
        with pytest.raises(LookupError):
            await connection.stray()
        return str(caught.value)

    assert talk(saying(line(REPLY)), script) == "a bug"


def test_junk_is_what_its_sort_says() -> None:
    async def script(connection: StreamConnection, seen: Seen) -> list[Junk]:
        await connection.raw(b"x", timeout=1)
        return connection.junk

    said = b"\n" + b"\xff\n" + b"{\n" + b"[1]\n" + b"y" * 2 * MIB + b"\n" + b"cut"
    junk = talk(closing(said), script)
    assert [each.sort for each in junk] == ["blank", "text", "json", "json", "long", "cut"]
    assert all(len(each.start) <= 400 for each in junk)
