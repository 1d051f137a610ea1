"""`naysayer fuzz`: property-based fuzzing of an implementation's pure functions, and of a live service's framing."""

import argparse
import contextlib
import json
import random
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

from fuzz import campaign, properties
from fuzz.targets import Operations, Wire
from harness import fuzzing, profile
from harness.adapters.blocking import BlockingAdapter, OwnOperations
from harness.adapters.process import PATIENCE
from harness.adapters.program import split_command
from harness.commands.amounts import duration, seconds, whole
from harness.errors import HarnessError, UsageError
from reports.text import plain

DEFAULT_EXAMPLES = 1000
MOST_EVENTS = 8


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "fuzz",
        help="look for faults that no listed case names",
        description="Feeds made-up inputs to an adapter and holds its answers against the reference and against laws; "
        "or sends made-up bytes to a service and looks for the replies that are due. Prints the smallest input that "
        "fails and the command that finds it again. Exit 1 when something fails, and when nothing could be tried.",
    )
    parser.add_argument(
        "property", nargs="+", metavar="PROPERTY", help="canonical, lens, caveats, frames, or one by name"
    )
    parser.add_argument("--adapter", metavar="CMD", help="whose functions; without it the reference fuzzes itself")
    parser.add_argument(
        "--target", metavar="TARGET", help="which service, for frames; without it the reference, over TCP"
    )
    parser.add_argument(
        "--profile", type=Path, metavar="F", help="what the target is (TOML), and where without --target"
    )
    parser.add_argument(
        "--examples", type=whole(1, 10**9), default=DEFAULT_EXAMPLES, metavar="N", help="at most so many for each"
    )
    parser.add_argument("--seconds", type=duration, metavar="S", help="at most so long for each")
    parser.add_argument("--seed", type=whole(0, 2**53), metavar="N", help="the same inputs as a run before")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep failures here, and try them first next time")
    parser.add_argument("--timeout", type=seconds, default=PATIENCE, metavar="S", help="seconds an answer may take")
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class _Job:
    """A property, what it is tried on, and how a person names that: an address, or "" for what is not named."""

    entry: properties.Property
    target: Operations | Wire
    address: str = ""
    several: bool = False

    @property
    def name(self) -> str:
        """The property, and over which transport where there are several."""
        return f"{self.entry.name} over {self.address}" if self.several else self.entry.name


def run(arguments: argparse.Namespace) -> int:
    """Run the properties; returns 0, or 1 when one failed or none could be tried."""
    chosen = _selected(arguments.property)
    _refuse_misfits(chosen, arguments)
    number = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    if arguments.save is not None:
        _make_folder(arguments.save)
    outcomes: list[campaign.Outcome] = []
    gone: list[object] = []
    with ExitStack() as stack:
        stack.enter_context(_hypothesis_elsewhere())
        for job in _jobs(chosen, arguments, stack):
            if any(job.target is each for each in gone):
                sys.stdout.write(f"untested  {plain(job.name)}: the target can no longer be reached\n")
                continue
            outcome = campaign.run(
                job.entry,
                job.target,
                examples=arguments.examples,
                seconds=arguments.seconds,
                chosen=number,
                database=_database(arguments.save, job),
            )
            sys.stdout.write(_said(outcome, job, _again(arguments, job, number)))
            sys.stdout.flush()
            if outcome.failure and arguments.save is not None:
                _keep(arguments.save, job, outcome, number)
            gone += [job.target] if outcome.gone else []
            outcomes.append(outcome)
    # The false green of a run in which nothing was tried: it has shown nothing.
    held = [outcome for outcome in outcomes if KINDS["held"](outcome)]
    failed = any(outcome.failure or outcome.flaky for outcome in outcomes)
    return 1 if failed or not held else 0


def _refuse_misfits(chosen: list[properties.Property], arguments: argparse.Namespace) -> None:
    """Raise UsageError for a property whose target is not the one that was given."""
    service = arguments.target is not None or arguments.profile is not None
    for entry in chosen:
        if entry.over == properties.WIRE and arguments.adapter is not None and not service:
            raise UsageError(f"{entry.name} is about a live service: it takes --target, and no --adapter")
        if entry.over == properties.OPERATIONS and service and arguments.adapter is None:
            raise UsageError(f"{entry.name} is about pure functions: it takes --adapter, and no --target")


