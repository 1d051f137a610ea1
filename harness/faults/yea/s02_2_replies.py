"""YEA 2.2: replies that are missing, too many, late, or those to another request."""

import json
from typing import Any

from harness.faults import fault
from harness.faults.making import followed, is_event, kept_back
from reference.yea.framing import Line, Oversize
from reference.yea.service import Body, Frame, Pause, Reply, Request, Service, Steps
from reference.yea.service.steps import Work
from reference.yea.transports.streams import Connection
from reference.yea.types import Json

FAILING = "yea/2.2/failing-requests-get-one-reply-each"
RIGHT = "yea/2.2/right-requests-get-one-reply-each"
EVENTS = "yea/2.2/events-come-before-the-final-reply"
ENVELOPE = ("yea", "id", "re")
EIGHT = "yea/2.2/eight-requests-in-flight"
CROWD = "yea/2.2/a-crowd-in-flight-is-answered"
OWN = "yea/2.2/answers-in-flight-hold-their-own-data"
DEEP = "yea/2.2/deep-nesting-gets-one-reply"
ONE = "yea/2.2/one-final-reply-to-each-request"
AFTER = "yea/2.2/nothing-follows-the-final-reply"
FINAL = "yea/2.2/every-kind-but-event-is-final"


class Adding(Service):
    """Sends something more after some final replies."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Add it."""
        return followed(super().handle(raw, now), self.more)

    def more(self, reply: Reply) -> list[Reply]:
        """Return what comes after this reply."""
        return []

    def body(self, reply: Reply, body: Body) -> Reply:
        """Return another reply to the same request."""
        return Reply({"yea": 1, "id": self.frame_id(), "re": reply.frame["re"], **body})

    def again(self, reply: Reply) -> Reply:
        """Return the same reply as a new frame."""
        return Reply({**reply.frame, "id": self.frame_id()})


@fault("yea/errors-come-twice", FAILING, EIGHT, ONE, traffic=FAILING)
class ErrorsTwice(Adding):
    """Sends every ERROR twice."""

    def more(self, reply: Reply) -> list[Reply]:
        """Repeat it."""
        return [self.again(reply)] if reply.frame["kind"] == "ERROR" else []


@fault("yea/receipts-come-twice", RIGHT, EVENTS, ONE, traffic=RIGHT)
class ReceiptsTwice(Adding):
    """Sends every RECEIPT twice."""

    def more(self, reply: Reply) -> list[Reply]:
        """Repeat it."""
        return [self.again(reply)] if reply.frame["kind"] == "RECEIPT" else []


@fault("yea/replays-come-twice", RIGHT, traffic=RIGHT)
class ReplaysTwice(Adding):
    """Sends the RECEIPT of a repeated COMMIT twice."""

    def more(self, reply: Reply) -> list[Reply]:
        """Repeat a replay."""
        return [self.again(reply)] if reply.frame.get("replay") else []


@fault("yea/auto-sends-proposals-and-receipt", RIGHT, FINAL, ONE, traffic=RIGHT)
class AutoSendsBoth(Adding):
    """Answers an auto INTENT by its RECEIPT and by PROPOSALS."""

    def more(self, reply: Reply) -> list[Reply]:
        """Add PROPOSALS to an automatic RECEIPT."""
        return [self.body(reply, {"kind": "PROPOSALS", "proposals": []})] if reply.frame.get("auto") else []


@fault("yea/unknown-handle-is-passed-over", FAILING, EIGHT)
class SilentOnHandles(Service):
    """Answers nothing to an EXPAND of an unknown handle."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Keep the refusal back."""
        return kept_back(
            super().handle(raw, now), now, lambda reply: reply.frame.get("code") == "expired" and b"EXPAND" in raw
        )


@fault("yea/event-after-the-receipt", EVENTS, AFTER, traffic=EVENTS)
class LateEvent(Adding):
    """Sends one more EVENT after a RECEIPT."""

    def more(self, reply: Reply) -> list[Reply]:
        """Add it."""
        return [self.body(reply, {"kind": "EVENT", "message": "done"})] if reply.frame["kind"] == "RECEIPT" else []


@fault("yea/receipt-before-the-events", EVENTS, "yea/2.4/events-come-in-the-same-response", transports=("http",))
@fault("yea/receipt-comes-before-the-events", EVENTS, transports=("tcp",))
class ReceiptFirst(Service):
    """Sends the EVENTs of a commit after its RECEIPT."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Keep them back."""
        return kept_back(super().handle(raw, now), now, is_event, lambda reply: not is_event(reply))


