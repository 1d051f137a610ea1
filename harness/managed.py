"""Targets that naysayer starts itself: a child in a process group of its own, found ready, and ended with its group.

A server is told its ports and the folder of its data by placeholders in the command, and is polled until it answers.
Started again with the same command, it finds what it kept. A child that talks is a connection (`targets.stdio`).
"""

import asyncio
import contextlib
import os
import shlex
import signal
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from harness import processes
from harness.errors import TargetError, TargetGone, UsageError

T = TypeVar("T")

POLL = 0.1
STOP_GRACE = 3.0
KEPT_LINES = 40
LINE_CAP = 64 * 1024
PORTS = ("port", "tls_port", "http_port")
DEFAULT_ADDRESSES = {
    "yea": {
        "port": "yea://127.0.0.1:{port}",
        "tls_port": "yeas://127.0.0.1:{tls_port}",
        "http_port": "http://127.0.0.1:{http_port}/yea",
    },
    "byob": {"port": "http://127.0.0.1:{port}", "http_port": "http://127.0.0.1:{http_port}"},
}


class Process(Protocol):
    """A process that was started: the leader of a session of its own."""

    @property
    def pid(self) -> int:
        """Its id, and that of its session."""

    @property
    def returncode(self) -> int | None:
        """Its exit code, minus a signal's number if that ended it; None while it runs."""

    async def wait(self) -> int:
        """Wait for its end and return its exit code."""


Descriptor = int
Spawn = Callable[[list[str], Descriptor, Descriptor, Descriptor], Awaitable[Process]]
"""Starts words with descriptors (or DEVNULL) for standard input, output and error; raises OSError."""


async def execute(words: list[str], stdin: Descriptor, stdout: Descriptor, stderr: Descriptor) -> Process:
    """Start a program in a session of its own."""
    return await asyncio.create_subprocess_exec(
        *words, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
    )


class Child:
    """A running program that naysayer started.

    Args:
        arguments: the program and its arguments; no shell is involved.
        name: what messages call it.
        talks: whether its standard input and output are `writer` and `reader`; else it has neither.
        spawn: what starts it.
    """

    def __init__(self, arguments: list[str], name: str, *, talks: bool = False, spawn: Spawn = execute) -> None:
        self.arguments, self.name, self.talks, self._spawn = arguments, name, talks, spawn
        self.errors: deque[str] = deque(maxlen=KEPT_LINES)
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter
        self._process: Process | None = None
        self._drain: asyncio.Task[None] | None = None
        self._pipes: list[asyncio.BaseTransport] = []
        self._first: asyncio.Future[str | None] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

    def peak_memory(self) -> int | None:
        """Return the most bytes that the child and its group have held, or None where that cannot be seen."""
        return processes.peak_memory(self.pid) if self.pid is not None else None

    async def start(self) -> None:
        """Start the child, or start it again; raises TargetError when there is no such program."""
        self._first = asyncio.get_running_loop().create_future()
        # Pipes of our own: asyncio's would hold `wait` up until whoever inherited them has closed them too.
        errors, their_errors = os.pipe()
        their_input, given = os.pipe() if self.talks else (asyncio.subprocess.DEVNULL, -1)
        said, their_output = os.pipe() if self.talks else (-1, asyncio.subprocess.DEVNULL)
        try:
            self._process = await self._made(their_input, their_output, their_errors)
        except BaseException as problem:  # a cancellation too
            _close(errors, given, said)
            if isinstance(problem, OSError):
                raise TargetError(self.name, f"cannot be started: {problem.strerror or problem}") from None
            raise
        finally:
            _close(their_errors, their_input, their_output)
        try:
            self._drain = asyncio.create_task(self._read_errors(await self._reading(errors)))
            if self.talks:
                self.reader, self.writer = await self._reading(said), await self._writing(given)
        except BaseException:  # a cancellation: the child is in a session of its own and would live on
            self._signal(signal.SIGKILL)
            await self._process.wait()
            raise

    async def _made(self, their_input: int, their_output: int, their_errors: int) -> Process:
        """Make the process; one that is cancelled while it is made is made to its end first, then killed and reaped."""
        making = asyncio.ensure_future(self._spawn(self.arguments, their_input, their_output, their_errors))
        try:
            return await asyncio.shield(making)
        except asyncio.CancelledError:
            with contextlib.suppress(OSError):
                self._process = await making
                self._signal(signal.SIGKILL)
                await self._process.wait()
            raise

    async def _reading(self, descriptor: int) -> asyncio.StreamReader:
        stream = asyncio.StreamReader(limit=LINE_CAP)
        pipe = os.fdopen(descriptor, "rb", buffering=0)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        self._pipes.append(transport)
        return stream

    async def _writing(self, descriptor: int) -> asyncio.StreamWriter:
        loop = asyncio.get_running_loop()
        unused = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(unused)
        pipe = os.fdopen(descriptor, "wb", buffering=0)
        transport, _ = await loop.connect_write_pipe(lambda: protocol, pipe)
        self._pipes.append(transport)
        return asyncio.StreamWriter(transport, protocol, unused, loop)

    async def first_line(self, timeout: float) -> str:
        """Return the first line of standard error; raises TargetError when none comes or the child ends."""
        assert self._first is not None  # noqa: S101 - start comes first
        try:
            async with asyncio.timeout(timeout):
                line = await asyncio.shield(self._first)
        except TimeoutError:
            raise TargetError(self.name, f"said nothing within {timeout:g} s") from None
        if line is None:
            raise TargetError(self.name, self.ended() or "closed its standard error")
        return line

    def ended(self) -> str | None:
        """Return how the child ended, with its last words, or None while it runs."""
        if self._process is None or self._process.returncode is None:
            return None
        words = f"; it said: {self.errors[-1]}" if self.errors else ""
        return f"ended with exit code {self._process.returncode}{words}"

    async def finished(self, timeout: float) -> bool:
        """Whether the child ends by itself within so many seconds."""
        if self._process is None:
            return True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self._process.wait()
        return self._process.returncode is not None

    async def exit_code(self, timeout: float) -> int | None:
        """Return how the child ends by itself within so many seconds, negative for a signal; None if it does not."""
        return self._process.returncode if self._process is not None and await self.finished(timeout) else None

    async def stop(self, *, kill: bool = False) -> None:
        """End the child and its whole process group: SIGTERM and a grace, or SIGKILL at once. Never raises."""
        process = self._process
        if process is None:
            return
        if not kill:
            self._signal(signal.SIGTERM)
            await self.finished(STOP_GRACE)
        self._signal(signal.SIGKILL)
        await process.wait()
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.gather(self._drain, return_exceptions=True)
        for pipe in self._pipes:
            pipe.close()
        self._pipes.clear()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)

    async def _read_errors(self, stream: asyncio.StreamReader) -> None:
        """Read standard error to its end, keeping the last lines; a line without end is cut, not collected."""
        assert self._process is not None and self._first is not None  # noqa: S101 - start made them
        while True:
            try:
                line = await stream.readline()
            except ValueError:  # longer than the limit: readline has dropped it
                continue
            if not line:
                break
            text = line.decode("utf-8", "backslashreplace").rstrip()[:1000]
            self.errors.append(text)
            if not self._first.done():
                self._first.set_result(text)
        await self._process.wait()
        if not self._first.done():
            self._first.set_result(None)


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        if descriptor >= 0:
            os.close(descriptor)


