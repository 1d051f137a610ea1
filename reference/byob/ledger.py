"""A store on disk: one JSONL file per table, one line per batch, flushed to the disk before an answer leaves.

A line is {"entries": [...], "kept": {...}} and a newline, written in one piece. A process that is killed leaves at most
one line without its newline: nobody was answered about it, so it is cut off at the next start. Anything else that does
not read is damage, and stops the start with a sentence that names the file and the line.

One process at a time: the folder is locked as long as the store is open.
"""

import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from reference.byob.store import Batch, StoreError

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

        sync: whether every batch is also forced to the disk (fsync), so that it survives a power cut too.
        Raises StoreError when another process uses the folder, or it cannot be used at all.
        """
        self._folder = folder
        self._sync = sync
        self._damaged: set[Path] = set()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = (folder / LOCK).open("ab")
        except OSError as error:
            raise StoreError(None, f"cannot keep tables in {folder}: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            text = f"another process keeps its tables in {folder}; end it, or name another folder"
            raise StoreError(None, text) from None

    def tables(self) -> Iterator[tuple[str, Iterator[Batch]]]:
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            batches = self._read(path)
            first = next(batches, None)
            if first is None:
                path.unlink()  # its first batch was never kept whole, so the table never was
                continue
            table = str(first.entries[0].get("table"))
            if path != self.path(table):
                text = (
                    f"{path} holds the table {table!r}, which belongs into {self.path(table).name}; rename or remove it"
                )
                raise StoreError(None, text)
            yield table, _chained(first, batches)

    def batches(self, table: str) -> Iterator[Batch]:
        path = self.path(table)
        return self._read(path) if path.exists() else iter(())

    def append(self, table: str, batch: Batch) -> None:
        path = self.path(table)
        if path in self._damaged:
            raise StoreError(None, f"{path} ends in a part of a line; restart to repair it")
        line = _ENCODER.encode({"entries": batch.entries, "kept": batch.kept}).encode("ascii") + b"\n"
        try:
            is_new = not path.exists()
            with path.open("ab", buffering=0) as file:
                self._write(path, file, line)
            if is_new and self._sync:
                _sync_folder(self._folder)
        except OSError as error:
            raise StoreError(None, f"cannot write {path}: {error.strerror or error}") from None

    def close(self) -> None:
        self._lock.close()

    def path(self, table: str) -> Path:
        """The file of a table. Ids that differ in case only have different files, and none leads out of the folder."""
        digest = hashlib.sha256(table.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        return self._folder / f"{_UNSAFE.sub('_', table.lower())[:_SLUG]}-{digest}{SUFFIX}"

    def _write(self, path: Path, file: Any, line: bytes) -> None:
        """Writes a line whole, or cuts the file back to what it was."""
        end = file.seek(0, os.SEEK_END)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[file.write(rest) :]
            if self._sync:
                os.fsync(file.fileno())
        except BaseException:
            self._damaged.add(path)
            file.truncate(end)
            self._damaged.discard(path)
            raise

    def _read(self, path: Path) -> Iterator[Batch]:
        """The batches of a file. Cuts off a last line that has no newline."""
        try:
            with path.open("r+b") as file:
                yield from _batches(path, file)
        except StoreError:
            raise
        except OSError as error:
            raise StoreError(None, f"cannot read {path}: {error.strerror or error}") from None


def _batches(path: Path, file: BinaryIO) -> Iterator[Batch]:
    seq = 0
    number = 0
    good = 0
    for number, line in enumerate(file, 1):
        if not line.endswith(b"\n"):
            file.truncate(good)
            os.fsync(file.fileno())
            return
        good += len(line)
        batch = _batch(line)
        if batch is None or [entry["seq"] for entry in batch.entries] != [
            *range(seq + 1, seq + 1 + len(batch.entries))
        ]:
            text = f"line {number} of {path} is damaged; restore the file from a copy, or move it away"
            raise StoreError(None, text)
        seq += len(batch.entries)
        yield batch


def _batch(line: bytes) -> Batch | None:
    """The batch of a line, None for a line that no store wrote."""
    try:
        value = json.loads(line)
        entries, kept = value["entries"], value["kept"]
        if isinstance(kept, dict) and all(isinstance(entry["seq"], int) for entry in entries):
            return Batch(tuple(entries), kept)
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    return None
