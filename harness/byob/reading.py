"""Finding things by value: the spec names few members, and a host may put the rest where it likes (BYOB-Q041).

Everything here takes what a host sent as it is, of any shape and depth, and never raises.
"""

import re
from collections.abc import Iterator
from typing import Any

from harness.targets.answers import ABSENT, Answer
from reference.yea import jsontext

Json = Any
Path = tuple[str | int, ...]
Entry = dict[str, Json]
TASK_ID = re.compile(r"task-[1-9][0-9]*")
LINES = ("application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines")
MOST = 20_000  # values looked at in one JSON value


def walk(value: Json) -> Iterator[tuple[Path, Json]]:
    """Yield every value inside a JSON value with its path, itself first, near ones before deep ones."""
    level: list[tuple[Path, Json]] = [((), value)]
    seen = 0
    while level and seen < MOST:
        yield from level
        seen += len(level)
        level = [found for path, inner in level for found in _children(path, inner)]


def _children(path: Path, value: Json) -> Iterator[tuple[Path, Json]]:
    if isinstance(value, dict):
        yield from (((*path, key), each) for key, each in value.items())
    elif isinstance(value, list):
        yield from (((*path, index), each) for index, each in enumerate(value))


def same(one: Json, other: Json) -> bool:
    """Whether two JSON values are equal, true and 1 being different things."""
    return (
        type(one) is type(other) and one == other if isinstance(one, bool) or isinstance(other, bool) else one == other
    )


def holds(value: Json, wanted: Json) -> bool:
    """Whether a value is `wanted` or has it somewhere inside, as a whole value."""
    return any(same(inner, wanted) for _, inner in walk(value))


def mentions(value: Json, text: str) -> bool:
    """Whether a text stands in any string inside a value, keys included."""
    return any(
        (isinstance(inner, str) and text in inner) or bool(path and isinstance(path[-1], str) and text in path[-1])
        for path, inner in walk(value)
    )


def members(value: Json, name: str) -> list[Json]:
    """Return the values of every member of this name, at any depth, near ones first."""
    return [inner for path, inner in walk(value) if path and path[-1] == name]


def paths_to(value: Json, wanted: Json) -> list[Path]:
    """Return where a value stands inside another."""
    return [path for path, inner in walk(value) if same(inner, wanted)]


def at(value: Json, path: Path) -> Json:
    """Return what stands at a path, ABSENT when nothing does."""
    for step in path:
        value = _inside(value, step)
    return value


def _inside(value: Json, step: str | int) -> Json:
    if isinstance(value, dict):
        return value.get(str(step), ABSENT)
    found = isinstance(value, list) and isinstance(step, int) and step < len(value)
    return value[int(step)] if found else ABSENT


def objects(value: Json) -> list[dict[str, Json]]:
    """Return the objects of a list, or of the values of an object; nothing of anything else (BYOB-Q012)."""
    listed = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return [each for each in listed if isinstance(each, dict)]


def entries_of(answer: Answer) -> list[Entry] | None:
    """Return the entries of a ledger answer: a list, an object with one, or JSON Lines (BYOB-Q014); None for others."""
    value = answer.value
    if isinstance(value, list):
        return _whole(value)
    if answer.content_type in LINES and (value is ABSENT or "seq" in answer.members):
        return _lines(answer.body)
    if isinstance(value, dict):
        lists = [each for each in value.values() if isinstance(each, list)]
        chosen = value.get("entries", lists[0] if len(lists) == 1 else None)
        return _whole(chosen) if isinstance(chosen, list) else None
    return None


def _whole(listed: list[Json]) -> list[Entry] | None:
    return listed if all(isinstance(each, dict) for each in listed) else None


def _lines(body: bytes) -> list[Entry] | None:
    try:
        return _whole([jsontext.loads(line) for line in body.splitlines() if line.strip()])
    except ValueError:
        return None


def seq_of(entry: Json) -> int:
    """Return an entry's seq, 0 when it has none that is an integer."""
    seq = entry.get("seq") if isinstance(entry, dict) else None
    return seq if isinstance(seq, int) and not isinstance(seq, bool) else 0


def events(entries: list[Entry], name: str) -> list[Entry]:
    """Return the system entries of this event."""
    return [entry for entry in entries if entry.get("kind") == "system" and entry.get("event") == name]


def of_kind(entries: list[Entry], *kinds: str) -> list[Entry]:
    """Return the entries of these kinds."""
    return [entry for entry in entries if entry.get("kind") in kinds]


def without_notes(entries: list[Entry]) -> list[Entry]:
    """Return the entries without system/note, which may come anywhere (BYOB-Q043)."""
    return [entry for entry in entries if not (entry.get("kind") == "system" and entry.get("event") == "note")]


def task_ids(value: Json) -> list[str]:
    """Return the task ids inside a value, each once, near ones first."""
    found = [inner for _, inner in walk(value) if isinstance(inner, str) and TASK_ID.fullmatch(inner)]
    return list(dict.fromkeys(found))


def total_of(memory: Json) -> int | None:
    """Return the token total of a memory: the one integer whose path says `token` (BYOB-Q012); None if unclear."""
    found = {
        path: inner
        for path, inner in walk(memory)
        if isinstance(inner, int) and not isinstance(inner, bool) and any("token" in str(step).lower() for step in path)
    }
    inside = ("tasks", "decisions", "seats")
    outer = {path: inner for path, inner in found.items() if path[0] not in inside}
    if len(outer) > 1:
        outer = {path: inner for path, inner in outer.items() if not _is_limit(path)}
    return next(iter(outer.values())) if len(outer) == 1 else None


def _is_limit(path: Path) -> bool:
    words = str(path[-1]).lower()
    return any(word in words for word in ("limit", "max", "budget_tokens", "remaining", "left"))


def dotted(path: Path) -> str:
    """Return a path as a person writes it: `data.seat`."""
    return ".".join(str(step) for step in path)
