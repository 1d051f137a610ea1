"""What a shard does: it opens its target, runs its properties one after the other, and tells what each found."""

import contextlib
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack

from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase, InMemoryExampleDatabase

from fuzz import campaign, properties
from fuzz.kept import Kept, failures
from fuzz.targets import Host, Operations, Service, Wire
from harness import fuzzing, profile
from harness.adapters.blocking import BlockingAdapter, OwnOperations
from harness.adapters.program import split_command
from harness.campaigns.orders import Job, Order, Result, Tell, Watch

Target = Operations | Wire | Service | Host
OPENERS: dict[str, Callable[[fuzzing.Asked], AbstractContextManager[Mapping[str, Wire | Service | Host]]]] = {
    properties.WIRE: fuzzing.wires,
    properties.SERVICE: fuzzing.services,
    properties.HOST: fuzzing.hosts,
}
"""How live targets are opened, by what a property is over."""

_alone = threading.Lock()
"""Hypothesis' settings are a process's, so a process runs one shard at a time."""


def work(order: Order, tell: Tell, watch: Watch) -> None:
    """Run a shard.

    Args:
        order: what to do.
        tell: gets the result of each job, as it ends.
        watch: as that of a campaign.

    Raises HarnessError for a target that cannot be opened.
    """
    chosen = [properties.load()[name] for name in order.names]
    gone: list[object] = []
    with _alone, ExitStack() as stack:
        stack.enter_context(_hypothesis_elsewhere())
        for entry, job, target in _jobs(chosen, order, stack):
            if any(target is each for each in gone):
                tell(Result(job, order, campaign.Outcome(entry.name, gone=True)))
                continue
            made = _run(entry, job, target, order, watch)
            tell(made)
            gone += [target] if made.outcome.gone else []
            if made.outcome.interrupted:
                return


def _run(entry: properties.Property, job: Job, target: Target, order: Order, watch: Watch) -> Result:
    database = _database(order, job)
    outcome = campaign.run(
        entry,
        target,
        examples=order.examples,
        seconds=order.seconds,
        chosen=order.seed,
        database=None if database is None else Kept(database, job.name),
        watch=watch,
    )
    kept = failures(database, job.name) if isinstance(database, InMemoryExampleDatabase) else ()
    return Result(job, order, outcome, kept)


def _database(order: Order, job: Job) -> ExampleDatabase | None:
    if order.known is not None:
        database = InMemoryExampleDatabase()
        for value in order.known.get(job.name, ()):
            Kept(database, job.name).save(b"", value)
        return database
    return None if order.folder is None else DirectoryBasedExampleDatabase(order.folder / "examples")


def _jobs(
    chosen: list[properties.Property], order: Order, stack: ExitStack
) -> list[tuple[properties.Property, Job, Target]]:
    """Open what the properties need, and return each property with each target that it is tried on."""
    operations: Operations | None = None
    live: dict[str, Mapping[str, Wire | Service | Host]] = {}
    suites = sorted({entry.protocol for entry in chosen if entry.over == properties.OPERATIONS})
    if suites:
        operations = stack.enter_context(_operations(order, suites))
    given = profile.load(order.profile) if order.profile is not None else profile.EMPTY
    for over in sorted({entry.over for entry in chosen} & OPENERS.keys()):
        asked = fuzzing.Asked(order.target, given, order.timeout, order.command)
        live[over] = stack.enter_context(OPENERS[over](asked))
    jobs: list[tuple[properties.Property, Job, Target]] = []
    for entry in chosen:
        if entry.over in live:
            found = live[entry.over]
            jobs += [(entry, Job(entry.name, address, len(found) > 1), target) for address, target in found.items()]
        elif operations is not None:
            jobs.append((entry, Job(entry.name), operations))
    return jobs


def _operations(order: Order, suites: list[str]) -> AbstractContextManager[Operations]:
    if order.adapter is None:
        return contextlib.nullcontext(OwnOperations())
    return BlockingAdapter(split_command(order.adapter), order.timeout, *suites)


@contextlib.contextmanager
def _hypothesis_elsewhere() -> Iterator[None]:
    """Let Hypothesis write its notes to a folder that is gone afterwards, and not to where the person works."""
    with tempfile.TemporaryDirectory(prefix="naysayer-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)
