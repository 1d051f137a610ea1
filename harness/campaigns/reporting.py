"""What a campaign found out as a report (`--report DIR`): a row for each property and transport, a run a protocol."""

import shlex
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from fuzz import properties
from harness.adapters.judging import TRANSPORT
from harness.campaigns.judged import Difference, asked, said
from harness.campaigns.orders import Merged, Order, Result
from harness.campaigns.telling import broken, kind_of, reason
from harness.catalogue import Catalogue, catalogue
from harness.scope import vectors_version
from harness.targets.addresses import parse
from harness.targets.base import TRANSPORTS
from harness.version import VERSION
from reports.lines import LineWriter
from reports.model import (
    BINDING,
    INTERRUPTED,
    Basis,
    ClauseInfo,
    Finding,
    Footer,
    Header,
    Level,
    Outcome,
    Row,
    Scope,
    Unreached,
    Versions,
)
from reports.transcript import Recorder
from reports.verdict import LIBRARY

OUTCOMES = {
    "not applicable": Outcome.NOT_APPLICABLE,
    "flaky": Outcome.FAILED,
    "failed": Outcome.FAILED,
    "warned": Outcome.WARNED,
    "untested": Outcome.UNTESTED,
    "held": Outcome.PASSED,
}
SERVICE = "service"
HELD = "nothing against it in {} examples"
Differ = Callable[[Result], list[Difference]]
Again = Callable[[Result], str]


def write(lines: LineWriter, made: Sequence[Merged], order: Order, differ: Differ, again: Again) -> None:
    """Write the runs of a campaign.

    Args:
        lines: where to.
        made: what was found out about each job.
        order: the whole campaign.
        differ: gives a failure's calls that the reference answers otherwise.
        again: gives the command that finds a failure again.

    Raises WriteError.
    """
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for protocol in sorted({_entry(each).protocol for each in made}):
        mine = [each for each in made if _entry(each).protocol == protocol]
        known = catalogue(protocol)
        lines.header(_header(mine, order, known, protocol, started))
        for each in mine:
            lines.row(_row(each, known, differ, again, order))
        interrupted = any(each.outcome.interrupted for each in mine)
        lines.footer(
            Footer(complete=not interrupted, interrupted=INTERRUPTED if interrupted else None, unreached=_silent(mine))
        )


def _entry(made: Merged) -> properties.Property:
    return properties.load()[made.job.of]


def _clauses(made: Merged) -> tuple[str, ...]:
    """Return the clauses that a property rests on, and those that its failures break besides."""
    return tuple(dict.fromkeys((*_entry(made).clauses, *(c for each in made.failures for c in broken(each)))))


def _transport(made: Merged) -> str:
    if _entry(made).over == properties.OPERATIONS:
        return TRANSPORT
    address = made.job.address or "tcp"
    return address if address in TRANSPORTS else parse(address).transport


def _header(made: Sequence[Merged], order: Order, known: Catalogue, protocol: str, started: str) -> Header:
    clauses = dict.fromkeys(clause for each in made for clause in _clauses(each))
    transports = tuple(dict.fromkeys(map(_transport, made)))
    target = order.adapter or order.target or order.command or "the reference"
    return Header(
        target=target,
        started=started,
        versions=Versions(VERSION, known.version, vectors_version()),
        scope=Scope(protocol, LIBRARY if transports == (TRANSPORT,) else SERVICE, transports),
        seed=order.seed,
        clauses=tuple(
            ClauseInfo(each, Level(known.clause(each).level), known.clause(each).section) for each in clauses
        ),
    )


def _row(made: Merged, known: Catalogue, differ: Differ, again: Again, order: Order) -> Row:
    entry, outcome = _entry(made), OUTCOMES[kind_of(made.outcome)]
    levels = [Level(known.clause(clause).level) for clause in entry.clauses]
    recorder = Recorder(lambda: 0.0)
    for found in made.failures:
        for each in differ(found):
            recorder.sent(TRANSPORT, asked(each.call))
            recorder.received(TRANSPORT, said(each.call.answer))
    replay = again(made.failures[0]) if made.failures else _replay(made, order)
    return Row(
        id=entry.name,
        title=entry.title,
        clauses=_clauses(made),
        level=next((level for level in levels if level in BINDING), levels[0]),
        basis=Basis.TEXT,
        transport=_transport(made),
        outcome=outcome,
        why=_why(made),
        replay=replay,
        seconds=made.outcome.seconds,
        section=known.clause(entry.clauses[0]).section,
        transcript=recorder.events,
        findings=tuple(_findings(made, known, differ)),
    )


def _replay(made: Merged, order: Order) -> str:
    return shlex.join(["naysayer", "fuzz", made.job.of, "--seed", str(order.seed)])


def _why(made: Merged) -> str:
    if made.failures:
        return "\n".join(f"{each.outcome.failure}; smallest input: {each.outcome.smallest}" for each in made.failures)
    if made.outcome.unsupported or made.outcome.unready:
        return reason(made)
    return "" if made.outcome.examples else "nothing could be tried"


def _findings(made: Merged, known: Catalogue, differ: Differ) -> Iterable[Finding]:
    kind = kind_of(made.outcome)
    if kind not in ("held", "failed", "warned", "flaky"):
        return
    wanted, got = _entry(made).title, HELD.format(made.outcome.examples)
    if made.failures:
        got = made.failures[0].outcome.failure
        parts = differ(made.failures[0])
        wanted, got = (said(parts[0].wanted), said(parts[0].call.answer)) if parts else (wanted, got)
    named = {clause for each in made.failures for clause in broken(each)}
    for clause in _clauses(made):
        ok = kind == "held" or clause not in named
        said_of_it = (_entry(made).title, HELD.format(made.outcome.examples)) if ok else (wanted, got)
        outcome = Outcome.PASSED if ok else OUTCOMES[kind]
        yield Finding(clause, Level(known.clause(clause).level), ok, *said_of_it, outcome)


def _silent(made: Sequence[Merged]) -> tuple[Unreached, ...]:
    """Return the clauses that nothing was tried for."""
    quiet = [each for each in made if kind_of(each.outcome) in ("not applicable", "untested")]
    spoken = {clause for each in made if each not in quiet for clause in _entry(each).clauses}
    found = {clause: _why(each) for each in quiet for clause in _entry(each).clauses if clause not in spoken}
    return tuple(Unreached(clause, why, declared=False) for clause, why in found.items())
