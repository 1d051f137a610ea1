"""`naysayer vectors`: the pure functions of an implementation, held against the vectors through its adapter."""

import argparse
import asyncio
import shlex
import signal
from pathlib import Path

from harness.adapters import official
from harness.adapters.process import PATIENCE, Adapter
from harness.adapters.program import split_command
from harness.adapters.session import VectorRun, ask_adapter, own_cases, running
from harness.catalogue import SECTION_TITLES, catalogue
from harness.commands.amounts import seconds
from harness.commands.results import leave_what_fits, make_folder, write
from harness.errors import UsageError
from reports.errors import WriteError
from reports.lines import LineWriter, read_lines
from reports.verdict import exit_code


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "vectors",
        help="hold an implementation's pure functions against the vectors",
        description="Starts an adapter (docs/adapters.md), asks it every vector, and writes a report.",
    )
    parser.add_argument("--adapter", required=True, metavar="CMD", help="the program to start, split as a shell would")
    parser.add_argument("--suite", choices=("yea",), default="yea", help="which protocol's vectors")
    parser.add_argument("--dir", type=Path, metavar="DIR", help="run an official YEA conformance/ folder instead")
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
        return _conclude(arguments)
    except (WriteError, ExceptionGroup) as raised:
        return leave_what_fits(raised, arguments.report)


def _conclude(arguments: argparse.Namespace) -> int:
    """Write the report's files and the summary; returns the exit code."""
    report = read_lines(arguments.report / "run.jsonl")
    known = catalogue(arguments.suite)
    says = {clause.id: clause.says for clause in known.clauses.values()}
    write(report, arguments.report, SECTION_TITLES, says)
    return exit_code(report, strict=arguments.strict)


def _made(arguments: argparse.Namespace) -> VectorRun:
    command = f"naysayer vectors --adapter {shlex.quote(arguments.adapter)}"
    if arguments.timeout != PATIENCE:
        command += f" --timeout {arguments.timeout:g}"
    whole = arguments.replay is None
    if arguments.dir is None:
        return VectorRun(arguments.suite, own_cases(arguments.suite, arguments.replay), command, whole=whole)
    folder = official.read(arguments.dir)
    cases = [case for case in folder.cases if whole or case.id == arguments.replay]
    if not cases:
        raise UsageError(f"{arguments.dir}: no case to run{'' if whole else f' with the id {arguments.replay!r}'}")
    command += f" --dir {shlex.quote(str(arguments.dir))}"
    return VectorRun("yea", dict(enumerate(cases, start=1)), command, folder.notes, whole=False)


async def _run(adapter: Adapter, made: VectorRun, folder: Path) -> None:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - asyncio.run made one
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with running(adapter, made.suite):
        with LineWriter(folder / "run.jsonl") as lines:
            await ask_adapter(adapter, made, lines)
