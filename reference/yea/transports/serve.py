"""Serving a YEA service until a signal ends it: what `naysayer serve yea` runs."""

import asyncio
import contextlib
import ipaddress
import json
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn

from reference.yea.conformance import TEST_PRINCIPALS, conformance_service
from reference.yea.keys import is_public_key
from reference.yea.service import Service
from reference.yea.transports.http import ENDPOINT, Bridge, bridge_app
from reference.yea.transports.tcp import DEFAULT_PORT, StreamServer, authority, listen

GRACE = 3.0
"""Seconds that requests in flight get to end after a signal."""


class TrustError(ValueError):
    """A key to trust that is no public key. Its text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What to serve, and where.

    host: a name or address. tcp_port, http_port: None for not at all, 0 for a free one.
    trust: the public keys of the principals; with none, the published test principals on a loopback
    address, and nobody elsewhere. service_factory: is called with `trusted` and returns the service.
    """

    host: str = "127.0.0.1"
    tcp_port: int | None = DEFAULT_PORT
    http_port: int | None = None
    trust: tuple[str, ...] = ()
    service_factory: Callable[..., Service] = conformance_service


async def serve(options: ServeOptions) -> None:
    """Serves until SIGTERM or SIGINT, then returns.

    When all is bound, one JSON line on standard error says where: {"tcp": "yea://…", "http": "http://…/yea"}.
    Raises BindError (an OSError) for an address that cannot be had, TrustError for a key that is none.
    """
    service = options.service_factory(trusted=principals(options))
    with contextlib.ExitStack() as stack:
        sockets = {
            name: stack.enter_context(listen(options.host, port))
            for name, port in (("tcp", options.tcp_port), ("http", options.http_port))
            if port is not None
        }
        stop = asyncio.Event()
        stack.enter_context(signals(stop))
        await run(service, sockets, stop)


async def run(service: Service, sockets: dict[str, socket.socket], stop: asyncio.Event) -> None:
    """Serves on bound sockets until `stop` is set."""
    servers: list[StreamServer | HttpServer] = []
    if "tcp" in sockets:
        servers.append(StreamServer(sockets["tcp"], service, time.time))
    if "http" in sockets:
        servers.append(HttpServer(sockets["http"], service, time.time))
    for server in servers:
        await server.start()
    sys.stderr.write(json.dumps(addresses(sockets)) + "\n")
    sys.stderr.flush()
    await stop.wait()
    await asyncio.gather(*(server.stop(GRACE) for server in servers))


def addresses(sockets: dict[str, socket.socket]) -> dict[str, str]:
    """The URL of each bound socket, by transport."""
    forms = {"tcp": "yea://{}", "http": "http://{}" + ENDPOINT}
    return {name: forms[name].format(authority(bound)) for name, bound in sockets.items()}


def principals(options: ServeOptions) -> tuple[str, ...]:
    """Whom the service trusts. The test principals' keys are public, so they count on loopback only."""
    for key in options.trust:
        if not is_public_key(key):
            raise TrustError(f"{key[:80]!r} is no public key: one is ed25519: and 43 characters of base64url")
    return options.trust or (TEST_PRINCIPALS if is_loopback(options.host) else ())


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextlib.contextmanager
def signals(stop: asyncio.Event) -> Iterator[None]:
    """SIGTERM and SIGINT set the event, and nothing else."""
    loop = asyncio.get_running_loop()
    caught = (signal.SIGTERM, signal.SIGINT)
    for number in caught:
        loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)


class HttpServer:
    """The bridge behind uvicorn, on a listening socket."""

    def __init__(self, listener: socket.socket, service: Service, clock: Callable[[], float]) -> None:
        app = bridge_app(service, clock)
        self.bridge: Bridge = app.state.bridge
        self._listener = listener
        self._server = QuietServer(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Accepts from now on: the socket listens already, so nobody is turned away before the server runs."""
        self._task = asyncio.create_task(self._server.serve(sockets=[self._listener]))

    async def stop(self, grace: float) -> None:
        """Gives what is in flight so many seconds to end, then accepts no more."""
        await self.bridge.stop(grace)
        self._server.should_exit = True
        if self._task is not None:
            await self._task


class QuietServer(uvicorn.Server):
    """A server that leaves the process's signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def install_signal_handlers(self) -> Any:
        return None
