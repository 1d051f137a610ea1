"""Key files: one principal's seed each, as base64url on one line, readable by its owner alone."""

import os
import stat
from pathlib import Path

from harness.errors import HarnessError
from reference.yea import b64url

SEED_BYTES = 32
_MODE = stat.S_IRUSR | stat.S_IWUSR


def write_seed(path: Path, seed: bytes) -> None:
    """Write a 32-byte seed to a new file of mode 0600; raises HarnessError if the file exists or cannot be made."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), _MODE)
    except FileExistsError:
        raise HarnessError(f"{path} exists already; a key file is never overwritten, choose another name") from None
    except OSError as problem:
        raise HarnessError(f"{path} cannot be written: {problem.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(b64url.encode(seed) + "\n")


def read_seed(path: Path) -> bytes:
    """Return the 32 bytes of a key file; raises HarnessError when it is missing, open to others or no seed."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(256)
    except OSError as problem:
        raise HarnessError(f"{path} cannot be read: {problem.strerror}") from None
    if mode & 0o077:
        raise HarnessError(f"{path} can be read by others; run chmod 600 on it")
    try:
        seed = b64url.decode(text.decode("ascii").strip())
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES:
        raise HarnessError(f"{path} is not a key file; make one with `naysayer keys new FILE`")
    return seed
