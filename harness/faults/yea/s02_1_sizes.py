"""YEA 2.1: oversized frames that are not refused, refused wrongly, or that break what follows."""

from harness.faults import fault
from reference.yea.errors import YeaError
from reference.yea.framing import FrameSplitter, Line, Oversize
from reference.yea.service import Reply, Service
from reference.yea.transports.streams import Connection

MIB = 1 << 20
OVERSIZE = "yea/2.1/oversize-frame-is-refused"
AGAIN = "yea/2.1/oversize-frames-are-refused-again"
BEHIND = "yea/2.1/frame-behind-an-oversize-one-is-answered"


@fault("yea/frames-up-to-512-kib", "yea/2.1/frame-under-1-mib-is-processed")
class SmallFrames(Service):
    """Refuses frames over half a MiB."""

    MAX_FRAME = MIB // 2


@fault(
    "yea/frames-up-to-16-mib",
    "yea/2.1/oversize-frame-is-refused",
    "yea/2.1/oversize-frames-are-refused-again",
    transports=("tcp",),
)
@fault("yea/bodies-up-to-16-mib", "yea/2.1/oversize-body-is-refused", transports=("http",))
class LongFrames(Service):
    """Reads frames of up to 16 MiB."""

    MAX_FRAME = 16 * MIB


@fault("yea/oversize-hangs-up", OVERSIZE, AGAIN, BEHIND, transports=("tcp",))
class OversizeHangsUp(Service):
    """Closes the connection on an oversized frame."""

    def oversize(self) -> Reply:
        """Break off."""
        raise ConnectionResetError


@fault("yea/oversize-is-limit", OVERSIZE, AGAIN, transports=("tcp",))
class OversizeIsLimit(Service):
    """Refuses an oversized frame as limit."""

    def oversize(self) -> Reply:
        """Use that code."""
        return self.reply(self.UNREADABLE, self.error_body(YeaError("limit", "too long")))


@fault("yea/oversize-is-refused-twice", OVERSIZE, transports=("tcp",))
class OversizeTwice(Service):
    """Refuses the beginning of an oversized frame, and its end once more."""

    def oversize(self) -> Reply:
        """Write both refusals."""
        first, second = super().oversize(), super().oversize()
        return Reply(first.frame, first.line + b"\n" + second.line)


@fault("yea/second-oversize-hangs-up", AGAIN, transports=("tcp",))
class SecondOversizeHangsUp(Service):
    """Closes the connection on the second oversized frame."""

    count = 0

    def oversize(self) -> Reply:
        """Count them."""
        self.count += 1
        if self.count > 1:
            raise ConnectionResetError
        return super().oversize()


class _Silent(Connection):
    """Drops oversized frames."""

    def take(self, item: Line | Oversize) -> None:
        """Answer whole lines only."""
        if isinstance(item, Line):
            super().take(item)


@fault("yea/oversize-is-dropped-silently", OVERSIZE, AGAIN, transports=("tcp",))
class OversizeSilent(Service):
    """Drops an oversized frame without a word."""

    CONNECTION = _Silent


class _TailIsFrame(FrameSplitter):
    """Forgets that it is dropping, so that the tail of a long line is a line."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Stop to drop."""
        events = super().feed(data)
        self._dropping = False
        return events


class _Tails(Connection):
    """Takes the tail of an oversized line for a frame."""

    def splitter(self) -> FrameSplitter:
        """Return the forgetful one."""
        return _TailIsFrame(self.service.MAX_FRAME)


@fault("yea/oversize-tail-is-a-frame", AGAIN, transports=("tcp",))
class OversizeTail(Service):
    """Takes the tail of an oversized frame for another frame."""

    CONNECTION = _Tails


class _LosesNext(FrameSplitter):
    """Drops what arrives in the same piece as the end of an oversized line."""

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Drop the whole piece."""
        dropping = self._dropping
        events = super().feed(data)
        return [] if dropping else events


class _Greedy(Connection):
    """Loses the frame behind an oversized one."""

    def splitter(self) -> FrameSplitter:
        """Return the greedy one."""
        return _LosesNext(self.service.MAX_FRAME)


@fault("yea/oversize-swallows-the-next-frame", BEHIND, transports=("tcp",))
class OversizeSwallows(Service):
    """Drops the frame that arrives together with the end of an oversized one."""

    CONNECTION = _Greedy


class _Holding(FrameSplitter):
    """Holds a long line to its end before it refuses it."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.line = bytearray()

    def feed(self, data: bytes) -> list[Line | Oversize]:
        """Keep all of the line."""
        self.line += data
        if b"\n" in data:
            self.line.clear()
        return super().feed(data)


class _Hoarding(Connection):
    """Keeps oversized lines."""

    def splitter(self) -> FrameSplitter:
        """Return the one that holds."""
        return _Holding(self.service.MAX_FRAME)


@fault("yea/oversize-is-held", "yea/2.1/oversize-frame-is-not-held", transports=("tcp",), live=True)
class OversizeHeld(Service):
    """Holds an oversized frame in memory while it refuses it."""

    CONNECTION = _Hoarding
