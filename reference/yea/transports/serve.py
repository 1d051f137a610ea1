"""Serving a YEA service until a signal ends it: what `naysayer serve yea` runs.

What HTTP needs is imported when it is served: a stdio service is started once a connection, and has to be quick.
"""

import asyncio
import contextlib
import ipaddress
import json
import signal
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reference.folders import why_not
from reference.yea.conformance import TEST_PRINCIPALS, conformance_service
from reference.yea.keys import is_public_key
from reference.yea.service import Service
from reference.yea.service.sqlite import Database, SqliteObjects, SqliteStore, StoreError
from reference.yea.transports import ENDPOINT
from reference.yea.transports.stdio import frames_only, serve_stdio
from reference.yea.transports.tcp import DEFAULT_PORT, StreamServer, authority, listen
from reference.yea.transports.tls import CertificateError, own_context, throwaway_context

if TYPE_CHECKING:
    from reference.yea.transports.http_server import HttpServer

DATA_FILE = "yea.sqlite3"
"""The one file in a data folder."""

GRACE = 3.0
"""Seconds that requests in flight get to end after a signal."""


class TrustError(ValueError):
    """A key to trust that is no public key. Its text is one sentence for a person."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What to serve, and where.

    host: a name or address. tcp_port, tls_port, http_port: None for not at all, 0 for a free one.
    cert, key: PEM files for TLS; without them a certificate is made up at start. stdio: whether to serve standard
    input and output too, until the input ends.
    trust: the public keys of the principals; with none, the published test principals on a loopback
    address, and nobody elsewhere. data: a folder in which the state is kept, made if need be; None for memory.
    service_factory: is called with `trusted`, and `store` and `objects` if there is a folder; returns the service.
    """

    host: str = "127.0.0.1"
    tcp_port: int | None = DEFAULT_PORT
    tls_port: int | None = None
    http_port: int | None = None
    stdio: bool = False
    cert: Path | None = None
    key: Path | None = None
    trust: tuple[str, ...] = ()
    data: Path | None = None
    service_factory: Callable[..., Service] = conformance_service


async def serve(options: ServeOptions) -> None:
    """Serves until SIGTERM or SIGINT, or until standard input ends if that is served; then returns.

    When all is bound, one JSON line on standard error says where: {"tcp": "yea://…", "http": "http://…/yea"}.
    With a made-up certificate, a second line says which authority a client has to trust.
    Raises BindError for an address that cannot be had, CertificateError for a certificate and StoreError for a
    folder that cannot be used (all of them OSError), TrustError (a ValueError) for a key that is none.
    """
    trusted = principals(options)
    with contextlib.ExitStack() as stack:
        sockets = {
            name: stack.enter_context(listen(options.host, port))
            for name, port in (("tcp", options.tcp_port), ("tls", options.tls_port), ("http", options.http_port))
            if port is not None
        }
        kept = state(options.data, stack) if options.data is not None else {}
        service = options.service_factory(trusted=trusted, **kept)
        stop = asyncio.Event()
        stack.enter_context(signals(stop))
        context, notes = tls_context(options, stack) if "tls" in sockets else (None, [])
        frames = stack.enter_context(frames_only()) if options.stdio else None
        stdio = serve_stdio(service, time.time, stdout=frames) if frames is not None else None
        await run(servers_on(sockets, service, context), [json.dumps(addresses(sockets)), *notes], stop, stdio)


async def run(
    servers: "Sequence[StreamServer | HttpServer]",
    notes: list[str],
    stop: asyncio.Event,
    stdio: Coroutine[Any, Any, None] | None = None,
) -> None:
    """Runs the servers until `stop` is set, or until `stdio` has ended if there is one.

    notes: lines for standard error, once everything runs.
    """
    for server in servers:
        await server.start()
    sys.stderr.write("".join(f"{note}\n" for note in notes))
    sys.stderr.flush()
    tasks = [asyncio.create_task(end_with(stdio, stop))] if stdio is not None else []
    await stop.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*(server.stop(GRACE) for server in servers))
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def end_with(work: Coroutine[Any, Any, None], stop: asyncio.Event) -> None:
    """Sets the event when the work has ended, however it did."""
    try:
        await work
    finally:
        stop.set()


def servers_on(
    sockets: dict[str, socket.socket], service: Service, context: ssl.SSLContext | None
) -> "list[StreamServer | HttpServer]":
    """A server for each socket."""
    servers: list[StreamServer | HttpServer] = []
    for name, bound in sockets.items():
        if name == "http":
            servers.append(http_server(bound, service))
        else:
            servers.append(StreamServer(bound, service, time.time, context=context if name == "tls" else None))
    return servers


def http_server(bound: socket.socket, service: Service) -> "HttpServer":
    """The server of the bridge."""
    from reference.yea.transports import http_server

    return http_server.HttpServer(bound, service, time.time)


def tls_context(options: ServeOptions, stack: contextlib.ExitStack) -> tuple[ssl.SSLContext, list[str]]:
    """The server side of TLS, and what to say about it. A made-up authority's file goes with the stack."""
    if options.cert is not None and options.key is not None:
        return own_context(options.cert, options.key), []
    if options.cert is not None or options.key is not None:
        raise CertificateError(None, "a certificate needs its key, and a key its certificate")
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="yea-ca-"))
    ca = Path(folder) / "ca.pem"
    return throwaway_context(options.host, ca), [f"made up a certificate for TLS; its authority is {ca}"]


def state(data: Path, stack: contextlib.ExitStack) -> dict[str, Any]:
    """The state in a folder, as arguments for the service factory. Only its owner may look into the folder."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(None, f"cannot keep the state in {data}: {why_not(data, error)}") from None
    database = Database(data / DATA_FILE)
    stack.callback(database.close)
    return {"store": SqliteStore(database), "objects": SqliteObjects(database)}


def addresses(sockets: dict[str, socket.socket]) -> dict[str, str]:
    """The URL of each bound socket, by transport."""
    forms = {"tcp": "yea://{}", "tls": "yeas://{}", "http": "http://{}" + ENDPOINT}
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
