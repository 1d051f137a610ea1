"""TLS: the same stream of frames inside TLS (YEA 2.3, `yeas://host[:port]`, port 7448 by default).

Whom to trust is the profile's `ca`, or else what this machine trusts. YEA says nothing of versions and ciphers, so
the defaults of Python's ssl module decide.
"""

import asyncio
import ssl
from pathlib import Path

from harness.errors import HarnessError, TargetGone
from harness.targets.addresses import Address
from harness.targets.base import Clock, Connect, Connection, Target, Watcher
from harness.targets.streams import StreamConnection
from harness.targets.tcp import CONNECT_TIMEOUT, reason

SHUTDOWN_TIMEOUT = 1.0
UNKNOWN_AUTHORITY = (18, 19, 20, 21)  # OpenSSL's codes for a chain that leads to nobody we trust
ADVICE = 'a profile can name its authority: [target] ca = "FILE"'


def trusting(ca: Path | None) -> ssl.SSLContext:
    """Return the client side of TLS that trusts an authority (a PEM file), or what the system trusts for None.

    Raises HarnessError for a file that holds no certificate.
    """
    try:
        return ssl.create_default_context(cafile=None if ca is None else str(ca))
    except OSError as problem:  # ssl.SSLError is one
        why = getattr(problem, "reason", None) or problem.strerror or "it holds no certificate"
        raise HarnessError(f"{ca} cannot be used as a certificate authority: {why}") from None


def tls_target(
    address: Address, clock: Clock, *, timeout: float, context: ssl.SSLContext, managed: bool = False
) -> Target:
    """Return the target behind a `yeas://` address.

    Args:
        address: the parsed address.
        clock: unix seconds.
        timeout: seconds a final reply may take.
        context: whom to trust.
        managed: whether naysayer started the target.
    """
    connect = _connector(address, clock, timeout, context)
    return Target("tls", address.text, connect, clock, address.loopback, managed)


def _connector(address: Address, clock: Clock, timeout: float, context: ssl.SSLContext) -> Connect:
    patience = min(CONNECT_TIMEOUT, timeout)

    async def connect(watcher: Watcher, name: str) -> Connection:
        try:
            async with asyncio.timeout(patience):
                reader, writer = await asyncio.open_connection(
                    address.host, address.port, ssl=context, ssl_shutdown_timeout=SHUTDOWN_TIMEOUT
                )
        except TimeoutError:
            raise TargetGone(f"no connection to {address.text}: no TLS within {patience:g} s") from None
        except OSError as problem:
            raise TargetGone(f"no connection to {address.text}: {words(problem)}") from None
        return StreamConnection(name, "tls", reader, writer, watcher, clock, timeout=timeout)

    return connect


def words(problem: OSError) -> str:
    """Return why there is no TLS connection, as a clause that follows the address."""
    if isinstance(problem, ssl.SSLCertVerificationError):
        advice = f"; {ADVICE}" if problem.verify_code in UNKNOWN_AUTHORITY else ""
        return f"its certificate is not valid ({problem.verify_message.rstrip('.')}){advice}"
    if isinstance(problem, ssl.SSLError):
        said = (problem.reason or "the connection ended").replace("_", " ").lower()
        return f"it does not speak TLS ({said})"
    if isinstance(problem, ConnectionResetError):
        return "it closed the connection during the TLS handshake"
    return reason(problem)
