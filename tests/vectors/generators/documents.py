"""Puts vector files together: cases, groups and files as the JSON that is stored."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]
ARTICLES = re.compile(r"^(an?|the) ")


def case(
    op: str,
    name: str,
    arguments: Json,
    *expected: Json,
    comment: str = "",
    flags: str = "",
    basis: str = "text",
    question: str = "",
    clauses: str = "",
) -> Json:
    """A case. name: the words of its id; flags and clauses: separated by blanks, clauses as `ids` takes them."""
    members: Json = {
        "id": f"{op}/{slug(name)}",
        "comment": comment,
        "flags": flags.split(),
        "basis": "" if basis == "text" else basis,
        "question": question,
        "clauses": ids(clauses),
    }
    return {**{key: value for key, value in members.items() if value}, "input": arguments, "expected": list(expected)}


def group(name: str, clauses: str, cases: Sequence[Json]) -> Json:
    """A group; clauses as in `case`."""
    return {"name": name, "clauses": ids(clauses), "cases": list(cases)}


def document(op: str, section: str, groups: Sequence[Json], notes: Mapping[str, tuple[str, str]]) -> Json:
    """A file. notes: for each flag the mistake and its clauses."""
    made = {flag: {"bug": bug, "clauses": ids(clauses)} for flag, (bug, clauses) in notes.items()}
    protocol = "byob" if op.startswith("byob.") else "yea"
    head = {"schema": "naysayer-vectors/1", "op": op, "protocol": protocol, "section": section}
    return {**head, "notes": made, "groups": list(groups)}


def unlike(cases: Iterable[Json], made: set[str]) -> list[Json]:
    """The cases whose input was not made before; `made` gets theirs."""
    kept = []
    for each in cases:
        if spelled(each["input"]) not in made:
            made.add(spelled(each["input"]))
            kept.append(each)
    return kept


def spelled(arguments: Json) -> str:
    """One text for each input."""
    return json.dumps(arguments, sort_keys=True)


def ids(clauses: str) -> list[str]:
    """Clause ids from their numbers; a number without its protocol is one of YEA's."""
    return [number if number.startswith("BYOB-") else f"YEA-{number}" for number in clauses.split()]


def slug(words: str) -> str:
    """Words as they stand in an id."""
    return re.sub(r"[^a-z0-9]+", "-", ARTICLES.sub("", words).lower()).strip("-")


def ok(**members: Any) -> Json:
    """The answer that is a result."""
    return {"ok": members}


def refused(code: str = "") -> Json:
    """The answer that refuses the input, with this code if the spec fixes one."""
    return {"error": True, "code": code} if code else {"error": True}
