"""`naysayer fuzz`: property-based fuzzing of an implementation's pure functions, and of a live service."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from fuzz import properties
from harness import profile
from harness.adapters.process import PATIENCE
from harness.campaigns import cluster, keeping, local, reporting, telling
from harness.campaigns.judged import Difference, differences
from harness.campaigns.orders import Job, Merged, Order, Result, merge, split
from harness.campaigns.progress import FuzzProgress
from harness.catalogue import catalogue
from harness.commands.amounts import duration, seconds, whole
from harness.commands.results import leave_what_fits, make_folder, write_files
from harness.errors import HarnessError, UsageError
from harness.targets.base import TRANSPORTS
from reports.errors import WriteError
from reports.lines import LineWriter, read_lines
from reports.text import plain
from reports.verdict import EXIT_ERROR

DEFAULT_EXAMPLES = 1000
MOST_WORKERS = 256
EXIT_INTERRUPTED = 130
PREPARE = "name one with --profile; naysayer init TARGET writes a first one"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "fuzz",
        help="look for faults that no listed case names",
        description="Feeds made-up inputs to an adapter and holds its answers against the reference and against laws; "
        "or sends made-up bytes to a service, or plays made-up sessions with it or at a table, and looks at what comes "
        "back. Prints the smallest input that fails and the command that finds it again. Exit 1 when something fails, "
        "and when nothing could be tried.",
    )
    families = sorted({name.partition("/")[0] for name in properties.load()})
    parser.add_argument(
        "property", nargs="+", metavar="PROPERTY", help=f"{', '.join(families)}, or one by name, such as lens/reply"
    )
    parser.add_argument("--adapter", metavar="CMD", help="whose functions; without it the reference fuzzes itself")
    parser.add_argument("--target", metavar="TARGET", help="which service or table host; without it the reference")
    parser.add_argument(
        "--command", metavar="CMD", dest="start", help="start that target, with {port}, {http_port}, {data}, …"
    )
    parser.add_argument(
        "--profile", type=Path, metavar="F", help="what the target is (TOML), and where without --target"
    )
    parser.add_argument(
        "--examples", type=whole(1, 10**9), default=DEFAULT_EXAMPLES, metavar="N", help="at most so many for each"
    )
    parser.add_argument("--seconds", type=duration, metavar="S", help="at most so long for each")
    parser.add_argument("--seed", type=whole(0, 2**53 - 1), metavar="N", help="the same inputs as a run before")
    parser.add_argument(
        "--workers", type=whole(1, MOST_WORKERS), metavar="N", help="share the examples among processes"
    )
    parser.add_argument(
        "--dask", metavar="ADDR", help="share them among the workers of a Dask cluster: tcp://HOST:PORT"
    )
    parser.add_argument(
        "--save", type=Path, metavar="DIR", help="keep failures here, also as vectors, and try them first next time"
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="write a report there")
    parser.add_argument("--timeout", type=seconds, default=PATIENCE, metavar="S", help="seconds an answer may take")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the properties; returns 0, or 1 when one failed or none could be tried, 130 when it was interrupted."""
    chosen = _selected(arguments)
    order = _order(chosen, arguments)
    if order.folder is not None:
        _make_folder(order.folder)
    if arguments.report is not None:
        make_folder(arguments.report)
    campaign = _Campaign(order, FuzzProgress(sys.stderr))
    interrupted = _start(arguments, order, campaign)
    campaign.finish()
    written = arguments.report is None or _write_report(arguments.report, campaign)
    if interrupted or campaign.interrupted:
        sys.stderr.write("naysayer: interrupted\n")
        return EXIT_INTERRUPTED
    return campaign.exit_code if written and campaign.kept_all else EXIT_ERROR


def _start(arguments: argparse.Namespace, order: Order, campaign: "_Campaign") -> bool:
    """Run the shards, wherever; returns whether that was interrupted."""
    if arguments.dask is not None:
        campaign.shards = None
        return cluster.spread(
            order, arguments.dask, arguments.workers, _names(arguments), campaign.take, campaign.progress.tick
        )
    orders = split(order, arguments.workers or 1)
    campaign.shards = len(orders)
    if len(orders) == 1:
        local.alone(order, campaign.take, campaign.progress.tick)
        return False
    return local.spread(orders, campaign.take, campaign.progress.tick)


