"""Cases from a folder in the format of the public YEA repository's `conformance/`.

The folder is the user's to bring. Files and sections that are not known here are named as unread, never counted as
passed. These cases carry no clause ids, so each names the clause that is nearest to its file.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from reference.yea import jsontext
from vectors import Case

MOST_BYTES = 16 << 20
SLUG = re.compile(r"[^a-z0-9]+")
LENS = {"value": "lens.value", "reply": "lens.reply"}
OTHER_TARGET = "naysayer-other-target"
TYPE_NAMES = {str: "text", bool: "true or false", int: "integer", list: "list", dict: "object"}
DECISIONS = ("ok", "unauthorized", "forbidden", "consent_required")


@dataclass
class Folder:
    """What was read of a folder: its cases, and remarks on what was not."""

    cases: list[Case] = field(default_factory=list)
    notes: tuple[str, ...] = ()


class _Shape(Exception):
    """A case, or a member of it, is not in the form that its file is known to have."""


def _member(entry: Any, name: str, wanted: type) -> Any:
    """Return a member of a case; raises _Shape when it is not there or of another type."""
    if not isinstance(entry, dict):
        raise _Shape("it is no object")
    if name not in entry:
        raise _Shape(f"{name} is missing")
    value = entry[name]
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise _Shape(f"{name} is no {TYPE_NAMES.get(wanted, wanted.__name__)}")
    return value


def _text(entry: Any, name: str) -> str:
    return str(_member(entry, name, str))


def _is(entry: Any, name: str, value: bool) -> bool:
    """Whether a flag that may be missing has a value."""
    return isinstance(entry, dict) and name in entry and _member(entry, name, bool) is value


def _json(entry: Any, name: str) -> str:
    """Return the JSON text of a member."""
    return jsontext.dumps(_member(entry, name, object))


def read(folder: Path) -> Folder:
    """Return the cases of a folder; raises HarnessError naming the file, case and member that cannot be read."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as problem:
        raise HarnessError(f"{folder} cannot be read: {problem.strerror}") from None
    files = [path for path in entries if path.suffix == ".json" and path.stem in READERS]
    if not files:
        raise HarnessError(f"{folder} holds no file that is known here; it is no conformance folder")
    made = Folder()
    known: list[str] = []
    unread = [path.name for path in entries if path not in files]
    for path in files:
        data = _bytes(path)
        known.append(f"{path.name} ({hashlib.sha256(data).hexdigest()[:12]})")
        unread += [f"{path.name}: {section}" for section in _add(made, path, data, READERS[path.stem])]
    made.notes = (f"Read: {', '.join(known)}.",)
    if unread:
        made.notes += (f"Not read, not known here: {', '.join(unread)}.",)
    return made


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise HarnessError(f"{path} cannot be read: {problem.strerror}") from None
    if len(data) > MOST_BYTES:
        raise HarnessError(f"{path} is larger than {MOST_BYTES >> 20} MiB")
    return data


def _add(made: Folder, path: Path, data: bytes, reader: "Reader") -> list[str]:
    """Add a file's cases; returns the sections that were not read."""
    try:
        value = jsontext.loads(data)
    except ValueError as problem:
        raise HarnessError(f"{path}: not JSON: {problem}") from None
    taken = {each.id for each in made.cases}
    where = ""
    try:
        for section, entries in _sections(value, reader):
            for number, entry in enumerate(entries, start=1):
                where = _place(section, number, entry)
                for suffix, case in reader.cases(section, entry):
                    case_id = _free(f"official/{path.stem}/{_stem(number, entry)}{suffix}", taken)
                    made.cases.append(replace(case, id=case_id))
    except _Shape as problem:
        raise HarnessError(f"{path}{where}: {problem}") from None
    return [name for name in value if name not in reader.sections] if isinstance(value, dict) else []


def _place(section: str, number: int, entry: Any) -> str:
    """Return how a message names a case."""
    name = entry.get("name") if isinstance(entry, dict) else None
    named = f" {name!r}" if isinstance(name, str) else ""
    return f"{f', {section}' if section else ''}, case {number}{named}"


def _stem(number: int, entry: Any) -> str:
    name = entry.get("name") if isinstance(entry, dict) else None
    return (SLUG.sub("-", name.lower()).strip("-") if isinstance(name, str) else "") or str(number)


def _free(case_id: str, taken: set[str]) -> str:
    """Return an id that no case has, and take it."""
    number, free = 2, case_id
    while free in taken:
        free, number = f"{case_id}-{number}", number + 1
    taken.add(free)
    return free


def _sections(value: Any, reader: "Reader") -> Iterator[tuple[str, list[Any]]]:
    if not reader.sections:
        if not isinstance(value, list):
            raise _Shape("a list was expected")
        yield "", value
        return
    if not isinstance(value, dict):
        raise _Shape("an object was expected")
    for section in reader.sections:
        entries = value.get(section, [])
        if not isinstance(entries, list):
            raise _Shape(f"{section} is no list")
        yield section, entries


