"""`naysayer vectors`: the pure functions of an implementation, held against the vectors through its adapter."""

import argparse
import asyncio
import shlex
import signal
from pathlib import Path

from harness.adapters import official
from harness.adapters.found import read_found
from harness.adapters.process import PATIENCE, Adapter
from harness.adapters.program import split_command
from harness.adapters.session import VectorRun, ask_adapter, own_cases, running, suite_of
from harness.catalogue import SECTION_TITLES, catalogue
from harness.commands.amounts import seconds
from harness.commands.results import leave_what_fits, make_folder, write
from harness.errors import UsageError
from reports.errors import WriteError
from reports.lines import LineWriter, read_lines
from reports.verdict import exit_code

SUITES = ("yea", "byob")
"""The protocols that have vectors, in the order in which they are asked."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "vectors",
        help="hold an implementation's pure functions against the vectors",
        description="Starts an adapter (docs/adapters.md), asks it every vector, and writes a report.",
    )
    parser.add_argument("--adapter", required=True, metavar="CMD", help="the program to start, split as a shell would")
    parser.add_argument("--suite", choices=SUITES, help="one protocol's vectors; else of each that the adapter speaks")
    parser.add_argument(
        "--dir", type=Path, metavar="DIR", help="run an official YEA conformance/ folder, or what fuzz saved"
    )
    parser.add_argument("--report", type=Path, default=Path("naysayer-report"), metavar="DIR", help="where reports go")
    parser.add_argument("--replay", metavar="ID", help="one case alone")
    parser.add_argument("--timeout", type=seconds, default=PATIENCE, metavar="S", help="seconds an answer may take")
    parser.add_argument("--strict", action="store_true", help="exit 1 unless every clause in scope was exercised")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the vectors; returns the exit code."""
    words = split_command(arguments.adapter)
    made = _made(arguments)
    make_folder(arguments.report)
    try:
        asyncio.run(_run(Adapter(words, arguments.timeout), made, arguments.report))
        return _conclude(arguments.report, strict=arguments.strict)
    except (WriteError, ExceptionGroup) as raised:
        return leave_what_fits(raised, arguments.report)


def _conclude(folder: Path, strict: bool) -> int:
    """Write the report's files and the summary; returns the exit code."""
    report = read_lines(folder / "run.jsonl")
    ran = [run.header.scope.protocol for run in report.runs]
    says = {clause.id: clause.says for name in ran for clause in catalogue(name).clauses.values()}
    write(report, folder, SECTION_TITLES, says)
    return exit_code(report, strict=strict)


def _made(arguments: argparse.Namespace) -> list[VectorRun]:
    """What may be asked, by protocol; raises UsageError when there is nothing to ask."""
    command = f"naysayer vectors --adapter {shlex.quote(arguments.adapter)}"
    if arguments.timeout != PATIENCE:
        command += f" --timeout {arguments.timeout:g}"
    only = arguments.replay
    if arguments.dir is not None:
        return _found(arguments, command) or [_official(arguments, command)]
    wanted = [arguments.suite] if arguments.suite else SUITES if only is None else [suite_of(only)]
    return [VectorRun(suite, own_cases(suite, only), command, whole=only is None) for suite in wanted]


def _found(arguments: argparse.Namespace, command: str) -> list[VectorRun]:
    """What may be asked of a folder of vectors of this project's format; [] for a folder of another sort."""
    found = read_found(arguments.dir)
    runs = []
    for suite in SUITES if arguments.suite is None else [arguments.suite]:
        cases = [case for case in found.get(suite, []) if arguments.replay in (None, case.id)]
        if cases:
            again = f"{command} --dir {shlex.quote(str(arguments.dir))}"
            runs.append(VectorRun(suite, dict(enumerate(cases, start=1)), again, whole=False))
    if found and not runs:
        raise UsageError(f"{arguments.dir}: no case to run")
    return runs


def _official(arguments: argparse.Namespace, command: str) -> VectorRun:
    if arguments.suite not in (None, "yea"):
        raise UsageError("--dir is a folder of YEA's: it goes with no --suite but yea")
    folder = official.read(arguments.dir)
    cases = [case for case in folder.cases if arguments.replay in (None, case.id)]
    if not cases:
        which = "" if arguments.replay is None else f" with the id {arguments.replay!r}"
        raise UsageError(f"{arguments.dir}: no case to run{which}")
    command += f" --dir {shlex.quote(str(arguments.dir))}"
    return VectorRun("yea", dict(enumerate(cases, start=1)), command, folder.notes, whole=False)


async def _run(adapter: Adapter, made: list[VectorRun], folder: Path) -> None:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - asyncio.run made one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with running(adapter, *(each.suite for each in made)) as spoken:
        with LineWriter(folder / "run.jsonl") as lines:
            for each in made:
                if each.suite in spoken and await ask_adapter(adapter, each, lines):
                    break  # interrupted: nothing more is begun
