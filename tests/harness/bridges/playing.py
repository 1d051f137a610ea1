"""Bridges that a test plays: on virtual time, in memory, as evil as it likes."""

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.bridges.links import Link

Message = dict[str, Any]
Answer = Iterable[bytes] | None
"""What a bridge prints: pieces of bytes; None for its end."""

TOOL = {"name": "byob_say", "inputSchema": {"type": "object", "properties": {"body": {"type": "string"}}}}
INITIALIZED = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "played", "version": "1"},
}


def line(message: Message) -> bytes:
    """A message as a line."""
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def right(message: Message, tools: Any = (TOOL,)) -> list[bytes]:
    """What a bridge with one tool says, which returns its arguments."""
    results = {
        "initialize": INITIALIZED,
        "tools/list": {"tools": [*tools]},
        "tools/call": {"content": [{"type": "text", "text": json.dumps(message.get("params"))}]},
    }
    method = message.get("method")
    return [line({"id": message["id"], "result": results[method]})] if "id" in message and method in results else []


class PlayedLink:
    """Prints what `answer` returns for each message that comes."""

    def __init__(self, answer: Callable[[Message], Answer], errors: Iterable[str] = ()) -> None:
        self.heard: Callable[[str], None] = lambda text: None
        self.stopped = False
        self.got = list[Message]()
        self._answer, self._errors = answer, errors
        self._said: asyncio.Queue[bytes] = asyncio.Queue()

    async def start(self) -> None:
        for text in self._errors:
            self.heard(text)

    async def read(self) -> bytes:
        return await self._said.get()

    async def write(self, line: bytes) -> None:
        self.got.append(json.loads(line))
        answer = self._answer(self.got[-1])
        for piece in [b""] if answer is None else answer:
            self._said.put_nowait(piece)

    async def ended(self) -> str:
        return "the bridge ended with exit code 7"

    async def stop(self) -> None:
        self.stopped = True


def launching(answer: Callable[[Message], Answer]) -> Callable[[Mapping[str, str]], Link]:
    """What starts such a bridge."""
    return lambda given: PlayedLink(answer)
