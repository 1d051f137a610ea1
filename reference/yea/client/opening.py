"""Opening a connection to an address (YEA 2.3)."""

import asyncio
import contextlib
import os
import signal
import ssl
from collections.abc import Awaitable, Callable, Mapping

import httpx

from reference.yea.client.addresses import Address, parse
from reference.yea.client.bridge import BridgeLink
from reference.yea.client.errors import Unreachable
from reference.yea.client.links import Link, StreamLink

CONNECT_SECONDS = 10.0
END_SECONDS = 2.0
"""How long a child gets to end by itself, and again after SIGTERM."""

KILLED_SECONDS = 10.0
"""How long is waited for a killed child. Only a child of its own that left its process group can hold it up."""

LONGEST_LINE = 8 * 1024

OnErrorLine = Callable[[str], None]
"""Is called with each line of a child's standard error, shortened to 8 KiB. It is as hostile as any reply."""


async def open_link(
    address: Address | str,
    *,
    context: ssl.SSLContext | None = None,
    headers: Mapping[str, str] | None = None,
    on_error_line: OnErrorLine | None = None,
) -> Link:
    """A connection to a service.

    context: the client side of TLS; by default the system's authorities are trusted. headers: for every request of the
    HTTP bridge, as for a gateway. on_error_line: what to do with a child's standard error, which is dropped without.
    Raises AddressError, Unreachable. A bridge is reached only with the first request.
    """
    where = parse(address) if isinstance(address, str) else address
    if where.scheme == "stdio":
        return await _start(where, on_error_line)
    if where.scheme in ("http", "https"):
        return BridgeLink(where.text, http_client(context, headers))
    tls = (context or ssl.create_default_context()) if where.scheme == "yeas" else None
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(where.host, where.port, ssl=tls)
    except TimeoutError:
        raise Unreachable(f"no connection to {where.text} within {CONNECT_SECONDS:g} s") from None
    except OSError as problem:
        raise Unreachable(f"no connection to {where.text}: {_reason(problem)}") from None
    return StreamLink(reader, writer)


def http_client(context: ssl.SSLContext | None = None, headers: Mapping[str, str] | None = None) -> httpx.AsyncClient:
    """An HTTP client that follows no redirects and takes nothing from the environment."""
    return httpx.AsyncClient(
        headers=dict(headers or {}),
        verify=context or True,
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )


async def _start(address: Address, on_error_line: OnErrorLine | None) -> StreamLink:
    """A child of its own process group, whose standard input and output carry frames."""
    try:
        child = await asyncio.create_subprocess_exec(
            *address.command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE if on_error_line else asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as problem:
        raise Unreachable(f"{address.command[0]} cannot be started: {problem.strerror or problem}") from None
    if child.stdin is None or child.stdout is None:
        raise Unreachable(f"{address.command[0]} has no standard input and output")
    listening = asyncio.create_task(_listen(child.stderr, on_error_line)) if child.stderr and on_error_line else None
    return StreamLink(child.stdout, child.stdin, on_close=_ender(child, listening))


def _ender(child: asyncio.subprocess.Process, listening: asyncio.Task[None] | None) -> Callable[[], Awaitable[None]]:
    async def end() -> None:
        """The child ends by itself now that its input has; if not it is told to, with all that it started."""
        for number, seconds in ((None, END_SECONDS), (signal.SIGTERM, END_SECONDS), (signal.SIGKILL, KILLED_SECONDS)):
            if number is not None:
                _signal(child.pid, number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await child.wait()
                    break
        _signal(child.pid, signal.SIGKILL)
        if listening is not None:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    return end


def _signal(group: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


async def _listen(stream: asyncio.StreamReader, on_error_line: OnErrorLine) -> None:
    """Hands on the lines of a child's standard error; of a long one only the start."""
    held, dropping = b"", False
    while data := await stream.read(LONGEST_LINE):
        *ended, rest = data.split(b"\n")
        for piece in ended:
            if not dropping:
                on_error_line((held + piece)[:LONGEST_LINE].decode("utf-8", "replace"))
            held, dropping = b"", False
        held += b"" if dropping else rest
        if len(held) >= LONGEST_LINE:
            on_error_line(held[:LONGEST_LINE].decode("utf-8", "replace"))
            held, dropping = b"", True
        await asyncio.sleep(0)


def _reason(problem: OSError) -> str:
    if isinstance(problem, ConnectionRefusedError):
        return "connection refused"
    if isinstance(problem, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {problem.verify_message}"
    return problem.strerror or str(problem)
