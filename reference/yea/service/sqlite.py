"""A store on disk: SQLite, from the standard library.

Every record is a row whose body is JSON, written before the call returns, so that a process which is killed
leaves all that it had decided. One process at a time: the file is locked as long as it is open.
"""

import contextlib
import dataclasses
import sqlite3
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any, Generic

from reference.yea.jsontext import dumps, loads
from reference.yea.service.store import (
    AutoRecord,
    DoubtRecord,
    HandleRecord,
    ProposalRecord,
    R,
    ReceiptRecord,
    Table,
    TotalRecord,
)
from reference.yea.types import Json

BUSY_SECONDS = 1.0
"""How long an open waits for a process that is just ending."""

AS_TEXT = {(TotalRecord, "value")}
"""The members that may be larger than a JSON number is exact, and are kept as text."""


class StoreError(OSError):
    """A file that cannot be used as a store. Its text is one sentence for a person."""


class Database:
    """One open file and its transactions."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file. Raises StoreError when it is in use, or no database."""
        try:
            self.connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(None, f"cannot use {path} as a store: {error}") from None
        try:
            self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.execute("BEGIN EXCLUSIVE")
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.connection.close()
            raise StoreError(None, f"cannot use {path} as a store: {error}") from None
        self._depth = 0
        self._undone: list[Callable[[], None]] = []

    def on_rollback(self, call: Callable[[], None]) -> None:
        """Calls this whenever a transaction was undone."""
        self._undone.append(call)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside are kept, or none. One inside another belongs to it."""
        if self._depth == 0:
            self.connection.execute("BEGIN")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0:
                self.connection.execute("ROLLBACK")
                for call in self._undone:
                    call()
            raise
        self._depth -= 1
        if self._depth == 0:
            self.connection.execute("COMMIT")

    def close(self) -> None:
        """Closes the file, and unlocks it."""
        self.connection.close()


class SqliteTable(Generic[R]):
    """The records of one kind."""

    def __init__(self, database: Database, table: str, kind: type[R]) -> None:
        """table: its name, which is part of the statements. kind: the class of its records."""
        self._kind = kind
        self._names = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
        self._execute = database.connection.execute
        self._execute(f"CREATE TABLE IF NOT EXISTS {table} (name TEXT PRIMARY KEY, until REAL, body TEXT NOT NULL)")
        self._execute(f"CREATE INDEX IF NOT EXISTS {table}_until ON {table} (until)")
        self._get = f"SELECT body FROM {table} WHERE name = ?"  # noqa: S608 the name is ours
        self._update = f"UPDATE {table} SET until = ?, body = ? WHERE name = ?"  # noqa: S608
        self._insert = f"INSERT INTO {table} (until, body, name) VALUES (?, ?, ?)"  # noqa: S608
        self._remove = f"DELETE FROM {table} WHERE name = ?"  # noqa: S608
        self._items = f"SELECT name, body FROM {table} ORDER BY rowid"  # noqa: S608
        self._oldest = f"SELECT name FROM {table} ORDER BY rowid LIMIT ?"  # noqa: S608
        self._sweep = f"DELETE FROM {table} WHERE until <= ?"  # noqa: S608
        self._counted = f"SELECT COUNT(*) FROM {table}"  # noqa: S608
        self._count = 0
        self._recount()
        database.on_rollback(self._recount)

    def get(self, name: str) -> R | None:
        row = self._execute(self._get, (name,)).fetchone()
        return None if row is None else self._unpack(row[0])

    def put(self, name: str, record: R) -> None:
        row = (record.until, self._pack(record), name)
        if self._execute(self._update, row).rowcount == 0:
            self._execute(self._insert, row)
            self._count += 1

    def remove(self, name: str) -> None:
        self._count -= self._execute(self._remove, (name,)).rowcount

    def items(self) -> Iterator[tuple[str, R]]:
        rows = self._execute(self._items).fetchall()
        return ((name, self._unpack(body)) for name, body in rows)

    def oldest(self, count: int) -> list[str]:
        return [name for (name,) in self._execute(self._oldest, (count,))]

    def sweep(self, now: float) -> None:
        self._count -= self._execute(self._sweep, (now,)).rowcount

    def __len__(self) -> int:
        return self._count

    def _recount(self) -> None:
        [self._count] = self._execute(self._counted).fetchone()

    def _pack(self, record: R) -> str:
        members: dict[str, Json] = {name: getattr(record, name) for name in self._names}
        for kind, name in AS_TEXT:
            if kind is self._kind:
                members[name] = str(members[name])
        return dumps(members)

    def _unpack(self, body: str) -> R:
        members: Any = loads(body)
        for kind, name in AS_TEXT:
            if kind is self._kind:
                members[name] = int(members[name])
        return self._kind(**members)


class SqliteStore:
    """All the state of a service, in one file."""

    def __init__(self, database: Database) -> None:
        self.proposals: Table[ProposalRecord] = SqliteTable(database, "proposals", ProposalRecord)
        self.drafts: Table[ProposalRecord] = SqliteTable(database, "drafts", ProposalRecord)
        self.receipts: Table[ReceiptRecord] = SqliteTable(database, "receipts", ReceiptRecord)
        self.handles: Table[HandleRecord] = SqliteTable(database, "handles", HandleRecord)
        self.autos: Table[AutoRecord] = SqliteTable(database, "autos", AutoRecord)
        self.totals: Table[TotalRecord] = SqliteTable(database, "totals", TotalRecord)
        self.doubts: Table[DoubtRecord] = SqliteTable(database, "doubts", DoubtRecord)
        self.transaction = database.transaction


class SqliteObjects(MutableMapping[str, list[dict[str, Json]]]):
    """Named lists of changes in the same file, for what the capabilities are about."""

    def __init__(self, database: Database) -> None:
        self._execute = database.connection.execute
        self._execute("CREATE TABLE IF NOT EXISTS objects (name TEXT PRIMARY KEY, body TEXT NOT NULL)")

    def __getitem__(self, name: str) -> list[dict[str, Json]]:
        row = self._execute("SELECT body FROM objects WHERE name = ?", (name,)).fetchone()
        if row is None:
            raise KeyError(name)
        changes: Any = loads(row[0])
        return list(changes)

    def __setitem__(self, name: str, changes: list[dict[str, Json]]) -> None:
        self._execute("REPLACE INTO objects (name, body) VALUES (?, ?)", (name, dumps([*changes])))

    def __delitem__(self, name: str) -> None:
        if self._execute("DELETE FROM objects WHERE name = ?", (name,)).rowcount == 0:
            raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter([name for (name,) in self._execute("SELECT name FROM objects")])

    def __len__(self) -> int:
        [count] = self._execute("SELECT COUNT(*) FROM objects").fetchone()
        return int(count)
