"""TCP: frames directly over a socket (YEA 2.3, `yea://host[:port]`, port 7447 by default)."""

import asyncio

from harness.errors import TargetGone
from harness.targets.addresses import Address
from harness.targets.base import Clock, Connect, Connection, Target, Watcher
from harness.targets.streams import StreamConnection

CONNECT_TIMEOUT = 5.0


def tcp_target(address: Address, clock: Clock, *, timeout: float, managed: bool = False) -> Target:
    """Return the target behind a `yea://` address.

    Args:
        address: the parsed address.
        clock: unix seconds.
        timeout: seconds a final reply may take.
        managed: whether naysayer started the target.
    """
    return Target("tcp", address.text, _connector(address, clock, timeout), clock, address.loopback, managed)


def _connector(address: Address, clock: Clock, timeout: float) -> Connect:
    patience = min(CONNECT_TIMEOUT, timeout)

    async def connect(watcher: Watcher, name: str) -> Connection:
        try:
            async with asyncio.timeout(patience):
                reader, writer = await asyncio.open_connection(address.host, address.port)
        except TimeoutError:
            raise TargetGone(f"no connection to {address.text}: no answer within {patience:g} s") from None
        except OSError as problem:
            raise TargetGone(f"no connection to {address.text}: {reason(problem)}") from None
        return StreamConnection(name, "tcp", reader, writer, watcher, clock, timeout=timeout)

    return connect


def reason(problem: OSError) -> str:
    """Return an OSError's cause in plain words, without its number."""
    if isinstance(problem, ConnectionResetError):
        return "it reset the connection"
    text = problem.strerror or str(problem)
    return "connection refused" if isinstance(problem, ConnectionRefusedError) else text
