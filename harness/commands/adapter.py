"""`naysayer adapter`: the reference's own adapter, or a broken one."""

import argparse
import sys

from harness.adapters import serving
from harness.adapters.operations import OPERATIONS
from harness.faults import adapter as faults


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "adapter",
        help="the reference as an adapter, on standard input and output",
        description="Answers the adapter protocol (docs/adapters.md): one request a line in, one answer a line out.",
    )
    parser.add_argument("--fault", metavar="ID", help="answer one operation wrongly; `list` shows what there is")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer until the input ends."""
    if arguments.fault == "list":
        for name, entry in faults.load().items():
            sys.stdout.write(f"{name}  {entry.says}\n")
        return 0
    operations = OPERATIONS
    if arguments.fault:
        entry = faults.find(arguments.fault)
        operations = serving.with_fault(entry.op, entry.wrong)
    serving.serve(sys.stdin.buffer, sys.stdout.buffer, operations)
    return 0
