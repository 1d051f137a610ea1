"""Where a host keeps its tables: the interface, and a store that keeps them in memory.

A table is a sequence of batches. A batch is everything that one request caused: ledger entries, and what must outlive
a restart without being part of the ledger (the SHA-256 of tokens, and nonces). A store keeps a batch whole or not at
all, and only appends. What the batches mean is no business of a store.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from reference.byob.types import Entry


@dataclass(frozen=True, slots=True)
class Batch:
    """What one request caused, in one piece.

    entries: new ledger entries in order of seq; nobody changes one once it is made.
    kept: what is remembered beside the ledger (see `kept.py`).
    """

    entries: tuple[Entry, ...]
    kept: Mapping[str, Any] = field(default_factory=dict)


class StoreError(OSError):
    """A store that cannot be used, or could not keep something. Its text is one sentence for a person."""


class Store(Protocol):
    """All the tables of a host."""

    def tables(self) -> Iterator[tuple[str, Iterator[Batch]]]:
        """Every table that is kept: its id and its batches, the first one first.

        Raises StoreError, also while the batches are read, when what was kept cannot be read any more.
        """

    def batches(self, table: str) -> Iterator[Batch]:
        """The batches of one table; none when it is unknown. Raises StoreError as `tables` does."""

    def append(self, table: str, batch: Batch) -> None:
        """Keeps a batch, before it returns. The first batch of a table makes it.

        Raises StoreError when it could not; then nothing of the batch is kept.
        """

    def close(self) -> None:
        """Gives back what the store holds open. Nothing may be appended afterwards."""


class MemoryStore:
    """A store that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._tables: dict[str, list[Batch]] = {}

    def tables(self) -> Iterator[tuple[str, Iterator[Batch]]]:
        return ((table, iter(batches)) for table, batches in list(self._tables.items()))

    def batches(self, table: str) -> Iterator[Batch]:
        return iter(self._tables.get(table, []))

    def append(self, table: str, batch: Batch) -> None:
        self._tables.setdefault(table, []).append(batch)

    def close(self) -> None:
        """Nothing is held open."""
