"""yea:// and yeas://: the frame stream over TCP, in the clear or inside TLS (YEA 2.3)."""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable

from reference.yea.service import Service
from reference.yea.transports.streams import Connection, connection_class

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
    except UnicodeError:
        raise BindError(errno.EINVAL, f"cannot listen on {host[:80]}: it is no host name") from None
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
    """Serves the frame stream on a listening socket."""

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
        self._connections: dict[asyncio.Task[None], Connection] = {}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Accepts from now on."""
        self._server = await asyncio.start_server(self._accept, sock=self.listener, ssl=self.context)

    async def stop(self, grace: float) -> None:
        """Accepts no more, and gives what is in flight so many seconds to end before it is interrupted."""
        if self._server is not None:
            self._server.close()
        running = [task for connection in self._connections.values() for task in connection.tasks]
        if running:
            await asyncio.wait(running, timeout=grace)
        connections = list(self._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = connection_class(self.service)(reader, writer, self.service, self.clock)
        task = asyncio.create_task(connection.run())
        self._connections[task] = connection
        task.add_done_callback(self._connections.pop)
