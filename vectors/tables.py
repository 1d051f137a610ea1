"""Tables: what no adapter operation asks for, as data. Who sees which entry (BYOB 7), and what a seat reads (BYOB 6).

`visibility()` gives the views, `projections()` the reads; `vectors.projecting` judges a projection by its read. The
files lie in `byob/tables/`, and README.md explains them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from vectors import schema
from vectors.reading import ROOT, parse

FOLDER = ROOT / "byob" / "tables"
NAMES = ("projections", "visibility")

Entry = Mapping[str, Any]
"""A ledger entry, or as much of one as decides who sees it: `seat`, `kind`, and `to` if it has one."""


@dataclass(frozen=True)
class View:
    """Whether one seat sees one entry.

    Args:
        id: the case's, shared by all seats of its entry.
        config: `topology`, and `visibility` where there are overrides.
        roles: the seats that have joined, each with its role or None.
        entry: what is seen or not.
        seat: who looks.
        word: `visible`, `hidden`, or `open`: then either is right.
        why: the clause that says so, or the open question.
    """

    id: str
    config: Mapping[str, Any]
    roles: Mapping[str, str | None]
    entry: Entry
    seat: str
    word: str
    why: str


@dataclass(frozen=True)
class Read:
    """One read of a projection, and what fixes its answer.

    Args:
        id: its name; never reused.
        clauses: what it shows.
        config: the table's.
        ledger: all entries when it is read, `ts` included.
        seat: who reads.
        since: entries with a higher seq are new.
        prefix: what has to be in the prefix.
        prefix_hash: its hash, if nothing else is in it.
        tail: seqs of the entries that are in the tail.
        open: seqs of entries that may be.
        cut: seqs of those whose body comes shortened.
        cursor: its least and its largest value.
        holder: who has the floor, or None.
        grant_seq: the seq of the grant, or None.
        status: `open` or `closed`.
        listed: tasks that my_tasks holds, with their state.
        not_listed: tasks that it does not hold; any other may be there or not.
    """

    id: str
    clauses: tuple[str, ...]
    config: Mapping[str, Any]
    ledger: Sequence[Entry]
    seat: str
    since: int
    prefix: Mapping[str, Any]
    prefix_hash: str
    tail: tuple[int, ...]
    open: tuple[int, ...]
    cut: tuple[int, ...]
    cursor: tuple[int, int]
    holder: str | None
    grant_seq: int | None
    status: str
    listed: Mapping[str, str]
    not_listed: tuple[str, ...]


def table(name: str) -> Any:
    """The parsed file of a table; raises VectorError when it is broken."""
    path = FOLDER / f"{name}.json"
    document = parse(path)
    schema.check_table(document, name, f"{FOLDER.name}/{path.name}")
    return document


@cache
def visibility() -> tuple[View, ...]:
    """Every view: each entry with each seat of its table."""
    return tuple(
        View(case["id"], _config(group), group["seats"], case["entry"], seat, word, why)
        for group in table("visibility")["groups"]
        for case in group["cases"]
        for seat, (word, why) in case["views"].items()
    )


def _config(group: Mapping[str, Any]) -> dict[str, Any]:
    return {name: group[name] for name in ("topology", "visibility") if name in group}


@cache
def projections() -> tuple[Read, ...]:
    """Every read of every ledger."""
    return tuple(_read(group, case) for group in table("projections")["groups"] for case in group["cases"])


def _read(group: Mapping[str, Any], case: Mapping[str, Any]) -> Read:
    wanted = case["expected"]
    stable = [each for each in group["prefixes"] if each["from"] <= case["at"]][-1]
    return Read(
        id=case["id"],
        clauses=tuple(case["clauses"]),
        config=group["config"],
        ledger=group["ledger"][: case["at"]],
        seat=case["seat"],
        since=case["since"],
        prefix=stable["prefix"],
        prefix_hash=stable["hash"],
        tail=tuple(wanted["tail"]),
        open=tuple(wanted.get("open", ())),
        cut=tuple(wanted["cut"]),
        cursor=(wanted["cursor"][0], wanted["cursor"][1]),
        holder=wanted["floor"]["holder"],
        grant_seq=wanted["floor"]["grant_seq"],
        status=wanted["status"],
        listed=wanted["my_tasks"]["listed"],
        not_listed=tuple(wanted["my_tasks"]["not_listed"]),
    )
