"""Which transports of a target still answer: one of them may die while the others live.

After an answer that never came a transport is asked whether it is there at all. When it is not, so are the others, at
once, since a process that died took all of them with it. What is gone is not waited for, and its checks are untested.
"""

import asyncio
import contextlib

from harness.errors import TargetFault, TargetGone
from harness.targets.base import Target
from harness.targets.http import HttpConnection
from harness.transcript import Transcript

MOST_MUTE = 3
"""HELLOs in a row that may go unanswered after a failed check; then a transport is taken for gone, not waited for."""


class Presence:
    """What is known of the transports of a run.

    Args:
        targets: the transports by name.
    """

    def __init__(self, targets: dict[str, Target]) -> None:
        self.gone: dict[str, str] = {}
        self._targets = targets
        self._mute = dict.fromkeys(targets, 0)
        self._died = {name: asyncio.Event() for name in targets}

    def __str__(self) -> str:
        """What is gone and why, in words; empty when nothing is."""
        return "; ".join(dict.fromkeys(self.gone.values()))

    def others(self, transport: str) -> dict[str, Target]:
        """Return the other transports that are still there."""
        return {name: at for name, at in self._targets.items() if name != transport and name not in self.gone}

    async def wait(self, transport: str, seconds: float) -> None:
        """Wait for the clock, but no longer for a transport that is gone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._died[transport].wait()

    async def look(self, transport: str) -> None:
        """See whether a transport is still there, after an answer that never came; if it is gone, see to the others."""
        if transport in self.gone:
            return
        await self._probe(transport, mute=1)
        if transport in self.gone:
            await asyncio.gather(*(self._probe(name, mute=0) for name in self.others(transport)))

    async def _probe(self, transport: str, mute: int) -> None:
        """Ask a transport; `mute` is what it counts for when it is there, and answers badly or not at all."""
        try:
            await _ask(self._targets[transport], transport)
        except TargetGone as problem:
            self._leave(transport, problem.why)
        except TargetFault:
            self._mute[transport] += mute
            if self._mute[transport] >= MOST_MUTE:
                self._leave(transport, f"{MOST_MUTE} times in a row it did not even answer HELLO over {transport}")
        else:
            self._mute[transport] = 0

    def _leave(self, transport: str, why: str) -> None:
        self.gone.setdefault(transport, why)
        self._died[transport].set()


async def _ask(target: Target, transport: str) -> None:
    """Say HELLO over a connection of its own; raises TargetFault when that is not answered."""
    silent = Transcript(lambda: 0.0, lambda *_: None, str, transport, "probe")
    if target.alive is not None:
        await target.alive(silent)
        return
    connection = await target.connect(silent, "probe")
    try:
        if isinstance(connection, HttpConnection):
            await connection.get()
        elif not target.in_process:
            await connection.request({"yea": 1, "id": "naysayer-probe", "verb": "HELLO"})
    finally:
        await connection.close()
