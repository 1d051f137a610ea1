"""What a run could have shown, what it did show, and for each clause in between the reason."""

from collections.abc import Iterator
from importlib.resources import files

from harness.catalogue import Catalogue, Clause
from harness.runner import Plan
from reports.model import INTERRUPTED, Outcome, Row

WIRE_PLANES = frozenset({"wire", "both"})
YEA_CLIENT = "yea-client"
ROLE_PLANES = {
    YEA_CLIENT: ("client", frozenset({"client"})),
    "byob": ("host", WIRE_PLANES),
    "byob-bridge": ("bridge", WIRE_PLANES),
}
"""Where a run looks at another role than the service: that role, and the planes that show its clauses."""

BOUND = {"byob": frozenset({"host", "library"}), "byob-bridge": frozenset({"bridge"})}
"""Whom the clauses bind that a run looks at, where two roles of a protocol show on the same planes."""

RUN_ENDED = ("target gone: ", INTERRUPTED)
NO_CHECK = "naysayer has no check for it yet"
PERMISSION = "a permission, which needs no check"


OTHERS = {
    YEA_CLIENT: "a service's rules (--protocol yea)",
    "byob": "the MCP bridge (--protocol byob-bridge), what binds seats and their owners,",
    "byob-bridge": "the host's rules (--protocol byob)",
}
"""What a run of each protocol leaves out besides pure functions."""


def role(protocol: str) -> str:
    """Return whose clauses a run looks at."""
    return ROLE_PLANES[protocol][0] if protocol in ROLE_PLANES else "service"


def planes(protocol: str) -> frozenset[str]:
    """Return the planes that a live run shows."""
    return ROLE_PLANES[protocol][1] if protocol in ROLE_PLANES else WIRE_PLANES


def reach(known: Catalogue) -> list[Clause]:
    """Return the clauses that a live run of a catalogue's protocol can show, over whatever transports."""
    bound = BOUND.get(known.protocol)
    return [c for c in known.in_reach(planes(known.protocol)) if bound is None or c.role in bound]


def in_scope(made: Plan) -> list[Clause]:
    """Return the clauses that a run over these transports can show; with a selection, those its checks name.

    A run of clients shows also the client's side of some rules of services and of Lens: those that its checks name.
    """
    named = set(_named(made))
    known = {clause.id for clause in reach(made.catalogue)}
    known |= named if made.catalogue.protocol == YEA_CLIENT else set()
    clauses = [c for c in made.catalogue.clauses.values() if c.id in known and _shows(c, made)]
    return [c for c in clauses if c.id in named] if made.selected else clauses


def _named(made: Plan) -> dict[str, set[str]]:
    """Return the clauses that checks and monitors of the run name, each with the transports that they run over."""
    named: dict[str, set[str]] = {}
    entries = [(check.id, check.clauses, check.transports) for check in made.checks]
    entries += [(monitor.id, (monitor.clause,), monitor.transports) for monitor in made.watch.monitors]
    for entry_id, clauses, transports in entries:
        if made.only in (None, entry_id):
            for clause in clauses:
                named.setdefault(clause, set()).update(transports)
    return named


def _shows(clause: Clause, made: Plan) -> bool:
    return not clause.transports or bool(set(clause.transports) & set(made.targets))


def unreached(made: Plan, rows: list[Row], lacking: dict[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Yield (clause, why, declared) for each clause in scope that no expectation evaluated.

    A reason is declared when the target, its profile or the scope of the run gives it.
    """
    evaluated = {finding.clause for row in rows for finding in row.findings}
    by_clause: dict[str, list[Row]] = {}
    for row in rows:
        for clause in row.clauses:
            by_clause.setdefault(clause, []).append(row)
    named = _named(made)
    for entry in in_scope(made):
        if entry.id not in evaluated:
            yield entry.id, *_reason(entry, by_clause.get(entry.id, []), lacking, named.get(entry.id))


def _reason(clause: Clause, rows: list[Row], lacking: dict[str, str], transports: set[str] | None) -> tuple[str, bool]:
    if not rows and transports:
        return f"its checks run over {', '.join(sorted(transports))} only", True
    if not rows:
        return PERMISSION if clause.level == "MAY" else NO_CHECK, True
    declared = [row.why for row in rows if row.outcome == Outcome.NOT_APPLICABLE]
    if len(declared) == len(rows):
        return declared[0], True
    if clause.id in lacking:
        return lacking[clause.id], True
    if clause.level == "MAY":
        return "a permission that the target did not use", True
    undecided = [row for row in rows if row.outcome in (Outcome.UNTESTED, Outcome.ERROR)]
    ended = [row.why for row in undecided if row.why.startswith(RUN_ENDED)]
    if ended:
        return ended[0], False  # one reason for all that the end of the run left out
    if undecided:
        return f"{undecided[0].id} was {undecided[0].outcome}: {undecided[0].why}", False
    return f"{rows[0].id} ended before it got there", False


def notes(made: Plan, bare: bool) -> Iterator[str]:
    """Yield what is out of scope, and why, in plain sentences."""
    absent = [c.id for c in reach(made.catalogue) if not _shows(c, made)]
    if absent:
        yield f"Out of scope, transports not offered: {', '.join(absent)}."
    others = OTHERS.get(made.catalogue.protocol, "client rules (--protocol yea-client)")
    yield f"Out of scope: {others} and pure functions (--adapter)."
    if made.selected:
        yield "Only a selection of the checks was run (-k or --replay)."
    if bare and made.catalogue.protocol not in ROLE_PLANES:
        yield "No profile: only HELLO, unknown names and framing were run. `naysayer init TARGET` writes one."


def vectors_version() -> str:
    """Return the version of the vectors, or `none` when there are none."""
    stated = files("vectors") / "VERSION"
    return stated.read_text("utf-8").strip() if stated.is_file() else "none"
