"""HTTP that no client library would send: requests that stop in the middle, over a socket of their own.

What comes back is read leniently and bounded: a status, and the lines of the body that are frames.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable, Iterable

from harness.encoding import read_line
from harness.errors import TargetGone
from harness.targets import tls
from harness.targets.addresses import Address
from harness.targets.base import Clock, Exchange, Frame, Http

ANSWER_CAP = 256 * 1024
CONNECT_TIMEOUT = 5.0
HEAD_END = b"\r\n\r\n"

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Dial = Callable[[], Awaitable[Streams]]


def dialer(address: Address, verify: ssl.SSLContext | bool) -> Dial:
    """Return what opens a socket to an `http(s)://` address, with TLS where it says so."""
    secure = address.text.startswith("https")
    context = verify if isinstance(verify, ssl.SSLContext) else ssl.create_default_context()

    async def dial() -> Streams:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                return await asyncio.open_connection(address.host, address.port, ssl=context if secure else None)
        except TimeoutError:
            raise TargetGone(f"no connection to {address.text}: no answer within {CONNECT_TIMEOUT:g} s") from None
        except OSError as problem:
            raise TargetGone(f"no connection to {address.text}: {tls.words(problem)}") from None

    return dial


def head(target: str, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the head of a POST: its request line, its headers, and the empty line."""
    lines = [b"POST " + target.encode("ascii") + b" HTTP/1.1", *(name + b": " + value for name, value in headers)]
    return b"\r\n".join(lines) + HEAD_END


async def post_part(dial: Dial, sent: bytes, exchange: Exchange, clock: Clock, timeout: float) -> None:
    """Send the start of a POST, and put what comes back meanwhile into the exchange; nothing more is ever sent."""
    reader, writer = await dial()
    writing = asyncio.create_task(_write(writer, sent))
    got = bytearray()
    try:
        async with asyncio.timeout(timeout):
            while len(got) < ANSWER_CAP and not _is_enough(bytes(got), clock):
                data = await reader.read(16 * 1024)
                if not data:
                    exchange.closed = True
                    break
                got += data
    except TimeoutError:  # an OSError too, but the connection lives
        pass
    except OSError:
        exchange.closed = True
    finally:
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        await _close(writer)
    exchange.http, exchange.frames = read_answer(bytes(got), clock)


async def hang_up(dial: Dial, sent: bytes) -> None:
    """Send bytes and close the connection at once."""
    _, writer = await dial()
    await _write(writer, sent)
    await _close(writer)


async def say(dial: Dial, sent: bytes, patience: float = 1.0) -> bytes:
    """Send bytes, and return the start of what comes back within the patience, if anything."""
    reader, writer = await dial()
    got = b""
    try:
        await _write(writer, sent)
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(patience):
                got = await reader.read(16 * 1024)
    finally:
        await _close(writer)
    return got


def read_answer(data: bytes, clock: Clock) -> tuple[Http | None, list[Frame]]:
    """Return the status and headers in the bytes of an answer, and the frames among the lines of its body."""
    raw_head, found, body = data.partition(HEAD_END)
    lines = raw_head.decode("latin-1").split("\r\n")
    words = lines[0].split(" ")
    if not found or len(words) < 2 or not words[0].startswith("HTTP/") or not words[1].isdecimal():
        return None, []
    pairs = [line.partition(":") for line in lines[1:100]]
    headers = {name.strip().lower(): value.strip()[:1000] for name, _, value in pairs}
    read = [read_line(line.strip(), clock()) for line in body.split(b"\n")]
    frames = [frame for frame in read if isinstance(frame, Frame)]
    return Http(int(words[1][:3]), headers.get("content-type", ""), headers), frames


def _is_enough(data: bytes, clock: Clock) -> bool:
    http, frames = read_answer(data, clock)
    return http is not None and (http.status != 200 or any(frame.final for frame in frames))


async def _write(writer: asyncio.StreamWriter, data: bytes) -> None:
    with contextlib.suppress(OSError):
        writer.write(data)
        await writer.drain()


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(2):
            await writer.wait_closed()
