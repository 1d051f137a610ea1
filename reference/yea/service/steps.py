"""What the service hands to its driver, and what a capability hands to the service.

The service does no I/O and has no clock. `Service.handle` is a generator of steps: a `Reply` is to be sent,
a `Pause` is to be waited for, and `send(now)` then goes on. A capability's own generator yields the same
`Pause`, and an `Event` where it reports progress. All between two yields is atomic.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from reference.yea.jsontext import dumps
from reference.yea.types import Json

Frame: TypeAlias = dict[str, Json]
Body: TypeAlias = dict[str, Json]
"""A reply frame's `kind` and the members of its kind: all but yea, id and re (YEA 5)."""


def encode(frame: Frame) -> bytes:
    """The frame as one line of UTF-8, without its newline (YEA 2.1, 2.3). No depth is too deep."""
    return dumps(frame).encode()


@dataclass(frozen=True)
class Reply:
    """One reply frame, and the line that is sent for it, without its newline."""

    frame: Frame
    line: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        if not self.line:
            object.__setattr__(self, "line", encode(self.frame))


@dataclass(frozen=True, slots=True)
class Pause:
    """The work goes on after this many seconds, 0 or more: resume with `send(now)`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Event:
    """Progress that a capability reports: one EVENT frame (YEA 5).

    progress: 0 to 1, or None; raises ValueError for any other.
    """

    message: str
    progress: float | None = None
    data: Json = None

    def __post_init__(self) -> None:
        if self.progress is not None and not 0 <= self.progress <= 1:
            raise ValueError(f"progress is from 0 to 1, not {self.progress!r}")

    def body(self) -> Body:
        """The members of the EVENT frame; an absent one is left out."""
        optional = {"progress": self.progress, "data": self.data}
        body: Body = {"kind": "EVENT", "message": self.message}
        body.update({name: value for name, value in optional.items() if value is not None})
        return body


Step: TypeAlias = Reply | Pause
Steps: TypeAlias = Generator[Step, float, None]
Work: TypeAlias = Generator[Step, float, Body | Reply]
"""The steps of one verb. What it returns is the final reply, or its body."""

Job: TypeAlias = Generator[Event | Pause, Any, Json]
"""A capability's apply or revert. What it returns is the receipt's result (YEA 5.2)."""
