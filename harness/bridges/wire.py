"""The lines of a bridge as the streams of the MCP SDK: bounded in size, number and depth before the SDK sees any.

The SDK's session does what MCP is (handshake, ids, elicitations). What it is given is this module's business: a line
that is no message goes to the monitors and no further, and what would cost too much ends the conversation.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from harness.bridges.links import Link
from harness.bridges.things import STDERR, STDOUT, Out
from harness.encoding import EXCERPT, START, read_line
from harness.targets.base import Junk
from reference.yea import jsontext
from reference.yea.client.consent import deeper_than

MOST_LINE = 4 << 20
MOST_BYTES = 64 << 20
MOST_LINES = 20_000
DEEPEST = 200
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


class Listener(Protocol):
    """Is told of all that passes between us and a bridge."""

    def sent(self, connection: str, data: bytes) -> None:
        """A line goes to the bridge."""

    def received(self, connection: str, frame: Any) -> None:
        """An `Out` came."""


class Wire:
    """What a bridge and we say to each other.

    Args:
        link: the bridge.
        name: what the transcript calls it.
        listener: is told of all that passes.
        mask: removes secrets from what is shown.
        traces: see `Out`.

    `fault` says why no more is read, and is empty while that is not our doing. `stray` is what was wrong with the last
    line that was no message. `over` is set when no more comes.
    """

    def __init__(
        self, link: Link, name: str, listener: Listener, mask: Callable[[str], str], traces: tuple[str, ...]
    ) -> None:
        self.name, self.fault, self.stray = name, "", ""
        self.over = asyncio.Event()
        self._link, self._listener, self._mask, self._traces = link, listener, mask, traces
        self._bytes = self._lines = 0
        link.heard = lambda line: self.out(STDERR, line)

    def out(self, where: str, text: str, problem: str = "") -> None:
        """Show something that left the bridge to the transcript and the monitors."""
        start = self._mask(text[:START]).encode("utf-8", "backslashreplace")
        self._listener.received(self.name, Out(where, text, start, self._traces, problem))

    @contextlib.asynccontextmanager
    async def streams(self) -> AsyncIterator[Streams]:
        """Yield the streams for a session of the SDK."""
        come, coming = anyio.create_memory_object_stream[SessionMessage | Exception](1)
        going, gone = anyio.create_memory_object_stream[SessionMessage](100)
        tasks = [asyncio.create_task(self._read(come)), asyncio.create_task(self._write(gone))]
        try:
            yield coming, going
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for stream in (come, coming, going, gone):
                stream.close()

    async def _write(self, gone: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async for item in gone:
            value = item.message.model_dump(by_alias=True, mode="json", exclude_unset=True)
            _forms_only(value)
            line = jsontext.dumps(value).encode()
            self._listener.sent(self.name, self._mask(line.decode()).encode())
            await self._link.write(line + b"\n")

    async def _read(self, come: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """Read the bridge's lines until they end or are too much."""
        try:
            rest = b""
            while not self.fault and (data := await self._link.read()):
                self._bytes += len(data)
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    await self._line(line, come)
                if len(rest) > MOST_LINE:
                    self._end(f"a line of more than {MOST_LINE >> 20} MiB", rest)
                if self._bytes > MOST_BYTES:
                    self._end(f"more than {MOST_BYTES >> 20} MiB", rest)
            if rest.strip() and not self.fault:
                await self._line(rest, come)
        finally:
            self.over.set()
            come.close()

    async def _line(self, line: bytes, come: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        if self.fault or not line.strip():
            return
        self._lines += 1
        if self._lines > MOST_LINES:
            self._end(f"more than {MOST_LINES:,} lines", line)
            return
        if len(line) > MOST_LINE:
            self._end(f"a line of more than {MOST_LINE >> 20} MiB", line)
            return
        item = read_line(line, 0.0)
        if not isinstance(item, Junk) and deeper_than(item.value, DEEPEST):
            self._end(f"JSON that is nested more than {DEEPEST} levels deep", line)
            return
        message = None if isinstance(item, Junk) else _message(item.value)
        text = line.decode("utf-8", "backslashreplace")
        if message is None:
            self.stray = item.problem if isinstance(item, Junk) else "JSON, but no JSON-RPC message"
            self.out(STDOUT, text, self.stray)
            return
        self.out(STDOUT, text)
        await come.send(SessionMessage(message))

    def _end(self, what: str, line: bytes) -> None:
        self.fault = f"the bridge printed {what}"
        self.out(STDOUT, line[:EXCERPT].decode("utf-8", "backslashreplace"), what)


def _message(value: Any) -> Any:
    """A JSON-RPC message of the SDK's, or None."""
    if value.get("jsonrpc") != "2.0":
        return None
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        return None


def _forms_only(value: dict[str, Any]) -> None:
    """Take the mode `url` out of what we declare: nobody here opens a browser to confirm something."""
    params = value.get("params")
    declared = params.get("capabilities") if isinstance(params, dict) else None
    meta = params.get("_meta") if isinstance(params, dict) else None
    for each in (declared, meta.get(CAPABILITIES) if isinstance(meta, dict) else None):
        elicitation = each.get("elicitation") if isinstance(each, dict) else None
        if isinstance(elicitation, dict):
            elicitation.pop("url", None)
