"""A run of vectors through an adapter, into the same report as a wire run."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from harness.adapters.judging import TRANSPORT, row
from harness.adapters.process import Adapter, Answer, Request
from harness.catalogue import Catalogue, Clause, catalogue
from harness.errors import TargetError, UsageError
from harness.scope import vectors_version
from harness.version import VERSION
from reports.lines import LineWriter
from reports.model import INTERRUPTED, ClauseInfo, Footer, Header, Level, Outcome, Row, Scope, Unreached, Versions
from reports.progress import RunProgress
from reports.verdict import LIBRARY
from vectors import Case, load, suites

PLANES = frozenset({"adapter", "both"})
MOST_WAYS = 5


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


def suite_of(case_id: str) -> str:
    """Return the suite that has a case with this id; raises UsageError for none."""
    for suite in suites():
        if any(case.id == case_id for file in load(suite) for case in file.cases):
            return suite
    raise UsageError(f"there is no vector {case_id!r}")


async def speaking(adapter: Adapter, *wanted: str) -> list[str]:
    """Start an adapter and return those of the wanted protocols that it speaks.

    Raises TargetError when it does not come up, or speaks none of them.
    """
    await adapter.start()
    listed = adapter.greeting["protocols"]
    spoken = [protocol for protocol in wanted if protocol in listed]
    if not spoken:
        named = ", ".join(str(each)[:40] for each in listed[:MOST_WAYS]) or "none"
        raise TargetError(
            adapter.name, f"does not speak {' or '.join(wanted)}: the protocols in its hello are: {named}"
        )
    return spoken


@asynccontextmanager
async def running(adapter: Adapter, *wanted: str) -> AsyncIterator[list[str]]:
    """Start an adapter, yield those of the wanted protocols that it speaks, and stop it in the end.

    Raises TargetError as `speaking` does.
    """
    try:
        yield await speaking(adapter, *wanted)
    finally:
        await adapter.stop()


async def ask_adapter(adapter: Adapter, made: VectorRun, lines: LineWriter) -> bool:
    """Ask a started adapter everything, with progress on standard error; returns whether that was interrupted."""
    with RunProgress(sys.stderr, len(made.cases), "vectors") as progress:
        return await run(adapter, made, lines, progress.update)


async def run(
    adapter: Adapter, made: VectorRun, lines: LineWriter, progress: Callable[[dict[Outcome, int]], None]
) -> bool:
    """Ask everything and write header, rows and footer; what was not asked in the end is untested.

    Returns whether it was interrupted.
    """
    known = catalogue(made.suite)
    lines.header(_header(adapter, made, known))
    counts = dict.fromkeys(Outcome, 0)
    rows: dict[str, Row] = {}
    missed: list[str] = []

    def done(number: int, answer: Answer) -> None:
        answered = row(made.cases[number], answer, known, made.command)
        rows[answered.id] = answered
        lines.row(answered)
        counts[answered.outcome] += 1
        progress(counts)
        if not answer.asked:
            missed.append(answer.broke)

    interrupted = await _ask_or_abandon(adapter, made, done, rows)
    lines.footer(
        Footer(
            complete=not missed,
            interrupted=missed[0] if missed else None,
            unreached=tuple(_unreached(made, known, rows.values())),
            notes=tuple(_notes(adapter, made, rows)),
        )
    )
    return interrupted


async def _ask_or_abandon(
    adapter: Adapter, made: VectorRun, done: Callable[[int, Answer], None], rows: Mapping[str, Row]
) -> bool:
    """Ask; on cancellation give the rest their rows. Returns whether it was cancelled."""
    try:
        await adapter.ask(made.requests, done)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        for number, case in made.cases.items():
            if case.id not in rows:
                done(number, Answer(None, INTERRUPTED, asked=False))
        return True
    return False


def _header(adapter: Adapter, made: VectorRun, known: Catalogue) -> Header:
    name = f"{adapter.greeting.get('name', '?')} {adapter.greeting.get('version', '')}".strip()
    return Header(
        target=f"{adapter.name} ({name})",
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        versions=Versions(VERSION, known.version, vectors_version()),
        scope=Scope(made.suite, LIBRARY, (TRANSPORT,)),
        seed=0,
        clauses=tuple(ClauseInfo(c.id, Level(c.level), c.section) for c in in_scope(made, known)),
    )


def in_scope(made: VectorRun, known: Catalogue) -> list[Clause]:
    """Return the clauses that an adapter can show; for a part of the vectors, those its cases name."""
    named = {clause for case in made.cases.values() for clause in case.clauses}
    return [c for c in known.in_reach(PLANES) if made.whole or c.id in named]


def _unreached(made: VectorRun, known: Catalogue, rows: Iterable[Row]) -> Iterator[Unreached]:
    evaluated = {finding.clause for each in rows for finding in each.findings}
    silent = [each for each in rows if not each.findings]
    reasons = {clause: (each.why, True) for each in silent for clause in each.clauses}
    reasons |= {c: (each.why, False) for each in silent if each.outcome == Outcome.UNTESTED for c in each.clauses}
    for clause in in_scope(made, known):
        if clause.id not in evaluated:
            why, declared = reasons.get(clause.id, ("naysayer has no vector for it yet", True))
            yield Unreached(clause.id, why, declared)


def _notes(adapter: Adapter, made: VectorRun, rows: Mapping[str, Row]) -> Iterator[str]:
    yield from made.notes
    outcomes = {each.outcome for each in rows.values()}
    lacking = [c.op for c in made.cases.values() if rows[c.id].outcome == Outcome.NOT_APPLICABLE]
    if lacking:
        named = ", ".join(sorted(set(lacking)))
        yield f"Operations that the adapter does not support, never counted as passed: {named}."
    if adapter.breaks:
        ways = [f"{way} ({count})" for way, count in adapter.breaks.most_common(MOST_WAYS)]
        more = f", and {len(adapter.breaks) - MOST_WAYS} other ways" if len(adapter.breaks) > MOST_WAYS else ""
        yield f"The adapter broke and was started again: {', '.join(ways)}{more}."
    if adapter.errors and outcomes & {Outcome.FAILED, Outcome.UNTESTED}:
        yield f"Its last words on standard error: {adapter.errors[-1]}"
