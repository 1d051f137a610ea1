"""A store on disk: one JSONL file per table, one line per batch, written before an answer leaves.

A line is {"entries": [...], "kept": {...}} and a newline, written in one piece. A process that is killed leaves at most
one line without its newline: nobody was answered about it, so it is cut off at the next start. Anything else that does
not read is damage, and stops the start with a sentence that names the file and the line.

One process at a time: the folder is locked as long as the store is open.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from reference.byob.store import Batch, StoreError
from reference.folders import why_not

LOCK = ".lock"
SUFFIX = ".jsonl"

_UNSAFE = re.compile("[^a-z0-9-]")
_SLUG = 60
"""Characters of a table's id that its file name shows, to help the reader; the digest alone tells tables apart."""

_ENCODER = json.JSONEncoder(check_circular=False, separators=(",", ":"))


class JsonlStore:
    """The tables of a folder."""

    def __init__(self, folder: Path, *, sync: bool = True) -> None:
        """Opens a folder, and makes it where there is none.

        sync: whether `append` forces each batch to the disk (fsync) before it returns. If not, a batch survives the
        end of the process at once, and a power cut after the next flush (see `flushing`).
        Raises StoreError when another process uses the folder, or it cannot be used at all.
        """
        self.appended = 0
        """How many batches were appended since the store was opened."""
        self._folder = folder
        self._sync = sync
        self._unsynced: dict[Path, BinaryIO] = {}
        self._is_folder_synced = True
        self._damaged: set[Path] = set()
        self._lock = _locked(folder)

    def tables(self) -> Iterator[tuple[str, Iterator[Batch]]]:
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            batches = self._read(path)
            first = next(batches, None)
            if first is None:
                path.unlink()  # its first batch was never kept whole, so the table never was
                continue
            table = str(first.entries[0].get("table"))
            if path != self.path(table):
                own = self.path(table).name
                raise StoreError(
                    None, f"{path} holds the table {table!r}, whose file is {own}; rename it or move it away"
                )
            yield table, chain((first,), batches)

    def batches(self, table: str) -> Iterator[Batch]:
        path = self.path(table)
        return self._read(path) if path.exists() else iter(())

    def append(self, table: str, batch: Batch) -> None:
        path = self.path(table)
        line = _ENCODER.encode({"entries": batch.entries, "kept": batch.kept}).encode("ascii") + b"\n"
        try:
            self._append(path, line)
            if self._sync:
                self.flushing()()
        except OSError as error:
            raise StoreError(None, f"cannot write {path}: {error.strerror or error}") from None
        self.appended += 1

    def flushing(self) -> Callable[[], None]:
        """A function that forces to the disk all that was appended so far. It may run in another thread.

        It raises OSError when the disk fails.
        """
        files = [*self._unsynced.values()]
        folder = None if self._is_folder_synced else self._folder
        self._unsynced = {}
        self._is_folder_synced = True
        return lambda: _flush(files, folder)

    def close(self) -> None:
        self.flushing()()
        self._lock.close()

    def path(self, table: str) -> Path:
        """The file of a table. Ids that differ in case only have different files, and none leads out of the folder."""
        digest = hashlib.sha256(table.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        return self._folder / f"{_UNSAFE.sub('_', table.lower())[:_SLUG]}-{digest}{SUFFIX}"

    def _append(self, path: Path, line: bytes) -> None:
        """Writes a line whole, or cuts the file back to what it was."""
        if path in self._damaged:
            raise OSError(None, "it ends in a part of a line; a restart repairs it")
        file = self._file(path)
        end = file.seek(0, os.SEEK_END)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[file.write(rest) :]
        except BaseException:
            self._damaged.add(path)
            file.truncate(end)
            self._damaged.discard(path)
            raise

    def _file(self, path: Path) -> Any:
        """The open file of a table, which stays open until it is flushed."""
        file = self._unsynced.get(path)
        if file is None:
            self._is_folder_synced = self._is_folder_synced and path.exists()
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            file = self._unsynced[path] = os.fdopen(descriptor, "ab", buffering=0)
        return file

    def _read(self, path: Path) -> Iterator[Batch]:
        """The batches of a file. Cuts off a last line that has no newline."""
        try:
            with path.open("r+b") as file:
                yield from _batches(path, file)
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(None, f"cannot read {path}: {error.strerror or error}") from None


def _locked(folder: Path) -> BinaryIO:
    """A file that is locked as long as it is open, in a folder that is there now."""
    try:
        import fcntl  # here, because not every system has it, and only ledgers on disk need it

        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = (folder / LOCK).open("ab")
    except ImportError:
        raise StoreError(None, f"cannot keep tables in {folder}: this system cannot lock a file") from None
    except OSError as error:
        raise StoreError(None, f"cannot keep tables in {folder}: {why_not(folder, error)}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        text = f"another process keeps its tables in {folder}; end it, or name another folder"
        raise StoreError(None, text) from None
    return file


def _flush(files: list[BinaryIO], folder: Path | None) -> None:
    for file in files:
        with file:
            os.fsync(file.fileno())
    if folder is not None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _batches(path: Path, file: BinaryIO) -> Iterator[Batch]:
    """The batches of an open file; cuts off a torn last line."""
    seq = end = 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            file.truncate(end)
            return
        batch = _batch(line, seq)
        if batch is None:
            text = f"line {number} of {path} is damaged; restore the file from a copy, or move it away"
            raise StoreError(None, text)
        yield batch
        end += len(line)
        seq += len(batch.entries)


def _batch(line: bytes, seq: int) -> Batch | None:
    """The batch of a line, None for a line that was not written here, or not after an entry with this seq."""
    try:
        value = json.loads(line)
        entries, kept = value["entries"], value["kept"]
        seqs = [entry["seq"] for entry in entries]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    expected = [*range(seq + 1, seq + 1 + len(seqs))]
    return Batch(tuple(entries), kept) if seqs and seqs == expected and isinstance(kept, dict) else None
