"""HTTP from a client that costs little: requests that are ready, one in flight per connection."""

import asyncio
import json
import re
import time
from collections.abc import Sequence
from typing import Any

_LENGTH = re.compile(rb"\r\ncontent-length: ([0-9]+)\r\n", re.IGNORECASE)


def request(path: str, token: str | None = None, body: Any = None) -> bytes:
    """Return a request as bytes: a POST where there is a body, else a GET."""
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", "Host: 127.0.0.1"]
    data = b"" if body is None else json.dumps(body).encode()
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    if token is not None:
        lines.append(f"Authorization: Bearer {token}")
    return "\r\n".join([*lines, "", ""]).encode() + data


class _Connection(asyncio.Protocol):
    """Sends one request after the other, each when the one before was answered."""

    def __init__(self, requests: Sequence[bytes]) -> None:
        self.requests = iter(requests)
        self.bodies: list[bytes] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._data = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - TCP gives one
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, found, body = self._data.partition(b"\r\n\r\n")
        length = _LENGTH.search(head + b"\r\n")
        if not found or (length is not None and len(body) < int(length[1])):
            return
        if not head.startswith(b"HTTP/1.1 200 ") or length is None:
            self._fail(SystemExit(f"wanted 200, got {self._data[:500]!r}"))
            return
        self.bodies.append(body)
        self._data = b""
        self._send()

    def connection_lost(self, problem: Exception | None) -> None:
        self._fail(problem or ConnectionError("the server hung up"))

    def _send(self) -> None:
        following = next(self.requests, None)
        if self._transport is None:
            return
        if following is not None:
            self._transport.write(following)
            return
        if not self.done.done():
            self.done.set_result(None)
        self._transport.close()

    def _fail(self, problem: BaseException) -> None:
        if not self.done.done():
            self.done.set_exception(problem)


async def ask(port: int, requests: Sequence[bytes], connections: int = 1) -> tuple[float, list[bytes]]:
    """Send requests over so many connections; returns the seconds it took and the bodies of the answers.

    Any answer but 200 ends the program: then the figure means nothing.
    """
    loop = asyncio.get_running_loop()
    shares = [requests[number::connections] for number in range(connections)]
    begun = time.perf_counter()
    made = [await loop.create_connection(lambda s=share: _Connection(s), "127.0.0.1", port) for share in shares]  # type: ignore[misc]
    await asyncio.gather(*(connection.done for _, connection in made))
    return time.perf_counter() - begun, [body for _, connection in made for body in connection.bodies]
