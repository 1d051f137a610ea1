"""The campaign runner: a property against a target with Hypothesis, shrunk, seeded, bounded in examples and time.

What was found is never lost: an interruption ends a campaign as its time does, and the outcome says so.
"""

import time
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import ExampleDatabase
from hypothesis.errors import Flaky, HypothesisWarning
from hypothesis.stateful import run_state_machine_as_test

from fuzz.calls import Call, Recording
from fuzz.properties import OPERATIONS, Gone, Property, Stop, Unsupported, counting
from fuzz.stateful import Machine

SHRINKING = 60.0
"""Seconds that the search for the smallest input may take, if there is no limit of time."""

STEPS = 16
"""Steps of a session, at most."""

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@dataclass
class Outcome:
    """What a campaign found.

    `examples` is how many were tried, `events` how often each event was seen, `failure` what is wrong with `smallest`
    (both empty when nothing failed), `calls` what an adapter was asked for it, `unsupported` the operation that the
    target lacks. `flaky` says that an input failed once and not again, `gone` that the target could not be reached any
    more after the last one, `interrupted` that somebody ended the campaign.
    """

    name: str
    examples: int = 0
    seconds: float = 0.0
    failure: str = ""
    smallest: str = ""
    unsupported: str = ""
    flaky: bool = False
    gone: bool = False
    interrupted: bool = False
    calls: tuple[Call, ...] = ()
    events: Counter[str] = field(default_factory=Counter)


class Breach(AssertionError):
    """A property does not hold for an example."""


class TimeUp(Stop):
    """The campaign's time is up."""


class _Trials:
    """The examples of one campaign, tried one by one."""

    def __init__(
        self,
        entry: Property,
        target: Any,
        seconds: float | None,
        clock: Callable[[], float],
        watch: Callable[[int], bool],
    ) -> None:
        self.entry, self.clock, self.watch = entry, clock, watch
        self.recording = Recording(target) if entry.over == OPERATIONS else None
        self.target = self.recording or target
        self.begun = clock()
        self.end = None if seconds is None else self.begun + seconds
        self.tried = 0
        self.failing: dict[str, str] = {}
        self.smallest = ""
        self.calls: tuple[Call, ...] = ()
        self.stopped = False
        self.session: Machine | None = None
        self.ended = False

    def begin(self) -> Machine:
        """Begin a session; raises TimeUp when there is no time for it, also during the search for the smallest."""
        if self._is_over():
            self.ended = True
            raise TimeUp
        assert self.entry.machine is not None  # noqa: S101 - only a stateful property has sessions
        self.tried += 1
        self.session = self.entry.machine(self.target, self.found)
        return self.session

    def found(self, smallest: str, wrong: str) -> NoReturn:
        """Keep a failure, and raise it."""
        self.smallest = smallest
        self._failed(wrong)
        raise Breach(wrong)

    def lost(self, problem: Gone) -> None:
        """Keep what a session has done before the target was gone, unless it failed before."""
        if self.session is not None and not self.failing:
            self.smallest = self.session.told
            self.failing[self.smallest] = str(problem)

    def attempt(self, example: Any) -> None:
        """Try one example; raises Breach when it fails, and TimeUp when there is no time for it.

        When the time is up during the search for the smallest input, the target is not asked any more: what has failed
        before fails again, anything else passes, and the search ends by itself.
        """
        if self._is_over():
            if not self.failing:
                raise TimeUp
            wrong = self.failing.get(self.entry.show(example))
        else:
            self.tried += 1
            wrong = self._judge(example)
        if wrong is not None:
            self.found(self.entry.show(example), wrong)

    def _is_over(self) -> bool:
        self.stopped = self.stopped or not self.watch(self.tried)
        return self.stopped or (self.end is not None and self.clock() > self.end)

    def _judge(self, example: Any) -> str | None:
        if self.recording is not None:
            self.recording.forget()
        try:
            return self.entry.judge(self.target, example)
        except AssertionError as problem:
            return str(problem)
        except Gone as problem:
            # A dead target fails everything, so this is not made smaller; what failed before it died is.
            if not self.failing:
                self.smallest = self.entry.show(example)
                self.failing[self.smallest] = str(problem)
            raise

    def _failed(self, wrong: str) -> None:
        if not self.failing:
            latest = self.clock() + SHRINKING
            self.end = latest if self.end is None else min(self.end, latest)
        self.failing[self.smallest] = wrong
        if self.recording is not None:
            self.calls = self.recording.calls or self.calls


def on_and_on(_: int) -> bool:
    """Let a campaign go on, however many examples it has tried."""
    return True


def run(
    entry: Property,
    target: Any,
    *,
    examples: int,
    seconds: float | None,
    chosen: int,
    database: ExampleDatabase | None,
    shrink: bool = True,
    clock: Callable[[], float] = time.monotonic,
    watch: Callable[[int], bool] = on_and_on,
) -> Outcome:
    """Run one property and return what was found.

    Args:
        entry: the property.
        target: who answers, of the kind that the property is over.
        examples: at most so many, shrinking aside.
        seconds: at most so long, or None.
        chosen: the seed: the same one tries the same examples.
        database: failures found before, tried first.
        shrink: whether to look for the smallest input that fails.
        clock: seconds.
        watch: told before each example how many were tried; false ends the campaign, with what was found.
    """
    outcome, trials = Outcome(entry.name), _Trials(entry, target, seconds, clock, watch)
    prepared = settings(
        max_examples=examples,
        deadline=None,
        database=database,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=[*PHASES, Phase.shrink] if shrink else PHASES,
        stateful_step_count=STEPS,
    )
    try:
        with counting(outcome.events), warnings.catch_warnings():
            # A strategy for any JSON has a long description, which nobody asks for.
            warnings.simplefilter("ignore", HypothesisWarning)
            _try_all(trials, prepared, chosen)
    except Unsupported as missing:
        outcome.unsupported = str(missing)
    except TimeUp:
        pass  # what was tried has held
    except Flaky:
        # A session that there is no time for looks to Hypothesis like one that goes otherwise this time.
        outcome.flaky = bool(trials.failing) and not trials.ended
    except Gone as problem:
        outcome.gone = True
        trials.lost(problem)
    except Breach:
        pass  # what has failed is told below
    except KeyboardInterrupt:
        outcome.interrupted = True
    outcome.interrupted = outcome.interrupted or trials.stopped
    if trials.failing and not outcome.unsupported:
        if trials.ended:
            trials.smallest = min(trials.failing, key=len)
        outcome.smallest, outcome.failure = trials.smallest, trials.failing[trials.smallest]
        outcome.calls = trials.calls
    outcome.examples, outcome.seconds = trials.tried, clock() - trials.begun
    return outcome


def _try_all(trials: _Trials, prepared: settings, chosen: int) -> None:
    if trials.entry.machine is not None:

        def begin() -> Machine:
            return trials.begin()

        run_state_machine_as_test(cast(Any, seed(chosen)(begin)), settings=prepared)
        return

    def test(example: Any) -> None:
        trials.attempt(example)

    prepared(seed(chosen)(given(trials.entry.examples)(test)))()
