"""An owner's key in a file: JSON that also names the owner, or PEM (BYOB 10 names the file, and not its form).

JSON: {"owner": str, "public_key": base64 of SPKI, "private_key": base64 of PKCS#8}. PEM: one PRIVATE KEY block of
PKCS#8 (RFC 7468), which names no owner. A file is made with mode 0600, and one that others can read is refused.
"""

import json
import os
import re
import stat
from pathlib import Path

from reference.byob.keys import KeyFormatError, OwnerKey

_MODE = stat.S_IRUSR | stat.S_IWUSR
_LARGEST = 16_384
_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----")


class KeyFileError(ValueError):
    """A key file that cannot be read or written. The message names the file and what to do, never what is in it."""


def as_json(owner: str, key: OwnerKey) -> str:
    """The text of a key file in JSON: a secret."""
    members = {"owner": owner, "public_key": key.public_key, "private_key": key.pkcs8()}
    return json.dumps(members, indent=2, ensure_ascii=False) + "\n"


def as_pem(key: OwnerKey) -> str:
    """The text of a key file in PEM: a secret."""
    # RFC 7468: lines of 64 characters; an Ed25519 key is exactly one
    return f"-----BEGIN PRIVATE KEY-----\n{key.pkcs8()}\n-----END PRIVATE KEY-----\n"


def parse(text: str) -> tuple[str | None, OwnerKey]:
    """The owner's id, None for PEM, and the key that a key file's text holds. Raises KeyFormatError for other texts."""
    if "-----BEGIN" in text:
        found = _PEM.search(text)
        if found is None:
            raise KeyFormatError("the PEM text has no PRIVATE KEY block in PKCS#8, without a password")
        return None, OwnerKey.from_pkcs8("".join(found[1].split()))
    members = _members(text)
    key = OwnerKey.from_pkcs8(members["private_key"])
    if key.public_key != members["public_key"]:
        raise KeyFormatError("public_key does not belong to private_key")
    return members["owner"], key


def write(path: Path, text: str) -> None:
    """Write a key file with mode 0600. Raises KeyFileError if the file exists or cannot be made."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), _MODE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise KeyFileError(f"{path} exists already; a key file is never overwritten, choose another name") from None
    except OSError as problem:
        raise KeyFileError(f"{path} cannot be written: {problem.strerror}") from None


def read(path: Path) -> tuple[str | None, OwnerKey]:
    """The owner's id, None for PEM, and the key in a file.

    Raises KeyFileError when the file is missing, open to others, too long, or no key file.
    """
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_LARGEST + 1)
    except OSError as problem:
        raise KeyFileError(f"{path} cannot be read: {problem.strerror}") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise KeyFileError(f"{path} can be read by others; run chmod 600 on it")
    try:
        if len(data) > _LARGEST:
            raise KeyFormatError(f"it is longer than {_LARGEST} bytes")
        return parse(data.decode())
    except UnicodeDecodeError:
        raise KeyFileError(f"{path} is not a key file: it is not UTF-8") from None
    except KeyFormatError as problem:
        raise KeyFileError(f"{path} is not a key file: {problem}") from None


def _members(text: str) -> dict[str, str]:
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        raise KeyFormatError("it is neither JSON nor PEM") from None
    for name in ("owner", "public_key", "private_key"):
        if not isinstance(members, dict) or not isinstance(members.get(name), str):
            raise KeyFormatError(f"its JSON has no string {name}")
    return {name: members[name] for name in ("owner", "public_key", "private_key")}
