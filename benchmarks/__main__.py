"""`python -m benchmarks`: a table of what was measured; exit code 1 when something misses its bar."""

import sys

from benchmarks import commands, functions, fuzzing, service, tables
from benchmarks.timing import Line

WIDTHS = "{:<7} {:>9}  {:<15}  {}\n"


def main() -> int:
    """Measure everything and print it, a row at a time."""
    sys.stdout.write(WIDTHS.format("", "measured", "bar", ""))
    missed = 0
    for module in (functions, commands, fuzzing, service, tables):
        for line in module.lines():
            sys.stdout.write(row(line))
            sys.stdout.flush()
            missed += not line.met
    return 1 if missed else 0


def row(line: Line) -> str:
    """Return a row of the table."""
    bar = f"at {'least' if line.at_least else 'most'} {line.bar:g} {line.unit}"
    return WIDTHS.format("met" if line.met else "MISSED", f"{line.value:.2f} {line.unit}", bar, line.name)


if __name__ == "__main__":
    sys.exit(main())
