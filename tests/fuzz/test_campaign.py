"""The campaign runner: bounded, seeded, and honest about what it did not do."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase, ExampleDatabase
from hypothesis.stateful import rule

from fuzz import campaign
from fuzz.calls import Call
from fuzz.properties import HOST, WIRE, Property, answer, event
from fuzz.stateful import Machine
from fuzz.stops import Gone, Unsupported
from fuzz.targets import Operations
from tests.fuzz.targets import Always, Telling

OK: dict[str, Any] = {"ok": {}}


def small(target: Operations, number: int) -> str | None:
    """A number of four digits or more is wrong."""
    event("odd" if number % 2 else "even")
    return f"{number} is large" if answer(target, "x", {"n": number})["ok"].get("wrong") else None


SMALL = Property("test/small", "Numbers are small.", ("YEA-1-01",), st.integers(0, 10**6), small)


def tell_large(_: str, arguments: Any) -> dict[str, Any]:
    return {"ok": {"wrong": arguments["n"] >= 1000}}


LARGE_IS_WRONG = Telling(tell_large)


def run(target: Operations, examples: int = 300, chosen: int = 1, **options: Any) -> campaign.Outcome:
    options = {"seconds": None, "database": None, **options}
    return campaign.run(SMALL, target, examples=examples, chosen=chosen, **options)


def ticking(step: float) -> Iterator[float]:
    """Times that are `step` seconds apart."""
    return (number * step for number in count())


def test_a_property_that_holds_is_tried_on_every_example() -> None:
    target = Always(OK)
    outcome = run(target)
    assert (outcome.failure, outcome.smallest, outcome.examples, target.calls) == ("", "", 300, 300)
    assert outcome.events.total() == 300
    assert set(outcome.events) == {"odd", "even"}


def test_the_smallest_example_that_fails_is_found() -> None:
    outcome = run(LARGE_IS_WRONG)
    assert (outcome.smallest, outcome.failure, outcome.flaky) == ("1000", "1000 is large", False)


def test_without_shrinking_the_first_that_fails_is_told() -> None:
    first = run(LARGE_IS_WRONG, shrink=False)
    assert int(first.smallest) >= 1000
    assert first.failure == f"{first.smallest} is large"


def tried(chosen: int) -> list[int]:
    seen: list[int] = []

    def tell(_: str, arguments: Any) -> dict[str, Any]:
        seen.append(arguments["n"])
        return OK

    run(Telling(tell), 40, chosen)
    return seen


def test_the_seed_decides_what_is_tried() -> None:
    assert tried(1) == tried(1) != tried(2)


def test_the_time_ends_a_campaign() -> None:
    times = ticking(1.0)
    target = Always(OK)
    outcome = run(target, 10**6, seconds=50.0, clock=lambda: next(times))
    assert 40 <= outcome.examples <= 51
    assert (outcome.failure, target.calls) == ("", outcome.examples)


def test_no_time_at_all_tries_nothing() -> None:
    times = ticking(1.0)
    assert run(Always(OK), seconds=0.5, clock=lambda: next(times)).examples == 0


def test_the_time_ends_the_search_for_the_smallest() -> None:
    """What failed before is told, though the target is asked no more."""
    times = ticking(1.0)
    calls: list[int] = []

    def tell(_: str, arguments: Any) -> dict[str, Any]:
        calls.append(arguments["n"])
        return tell_large(_, arguments)

    outcome = run(Telling(tell), seconds=20.0, clock=lambda: next(times))
    assert (outcome.flaky, int(outcome.smallest) in calls) == (False, True)
    assert outcome.failure == f"{outcome.smallest} is large"
    assert len(calls) == outcome.examples <= 21


@pytest.mark.parametrize("ended", ["by its time", "by whoever watches"])
def test_no_further_input_is_made_when_the_search_for_the_smallest_is_over(ended: str) -> None:
    """Inputs of a MiB take long to make, and the search wants hundreds of them."""
    failed: list[list[int]] = []
    made: list[list[int]] = []

    def long(target: Operations, numbers: list[int]) -> str | None:
        wrong = len(numbers) > 2 and answer(target, "x", {"n": sum(numbers)}) is not None
        failed.extend([numbers] if wrong else [])
        return "is long" if wrong else None

    def kept(numbers: list[int]) -> list[int]:
        made.extend([numbers] if failed else [])
        return numbers

    lists = st.lists(st.integers(0, 10**6), max_size=20).map(kept)
    outcome = campaign.run(
        Property("test/long", "Lists are short.", ("YEA-1-01",), lists, long),
        Always(OK),
        examples=300,
        seconds=10.0,
        chosen=1,
        database=None,
        clock=lambda: 11.0 if failed and ended == "by its time" else 0.0,
        watch=lambda _: not failed or ended == "by its time",
    )
    assert (outcome.failure, outcome.smallest) == ("is long", SMALL.show(failed[0]))
    assert outcome.calls == (Call("x", {"n": sum(failed[0])}, OK),)
    assert (len(failed), outcome.interrupted) == (1, ended == "by whoever watches")
    assert len(made) <= 3


def test_the_calls_that_are_told_are_those_of_the_smallest_when_the_time_ends_the_search() -> None:
    times = ticking(1.0)
    outcome = run(LARGE_IS_WRONG, seconds=18.0, clock=lambda: next(times))
    assert [str(call.arguments["n"]) for call in outcome.calls] == [outcome.smallest]


def test_the_search_for_the_smallest_has_an_end_of_its_own() -> None:
    times = ticking(campaign.SHRINKING / 10)
    outcome = run(LARGE_IS_WRONG, clock=lambda: next(times))
    unlimited = run(LARGE_IS_WRONG)
    assert outcome.examples < unlimited.examples
    assert outcome.failure == f"{outcome.smallest} is large"


def test_what_fails_once_and_not_again_is_flaky() -> None:
    answers = iter([True])
    outcome = run(Telling(lambda *_: {"ok": {"wrong": next(answers, False)}}))
    assert (outcome.flaky, outcome.failure) == (True, f"{outcome.smallest} is large")


def test_an_operation_that_is_missing_ends_a_campaign_at_once() -> None:
    target = Always({"unsupported": True})
    outcome = run(target)
    assert (outcome.unsupported, outcome.failure, target.calls) == ("x", "", 1)


def test_an_operation_that_goes_missing_is_not_searched_for() -> None:
    def tell(_: str, arguments: Any) -> dict[str, Any]:
        return {"unsupported": True} if arguments["n"] > 1000 else OK

    assert run(Telling(tell)).unsupported == "x"


def test_no_answer_is_a_failure() -> None:
    outcome = run(Always({"broke": "it ended"}))
    assert (outcome.failure, outcome.smallest) == ("x: no answer: it ended", "0")


def test_an_exception_of_ours_is_no_finding() -> None:
    def tell(*_: Any) -> dict[str, Any]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(Telling(tell), 3)


def test_an_interruption_ends_a_campaign() -> None:
    answers = iter([OK] * 20)

    def tell(*_: Any) -> dict[str, Any]:
        for made in answers:
            return made
        raise KeyboardInterrupt

    outcome = run(Telling(tell))
    assert (outcome.interrupted, outcome.failure, outcome.examples) == (True, "", 21)


def test_what_was_found_before_an_interruption_is_told() -> None:
    failed: list[int] = []

    def tell(_: str, arguments: Any) -> dict[str, Any]:
        if len(failed) == 3:
            raise KeyboardInterrupt
        made = tell_large(_, arguments)
        failed.extend([arguments["n"]] if made["ok"]["wrong"] else [])
        return made

    outcome = run(Telling(tell))
    assert (outcome.interrupted, outcome.smallest) == (True, str(failed[-1]))
    assert outcome.failure == f"{failed[-1]} is large"


def test_whoever_watches_can_end_a_campaign() -> None:
    seen: list[int] = []
    outcome = run(Always(OK), watch=lambda tried: seen.append(tried) or tried < 7)
    assert (outcome.examples, outcome.interrupted, seen) == (7, True, list(range(8)))


def test_the_calls_of_the_smallest_example_are_told() -> None:
    answer = {"ok": {"wrong": True}}
    assert run(LARGE_IS_WRONG).calls == (Call("x", {"n": 1000}, answer),)
    assert run(Always(OK)).calls == ()


def test_what_failed_is_kept_and_tried_first(tmp_path: Path) -> None:
    database: ExampleDatabase = DirectoryBasedExampleDatabase(tmp_path)
    assert run(LARGE_IS_WRONG, database=database).smallest == "1000"
    seen: list[int] = []

    def tell(_: str, arguments: Any) -> dict[str, Any]:
        seen.append(arguments["n"])
        return tell_large(_, arguments)

    run(Telling(tell), chosen=2, database=database)
    assert seen[0] == 1000


def test_unsupported_is_no_exception_that_code_would_catch() -> None:
    assert not issubclass(Unsupported, Exception)


class Ending:
    """A live target that ends at a call: `Gone` from then on, or no answer, which `silent` tells apart."""

    def __init__(self, last: int, *, hangs: bool, revives: bool = False) -> None:
        self.left, self.last, self.hangs, self.revives = last, last, hangs, revives

    def call(self) -> bool:
        self.left -= 1
        if self.left <= 0 and not self.hangs:
            raise Gone("no connection")
        return self.left > 0

    def silent(self) -> str:
        return "it hangs" if self.left <= 0 else ""

    def revive(self) -> bool:
        self.left = self.last if self.revives else self.left
        return self.revives


def hung_up(target: Ending, number: int) -> str | None:
    """A large number ends the target before the example is over."""
    if number >= 1000:
        target.left = 1
    target.call()
    return None


@pytest.mark.parametrize("revives", [True, False])
def test_an_example_that_ends_its_target_is_made_smaller_where_that_is_started_again(revives: bool) -> None:
    entry = Property("test/ends", "It lives.", ("YEA-1-01",), st.integers(0, 10**6), hung_up, over=WIRE)
    target = Ending(10**9, hangs=False, revives=revives)
    outcome = campaign.run(entry, target, examples=100, seconds=None, chosen=1, database=None)
    assert (outcome.failure, outcome.gone, outcome.flaky) == ("no connection", not revives, False)
    assert (outcome.smallest == "1000") is revives


class Calls(Machine):
    """Every call is answered."""

    @rule(number=st.integers(0, 9))
    def call(self, number: int) -> None:
        self.note(f"call {number}")
        if not self.target.call():
            self.wrong("no answer", "YEA-2.2-01")


CALLS = Property("test/calls", "Calls.", ("YEA-1-01",), st.nothing(), lambda *_: None, over=HOST, machine=Calls)


def session(target: Ending) -> campaign.Outcome:
    return campaign.run(CALLS, target, examples=100, seconds=None, chosen=1, database=None)


@pytest.mark.parametrize("last", [1, 30, 31, 45])
def test_a_target_that_ends_in_a_session_has_failed_with_what_it_was_asked_last(last: int) -> None:
    outcome = session(Ending(last, hangs=False))
    assert (outcome.gone, outcome.failure, outcome.flaky) == (True, "no connection", False)
    assert outcome.smallest.startswith("\n    1. call ")


@pytest.mark.parametrize("last", [1, 30, 45])
def test_a_target_that_hangs_is_not_asked_for_smaller_sessions(last: int) -> None:
    outcome = session(Ending(last, hangs=True))
    assert (outcome.gone, outcome.failure, outcome.clauses) == (True, "no answer; after that it hangs", ("YEA-2.2-01",))
    assert outcome.smallest.startswith("\n    1. call ")


def test_a_target_that_is_started_again_is_asked_for_the_smallest_session() -> None:
    outcome = session(Ending(2, hangs=True, revives=True))
    assert (outcome.gone, outcome.smallest) == (False, "\n    1. call 0\n    2. call 0")
