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
from fuzz.properties import LIVE, OPERATIONS, Property, counting
from fuzz.stateful import Machine
from fuzz.stops import Gone, Stop, Unready, Unsupported
from fuzz.targets import Live

SHRINKING = 60.0
"""Seconds that the search for the smallest input may take, if there is no limit of time."""

STEPS = 16
"""Steps of a session, at most."""

PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@dataclass
class Outcome:
    """What a campaign found.

    `examples` is how many were tried, `events` how often each event was seen, `failure` what is wrong with `smallest`
    (both empty when nothing failed), `clauses` those that this breaks, where it is not any of the property's, `calls`
    what an adapter was asked for it. `unsupported` is the operation that the target lacks, `unready` what it takes to
    use it. `flaky` says that an input failed once and not again, `gone` that the target could not be reached any more
    after the last one (`smallest`; `before` is the one before that), `interrupted` that somebody ended the campaign.
    """

    name: str
    examples: int = 0
    seconds: float = 0.0
    failure: str = ""
    smallest: str = ""
    clauses: tuple[str, ...] = ()
    before: str = ""
    unsupported: str = ""
    unready: str = ""
    flaky: bool = False
    gone: bool = False
    interrupted: bool = False
    calls: tuple[Call, ...] = ()
    events: Counter[str] = field(default_factory=Counter)


class Breach(AssertionError):
    """A property does not hold for an example."""


class TimeUp(Stop):
    """The campaign's time is up."""


@dataclass(frozen=True)
class _Wrong:
    """What is wrong with an example, the clauses that this breaks, and what an adapter was asked for it."""

    problem: str
    clauses: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()


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
        self.failing: dict[str, _Wrong] = {}
        self.smallest = self.before = ""
        self.stopped = False
        self.session: Machine | None = None
        self.ended = False
        self._held = ""
        self._example: Any = None

    def begin(self) -> Machine:
        """Begin a session; raises TimeUp when there is no time for it, also during the search for the smallest."""
        if self._is_over():
            self.ended = True
            raise TimeUp
        assert self.entry.machine is not None  # noqa: S101 - only a stateful property has sessions
        self.tried += 1
        self._held = self.session.told if self.session is not None else ""
        self.session = self.entry.machine(self.target, self.found)
        return self.session

    def found(self, smallest: str, wrong: str, clauses: tuple[str, ...] = ()) -> NoReturn:
        """Keep a failure, and raise it; Gone when the target answers nothing any more and nobody can start it again."""
        live = cast(Live, self.target) if self.entry.over in LIVE else None
        silent = live.silent() if live is not None else ""
        if live is not None and silent:
            wrong = f"{wrong}; after that {silent}"
            if not live.revive():
                self._end(smallest, _Wrong(wrong, clauses))
                raise Gone(wrong)
        calls = self.recording.calls if self.recording is not None else ()
        self._fail(smallest, _Wrong(wrong, clauses, calls))

    def lost(self, problem: Gone) -> None:
        """Keep what a session has done before the target was gone, unless it failed before."""
        if self.session is not None:
            self._end(self.session.told or self._held, _Wrong(str(problem)))

    def attempt(self, example: Any) -> None:
        """Try one example; raises Breach when it fails, and TimeUp when there is no time for it.

        When the time is up, the target is not asked any more: what has failed before fails again, anything else ends
        the search for the smallest input. Hypothesis would try long on by itself, and making inputs takes time too.
        """
        if self._is_over():
            shown = self.entry.show(example) if self.failing else ""
            if shown in self.failing:
                self._fail(shown, self.failing[shown])
            self.ended = True
            raise TimeUp
        self.tried += 1
        wrong = self._judge(example)
        if wrong is not None:
            self.found(self.entry.show(example), wrong)
        self._example = example

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
            if self.entry.over in LIVE and cast(Live, self.target).revive():
                return str(problem)
            self._end(self.entry.show(example), _Wrong(str(problem)))
            raise

    def _fail(self, smallest: str, wrong: _Wrong) -> NoReturn:
        if not self.failing:
            latest = self.clock() + SHRINKING
            self.end = latest if self.end is None else min(self.end, latest)
        self.smallest, self.failing[smallest] = smallest, wrong
        raise Breach(wrong.problem)

    def _end(self, last: str, wrong: _Wrong) -> None:
        """Keep what a target was asked last. A dead one fails everything, so what failed before it died stays."""
        if self.failing:
            return
        self.smallest, self.failing[last] = last, wrong
        before = self.entry.show(self._example) if self._example is not None else self._held
        self.before = before if before != last else ""


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
    except (Stop, Breach, Flaky, KeyboardInterrupt) as raised:
        _end(outcome, trials, _cause(raised))
    outcome.interrupted = outcome.interrupted or trials.stopped
    if trials.failing and not outcome.unsupported:
        if trials.ended:
            trials.smallest = min(reversed(trials.failing), key=len)
        wrong = trials.failing[trials.smallest]
        outcome.smallest, outcome.failure, outcome.clauses = trials.smallest, wrong.problem, wrong.clauses
        outcome.before, outcome.calls = trials.before, wrong.calls
    outcome.examples, outcome.seconds = trials.tried, clock() - trials.begun
    return outcome


def _cause(raised: BaseException) -> BaseException:
    """Return what has ended a campaign: where a session breaks off, Hypothesis may complain of that instead."""
    problem: BaseException | None = raised
    while problem is not None and not isinstance(problem, (Stop, KeyboardInterrupt)):
        problem = problem.__context__
    return problem or raised


def _end(outcome: Outcome, trials: _Trials, cause: BaseException) -> None:
    """Note why a campaign has ended; what has failed (a `Breach`) and what has held until its time was up stand."""
    if isinstance(cause, Unsupported):
        outcome.unsupported = str(cause)
    elif isinstance(cause, Unready):
        outcome.unready = str(cause)
    elif isinstance(cause, Gone):
        outcome.gone = True
        trials.lost(cause)
    elif isinstance(cause, KeyboardInterrupt):
        outcome.interrupted = True
    elif isinstance(cause, Flaky):
        outcome.flaky = bool(trials.failing)


def _try_all(trials: _Trials, prepared: settings, chosen: int) -> None:
    if trials.entry.machine is not None:

        def begin() -> Machine:
            return trials.begin()

        run_state_machine_as_test(cast(Any, seed(chosen)(begin)), settings=prepared)
        return

    def test(example: Any) -> None:
        trials.attempt(example)

    prepared(seed(chosen)(given(trials.entry.examples)(test)))()
