"""The command line: one subcommand a module under `harness.commands`, errors as one sentence, fixed exit codes.

A command's module is imported when it is called, so that each starts as fast as what it needs allows: `serve --stdio`
is started once a connection. `harness.cli` is where a process begins.

0 conforming, or nothing new against the baseline; 1 something failed or is untested; 2 wrong usage, or a target that
cannot be reached; 3 an error of naysayer's own; 130 interrupted. Messages go to standard error, results to standard
output.
"""

import argparse
import asyncio
import importlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import Any

from harness.errors import HarnessError
from reports.errors import ReportError
from reports.text import plain

COMMANDS = (
    "certify",
    "serve",
    "init",
    "keys",
    "vectors",
    "fuzz",
    "adapter",
    "client",
    "estimator",
    "clauses",
    "selftest",
    "yea",
    "byob",
    "mcp",
)
EXIT_USAGE, EXIT_ERROR = 2, 3


class _Version(argparse.Action):
    """Prints the version, which takes a while to find out."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help="print the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from harness.version import VERSION

        sys.stdout.write(f"naysayer {VERSION}\n")
        parser.exit()


def parser(*commands: str) -> argparse.ArgumentParser:
    """Return the parser of these commands, or of the whole command line."""
    top = argparse.ArgumentParser(
        prog="naysayer", description="Tries to say nay to a YEA service; one that it cannot fault, it certifies."
    )
    top.add_argument("--version", action=_Version)
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in commands or COMMANDS:
        importlib.import_module(f"harness.commands.{name}").add_parser(subparsers)
    return top


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; lets no exception out but KeyboardInterrupt."""
    _write_anything()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = parser(*(word for word in words[:1] if word in COMMANDS)).parse_args(words)
        return int(options.run(options))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except Exception as problem:
        if isinstance(problem, _for_a_person()):
            return _say(str(problem), EXIT_USAGE)
        traceback.print_exc()
        return _say("an error of naysayer's own (the lines above say where); please report it", EXIT_ERROR)


def _for_a_person() -> tuple[type[Exception], ...]:
    """The errors that a person has to put right, each in one sentence."""
    from vectors import VectorError

    return HarnessError, ReportError, VectorError


def _write_anything() -> None:
    """Let a terminal that lacks a character get an escape for it: a run must not end over a §."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _say(sentence: str, code: int) -> int:
    sys.stderr.write(f"naysayer: {plain(sentence, 2000)}\n")
    return code