# --- several requests in flight ------------------------------------------------------------------


class Slow(Service):
    """Takes a moment for each request, so that requests in flight overlap."""

    MOMENT = 0.01

    def handle(self, raw: bytes, now: float) -> Steps:
        """Wait first."""
        now = yield Pause(self.MOMENT)
        yield from super().handle(raw, now)


@fault("yea/replies-in-flight-are-swapped", EIGHT)
class Swapped(Slow):
    """Answers the first of the requests in flight under the id of the last, and so on."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.waiting: list[str] = []

    def handle(self, raw: bytes, now: float) -> Steps:
        """Note the id."""
        value = json.loads(raw)
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            self.waiting.append(value["id"])
        yield from super().handle(raw, now)

    def envelope(self, re: str, body: Body) -> Frame:
        """Take the id that was noted last."""
        mixed = self.waiting.pop() if self.waiting and body["kind"] != "EVENT" else re
        return super().envelope(mixed, body)


@fault("yea/request-in-flight-is-overwritten", OWN)
class Overwritten(Service):
    """Keeps the request that it works on where the next one overwrites it."""

    current: Request

    def ask(self, request: Request) -> Work:  # type: ignore[override]
        """Answer whichever request is there after a moment."""
        self.current = request
        yield Pause(0.01)
        return super().ask(self.current)


class _Four(Connection):
    """Loses requests beyond four in flight."""

    def take(self, item: Line | Oversize) -> None:
        """Drop what is too many."""
        if len(self.tasks) < 4:
            super().take(item)


@fault("yea/fifth-request-in-flight-is-lost", EIGHT, transports=("tcp",))
class FifthIsLost(Slow):
    """Loses the requests of a connection that come while four are in flight."""

    CONNECTION = _Four


class _SixtyFour(Connection):
    """Loses requests beyond sixty-four in flight."""

    def take(self, item: Line | Oversize) -> None:
        """Drop what is too many."""
        if len(self.tasks) < 64:
            super().take(item)


@fault("yea/sixty-fifth-request-in-flight-is-lost", CROWD, transports=("tcp",))
class SixtyFifthIsLost(Slow):
    """Loses the requests of a connection that come while sixty-four are in flight."""

    CONNECTION = _SixtyFour


@fault("yea/limit-names-no-request", CROWD, transports=("tcp",))
class LimitNamesNone(Slow):
    """Refuses requests that are too many without naming them."""

    def busy(self, raw: bytes) -> Reply:
        """Do not read the id."""
        return self.reply(self.UNREADABLE, {k: v for k, v in super().busy(raw).frame.items() if k not in ENVELOPE})


@fault("yea/fifth-request-in-flight-is-unavailable", EIGHT)
class FifthIsUnavailable(Service):
    """Refuses requests while four are in flight, and not as limit."""

    flying = 0

    def handle(self, raw: bytes, now: float) -> Steps:
        """Count what is in flight."""
        if self.flying >= 4:
            yield self.reply(
                self.read_id(self.decode(raw)), {"kind": "ERROR", "code": "unavailable", "message": "busy"}
            )
            return
        self.flying += 1
        now = yield Pause(0.01)
        yield from super().handle(raw, now)
        self.flying -= 1


# --- deep frames ---------------------------------------------------------------------------------


def _deep(raw: bytes) -> bool:
    return raw.count(b"[") + raw.count(b"{") > 5000


@fault("yea/deep-frames-hang-up", DEEP)
class DeepHangsUp(Service):
    """Breaks off on a frame that nests deep."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Run out of stack."""
        if _deep(raw):
            raise RecursionError
        return super().handle(raw, now)


@fault("yea/deep-frames-are-passed-over", DEEP)
class DeepIsSilent(Service):
    """Answers nothing to a frame that nests deep."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Leave it alone."""
        if not _deep(raw):
            yield from super().handle(raw, now)


@fault("yea/deep-frames-are-answered-twice", DEEP, transports=("tcp",))
class DeepTwice(Adding):
    """Answers a frame that nests deep twice."""

    deep = False

    def decode(self, raw: bytes) -> Json:
        """Note whether it is deep."""
        self.deep = _deep(raw)
        return super().decode(raw)

    def more(self, reply: Reply) -> list[Reply]:
        """Repeat it."""
        return [self.again(reply)] if self.deep else []