def _case(op: str, arguments: dict[str, Any], expected: dict[str, Any], clause: str, entry: Any) -> Case:
    name = entry.get("name")
    comment = name if isinstance(name, str) else ""
    return Case("", op, arguments, (expected,), (clause,), "public-vectors", comment=comment)


Made = Iterator[tuple[str, Case]]


def _canonical(_: str, entry: Any) -> Made:
    refused = _is(entry, "error", True)
    expected = {"error": True} if refused else {"ok": {"text": _text(entry, "canonical")}}
    clause = "YEA-10-08" if refused else "YEA-10-03"
    yield "", _case("canonical", {"json": _json(entry, "input")}, expected, clause, entry)


def _hash(_: str, entry: Any) -> Made:
    arguments = {"json": jsontext.dumps(_member(entry, "proposal", dict))}
    yield "", _case("hash", arguments, {"ok": {"hash": _text(entry, "hash")}}, "YEA-5.1-30", entry)


def _keys(_: str, entry: Any) -> Made:
    refused = _is(entry, "valid", False)
    expected = {"error": True} if refused else {"ok": {"public": _text(entry, "public")}}
    clause = "YEA-6.1-06" if refused else "YEA-6.1-01"
    yield "", _case("key.public", {"seed": _text(entry, "seed")}, expected, clause, entry)


def _proof(_: str, entry: Any) -> Made:
    said = {"ts": _member(entry, "ts", int), **{name: _text(entry, name) for name in ("aud", "verb", "target")}}
    signed = {name: _text(entry, name) for name in ("key", "sig")}
    valid = not _is(entry, "valid", False)
    yield "-verify", _case("proof.verify", {**said, **signed}, {"ok": {"valid": valid}}, "YEA-6.5-01", entry)
    if valid:
        arguments = {"seed": _text(entry, "seed"), **said}
        yield "-sign", _case("proof.sign", arguments, {"ok": signed}, "YEA-6.5-01", entry)
        other = {**said, **signed, "target": OTHER_TARGET}
        yield "-other-target", _case("proof.verify", other, {"ok": {"valid": False}}, "YEA-6.5-03", entry)


def _grants(_: str, entry: Any) -> Made:
    expect = _member(entry, "expect", dict)
    decision = "ok" if _member(expect, "ok", bool) else _text(expect, "code")
    if decision not in DECISIONS:
        raise _Shape(f"unknown code {decision!r}")
    trusted = _member(entry, "trusted", list)
    if not all(isinstance(key, str) for key in trusted):
        raise _Shape("trusted is no list of texts")
    arguments = {
        "token": _text(entry, "token"),
        "trusted": trusted,
        "proof_key": _text(entry, "proofKey"),
        "context": jsontext.dumps(_member(entry, "ctx", dict)),
    }
    clause = "YEA-6.4-02" if decision == "unauthorized" else "YEA-6.3-01"
    yield "", _case("grant.check", arguments, {"ok": {"decision": decision}}, clause, entry)


def _lens(_: str, entry: Any) -> Made:
    kind = _text(entry, "type")
    if kind not in LENS:
        raise _Shape(f"unknown type {kind!r}")
    text = _text(entry, "json") if "json" in entry else _json(entry, "input")
    yield "", _case(LENS[kind], {"json": text}, {"ok": {"text": _text(entry, "lens")}}, "YEA-9-01", entry)


def _uses(section: str, entry: Any) -> Made:
    if section == "quantities":
        arguments = {"json": _json(entry, "quantity")}
        yield "-quantity", _case("quantity", arguments, {"ok": {"text": _text(entry, "lens")}}, "YEA-9.2-05", entry)
    else:
        expected = {"ok": {"valid": _member(entry, "valid", bool)}}
        yield "", _case("uses.valid", {"json": _json(entry, "uses")}, expected, "YEA-5.1-19", entry)


def _estimate(_: str, entry: Any) -> Made:
    expected = {"ok": {"count": _member(entry, "est", int)}}
    yield "", _case("est", {"text": _text(entry, "text")}, expected, "YEA-8-08", entry)


@dataclass(frozen=True)
class Reader:
    """How a file is read: what makes a case, and which of its sections hold cases (none: the file is one list)."""

    cases: Callable[[str, Any], Made]
    sections: tuple[str, ...] = ()


READERS: dict[str, Reader] = {
    "canonical": Reader(_canonical),
    "hash": Reader(_hash),
    "keys": Reader(_keys),
    "proof": Reader(_proof),
    "grants": Reader(_grants, ("cases",)),
    "lens": Reader(_lens),
    "uses": Reader(_uses, ("quantities", "wellFormed")),
    "estimate": Reader(_estimate),
}
