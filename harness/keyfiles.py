"""Key files: one principal's seed each, as base64url on one line, readable by its owner alone."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from harness.errors import HarnessError
from reference.yea import b64url

SEED_BYTES = 32
_MODE = stat.S_IRUSR | stat.S_IWUSR


def write_seed(path: Path, seed: bytes) -> None:
    """Write a 32-byte seed to a new file of mode 0600; raises HarnessError if the file exists or cannot be made."""
    with new_file(path, "a key file") as file:
        file.write(b64url.encode(seed) + "\n")


def read_seed(path: Path) -> bytes:
    """Return the 32 bytes of a key file; raises HarnessError when it is missing, open to others or no seed."""
    data = read_private(path, 256)
    try:
        seed = b64url.decode(data.decode("ascii").strip())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise HarnessError(f"{path} is not a key file; make one with `naysayer keys new FILE`")
    return seed


@contextlib.contextmanager
def new_file(path: Path, what: str) -> Iterator[TextIO]:
    """Make a file of mode 0600 to write a secret to; when writing fails or is called off, it is gone again.

    what: what it is, for the error. Raises HarnessError if the file exists or cannot be made.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), _MODE)
    except FileExistsError:
        raise HarnessError(f"{path} exists already; {what} is never overwritten, choose another name") from None
    except OSError as problem:
        raise HarnessError(f"{path} cannot be written: {problem.strerror}") from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def read_private(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a file; raises HarnessError when it is missing, or open to others."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(most)
    except OSError as problem:
        raise HarnessError(f"{path} cannot be read: {problem.strerror}") from None
    if mode & 0o077:
        raise HarnessError(f"{path} can be read by others; run chmod 600 on it")
    return data
