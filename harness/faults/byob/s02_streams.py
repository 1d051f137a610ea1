"""BYOB 2: event streams that say too little, too much, or the same twice."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from harness.faults import Fault, add, fault
from reference.byob.host import Host, Listener
from reference.byob.http import Api, segment
from reference.byob.store import Store
from reference.byob.table import Table
from reference.byob.types import Entry

HELLO, WAKES = "byob/2/events-are-a-stream-that-says-hello", "byob/2/events-of-visible-entries"
HIDES, ONCE = "byob/2/events-hide-what-the-seat-may-not-see", "byob/2/an-entry-is-announced-once"
AGAIN = "byob/2/nothing-is-announced-again-after-a-reconnect"
ENTRY = b"event: entry"


class _Changed(Response):
    """A stream whose bytes are changed on their way."""

    def __init__(self, stream: Response, change: Callable[[bytes], bytes]) -> None:
        self.stream, self.change = stream, change
        self.status_code, self.background = stream.status_code, None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Change every piece of the body."""

        async def changed(message: Message) -> None:
            body = message.get("body")
            await send({**message, "body": self.change(body)} if body else message)

        await self.stream(scope, receive, changed)


def telling(change: Callable[[bytes], bytes]) -> type[Api]:
    """Return an Api whose event streams are changed, piece by piece."""

    class Telling(Api):
        """Tells otherwise."""

        async def events(self, request: Request) -> Any:
            """Change the stream."""
            return _Changed(await super().events(request), change)

    return Telling


STREAMS: tuple[tuple[str, str, tuple[str, ...], Callable[[bytes], bytes]], ...] = (
    ("streams-say-welcome", "Calls the first event welcome.", (HELLO,), lambda d: d.replace(b"hello", b"welcome")),
    ("streams-begin-silently", "Sends no hello.", (HELLO,), lambda d: d if ENTRY in d else b": open\n\n"),
    ("streams-stay-silent", "Sends no entry events.", (WAKES,), lambda d: b": news\n\n" if ENTRY in d else d),
    ("streams-call-entries-news", "Calls entry events news.", (WAKES,), lambda d: d.replace(ENTRY, b"event: news")),
    ("streams-invent-seqs", "Announces seqs that there are not.", (WAKES,), lambda d: d.replace(b'"seq":', b'"seq":9')),
    ("streams-say-it-twice", "Announces every entry twice.", (ONCE,), lambda d: d + d if ENTRY in d else d),
)
for _id, _says, _claims, _change in STREAMS:
    add(Fault(f"byob/{_id}", _says, _claims, telling(_change)))


@fault("byob/streams-are-json", HELLO)
class StreamsAreJson(Api):
    """Answers GET events with a list."""

    async def events(self, request: Request) -> Any:
        """Answer at once."""
        return []


class _Announcing(Table):
    """Announces what a seat may not see."""

    def is_announced(self, seat: str, entry: Entry) -> bool:
        """Announce everything."""
        return True


@fault("byob/streams-tell-of-hidden-entries", HIDES, outcome="warned")
class TellsOfHidden(Host):
    """Announces hidden entries with their kind."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, table_class=_Announcing)


@fault("byob/streams-show-hidden-entries", HIDES)
class ShowsHidden(TellsOfHidden):
    """Sends the body of every entry to every seat."""

    def listen(self, table: str, seat: str, callback: Listener) -> Callable[[], None]:
        """Tell all of it."""

        def telling(news: dict[str, Any]) -> None:
            entry = self._table(table).state.entries[news["seq"] - 1]
            callback({**news, "body": entry.get("body", "")})

        return super().listen(table, seat, telling)


@fault("byob/streams-begin-with-a-backlog", AGAIN)
class Backlog(Api):
    """Announces all visible entries anew to each who connects."""

    async def events(self, request: Request) -> Any:
        """Begin with what there is."""
        stream = await super().events(request)
        table = self.host._table(segment(request, "table"))
        seat = stream.hello["seat"]
        for entry in table.state.entries:
            if table.sees(seat, entry):
                stream.put({"seq": entry["seq"], "kind": entry["kind"]})
        return stream


@fault("byob/tails-know-no-past", "byob/2/a-seat-without-a-stream-catches-up")
class NoPast(Table):
    """Shows nothing but what is new to the host, whatever since says."""

    def since(self, text: str) -> int:
        """Begin at the end."""
        return len(self.state.entries)
