"""The HTTP bridge behind uvicorn, on a socket that somebody else has bound, without logs and signals of its own."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from reference.yea.service import Service
from reference.yea.transports.http import Bridge, bridge_app


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
