"""`python -m benchmarks`: a line for each measurement; exit code 1 when one misses its bar."""

import sys

from benchmarks import commands, functions


def main() -> int:
    """Measure everything and print it."""
    missed = 0
    for module in (functions, commands):
        for line in module.lines():
            bar = f"{'at least' if line.at_least else 'at most'} {line.bar:g} {line.unit}"
            sys.stdout.write(
                f"{'met   ' if line.met else 'MISSED'}  {line.value:6.2f} {line.unit}  ({bar})  {line.name}\n"
            )
            sys.stdout.flush()
            missed += not line.met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
