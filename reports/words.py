"""What the people-facing renderers say in common: the verdict in plain words, a row in full, grouped reasons.

Every string that leaves here is safe in a terminal (see `text.plain`) and has its signatures shortened.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from reports.baseline import Change, Kind, Known, RowKey, spelt
from reports.masking import shorten_signatures
from reports.model import Outcome, Report, Row, Run, explain
from reports.text import LONG, SHORT, plain
from reports.transcript import BROKEN, Direction, Event, render
from reports.verdict import Verdict, gaps, run_verdict, unsupported, verdict

NAMES: Final = {
    outcome: "not applicable" if outcome is Outcome.NOT_APPLICABLE else outcome.value for outcome in Outcome
}
"""An outcome as people read it."""

SHOWN_EVENTS: Final = 20
"""Events of one transcript that are shown; the report file has the others."""
_FIRST_EVENTS: Final = 6
_BRIEF_EVENTS: Final = 4
_BRIEF_TEXT: Final = 300
_BRIEF_FINDINGS: Final = 2
_EVENT_TEXT: Final = 1000


def count(number: int, thing: str) -> str:
    """`1 check`, `2 checks`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def verdict_line(report: Report) -> str:
    """The verdict and its reason in one sentence, such as `NON-CONFORMING: 2 of 90 checks failed.`"""
    reached = verdict(report)
    reasons = _reasons(report)
    if reached is Verdict.CONFORMING:
        judged = report.counts[Outcome.PASSED] + report.counts[Outcome.WARNED]
        exercised = sum(len(run.exercised) for run in report.runs)
        warned = report.counts[Outcome.WARNED]
        reasons = [
            f"nothing failed in {count(judged, 'check')}",
            f"{count(exercised, 'clause')} exercised",
            *([f"{count(warned, 'warning')}"] if warned else []),
        ]
    if reached is Verdict.PARTIAL:
        return f"PARTIAL: nothing failed, but not everything was shown: {'; '.join(reasons)}."
    return f"{reached.value.upper()}: {'; '.join(reasons)}."


def run_line(run: Run) -> str:
    """One run's verdict, for a report that has several: `yea service: conforming`."""
    scope = run.header.scope
    return f"{plain(scope.protocol, SHORT)} {plain(scope.role, SHORT)}: {run_verdict(run).value}"


def _reasons(report: Report) -> list[str]:
    counts = report.counts
    total = sum(counts.values())
    unexercised = sum(len(gaps(run)) for run in report.runs)
    lacking = sum(map(unsupported, report.runs))
    verb = "was" if unexercised == 1 else "were"
    reasons = {
        f"{counts[Outcome.FAILED]:,} of {count(total, 'check')} failed": counts[Outcome.FAILED],
        f"{count(counts[Outcome.ERROR], 'error')} of naysayer's own": counts[Outcome.ERROR],
        f"{count(counts[Outcome.UNTESTED], 'check')} untested": counts[Outcome.UNTESTED],
        f"{count(unexercised, 'binding clause')} {verb} not exercised": unexercised,
        f"{count(lacking, 'check')} of operations that the adapter does not support": lacking,
        "no check ran": not total,
        "no check applied": total and total == counts[Outcome.NOT_APPLICABLE],
    }
    said = [reason for reason, holds in reasons.items() if holds]
    return said + [ending for run in report.runs if (ending := _ending(run))]


def _ending(run: Run) -> str:
    if run.footer is None:
        return "the run never wrote its end"
    if run.footer.interrupted is not None:
        return f"the run ended early ({plain(run.footer.interrupted, SHORT)})"
    return "" if run.complete else "the run is incomplete"


def where(row: Row) -> str:
    """A row's check and transport as `--replay` takes them: `yea/2.1/name@tcp`."""
    return _key(row.key)


def _key(key: RowKey) -> str:
    return plain(spelt(key), SHORT)


