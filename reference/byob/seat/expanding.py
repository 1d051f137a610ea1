"""Following references hop by hop: which entry to ask for next, and when to stop (BYOB 5, 6).

Pure. `entry:<seq>` is followed; `table:<id>#<seq>` and opaque ids are not, for a seat has no way to them.
"""

import re
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

MOST_HOPS: Final = 3
MOST_ENTRIES: Final = 32

_REFERENCE: Final = re.compile(r"entry:([1-9][0-9]{0,15})")


def references(entry: dict[str, Any]) -> list[int]:
    """The seqs that an entry's refs name, in their order."""
    refs = entry.get("refs")
    if not isinstance(refs, list):
        return []
    found = (_REFERENCE.fullmatch(ref) for ref in refs if isinstance(ref, str))
    return [int(match[1]) for match in found if match]


def is_cut(entry: dict[str, Any]) -> bool:
    """Whether a projected entry's body was cut: it then refers to itself (BYOB 6)."""
    return entry.get("seq") in references(entry)


class Frontier:
    """The entries still to be asked for. Each is asked for once; hops and entries are bounded."""

    def __init__(self, start: Iterable[int], *, hops: int = MOST_HOPS, most: int = MOST_ENTRIES) -> None:
        """start: the seqs of the first hop. hops: how far to follow, 1 for these alone. most: entries in all."""
        self._most, self._known = most, set[int]()
        self._waiting: deque[tuple[int, int]] = deque()
        self._add(start, hops)

    def take(self) -> tuple[int, int] | None:
        """The next seq to ask for and the hops that are left with it, or None when there is nothing more."""
        return self._waiting.popleft() if self._waiting else None

    def found(self, entry: dict[str, Any], hops: int) -> None:
        """An entry has come, with so many hops left."""
        if hops > 1:
            self._add(references(entry), hops - 1)

    def _add(self, numbers: Iterable[int], hops: int) -> None:
        for number in numbers:
            if number not in self._known and len(self._known) < self._most and hops > 0:
                self._known.add(number)
                self._waiting.append((number, hops))
