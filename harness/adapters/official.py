"""Cases from a folder in the format of the public YEA repository's `conformance/`.

The folder is the user's to bring. Files and sections that are not known here are named as unread, never counted as
passed. These cases carry no clause ids, so each names the clause that is nearest to its file.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from reference.yea import jsontext
from vectors import Case

MOST_BYTES = 16 << 20
SLUG = re.compile(r"[^a-z0-9]+")
OTHER_TARGET = "naysayer-other-target"
DECISIONS = ("ok", "unauthorized", "forbidden", "consent_required")


@dataclass
class Folder:
    """What was read of a folder: its cases, and remarks on what was not."""

    cases: list[Case] = field(default_factory=list)
    notes: tuple[str, ...] = ()


class _Shape(Exception):
    """A case is not in the form that its file is known to have."""


def read(folder: Path) -> Folder:
    """Return the cases of a folder; raises HarnessError naming the file and case that cannot be read."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".json")
    except OSError as problem:
        raise HarnessError(f"{folder} cannot be read: {problem.strerror}") from None
    if not files:
        raise HarnessError(f"{folder} holds no .json files; it is no conformance folder")
    made = Folder()
    known, unread = [], []
    for path in files:
        reader = READERS.get(path.stem)
        if reader is None:
            unread.append(path.name)
            continue
        text = _bytes(path)
        known.append(f"{path.name} ({hashlib.sha256(text).hexdigest()[:12]})")
        unread += [f"{path.name}: {section}" for section in _add(made, path, text, reader)]
    notes = [f"Read: {', '.join(known) or 'nothing'}."]
    if unread:
        notes.append(f"Not read, not known here: {', '.join(unread)}.")
    made.notes = tuple(notes)
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


def _add(made: Folder, path: Path, text: bytes, reader: "Reader") -> list[str]:
    """Add a file's cases; returns the sections that were not read."""
    try:
        value = jsontext.loads(text)
    except ValueError as problem:
        raise HarnessError(f"{path}: not JSON: {problem}") from None
    entry_number = 0
    try:
        for section, entries in _sections(value, reader):
            for entry_number, entry in enumerate(entries, start=1):
                name = entry.get("name") if isinstance(entry, dict) else None
                stem = SLUG.sub("-", str(name).lower()).strip("-") if isinstance(name, str) else str(entry_number)
                for suffix, case in reader.cases(section, entry):
                    case_id = f"official/{path.stem}/{stem}{suffix}"
                    made.cases.append(_renamed(case, case_id, {each.id for each in made.cases}))
    except (_Shape, KeyError, TypeError, AttributeError) as problem:
        raise HarnessError(f"{path}: case {entry_number}: not in the known form ({problem})") from None
    return [name for name in value if name not in reader.sections] if isinstance(value, dict) else []


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


def _renamed(case: Case, case_id: str, taken: set[str]) -> Case:
    number, free = 2, case_id
    while free in taken:
        free, number = f"{case_id}-{number}", number + 1
    return Case(
        free, case.op, case.input, case.expected, case.clauses, "public-vectors", comment=case.comment,
        compare=case.compare,
    )  # fmt: skip


def _case(op: str, arguments: dict[str, Any], expected: dict[str, Any], clause: str, name: Any) -> Case:
    return Case("", op, arguments, (expected,), (clause,), comment=str(name or ""))


Made = Iterator[tuple[str, Case]]


def _canonical(_: str, entry: dict[str, Any]) -> Made:
    refused = entry.get("error") is True
    expected = {"error": True} if refused else {"ok": {"text": entry["canonical"]}}
    clause = "YEA-10-08" if refused else "YEA-10-03"
    yield "", _case("canonical", {"json": jsontext.dumps(entry["input"])}, expected, clause, entry.get("name"))


def _hash(_: str, entry: dict[str, Any]) -> Made:
    arguments = {"json": jsontext.dumps(entry["proposal"])}
    yield "", _case("hash", arguments, {"ok": {"hash": entry["hash"]}}, "YEA-5.1-30", entry.get("name"))


def _keys(_: str, entry: dict[str, Any]) -> Made:
    refused = entry.get("valid") is False
    expected = {"error": True} if refused else {"ok": {"public": entry["public"]}}
    yield "", _case("key.public", {"seed": entry["seed"]}, expected, "YEA-6.1-06" if refused else "YEA-6.1-01", "")


def _proof(_: str, entry: dict[str, Any]) -> Made:
    said = {name: entry[name] for name in ("aud", "verb", "target", "ts")}
    signed = {"key": entry["key"], "sig": entry["sig"]}
    valid = entry.get("valid") is not False
    yield "-verify", _case("proof.verify", {**said, **signed}, {"ok": {"valid": valid}}, "YEA-6.5-01", "")
    if valid:
        yield "-sign", _case("proof.sign", {"seed": entry["seed"], **said}, {"ok": signed}, "YEA-6.5-01", "")
        other = {**said, **signed, "target": OTHER_TARGET}
        yield "-other-target", _case("proof.verify", other, {"ok": {"valid": False}}, "YEA-6.5-03", "")


def _grants(_: str, entry: dict[str, Any]) -> Made:
    expect = entry["expect"]
    decision = "ok" if expect["ok"] else expect["code"]
    if decision not in DECISIONS:
        raise _Shape(f"unknown code {decision!r}")
    arguments = {
        "token": entry["token"],
        "trusted": entry["trusted"],
        "proof_key": entry["proofKey"],
        "context": jsontext.dumps(entry["ctx"]),
    }
    clause = "YEA-6.4-02" if decision == "unauthorized" else "YEA-6.3-01"
    yield "", _case("grant.check", arguments, {"ok": {"decision": decision}}, clause, entry.get("name"))


def _lens(_: str, entry: dict[str, Any]) -> Made:
    operations = {"value": "lens.value", "reply": "lens.reply"}
    text = entry["json"] if "json" in entry else jsontext.dumps(entry["input"])
    op = operations.get(entry.get("type", "value"))
    if op is None:
        raise _Shape(f"unknown type {entry['type']!r}")
    yield "", _case(op, {"json": text}, {"ok": {"text": entry["lens"]}}, "YEA-9-01", entry.get("name"))


def _uses(section: str, entry: dict[str, Any]) -> Made:
    if section == "quantities":
        arguments = {"json": jsontext.dumps(entry["quantity"])}
        yield "-quantity", _case("quantity", arguments, {"ok": {"text": entry["lens"]}}, "YEA-9.2-05", "")
    else:
        arguments = {"json": jsontext.dumps(entry["uses"])}
        expected = {"ok": {"valid": entry["valid"]}}
        yield "", _case("uses.valid", arguments, expected, "YEA-5.1-19", entry.get("name"))


def _estimate(_: str, entry: dict[str, Any]) -> Made:
    yield "", _case("est", {"text": entry["text"]}, {"ok": {"count": entry["est"]}}, "YEA-8-08", "")


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