async def until_ready(child: Child | None, ask: Callable[[], Awaitable[T]], patience: float) -> T:
    """Return what `ask` returns; while it raises TargetError, ask again until `patience` seconds have passed.

    Args:
        child: what was started; when it ends, that is what is raised.
        ask: raises TargetError as long as the target does not answer.
        patience: seconds; 0 to ask once.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + patience
    while True:
        try:
            return await ask()
        except TargetError as problem:
            ended = child.ended() if child else None
            if ended:
                raise TargetError(child.name if child else "", ended) from None
            if loop.time() >= end:
                raise problem from None
            await asyncio.sleep(POLL)


async def restart(child: Child, ask: Callable[[], Awaitable[object]], patience: float) -> None:
    """End a child without warning, start it again, and wait until it answers; raises TargetGone when it does not."""
    await child.stop(kill=True)
    try:
        await child.start()
        await until_ready(child, ask, patience)
    except TargetError as problem:
        raise TargetGone(f"it did not come up again after it was killed: {problem.problem}") from None


def free_ports(count: int) -> list[int]:
    """Return ports that are free on loopback at this moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def fill_command(command: str, values: Mapping[str, str]) -> list[str]:
    """Split a command as a shell would, with no shell, and fill its placeholders; raises UsageError."""
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise UsageError(f"the command {command!r} cannot be split: {problem}") from None
    if not words:
        raise UsageError("--command needs a program to start")
    return [fill(word, values) for word in words]


def fill_address(address: str, values: Mapping[str, str]) -> str:
    """Fill the placeholders of an address; in a `stdio:` one each value stays one word of the command."""
    quoted = {name: shlex.quote(value) for name, value in values.items()}
    return fill(address, quoted if address.startswith("stdio:") else values)


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace `{name}` for each known name; other braces stay as they are."""
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def placeholders(data: Path, principals: Mapping[str, str]) -> dict[str, str]:
    """Return the values of `{port}`, `{tls_port}`, `{http_port}`, `{data}`, `{principal_a}` and `{principal_b}`."""
    ports = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
    people = {f"principal_{name}": public for name, public in principals.items()}
    return {**ports, "data": str(data), **people}


def default_addresses(command: str, values: Mapping[str, str], protocol: str = "yea") -> list[str]:
    """Return the addresses that follow from the port placeholders which a command uses; of a table host it is one."""
    known = DEFAULT_ADDRESSES.get(protocol, DEFAULT_ADDRESSES["yea"])
    found = [fill(known[name], values) for name in PORTS if name in known and "{" + name + "}" in command]
    return found[:1] if protocol == "byob" else found
