"""What a schema cannot say of the vector files: unique ids, flags and notes that belong together, one spelling."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from vectors import tables
from vectors.errors import VectorError
from vectors.model import VectorFile
from vectors.reading import ROOT, parse, read, suites
from vectors.writing import render, render_table


def paths() -> list[Path]:
    """Every vector file of every suite, in order."""
    return [path for suite in suites() for path in sorted((ROOT / suite).glob("*.json"))]


def lint(files: Iterable[Path]) -> tuple[list[VectorFile], list[str]]:
    """The files that can be read, and one sentence for each problem."""
    read_files, problems = [], []
    for path in files:
        try:
            vectors = read(path)
        except VectorError as error:
            problems.append(str(error))
            continue
        read_files.append(vectors)
        problems += [str(VectorError(_name(vectors), *found)) for rule in RULES for found in rule(vectors)]
    return read_files, problems + _repeated(read_files)


def _name(vectors: VectorFile) -> str:
    return f"{vectors.path.parent.name}/{vectors.path.name}"


Found = tuple[str, str, str]  # case, field, problem


def _place(vectors: VectorFile) -> Iterator[Found]:
    if vectors.protocol != vectors.path.parent.name:
        yield "", "protocol", f"{vectors.protocol!r} in the folder {vectors.path.parent.name!r}"


def _ids(vectors: VectorFile) -> Iterator[Found]:
    for case in vectors.cases:
        if not case.id.startswith(f"{vectors.op}/"):
            yield case.id, "id", f"does not begin with {vectors.op}/"


def _clauses(vectors: VectorFile) -> Iterator[Found]:
    for case in vectors.cases:
        if not case.clauses:
            yield case.id, "clauses", "names no clause, and neither does its group"


def _open(vectors: VectorFile) -> Iterator[Found]:
    for case in vectors.cases:
        if case.basis == "open" and case.question is None:
            yield case.id, "question", "an open basis needs the question that is open"


def _flags(vectors: VectorFile) -> Iterator[Found]:
    used = {flag for case in vectors.cases for flag in case.flags}
    for case in vectors.cases:
        for flag in sorted(set(case.flags) - vectors.notes.keys()):
            yield case.id, "flags", f"the flag {flag!r} has no note"
    for name in sorted(vectors.notes.keys() - used):
        yield "", f"notes.{name}", "no case has this flag"


def _same_twice(vectors: VectorFile) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for case in vectors.cases:
        first = seen.setdefault(repr(sorted(case.input.items())), case.id)
        if first != case.id:
            yield case.id, "input", f"the same input as {first}"


def _spelling(vectors: VectorFile) -> Iterator[Found]:
    if vectors.path.read_text("utf-8") != render(parse(vectors.path)):
        yield "", "", "is not in the one spelling; `python -m vectors --format` restores it"


RULES: tuple[Callable[[VectorFile], Iterator[Found]], ...] = (
    _place,
    _ids,
    _clauses,
    _open,
    _flags,
    _same_twice,
    _spelling,
)


def _repeated(files: Iterable[VectorFile]) -> list[str]:
    """Ids that stand more than once, over all files."""
    counts = Counter((case.id, _name(vectors)) for vectors in files for case in vectors.cases)
    return [str(VectorError(file, case, "id", "stands more than once")) for (case, file), n in counts.items() if n > 1]


def lint_tables() -> tuple[dict[str, int], list[str]]:
    """The number of cases of each table that can be read, and one sentence for each problem."""
    counts: dict[str, int] = {}
    found: list[VectorError] = []
    for name in tables.NAMES:
        try:
            document = tables.table(name)
        except VectorError as error:
            found.append(error)
            continue
        counts[name] = sum(len(group["cases"]) for group in document["groups"])
        found += [VectorError(f"{tables.FOLDER.name}/{name}.json", *each) for each in _table(name, document)]
    return counts, [str(error) for error in found]


def _table(name: str, document: Any) -> Iterator[Found]:
    cases = [(group, case) for group in document["groups"] for case in group["cases"]]
    for case, times in Counter(case["id"] for _, case in cases).items():
        if times > 1:
            yield case, "id", "stands more than once"
    for group, case in cases:
        if "views" in case and case["views"].keys() != group["seats"].keys():
            yield case["id"], "views", "its views are not those of all seats"
    if (tables.FOLDER / f"{name}.json").read_text("utf-8") != render_table(document):
        yield "", "", "is not in the one spelling; `python -m tests.vectors.generators` restores it"
