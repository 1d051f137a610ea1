"""`naysayer selftest`: the faults against the harness. Who checks the checks."""

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from harness import selftest


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "selftest",
        help="hold the checks against broken services",
        description="Runs each broken variant of the reference against the checks that claim to find it, and the "
        "sound reference against all. Exit 1 if a fault survives, or a control fails.",
    )
    parser.add_argument("--protocol", choices=("yea",), default="yea")
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


def _show(trials: list[selftest.Trial], matrix: bool) -> None:
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=True)
    table = Table("fault", "result", "claimed checks", box=None, pad_edge=False, header_style="bold")
    for trial in trials:
        table.add_row(trial.name, trial.result, ", ".join(trial.claims))
    console.print(table)
    for trial in trials:
        if not trial.good:
            console.print(f"{trial.result}: {trial.name}: {trial.why}")
        elif matrix and trial.also:
            console.print(f"{trial.name} also trips {', '.join(trial.also)}")
    console.print(selftest.summary(trials))
