"""Request frames as bytes, and the ids that they carry (YEA 2.1)."""

import itertools
import os
from collections.abc import Callable
from typing import Any, TypeAlias

from reference.yea import b64url, jsontext

Frame: TypeAlias = dict[str, Any]
"""A frame as JSON: string keys and JSON values of any depth."""

RANDOM_BYTES = 12
"""Random bytes of an auto INTENT's id. YEA 4.3.1 advises 8 or more."""


class FrameIds:
    """New ids for the frames of one client.

    Those of auto INTENTs are random, since they must be new for the agent's key and not for the connection alone;
    the others count, and can never be like a random one.
    """

    def __init__(self, random_bytes: Callable[[int], bytes] = os.urandom) -> None:
        """random_bytes: is given a length and returns that many."""
        self._random_bytes = random_bytes
        self._numbers = itertools.count(1)

    def new(self, *, auto: bool = False) -> str:
        """An id that no frame has had. auto: for an auto INTENT."""
        return f"a-{b64url.encode(self._random_bytes(RANDOM_BYTES))}" if auto else str(next(self._numbers))


def encode(frame: Frame) -> bytes:
    """The frame as one line of UTF-8, without its newline. A lone surrogate is written as an escape."""
    return jsontext.dumps(frame).encode()


def short(value: Any, width: int = 80) -> str:
    """A value of a service as an error names it: its JSON, on one line and shortened."""
    text = one_line(jsontext.dumps(value))
    return text if len(text) <= width else text[: width - 1] + "…"


def one_line(text: str) -> str:
    """The text with every character that is no visible sign or space written out: \\n, \\x1b, \\u202e."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
