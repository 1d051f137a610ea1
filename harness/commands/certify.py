"""`naysayer certify`: the main job."""

import argparse
import asyncio
import random
import shlex
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from harness import managed, profile, session
from harness.adapters.process import Adapter
from harness.adapters.program import split_command
from harness.adapters.session import VectorRun, ask_adapter, own_cases, running
from harness.catalogue import SECTION_TITLES, catalogue
from harness.check import load as load_checks
from harness.commands.known import KnownFailures, add_options, known_failures
from harness.commands.results import make_folder, write
from harness.errors import ProfileError, UsageError
from harness.facts import Facts
from harness.monitors import load as load_monitors
from harness.profile import Profile
from harness.runner import Plan
from harness.scope import YEA_CLIENT
from harness.selection import compile_selection, everything
from harness.session import Options, Prepared
from harness.starting import Started, equip, start
from harness.targets.addresses import Address, parse
from harness.targets.base import TRANSPORTS
from reports.lines import LineWriter, read_lines
from reports.model import Outcome, Report
from reports.progress import RunProgress
from reports.text import plain
from reports.verdict import exit_code


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "certify",
        help="check a live service against the spec, clause by clause",
        description="Checks a live service against the spec and writes a report. "
        "Without TARGET it starts the embedded reference and checks that over all transports. "
        "With --protocol yea-client it plays the service, and checks the client that --command starts.",
    )
    parser.add_argument("target", nargs="*", metavar="TARGET", help="yea://…, yeas://…, http(s)://…/yea or stdio:CMD")
    parser.add_argument("--profile", type=Path, metavar="F", help="what the target is and may be used for (TOML)")
    parser.add_argument(
        "--command",
        metavar="CMD",
        dest="start",
        help="start a server, with {port}, {http_port}, {data}, …, or a client, with {url}, {do}, …",
    )
    parser.add_argument("--protocol", choices=("yea", YEA_CLIENT), default="yea", help="what the target speaks")
    parser.add_argument("--transport", action="append", metavar="T", choices=TRANSPORTS, help="only this; may repeat")
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
    report = asyncio.run(_certify(arguments, options, given))
    return _conclude(report, options, known, arguments.strict)


