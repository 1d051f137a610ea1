"""A run of vectors through an adapter, into the same report as a wire run."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from harness.adapters.judging import TRANSPORT, row
from harness.adapters.process import Adapter, Answer, Request
from harness.catalogue import Catalogue, Clause, catalogue
from harness.errors import UsageError
from harness.scope import vectors_version
from harness.version import VERSION
from reports.lines import LineWriter
from reports.model import ClauseInfo, Footer, Header, Level, Outcome, Row, Scope, Unreached, Versions
from reports.progress import RunProgress
from vectors import Case, load

PLANES = frozenset({"adapter", "both"})


@dataclass
class VectorRun:
    """What is to be asked of an adapter: the cases, by the id of their request, and what to say about the run."""

    suite: str
    cases: dict[int, Case]
    command: str
    notes: tuple[str, ...] = ()
    whole: bool = True

    @property
    def requests(self) -> list[Request]:
        """The requests, one a case."""
        return [{"id": number, "op": case.op, **case.input} for number, case in self.cases.items()]


def own_cases(suite: str, only: str | None = None) -> dict[int, Case]:
    """Return naysayer's cases of a suite by request id, or just the one with this id; raises UsageError for none."""
    cases = [case for file in load(suite) for case in file.cases if only in (None, case.id)]
    if not cases:
        raise UsageError(f"there is no vector {only!r} in the suite {suite}")
    return dict(enumerate(cases, start=1))


async def run(
    adapter: Adapter, made: VectorRun, lines: LineWriter, progress: Callable[[dict[Outcome, int]], None]
) -> None:
    """Ask everything and write header, rows and footer; what was not answered when it breaks off stays untested."""
    known = catalogue(made.suite)
    lines.header(_header(adapter, made, known))
    counts = dict.fromkeys(Outcome, 0)
    rows: list[Row] = []

    def done(number: int, answer: Answer) -> None:
        answered = row(made.cases[number], answer, known, made.command)
        rows.append(answered)
        lines.row(answered)
        counts[answered.outcome] += 1
        progress(counts)

    if made.suite in adapter.greeting.get("protocols", []):
        await adapter.ask(made.requests, done)
    lines.footer(
        Footer(
            complete=True,
            unreached=tuple(_unreached(made, known, rows)),
            notes=tuple(_notes(adapter, made, rows)),
        )
    )


async def ask_adapter(adapter: Adapter, made: VectorRun, lines: LineWriter) -> None:
    """Start the adapter, ask it everything with a progress line on standard error, and stop it."""
    await adapter.start()
    try:
        with RunProgress(sys.stderr, len(made.cases), "vectors") as progress:
            await run(adapter, made, lines, progress.update)
    finally:
        await adapter.stop()


def _header(adapter: Adapter, made: VectorRun, known: Catalogue) -> Header:
    name = f"{adapter.greeting.get('name', '?')} {adapter.greeting.get('version', '')}".strip()
    return Header(
        target=f"{adapter.name} ({name})",
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        versions=Versions(VERSION, known.version, vectors_version()),
        scope=Scope(made.suite, "library", (TRANSPORT,)),
        seed=0,
        clauses=tuple(ClauseInfo(c.id, Level(c.level), c.section) for c in in_scope(made, known)),
    )


def in_scope(made: VectorRun, known: Catalogue) -> list[Clause]:
    """Return the clauses that an adapter can show; for a part of the vectors, those its cases name."""
    named = {clause for case in made.cases.values() for clause in case.clauses}
    return [c for c in known.in_reach(PLANES) if made.whole or c.id in named]


def _unreached(made: VectorRun, known: Catalogue, rows: list[Row]) -> Iterator[Unreached]:
    evaluated = {finding.clause for each in rows for finding in each.findings}
    lacking = {clause: each.why for each in rows if each.outcome == Outcome.NOT_APPLICABLE for clause in each.clauses}
    for clause in in_scope(made, known):
        if clause.id not in evaluated:
            why = lacking.get(clause.id, "naysayer has no vector for it yet")
            yield Unreached(clause.id, why, declared=True)


def _notes(adapter: Adapter, made: VectorRun, rows: list[Row]) -> Iterator[str]:
    yield from made.notes
    missing = sorted({each.id.partition("/")[0] for each in rows if each.outcome == Outcome.NOT_APPLICABLE})
    if missing:
        yield f"Operations that the adapter does not support, never counted as passed: {', '.join(missing)}."
    if adapter.restarts:
        yield f"The adapter was restarted {adapter.restarts} times."
    if adapter.errors and any(each.outcome == Outcome.FAILED for each in rows):
        yield f"Its last words on standard error: {adapter.errors[-1]}"
