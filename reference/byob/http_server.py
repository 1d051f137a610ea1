"""A table host behind uvicorn, on a socket that somebody else has bound (BYOB 2)."""

import asyncio
import socket
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from reference.byob import answers, bodies
from reference.yea.transports.http_server import QuietServer

GRACE = 3
"""Seconds that requests in flight get to end after a signal."""


class Connection(H11Protocol):
    """One connection: what is no HTTP is refused as everything else is, and a stream can be dropped."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.app_state = {**self.app_state, "abort": self.abort}

    def abort(self) -> None:
        """Closes at once, and forgets what was not sent yet."""
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """BYOB 2: every answer has the protocol header; this one never gets as far as the application."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        body = answers.encoded(bodies.refused("the request is not HTTP/1.1").body())
        headers = [
            (b"content-type", answers.JSON.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            answers.HEADER,
        ]
        for part in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()


class HttpServer:
    """The application of `byob_app` behind uvicorn, on a listening socket."""

    def __init__(self, listener: socket.socket, app: Starlette) -> None:
        self._listener = listener
        self._api = app.state.api
        self._server = QuietServer(
            uvicorn.Config(
                app,
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Accepts from now on: the socket listens already, so nobody is turned away before the server runs."""
        self._task = asyncio.create_task(self._server.serve(sockets=[self._listener]))

    async def stop(self) -> None:
        """Accepts no more, ends the event streams, and lets what is in flight end."""
        self._server.should_exit = True
        self._api.stop()
        if self._task is not None:
            await self._task
