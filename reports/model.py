"""The report model: what a run found, as plain frozen data.

A run is a header (what was to be checked), rows (one per check and transport, with what each expectation
found) and a footer (how it ended). A report is one run or several. Everything that shows results reads
this and nothing else; nothing here judges (see `verdict`) or formats. Text that may come from a target is
bounded as it enters, so that no later step meets ten megabytes.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from reports.text import LONG, SHORT, cut
from reports.transcript import Event

SCHEMA: Final = "naysayer-report/1"


class Outcome(StrEnum):
    """What a check says of the target. Six, never mixed."""

    PASSED = "passed"
    FAILED = "failed"  # a MUST, a MUST NOT or a RULE
    WARNED = "warned"  # a SHOULD, or a text that is open
    NOT_APPLICABLE = "not_applicable"  # the target or its profile says that it lacks the thing
    UNTESTED = "untested"  # a precondition could not be set up
    ERROR = "error"  # an exception of ours: it says nothing about the target


class Level(StrEnum):
    """How binding a clause is. RULE is normative without a keyword."""

    MUST = "MUST"
    MUST_NOT = "MUST NOT"
    SHOULD = "SHOULD"
    SHOULD_NOT = "SHOULD NOT"
    MAY = "MAY"
    RULE = "RULE"


BINDING: Final = frozenset({Level.MUST, Level.MUST_NOT, Level.RULE})
"""The levels whose breach fails a check, and whose absence from a run makes its verdict partial."""


class Basis(StrEnum):
    """What a check rests on. What rests on `open` can only warn."""

    TEXT = "text"
    PUBLIC_VECTORS = "public-vectors"
    OPEN = "open"


@dataclass(frozen=True)
class Versions:
    """Which naysayer, which clause catalogue and which vectors made the run."""

    naysayer: str
    catalogue: str
    vectors: str


@dataclass(frozen=True)
class Scope:
    """What was looked at: one protocol, one role, the transports, and whether slow checks ran."""

    protocol: str
    role: str
    transports: tuple[str, ...]
    slow: bool = False


@dataclass(frozen=True)
class ClauseInfo:
    """A clause in scope: its id (`YEA-2.1-07`), its level and its section (`2.1`)."""

    id: str
    level: Level
    section: str


@dataclass(frozen=True)
class Header:
    """What a run set out to do. `started` is ISO 8601 in UTC; `clauses` are all clauses in scope."""

    target: str
    started: str
    versions: Versions
    scope: Scope
    seed: int
    clauses: tuple[ClauseInfo, ...]
    schema: str = SCHEMA

    def __post_init__(self) -> None:
        _bound(self, SHORT, "target", "started")


@dataclass(frozen=True)
class Finding:
    """One expectation that was evaluated: the clause it names, what was wanted and what came."""

    clause: str
    level: Level
    ok: bool
    wanted: str
    got: str
    outcome: Outcome

    def __post_init__(self) -> None:
        _bound(self, LONG, "wanted", "got")


@dataclass(frozen=True)
class Row:
    """The result of one check over one transport (None: it has none).

    `clauses` are those that the check may name; those it did evaluate are in `findings`. `why` is empty
    for a plain pass. `replay` is the command that runs just this row again. `seconds` is 0 or more.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    level: Level
    basis: Basis
    transport: str | None
    outcome: Outcome
    why: str
    replay: str
    seconds: float
    section: str
    transcript: tuple[Event, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        _bound(self, SHORT, "id", "title", "section")
        _bound(self, LONG, "why", "replay")
        if not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ValueError(f"a row cannot take {self.seconds} seconds")

    @property
    def key(self) -> tuple[str, str | None]:
        """What identifies the row within its report: check and transport."""
        return self.id, self.transport


@dataclass(frozen=True)
class Unreached:
    """A clause in scope that no expectation evaluated.

    `declared` is true if the target, its profile or the scope says that it is so.
    """

    id: str
    why: str
    declared: bool

    def __post_init__(self) -> None:
        _bound(self, SHORT, "why")


INTERRUPTED: Final = "interrupted"
"""The reason in `Footer.interrupted` when the person who started the run ended it."""


@dataclass(frozen=True)
class Footer:
    """How a run ended.

    `interrupted` is None, or why the run ended before its end (`INTERRUPTED` for Ctrl-C). `unreached` gives
    reasons; a clause in scope that neither it nor `exercised` names is unreached for want of a check.
    """

    complete: bool
    interrupted: str | None = None
    unreached: tuple[Unreached, ...] = ()
    exercised: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(cut(note) for note in self.notes))


@dataclass(frozen=True)
class Run:
    """One run. Without a footer it never came to its end."""

    header: Header
    rows: tuple[Row, ...]
    footer: Footer | None = None

    @property
    def complete(self) -> bool:
        """Whether the run did all that it set out to do."""
        return self.footer is not None and self.footer.complete and self.footer.interrupted is None

    @property
    def exercised(self) -> frozenset[str]:
        """Ids of the clauses in scope that an expectation evaluated."""
        seen = {finding.clause for row in self.rows for finding in row.findings}
        if self.footer is not None:
            seen.update(self.footer.exercised)
        return frozenset(clause.id for clause in self.header.clauses if clause.id in seen)

    @property
    def unreached(self) -> tuple[Unreached, ...]:
        """The other clauses in scope, in the header's order, each with a reason."""
        given = {} if self.footer is None else {clause.id: clause for clause in self.footer.unreached}
        exercised = self.exercised
        default = "no check evaluated it" if self.complete else "the run did not reach its end"
        return tuple(
            given.get(clause.id) or Unreached(clause.id, default, declared=False)
            for clause in self.header.clauses
            if clause.id not in exercised
        )

    @property
    def counts(self) -> dict[Outcome, int]:
        """Rows per outcome; every outcome is a key."""
        counts = dict.fromkeys(Outcome, 0)
        for row in self.rows:
            counts[row.outcome] += 1
        return counts


@dataclass(frozen=True)
class Report:
    """One run or several: a report on both protocols has a run for each."""

    runs: tuple[Run, ...]

    def __post_init__(self) -> None:
        if not self.runs:
            raise ValueError("a report needs at least one run")

    @property
    def complete(self) -> bool:
        """Whether every run is complete."""
        return all(run.complete for run in self.runs)

    @property
    def counts(self) -> dict[Outcome, int]:
        """Rows per outcome over all runs."""
        return {outcome: sum(run.counts[outcome] for run in self.runs) for outcome in Outcome}

    def rows(self) -> Iterator[Row]:
        """Every row of every run, in order."""
        for run in self.runs:
            yield from run.rows


_SEVERITY: Final = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.UNTESTED,
    Outcome.WARNED,
    Outcome.PASSED,
    Outcome.NOT_APPLICABLE,
)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome that a row takes from those of its findings.

    A breach outranks everything, for nothing that happens later undoes it. Raises ValueError when there is
    no outcome: an empty check has not passed.
    """
    found = set(outcomes)
    for outcome in _SEVERITY:
        if outcome in found:
            return outcome
    raise ValueError("no outcome to choose from")


def explain(findings: Iterable[Finding]) -> str:
    """The findings that are not ok, one a line: `YEA-2.1-07 (MUST): wanted …; got …`."""
    return "\n".join(
        f"{finding.clause} ({finding.level}): wanted {finding.wanted}; got {finding.got}"
        for finding in findings
        if not finding.ok
    )


def _bound(record: object, limit: int, *names: str) -> None:
    for name in names:
        object.__setattr__(record, name, cut(getattr(record, name), limit))
