"""YEA 2.3: streams that find or write frames by something else than their newlines."""

from harness.faults import fault
from reference.yea.framing import FrameSplitter, Line, Oversize
from reference.yea.service import Frame, Reply, Service
from reference.yea.transports.streams import Connection

NEWLINE = "yea/2.3/last-frame-ends-in-a-newline"
BYTES = "yea/2.3/one-byte-at-a-time"
FIVE = "yea/2.3/five-frames-at-once"
SPLIT = "yea/2.3/any-split-gives-the-same-replies"
HALF = "yea/2.3/frame-and-a-half"
JUNK = "yea/2.3/junk-swallows-no-frame-behind-it"
ONE_LINE = "yea/2.3/every-frame-is-one-line"
WHOLE = "yea/2.1/every-line-is-one-json-object"
BLANK = "yea/2.3/no-blank-lines"
BARE = "yea/2.3/tcp-is-the-bare-stream"
TLS = "yea/2.3/tls-is-the-same-stream"
IN_THE_CLEAR = "yea/2.3/tls-port-answers-no-plain-frames"
STDIO = "yea/2.3/stdio-speaks-frames"
TLS_FLOW = "yea/2.3/flow-is-the-same-inside-tls"
STDIO_FLOW = "yea/2.3/flow-is-the-same-over-stdio"
STDOUT = "yea/2.3/standard-output-holds-frames-only"
TCP = ("tcp",)


class _Lagging(Connection):
    """Writes the newline of an ERROR only before the next frame."""

    owed = b""

    def send(self, reply: Reply) -> None:
        """Write what is owed first."""
        late = reply.frame.get("kind") == "ERROR"
        self.writer.write(self.owed + reply.line + (b"" if late else b"\n"))
        self.owed = b"\n" if late else b""


@fault("yea/newline-comes-with-the-next-frame", NEWLINE, transports=TCP)
class LaggingNewline(Service):
    """Writes the newline of an ERROR only before the next frame."""

    CONNECTION = _Lagging


class _Buffering(Connection):
    """Sends short replies together with the next one."""

    kept = b""

    def send(self, reply: Reply) -> None:
        """Keep a short reply back."""
        self.kept += reply.line + b"\n"
        if len(self.kept) > 500:
            self.writer.write(self.kept)
            self.kept = b""


@fault("yea/short-replies-are-kept-back", NEWLINE, transports=TCP)
class Buffering(Service):
    """Keeps short replies back until more output has come together."""

    CONNECTION = _Buffering


class _ReadIsFrame(FrameSplitter):
    """Takes each piece that is read for a frame."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Return the piece."""
        return [Line(data.strip(b"\n"))]


class _FirstOfRead(FrameSplitter):
    """Takes the first frame of each piece and loses the others."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Return the first."""
        return super().feed(data)[:1]


class _JunkEndsRead(FrameSplitter):
    """Gives a piece up at the first line that is no object."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Return what comes before it, and it."""
        found = super().feed(data)
        ends = (at for at, item in enumerate(found) if isinstance(item, Line) and not item.data.startswith(b"{"))
        return found[: next(ends, len(found)) + 1]


class _WholeReads(FrameSplitter):
    """Waits until a piece ends in a newline before it looks for frames."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.read = b""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Look at the end of the piece."""
        self.read += data
        if not self.read.endswith(b"\n"):
            return []
        whole, self.read = self.read, b""
        return super().feed(whole)


class _DecodesPieces(FrameSplitter):
    """Decodes each piece as UTF-8 by itself, so that a split character is lost."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Replace what is no whole character."""
        return super().feed(data.decode("utf-8", "replace").encode())


