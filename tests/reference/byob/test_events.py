"""The event stream of a seat (BYOB 2), on a clock that jumps."""

import asyncio
from collections.abc import Callable
from typing import Any

from harness.clock import run_virtual
from reference.byob.events import KEEP_ALIVE_SECONDS, QUEUED, STREAMS_PER_SEAT, EventStream, Streams, event


class Reader:
    """The client's end of a stream, which reads until it is told to stop."""

    def __init__(self, settled: Callable[[], Any] | None = None) -> None:
        self.got: list[bytes] = []
        self.whole = False
        self.subscribed: EventStream | None = None
        self.dropped = False
        self.gone = asyncio.Event()
        self.reads = asyncio.Event()
        self.reads.set()
        self.stream = EventStream({"table": "t", "seat": "a"}, self.subscribe, settled or self.at_once, {})
        scope = {"type": "http", "state": {"abort": self.drop}}
        self.task = asyncio.create_task(self.stream(scope, self.receive, self.send))

    async def at_once(self) -> None:
        """All entries are on disk."""

    def subscribe(self, stream: EventStream) -> Callable[[], None]:
        self.subscribed = stream
        return self.unsubscribe

    def unsubscribe(self) -> None:
        self.subscribed = None

    def drop(self) -> None:
        self.dropped = True

    async def receive(self) -> dict[str, Any]:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        await self.reads.wait()
        if message["type"] == "http.response.start":
            self.headers = dict(message["headers"])
        elif message["body"]:
            self.got.append(message["body"])
        self.whole = message.get("more_body") is False

    async def settle(self) -> None:
        """Lets everything run that can run now."""
        for _ in range(10):
            await asyncio.sleep(0)


HELLO = b'event: hello\ndata: {"table":"t","seat":"a"}\n\n'


def entry(seq: int) -> bytes:
    return event("entry", {"seq": seq, "kind": "say"})


def test_an_event_is_its_name_and_a_line_of_json() -> None:
    assert event("entry", {"seq": 5, "kind": "say"}) == b'event: entry\ndata: {"seq":5,"kind":"say"}\n\n'
    assert event("x", {"a": "\n\ré"}) == 'event: x\ndata: {"a":"\\n\\ré"}\n\n'.encode()


def test_a_stream_says_hello_and_then_each_entry() -> None:
    async def test() -> None:
        reader = Reader()
        await reader.settle()
        assert reader.headers == {b"content-type": b"text/event-stream; charset=utf-8"}
        assert reader.got == [HELLO]
        for seq in (4, 5, 7):
            reader.stream.put({"seq": seq, "kind": "say"})
        await reader.settle()
        reader.stream.put({"seq": 8, "kind": "say"})
        await reader.settle()
        assert reader.got == [HELLO, entry(4) + entry(5) + entry(7), entry(8)]
        reader.gone.set()
        await reader.task

    run_virtual(test())


def test_an_entry_just_after_the_subscription_is_not_lost_and_not_said_before_hello() -> None:
    async def test() -> None:
        reader = Reader()
        reader.reads.clear()
        await reader.settle()
        reader.stream.put({"seq": 1, "kind": "say"})
        reader.reads.set()
        await reader.settle()
        assert reader.got == [HELLO, entry(1)]
        reader.gone.set()
        await reader.task

    run_virtual(test())


def test_a_long_silence_is_broken_by_comments() -> None:
    async def test() -> None:
        reader = Reader()
        await asyncio.sleep(2.5 * KEEP_ALIVE_SECONDS)
        assert reader.got == [HELLO, b": keep-alive\n\n", b": keep-alive\n\n"]
        reader.gone.set()
        await reader.task

    run_virtual(test())


def test_a_client_that_goes_is_not_told_any_more() -> None:
    async def test() -> None:
        reader = Reader()
        await reader.settle()
        assert reader.subscribed is reader.stream
        reader.gone.set()
        await reader.task
        assert (reader.subscribed, reader.dropped) == (None, False)

    run_virtual(test())


def test_a_client_that_does_not_read_is_cut_off_at_the_bound() -> None:
    async def test() -> None:
        reader = Reader()
        await reader.settle()
        reader.reads.clear()
        reader.stream.put({"seq": 0, "kind": "say"})
        await reader.settle()  # this one is being sent; all others wait
        for seq in range(1, QUEUED + 1):
            reader.stream.put({"seq": seq, "kind": "say"})
        await reader.settle()
        assert not reader.task.done()
        reader.stream.put({"seq": QUEUED + 1, "kind": "say"})
        await reader.task
        assert (reader.dropped, reader.subscribed, reader.got, reader.whole) == (True, None, [HELLO], False)

    run_virtual(test())


def test_a_stream_that_ends_sends_what_waits_and_closes_properly() -> None:
    async def test() -> None:
        reader = Reader()
        await reader.settle()
        reader.stream.put({"seq": 3, "kind": "say"})
        reader.stream.end()
        await reader.task
        assert (reader.got, reader.whole, reader.dropped) == ([HELLO, entry(3)], True, False)

    run_virtual(test())


def test_an_entry_is_told_only_when_it_is_on_disk() -> None:
    async def test() -> None:
        durable = asyncio.Event()
        reader = Reader(durable.wait)
        reader.stream.put({"seq": 3, "kind": "say"})
        await reader.settle()
        assert reader.got == [HELLO]
        durable.set()
        await reader.settle()
        assert reader.got == [HELLO, entry(3)]
        reader.gone.set()
        await reader.task

    run_virtual(test())


def test_an_entry_that_never_gets_to_the_disk_is_never_told() -> None:
    async def test() -> None:
        async def broken() -> None:
            raise OSError(5, "Input/output error")

        reader = Reader(broken)
        await reader.settle()
        reader.stream.put({"seq": 3, "kind": "say"})
        await reader.task
        assert (reader.got, reader.dropped) == ([HELLO], True)

    run_virtual(test())


def test_one_stream_too_many_of_a_seat_ends_its_oldest() -> None:
    async def test() -> None:
        streams = Streams()
        readers = [Reader() for _ in range(STREAMS_PER_SEAT + 1)]
        other = Reader()
        await other.settle()
        streams.add(("t", "b"), other.stream)
        for reader in readers:
            streams.add(("t", "a"), reader.stream)
        await other.settle()
        assert [reader.task.done() for reader in readers] == [True] + [False] * STREAMS_PER_SEAT
        assert not other.task.done()
        streams.discard(("t", "a"), readers[0].stream)
        streams.discard(("t", "a"), readers[1].stream)
        streams.end()
        await asyncio.gather(other.task, *(reader.task for reader in readers[2:]))
        assert not readers[1].task.done()
        readers[1].gone.set()
        await readers[1].task

    run_virtual(test())
