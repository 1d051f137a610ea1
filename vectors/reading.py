"""Reads vector files.

A file is checked against its schema before anything is made of it. A text that is mostly repetition is stored as
{"repeat": [[text, times], …]}; here it becomes the text.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from vectors import schema
from vectors.errors import VectorError
from vectors.model import Case, Group, Note, VectorFile

ROOT = Path(__file__).parent
SCHEMA = "naysayer-vectors/1"
MAX_BYTES = 16 * 1024 * 1024  # of one file
MAX_TEXT = 4 * 1024 * 1024  # characters of one repeated text


def suites() -> list[str]:
    """The protocols that have vectors, in order: the folders beside this module that hold any."""
    return sorted({path.parent.name for path in ROOT.glob("*/*.json")} - {schema.SCHEMAS.name})


def load(suite: str) -> list[VectorFile]:
    """All vector files of a protocol, by name. Raises VectorError for an unknown suite and for a broken file."""
    return list(_load(suite))


@cache
def _load(suite: str) -> tuple[VectorFile, ...]:
    """Read once in a process: to hold a thousand cases against their schemas takes a second."""
    if suite not in suites():
        raise VectorError(suite, "", "", f"no such suite; there is {', '.join(suites()) or 'none'}")
    return tuple(read(path) for path in sorted((ROOT / suite).glob("*.json")))


def read(path: Path) -> VectorFile:
    """One vector file. Raises VectorError, which names file, case and field."""
    file = f"{path.parent.name}/{path.name}"
    document = parse(path)
    schema.check(document, file)
    if path.name != schema.schema_name(document["op"]):
        raise VectorError(
            file, "", "op", f"the vectors of {document['op']} are in {schema.schema_name(document['op'])}"
        )
    return VectorFile(
        path=path,
        protocol=document["protocol"],
        op=document["op"],
        section=document["section"],
        groups=tuple(_group(group, document, file) for group in document["groups"]),
        notes={name: Note(note["bug"], tuple(note["clauses"])) for name, note in document.get("notes", {}).items()},
        compare=document.get("compare", "text"),
        ignores=tuple(document.get("ignores", ())),
    )


def parse(path: Path) -> Any:
    """The JSON of a vector file. Raises VectorError when it cannot be read."""
    file = f"{path.parent.name}/{path.name}"
    try:
        if path.stat().st_size > MAX_BYTES:
            raise VectorError(file, "", "", f"larger than {MAX_BYTES} bytes")
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, VectorError):
            raise
        raise VectorError(file, "", "", f"cannot be read: {error}") from None


def _group(group: dict[str, Any], document: dict[str, Any], file: str) -> Group:
    clauses = tuple(group.get("clauses", ()))
    return Group(
        name=group["name"],
        clauses=clauses,
        cases=tuple(_case(case, clauses, document, file) for case in group["cases"]),
    )


def _case(case: dict[str, Any], clauses: tuple[str, ...], document: dict[str, Any], file: str) -> Case:
    return Case(
        id=case["id"],
        op=document["op"],
        input=_expanded(case["input"], file, case["id"], "input"),
        expected=tuple(_expanded(answer, file, case["id"], "expected") for answer in case["expected"]),
        clauses=tuple(dict.fromkeys([*clauses, *case.get("clauses", ())])),
        basis=case.get("basis", "text"),
        question=case.get("question"),
        comment=case.get("comment", ""),
        flags=tuple(case.get("flags", ())),
        compare=document.get("compare", "text"),
        ignores=tuple(document.get("ignores", ())),
    )


def _expanded(value: Any, file: str, case: str, field: str) -> Any:
    """The same value with its repeated texts written out. The schemas bound its depth."""
    if isinstance(value, list):
        return [_expanded(item, file, case, field) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"repeat"}:
        if sum(len(text) * times for text, times in value["repeat"]) > MAX_TEXT:
            raise VectorError(file, case, field, f"a repeated text of more than {MAX_TEXT} characters")
        return "".join(text * times for text, times in value["repeat"])
    return {name: _expanded(item, file, case, f"{field}.{name}") for name, item in value.items()}
