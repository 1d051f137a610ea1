"""`naysayer clauses`: the catalogue, which check proves what, and what none proves."""

import argparse
import json
import sys

from harness.catalogue import Catalogue, Clause, catalogue
from harness.check import load as load_checks
from harness.monitors import load as load_monitors
from harness.scope import NO_CHECK, YEA_CLIENT, reach, role
from reports.text import plain

OUT_OF_REACH = {
    "client": "bound on clients; a service's wire does not show it (--protocol yea-client)",
    "adapter": "a pure function; seen through an adapter (--adapter)",
}


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser("clauses", help="the clause catalogue and its coverage")
    parser.add_argument("--protocol", choices=("yea", YEA_CLIENT, "byob", "byob-bridge"), default="yea")
    parser.add_argument("--uncovered", action="store_true", help="only clauses in reach that no check names")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the clauses."""
    known = catalogue(arguments.protocol)
    covered = coverage(arguments.protocol)
    if arguments.uncovered:
        return _uncovered(known, covered, arguments.format)
    bound = role(known.protocol) if known.protocol in (YEA_CLIENT, "byob-bridge") else None
    # Some rules of services and of Lens have a client's side too, which its checks name.
    listed = [c for c in known.clauses.values() if bound in (None, c.role) or c.id in covered]
    entries = [_entry(clause, covered) for clause in listed]
    if arguments.format == "json":
        sys.stdout.write(json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
        return 0
    for clause in listed:
        sys.stdout.write(f"{clause.id:<13} {clause.level:<10} {clause.plane:<8} {plain(clause.says)}\n")
        for check_id in covered.get(clause.id, []):
            sys.stdout.write(f"{'':13} {check_id}\n")
    named = sum(1 for clause in listed if clause.id in covered)
    sys.stdout.write(f"{len(listed)} clauses, {named} named by checks ({known.version})\n")
    return 0


def coverage(protocol: str) -> dict[str, list[str]]:
    """Return the ids of the checks and monitors that name each clause."""
    covered: dict[str, list[str]] = {}
    for check in load_checks(protocol).values():
        for clause in check.clauses:
            covered.setdefault(clause, []).append(check.id)
    for monitor in load_monitors(protocol).values():
        covered.setdefault(monitor.clause, []).append(monitor.id)
    return covered


def uncovered(known: Catalogue, covered: dict[str, list[str]]) -> list[dict[str, str]]:
    """Return {id, why} of each clause in a live run's reach that no check names; permissions (MAY) need none."""
    return [
        {"id": clause.id, "why": NO_CHECK}
        for clause in reach(known)
        if clause.id not in covered and clause.level != "MAY"
    ]


def _uncovered(known: Catalogue, covered: dict[str, list[str]], form: str) -> int:
    left = uncovered(known, covered)
    if form == "json":
        sys.stdout.write(json.dumps(left, ensure_ascii=False, indent=1) + "\n")
        return 0
    for entry in left:
        sys.stdout.write(f"{entry['id']:<13} {plain(known.clauses[entry['id']].says)}\n")
    sys.stdout.write(f"{len(left)} clauses in reach that no check names\n")
    return 0


def _entry(clause: Clause, covered: dict[str, list[str]]) -> dict[str, object]:
    entry: dict[str, object] = {
        "id": clause.id,
        "section": clause.section,
        "level": clause.level,
        "role": clause.role,
        "plane": clause.plane,
        "says": clause.says,
        "questions": list(clause.questions),
        "checks": covered.get(clause.id, []),
    }
    why = clause.why or OUT_OF_REACH.get(clause.plane, "")
    return {**entry, "why": why} if why else entry
