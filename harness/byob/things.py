"""What monitors look at in the answers of a table host, and how it is found there.

| over | what the judge gets |
| --- | --- |
| `answer` | an `Answer` below /v0.1 |
| `error` | an `Answer` of 400 or more, on a method and path that the spec defines |
| `projection` | a `Read`: the answer, the table's id, and the projection |
| `entry` | a `Read` of each entry: the answer to a post or approval, of a tail, by itself, or of a ledger |
| `ledger` | a `Read`: the answer, the table's id, and the list of entries |
| `stream` | the `Answer` that is the head of an event stream |
| `event` | a `Heard` |
| `table` | a `LeftTable`, once for every table that the run made, when all checks have ended |
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.byob import reading
from harness.byob.dialect import Dialect
from harness.byob.folding import Folded
from harness.byob.recipes import Place
from harness.targets.answers import Answer, Heard

Json = Any
SEGMENT = r"/tables/(?P<table>[^/?]+)"
ROUTES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (name, method, re.compile(path))
    for name, method, path in (
        ("create", "POST", r"/tables"),
        ("join", "POST", SEGMENT + "/seats"),
        ("post", "POST", SEGMENT + "/entries"),
        ("projection", "GET", SEGMENT + r"/projection(\?.*)?"),
        ("entry", "GET", SEGMENT + r"/entries/[^/?]+"),
        ("events", "GET", SEGMENT + "/events"),
        ("memory", "GET", SEGMENT + "/memory"),
        ("task", "GET", SEGMENT + r"/tasks/[^/?]+"),
        ("approve", "POST", SEGMENT + "/approvals"),
        ("close", "POST", SEGMENT + "/close"),
        ("ledger", "GET", SEGMENT + "/ledger"),
    )
)


@dataclass(frozen=True)
class Read:
    """Something that was read from an answer: on which table, by which endpoint, and the thing."""

    answer: Answer
    table: str
    route: str
    value: Json


@dataclass(frozen=True)
class LeftTable:
    """A table as the run left it: its config and places, its ledger and the fold of it, and what a seat reads there."""

    id: str
    config: Mapping[str, Json]
    places: Mapping[str, Place]
    dialect: Dialect
    entries: list[reading.Entry]
    folded: Folded
    reader: str = ""
    projection: Mapping[str, Json] = field(default_factory=dict)
    memory: Mapping[str, Json] = field(default_factory=dict)
    total: int | None = None
    start: bytes = b""


def route(answer: Answer) -> tuple[str, str]:
    """Return which endpoint a request went to and the table in its path; empty strings for what is not defined."""
    return route_of(answer.method, answer.path)


def route_of(asked: str, target: str) -> tuple[str, str]:
    """Return which endpoint a method and path name, and the table; empty strings for what is not defined."""
    for name, method, path in ROUTES:
        found = path.fullmatch(target) if asked == method else None
        if found:
            return name, found.groupdict().get("table") or ""
    return "", ""


def _answers(item: Any) -> Iterator[Any]:
    if isinstance(item, Answer) and not item.path.startswith("//"):
        yield item


def _errors(item: Any) -> Iterator[Any]:
    if isinstance(item, Answer) and item.status >= 400 and route(item)[0]:
        yield item


def _streams(item: Any) -> Iterator[Any]:
    if isinstance(item, Answer) and item.ok and item.content_type == "text/event-stream":
        yield item


def _projections(item: Any) -> Iterator[Any]:
    if isinstance(item, Answer) and item.ok:
        name, table = route(item)
        if name == "projection":
            yield Read(item, table, name, item.value)


def _ledgers(item: Any) -> Iterator[Any]:
    if isinstance(item, Answer) and item.ok:
        name, table = route(item)
        if name == "ledger":
            yield Read(item, table, name, reading.entries_of(item))


def _entries(item: Any) -> Iterator[Any]:
    if not isinstance(item, Answer) or not item.ok:
        return
    name, table = route(item)
    if name in ("post", "entry", "approve"):
        yield Read(item, table, name, item.value)
    found = item.members.get("tail") if name == "projection" else reading.entries_of(item) if name == "ledger" else None
    for entry in found if isinstance(found, list) else ():
        yield Read(item, table, name, entry)


def _events(item: Any) -> Iterator[Any]:
    if isinstance(item, Heard):
        yield item


def _tables(item: Any) -> Iterator[Any]:
    if isinstance(item, LeftTable):
        yield item


TABLE_THINGS: dict[str, Callable[[Any], Iterator[Any]]] = {
    "answer": _answers,
    "error": _errors,
    "stream": _streams,
    "projection": _projections,
    "entry": _entries,
    "ledger": _ledgers,
    "event": _events,
    "table": _tables,
}
