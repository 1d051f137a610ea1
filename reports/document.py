"""`report.json`: the finished report as one JSON document, for tools.

Made from the model alone, checked against the JSON Schema in `schemas/`, and against the sums that a schema
cannot state. Lone surrogates are written out, since many JSON readers refuse them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

from reports.baseline import Against
from reports.errors import ReportError
from reports.model import SCHEMA, Outcome, Report, Row, Run, explain
from reports.plaindata import to_plain
from reports.text import wellformed
from reports.verdict import Verdict, run_verdict, verdict, worst_verdict
from reports.words import change_line

Document = dict[str, Any]
"""A `report.json` as `json.loads` gives it."""

SCHEMA_FILE: Final = "naysayer-report-1.json"
MAX_FILE: Final = 512 * 1024 * 1024
"""Bytes of a `report.json` that is read."""

_COUNT_NAMES: Final = {outcome: "errors" if outcome is Outcome.ERROR else outcome.value for outcome in Outcome}


def document(report: Report, against: Against | None = None) -> Document:
    """The report as a document that `validate` accepts; `against` is the report held against a baseline, if any.

    Raises ReportError if a check has two rows on one transport.
    """
    parts = [_part(run) for run in report.runs]
    header = report.runs[0].header
    made: Document = {
        "schema": SCHEMA,
        "target": wellformed(", ".join(_once(run.header.target for run in report.runs))),
        "started": min(run.header.started for run in report.runs),
        "complete": report.complete,
        "versions": to_plain(header.versions),
        "scope": _joined_scope(report.runs),
        "verdict": verdict(report).value,
        "counts": _sum(part["counts"] for part in parts),
        "clauses": {
            "total": sum(part["clauses"]["total"] for part in parts),
            "exercised": sum(part["clauses"]["exercised"] for part in parts),
            "unreached": [clause for part in parts for clause in part["clauses"]["unreached"]],
        },
        "checks": [_check(row) for row in report.rows()],
    }
    if len(parts) > 1:
        made["runs"] = parts
    if against is not None:
        made["baseline"] = _baseline(against)
    _check_sums(made, None)
    return made


def dumps(made: Document) -> str:
    """The text of `report.json`: indented, pure ASCII, a newline at its end."""
    return json.dumps(made, indent=1, allow_nan=False) + "\n"


def write_document(report: Report, path: Path, against: Against | None = None) -> Document:
    """Write `report.json`, whole or not at all, and return what was written. OSError passes through."""
    made = document(report, against)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_text(dumps(made), encoding="ascii", newline="\n")
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)  # on a full disk its part would take the room of a smaller one
        raise
    return made


def read_document(path: Path) -> Document:
    """A valid document from a file. Raises ReportError, naming the file, for anything else."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise ReportError(f"the file is over {MAX_FILE:,} bytes", path=path)
        made = json.loads(path.read_bytes())
    except OSError as problem:
        raise ReportError(f"cannot be read: {problem.strerror}", path=path) from problem
    except (ValueError, RecursionError) as problem:
        raise ReportError("not a JSON document", path=path) from problem
    validate(made, path)
    assert isinstance(made, dict)  # noqa: S101 - narrows the type; validate saw to it
    return made


def validate(made: object, path: Path | None = None) -> None:
    """Raise ReportError if the value is no `report.json`: by the schema first, then by its sums."""
    # `best_match` ranks by depth; the first error by place is steadier and as good here.
    error = next(iter(sorted(_validator().iter_errors(made), key=lambda each: list(map(str, each.path)))), None)
    if error is not None:
        place = "/".join(map(str, error.absolute_path)) or "the document"
        raise ReportError(f"{place}: {error.message[:300]}", path=path)
    assert isinstance(made, dict)  # noqa: S101 - narrows the type; the schema saw to it
    _check_sums(made, path)


def schema() -> Document:
    """The JSON Schema (draft 2020-12) of `report.json`."""
    text = resources.files("reports").joinpath("schemas", SCHEMA_FILE).read_text(encoding="utf-8")
    loaded = json.loads(text)
    assert isinstance(loaded, dict)  # noqa: S101 - narrows the type; the file is ours
    return loaded


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(schema())