def _jobs(chosen: list[properties.Property], arguments: argparse.Namespace, stack: ExitStack) -> list[_Job]:
    """Open what the properties need, and return each property with each target that it is tried on."""
    operations: Operations | None = None
    wires: dict[str, Wire] = {}
    if any(entry.over == properties.OPERATIONS for entry in chosen):
        operations = stack.enter_context(_operations(arguments))
    if any(entry.over == properties.WIRE for entry in chosen):
        given = profile.load(arguments.profile) if arguments.profile is not None else profile.EMPTY
        wires = stack.enter_context(fuzzing.wires(arguments.target, given, arguments.timeout))
    jobs = []
    for entry in chosen:
        if entry.over == properties.WIRE:
            jobs += [_Job(entry, wire, address, len(wires) > 1) for address, wire in wires.items()]
        elif operations is not None:
            jobs.append(_Job(entry, operations))
    return jobs


def _selected(names: list[str]) -> list[properties.Property]:
    chosen: dict[str, properties.Property] = {}
    for name in names:
        found = properties.select(name)
        if not found:
            raise UsageError(f"there is no property {name!r}; there are {', '.join(properties.load())}")
        chosen.update({entry.name: entry for entry in found})
    return list(chosen.values())


@contextlib.contextmanager
def _hypothesis_elsewhere() -> Iterator[None]:
    """Let Hypothesis write its notes to a folder that is gone afterwards, and not to where the person works."""
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


def _operations(arguments: argparse.Namespace) -> AbstractContextManager[Operations]:
    if arguments.adapter is None:
        return contextlib.nullcontext(OwnOperations())
    return BlockingAdapter(split_command(arguments.adapter), arguments.timeout, "yea")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as problem:
        raise HarnessError(f"--save {path}: cannot be written: {problem.strerror}") from None


def _database(folder: Path | None, job: _Job) -> DirectoryBasedExampleDatabase | None:
    """Return where the failures of a property are kept; each has a folder, for one would sweep another's away."""
    return None if folder is None else DirectoryBasedExampleDatabase(folder / "examples" / _file_name(job.name))


KINDS: dict[str, Callable[[campaign.Outcome], bool]] = {
    "not applicable": lambda outcome: bool(outcome.unsupported),
    "flaky": lambda outcome: outcome.flaky,
    "failed": lambda outcome: bool(outcome.failure),
    "untested": lambda outcome: not outcome.examples,
    "held": lambda outcome: bool(outcome.examples and not (outcome.unsupported or outcome.flaky or outcome.failure)),
}


def _said(outcome: campaign.Outcome, job: _Job, again: str) -> str:
    """Return the lines for an outcome, safe for a terminal."""
    kind = next(kind for kind, is_it in KINDS.items() if is_it(outcome))
    entry, name = job.entry, plain(job.name)
    if kind == "not applicable":
        who = "service" if entry.over == properties.WIRE else "adapter"
        return f"{kind}  {name}: the {who} does not support {plain(outcome.unsupported)}\n"
    if kind == "untested":
        return f"{kind}  {name}: the time was up before anything could be tried\n"
    if kind == "held":
        rate = outcome.examples / outcome.seconds if outcome.seconds else 0
        counted = [f"{plain(name, 80)} {count}" for name, count in outcome.events.most_common(MOST_EVENTS)]
        tried = f"{outcome.examples:,} examples, {rate:,.0f} a second"
        return f"{kind}  {name}: {'; '.join([tried, ', '.join(counted)] if counted else [tried])}\n"
    return (
        f"{kind}  {name}: {entry.title} ({', '.join(entry.clauses)})\n"
        f"  {'last    ' if outcome.gone else 'smallest'}  {plain(outcome.smallest, 4000)}\n"
        f"  problem   {plain(outcome.failure, 2000)}\n"
        f"  again     {again}\n"
    )


def _again(arguments: argparse.Namespace, job: _Job, number: int) -> str:
    words = ["naysayer", "fuzz", job.entry.name]
    words += ["--adapter", arguments.adapter] if arguments.adapter and not job.address else []
    words += ["--target", job.address] if job.address else []
    words += ["--profile", str(arguments.profile)] if arguments.profile and job.address else []
    words += ["--timeout", f"{arguments.timeout:g}"] if arguments.timeout != PATIENCE else []
    words += ["--save", str(arguments.save)] if arguments.save else []
    return plain(shlex.join([*words, "--seed", str(number), "--examples", str(arguments.examples)]), 4000)


def _keep(folder: Path, job: _Job, outcome: campaign.Outcome, number: int) -> None:
    entry = {"property": job.entry.name, "smallest": outcome.smallest, "problem": outcome.failure, "seed": number}
    path = folder / f"{_file_name(job.name)}.json"
    try:
        path.write_text(json.dumps(entry, indent=1) + "\n", encoding="ascii")
    except OSError as problem:
        raise HarnessError(f"--save {path}: cannot be written: {problem.strerror}") from None


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name)[:100]
