"""A report against a baseline: what it accepts, what is new, and which of its entries are no longer true.

A list of known failures is worth something only while it is true, so an entry of what now passes, has expired or does
not exist counts like a new failure. What was not run or does not apply today says nothing about its entry.
"""

from collections.abc import Collection
from datetime import date

from reports.baseline import KNOWABLE, Against, Baseline, Change, Gap, Kind, Known, RowKey
from reports.model import Outcome, Report, Row
from reports.verdict import gaps

_GOOD = frozenset({Outcome.PASSED, Outcome.WARNED})


def compare(
    report: Report, baseline: Baseline, *, ids: Collection[str], clauses: Collection[str], today: date, strict: bool
) -> Against:
    """Hold a report against a baseline.

    Args:
        report: what a run found.
        baseline: what is known.
        ids: every check there is, whether it was run or not.
        clauses: every clause there is.
        today: decides what has expired.
        strict: whether a binding clause that was not exercised needs an entry though its absence is declared.
    """
    taken = _taken(report, baseline)
    known: dict[RowKey, Known] = {}
    changes: list[Change] = []
    for row in report.rows():
        if row.outcome in KNOWABLE:
            entry = taken.get(row.key)
            kind = _kind(row, entry, today)
            if kind is None and entry is not None:
                known[row.key] = entry
            elif kind is not None:
                changes.append(Change(kind, row.key, row.outcome, entry))
    changes += _untrue(report, baseline, taken, ids)
    accepted = _accepted_gaps(report, baseline, known)
    changes += _gap_changes(report, baseline, accepted, clauses, strict)
    return Against(known, accepted, tuple(changes))


def accepting(report: Report, before: Baseline, *, ids: Collection[str], strict: bool) -> Baseline:
    """The baseline that accepts the report as it is.

    What `before` says of what was not run or does not apply is kept, and so are its entries that are still true, with
    their reasons. Everything that is new has an empty reason. `ids` and `strict` are those of `compare`.
    """
    taken = _taken(report, before)
    rows_of = _rows_of(report, taken)
    kept = [entry for entry in before.rows if _still_true(entry, rows_of.get(entry.key, []), ids)]
    keys = {entry.key for entry in kept}
    new = []
    for row in report.rows():
        entry = taken.get(row.key)
        covered = entry is not None and entry.key in keys and entry.takes(row.outcome)
        if row.outcome in KNOWABLE and not covered:
            new.append(Known(*row.key, row.outcome))
    replaced = {entry.key for entry in new}
    rows = (*(entry for entry in kept if entry.key not in replaced), *new)
    exercised = _exercised(report)
    old = {entry.clause: entry for entry in before.gaps if entry.clause not in exercised}
    explained = {clause for row in report.rows() if row.outcome in KNOWABLE for clause in row.clauses}
    bare = [name for name in _open_gaps(report, strict) if name not in explained and name not in old]
    return Baseline(rows, (*old.values(), *map(Gap, dict.fromkeys(bare))))


def _taken(report: Report, baseline: Baseline) -> dict[RowKey, Known]:
    """Each row with the entry that is about it: that of its transport before that of all transports."""
    entries = {entry.key: entry for entry in baseline.rows}
    found = {row.key: entries.get(row.key) or entries.get((row.id, None)) for row in report.rows()}
    return {key: entry for key, entry in found.items() if entry is not None}


def _rows_of(report: Report, taken: dict[RowKey, Known]) -> dict[RowKey, list[Row]]:
    made: dict[RowKey, list[Row]] = {}
    for row in report.rows():
        if row.key in taken:
            made.setdefault(taken[row.key].key, []).append(row)
    return made


def _kind(row: Row, entry: Known | None, today: date) -> Kind | None:
    if entry is None:
        return Kind.NEW
    if entry.expired(today):
        return Kind.EXPIRED
    return None if entry.takes(row.outcome) else Kind.OTHER


def _untrue(report: Report, baseline: Baseline, taken: dict[RowKey, Known], ids: Collection[str]) -> list[Change]:
    rows_of = _rows_of(report, taken)
    changes = []
    for entry in baseline.rows:
        rows = rows_of.get(entry.key, [])
        if not rows and entry.id not in ids:
            changes.append(Change(Kind.UNKNOWN, entry.key, known=entry))
        elif _is_fixed(rows):
            good = next(row.outcome for row in rows if row.outcome in _GOOD)
            changes.append(Change(Kind.FIXED, entry.key, good, entry))
    return changes


def _is_fixed(rows: list[Row]) -> bool:
    """Whether an entry's rows all went well; one that broke of ours may have been the one that fails."""
    outcomes = {row.outcome for row in rows} - {Outcome.NOT_APPLICABLE}
    return bool(outcomes) and outcomes <= _GOOD


def _still_true(entry: Known, rows: list[Row], ids: Collection[str]) -> bool:
    if any(row.outcome in KNOWABLE for row in rows):
        return any(entry.takes(row.outcome) for row in rows)
    return not _is_fixed(rows) and (bool(rows) or entry.id in ids)


def _exercised(report: Report) -> frozenset[str]:
    return frozenset(clause for run in report.runs for clause in run.exercised)


def _open_gaps(report: Report, strict: bool) -> list[str]:
    return [clause.id for run in report.runs for clause in gaps(run) if strict or not clause.declared]


def _accepted_gaps(report: Report, baseline: Baseline, known: dict[RowKey, Known]) -> frozenset[str]:
    """The clauses that are named as gaps, and those that only a known row stands in the way of."""
    behind = {clause for row in report.rows() if row.key in known for clause in row.clauses}
    return frozenset({entry.clause for entry in baseline.gaps} | behind)


def _gap_changes(
    report: Report, baseline: Baseline, accepted: frozenset[str], clauses: Collection[str], strict: bool
) -> list[Change]:
    exercised = _exercised(report)
    named = [entry.clause for entry in baseline.gaps]
    new = [
        Change(Kind.NEW_GAP, (name, None)) for name in dict.fromkeys(_open_gaps(report, strict)) if name not in accepted
    ]
    unknown = [Change(Kind.UNKNOWN, (name, None)) for name in named if name not in clauses]
    fixed = [Change(Kind.FIXED_GAP, (name, None)) for name in named if name in exercised]
    return [*new, *unknown, *fixed]