def _baseline(against: Against) -> Document:
    return {
        "known": [
            {"id": name, "transport": transport, "reason": wellformed(entry.reason)}
            for (name, transport), entry in against.known.items()
        ],
        "changes": [
            {"kind": change.kind.value, "id": change.key[0], "transport": change.key[1], "say": change_line(change)}
            for change in against.changes
        ],
    }


def _part(run: Run) -> Document:
    unreached = [{"id": clause.id, "why": wellformed(clause.why)} for clause in run.unreached]
    return {
        "scope": to_plain(run.header.scope),
        "verdict": run_verdict(run).value,
        "counts": {_COUNT_NAMES[outcome]: number for outcome, number in run.counts.items()},
        "clauses": {
            "total": len(run.header.clauses),
            "exercised": len(run.exercised),
            "unreached": unreached,
        },
    }


def _joined_scope(runs: Sequence[Run]) -> Document:
    scopes = [run.header.scope for run in runs]
    return {
        "protocol": "+".join(_once(scope.protocol for scope in scopes)),
        "role": "+".join(_once(scope.role for scope in scopes)),
        "transports": _once(name for scope in scopes for name in scope.transports),
        "slow": any(scope.slow for scope in scopes),
    }


def _check(row: Row) -> Document:
    return {
        "id": row.id,
        "title": wellformed(row.title),
        "clauses": list(row.clauses),
        "level": row.level.value,
        "basis": row.basis.value,
        "transport": row.transport,
        "outcome": row.outcome.value,
        "why": wellformed(row.why or explain(row.findings)),
        "transcript": [
            {
                "at": event.at,
                "dir": event.dir.value,
                "conn": wellformed(event.conn),
                "text": wellformed(event.text),
                "bytes": event.bytes,
            }
            for event in row.transcript
        ],
        "replay": wellformed(row.replay),
        "seconds": row.seconds,
    }


def _sum(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total = dict.fromkeys(_COUNT_NAMES.values(), 0)
    for each in counts:
        for name, number in each.items():
            total[name] += number
    return total


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _check_sums(made: Document, path: Path | None) -> None:
    for key, rows in Counter((row["id"], row["transport"]) for row in made["checks"]).items():
        if rows > 1:
            raise ReportError(f"checks: {rows} rows of {key[0]} over {key[1]}", path=path)
    rows_by = Counter(row["outcome"] for row in made["checks"])
    counts = {name: rows_by[outcome] for outcome, name in _COUNT_NAMES.items()}
    _must_equal("counts", made["counts"], counts, path)
    for part in (made, *made.get("runs", ())):
        clauses = part["clauses"]
        _must_equal("clauses/total", clauses["total"], clauses["exercised"] + len(clauses["unreached"]), path)
        _check_verdict(part, path)
    if made["verdict"] == Verdict.CONFORMING and not made["complete"]:
        raise ReportError("verdict: conforming although the run is incomplete", path=path)
    if "runs" in made:
        parts = made["runs"]
        _must_equal("counts", made["counts"], _sum(part["counts"] for part in parts), path)
        for name in ("total", "exercised"):
            total = sum(part["clauses"][name] for part in parts)
            _must_equal(f"clauses/{name}", made["clauses"][name], total, path)
        _must_equal("verdict", made["verdict"], worst_verdict(Verdict(part["verdict"]) for part in parts), path)


def _check_verdict(part: Document, path: Path | None) -> None:
    counts, stated = part["counts"], part["verdict"]
    if (stated == Verdict.NON_CONFORMING) != (counts["failed"] > 0):
        raise ReportError(f"verdict: {stated} with {counts['failed']} failed", path=path)
    unsure = counts["errors"] + counts["untested"]
    if stated == Verdict.CONFORMING and unsure:
        raise ReportError(f"verdict: conforming with {unsure} errors or untested", path=path)


def _must_equal(place: str, stated: object, counted: object, path: Path | None) -> None:
    if stated != counted:
        raise ReportError(f"{place}: says {stated}, the rest of the document says {counted}", path=path)
