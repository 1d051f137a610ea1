"""`naysayer certify`: the main job."""

import argparse
import asyncio
import random
import shlex
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from harness import managed, profile, session
from harness.adapters.process import Adapter
from harness.adapters.program import split_command
from harness.adapters.session import VectorRun, ask_adapter, own_cases, running
from harness.catalogue import SECTION_TITLES, catalogue
from harness.certifying import BRIDGE, PREPARERS, Asked, protocols
from harness.check import PROTOCOL_TRANSPORTS
from harness.check import load as load_checks
from harness.commands.known import KnownFailures, add_options, known_failures
from harness.commands.results import leave_what_fits, make_folder, write
from harness.errors import UsageError
from harness.monitors import load as load_monitors
from harness.profile import Profile
from harness.runner import Plan
from harness.scope import YEA_CLIENT
from harness.selection import compile_selection, everything
from harness.session import Options, Prepared
from harness.targets.base import TRANSPORTS
from reports.errors import WriteError
from reports.lines import LineWriter, read_lines
from reports.model import Outcome, Report
from reports.progress import RunProgress
from reports.text import plain
from reports.verdict import exit_code

(MCP,) = PROTOCOL_TRANSPORTS[BRIDGE]
STARTED = {YEA_CLIENT: "client", BRIDGE: "bridge"}
"""What --command starts where there is no address: its protocol, and what it is."""

Vectors = tuple[Adapter, VectorRun]
"""A started adapter, and what to ask it."""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "certify",
        help="check a live service against the spec, clause by clause",
        description="Checks a live service against the spec and writes a report. "
        "Without TARGET it starts the embedded references and checks them over all transports. "
        "With --protocol yea-client it plays the service, and checks the client that --command starts; with "
        "--protocol byob-bridge it hosts a table, and checks the MCP bridge that --command starts.",
    )
    parser.add_argument("target", nargs="*", metavar="TARGET", help="yea://…, yeas://…, http(s)://… or stdio:CMD")
    parser.add_argument("--profile", type=_file, metavar="F", help="what the target is and may be used for (TOML)")
    parser.add_argument(
        "--command",
        metavar="CMD",
        dest="start",
        help="start a server, with {port}, {http_port}, {data}, …, a client, with {url}, {do}, …, or an MCP bridge",
    )
    parser.add_argument(
        "--protocol", choices=tuple(PREPARERS), help="what the target speaks; found out for http(s), else yea"
    )
    every = (*TRANSPORTS, MCP)
    parser.add_argument("--transport", action="append", metavar="T", choices=every, help="only this; may repeat")
    parser.add_argument("--adapter", metavar="CMD", help="also run the vectors through this adapter, for one verdict")
    parser.add_argument("--report", type=Path, default=Path("naysayer-report"), metavar="DIR", help="where reports go")
    add_options(parser)
    parser.add_argument("-k", metavar="EXPR", dest="expression", help="which checks: ids with and, or, not")
    parser.add_argument("--seed", type=int, metavar="N", help="decides order and choices; random if not given")
    parser.add_argument("--replay", metavar="ID@TRANSPORT", help="run one check, or what one monitor watches, again")
    parser.add_argument("--jobs", type=_jobs, default=8, metavar="N", help="checks at once (default 8)")
    parser.add_argument("--timeout", type=_seconds, default=10.0, metavar="S", help="seconds a reply may take")
    parser.add_argument("--strict", action="store_true", help="exit 1 unless every clause in scope was exercised")
    parser.add_argument("--slow", action="store_true", help="also what takes minutes")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Certify a target; returns the exit code."""
    options = _options(arguments)
    given = profile.load(arguments.profile) if arguments.profile else None
    known = known_failures(arguments)
    make_folder(options.report)
    try:
        report = asyncio.run(_certify(arguments, options, given))
        return _conclude(report, options, known, arguments.strict)
    except (WriteError, ExceptionGroup) as raised:
        return leave_what_fits(raised, options.report)


def _options(arguments: argparse.Namespace) -> Options:
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    options = Options(
        protocol=arguments.protocol or "yea",
        select=compile_selection(arguments.expression) if arguments.expression is not None else everything,
        report=arguments.report,
        seed=seed,
        jobs=arguments.jobs,
        timeout=arguments.timeout,
        slow=arguments.slow,
        replay=_replayer(arguments, seed),
    )
    if arguments.replay is not None:
        if arguments.expression is not None:
            raise UsageError("--replay and -k exclude each other")
        _narrow(options, arguments)
    if arguments.protocol in STARTED:
        _refuse_for_started(arguments)
    elif arguments.start and not arguments.target and arguments.profile is None:
        managed.fill_command(arguments.start, {})  # which says what is wrong with it as a whole first
        placeholders = [name for name in managed.PORTS if "{" + name + "}" in arguments.start]
        if not placeholders:
            raise UsageError("--command needs {port}, {tls_port} or {http_port} in it, or a TARGET to talk to")
    return options


def _refuse_for_started(arguments: argparse.Namespace) -> None:
    """Refuse what means nothing where the target is what --command starts, a client or a bridge."""
    given = {"TARGET": arguments.target, "--adapter": arguments.adapter}
    if arguments.protocol == YEA_CLIENT:
        given["--profile"] = arguments.profile
    wrong = [name for name, value in given.items() if value]
    if wrong:
        kind = STARTED[arguments.protocol]
        raise UsageError(f"--protocol {arguments.protocol} takes no {wrong[0]}: the {kind} is what --command starts")


def _narrow(options: Options, arguments: argparse.Namespace) -> None:
    """Narrow a run to one row: a check is run alone; for a monitor all checks run and its row alone is reported."""
    check_id, _, transport = arguments.replay.rpartition("@")
    if transport not in (*TRANSPORTS, MCP):
        raise UsageError("--replay wants ID@TRANSPORT, for example yea/2.1/oversize-frame-is-refused@tcp")
    arguments.transport = [transport]
    arguments.protocol = options.protocol = arguments.protocol or check_id.split("/")[0]
    if check_id in load_monitors(options.protocol):
        options.report_only = check_id
    elif check_id in load_checks(options.protocol):
        options.select = lambda each: each == check_id
        options.slow = load_checks(options.protocol)[check_id].slow
    else:
        raise UsageError(f"--replay: there is no check {check_id!r}; `naysayer clauses` names them all")


def _replayer(arguments: argparse.Namespace, seed: int) -> Callable[[str, str], str]:
    words = ["naysayer", "certify", *arguments.target]
    words += ["--protocol", arguments.protocol] if arguments.protocol not in (None, "yea") else []
    for name, value in (("--profile", arguments.profile), ("--command", arguments.start)):
        words += [name, str(value)] if value else []
    stem = shlex.join(words)
    return lambda check_id, transport: f"{stem} --seed {seed} --replay {check_id}@{transport}"


async def _certify(arguments: argparse.Namespace, options: Options, given: Profile | None) -> Report:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - asyncio.run made one
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    asked = Asked(arguments.target, arguments.start, given, arguments.transport)
    chosen = [arguments.protocol] if arguments.protocol else await protocols(asked, options)
    chosen = [name for name in chosen if _selected(name, options)] or chosen[:1]
    with ExitStack() as stack:
        begin = cache(lambda: stack.enter_context(LineWriter(options.report / "run.jsonl")))
        async with _adapter(arguments.adapter, chosen) as vectors:
            for name in chosen:
                if await _certify_one(replace(options, protocol=name), asked, vectors.get(name), begin):
                    break  # interrupted: nothing more is begun
    return read_lines(options.report / "run.jsonl")


def _selected(protocol: str, options: Options) -> bool:
    """Whether the selection takes any check or monitor of a protocol."""
    return any(map(options.select, [*load_checks(protocol), *load_monitors(protocol)]))


async def _certify_one(
    options: Options, asked: Asked, vectors: Vectors | None, begin: Callable[[], LineWriter]
) -> bool:
    """Certify in one protocol; `begin` opens the file of lines. Returns whether it was interrupted."""
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        async with PREPARERS[options.protocol](asked, options, Path(folder)) as prepared:
            return await _run(options, prepared, vectors, begin())


async def _run(options: Options, prepared: Prepared, vectors: Vectors | None, lines: LineWriter) -> bool:
    total: list[Outcome] = []
    made = session.plan(prepared, options, lambda row: total.append(row.outcome))
    _say_first(made, prepared)
    if prepared.profile.roles:
        await session.prepare(prepared, made)
    rows = sum(len(c.over(made.targets)) for c in made.checks)
    rows += sum(len(set(m.transports) & set(made.targets)) for m in made.watch.monitors)
    with RunProgress(sys.stderr, 1 if options.report_only else rows) as progress:
        interrupted = await session.run(made, prepared, options, lines, progress.update)
    if vectors is not None and not interrupted:
        return await ask_adapter(*vectors, lines)
    return interrupted


def _conclude(report: Report, options: Options, known: KnownFailures, strict: bool) -> int:
    """Write the report's files and the summary, held against the known failures; returns the exit code."""
    ran = dict.fromkeys(run.header.scope.protocol for run in report.runs)
    says = {clause.id: clause.says for name in ran for clause in catalogue(name).clauses.values()}
    against = known.hold(report, strict=strict)
    write(report, options.report, SECTION_TITLES, says, against)
    known.keep(report, strict=strict)
    return exit_code(report, strict=strict, against=against)


