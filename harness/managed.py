"""Targets that naysayer starts itself: a child in a process group of its own, found ready, and ended with its group.

The embedded reference says on its first line of standard error what it bound. Any other server is told its ports by
placeholders in the command and is polled until it answers.
"""

import asyncio
import contextlib
import json
import os
import shlex
import signal
import socket
import sys
from collections import deque
from collections.abc import Mapping
from pathlib import Path

from harness import processes
from harness.errors import TargetError, UsageError

STOP_GRACE = 3.0
KEPT_LINES = 40
LINE_CAP = 64 * 1024
PORTS = ("port", "tls_port", "http_port")
DEFAULT_ADDRESSES = {
    "port": "yea://127.0.0.1:{port}",
    "tls_port": "yeas://127.0.0.1:{tls_port}",
    "http_port": "http://127.0.0.1:{http_port}/yea",
}


class Child:
    """A running server that naysayer started.

    Args:
        arguments: the program and its arguments; no shell is involved.
        name: what messages call it.
    """

    def __init__(self, arguments: list[str], name: str) -> None:
        self.arguments, self.name = arguments, name
        self.errors: deque[str] = deque(maxlen=KEPT_LINES)
        self._process: asyncio.subprocess.Process | None = None
        self._drain: asyncio.Task[None] | None = None
        self._pipe: asyncio.ReadTransport | None = None
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
        """Start the child; raises TargetError when there is no such program."""
        loop = asyncio.get_running_loop()
        self._first = loop.create_future()
        # A pipe of our own: asyncio's would hold `wait` up until whoever inherited it has closed it too.
        ours, theirs = os.pipe()
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=theirs,
                start_new_session=True,
            )
        except OSError as problem:
            os.close(ours)
            raise TargetError(self.name, f"cannot be started: {problem.strerror or problem}") from None
        finally:
            os.close(theirs)
        stream = asyncio.StreamReader(limit=LINE_CAP)
        pipe = os.fdopen(ours, "rb", buffering=0)
        self._pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
        self._drain = asyncio.create_task(self._read_errors(stream))

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

    async def stop(self, *, kill: bool = False) -> None:
        """End the child and its whole process group: SIGTERM and a grace, or SIGKILL at once. Never raises."""
        process = self._process
        if process is None:
            return
        if not kill:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_GRACE):
                    await process.wait()
        self._signal(signal.SIGKILL)
        await process.wait()
        if self._drain is not None:
            self._drain.cancel()
            await asyncio.gather(self._drain, return_exceptions=True)
        if self._pipe is not None:
            self._pipe.close()

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


def reference_command(protocol: str, *more: str) -> list[str]:
    """Return the command that serves the embedded reference on free ports."""
    return [sys.executable, "-m", "harness.cli", "serve", protocol, "--port", "0", "--http", "--http-port", "0", *more]


async def start_reference(protocol: str, timeout: float) -> tuple[Child, list[str]]:
    """Start the embedded reference and return it with its addresses; raises TargetError when it does not come up."""
    child = Child(reference_command(protocol), f"the embedded {protocol} reference")
    await child.start()
    try:
        return child, _bound(child.name, await child.first_line(timeout))
    except BaseException:  # a cancellation too: the child is in a session of its own and would live on
        await child.stop()
        raise


def _bound(name: str, line: str) -> list[str]:
    """Return the addresses in the line that `naysayer serve` begins with."""
    try:
        said = json.loads(line)
        return [said[key] for key in ("tcp", "tls", "http") if key in said]
    except (ValueError, TypeError):
        raise TargetError(name, f"did not say what it bound but {line[:200]!r}") from None


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


def default_addresses(command: str, values: Mapping[str, str]) -> list[str]:
    """Return the addresses that follow from the port placeholders which a command uses."""
    return [fill(DEFAULT_ADDRESSES[name], values) for name in PORTS if "{" + name + "}" in command]
