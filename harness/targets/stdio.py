"""stdio: frames over a child's standard input and output, a child per connection (YEA 2.3, `stdio:CMD`).

A child says nothing until it is asked, so it is asked HELLO first: when that is answered it has started, and what a
check measures from then on is the service and not its start. Its whole process group ends with the connection.
"""

import secrets

from harness.encoding import encode
from harness.errors import TargetError, TargetFault, TargetGone
from harness.managed import Child, Spawn, execute, fill_command
from harness.targets.addresses import Address
from harness.targets.base import Clock, Connection, Target, Watcher
from harness.targets.streams import StreamConnection

AT_ONCE = 4
"""Checks at once over stdio: each has at least a child, which costs its start and its memory."""

END_GRACE = 1.0
"""Seconds that a child gets to end once its input has ended."""

MOST_LATE = 3
"""Children in a row that may be too late; then no more are started."""


class Children:
    """What starts a child for each connection.

    Args:
        address: the parsed address, its command being what to start.
        clock: unix seconds.
        timeout: seconds a final reply may take.
        start_timeout: seconds a child may take to answer its first request.
        spawn: what starts a child.

    Raises UsageError when the command cannot be split.
    """

    def __init__(
        self, address: Address, clock: Clock, timeout: float, start_timeout: float, spawn: Spawn = execute
    ) -> None:
        self._words = fill_command(address.command, {})
        self._address, self._clock = address, clock
        self._timeout, self._start_timeout, self._spawn = timeout, start_timeout, spawn
        self._running: set[Child] = set()
        self._late = 0

    async def connect(self, watcher: Watcher, name: str) -> Connection:
        """Start a child and return the connection to it once it has answered HELLO.

        Raises TargetGone when nothing can be started any more, TargetFault when this child does not answer.
        """
        if self._late >= MOST_LATE:
            raise self._gone(f"{MOST_LATE} children in a row did not answer within {self._start_timeout:g} s")
        child = Child(self._words, self._words[0], talks=True, spawn=self._spawn)
        try:
            await child.start()
        except TargetError as problem:
            raise self._gone(problem.problem) from None
        self._running.add(child)

        async def end() -> None:
            if not await child.finished(END_GRACE):
                await child.stop()
            await child.stop(kill=True)
            self._running.discard(child)

        async def exit_code() -> int | None:
            return await child.exit_code(END_GRACE)

        connection = StreamConnection(
            name,
            "stdio",
            child.reader,
            child.writer,
            watcher,
            self._clock,
            timeout=self._timeout,
            on_close=end,
            on_end=exit_code,
        )
        try:
            await self._wait_for(child, connection)
        except BaseException:  # a cancellation too
            await connection.close()
            raise
        return connection

    def peak_memory(self) -> int | None:
        """Return the most bytes that one of the running children has held, or None where that cannot be seen."""
        peaks = [child.peak_memory() for child in self._running]
        return max((peak for peak in peaks if peak is not None), default=None)

    async def _wait_for(self, child: Child, connection: StreamConnection) -> None:
        """Ask HELLO until the child answers; then the connection is as good as new."""
        name = f"naysayer-start-{secrets.token_hex(5)}"
        hello = encode({"yea": 1, "id": name, "verb": "HELLO"})
        exchange = await connection.raw(hello, re=name, timeout=self._start_timeout)
        if exchange.final is not None:
            self._late = 0
            connection.received_bytes = connection.received_lines = 0
            return
        wrote = f"; it wrote {exchange.junk[0].start[:60]!r}" if exchange.junk else ""
        if connection.closed:
            await child.finished(END_GRACE)
            raise TargetFault(f"the child {child.ended() or 'closed its standard output'}{wrote}")
        self._late += 1
        raise TargetFault(f"the child did not answer HELLO within {self._start_timeout:g} s of its start{wrote}")

    def _gone(self, why: str) -> TargetGone:
        return TargetGone(f"no connection to {self._address.text}: {why}")


def stdio_target(
    address: Address, clock: Clock, *, timeout: float, start_timeout: float, spawn: Spawn = execute
) -> Target:
    """Return the target behind a `stdio:` address; see `Children` for the arguments and what is raised."""
    children = Children(address, clock, timeout, start_timeout, spawn)
    return Target(
        "stdio",
        address.text,
        children.connect,
        clock,
        loopback=True,
        managed=True,
        peak_memory=children.peak_memory,
        not_restarted="over stdio each connection is a process with a state of its own, which ends with it",
        at_once=AT_ONCE,
    )
