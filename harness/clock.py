"""A virtual clock: an event loop whose time jumps to the next timer instead of waiting for it.

Target and harness share it when the target is in this process, so that an hour of expiry passes in a moment and no
test ever sleeps. Nothing real may be waited for on such a loop: no sockets, no threads, no children.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
EPOCH = 1_790_000_000.0  # any start will do; this one is the spec's own example time


class Deadlock(RuntimeError):
    """Every task waits for something that can never happen."""


class _JumpingSelector(selectors.SelectSelector):
    """Never blocks: instead of waiting it moves the loop's clock on by the time it was asked to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise Deadlock("every task waits and no timer is set")
        self.now += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop on virtual time, which starts at 0 and only moves while everything waits."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._jumping.now

    def unix(self) -> float:
        """Return the virtual time as unix seconds."""
        return EPOCH + self.time()


def run_virtual(main: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end on a fresh virtual loop and return its result."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)


def virtual_now() -> float:
    """Return unix seconds of the running virtual loop."""
    loop = asyncio.get_running_loop()
    if not isinstance(loop, VirtualLoop):
        raise TypeError("virtual time needs a VirtualLoop")
    return loop.unix()
