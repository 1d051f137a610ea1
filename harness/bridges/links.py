"""The two ends of a bridge's standard input and output: of a child, or of a server of the SDK in this process."""

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from harness.managed import KEPT_LINES, Child, Spawn

CHUNK = 64 * 1024
END_GRACE = 2.0
LAST_WORDS = 0.5
"""Seconds in which a bridge that has closed its output has to end, to be said to have ended."""


class Link(Protocol):
    """A bridge that runs."""

    heard: Callable[[str], None]
    """Told of each line of standard error."""

    async def start(self) -> None:
        """Start it; raises TargetError when there is no such program."""

    async def read(self) -> bytes:
        """Return the next bytes of its standard output; none at the end."""

    async def write(self, line: bytes) -> None:
        """Write a line to its standard input, with its newline; what cannot be written is dropped."""

    async def ended(self) -> str:
        """Return how it ended, in words, once its output has ended."""

    async def stop(self) -> None:
        """End it, with all that it started; never raises."""


Launch = Callable[[Mapping[str, str]], Link]
"""From the environment's BYOB_ variables to a bridge that is not started yet."""

SpawnWith = Callable[[Mapping[str, str]], Spawn]
"""From a whole environment to what starts a program in it."""


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """Return our environment with these BYOB_ variables, and without others of that kind."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("BYOB_")}, **given}


def execute_with(whole: Mapping[str, str]) -> Spawn:
    """Return what starts a program in an environment, in a session of its own."""

    async def execute(words: list[str], stdin: int, stdout: int, stderr: int) -> Any:
        return await asyncio.create_subprocess_exec(
            *words, stdin=stdin, stdout=stdout, stderr=stderr, env=dict(whole), start_new_session=True
        )

    return execute


class _Told(deque[str]):
    """The last lines of standard error, each of which is told as it comes."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__(maxlen=KEPT_LINES)
        self._tell = tell

    def append(self, line: str, /) -> None:
        """Keep a line, and tell of it."""
        super().append(line)
        self._tell(line)


class ChildLink:
    """A bridge as a child.

    Args:
        words: the program and its arguments.
        given: the BYOB_ variables of its environment.
        spawn_with: what starts it.
    """

    def __init__(self, words: list[str], given: Mapping[str, str], spawn_with: SpawnWith = execute_with) -> None:
        self.heard: Callable[[str], None] = lambda line: None
        self._child = Child(words, "the bridge", talks=True, spawn=spawn_with(environment(given)))
        self._child.errors = _Told(lambda line: self.heard(line))

    async def start(self) -> None:
        """See `Link`."""
        await self._child.start()

    async def read(self) -> bytes:
        """See `Link`."""
        return await self._child.reader.read(CHUNK)

    async def write(self, line: bytes) -> None:
        """See `Link`. It is not waited for: a bridge that reads nothing gets to hold no more than a few messages."""
        with contextlib.suppress(OSError, RuntimeError):
            self._child.writer.write(line)

    async def ended(self) -> str:
        """See `Link`."""
        await self._child.finished(LAST_WORDS)
        how = self._child.ended()
        return f"the bridge {how}" if how else "the bridge closed its standard output"

    async def stop(self) -> None:
        """See `Link`."""
        await self._child.stop(kill=True)


class MemoryLink:
    """A server of the SDK in this process.

    Args:
        make: makes the server and what has to be awaited to run it on two streams.
    """

    def __init__(self, make: Callable[[], Callable[[Any, Any], Awaitable[None]]]) -> None:
        self.heard: Callable[[str], None] = lambda line: None
        self._make = make
        self._streams = contextlib.AsyncExitStack()
        self._running: asyncio.Task[None] | None = None
        self._why = ""

    async def start(self) -> None:
        """See `Link`."""
        try:
            run = self._make()
        except Exception as problem:  # what it may raise is its own business: as a child it would end
            self._why = f"the bridge cannot be made: {type(problem).__name__}: {problem}"
            return
        ours, theirs = await self._streams.enter_async_context(create_client_server_memory_streams())
        self._said, self._given = ours
        self._running = asyncio.ensure_future(run(*theirs))

    async def read(self) -> bytes:
        """See `Link`."""
        if self._why:
            return b""
        async for item in self._said:
            if isinstance(item, SessionMessage):
                return item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        return b""

    async def write(self, line: bytes) -> None:
        """See `Link`."""
        if not self._why:
            await self._given.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))

    async def ended(self) -> str:
        """See `Link`."""
        return self._why or "the bridge ended"

    async def stop(self) -> None:
        """See `Link`."""
        if self._running is not None:
            await self._given.aclose()
            await asyncio.wait([self._running], timeout=END_GRACE)
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        await self._streams.aclose()
