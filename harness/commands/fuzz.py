"""`naysayer fuzz`: property-based fuzzing of an implementation's pure functions."""

import argparse
import contextlib
import json
import random
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

from fuzz import campaign, properties
from fuzz.targets import Operations
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
        description="Feeds made-up inputs to an adapter and holds its answers against the reference and against laws. "
        "Prints the smallest input that fails and the command that finds it again. Exit 1 when something fails, and "
        "when nothing could be tried.",
    )
    parser.add_argument(
        "property", nargs="+", metavar="PROPERTY", help="canonical, lens, caveats, or one of them by name"
    )
    parser.add_argument("--adapter", metavar="CMD", help="whose functions; without it the reference fuzzes itself")
    parser.add_argument(
        "--examples", type=whole(1, 10**9), default=DEFAULT_EXAMPLES, metavar="N", help="at most so many for each"
    )
    parser.add_argument("--seconds", type=duration, metavar="S", help="at most so long for each")
    parser.add_argument("--seed", type=whole(0, 2**53), metavar="N", help="the same inputs as a run before")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep failures here, and try them first next time")
    parser.add_argument("--timeout", type=seconds, default=PATIENCE, metavar="S", help="seconds an answer may take")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the properties; returns 0, or 1 when one failed or none could be tried."""
    chosen = _selected(arguments.property)
    number = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    if arguments.save is not None:
        _make_folder(arguments.save)
    outcomes = []
    with _hypothesis_elsewhere(), _target(arguments) as target:
        for entry in chosen:
            outcome = campaign.run(
                entry,
                target,
                examples=arguments.examples,
                seconds=arguments.seconds,
                chosen=number,
                database=_database(arguments.save, entry),
            )
            sys.stdout.write(_said(outcome, entry, _again(arguments, entry, number)))
            sys.stdout.flush()
            if outcome.failure and arguments.save is not None:
                _keep(arguments.save, outcome, number)
            outcomes.append(outcome)
    # The false green of a run in which nothing was tried: it has shown nothing.
    held = [outcome for outcome in outcomes if KINDS["held"](outcome)]
    failed = any(outcome.failure or outcome.flaky for outcome in outcomes)
    return 1 if failed or not held else 0


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


def _target(arguments: argparse.Namespace) -> AbstractContextManager[Operations]:
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


def _database(folder: Path | None, entry: properties.Property) -> DirectoryBasedExampleDatabase | None:
    """Return where the failures of a property are kept; each has a folder, for one would sweep another's away."""
    return None if folder is None else DirectoryBasedExampleDatabase(folder / "examples" / _file_name(entry.name))


KINDS: dict[str, Callable[[campaign.Outcome], bool]] = {
    "not applicable": lambda outcome: bool(outcome.unsupported),
    "flaky": lambda outcome: outcome.flaky,
    "failed": lambda outcome: bool(outcome.failure),
    "untested": lambda outcome: not outcome.examples,
    "held": lambda outcome: bool(outcome.examples and not (outcome.unsupported or outcome.flaky or outcome.failure)),
}


def _said(outcome: campaign.Outcome, entry: properties.Property, again: str) -> str:
    """Return the lines for an outcome, safe for a terminal."""
    kind = next(kind for kind, is_it in KINDS.items() if is_it(outcome))
    if kind == "not applicable":
        return f"{kind}  {entry.name}: the adapter does not support {plain(outcome.unsupported)}\n"
    if kind == "untested":
        return f"{kind}  {entry.name}: the time was up before anything could be tried\n"
    if kind == "held":
        rate = outcome.examples / outcome.seconds if outcome.seconds else 0
        counted = [f"{plain(name, 80)} {count}" for name, count in outcome.events.most_common(MOST_EVENTS)]
        tried = f"{outcome.examples:,} examples, {rate:,.0f} a second"
        return f"{kind}  {entry.name}: {'; '.join([tried, ', '.join(counted)] if counted else [tried])}\n"
    return (
        f"{kind}  {entry.name}: {entry.title} ({', '.join(entry.clauses)})\n"
        f"  smallest  {plain(outcome.smallest, 4000)}\n"
        f"  problem   {plain(outcome.failure, 2000)}\n"
        f"  again     {again}\n"
    )


def _again(arguments: argparse.Namespace, entry: properties.Property, number: int) -> str:
    words = ["naysayer", "fuzz", entry.name]
    words += ["--adapter", arguments.adapter] if arguments.adapter else []
    words += ["--timeout", f"{arguments.timeout:g}"] if arguments.timeout != PATIENCE else []
    words += ["--save", str(arguments.save)] if arguments.save else []
    return plain(shlex.join([*words, "--seed", str(number), "--examples", str(arguments.examples)]), 4000)


def _keep(folder: Path, outcome: campaign.Outcome, number: int) -> None:
    entry = {"property": outcome.name, "smallest": outcome.smallest, "problem": outcome.failure, "seed": number}
    path = folder / f"{_file_name(outcome.name)}.json"
    try:
        path.write_text(json.dumps(entry, indent=1) + "\n", encoding="ascii")
    except OSError as problem:
        raise HarnessError(f"--save {path}: cannot be written: {problem.strerror}") from None


def _file_name(name: str) -> str:
    return name.replace("/", "-")
