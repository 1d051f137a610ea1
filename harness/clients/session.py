"""A run against clients: what the command is, over which transports it is played to, and with what certificate."""

import contextlib
import random
import socket
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from harness.clients.context import ClientContext, ClientTarget
from harness.clients.hosting import LOCAL
from harness.clients.starting import Starter
from harness.errors import UsageError
from harness.facts import Facts
from harness.managed import Spawn, execute
from harness.profile import EMPTY
from harness.session import Prepared
from harness.targets.base import Connection, Watcher
from harness.warm import PREFIX, Warm

PLAYED = ("tcp", "tls", "http")
REFERENCE = "the reference client"
MODULES = ("harness.commands.client", "harness.clients.program", "reference.yea.client")
OWN = "{url} {do} {capability} {params} --key {seed_file} --grant {grant} --principal {principal_file} --ca {ca}"


def reference_command(*options: str) -> str:
    """Return the reference client's command, with its placeholders."""
    return " ".join([*PREFIX, "client", *options, OWN])


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

    Raises UsageError for a command that cannot be started, or that cannot be played to over these transports.
    """
    async with spawning(command is None) as spawn:
        starter = Starter(command or reference_command(), folder, spawn, timeout)
        yield made_ready(starter, transports, command or REFERENCE)


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
        name, starter.command, _nobody, time.time, loopback=True, managed=True, alive=_not_asked,
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
    ca, chain = folder / "ca.pem", folder / "server.pem"
    authority.cert_pem.write_to_path(str(ca))
    authority.issue_cert(LOCAL, "localhost", host).private_key_and_cert_chain_pem.write_to_path(str(chain))
    return ca, chain