def details(row: Row, says: Mapping[str, str], *, brief: bool = False) -> list[str]:
    """A row in full: clauses and what they say, wanted, got, why, the exchange, the command to run it again.

    `says` maps clause ids to what the clauses say. What is `brief` has the first findings, and of the exchange what led
    to the first. The lines carry no newline and are indented by the reader.
    """
    bad = [found for found in row.findings if not found.ok]
    shown = bad[:_BRIEF_FINDINGS] if brief else bad
    lines = [plain(row.title, SHORT)] if row.title else []
    for found in shown:
        lines.append(clause_line(found.clause, found.level, says))
        lines.append(f"  wanted  {_shown(found.wanted)}")
        lines.append(f"  got     {_shown(found.got)}")
    if len(bad) > len(shown):
        lines.append(f"and {count(len(bad) - len(shown), 'expectation')} more not met")
    if not bad:
        lines.extend(clause_line(clause, "", says) for clause in row.clauses)
    if row.why and row.why != explain(bad):
        lines.extend(f"why  {line}" if not index else f"     {line}" for index, line in enumerate(_block(row.why)))
    if row.transcript:
        lines.append("exchange (seconds, → sent, ← received)")
        lines.extend(_moment(row.transcript) if brief else _exchange(row.transcript))
    if row.replay:
        lines.append(f"again  {plain(row.replay, LONG)}")
    return lines


def clause_line(clause: str, level: str, says: Mapping[str, str]) -> str:
    """A clause's id, its level and what it says, as far as they are known."""
    marked = f"{clause} ({level})" if level else clause
    text = says.get(clause, "")
    return plain(f"{marked}  {text}" if text else marked, LONG)


_CHANGES: Final = {
    Kind.NEW: "{key} {now}, and the baseline does not know it: fix it, or give it an entry with a reason",
    Kind.OTHER: "{key} is known as {was}, and now {now}: fix it, or change the entry's outcome",
    Kind.EXPIRED: "{key} {now}, and its entry expired on {day}: fix it, or give the entry a later day",
    Kind.FIXED: "{key} is in the baseline, and now {now}: take the entry out",
    Kind.UNKNOWN: "{key} is in the baseline, and there is no such {thing}: correct the entry, or take it out",
    Kind.NEW_GAP: "{key} was not exercised, and the baseline does not know it: make it so, or list it under gaps",
    Kind.FIXED_GAP: "{key} is in the baseline as not exercised, and now it was: take the entry out",
}


def change_line(change: Change) -> str:
    """What is not as the baseline says, and what to do about it: one sentence without its full stop."""
    known = change.known
    return _CHANGES[change.kind].format(
        key=_key(change.key),
        now=NAMES[change.outcome] if change.outcome else "",
        was=NAMES[known.outcome] if known and known.outcome else "",
        day=known.expires if known else "",
        thing="check" if known else "clause",
    )


def known_line(key: RowKey, entry: Known) -> str:
    """A row that the baseline accepts, with the reason that a person gave."""
    until = f" (until {entry.expires})" if entry.expires else ""
    return f"{_key(key)}{until}: {plain(entry.reason, SHORT)}"


def _shown(text: str) -> str:
    return plain(shorten_signatures(text), _EVENT_TEXT)


def _block(text: str) -> list[str]:
    return plain(shorten_signatures(text), LONG, lines=True).split("\n")


def _exchange(events: tuple[Event, ...]) -> list[str]:
    if len(events) <= SHOWN_EVENTS:
        return _rendered(events)
    last = SHOWN_EVENTS - _FIRST_EVENTS
    missing = len(events) - SHOWN_EVENTS
    return [
        *_rendered(events[:_FIRST_EVENTS]),
        f"           … {count(missing, 'event')} more in the report file",
        *_rendered(events[-last:]),
    ]


def _moment(events: tuple[Event, ...]) -> list[str]:
    """What led to the first broken expectation, or to the end."""
    marks = (at for at, event in enumerate(events) if event.dir is Direction.NOTE and event.text.startswith(BROKEN))
    end = next(marks, len(events) - 1) + 1
    start = max(0, end - _BRIEF_EVENTS)
    missing = len(events) - (end - start)
    more = [f"           … {count(missing, 'event')} more: run it again, or see the report file"] if missing else []
    return [*_rendered(events[start:end], _BRIEF_TEXT), *more]


def _rendered(events: Iterable[Event], limit: int = _EVENT_TEXT) -> list[str]:
    short = (replace(event, text=shorten_signatures(event.text)) for event in events)
    return render(short, limit=limit)


def reasons(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows by their reason (safe to show), the most frequent first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[plain(row.why, SHORT) or "no reason given"].append(row)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1])))


def unreached_reasons(run: Run) -> list[tuple[str, int]]:
    """Why clauses in scope were not reached (safe to show), and how many each; the most frequent first."""
    return Counter(plain(clause.why, SHORT) or "no reason given" for clause in run.unreached).most_common()
