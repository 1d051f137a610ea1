"""The twin's service: a request frame comes in, frames go out by `send`. No sockets; the clock is an argument."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from reference.yea import jsontext
from tests.odd_twin.bridge import bridge
from tests.odd_twin.intents import Intents
from tests.odd_twin.oddity import ABSENT
from tests.odd_twin.reads import Reads
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.settings import Settings
from tests.odd_twin.state import TEST_PRINCIPALS, Asked, Body, Clock, Frame, Send
from tests.odd_twin.streams import serve
from tests.odd_twin.undos import Undos

VERBS = ("ASK", "COMMIT", "EXPAND", "HELLO", "INTENT", "UNDO")


class Twin(Reads, Intents, Undos):
    """One state, behind any number of connections.

    Args:
        settings: how odd it is.
        trusted: the public keys of the principals it trusts; the test principals by default.
    """

    def __init__(self, settings: Settings | None = None, trusted: Sequence[str] = TEST_PRINCIPALS) -> None:
        super().__init__(settings or Settings(), trusted)
        self.crashes: list[BaseException] = []
        self.tasks: set[asyncio.Task[None]] = set()

    async def serve_stream(self, reader: Any, writer: Any, clock: Clock) -> None:
        """Serve one stream until its end."""
        await serve(self, reader, writer, clock)

    def app(self, clock: Clock) -> Any:
        """Return the HTTP bridge as an ASGI application."""
        return bridge(self, clock)

    # Frames in and out

    def start(self, work: Awaitable[None]) -> "asyncio.Task[None]":
        """Run work that goes on when its connection is gone."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def read(self, line: bytes) -> Frame | None:
        """Return the object that a line holds, or None when it is none."""
        try:
            repaired = line.decode("utf-8-sig", "replace") if self.settings.repairs_text else line
            value = jsontext.loads(repaired)
        except jsontext.JsonError:
            return None
        return value if isinstance(value, dict) else None

    def not_a_frame(self, message: str = "that is no frame") -> Frame:
        """Return the refusal of what cannot be read."""
        return self.wardrobe.dress(self._error(Refusal("bad_frame", message)), self._no_re())

    def busy(self, frame: Frame) -> Frame:
        """Return the refusal of one request too many."""
        refusal = Refusal("limit", "too many requests at once", retry=0.1)
        return self.wardrobe.dress(self._error(refusal), frame.get("id", ABSENT))

    async def handle(self, frame: Frame, clock: Clock, send: Send) -> None:
        """Answer one request: EVENTs, a while, and the final reply."""
        identifier = frame.get("id")
        readable = isinstance(identifier, str) and not jsontext.has_lone_surrogate(identifier)
        asked = Asked(frame, clock, send, identifier if readable else self._no_re())
        try:
            if readable and self.settings.events:
                await self._events(asked)
            body = await self._answer(asked)
        except Refusal as refusal:
            body = self._error(refusal)
        except Exception as crash:  # kept for the tests to see; a client gets what the spec says
            self.crashes.append(crash)
            body = self._error(Refusal("internal", f"{type(crash).__name__}"))
        await asyncio.sleep(self._pause())
        await send(self.wardrobe.dress(body, asked.re))

    async def _answer(self, asked: Asked) -> Body:
        frame = asked.frame
        if jsontext.has_lone_surrogate(frame):
            raise Refusal("bad_frame", "a string holds half a surrogate pair")
        if not self.settings.lenient_envelope:
            number = frame.get("yea")
            if isinstance(number, bool) or number != 1:
                raise Refusal("bad_frame", "`yea` is 1")
            if not isinstance(frame.get("id"), str):
                raise Refusal("bad_frame", "`id` is a string")
        verb = frame.get("verb")
        if not isinstance(verb, str) or verb not in VERBS:
            raise Refusal("bad_frame", "unknown verb", fix=[{"say": f"send one of {', '.join(VERBS)}", "params": None}])
        work: Callable[[Asked], Awaitable[Body]] = getattr(self, f"_{verb.lower()}")
        return await work(asked)

    async def _events(self, asked: Asked) -> None:
        for turn in range(self.rotor.turn("events", (0, 1, 2))):
            await self._tell(asked, ("en route…", "half\nway ½")[turn], self.rotor.turn("progress", (None, 0, 0.25, 1)))
            await asyncio.sleep(self._pause())

    def _pause(self) -> float:
        share: float = self.rotor.turn("pause", (0, 1, 0.3, 0.6, 0.1))
        return share * self.settings.slow

    def _no_re(self) -> Any:
        return self.rotor.turn("re", (None, "", ABSENT, "?"))

    def _error(self, refusal: Refusal) -> Body:
        body: Body = {"kind": "ERROR", "message": refusal.message, "code": refusal.code}
        for name in ("retry", "consent", "need", "fix"):
            value = getattr(refusal, name)
            empty = (ABSENT, None, []) if isinstance(value, list) else (ABSENT, None)
            chosen = value if value not in (None, []) else self.rotor.turn(f"no {name}", empty)
            if chosen is not ABSENT:
                body[name] = chosen
        return body
