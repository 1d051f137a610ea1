"""A service of this process on a real socket: what is fuzzed when no target is named, and what faults are served by.

Server and driver share one event loop, so no other process has to be started or can be left behind. Only a fault that
ends its process the hard way is served by children, over stdio.
"""

import asyncio
import contextlib
import shlex
import time
from collections.abc import Iterator

from harness import embedded
from harness.targets.addresses import parse
from harness.targets.base import Target
from harness.targets.blocking import BlockingWire
from harness.targets.stdio import stdio_target
from harness.targets.tcp import tcp_target
from reference.yea.service import Service
from reference.yea.transports.streams import serve_stream

HOST = "127.0.0.1"
START_TIMEOUT = 20.0
"""Seconds that a child may take to start."""


class Dying(SystemExit):
    """What a broken service raises to end its process; here it takes no more connections, and drops those it has."""

    def __init__(self) -> None:
        super().__init__(1)


class _Server:
    """Serves one service on a free port until it dies or is closed."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen; returns the port."""
        self._server = await asyncio.start_server(self._take, HOST, 0)
        return int(self._server.sockets[0].getsockname()[1])

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve_stream(reader, writer, self._service, time.time)
        except Exception:  # a broken service is cut off, as one is whose handler raised
            writer.transport.abort()
        except Dying:
            self._die()

    def _die(self) -> None:
        assert self._server is not None  # noqa: S101 - it has served something
        self._server.close()
        for task in self._tasks - {asyncio.current_task()}:
            task.cancel()

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@contextlib.contextmanager
def local_wire(service: Service, patience: float) -> Iterator[BlockingWire]:
    """Serve a service over TCP and yield what speaks to it; see `local_wires`."""
    with local_wires(service, patience, 1) as (wire,):
        yield wire


@contextlib.contextmanager
def local_wires(service: Service, patience: float, count: int) -> Iterator[list[BlockingWire]]:
    """Serve a service over TCP and yield connections to it.

    Args:
        service: of this process.
        patience: seconds that a reply may take.
        count: how many connections.
    """
    server = _Server(service)
    with asyncio.Runner() as runner:
        port = runner.run(server.start())
        wires = [BlockingWire(_target(port, patience), patience, runner, large=True) for _ in range(count)]
        try:
            yield wires
        finally:
            for wire in wires:
                wire.close()
            runner.run(server.stop())


@contextlib.contextmanager
def child_wire(fault_id: str, patience: float) -> Iterator[BlockingWire]:
    """Serve a fault over stdio, by a child for each connection, and yield what speaks to it."""
    address = parse(f"stdio:{shlex.join(embedded.command('yea', '--stdio', '--fault', fault_id))}")
    with asyncio.Runner() as runner:
        target = stdio_target(address, time.time, timeout=patience, start_timeout=START_TIMEOUT)
        wire = BlockingWire(target, patience, runner, large=True)
        try:
            yield wire
        finally:
            wire.close()


def _target(port: int, patience: float) -> Target:
    return tcp_target(parse(f"yea://{HOST}:{port}"), time.time, timeout=patience)
