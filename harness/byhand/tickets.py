"""Files that let a person act at a table: a seat's token, a table's admin token. Mode 0600, never overwritten.

Both also say where the table is, so that a command needs the one file only. Nothing but the token in them is a secret.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from harness.errors import HarnessError
from harness.keyfiles import new_file, read_private

_LARGEST = 16_384


@dataclass(frozen=True)
class SeatTicket:
    """A seat at a table. seat_token: shown by nothing but the file."""

    url: str
    table: str
    seat: str
    seat_token: str = field(repr=False)


@dataclass(frozen=True)
class AdminTicket:
    """A table, for who made it. admin_token: shown by nothing but the file."""

    url: str
    table: str
    admin_token: str = field(repr=False)


Ticket = TypeVar("Ticket", SeatTicket, AdminTicket)

MADE_BY = {SeatTicket: "`naysayer byob join`", AdminTicket: "`naysayer byob table create`"}


def default_path(*ids: str) -> Path:
    """The file in this folder for these ids: TABLE.SEAT.json or TABLE.admin.json."""
    return Path(".".join(quote(each, safe="") for each in ids) + ".json")


class Reserved:
    """A new file that waits for its ticket."""

    def __init__(self, path: Path, file: Any) -> None:
        self.path, self._file = path, file

    def write(self, ticket: SeatTicket | AdminTicket) -> None:
        """Write the ticket."""
        self._file.write(json.dumps(asdict(ticket), indent=2) + "\n")


@contextlib.contextmanager
def reserve(path: Path) -> Iterator[Reserved]:
    """Make the file before the token is asked for, which is told only once; it is gone again if that fails.

    Raises HarnessError when the file exists or cannot be made.
    """
    with new_file(path, "a file with a token") as file:
        yield Reserved(path, file)


def read(kind: type[Ticket], path: Path) -> Ticket:
    """The ticket in a file. Raises HarnessError when it is missing, open to others, or no such ticket."""
    data = read_private(path, _LARGEST)
    try:
        members = json.loads(data)
    except (ValueError, RecursionError):
        members = None
    names = [each.name for each in fields(kind)]
    if not isinstance(members, dict) or not all(isinstance(members.get(name), str) for name in names):
        raise HarnessError(f"{path} is not the file that {MADE_BY[kind]} makes: it is no JSON with {', '.join(names)}")
    return kind(**{name: members[name] for name in names})
