"""What a shard is told to do, and what it tells: plain data that can be sent to another process or machine."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fuzz.campaign import Outcome

STRIDE = 1_000_003
"""How far the seeds of two neighbouring shards are apart, so that campaigns with neighbouring seeds share none."""

MOST_SEED = 2**53
NAMES = re.compile(r"[\w-]*[0-9][\w-]*")
"""Ids and numbers in what is wrong with a session."""


@dataclass(frozen=True)
class Order:
    """What one shard does.

    Args:
        names: the properties.
        examples: at most so many for each.
        seconds: at most so long for each, or None.
        seed: its own.
        adapter: the command of an adapter, or None for the reference itself.
        target: the address of a service, or None for the profile's, or for the reference over TCP.
        profile: what the target is, or None.
        timeout: seconds that an answer may take.
        command: starts the target, or None for one that runs already.
        folder: where failures are kept, or None.
        known: failures to try first, by job, where the folder is out of reach.
        shard: its number.
    """

    names: tuple[str, ...]
    examples: int
    seconds: float | None
    seed: int
    adapter: str | None
    target: str | None
    profile: Path | None
    timeout: float
    command: str | None = None
    folder: Path | None = None
    known: Mapping[str, tuple[bytes, ...]] | None = None
    shard: int = 0


@dataclass(frozen=True)
class Job:
    """A property (`of`) on a target.

    `address` is "" where nobody named one, and the transport of a target that we start; `several` says that there are
    others.
    """

    of: str
    address: str = ""
    several: bool = False

    @property
    def name(self) -> str:
        """The property, and over which transport where there are several."""
        return f"{self.of} over {self.address}" if self.several else self.of


@dataclass(frozen=True)
class Result:
    """What one shard found out about one job: `order` is its own, `kept` the failures to keep, if not kept yet."""

    job: Job
    order: Order
    outcome: Outcome
    kept: tuple[bytes, ...] = ()


@dataclass
class Merged:
    """What all shards together found out about one job: `failures` are the distinct ones, each told once."""

    job: Job
    outcome: Outcome
    failures: list[Result] = field(default_factory=list)
    shards: int = 0


Tell = Callable[[Result], None]
Watch = Callable[[int], bool]
"""Told how many examples of the running campaign were tried; false ends everything."""


def split(order: Order, shards: int) -> list[Order]:
    """Return the orders of so many shards, or of as many as there are examples."""
    counts = [order.examples // shards + (number < order.examples % shards) for number in range(shards)]
    return [
        replace(order, shard=number, examples=count, seed=(order.seed + number * STRIDE) % MOST_SEED)
        for number, count in enumerate(counts)
        if count
    ]


def merge(results: list[Result]) -> Merged:
    """Put together what the shards found out about one job; the same failure of several shards counts once."""
    first = results[0].outcome
    whole = Outcome(first.name)
    failures: dict[tuple[str, ...], Result] = {}
    for each in results:
        made = each.outcome
        whole.examples += made.examples
        whole.seconds = max(whole.seconds, made.seconds)
        whole.events += made.events
        whole.unsupported, whole.unready = whole.unsupported or made.unsupported, whole.unready or made.unready
        whole.flaky, whole.gone = whole.flaky or made.flaky, whole.gone or made.gone
        whole.interrupted = whole.interrupted or made.interrupted
        if made.failure or made.flaky:
            failures.setdefault(_sort(made), each)
    found = sorted(failures.values(), key=lambda each: (len(each.outcome.smallest), each.order.shard))
    if found:
        worst = found[0].outcome
        whole.failure, whole.smallest, whole.clauses = worst.failure, worst.smallest, worst.clauses
    return Merged(results[0].job, whole, found, len(results))


def _sort(outcome: Outcome) -> tuple[str, ...]:
    """Return what two failures must have in common to be the same one: in a session, where ids are new, the law."""
    if outcome.clauses:
        return (NAMES.sub("#", outcome.failure), *outcome.clauses)
    return outcome.smallest, outcome.failure
