"""Which reply belongs to which request, on one stream of bytes (YEA 2.1, 2.2).

Sans I/O: ids of requests and bytes of the service go in, deliveries come out. What cannot be a reply to anything that
waits is dropped and noted, and never ends the connection: lines that are no frames, second final replies, replies to
nobody.
"""

import re
from collections import deque
from dataclasses import dataclass
from json import JSONDecoder
from typing import TypeAlias

from reference.yea import jsontext
from reference.yea.client.errors import BadReply, ReplyTooLarge
from reference.yea.client.frames import Frame, short
from reference.yea.framing import MAX_FRAME, FrameSplitter, Oversize
from reference.yea.types import Json, as_integer

NOTED = 8
"""How many dropped lines are remembered, for a message."""

LONGEST_NOTE = 200

NO_ONE = (None, "", "?")
"""What services put in `re` when they could not read a request's id."""


@dataclass(frozen=True, slots=True)
class Received:
    """A reply frame. size: bytes of its line, without the newline."""

    frame: Frame
    size: int

    @property
    def final(self) -> bool:
        """YEA 2.2: EVENT is the only reply kind that is not final."""
        return self.frame.get("kind") != "EVENT"


Delivery: TypeAlias = tuple[str, Received | BadReply]
"""The id of a request, and a reply to it or why there will be none. The latter and a final reply end the request."""


class Multiplexer:
    """The requests of one connection that wait for their final reply.

    strays: why the latest lines were dropped, at most eight, each on one short line.
    """

    def __init__(self, limit: int = MAX_FRAME) -> None:
        """limit: the longest reply in bytes, its newline not counted."""
        self._splitter = FrameSplitter(limit)
        self._pending: set[str] = set()
        self.strays: deque[str] = deque(maxlen=NOTED)

    def begin(self, name: str) -> None:
        """A request with this id was sent. Raises ValueError when one of the same id waits already (YEA 2.1)."""
        if name in self._pending:
            raise ValueError(f"the id {name!r} is in use on this connection")
        self._pending.add(name)

    def forget(self, name: str) -> None:
        """Nobody waits for this request any more; what still comes for it is dropped."""
        self._pending.discard(name)

    def feed(self, data: bytes) -> list[Delivery]:
        """What these bytes of the service deliver, in order. Any split of a stream gives the same whole."""
        found = [
            self._cut(item) if isinstance(item, Oversize) else self._line(item.data)
            for item in self._splitter.feed(data)
        ]
        return [delivery for delivery in found if delivery is not None]

    def _line(self, line: bytes) -> Delivery | None:
        if not line.strip():
            return None
        try:
            frame = jsontext.loads(line)
        except jsontext.JsonError as error:
            self.strays.append(f"a line that is not JSON: {error}"[:LONGEST_NOTE])
            return None
        if not isinstance(frame, dict):
            self.strays.append("a line that is JSON, but no object")
            return None
        name = self._addressee(frame)
        if name is None:
            self.strays.append(f"a {short(frame.get('kind'), 40)} in reply to {short(frame.get('re'), 40)}")
            return None
        return self._reply(name, Received(frame, len(line)))

    def _reply(self, name: str, reply: Received) -> Delivery:
        frame = reply.frame
        # YEA 2.1: every frame has "yea": 1 and a string id
        if as_integer(frame.get("yea")) != 1 or not isinstance(frame.get("id"), str):
            self._pending.discard(name)
            return name, BadReply('the reply is no frame: one has "yea": 1 and an `id` that is a string', frame)
        if reply.final:
            self._pending.discard(name)
        return name, reply

    def _addressee(self, frame: Frame) -> str | None:
        """The request that a frame answers, if it waits.

        An ERROR that could not name its request is for the only one that waits, if there is only one.
        """
        answered = frame.get("re")
        if isinstance(answered, str) and answered in self._pending:
            return answered
        if (answered is None or answered in NO_ONE) and frame.get("kind") == "ERROR":
            return self._only_one()
        return None

    def _cut(self, oversize: Oversize) -> Delivery | None:
        """YEA 2.1: a reply over the limit is rejected; the request that it was for has failed, if that can be told."""
        told = f"a reply over {oversize.limit} bytes"
        start = strings_at_start(oversize.start)
        name = start["re"] if "re" in start else self._only_one()
        if name is None or name not in self._pending or start.get("kind") == "EVENT":
            self.strays.append(told)
            return None
        self._pending.discard(name)
        return name, ReplyTooLarge(f"the service sent {told}, which was not kept; a smaller budget may help")

    def _only_one(self) -> str | None:
        """The id that waits alone, if one does."""
        return next(iter(self._pending)) if len(self._pending) == 1 else None


_BLANKS = re.compile(r"[ \t\r\n]*")


def strings_at_start(start: bytes) -> dict[str, str]:
    """The string members that the start of a frame shows before it is cut off. Never raises."""
    text, read, found = start.decode("utf-8", "ignore"), JSONDecoder().raw_decode, dict[str, str]()

    def past(position: int, sign: str = "") -> int:
        position = _blanks(text, position)
        if not text.startswith(sign, position):
            raise ValueError
        return _blanks(text, position + len(sign))

    try:
        position = past(0, "{")
        while True:
            name: Json
            value: Json
            name, position = read(text, position)
            value, position = read(text, past(position, ":"))
            if isinstance(name, str) and isinstance(value, str):
                found[name] = value
            position = past(position, ",")
    except (ValueError, RecursionError):
        return found


def _blanks(text: str, position: int) -> int:
    blanks = _BLANKS.match(text, position)
    return blanks.end() if blanks else position
