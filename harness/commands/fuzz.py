"""`naysayer fuzz`: property-based fuzzing of an implementation's pure functions."""

import argparse
import contextlib
import json
import random
import shlex
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from hypothesis.database import DirectoryBasedExampleDatabase

from fuzz import campaign, properties
from fuzz.targets import Operations
from harness.adapters.blocking import BlockingAdapter, OwnOperations
from harness.adapters.process import PATIENCE
from harness.errors import HarnessError, UsageError
from harness.managed import fill_command
from reports.text import plain

DEFAULT_EXAMPLES = 1000


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "fuzz",
        help="look for faults that no listed case names",
        description="Feeds made-up inputs to an adapter and holds its answers against the reference and against laws. "
        "Prints the smallest input that fails and the command that finds it again. Exit 1 when something fails.",
    )
    parser.add_argument(
        "property", nargs="+", metavar="PROPERTY", help="canonical, lens, caveats, or one of them by name"
    )
    parser.add_argument("--adapter", metavar="CMD", help="whose functions; without it the reference fuzzes itself")
    parser.add_argument("--examples", type=int, default=DEFAULT_EXAMPLES, metavar="N", help="at most so many for each")
    parser.add_argument("--seconds", type=float, metavar="S", help="at most so long for each")
    parser.add_argument("--seed", type=int, metavar="N", help="the same inputs as a run before")
    parser.add_argument("--save", type=Path, metavar="DIR", help="keep failures here, and try them first next time")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the properties; returns 0, or 1 when one failed."""
    chosen = _selected(arguments.property)
    if arguments.examples < 1 or (arguments.seconds is not None and arguments.seconds <= 0):
        raise UsageError("--examples must be 1 or more and --seconds above 0")
    number = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(10**6)
    database = DirectoryBasedExampleDatabase(_folder(arguments.save)) if arguments.save else None
    outcomes = []
    with _target(arguments.adapter) as target:
        for entry in chosen:
            outcome = campaign.run(
                entry,
                target,
                examples=arguments.examples,
                seconds=arguments.seconds,
                chosen=number,
                database=database,
            )
            _say(outcome, entry, _again(arguments, entry, number))
            if outcome.failure and arguments.save:
                _keep(arguments.save, outcome, number)
            outcomes.append(outcome)
    return 1 if any(outcome.failure or outcome.flaky for outcome in outcomes) else 0


def _selected(names: list[str]) -> list[properties.Property]:
    chosen: dict[str, properties.Property] = {}
    for name in names:
        found = properties.select(name)
        if not found:
            raise UsageError(f"there is no property {name!r}; there are {', '.join(properties.load())}")
        chosen.update({entry.name: entry for entry in found})
    return list(chosen.values())


def _target(command: str | None) -> AbstractContextManager[Operations]:
    if command is None:
        return contextlib.nullcontext(OwnOperations())
    return BlockingAdapter(fill_command(command, {}), PATIENCE)


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise HarnessError(f"--save {path}: cannot be made: {problem.strerror}") from None
    return path / "examples"


def _say(outcome: campaign.Outcome, entry: properties.Property, again: str) -> None:
    rate = outcome.examples / outcome.seconds if outcome.seconds else 0
    tried = f"{outcome.examples} examples, {rate:.0f} a second"
    events = ", ".join(f"{plain(name, 80)} {count}" for name, count in outcome.events.most_common(8))
    out = sys.stdout
    if outcome.unsupported:
        out.write(f"not applicable  {entry.name}: the adapter does not support {plain(outcome.unsupported)}\n")
    elif outcome.failure or outcome.flaky:
        kind = "flaky " if outcome.flaky else "failed"
        out.write(f"{kind}  {entry.name}: {entry.title} ({', '.join(entry.clauses)})\n")
        out.write(f"  smallest  {plain(outcome.smallest, 4000)}\n")
        out.write(f"  problem   {plain(outcome.failure, 2000)}\n  again     {again}\n")
    else:
        out.write(f"held    {entry.name}: {tried}{'; ' + events if events else ''}\n")
    out.flush()


def _again(arguments: argparse.Namespace, entry: properties.Property, number: int) -> str:
    words = ["naysayer", "fuzz", entry.name]
    words += ["--adapter", arguments.adapter] if arguments.adapter else []
    words += ["--save", str(arguments.save)] if arguments.save else []
    return shlex.join([*words, "--seed", str(number), "--examples", str(arguments.examples)])


def _keep(folder: Path, outcome: campaign.Outcome, number: int) -> None:
    entry = {"property": outcome.name, "smallest": outcome.smallest, "problem": outcome.failure, "seed": number}
    path = folder / f"{outcome.name.replace('/', '-')}.json"
    path.write_text(json.dumps(entry, indent=1) + "\n", encoding="ascii")
