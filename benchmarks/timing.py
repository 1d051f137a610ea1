"""Measuring: the best of a few runs of each side, in turn, so that both meet the same machine."""

import time
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 7


@dataclass(frozen=True)
class Line:
    """One measurement against its bar: `value` must be at least the bar, or at most it."""

    name: str
    value: float
    bar: float
    at_least: bool
    unit: str

    @property
    def met(self) -> bool:
        """Whether the bar was met."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def best(run: Callable[[], object]) -> float:
    """Return the seconds that the fastest of a few runs took."""
    return min(_once(run) for _ in range(ROUNDS))


def ratio(ours: Callable[[], object], theirs: Callable[[], object]) -> float:
    """Return how many times as fast as the other ours is, both measured in turn."""
    pairs = [(_once(ours), _once(theirs)) for _ in range(ROUNDS)]
    return min(their for _, their in pairs) / min(our for our, _ in pairs)


def _once(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun
