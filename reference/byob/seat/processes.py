"""A command as a bot: a prompt goes in, an answer comes out. No shell, bounded output and time, and its group ended."""

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Sequence
from typing import Final

from reference.byob.seat.asking import BotError

MOST_BYTES: Final = 1 << 20
"""What an answer may have; it has to fit into a post."""

LINGER_SECONDS: Final = 1.0
"""How long output is still read when the program has ended and something that it left behind holds its pipe."""


async def answer(arguments: Sequence[str], prompt: str, *, seconds: float, most_bytes: int = MOST_BYTES) -> str:
    """Run a program with a prompt on its standard input; returns what it printed.

    arguments: the program and its arguments, without a shell. seconds: what it may take. Its standard error goes where
    ours does. When this returns or raises, nothing of its process group runs any more. Raises BotError when it cannot
    be started, takes too long, prints too much or what is not UTF-8, or ends with an exit code other than 0.
    """
    ours, theirs = os.pipe()
    try:
        process = await _start(arguments, prompt, theirs)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    stream, transport = await _connect(ours)
    try:
        async with asyncio.timeout(seconds):
            output = await _output(process, stream, most_bytes)
            code = await process.wait()
    except TimeoutError:
        raise BotError(f"{arguments[0]} gave no answer within {seconds:g} s") from None
    finally:
        transport.close()
        _end(process)
        await process.wait()
    if code:
        raise BotError(f"{arguments[0]} ended with {f'exit code {code}' if code > 0 else f'signal {-code}'}")
    try:
        return output.decode()
    except UnicodeDecodeError:
        raise BotError(f"{arguments[0]} printed what is not UTF-8") from None


async def _start(arguments: Sequence[str], prompt: str, output: int) -> asyncio.subprocess.Process:
    # A file and no pipe for its input: it may read as much of it as it likes, and when it likes.
    with tempfile.TemporaryFile() as file:
        file.write(prompt.encode("utf-8", "replace"))
        file.seek(0)
        try:
            return await asyncio.create_subprocess_exec(*arguments, stdin=file, stdout=output, start_new_session=True)
        except (OSError, ValueError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else None
            raise BotError(f"{arguments[0]} cannot be started: {reason or problem}") from None


async def _connect(descriptor: int) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    stream = asyncio.StreamReader()
    pipe = os.fdopen(descriptor, "rb", buffering=0)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
    return stream, transport


async def _output(process: asyncio.subprocess.Process, stream: asyncio.StreamReader, most: int) -> bytes:
    """What it prints until it closes its output, or ends."""
    pieces = bytearray()
    reading = asyncio.create_task(_read(stream, pieces, most))
    ending = asyncio.create_task(process.wait())
    try:
        await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            _end(process)
            await asyncio.wait({reading}, timeout=LINGER_SECONDS)
        if reading.done():
            reading.result()
        return bytes(pieces)
    finally:
        for task in (reading, ending):
            task.cancel()
        await asyncio.gather(reading, ending, return_exceptions=True)


async def _read(stream: asyncio.StreamReader, pieces: bytearray, most: int) -> None:
    while data := await stream.read(64 * 1024):
        pieces += data
        if len(pieces) > most:
            raise BotError(f"the program printed more than {most} bytes")


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
