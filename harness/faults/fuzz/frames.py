"""Services that lose or double frames by where their bytes are cut, by their size, or by what comes beside them."""

import os
import re
import resource
from typing import Any

from harness.faults.fuzz import borrow, listed, unlisted
from harness.targets.local import Dying
from reference.yea.framing import FrameSplitter, Line, Oversize
from reference.yea.service import Frame, Service
from reference.yea.transports.streams import Connection
from reference.yea.types import Json

ANSWERED, SPLIT = "frames/answered", "frames/split"
BUFFER = 4096

borrow(ANSWERED, "yea/pieces-are-decoded-alone", "yea/first-frame-of-a-read-only", "yea/reads-must-end-in-a-newline")
borrow(SPLIT, "yea/pieces-are-decoded-alone", "yea/each-read-is-a-frame", "yea/brace-ends-a-frame")

Items = list[Line | Oversize]


def _found_by(finder: type[FrameSplitter]) -> type[Connection]:
    """Return a connection that finds frames in another way."""

    class Found(Connection):
        """Finds frames in its own way."""

        def splitter(self) -> FrameSplitter:
            """Return that way."""
            return finder(self.service.MAX_FRAME)

    return Found


class _LosesAtReturn(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        made = super().feed(data)
        if data.endswith(b"\r"):
            self._held.clear()
        return made


@unlisted(SPLIT, "return-ends-a-piece")
class LosesAtReturn(Service):
    """Loses what it holds of a line when a piece ends in a carriage return."""

    CONNECTION = _found_by(_LosesAtReturn)


class _Twice(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        made = super().feed(data)
        return [*made, made[-1]] if len(made) == 2 and not self.pending else made


@listed(ANSWERED, "two-in-a-piece-twice")
class TwoInAPieceTwice(Service):
    """Answers the second of exactly two frames of a piece twice."""

    CONNECTION = _found_by(_Twice)


@listed(ANSWERED, "dies-on-broken-text")
class DiesOnBrokenText(Service):
    """Ends, the whole service, on bytes that are not UTF-8."""

    def decode(self, raw: bytes) -> Json:
        """Die of it."""
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Dying from None
        return super().decode(raw)


@listed(ANSWERED, "crashes-on-broken-text", child=True)
class CrashesOnBrokenText(Service):
    """Aborts its process, as a failed assertion does, on bytes that are not UTF-8."""

    def decode(self, raw: bytes) -> Json:
        """Crash of it, and leave no picture of the memory."""
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.abort()
        return super().decode(raw)


class _LosesTheNext(FrameSplitter):
    lost = False

    def feed(self, data: bytes) -> Items:
        made: Items = []
        for item in super().feed(data):
            if not self.lost:
                made.append(item)
            self.lost = isinstance(item, Oversize)
        return made


@listed(ANSWERED, "loses-what-follows-an-oversize-line")
class LosesTheNext(Service):
    """Loses the request that follows a line over 1 MiB."""

    CONNECTION = _found_by(_LosesTheNext)


class _Stuck(Connection):
    stuck = False

    def take(self, item: Line | Oversize) -> None:
        """Take nothing any more after an empty line."""
        self.stuck = self.stuck or item == Line(b"")
        if not self.stuck:
            super().take(item)


@unlisted(ANSWERED, "hangs-after-an-empty-line")
class HangsAfterEmptyLine(Service):
    """Answers nothing on a connection any more after an empty line."""

    CONNECTION = _Stuck


class _ExactlyFull(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        return [item for item in super().feed(data) if not (isinstance(item, Line) and len(item.data) == self.limit)]


@unlisted(ANSWERED, "loses-exactly-1-mib")
class LosesExactlyFull(Service):
    """Neither answers nor refuses a frame of exactly 1 MiB."""

    CONNECTION = _found_by(_ExactlyFull)


class _FullBuffer(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        return [item for item in super().feed(data) if not (isinstance(item, Line) and len(item.data) + 1 == BUFFER)]


@unlisted(ANSWERED, "loses-a-full-buffer")
class LosesFullBuffer(Service):
    """Loses a line that fills its buffer of 4,096 bytes to the last one."""

    CONNECTION = _found_by(_FullBuffer)


class _Unicode(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        made: Items = []
        for item in super().feed(data):
            made += [item] if isinstance(item, Oversize) else map(Line, re.split(b"\xe2\x80\xa8|\xc2\x85", item.data))
        return made


@listed(ANSWERED, "unicode-ends-lines")
class UnicodeEndsLines(Service):
    """Takes U+2028 and U+0085 for the end of a line."""

    CONNECTION = _found_by(_Unicode)


class _OpenBraces(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        return [item for item in super().feed(data) if not (isinstance(item, Line) and _unbalanced(item.data))]


def _unbalanced(line: bytes) -> bool:
    """Whether a right frame seems unfinished to one who counts braces, those in strings too."""
    return line.startswith(b"{") and line.endswith(b"}") and line.count(b"{") > line.count(b"}")


@unlisted(ANSWERED, "counts-braces-in-strings")
class CountsBraces(Service):
    """Waits for more when a line has fewer closing braces than opening ones, those in strings counted."""

    CONNECTION = _found_by(_OpenBraces)


class _AgainAtEnd(Connection):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._mine = super().splitter()
        self._last: Line | None = None

    def splitter(self) -> FrameSplitter:
        """Keep it, to see in the end what it holds."""
        return self._mine

    def take(self, item: Line | Oversize) -> None:
        """Remember the last line."""
        self._last = item if isinstance(item, Line) else self._last
        super().take(item)

    async def _serve(self) -> None:
        await super()._serve()
        if self._mine.pending and self._last is not None:
            super().take(self._last)


@unlisted(ANSWERED, "answers-again-at-the-end")
class AnswersAgainAtEnd(Service):
    """Answers the last request again when the input ends within a line."""

    CONNECTION = _AgainAtEnd


class _DiesAtEnd(_AgainAtEnd):
    async def _serve(self) -> None:
        await Connection._serve(self)
        if self._mine.pending:
            raise Dying


@listed(ANSWERED, "dies-when-the-input-ends-in-a-line")
class DiesAtEnd(Service):
    """Ends, the whole service, when the input of a connection ends within a line."""

    CONNECTION = _DiesAtEnd


class _LoneNewline(FrameSplitter):
    def feed(self, data: bytes) -> Items:
        return [] if data == b"\n" else super().feed(data)


@listed(SPLIT, "lone-newlines-are-lost")
class LoneNewlines(Service):
    """Loses a newline that comes in a piece of its own."""

    CONNECTION = _found_by(_LoneNewline)


@listed(ANSWERED, "id-of-the-request-before")
class IdOfTheOneBefore(Service):
    """Answers under the id of the request before where an id begins with a blank."""

    before = "?"

    def envelope(self, re: str, body: dict[str, Any]) -> Frame:
        """Answer under the wrong id."""
        name = self.before if re.startswith(" ") else re
        self.before = re
        return super().envelope(name, body)
