"""What every answer has in common: the protocol header, and the envelope of errors (BYOB 2, 11)."""

import json
import logging
import traceback
from pathlib import PurePath
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reference.byob.errors import ByobError
from reference.byob.types import PROTOCOL

HEADER = (b"byob-protocol", PROTOCOL.encode())
JSON = "application/json"
HEADERS = {"cache-control": "no-store"}
"""An answer is for one seat, at one moment."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
_log = logging.getLogger("reference.byob")


def encoded(value: Any) -> bytes:
    """A JSON value as bytes, in one line."""
    return _ENCODER.encode(value).encode()


def answer(value: Any) -> Response:
    """The answer to a request that was granted. value: any JSON value."""
    return Response(encoded(value), media_type=JSON, headers=HEADERS)


def refusal(error: ByobError) -> Response:
    """BYOB 11: {"error": {"code", "message"}}, with the status that belongs to the code."""
    # RFC 9110, 15.5.2: a 401 says how one could do better.
    headers = HEADERS | {"www-authenticate": "Bearer"} if error.status == 401 else HEADERS
    return Response(encoded(error.body()), status_code=error.status, media_type=JSON, headers=headers)


def internal() -> ByobError:
    """E_INTERNAL, which tells nothing of what is inside."""
    return ByobError("E_INTERNAL", "the server failed; nothing is wrong with the request")


def note(problem: Exception) -> None:
    """Logs what went wrong and where, but not what it says: that may hold a token or a body."""
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{PurePath(frame.filename).name}, line {frame.lineno}"
    reason = f": {problem.strerror}" if isinstance(problem, OSError) and problem.strerror else ""
    _log.error("E_INTERNAL: %s in %s%s", type(problem).__name__, where, reason)


class Surface:
    """What surrounds the application: the header on all that leaves it, and paths as they were sent.

    A path is matched before it is decoded, so that an encoded slash stays inside its segment.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def marked(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = self.mark(message)
            await send(message)

        try:
            await self.app({**scope, "path": raw_path(scope)}, receive, marked)
        except BaseException:
            if not started:  # the server stops, and ends what still waits
                await refusal(internal())(scope, receive, marked)
            raise

    def mark(self, start: Message) -> Message:
        """The start of an answer, with the header of BYOB 2: on errors and event streams too."""
        return {**start, "headers": [*start["headers"], HEADER]}


def raw_path(scope: Scope) -> str:
    """The path of a request as it was sent, without its query, and without the host that a proxy may name before it."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    path = raw.decode("latin-1")
    # RFC 9112, 3.2.2: a server accepts http://host/path too.
    return path if path.startswith("/") else "/" + path.partition("://")[2].partition("/")[2]
