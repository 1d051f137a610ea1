"""A run against clients: what the command is, over which transports it is played to, and with what certificate."""

import contextlib
import os
import random
import shlex
import socket
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from harness.clients.context import COMMIT, ClientContext, ClientTarget
from harness.clients.hosting import LOCAL, hosted, listen
from harness.clients.plays import Case, Play, error
from harness.clients.starting import Orders, Starter, Watching
from harness.errors import TargetError, TargetFault, UsageError
from harness.facts import Facts
from harness.managed import Spawn, execute
from harness.profile import EMPTY
from harness.session import Prepared
from harness.targets.base import Connection, Frame, Junk, Watcher
from harness.warm import PREFIX, Warm

AT_ONCE = min(8, 2 * (os.cpu_count() or 1))
"""Clients that run at a time over one transport: each is a process, and may be slow to start."""

CA, CHAIN = "ca.pem", "server.pem"
PLAYED = ("tcp", "tls", "http")
REFERENCE = "the reference client"
MODULES = ("harness.commands.client", "harness.clients.program", "reference.yea.client")
OWN = "{url} {do} {capability} {params} --key {seed_file} --grant {grant} --principal {principal_file} --ca {ca}"


def reference_command(*options: str) -> str:
    """Return the reference client's command, with its placeholders."""
    return f"{shlex.join([*PREFIX, 'client', *options])} {OWN}"


@contextlib.asynccontextmanager
async def prepared(
    command: str | None, transports: list[str] | None, folder: Path, timeout: float
) -> AsyncIterator[Prepared]:
    """Prepare a run; yields what the plan is made from.

    Args:
        command: of `--command`; None for the reference client.
        transports: of `--transport`; None for all that the command can be played to.
        folder: an empty folder for keys and certificates.
        timeout: seconds in which a client has to do something.

    Raises UsageError for a command that cannot be started or played to over these transports, TargetError for one that
    is no client.
    """
    async with spawning(command is None) as spawn:
        starter = Starter(reference_command() if command is None else command, folder, spawn, timeout)
        ready = made_ready(starter, transports, command or REFERENCE)
        await meet(starter, folder, next(iter(ready.targets)))
        yield ready


async def meet(starter: Starter, folder: Path, kind: str) -> None:
    """Start the client once, to see that it is one; raises TargetError when it neither asks nor prints anything.

    Args:
        starter: starts it.
        folder: where the certificate is.
        kind: over which transport it is played to.
    """
    service = "meeting.played.naysayer.example"
    play = Play(service, [Case("a service that is not ready", (error("unavailable", "not now"),))])
    async with hosted(play, kind, _Unwatched(), folder / CHAIN, listen(LOCAL, 0)) as where:
        who = starter.identity(service, time.time)
        try:
            await starter.run(Orders(where.url, COMMIT, 1, who, folder / CA), Watching())
        except TargetFault as problem:
            if not play.requests:
                raise TargetError("--command", f"{problem.why}, without a request to the service") from None


class _Unwatched:
    """Nobody looks at what passes."""

    def sent(self, connection: str, data: bytes) -> None:
        """See `Watcher`."""

    def received(self, connection: str, frame: Frame) -> None:
        """See `Watcher`."""

    def spoiled(self, connection: str, junk: Junk) -> None:
        """See `Watcher`."""


def made_ready(starter: Starter, transports: Iterable[str] | None, name: str) -> Prepared:
    """Return what the plan of a run is made from; raises UsageError as `prepared` does."""
    starter.check()
    offered = [name for name in PLAYED if name != "tls" or starter.uses("ca")]
    chosen = [name for name in offered if transports is None or name in transports]
    if not chosen:
        raise UsageError(f"a client is played to over {', '.join(offered)} only (tls needs {{ca}} in --command)")
    host = _loopback()
    ca, chain = make_certificate(starter.folder, host)
    targets = {each: _target(each, starter, chain, ca, host) for each in chosen}
    return Prepared({**targets}, Facts({}), EMPTY, name, lambda plan: ClientContext)


@contextlib.asynccontextmanager
async def spawning(own: bool) -> AsyncIterator[Spawn]:
    """Yield what starts the client: the reference is forked from a process that has made its imports."""
    if not own:
        yield execute
        return
    warm = Warm(*MODULES)
    await warm.start()
    try:
        yield warm.spawn
    finally:
        await warm.stop()


def _target(name: str, starter: Starter, chain: Path, ca: Path, host: str) -> ClientTarget:
    return ClientTarget(
        name, starter.command, _nobody, time.time, loopback=True, managed=True, alive=_not_asked, at_once=AT_ONCE,
        starter=starter, chain=chain, ca=ca, host=host,
    )  # fmt: skip


async def _not_asked(watcher: Watcher) -> None:
    """A client is started anew for each check, so nobody is asked whether it is still there."""


async def _nobody(watcher: Watcher, name: str) -> Connection:
    raise TypeError("a client is started, not connected to")


def _loopback() -> str:
    """Return an address of loopback where the default ports are likely to be free: on Linux all of 127/8 is."""
    with contextlib.suppress(OSError):
        chosen = f"127.{random.randrange(1, 255)}.{random.randrange(1, 255)}.{random.randrange(2, 255)}"
        with socket.socket() as trial:
            trial.bind((chosen, 0))
        return chosen
    return LOCAL


def make_certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """Write a throw-away authority, and a certificate for loopback with its key; returns the files' paths."""
    import trustme  # here, because it takes a tenth of a second

    authority = trustme.CA()
    ca, chain = folder / CA, folder / CHAIN
    authority.cert_pem.write_to_path(str(ca))
    authority.issue_cert(LOCAL, "localhost", host).private_key_and_cert_chain_pem.write_to_path(str(chain))
    return ca, chain