def _options(arguments: argparse.Namespace) -> Options:
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    options = Options(
        protocol=arguments.protocol,
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
    if arguments.protocol == YEA_CLIENT:
        _refuse_for_clients(arguments)
    elif arguments.start and not arguments.target and arguments.profile is None:
        placeholders = [name for name in managed.PORTS if "{" + name + "}" in arguments.start]
        if not placeholders:
            raise UsageError("--command needs {port}, {tls_port} or {http_port} in it, or a TARGET to talk to")
    return options


def _refuse_for_clients(arguments: argparse.Namespace) -> None:
    """Refuse what means nothing where the target is a client."""
    given = {"TARGET": arguments.target, "--profile": arguments.profile, "--adapter": arguments.adapter}
    wrong = [name for name, value in given.items() if value]
    if wrong:
        raise UsageError(f"--protocol {YEA_CLIENT} takes no {wrong[0]}: the client is what --command starts")


def _narrow(options: Options, arguments: argparse.Namespace) -> None:
    """Narrow a run to one row: a check is run alone; for a monitor all checks run and its row alone is reported."""
    check_id, _, transport = arguments.replay.rpartition("@")
    if transport not in TRANSPORTS:
        raise UsageError("--replay wants ID@TRANSPORT, for example yea/2.1/oversize-frame-is-refused@tcp")
    arguments.transport = [transport]
    if check_id in load_monitors(options.protocol):
        options.report_only = check_id
    elif check_id in load_checks(options.protocol):
        options.select = lambda each: each == check_id
        options.slow = True
    else:
        raise UsageError(f"--replay: there is no check {check_id!r}; `naysayer clauses` names them all")


def _replayer(arguments: argparse.Namespace, seed: int) -> Callable[[str, str], str]:
    words = ["naysayer", "certify", *arguments.target]
    words += ["--protocol", arguments.protocol] if arguments.protocol != "yea" else []
    for name, value in (("--profile", arguments.profile), ("--command", arguments.start)):
        words += [name, str(value)] if value else []
    stem = shlex.join(words)
    return lambda check_id, transport: f"{stem} --seed {seed} --replay {check_id}@{transport}"


async def _certify(arguments: argparse.Namespace, options: Options, given: Profile | None) -> Report:
    task = asyncio.current_task()
    assert task is not None  # noqa: S101 - asyncio.run made one
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    with tempfile.TemporaryDirectory(prefix="naysayer-") as data:
        if arguments.protocol == YEA_CLIENT:
            return await _certify_client(arguments, options, Path(data))
        started = await start(arguments.target, arguments.start, arguments.protocol, given, Path(data))
        options.managed, options.ca = started.child is not None, started.ca
        options.spawn = started.warm.spawn if started.warm is not None else managed.execute
        try:
            prepared = await _prepare(arguments, options, given, started)
            async with _adapter(arguments) as adapter:
                return await _run(options, prepared, adapter)
        finally:
            await started.stop()


async def _certify_client(arguments: argparse.Namespace, options: Options, folder: Path) -> Report:
    from harness.clients.session import prepared  # here, because only this needs an HTTP server

    async with prepared(arguments.start, arguments.transport, folder, options.timeout) as made:
        return await _run(options, made, None)


async def _prepare(
    arguments: argparse.Namespace, options: Options, given: Profile | None, started: Started
) -> Prepared:
    parsed = _wanted([parse(address) for address in started.addresses], arguments.transport)
    targets = session.make_targets(parsed, given or profile.EMPTY, options)
    equip(targets, started, lambda some: session.reach(some, options))
    facts = await managed.until_ready(started.child, lambda: session.reach(targets, options), started.patience)
    chosen = given or session.recognise(facts)
    _check_roles(chosen, facts)
    return Prepared(targets, facts, chosen, " ".join(address.text for address in parsed))


def _wanted(addresses: list[Address], transports: list[str] | None) -> list[Address]:
    chosen = [address for address in addresses if transports is None or address.transport in transports]
    if not chosen:
        offered = ", ".join(sorted({address.transport for address in addresses})) or "none"
        raise UsageError(f"the target has no address over {', '.join(transports or [])} (it has: {offered})")
    return chosen


def _check_roles(chosen: Profile, facts: Facts) -> None:
    """Refuse a profile that names a capability which the target does not offer."""
    for role in chosen.roles.values():
        if role.capability not in facts.capabilities:
            offered = ", ".join(sorted(facts.capabilities)[:20]) or "none"
            raise ProfileError(
                chosen.name,
                f"roles.{role.name}.capability",
                f"the target offers no capability {role.capability!r}; it offers {offered}",
            )


async def _run(options: Options, prepared: Prepared, adapter: tuple[Adapter, VectorRun] | None) -> Report:
    total: list[Outcome] = []
    made = session.plan(prepared, options, lambda row: total.append(row.outcome))
    _say_first(made, prepared)
    if prepared.profile.roles:
        await session.prepare(prepared, made)
    rows = sum(len(c.over(made.targets)) for c in made.checks)
    rows += sum(len(set(m.transports) & set(made.targets)) for m in made.watch.monitors)
    with LineWriter(options.report / "run.jsonl") as lines:
        with RunProgress(sys.stderr, 1 if options.report_only else rows) as progress:
            interrupted = await session.run(made, prepared, options, lines, progress.update)
        if adapter is not None and not interrupted:
            await ask_adapter(*adapter, lines)
    return read_lines(options.report / "run.jsonl")


def _conclude(report: Report, options: Options, known: KnownFailures, strict: bool) -> int:
    """Write the report's files and the summary, held against the known failures; returns the exit code."""
    says = {clause.id: clause.says for clause in catalogue(options.protocol).clauses.values()}
    against = known.hold(report, strict=strict)
    write(report, options.report, SECTION_TITLES[options.protocol], says, against)
    known.keep(report, strict=strict)
    return exit_code(report, strict=strict, against=against)


@asynccontextmanager
async def _adapter(arguments: argparse.Namespace) -> AsyncIterator[tuple[Adapter, VectorRun] | None]:
    """Start the adapter that is to be asked as well, before anything is committed; yields it and what to ask it."""
    if arguments.adapter is None:
        yield None
        return
    made = VectorRun(
        arguments.protocol,
        own_cases(arguments.protocol),
        f"naysayer vectors --adapter {shlex.quote(arguments.adapter)}",
    )
    async with running(Adapter(split_command(arguments.adapter)), made.suite) as adapter:
        yield adapter, made


def _say_first(made: Plan, prepared: Prepared) -> None:
    lines = [f"target: {made.masker(prepared.name)}"]
    lines += [f"profile: {prepared.profile.name}"] if made.catalogue.protocol != YEA_CLIENT else []
    commits = list(session.commit_lines(made))
    if commits:
        lines.append("COMMITs this run may send, each of which changes the target's state:")
        lines += [f"  {line}" for line in commits]
    sys.stderr.write("".join(f"{plain(line)}\n" for line in lines))
    sys.stderr.flush()


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
