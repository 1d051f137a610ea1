"""Reading server-sent events: bytes in, events out, with a bound on everything (WHATWG HTML, 9.2)."""

from dataclasses import dataclass, field

LINE_CAP = 64 * 1024  # bytes of one line; the rest is dropped
DATA_CAP = 256 * 1024  # characters of one event's data


@dataclass(frozen=True)
class Event:
    """One event: its name (`message` when it had none), its data lines joined by newlines, and its id if it had one."""

    name: str
    data: str
    id: str = ""


@dataclass
class Parser:
    """Takes the bytes of a stream, in any pieces, and yields its events.

    `problems` are what is no server-sent event: bytes that are not UTF-8, lines and data beyond the bounds. Comments,
    `retry` and fields of no known name are passed over, as the standard says.
    """

    problems: list[str] = field(default_factory=list)
    comments: int = 0
    _line: bytearray = field(default_factory=bytearray)
    _after_return: bool = False
    _name: str = ""
    _id: str = ""
    _data: list[str] = field(default_factory=list)
    _seen: bool = False

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that these bytes complete. A line ends with CR, LF or both."""
        events = []
        if self._after_return and data.startswith(b"\n"):
            data = data[1:]
        if data:
            self._after_return = data.endswith(b"\r")
        pieces = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for index, piece in enumerate(pieces):
            self._line += piece[: LINE_CAP - len(self._line)]
            if len(self._line) >= LINE_CAP:
                self._problem(f"a line of more than {LINE_CAP} bytes")
            if index < len(pieces) - 1:
                event = self._end_line()
                events += [event] if event is not None else []
        return events

    def _end_line(self) -> Event | None:
        line, self._line = bytes(self._line), bytearray()
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            self._problem("bytes that are not UTF-8")
            text = line.decode("utf-8", "replace")
        if not text:
            return self._dispatch()
        name, _, value = text.removeprefix("\ufeff").partition(":")
        value = value.removeprefix(" ")
        if not name:
            self.comments += 1
        elif name == "event":
            self._name, self._seen = value, True
        elif name == "data":
            self._take(value)
        elif name == "id":
            self._id = value
        return None

    def _take(self, value: str) -> None:
        self._seen = True
        if sum(map(len, self._data)) + len(value) > DATA_CAP:
            self._problem(f"an event of more than {DATA_CAP} characters")
            return
        self._data.append(value)

    def _dispatch(self) -> Event | None:
        event = Event(self._name or "message", "\n".join(self._data), self._id) if self._seen else None
        self._name, self._data, self._seen = "", [], False
        return event

    def _problem(self, text: str) -> None:
        if text not in self.problems:
            self.problems.append(text)
