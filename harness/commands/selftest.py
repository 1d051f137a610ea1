"""`naysayer selftest`: the faults against the harness. Who checks the checks."""

import argparse
import json
import sys

from harness import selftest
from harness.catalogue import catalogue
from harness.commands.clauses import coverage
from harness.matrix import summary as matrix_told
from harness.proving import Proof, proofs
from harness.proving import told as proofs_told
from harness.scope import reach
from harness.trial import Trial
from reports.text import plain
from vectors import load as load_vectors
from vectors import suites

MOST_SHOWN = 3
"""Checks that are shown of each clause; the JSON has all."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "selftest",
        help="hold the checks against broken services",
        description="Runs each broken variant of the reference against the checks that claim to find it, and the "
        "sound reference against all. Exit 1 if a fault survives, or a control fails.",
    )
    parser.add_argument("--protocol", choices=selftest.PROTOCOLS, default="yea")
    parser.add_argument("--matrix", action="store_true", help="every fault against every check (slow)")
    parser.add_argument("--verbose", action="store_true", help="every fault, and for every clause what proves it")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the selftest and print what it showed; returns 0, or 1 when a fault survived or a control failed."""
    told = _tell if arguments.matrix else _keep_quiet
    trials = selftest.run(arguments.protocol, matrix=arguments.matrix, told=told)
    made = _proofs(arguments.protocol, trials)
    if arguments.format == "json":
        whole = {
            "passed": selftest.passed(trials),
            "trials": [trial.as_json() for trial in trials],
            "clauses": [proof.as_json() for proof in made],
        }
        sys.stdout.write(json.dumps(whole, indent=1) + "\n")
    else:
        _show(trials, made, arguments.verbose)
    return 0 if selftest.passed(trials) else 1


def _proofs(protocol: str, trials: list[Trial]) -> list[Proof]:
    known, named = catalogue(protocol), coverage(protocol)
    clauses = reach(known)
    if protocol in suites():
        clauses = [clause for clause in known.clauses.values() if clause in clauses or clause.plane == "adapter"]
        for case in (case for file in load_vectors(protocol) for case in file.cases):
            for clause in case.clauses:
                named.setdefault(clause, []).append(case.id)
    return proofs(clauses, named, trials)


def _show(trials: list[Trial], made: list[Proof], verbose: bool) -> None:
    width = max(len(trial.name) for trial in trials)
    for trial in trials if verbose else [trial for trial in trials if trial.control]:
        sys.stdout.write(f"{trial.result:<8}  {trial.name:<{width}}  {', '.join(trial.claims)}".rstrip() + "\n")
    for proof in made if verbose else ():
        _show_proof(proof)
    for trial in trials:
        if trial.unexplained:
            checks = ", ".join(f"{each.check} ({each.clause or 'an error'})" for each in trial.unexplained)
            sys.stdout.write(f"unexplained: {trial.name}: also trips {checks}\n")
        elif not trial.good:
            sys.stdout.write(f"{trial.result}: {trial.name}: {plain(trial.why, 4000)}\n")
        elif trial.also and verbose:
            _show_also(trial)
    sys.stdout.write(f"{proofs_told(made)}\n{selftest.summary(trials)}\n")
    if any(trial.also for trial in trials):
        sys.stdout.write(f"{matrix_told(each for trial in trials for each in trial.also)}\n")


def _show_also(trial: Trial) -> None:
    """Write what else a fault trips, by why."""
    for why in dict.fromkeys(each.because for each in trial.also):
        checks = ", ".join(each.check for each in trial.also if each.because == why)
        sys.stdout.write(f"{trial.name} also trips ({why}) {checks}\n")


def _tell(trial: Trial) -> None:
    """Say what a fault that ended did, to who waits for a matrix: it takes long, and may be broken off."""
    also = ", ".join(f"{each.check} ({each.clause})" for each in trial.unexplained)
    unexplained = f"; without an explanation: {also}" if also else ""
    sys.stderr.write(f"{trial.result}: {trial.name}: also trips {len(trial.also)}{unexplained}\n")


def _keep_quiet(trial: Trial) -> None:
    """Say nothing."""


def _show_proof(proof: Proof) -> None:
    """Write a clause, with one line for each check and a fault on which it failed."""
    shown = dict(reversed(proof.by))
    for check, fault in sorted(shown.items())[:MOST_SHOWN] or [("", "")]:
        how = "breaks it" if proof.own else "breaks its check" if proof.by else "unproven"
        sys.stdout.write(f"{proof.clause:<13} {proof.level:<10} {check}  {fault} {how}\n")
