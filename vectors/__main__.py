"""The lint: `python -m vectors` checks every vector file, `python -m vectors --format` rewrites them in one spelling.

Prints the number of cases of each file to stdout and one sentence for each problem to stderr; exit code 1 if there is
any, 2 for wrong usage.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence

from vectors.errors import VectorError
from vectors.lint import lint, lint_tables, paths
from vectors.model import VectorFile
from vectors.reading import parse
from vectors.writing import render


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the lint; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vectors", description="Checks the vector files.")
    parser.add_argument("--format", action="store_true", help="first write every file anew, in its one spelling")
    if parser.parse_args(arguments).format:
        try:
            _format()
        except VectorError as error:
            sys.stderr.write(f"{error}\n")
            return 1
    files, problems = lint(paths())
    counts, more = lint_tables()
    problems += more
    sys.stdout.write("".join(f"{line}\n" for line in [*_counts(files), *_tables(counts)]))
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


def _format() -> None:
    for path in paths():
        text = render(parse(path))
        if path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _counts(files: Sequence[VectorFile]) -> list[str]:
    lines = [f"{len(list(vectors.cases)):5}  {vectors.protocol} {vectors.op}" for vectors in files]
    return [*lines, f"{sum(len(list(vectors.cases)) for vectors in files):5}  cases"]


def _tables(counts: Mapping[str, int]) -> list[str]:
    return [f"{count:5}  in the table of {name}" for name, count in counts.items()]


if __name__ == "__main__":
    sys.exit(main())