@asynccontextmanager
async def _adapter(command: str | None, chosen: list[str]) -> AsyncIterator[dict[str, Vectors]]:
    """Start the adapter that is to be asked as well, before anything is committed; yields what to ask it, by protocol.

    Of several protocols it need not speak all: what its hello does not list is out of scope.
    """
    if command is None:
        yield {}
        return
    replay = f"naysayer vectors --adapter {shlex.quote(command)}"
    made = [VectorRun(name, own_cases(name), replay) for name in chosen]
    adapter = Adapter(split_command(command))
    async with running(adapter, *chosen) as spoken:
        yield {each.suite: (adapter, each) for each in made if each.suite in spoken}


def _say_first(made: Plan, prepared: Prepared) -> None:
    lines = [f"target: {made.masker(prepared.name)}"]
    lines += [f"profile: {prepared.profile.name}"] if made.catalogue.protocol != YEA_CLIENT else []
    commits = list(session.commit_lines(made))
    if commits:
        lines.append("COMMITs this run may send, each of which changes the target's state:")
        lines += [f"  {line}" for line in commits]
    sys.stderr.write("".join(f"{plain(line)}\n" for line in lines))
    sys.stderr.flush()


def _file(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("is empty; it names a file")
    return Path(text)


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(_number(text, 1, 256))


def _seconds(text: str) -> float:
    return _number(text, 0.1, 3600)


def _number(text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"must be from {low:g} to {high:g}")
    return value
