"""The campaign runner: a property against a target with Hypothesis, shrunk, seeded, bounded in examples and time."""

import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.errors import Flaky, HypothesisWarning

from fuzz.properties import Property, Unsupported, counting
from fuzz.targets import Operations


@dataclass
class Outcome:
    """What a campaign found.

    `examples` is how many were tried, `events` how often each event was seen, `failure` what is wrong with `smallest`
    (both empty when nothing failed), `unsupported` the operation that the target lacks.
    """

    name: str
    examples: int = 0
    seconds: float = 0.0
    failure: str = ""
    smallest: str = ""
    unsupported: str = ""
    flaky: bool = False
    events: Counter[str] = field(default_factory=Counter)


class Breach(AssertionError):
    """A property does not hold for an example."""


def run(
    entry: Property,
    target: Operations,
    *,
    examples: int,
    seconds: float | None,
    chosen: int,
    database: ExampleDatabase | None,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Run one property and return what was found.

    Args:
        entry: the property.
        target: who answers.
        examples: at most so many.
        seconds: at most so long, or None; shrinking may take a little more.
        chosen: the seed: the same one tries the same examples.
        database: failures found before, tried first.
        clock: seconds.
    """
    outcome = Outcome(entry.name)
    begun = clock()
    last: list[tuple[Any, str]] = []

    def test(example: Any) -> None:
        if seconds is not None and not last and clock() - begun > seconds:
            return
        outcome.examples += 1
        wrong = entry.judge(target, example)
        if wrong is not None:
            last.append((example, wrong))
            raise Breach(wrong)

    prepared = settings(
        max_examples=examples,
        deadline=None,
        database=database,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    )(seed(chosen)(given(entry.examples)(test)))
    try:
        with counting(outcome.events), warnings.catch_warnings():
            # A strategy for any JSON has a long description, which nobody asks for.
            warnings.simplefilter("ignore", HypothesisWarning)
            prepared()
    except Unsupported as missing:
        outcome.unsupported = str(missing)
    except Flaky:
        outcome.flaky = True
    except (Breach, AssertionError) as problem:
        outcome.failure = str(problem)
    if last and (outcome.failure or outcome.flaky):
        example, wrong = last[-1]
        outcome.smallest, outcome.failure = entry.show(example), wrong
    outcome.seconds = clock() - begun
    return outcome
