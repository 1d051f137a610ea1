"""The reference's stdio service, started warm: forked from a process that has made all its imports (`harness.forking`).

Over stdio the embedded reference is started for every connection, some hundreds of times in a run, and what that costs
is the start of an interpreter. A fork is the same command in a process, a session and a state of its own. No other
command is started so.
"""

import asyncio
import contextlib
import functools
import json
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from harness.managed import Descriptor, Process, Spawn

PREFIX = [sys.executable, "-m", "harness.cli"]
"""How the commands begin that can be started warm."""

LOST = 255
GONE = "the process that starts it has ended"


class Fork:
    """A forked process, as far as `managed.Child` needs it."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = asyncio.Event()

    async def wait(self) -> int:
        """Return the exit code once it has ended; minus a signal's number if that ended it."""
        await self._ended.wait()
        return self.returncode or 0

    def end(self, code: int) -> None:
        """Take note that it has ended."""
        self.returncode = code
        self._ended.set()


class Warm:
    """The process that forks."""

    def __init__(self, *modules: str) -> None:
        """modules: what the process imports before it forks; by default what serves the reference."""
        self._modules = modules
        self._process: asyncio.subprocess.Process | None = None
        self._socket: socket.socket | None = None
        self._listening: asyncio.Task[None] | None = None
        self._asked = 0
        self._answers: dict[int, asyncio.Future[Fork]] = {}
        self._running: dict[int, Fork] = {}

    async def start(self) -> None:
        """Start it; it makes its imports while others go on."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "harness.forking", *self._modules, stdin=theirs.fileno(), start_new_session=True
            )
        self._socket = ours.dup()
        reader, writer = await asyncio.open_connection(sock=ours)
        self._listening = asyncio.create_task(self._listen(reader, writer))

    def spawn_with(self, environment: Mapping[str, str]) -> Spawn:
        """Return what starts a command as `spawn` does, in an environment of its own."""
        return functools.partial(self.spawn, environment=environment)

    async def spawn(
        self,
        words: list[str],
        stdin: Descriptor,
        stdout: Descriptor,
        stderr: Descriptor,
        environment: Mapping[str, str] | None = None,
    ) -> Process:
        """Start a command that begins with PREFIX, with three open descriptors; raises OSError when it cannot be.

        environment: all variables that it is to have; ours where none are given.
        """
        if words[: len(PREFIX)] != PREFIX or self._socket is None or self._listening is None:
            raise OSError(0, "it cannot be started warm")
        if self._listening.done():
            raise OSError(0, GONE)
        self._asked += 1
        answer: asyncio.Future[Fork] = asyncio.get_running_loop().create_future()
        self._answers[self._asked] = answer
        request = {"number": self._asked, "words": words[len(PREFIX) :]}
        if environment is not None:
            request["environment"] = _changes(environment)
        line = json.dumps(request).encode()
        socket.send_fds(self._socket, [line], [stdin, stdout, stderr])
        return await answer

    async def stop(self) -> None:
        """End it. What it forked ends with its own input."""
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
        if self._listening is not None:
            await asyncio.gather(self._listening, return_exceptions=True)
        if self._process is not None:
            await self._process.wait()

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                self._heard(json.loads(line))
        finally:
            writer.close()
            for number in list(self._answers):
                self._heard({"number": number, "error": GONE})
            for fork in self._running.values():
                fork.end(LOST)

    def _heard(self, said: dict[str, Any]) -> None:
        if "ended" in said:
            fork = self._running.pop(said["ended"], None)
            if fork is not None:
                fork.end(said["code"])
            return
        answer = self._answers.pop(said["number"])
        if "started" in said:
            fork = self._running[said["started"]] = Fork(said["started"])
            if not answer.done():  # else who asked was cancelled, and the fork finds its input at an end
                answer.set_result(fork)
        elif not answer.done():
            answer.set_exception(OSError(0, said["error"]))


def _changes(environment: Mapping[str, str]) -> dict[str, str | None]:
    """What an environment has that ours, which the process that forks has too, has not; None for what it lacks."""
    lacking: dict[str, str | None] = dict.fromkeys(name for name in os.environ if name not in environment)
    return lacking | {name: value for name, value in environment.items() if os.environ.get(name) != value}