class _Campaign:
    """What the shards have found so far, told as soon as every shard has had its say about a job.

    Args:
        order: the whole campaign.
        progress: shows how far it is.

    `shards` is how many there are; None where that is not known before the end. `kept_all` says that every file could
    be written.
    """

    def __init__(self, order: Order, progress: FuzzProgress) -> None:
        self.order, self.progress = order, progress
        self.shards: int | None = 1
        self.made: list[Merged] = []
        self.kept_all = True
        self._waiting: dict[Job, list[Result]] = {}

    def take(self, result: Result) -> None:
        """Take what a shard found out about a job."""
        self._waiting.setdefault(result.job, []).append(result)
        if len(self._waiting[result.job]) == self.shards:
            self._tell(self._waiting.pop(result.job))

    def finish(self) -> None:
        """Tell what is still to be told, and what was covered in all."""
        for results in self._waiting.values():
            self._tell(results)
        self._waiting = {}
        sys.stdout.write(telling.covered(self.made))
        sys.stdout.flush()

    @property
    def interrupted(self) -> bool:
        """Whether somebody ended it."""
        return any(made.outcome.interrupted for made in self.made)

    @property
    def exit_code(self) -> int:
        """0 when something held and nothing failed; a run in which nothing was tried has shown nothing.

        Raises UsageError when all that was asked for needs to be told more of the target.
        """
        kinds = [telling.kind_of(made.outcome) for made in self.made]
        if self.made and all(made.outcome.unready for made in self.made):
            raise UsageError(f"{self.made[0].job.of} {telling.reason(self.made[0]).removeprefix('it ')}: {PREPARE}")
        return 1 if {"failed", "flaky"} & set(kinds) or not {"held", "warned"} & set(kinds) else 0

    def again(self, found: Result) -> str:
        """Return the command that finds a failure again."""
        return telling.again(found, self.order)

    def _tell(self, results: list[Result]) -> None:
        self.progress.clear()
        made = merge(results)
        self.made.append(made)
        for found in made.failures:
            parts = differing(found)
            sys.stdout.write(telling.failure(made, found, parts, self.again(found)))
            if self.order.folder is not None:
                self._keep(self.order.folder, found, parts)
        if not made.failures:
            sys.stdout.write(telling.told(made))
        sys.stdout.flush()

    def _keep(self, folder: Path, found: Result, parts: list[Difference]) -> None:
        try:
            written = keeping.keep(folder, found, parts)
        except keeping.NotKept as problem:
            self.kept_all = False
            sys.stderr.write(f"naysayer: {plain(str(problem), 2000)}; it is told above all the same\n")
            return
        for path in dict.fromkeys(written):
            sys.stdout.write(f"  kept      {plain(str(path))}\n")


def differing(found: Result) -> list[Difference]:
    """Return the calls of a failure that the reference answers otherwise."""
    return differences(found.outcome.calls, properties.load()[found.job.of].clauses)


def _write_report(folder: Path, campaign: _Campaign) -> bool:
    """Write the report's files; returns whether all could be written."""
    try:
        with LineWriter(folder / "run.jsonl") as lines:
            reporting.write(lines, campaign.made, campaign.order, differing, campaign.again)
        protocols = {properties.load()[made.job.of].protocol for made in campaign.made}
        says = {clause.id: clause.says for each in protocols for clause in catalogue(each).clauses.values()}
        write_files(read_lines(folder / "run.jsonl"), folder, says)
    except WriteError as problem:
        leave_what_fits(problem, folder)
        return False
    sys.stdout.write(f"report: {folder / 'report.json'}\n")
    return True


def _order(chosen: list[properties.Property], arguments: argparse.Namespace) -> Order:
    return Order(
        names=tuple(entry.name for entry in chosen),
        examples=arguments.examples,
        seconds=arguments.seconds,
        seed=arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6),
        adapter=arguments.adapter,
        target=arguments.target,
        command=arguments.start,
        profile=arguments.profile,
        timeout=arguments.timeout,
        folder=arguments.save,
    )


def _names(arguments: argparse.Namespace) -> "cluster.Names":
    """Return what gives the names of a property's jobs."""
    addresses: tuple[str, ...] = tuple(TRANSPORTS) if arguments.start is not None else ()
    if arguments.profile is not None and arguments.start is None:
        addresses = tuple(profile.load(arguments.profile).addresses)

    def names(name: str) -> list[str]:
        return [name, *(Job(name, address, several=True).name for address in addresses)]

    return names


def _selected(arguments: argparse.Namespace) -> list[properties.Property]:
    """Return the properties that are named; of a family, those that the given targets are for.

    Raises UsageError for a name that is unknown, and for one whose target is not the one that was given.
    """
    chosen: dict[str, properties.Property] = {}
    for name in arguments.property:
        found = properties.select(name)
        if not found:
            raise UsageError(f"there is no property {name!r}; there are {', '.join(properties.load())}")
        misfits = {entry.name: why for entry in found if (why := _misfit(entry, arguments))}
        if len(misfits) == len(found):
            raise UsageError(next(iter(misfits.values())))
        chosen.update({entry.name: entry for entry in found if entry.name not in misfits})
    return list(chosen.values())


def _misfit(entry: properties.Property, arguments: argparse.Namespace) -> str:
    """Return why a property cannot be tried on the targets that were given, or an empty string."""
    service = any(given is not None for given in (arguments.target, arguments.profile, arguments.start))
    if entry.over in properties.LIVE and arguments.adapter is not None and not service:
        return f"{entry.name} is about a live service: it takes --target, and no --adapter"
    if entry.over == properties.OPERATIONS and service and arguments.adapter is None:
        return f"{entry.name} is about pure functions: it takes --adapter, and no --target, --command or --profile"
    return ""


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as problem:
        raise HarnessError(f"--save {path}: cannot be written: {problem.strerror}") from None