class _Braces(FrameSplitter):
    """Takes the end of a piece for the end of a frame when it is a closing brace."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """End the frame there."""
        return [event for event in super().feed(data + b"\n" if data.endswith(b"}") else data) if event != Line(b"")]


def _split_by(splitter: type[FrameSplitter]) -> type[Connection]:
    class Split(Connection):
        """Finds frames in its own way."""

        def splitter(self) -> FrameSplitter:
            """Return that way."""
            return splitter(self.service.MAX_FRAME)

    return Split


@fault("yea/each-read-is-a-frame", BYTES, FIVE, SPLIT, HALF, transports=TCP)
class ReadIsFrame(Service):
    """Takes each piece of bytes that it reads for a frame."""

    CONNECTION = _split_by(_ReadIsFrame)


@fault("yea/first-frame-of-a-read-only", FIVE, SPLIT, transports=TCP)
class FirstOfRead(Service):
    """Answers the first frame of each piece that it reads and loses the others."""

    CONNECTION = _split_by(_FirstOfRead)


@fault("yea/junk-swallows-what-came-with-it", JUNK, transports=TCP)
class JunkSwallows(Service):
    """Drops what it has read behind a line that it cannot read."""

    CONNECTION = _split_by(_JunkEndsRead)


@fault("yea/reads-must-end-in-a-newline", HALF, transports=TCP)
class WholeReads(Service):
    """Answers nothing while what it has read does not end in a newline."""

    CONNECTION = _split_by(_WholeReads)


@fault("yea/pieces-are-decoded-alone", BYTES, transports=TCP)
class DecodesPieces(Service):
    """Decodes each piece that it reads by itself, and loses characters that are split."""

    CONNECTION = _split_by(_DecodesPieces)


@fault("yea/brace-ends-a-frame", BYTES, transports=TCP)
class Braces(Service):
    """Takes a piece that ends in a closing brace for the end of a frame."""

    CONNECTION = _split_by(_Braces)

    def decode(self, raw: bytes) -> object:  # type: ignore[override]
        """Answer as usual."""
        return super().decode(raw)


@fault("yea/pretty-printed-replies", ONE_LINE, WHOLE, transports=TCP, traffic="yea/2.2")
class Pretty(Service):
    """Puts a line break into its ERROR frames."""

    def encode(self, frame: Frame) -> bytes:
        """Break after the first member."""
        line = super().encode(frame)
        return line.replace(b',"id"', b',\n"id"', 1) if frame.get("kind") == "ERROR" else line


@fault("yea/raw-line-breaks-in-strings", ONE_LINE, transports=TCP, traffic="yea/2.1/re-repeats-the-id-unchanged")
class RawBreaks(Service):
    """Writes line breaks in strings as they are."""

    def encode(self, frame: Frame) -> bytes:
        """Unescape them."""
        return super().encode(frame).replace(b"\\n", b"\n")


@fault("yea/blank-line-after-each-frame", BLANK, transports=TCP, outcome="warned", traffic="yea/2.1")
class BlankLines(Service):
    """Writes an empty line after each frame."""

    def encode(self, frame: Frame) -> bytes:
        """Add a newline of its own."""
        return super().encode(frame) + b"\n"


class _Banner(Connection):
    """Greets first."""

    async def run(self) -> None:
        """Write a line before anything else."""
        self.writer.write(b"conformance.naysayer.example ready\n")
        await super().run()


@fault("yea/banner-on-standard-output", STDIO, STDOUT, transports=("stdio",), traffic=STDIO)
@fault("yea/banner-inside-tls", TLS, transports=("tls",))
@fault("yea/banner-before-the-first-frame", BARE, transports=TCP)
class Banner(Service):
    """Writes a greeting before it was asked anything."""

    CONNECTION = _Banner


class _HelloFirst(Connection):
    """Sends its BRIEF unasked."""

    async def run(self) -> None:
        """Write it first."""
        self.send(self.service.discover(self.clock()))
        await super().run()


@fault("yea/brief-before-the-first-frame", BARE, transports=TCP)
class BriefFirst(Service):
    """Sends its BRIEF to whoever connects."""

    CONNECTION = _HelloFirst


@fault("yea/other-id-inside-tls", TLS, transports=("tls",))
@fault("yea/other-id-on-streams", BARE, transports=TCP)
class OtherId(Service):
    """Gives another service id on each connection."""

    count = 0

    def encode(self, frame: Frame) -> bytes:
        """Change it."""
        if frame.get("kind") == "BRIEF":
            self.count += 1
            service = {**frame["service"], "id": f"conformance-{self.count}"}  # type: ignore[dict-item]
            frame = {**frame, "service": service}
        return super().encode(frame)


class _Logging(Connection):
    """Writes a log line before each reply."""

    def send(self, reply: Reply) -> None:
        """Write it."""
        self.writer.write(b"replying\n" if reply.frame.get("kind") == "ERROR" else b"")
        super().send(reply)


@fault("yea/log-on-standard-output", STDIO, STDOUT, transports=("stdio",), traffic=STDIO)
class Logging(Service):
    """Logs its errors to standard output."""

    CONNECTION = _Logging


class _NoReplay(Connection):
    """Leaves `replay` out."""

    def send(self, reply: Reply) -> None:
        """Cut it out of the line."""
        self.writer.write(reply.line.replace(b',"replay":true', b"") + b"\n")


@fault("yea/stdio-drops-replay", STDIO_FLOW, transports=("stdio",), live=True)
@fault("yea/tls-drops-replay", TLS_FLOW, transports=("tls",), live=True)
class NoReplay(Service):
    """Leaves `replay` out on one kind of stream."""

    CONNECTION = _NoReplay


@fault("yea/tls-port-speaks-in-the-clear", IN_THE_CLEAR, transports=("tls",), live=True, in_the_clear=True)
class InTheClear(Service):
    """Answers on its TLS port to a client that speaks in the clear."""
