"""What a vector file holds: groups of cases, each one call of an adapter operation with its right answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Answer = Mapping[str, Any]
"""An acceptable answer: {"ok": {…}}, or {"error": true, "code"?: str}."""


@dataclass(frozen=True)
class Case:
    """One call and its right answers.

    Args:
        id: `operation/words`; never reused.
        op: the adapter operation.
        input: its arguments, as the adapter gets them.
        expected: the acceptable answers; any of them is right.
        clauses: ids of the clauses that the case shows, its group's first.
        basis: `text`, `public-vectors`, or `open`: then another answer is worth a warning and no more.
        question: the open question that it touches, or None.
        comment: a fact about the case, may be empty.
        flags: names of notes of the file: the mistakes that the case catches.
        compare, ignores: how an ok is compared, see `vectors.answers`.
    """

    id: str
    op: str
    input: Mapping[str, Any]
    expected: tuple[Answer, ...]
    clauses: tuple[str, ...]
    basis: str = "text"
    question: str | None = None
    comment: str = ""
    flags: tuple[str, ...] = ()
    compare: str = "text"
    ignores: tuple[str, ...] = ()


@dataclass(frozen=True)
class Note:
    """What a flag means: the mistake that its cases catch, and the clauses that it breaks."""

    bug: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Cases that show the same clauses."""

    name: str
    clauses: tuple[str, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class VectorFile:
    """One file: all cases of one adapter operation."""

    path: Path
    protocol: str
    op: str
    section: str
    groups: tuple[Group, ...]
    notes: Mapping[str, Note] = field(default_factory=dict)
    compare: str = "text"
    ignores: tuple[str, ...] = ()

    @property
    def cases(self) -> Iterator[Case]:
        """Every case, in the order of the file."""
        return (case for group in self.groups for case in group.cases)
