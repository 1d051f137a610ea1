"""What fuzzing sees of a target: a few operations, or bytes out and frames in, whoever is behind them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Arguments = Mapping[str, Any]
Answer = Mapping[str, Any]


class Operations(Protocol):
    """An implementation's pure functions."""

    def call(self, operation: str, arguments: Arguments) -> Answer:
        """Return {"ok": …}, {"error": …}, {"unsupported": true}, or {"broke": str} when there was no answer."""


@dataclass(frozen=True)
class Seen:
    """What came back, in order of arrival, since the last time that one looked.

    `frames` are JSON objects. `junk` is what came and is no frame, in words, but for blank lines. `closed` says that
    the other side has hung up. `status` is that of the HTTP response, 0 on a stream or where none came.
    """

    frames: tuple[Mapping[str, Any], ...] = ()
    junk: tuple[str, ...] = ()
    closed: bool = False
    status: int = 0


class Wire(Protocol):
    """A service over one transport.

    `streams` says that a connection carries many frames; without it each `send` is a request of its own (the HTTP
    bridge). `large` says that frames around 1 MiB may be sent. Whatever cannot be reached any more raises `Gone`.
    """

    streams: bool
    large: bool

    def begin(self, *, fresh: bool) -> bool:
        """Make ready for the next example, with a new connection if asked to; returns whether it is a new one."""

    def send(self, pieces: Sequence[bytes], awaited: Collection[str], more: int = 0) -> Seen:
        """Send bytes piece by piece and return what came.

        Waits for a final reply to each awaited id and for `more` others, until the other side hangs up or for as long
        as a reply may take.
        """

    def finish(self) -> Seen | None:
        """End the input and read to the end; None where a stream cannot be ended on one side."""


@dataclass(frozen=True)
class Reading:
    """How a state is read: an ask, its params, and the dotted path of the value in its data."""

    capability: str
    params: Mapping[str, Any]
    path: str


@dataclass(frozen=True)
class Narrowed:
    """A capability with params for one object, and how that object's state is read; None where nobody can say."""

    capability: str
    params: Mapping[str, Any]
    reading: Reading | None


class Service(Protocol):
    """A YEA service, what may be done to it, and those whom it trusts.

    `service_id` is its own, `wires` are one or two connections to one state, `seeds` are those of trusted principals
    by name, `roles` are what its profile lists.
    """

    service_id: str
    wires: Sequence[Wire]
    seeds: Mapping[str, bytes]
    roles: frozenset[str]

    def now(self) -> float:
        """Return its time in unix seconds."""

    def narrowed(self, role: str, unique: str) -> Narrowed | None:
        """Return a role for a new object of that name; None when it has no such role, or may not be used further."""

    def spend(self, capability: str) -> bool:
        """Count a request that may change something; false when no more are allowed."""
