"""What the monitors of answers must see: headers, envelopes, codes and tokens, wrong everywhere (BYOB 2, 11)."""

from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from harness.faults import Fault, add, fault
from harness.faults.tables import refusing
from reference.byob import answers
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import Api
from reference.byob.types import Entry

TRAFFIC = "byob/2/hidden-entries-are-not-found"
STREAMED = "byob/2/events-of-visible-entries"


class Headers:
    """Takes the protocol header from answers of certain kinds on their way out."""

    def __init__(self, app: Any, wanted: Any, value: bytes | None) -> None:
        self.app, self.wanted, self.value = app, wanted, value

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Change the headers of the answer's start."""

        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start" and self.wanted(message):
                kept = [pair for pair in message["headers"] if pair[0] != answers.HEADER[0]]
                more = [] if self.value is None else [(answers.HEADER[0], self.value)]
                message = {**message, "headers": kept + more}
            await send(message)

        await self.app(scope, receive, changed)


def _streams(message: Message) -> bool:
    return any(b"event-stream" in value for name, value in message["headers"] if name == b"content-type")


def headed(wanted: Any, value: bytes | None) -> type[Api]:
    """Return an Api whose answers of some kind have another protocol header, or none."""

    class Headed(Api):
        """Has another header."""

        def app(self) -> Starlette:
            """Put the change around everything."""
            made = super().app()
            made.user_middleware.insert(0, Middleware(Headers, wanted, value))
            return made

    return Headed


HEADERS: tuple[tuple[str, str, str, Any, bytes | None], ...] = (
    ("no-header-on-success", "success-has-the-protocol-header", TRAFFIC, lambda m: m["status"] < 300, None),
    ("other-version-on-success", "success-has-the-protocol-header", TRAFFIC, lambda m: m["status"] < 300, b"byob/0.2"),
    ("no-header-on-errors", "error-has-the-protocol-header", TRAFFIC, lambda m: m["status"] >= 400, None),
    ("no-header-on-streams", "stream-has-the-protocol-header", STREAMED, _streams, None),
)
for _id, _monitor, _traffic, _wanted, _value in HEADERS:
    _says = f"Sends the protocol header as {_value.decode() if _value else 'nothing'} on some answers."
    add(Fault(f"byob/{_id}", _says, (f"byob/2/{_monitor}",), headed(_wanted, _value), traffic=_traffic))


def _enveloped(body: Any) -> type[Api]:
    return refusing(lambda error: (error.status, body(error)))


ENVELOPES: tuple[tuple[str, str, Any], ...] = (
    ("errors-are-flat", "Answers errors without the object around them.", lambda error: error.body()["error"]),
    ("errors-without-message", "Leaves the message out of errors.", lambda error: {"error": {"code": error.code}}),
    ("errors-are-texts", "Answers errors as a text.", lambda error: {"error": str(error)}),
)
for _id, _says, _body in ENVELOPES:
    add(Fault(f"byob/{_id}", _says, ("byob/11/errors-have-their-envelope",), _enveloped(_body), traffic=TRAFFIC))


def _coded(code: str) -> type[Api]:
    return refusing(lambda error: (error.status, {"error": {"code": code, "message": str(error)}}))


add(
    Fault(
        "byob/codes-of-its-own",
        "Calls what is not found E_MISSING.",
        ("byob/11/codes-are-those-of-the-list",),
        _coded("E_MISSING"),
        traffic=TRAFFIC,
    )
)
add(
    Fault(
        "byob/refuses-for-disclosure",
        "Answers E_DISCLOSURE where it refuses.",
        ("byob/11/no-disclosure-from-a-host",),
        _coded("E_DISCLOSURE"),
        traffic=TRAFFIC,
    )
)


@fault("byob/stumbles-over-unknown-entries", "byob/11/no-request-breaks-the-host", traffic=TRAFFIC)
class Stumbles(Host):
    """Fails with an internal error on an entry that there is not."""

    def entry(self, table: str, token: str | None, seq: str, now: float) -> Entry:
        """Fail where it should refuse."""
        try:
            return super().entry(table, token, seq, now)
        except ByobError:
            raise ByobError("E_INTERNAL", "index out of range") from None


@fault("byob/memory-shows-tokens", "byob/2/tokens-are-shown-once", traffic="byob/2/memory-tells-decisions-and-status")
class MemoryShowsTokens(Host):
    """Shows the reader's token in the memory."""

    def memory(self, table: str, token: str | None, now: float) -> dict[str, Any]:
        """Show who reads."""
        return {**super().memory(table, token, now), "reader": token}


@fault("byob/hello-shows-the-token", "byob/2/events-show-no-token", traffic=STREAMED)
class HelloShowsToken(Api):
    """Repeats the seat's token in the hello of its stream."""

    async def events(self, request: Request) -> Any:
        """Tell too much."""
        stream = await super().events(request)
        stream.hello = {**stream.hello, "token": request.headers["authorization"].split()[1]}
        return stream
