"""What the service remembers, behind one small interface.

Tables of frozen records with JSON members only, so that a store on disk needs nothing but a way to
write them down. A record has `until`: the time, in unix seconds, from which it may be forgotten, or None.
The service decides what and when; a store only keeps. This one keeps in memory.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from reference.yea.elision import CutKind
from reference.yea.types import Json, as_integer

OPEN, RUNNING, DONE, DOUBT = "open", "running", "done", "doubt"
"""Where a commit or an undo stands. In doubt: it was interrupted after it started (YEA 4.4)."""


class Forgettable(Protocol):
    """A record that may be forgotten from a time on."""

    @property
    def until(self) -> float | None: ...


R = TypeVar("R", bound=Forgettable)


@dataclass(frozen=True, slots=True)
class ProposalRecord:
    """A proposal and who may commit it (YEA 4.4).

    key: the holder key whose proof was on the INTENT, None for an anonymous one.
    principal: whose grant authorized the INTENT, or None. acting: whom the commit acts for, once begun.
    receipt: the id of the receipt, once committed.
    """

    proposal: dict[str, Json]
    job: dict[str, Json]
    key: str | None
    principal: str | None
    until: float
    state: str = OPEN
    acting: str | None = None
    receipt: str | None = None


@dataclass(frozen=True, slots=True)
class ReceiptRecord:
    """A receipt, the job that its undo reverts, and how far that undo is (YEA 4.5)."""

    receipt: dict[str, Json]
    job: dict[str, Json]
    principal: str
    until: float
    state: str = OPEN
    undone_by: str | None = None


@dataclass(frozen=True, slots=True)
class HandleRecord:
    """The rest of an elided value, and the key that may expand it, None for anyone (YEA 4.6).

    kind: what was cut, in the words of `fitting`.
    """

    kind: CutKind
    rest: list[Json] | str
    key: str | None
    until: float


@dataclass(frozen=True, slots=True)
class AutoRecord:
    """What an auto INTENT was answered (YEA 4.3.1). body None: its first request is still running.

    proposal: the id of the proposal that it began to commit, if it did.
    """

    body: dict[str, Json] | None
    until: float
    proposal: str | None = None


@dataclass(frozen=True, slots=True)
class TotalRecord:
    """What is committed or reserved under one block for one measure, in units of 10^-18 (YEA 6.3)."""

    value: int
    until: float | None


@dataclass(frozen=True, slots=True)
class DoubtRecord:
    """A commit of one principal and capability was found in doubt; kept as long as that matters (YEA 4.3.1)."""

    until: float


class Table(Protocol[R]):
    """Records by name."""

    def get(self, name: str) -> R | None:
        """The record, or None."""

    def put(self, name: str, record: R) -> None:
        """Keeps the record, instead of any earlier one of that name."""

    def remove(self, name: str) -> None:
        """Forgets the record, if there is one."""

    def items(self) -> Iterator[tuple[str, R]]:
        """All records, the oldest name first. The table may change meanwhile."""

    def oldest(self, count: int) -> list[str]:
        """The names that were put first and are still there, at most this many."""

    def sweep(self, now: float) -> None:
        """Forgets the records whose `until` has passed."""

    def __len__(self) -> int: ...


class Store(Protocol):
    """All the state of a service. Everything inside one `transaction` is kept, or nothing of it."""

    proposals: Table[ProposalRecord]
    drafts: Table[ProposalRecord]
    receipts: Table[ReceiptRecord]
    handles: Table[HandleRecord]
    autos: Table[AutoRecord]
    totals: Table[TotalRecord]
    doubts: Table[DoubtRecord]

    def transaction(self) -> AbstractContextManager[object]:
        """A context in which changes belong together."""


class MemoryTable(Generic[R]):
    """A dict. A sweep looks at every record, so the service bounds the tables and sweeps now and then."""

    def __init__(self) -> None:
        self._records: dict[str, R] = {}

    def get(self, name: str) -> R | None:
        return self._records.get(name)

    def put(self, name: str, record: R) -> None:
        self._records[name] = record

    def remove(self, name: str) -> None:
        self._records.pop(name, None)

    def items(self) -> Iterator[tuple[str, R]]:
        return iter(list(self._records.items()))

    def oldest(self, count: int) -> list[str]:
        return list(islice(self._records, count))

    def sweep(self, now: float) -> None:
        past = [name for name, record in self._records.items() if is_past(record, now)]
        for name in past:
            del self._records[name]

    def __len__(self) -> int:
        return len(self._records)


def whole(value: Json) -> int:
    """A time or window that this service wrote itself. Raises ValueError for anything else."""
    number = as_integer(value)
    if number is None:
        raise ValueError(f"not an integer: {value!r}")
    return number


def is_past(record: Forgettable, now: float) -> bool:
    """Whether the record may be forgotten at this time."""
    return record.until is not None and record.until <= now


class MemoryStore:
    """A store that forgets everything when the process ends."""

    def __init__(self) -> None:
        self.proposals: Table[ProposalRecord] = MemoryTable()
        self.drafts: Table[ProposalRecord] = MemoryTable()
        self.receipts: Table[ReceiptRecord] = MemoryTable()
        self.handles: Table[HandleRecord] = MemoryTable()
        self.autos: Table[AutoRecord] = MemoryTable()
        self.totals: Table[TotalRecord] = MemoryTable()
        self.doubts: Table[DoubtRecord] = MemoryTable()

    def transaction(self) -> AbstractContextManager[object]:
        return nullcontext()
