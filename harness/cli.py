"""The command line: one subcommand a module under `harness.commands`, errors as one sentence, fixed exit codes.

0 conforming, or nothing new against the baseline; 1 something failed or is untested; 2 wrong usage, or a target that
cannot be reached; 3 an error of naysayer's own; 130 interrupted. Messages go to standard error, results to standard
output.
"""

import argparse
import asyncio
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence

from harness.commands import adapter, certify, clauses, estimator, fuzz, init, keys, selftest, serve, vectors
from harness.errors import HarnessError
from harness.version import VERSION
from reports.errors import ReportError
from reports.text import plain
from vectors import VectorError

COMMANDS = (certify, serve, init, keys, vectors, fuzz, adapter, estimator, clauses, selftest)
EXIT_USAGE, EXIT_ERROR, EXIT_INTERRUPTED = 2, 3, 130


def parser() -> argparse.ArgumentParser:
    """Return the whole command line's parser."""
    top = argparse.ArgumentParser(
        prog="naysayer", description="Tries to say nay to a YEA service; one that it cannot fault, it certifies."
    )
    top.add_argument("--version", action="version", version=f"naysayer {VERSION}")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in COMMANDS:
        module.add_parser(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; never lets an exception out."""
    _write_anything()
    options = parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (HarnessError, ReportError, VectorError) as problem:
        return _say(str(problem), EXIT_USAGE)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return _say("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Exception:
        traceback.print_exc()
        return _say("an error of naysayer's own (the lines above say where); please report it", EXIT_ERROR)


def _write_anything() -> None:
    """Let a terminal that lacks a character get an escape for it: a run must not end over a §."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(sentence: str, code: int) -> int:
    sys.stderr.write(f"naysayer: {plain(sentence, 2000)}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
