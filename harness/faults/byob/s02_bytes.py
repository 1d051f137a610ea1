"""BYOB 2: hosts that decode bodies and paths carelessly."""

import re
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.requests import Request
from starlette.responses import Response

from harness.faults import fault
from reference.byob import bodies
from reference.byob.http import Api

NO_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")


@fault(
    "byob/pieces-are-decoded-one-by-one",
    "byob/2/a-say-in-pieces-is-one-text",
    "byob/2/a-join-in-pieces-verifies",
)
class PiecesDecodedOneByOne(Api):
    """Decodes each piece of a body by itself, and puts a sign of its own for what is no character."""

    async def body(self, request: Request) -> Any:
        """Add up texts."""
        bodies.check_type(request.headers.get("content-type"))
        text = "".join([piece.decode(errors="replace") async for piece in request.stream()])
        return bodies.parse(text.encode())


@fault(
    "byob/first-piece-is-all",
    "byob/2/a-say-in-pieces-is-one-text",
    "byob/2/a-join-in-pieces-verifies",
)
class FirstPieceIsAll(Api):
    """Takes the first piece of a body that arrives for all of it."""

    async def body(self, request: Request) -> Any:
        """Read once."""
        bodies.check_type(request.headers.get("content-type"))
        return bodies.parse(await anext(request.stream()))


class _Decoding(Api):
    """Fails with an internal error where a path cannot be decoded."""

    async def handle(self, method: Any, request: Request) -> Response:
        """Decode the path first."""

        async def decoded(request: Request) -> Any:
            self.decode(request.scope["raw_path"])
            return await method(request)

        return await super().handle(decoded, request)

    def decode(self, path: bytes) -> None:
        """Raise ValueError for a path that cannot be decoded."""
        raise NotImplementedError


@fault("byob/odd-escapes-break-it", "byob/2/unreadable-paths-name-nothing")
class OddEscapesBreak(_Decoding):
    """Fails with an internal error on a percent sign in a path that begins no escape."""

    def decode(self, path: bytes) -> None:
        """Find one."""
        if NO_ESCAPE.search(path):
            raise ValueError("no escape")


@fault("byob/odd-bytes-break-it", "byob/2/unreadable-paths-name-nothing")
class OddBytesBreak(_Decoding):
    """Fails with an internal error on a path that is not UTF-8."""

    def decode(self, path: bytes) -> None:
        """Decode it."""
        unquote_to_bytes(path).decode()
