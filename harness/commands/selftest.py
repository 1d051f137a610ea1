"""`naysayer selftest`: the faults against the harness. Who checks the checks."""

import argparse
import json
import sys

from harness import selftest
from harness.trial import Trial
from reports.text import plain


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
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the selftest and print its table; returns 0, or 1 when a fault survived or a control failed."""
    trials = selftest.run(arguments.protocol, matrix=arguments.matrix)
    if arguments.format == "json":
        made = {"passed": selftest.passed(trials), "trials": [trial.as_json() for trial in trials]}
        sys.stdout.write(json.dumps(made, indent=1) + "\n")
    else:
        _show(trials, arguments.matrix)
    return 0 if selftest.passed(trials) else 1


def _show(trials: list[Trial], matrix: bool) -> None:
    width = max(len(trial.name) for trial in trials)
    for trial in trials:
        sys.stdout.write(f"{trial.result:<8}  {trial.name:<{width}}  {', '.join(trial.claims)}".rstrip() + "\n")
    for trial in trials:
        if not trial.good:
            sys.stdout.write(f"{trial.result}: {trial.name}: {plain(trial.why, 4000)}\n")
        elif matrix and trial.also:
            sys.stdout.write(f"{trial.name} also trips {', '.join(trial.also)}\n")
    sys.stdout.write(selftest.summary(trials) + "\n")
