"""What `--save DIR` keeps of a failure: itself, as JSON, and the calls that went wrong as vectors of this project.

`DIR/yea/canonical.json` and its like are vector files (vectors/README.md): `naysayer vectors --dir DIR` runs them, and
a case that is worth keeping for ever can be copied from there.
"""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from fuzz.openness import is_open
from harness.campaigns.judged import Difference, file_of
from harness.campaigns.orders import Result
from vectors import VectorError, schema, writing
from vectors.reading import SCHEMA, parse

GROUP = "found by fuzzing"
LONGEST_NAME = 100


class NotKept(Exception):
    """A file that cannot be written; `str()` says which, and why."""


def keep(folder: Path, found: Result, differences: list[Difference]) -> list[Path]:
    """Write a failure and its vectors; returns the vector files. Raises NotKept."""
    path = folder / f"{_file_name(found.job.name)}.json"
    entry = {
        "property": found.job.of,
        "smallest": found.outcome.smallest,
        "problem": found.outcome.failure,
        "seed": found.order.seed,
        "examples": found.order.examples,
        "calls": [
            {"op": call.operation, "input": call.arguments, "answer": call.answer} for call in found.outcome.calls
        ],
    }
    try:
        path.write_text(json.dumps(entry, indent=1) + "\n", encoding="ascii")
        return [written for each in differences if (written := _keep_vector(folder, found, each)) is not None]
    except OSError as problem:
        raise NotKept(f"--save {folder}: {path.name} cannot be written: {problem.strerror}") from None


def _keep_vector(folder: Path, found: Result, made: Difference) -> Path | None:
    """Add a case to the vector file of its operation; None where the text is open, or no vector could hold it."""
    call = made.call
    if is_open(call.operation, call.arguments) and made.case.compare != "invariants":
        return None
    file = file_of(call.operation)
    path = folder / file.protocol / file.path.name
    document = _document(path, call.operation)
    case = {"id": f"{call.operation}/found-{_digest(call.arguments)}", "comment": _comment(found)}
    group = {
        "name": f"{GROUP}: {found.job.of}",
        "clauses": list(made.case.clauses),
        "cases": [{**case, "input": call.arguments, "expected": list(made.case.expected)}],
    }
    try:
        schema.check({**document, "groups": [group]}, path.name)
    except VectorError:
        return None
    if _add(document["groups"], group):
        path.parent.mkdir(exist_ok=True)
        path.write_text(writing.render(document), encoding="utf-8")
    return path


def _add(groups: list[dict[str, Any]], group: dict[str, Any]) -> bool:
    """Add a case to the group of its name; returns false where it is there already."""
    (case,) = group["cases"]
    if any(each["id"] == case["id"] for known in groups for each in known["cases"]):
        return False
    same = next((known for known in groups if known["name"] == group["name"]), None)
    if same is None:
        groups.append(group)
    else:
        same["cases"].append(case)
    return True


def _document(path: Path, operation: str) -> dict[str, Any]:
    """Return what the file holds, or an empty one."""
    if path.exists():
        try:
            document = parse(path)
            schema.check(document, path.name)
        except (VectorError, KeyError, TypeError) as problem:
            raise NotKept(f"--save: {path} is no vector file, and is left as it is: {problem}") from None
        return dict(document)
    file = file_of(operation)
    head: dict[str, Any] = {"schema": SCHEMA, "op": operation, "protocol": file.protocol, "section": file.section}
    head |= {"compare": file.compare} if file.compare != "text" else {}
    head |= {"ignores": list(file.ignores)} if file.ignores else {}
    return {**head, "groups": []}


def _comment(found: Result) -> str:
    return f"found by {found.job.of} with seed {found.order.seed}"


def _digest(arguments: dict[str, Any]) -> str:
    return sha256(json.dumps(arguments, sort_keys=True).encode()).hexdigest()[:12]


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name)[:LONGEST_NAME]
