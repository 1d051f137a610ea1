"""Serving tables until a signal ends it: what `naysayer serve byob` runs."""

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reference.byob import answers
from reference.byob.durability import Barrier
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.http_server import HttpServer
from reference.byob.ledger import JsonlStore
from reference.byob.store import MemoryStore, Store
from reference.yea.transports.serve import signals
from reference.yea.transports.tcp import authority, listen

DEFAULT_PORT = 8700

WATCH_SECONDS = 0.25
"""How often the watchdogs are asked, beside every request."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What to serve, and where.

    host: a name or address. port: 0 for a free one. data: a folder in which the ledgers are kept, made if need be;
    None for memory. host_factory: makes the table host on a store.
    """

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    data: Path | None = None
    host_factory: Callable[[Store], Host] = Host


async def serve(options: ServeOptions) -> None:
    """Serves until SIGTERM or SIGINT; then returns.

    When it is bound, one JSON line on standard error says where: {"http": "http://127.0.0.1:8700"}.
    Raises BindError for an address that cannot be had, and StoreError for a folder that cannot be used (both OSError).
    """
    with contextlib.ExitStack() as stack:
        bound = stack.enter_context(listen(options.host, options.port))
        store, barrier = state(options.data, stack)
        host = options.host_factory(store)
        server = HttpServer(bound, byob_app(host, time.time, barrier))
        stop = asyncio.Event()
        stack.enter_context(signals(stop))
        await server.start()
        sys.stderr.write(json.dumps({"http": f"http://{authority(bound)}"}) + "\n")
        sys.stderr.flush()
        watching = asyncio.create_task(watch(host, barrier))
        await stop.wait()
        watching.cancel()
        await server.stop()


def state(data: Path | None, stack: contextlib.ExitStack) -> tuple[Store, Barrier | None]:
    """Where the ledgers are kept, and where answers wait for the disk. Only its owner may look into the folder."""
    if data is None:
        return MemoryStore(), None
    store = JsonlStore(data, sync=False)
    stack.callback(store.close)
    return store, Barrier(store)


async def watch(host: Host, barrier: Barrier | None) -> None:
    """Runs the watchdogs for ever (BYOB 9)."""
    while True:
        try:
            host.tick(time.time())
            if barrier is not None:
                await barrier.passed()
        except Exception as problem:
            answers.note(problem)
        await asyncio.sleep(WATCH_SECONDS)
