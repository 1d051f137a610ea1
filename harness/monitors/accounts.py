"""What a connection was asked and what it has answered: replies beside the requests they claim to answer.

A frame alone cannot show that a reply is one too many. An account keeps, per connection, how often each request id
was sent and how its answers ended, so that monitors can judge replies without knowing the checks that asked.
"""

from collections import Counter
from dataclasses import dataclass, field

from harness import limits
from harness.encoding import shown
from harness.targets.base import Frame
from harness.targets.streams import Lines
from reference.yea import jsontext

KIND_KEPT = 40  # characters of a kind; what a target makes up may be long
DEPTH_READ = 500  # a target may give up on the structure of a deeper frame, and then cannot know its id


@dataclass(frozen=True)
class Answer:
    """A reply frame, and how its connection stood just before it came.

    Args:
        frame: the reply.
        asked: how many requests had been sent with the id that its `re` names.
        ended: the kinds of the final replies to that id that came before it.
        unnamed: how many requests had been sent whose id a target may fail to read.
        strays: how many final replies before it named no request of the connection.
    """

    frame: Frame
    asked: int
    ended: tuple[str, ...]
    unnamed: int
    strays: int

    @property
    def re(self) -> str:
        """The reply's `re` as a message shows it."""
        return shown(self.frame.value.get("re"), 60)


@dataclass
class Account:
    """The account of one connection. On the HTTP bridge each request is a connection of its own."""

    sent: Counter[str] = field(default_factory=Counter)
    ended: dict[str, list[str]] = field(default_factory=dict)
    unnamed: int = 0
    strays: int = 0
    lines: Lines = field(default_factory=Lines)

    def stream(self, data: bytes) -> None:
        """Bytes were sent on a stream."""
        for line, size in self.lines.feed(data):
            self.request(line, size)

    def request(self, line: bytes, size: int) -> None:
        """One line or body was sent, whole: what was kept of it, and its full size."""
        name = _readable_id(line) if size <= len(line) else None
        if name is not None:
            self.sent[name] += 1
        if name is None or size > limits.FRAME_LIMIT or _hard_to_read(line):
            self.unnamed += 1

    def answer(self, frame: Frame) -> Answer:
        """A reply arrived: put it beside what was asked, and note it down."""
        re = frame.value.get("re")
        known = isinstance(re, str) and re in self.sent
        before = self.ended.setdefault(re, []) if isinstance(re, str) and known else []
        begun = int(self.lines.pending > limits.FRAME_LIMIT)  # it may be refused before its newline
        found = Answer(
            frame,
            self.sent[re] if isinstance(re, str) and known else 0,
            tuple(before),
            self.unnamed + begun,
            self.strays,
        )
        if frame.final:
            before.append(frame.kind[:KIND_KEPT])
            self.strays += not known
        return found


def _readable_id(line: bytes) -> str | None:
    """Return the id of a request, or None when the line is no object with a string id."""
    try:
        value = jsontext.loads(line)
    except ValueError:
        return None
    name = value.get("id") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _hard_to_read(line: bytes) -> bool:
    """Whether a fair target may refuse to read a line as a frame at all, and so miss its id (YEA-Q06)."""
    if line.count(b"[") + line.count(b"{") > DEPTH_READ:
        return True
    value = jsontext.loads(line)
    odd = not isinstance(value, dict) or value.get("yea") != 1 or jsontext.has_lone_surrogate(value)
    return odd or line[:1] != b"{" or line[-1:] != b"}"
