"""Judges a projection by a read of the table of projections (BYOB 6), with the freedoms that the text leaves.

Free are: members beyond those that the spec shows, how much of a cut body stays above half of the limit, where the
cursor stands between the last entry that the seat saw and the last one of the ledger, the floor's shape while nobody
has it, and a null for a role that is none.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from vectors.tables import Entry, Read

Problem = tuple[str, str]
"""A clause, and what breaks it."""

Projection = Mapping[str, Any]


def problems(read: Read, projection: Any) -> list[Problem]:
    """What is wrong with a projection; an empty list when it is right.

    projection: an answer of GET projection, as parsed JSON of a bounded depth. It may be anything.
    """
    if not isinstance(projection, Mapping):
        return [("BYOB-6-01", "no object")]
    return [problem for part in PARTS for problem in part(read, projection)]


def _head(read: Read, got: Projection) -> Iterator[Problem]:
    wanted = {"protocol": "byob/0.1", "table": read.config["id"], "seat": read.seat}
    for name, value in wanted.items():
        if got.get(name) != value:
            yield "BYOB-6-01", f"{name} is {got.get(name)!r}, not {value!r}"
    if got.get("status") != read.status:
        yield "BYOB-6-31", f"status is {got.get('status')!r}, not {read.status!r}"


def _prefix(read: Read, got: Projection) -> Iterator[Problem]:
    prefix = _object(got.get("prefix"))
    if prefix.get("topic") != read.prefix["topic"]:
        yield "BYOB-6-02", f"topic is {prefix.get('topic')!r}"
    rules = _object(prefix.get("rules"))
    for name, value in read.prefix["rules"].items():
        if rules.get(name) != value:
            yield "BYOB-6-03", f"rules.{name} is {rules.get(name)!r}"
    yield from _listed("BYOB-6-04", "seat", read.prefix["seats"], prefix.get("seats"))
    yield from _listed("BYOB-6-05", "seq", read.prefix["decisions"], prefix.get("decisions"))
    hashed = hashlib.sha256(_canonical(got.get("prefix")).encode("utf-8", "replace")).hexdigest()
    if got.get("prefix_hash") != hashed:
        yield "BYOB-6-09", f"prefix_hash is {got.get('prefix_hash')!r}, and {hashed} is that of the prefix"


def _listed(clause: str, key: str, wanted: Sequence[Entry], got: Any) -> Iterator[Problem]:
    """Each wanted object is there, in whatever order, with at least its members; no other is."""
    found = {str(each.get(key)): each for each in _objects(got)}
    for each in wanted:
        same = found.pop(str(each[key]), None)
        if same is None:
            yield clause, f"{key} {each[key]!r} is missing"
        elif any(same.get(name) != value for name, value in each.items()):
            yield clause, f"{key} {each[key]!r} is {dict(same)!r}"
        elif "role" not in each and same.get("role") is not None:
            yield clause, f"{key} {each[key]!r} has a role"
    for other in found:
        yield clause, f"{key} {other} is too many"


def _tail(read: Read, got: Projection) -> Iterator[Problem]:
    entries = [entry for entry in _objects(got.get("tail")) if type(entry.get("seq")) is int]
    seqs = [entry["seq"] for entry in entries]
    if not isinstance(got.get("tail"), list) or len(entries) < len(got["tail"]):
        yield "BYOB-6-15", "the tail is no list of entries with a seq"
    if seqs != sorted(set(seqs)):
        yield "BYOB-6-16", f"the tail is out of order: {seqs}"
    for seq in seqs:
        if seq not in read.tail and seq not in read.open:
            yield "BYOB-6-12" if seq <= read.since else "BYOB-6-14", f"entry {seq} is in the tail"
    for seq in read.tail:
        if seq not in seqs:
            yield "BYOB-6-13", f"entry {seq} is not in the tail"
    known = {entry["seq"]: entry for entry in read.ledger}
    for entry in entries:
        if entry["seq"] in known:
            yield from _entry(read, known[entry["seq"]], entry)


def _entry(read: Read, wanted: Entry, got: Entry) -> Iterator[Problem]:
    seq = wanted["seq"]
    if "ts" in got:
        yield "BYOB-6-23", f"entry {seq} has a ts"
    cut = seq in read.cut
    changed = ("ts", "body", "refs") if cut else ("ts",)
    for name, value in wanted.items():
        if name not in changed and got.get(name) != value:
            clause = "BYOB-6-27" if name == "body" else "BYOB-6-15"
            yield clause, f"{name} of entry {seq} is {got.get(name)!r}"
    if cut:
        yield from _shortened(read, wanted, got)


def _shortened(read: Read, wanted: Entry, got: Entry) -> Iterator[Problem]:
    body, whole = got.get("body"), wanted["body"]
    half = read.config["projection"]["inline_limit"] // 2
    if not isinstance(body, str) or len(body) >= len(whole) or body[:half] != whole[:half]:
        yield "BYOB-6-25", f"the body of entry {wanted['seq']} is {body!r}"
    refs = got.get("refs")
    due = [*wanted.get("refs", ()), f"entry:{wanted['seq']}"]
    missing = [ref for ref in due if not isinstance(refs, list) or ref not in refs]
    if missing:
        yield "BYOB-6-26", f"refs of entry {wanted['seq']} lack {', '.join(missing)}"


def _rest(read: Read, got: Projection) -> Iterator[Problem]:
    cursor, (least, most) = got.get("cursor"), read.cursor
    if not isinstance(cursor, int) or isinstance(cursor, bool) or not least <= cursor <= most:
        yield "BYOB-6-18", f"cursor is {cursor!r}, not from {least} to {most}"
    floor = _object(got.get("floor"))
    if floor.get("holder") != read.holder or bool(floor.get("you_have_floor")) is not (read.holder == read.seat):
        yield "BYOB-6-29", f"floor is {dict(floor)!r}, and {read.holder!r} holds it"
    limit = read.config["floor"].get("max_chars")
    if read.holder is not None and (floor.get("grant_seq") != read.grant_seq or floor.get("max_chars") != limit):
        yield "BYOB-6-30", f"floor is {dict(floor)!r}, not of the grant {read.grant_seq}"
    tasks = {str(task.get("id", task.get("task"))): task.get("state") for task in _objects(got.get("my_tasks"))}
    for task, state in read.listed.items():
        if tasks.get(task) != state:
            yield "BYOB-6-32", f"{task} is {tasks.get(task)!r}, not {state}"
    for task in read.not_listed:
        if task in tasks:
            yield "BYOB-6-32", f"{task} is listed"


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _canonical(value: Any) -> str:
    """Canonical JSON of what the table holds: keys of ASCII, and integers (BYOB 4)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


PARTS: tuple[Callable[[Read, Projection], Iterator[Problem]], ...] = (_head, _prefix, _tail, _rest)
