"""`python -m benchmarks`: a table of what was measured; exit code 1 when something misses its bar."""

import argparse
import importlib
import sys
from collections.abc import Sequence

from benchmarks.timing import Line

GROUPS = {
    "functions": "the pure functions: canonical JSON, the estimate, Lens",
    "commands": "whole commands: the vectors through an adapter, the estimator's table",
    "fuzzing": "fuzzing through an adapter, and in two processes",
    "service": "the reference service under load",
    "tables": "the table host under load",
}
"""The modules that measure, in the order in which they run, and what each measures."""

WIDTHS = "{:<7} {:>9}  {:<15}  {}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the groups that are named, or all, and print a row at a time; returns the exit code.

    Args:
        arguments: names of groups; those of this process when left out.
    """
    chosen = parser().parse_args(arguments).group
    sys.stdout.write(WIDTHS.format("", "measured", "bar", ""))
    missed = 0
    for name in [each for each in GROUPS if each in chosen or not chosen]:
        for line in importlib.import_module(f"benchmarks.{name}").lines():
            sys.stdout.write(row(line))
            sys.stdout.flush()
            missed += not line.met
    return 1 if missed else 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    listed = "\n".join(f"  {name:<10} {what}" for name, what in GROUPS.items())
    made = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measures speed beside something known. Exit 1 when a bar is missed. On an idle machine only.",
        epilog=f"groups:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("group", nargs="*", type=_group, metavar="GROUP", help="what to measure; everything if left out")
    return made


def _group(name: str) -> str:
    if name not in GROUPS:
        raise argparse.ArgumentTypeError(f"there is no group {name!r}; there are {', '.join(GROUPS)}")
    return name


def row(line: Line) -> str:
    """Return a row of the table."""
    bar = f"at {'least' if line.at_least else 'most'} {line.bar:g} {line.unit}"
    return WIDTHS.format("met" if line.met else "MISSED", f"{line.value:.2f} {line.unit}", bar, line.name)


if __name__ == "__main__":
    sys.exit(main())
