"""stdio: frames on standard input and output (YEA 2.3).

Only frames go to the output: whatever else the process prints there goes to standard error instead. Either
end may be a pipe, a socket or a terminal, or a plain file, which asyncio does not serve by itself.
"""

import asyncio
import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator

from reference.yea.service import Service
from reference.yea.transports.streams import serve_stream


async def serve_stdio(service: Service, clock: Callable[[], float], *, stdin: int = 0, stdout: int = 1) -> None:
    """Serves one connection on two file descriptors until the input ends and all is answered.

    The descriptors themselves stay open. clock: the time, in unix seconds. Cancelling it interrupts what is running.
    """
    with contextlib.ExitStack() as stack:
        reader = await open_reader(stdin, stack)
        writer = await open_writer(stdout, stack)
        await serve_stream(reader, writer, service, clock)


@contextlib.contextmanager
def frames_only() -> Iterator[int]:
    """A descriptor of standard output for frames alone; all that others write there goes to standard error."""
    sys.stdout.flush()
    frames = os.dup(1)
    os.dup2(2, 1)
    try:
        yield frames
    finally:
        sys.stdout.flush()
        os.dup2(frames, 1)
        os.close(frames)


def can_wait(descriptor: int) -> bool:
    """Whether the event loop can wait for a descriptor; a plain file is always ready."""
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


async def open_reader(descriptor: int, stack: contextlib.ExitStack) -> asyncio.StreamReader:
    """A reader of a copy of this descriptor, closed with the stack."""
    source = stack.enter_context(os.fdopen(os.dup(descriptor), "rb", buffering=0))
    if not can_wait(descriptor):
        return FileReader(source.fileno())
    reader = asyncio.StreamReader()
    stack.callback(os.set_blocking, descriptor, os.get_blocking(descriptor))
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), source
    )
    stack.callback(transport.close)
    return reader


async def open_writer(descriptor: int, stack: contextlib.ExitStack) -> asyncio.StreamWriter:
    """A writer to a copy of this descriptor, closed with the stack."""
    loop = asyncio.get_running_loop()
    sink = stack.enter_context(os.fdopen(os.dup(descriptor), "wb", buffering=0))
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    transport: asyncio.WriteTransport
    if can_wait(descriptor):
        stack.callback(os.set_blocking, descriptor, os.get_blocking(descriptor))
        transport, _ = await loop.connect_write_pipe(lambda: protocol, sink)
    else:
        transport = FileTransport(sink.fileno(), protocol)
    return asyncio.StreamWriter(transport, protocol, reader, loop)


class FileReader(asyncio.StreamReader):
    """Reads a plain file, a piece at a time."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor

    async def read(self, n: int = -1) -> bytes:
        """The next piece, at most so many bytes; empty at the end."""
        await asyncio.sleep(0)
        return os.read(self._descriptor, n)


class FileTransport(asyncio.WriteTransport):
    """Writes to a plain file, at once."""

    def __init__(self, descriptor: int, protocol: asyncio.BaseProtocol) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._protocol = protocol
        self._open = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]

    def is_closing(self) -> bool:
        return not self._open

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        if self._open:
            self._open = False
            asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def abort(self) -> None:
        self.close()
