"""Bridges for the selftest's controls: one that talks nonsense, and one that cannot be made."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from harness.bridges.links import Link
from reference.byob.bridge.bridge import Bridge

ANSWER = b'{"kind": "NONSENSE"}\n'


class NonsenseLink:
    """Answers each line with JSON that is no message."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.heard: Callable[[str], None] = lambda line: None
        self._said: asyncio.Queue[bytes] = asyncio.Queue()

    async def start(self) -> None:
        """See `Link`."""

    async def read(self) -> bytes:
        """See `Link`."""
        return await self._said.get()

    async def write(self, line: bytes) -> None:
        """See `Link`."""
        self._said.put_nowait(ANSWER)

    async def ended(self) -> str:
        """See `Link`."""
        return "the bridge ended"

    async def stop(self) -> None:
        """See `Link`."""


def launch(given: Mapping[str, str]) -> Link:
    """Return a bridge that talks nonsense."""
    return NonsenseLink(given)


class UnloadableBridge(Bridge):
    """Cannot be made at all."""

    def __init__(self, *_: Any) -> None:
        raise RuntimeError("made to fail")
