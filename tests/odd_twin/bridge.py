"""The twin's HTTP bridge, as a bare ASGI application (YEA 2.4)."""

from typing import TYPE_CHECKING, Any

from tests.odd_twin.oddity import MIB, Frame, pieces

if TYPE_CHECKING:
    from tests.odd_twin.twin import Twin

ENDPOINT, WELL_KNOWN = "/yea", "/.well-known/yea"
NDJSON = "Application/X-NDJSON; Charset=UTF-8"
DISCOVERY = "application/vnd.yea.brief+json"
DEFAULT_BUDGET = 2000


class TooLarge(Exception):
    """The body passes 1 MiB."""


def bridge(twin: "Twin", clock: Any) -> Any:
    """Return the application; the endpoint is /yea."""

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        answer = Answer(twin, send)
        if scope["method"] == "GET" and scope["path"] in _gets(twin):
            await answer.discovery(clock())
        elif scope["method"] == "POST" and scope["path"] == ENDPOINT:
            await _post(twin, clock, scope, receive, answer)
        else:
            await answer.plain(404, "rien ici")

    return app


async def _lifespan(receive: Any, send: Any) -> None:
    while True:
        event = (await receive())["type"]
        await send({"type": f"{event}.complete"})
        if event == "lifespan.shutdown":
            return


def _gets(twin: "Twin") -> tuple[str, ...]:
    forms = {"endpoint": (ENDPOINT,), "well-known": (WELL_KNOWN,)}
    return forms.get(twin.settings.get_forms, (ENDPOINT, WELL_KNOWN))


async def _post(twin: "Twin", clock: Any, scope: dict[str, Any], receive: Any, answer: "Answer") -> None:
    settings = twin.settings
    try:
        body = await _body(scope, receive)
    except TooLarge:
        if settings.http_oversize == 413:
            await answer.plain(413, "too large")
        else:
            await answer.frame(twin.not_a_frame("that body is longer than 1 MiB"))
        return
    frame = twin.read(body)
    if frame is not None:
        await twin.start(twin.handle(frame, clock, answer.frame))
    elif settings.http_non_frames == 200:
        await answer.frame(twin.not_a_frame())
    else:
        await answer.plain(settings.http_non_frames, "pas un frame")


async def _body(scope: dict[str, Any], receive: Any) -> bytes:
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > MIB:
        raise TooLarge
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MIB:
            raise TooLarge
        if not message.get("more_body"):
            return bytes(body)


class Answer:
    """One HTTP response, in pieces or as a whole."""

    def __init__(self, twin: "Twin", send: Any) -> None:
        self.twin, self._send = twin, send
        self._begun = False
        self._held = b""

    async def plain(self, status: int, words: str) -> None:
        """Answer with a text that is no frame."""
        await self._whole(status, "text/plain", words.encode())

    async def discovery(self, now: float) -> None:
        """Answer with the BRIEF as one object (YEA 2.4)."""
        body = {**self.twin.brief(DEFAULT_BUDGET, now), "endpoint": ENDPOINT}
        frame = self.twin.wardrobe.dress(body, "(nobody asked)")
        await self._whole(200, DISCOVERY, self.twin.wardrobe.encode(frame) + b"\n")

    async def frame(self, frame: Frame) -> None:
        """Send a frame; the first that is no EVENT is the last."""
        line = self.twin.wardrobe.encode(frame) + b"\n"
        final = frame["kind"] != "EVENT"
        if not self.twin.settings.chunked:
            self._held += line
            if final:
                await self._whole(200, NDJSON, self._held)
            return
        if not self._begun:
            self._begun = True
            await self._head(200, NDJSON)
        for piece in pieces(line):
            await self._send({"type": "http.response.body", "body": piece, "more_body": True})
        if final:
            await self._send({"type": "http.response.body", "body": b""})

    async def _whole(self, status: int, media_type: str, body: bytes) -> None:
        await self._head(status, media_type, (b"content-length", str(len(body)).encode()))
        await self._send({"type": "http.response.body", "body": body})

    async def _head(self, status: int, media_type: str, *more: tuple[bytes, bytes]) -> None:
        headers = [(b"content-type", media_type.encode()), *more]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
