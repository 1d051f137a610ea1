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
    the other side has hung up. `status` is that of the HTTP response, 0 on a stream or where none came. `exit_code` is
    that of a child that has hung up by ending, negative for the signal that ended it; None for whoever is no child.
    """

    frames: tuple[Mapping[str, Any], ...] = ()
    junk: tuple[str, ...] = ()
    closed: bool = False
    status: int = 0
    exit_code: int | None = None


class Live(Protocol):
    """What is not of this process, and may end or hang."""

    def silent(self) -> str:
        """Return what became of it when it does not answer a plain request on a new connection, "" when it does."""

    def revive(self) -> bool:
        """Kill it and start it again; false where nobody can."""


class Wire(Live, Protocol):
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


class Service(Live, Protocol):
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


class Failing(Exception):
    """A table host did not answer as every host must, or refused what it may not refuse; the text says how."""


@dataclass(frozen=True)
class Got:
    """What a table host answered: `ok` for a 2xx, the `code` of a refusal, the `seq` of the entry that was made."""

    ok: bool
    code: str
    seq: int
    seen: str


@dataclass(frozen=True)
class Shape:
    """A table to be opened.

    Args:
        kind: the topology's.
        rounds: how many.
        depth: bot says in a row.
        budget: tokens after which the table closes.
        human: whether a human sits there too.
        decider: number of the seat that may decide; None for whom the topology names.
        decides: whether a decision closes the table.
        override: (number of a seat, patterns): a visibility of its own, or None.
    """

    kind: str
    rounds: int
    depth: int
    budget: int
    human: bool
    decider: int | None
    decides: bool
    override: tuple[int, tuple[str, ...]] | None


@dataclass(frozen=True)
class Posted:
    """A post that was accepted; `marker` is a text that stands in no other one, empty where there is no text."""

    seat: str
    kind: str
    to: tuple[str, ...]
    seq: int
    marker: str


@dataclass(frozen=True)
class Sight:
    """What a seat got of a post: it is shown everywhere, or hidden everywhere, or `leak` says where its text stands."""

    shown: bool
    hidden: bool
    leak: str
    seen: str


class Table(Protocol):
    """A table all seats of which have joined. Every method raises `Failing`, or `Gone`.

    `config` is as the models take it. `guest` is a seat that nothing names, and that may still join; "" where this host
    takes none.
    """

    config: Mapping[str, Any]
    guest: str

    @property
    def seats(self) -> Mapping[str, str]:
        """Return the ids of those who have joined so far, with their kinds."""

    def join(self, kind: str) -> Got:
        """Let the guest join, as a bot or a human, whether it sits there already or not."""

    def post(self, seat: str, kind: str, to: Sequence[str], marker: str, tokens: int) -> Got:
        """Let a seat say, pass, raise a hand, propose or decide."""

    def holder(self, allowed: Collection[str]) -> tuple[str | None, bool]:
        """Return who holds the floor, and whether the table is open; waits a moment for one of those allowed."""

    def decided(self, seat: str) -> set[int]:
        """Return the seqs of the decisions in force, as a seat gets them."""

    def task_of(self, seq: int) -> str:
        """Return the id of the task that a proposal opened."""

    def state_of(self, task: str) -> str:
        """Return the state of a task."""

    def step(self, task: str, event: str) -> Got:
        """Let the one who may do it: approve, reject, status:running, status:failed, receipt, verify:pass or :fail."""

    def misstep(self, task: str, how: str) -> Got:
        """Let one who may not: `another owner approves` or `the executor verifies`."""

    def close(self) -> Got:
        """Close the table, as its admin."""

    def sight(self, seat: str, posts: Sequence[Posted]) -> list[Sight]:
        """Return what a seat gets of each post."""


class Host(Live, Protocol):
    """A BYOB table host."""

    def begin(self) -> None:
        """Make ready for the next session."""

    def open(self, shape: Shape, below: Table | None) -> Table | None:
        """Open a table, perhaps as a sub-table; None for one that this host need not open."""

    def restart(self) -> bool:
        """Kill the host and start it again with what it kept; false where nobody can."""

    def broken(self) -> tuple[str, str]:
        """Read all that the session's tables show; returns what is wrong with anything read so far, and the clause."""
