"""What goes to a terminal: nothing of a service's gets there but through `reports.text.plain`."""

import re
import sys
from typing import Any

from reference.yea import jsontext
from reference.yea.client import Reply
from reports.text import plain

_NOT_PRINTABLE_ASCII = re.compile(r"[^\x20-\x7e]")


def ascii_json(value: Any) -> str:
    """Return a value of any depth as one line of JSON in printable ASCII: the same value, and nothing is hidden."""
    return _NOT_PRINTABLE_ASCII.sub(lambda match: _escaped(match[0]), jsontext.dumps(value))


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def whole(text: str) -> str:
    """Return lines made safe for a terminal, of which nothing is left out however long they are."""
    return plain(text, 10 * len(text) + 64, lines=True)


def say(text: str) -> None:
    """Write lines for a person to standard error. Texts of a service in them have to be on one line each."""
    sys.stderr.write(f"{whole(text)}\n")


def say_line(text: str) -> None:
    """Write one line for a person to standard error, whatever is in it."""
    sys.stderr.write(f"{plain(text)}\n")


class Printer:
    """Writes what a service said to standard output: Lens, or frames as JSON."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json

    def reply(self, reply: Reply) -> None:
        """Write a reply."""
        sys.stdout.write(f"{whole(ascii_json(reply.shown) if self.as_json else reply.text)}\n")
        sys.stdout.flush()

    def frame(self, frame: dict[str, Any]) -> None:
        """Write a frame that is no reply, so that a person sees it."""
        self.reply(Reply(frame, 0))

    def event(self, frame: dict[str, Any]) -> None:
        """Write an EVENT as it comes: among the frames, or else as a message to the person who waits."""
        if self.as_json:
            self.frame(frame)
        else:
            say(Reply(frame, 0).text)
