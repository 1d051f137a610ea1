"""A program behind three pipes, in a process group of its own: started, spoken to by lines, and ended with its group.

Nothing here knows the adapter protocol. The program is hostile: a line is bounded, what it says on standard error is
read all the time and only the end of it kept, and nothing waits for a process that outlives it with its pipes.
"""

import asyncio
import contextlib
import os
import shlex
import signal
from collections import deque

from harness.errors import TargetError, UsageError

LINE_LIMIT = 16 << 20
KEPT_CHARACTERS = 1000
EXIT_PATIENCE = 1.0


def split_command(command: str) -> list[str]:
    """Split an `--adapter` as a shell would, with no shell; raises UsageError."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise UsageError(f"--adapter {command!r} cannot be split: {problem}") from None
    if not words:
        raise UsageError("--adapter needs a program to start")
    return words


class Program:
    """A running program.

    Args:
        arguments: the program and its arguments; no shell is involved.
        name: what messages call it.
        errors: where the last lines of its standard error go.
    """

    def __init__(self, arguments: list[str], name: str, errors: deque[str]) -> None:
        self.arguments, self.name, self.errors = arguments, name, errors
        self._process: asyncio.subprocess.Process | None = None
        self._pipes: list[asyncio.ReadTransport] = []
        self._output = asyncio.StreamReader(limit=LINE_LIMIT)
        self._drain: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the program; raises TargetError when it cannot be."""
        # Pipes of our own: asyncio's would hold `wait` up until whoever inherited them has closed them too.
        ends = [os.pipe(), os.pipe()]
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.arguments,
                stdin=asyncio.subprocess.PIPE,
                stdout=ends[0][1],
                stderr=ends[1][1],
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            for ours, _ in ends:
                os.close(ours)
            reason = problem.strerror if isinstance(problem, OSError) else None
            raise TargetError(self.name, f"cannot be started: {reason or problem}") from None
        finally:
            for _, theirs in ends:
                os.close(theirs)
        errors = asyncio.StreamReader()
        await self._connect(ends[0][0], self._output)
        await self._connect(ends[1][0], errors)
        self._drain = asyncio.create_task(self._read_errors(errors))

    async def _connect(self, descriptor: int, stream: asyncio.StreamReader) -> None:
        pipe = os.fdopen(descriptor, "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        self._pipes.append(transport)

    async def write(self, data: bytes) -> None:
        """Write to its standard input; raises OSError when that is closed."""
        assert self._process is not None and self._process.stdin is not None  # noqa: S101 - start comes first
        self._process.stdin.write(data)
        await self._process.stdin.drain()

    async def readline(self) -> bytes:
        """Return a line of its standard output, without a newline at the end; raises ValueError past LINE_LIMIT."""
        return await self._output.readline()

    async def ended(self) -> str:
        """Say how the program ended, once its standard output has."""
        assert self._process is not None  # noqa: S101 - start comes first
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXIT_PATIENCE):
                code = await self._process.wait()
                return f"ended with exit code {code}" if code >= 0 else f"was ended by {_signal_name(-code)}"
        return "closed its standard output"

    async def stop(self, grace: float) -> None:
        """Close its standard input, and end its process group when it is still there after `grace` seconds."""
        process = self._process
        if process is None or process.stdin is None:
            return  # it was never started
        process.stdin.close()
        if grace:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(grace):
                    await process.wait()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        if process.stdin.transport.get_write_buffer_size():
            process.stdin.transport.abort()  # what outlived the group holds the pipe and does not read
        await process.wait()
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.gather(self._drain, return_exceptions=True)
        for pipe in self._pipes:
            pipe.close()

    async def _read_errors(self, stream: asyncio.StreamReader) -> None:
        kept = self.errors.maxlen or 0
        while data := await stream.read(64 * 1024):
            lines = data.decode("utf-8", "backslashreplace").splitlines()
            self.errors.extend(line[:KEPT_CHARACTERS] for line in lines[-kept:] if line.strip())


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
