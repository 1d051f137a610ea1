"""yea:// and yeas://: the frame stream over TCP, in the clear or inside TLS (YEA 2.3)."""

import asyncio
import contextlib
import errno
import socket
import ssl
from collections.abc import Callable

from reference.yea.service import Service
from reference.yea.transports.streams import serve_stream

DEFAULT_PORT = 7447
DEFAULT_TLS_PORT = 7448
BACKLOG = 1024


class BindError(OSError):
    """An address that cannot be listened on. Its text is one sentence for a person."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on a host and port; port 0 takes a free one. Raises BindError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise BindError(error.errno, f"cannot listen on {host}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        reason = "it is in use" if error.errno == errno.EADDRINUSE else error.strerror
        raise BindError(error.errno, f"cannot listen on port {port} of {host}: {reason}") from None
    return listener


def authority(listener: socket.socket) -> str:
    """The host and port of a bound socket as a URL writes them; an IPv6 address in brackets."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class StreamServer:
    """Serves a frame stream on a listening socket."""

    def __init__(
        self,
        listener: socket.socket,
        service: Service,
        clock: Callable[[], float],
        *,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """context: the TLS side of the server, None for plain TCP. clock: the time, in unix seconds."""
        self.listener = listener
        self.service = service
        self.clock = clock
        self.context = context
        self.connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Accepts from now on."""
        self._server = await asyncio.start_server(self._accept, sock=self.listener, ssl=self.context)

    async def stop(self, grace: float) -> None:
        """Accepts no more, and gives what is in flight so many seconds to end before it is interrupted."""
        if self._server is not None:
            self._server.close()
        busy = [task for task in self.connections if not task.done()]
        if busy:
            await asyncio.wait(busy, timeout=grace)
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self.connections.add(task)
            task.add_done_callback(self.connections.discard)
        with contextlib.suppress(asyncio.CancelledError):
            await serve_stream(reader, writer, self.service, self.clock)
