"""Sessions at a table host: conforming hosts hold, broken ones are found, and what is told can be read."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import NoReturn

import pytest

from fuzz import campaign, properties
from fuzz.properties.byob_sessions import Sessions
from fuzz.targets import Shape
from harness.clock import VirtualLoop, virtual_now
from harness.faults import fuzz as faults
from harness.fuzzed_hosts import REPLY_TIMEOUT, FuzzedHost, local_host, opened
from harness.profile import EMPTY
from harness.targets.asgi import App
from harness.targets.hosts import app_target
from reference.byob.host import Host
from reference.byob.http import Api
from reference.byob.store import Store
from tests.odd_table import FREEDOMS, OddHost

ENTRY = properties.load()["byob/sessions"]
FAULTS = {fault.id: fault for fault in faults.load()["byob/sessions"]}
ALL = sorted(FREEDOMS)
SUBSETS = {"all": ALL, "none": [], "even": ALL[::2], "odd": ALL[1::2], "first": ALL[:22], "last": ALL[22:]}


def run(target: FuzzedHost, examples: int, *, shrink: bool = False) -> campaign.Outcome:
    return campaign.run(ENTRY, target, examples=examples, seconds=None, chosen=5, database=None, shrink=shrink)


@contextlib.contextmanager
def odd_host(freedoms: frozenset[str]) -> Iterator[FuzzedHost]:
    """Serve an odd host on a clock that jumps."""

    async def make() -> App:
        return OddHost(virtual_now, freedoms).app()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        target = app_target(runner.run(make()), virtual_now, timeout=REPLY_TIMEOUT)
        with opened(target, EMPTY, runner) as host:
            yield host


@pytest.mark.parametrize("name", SUBSETS)
def test_a_conforming_host_holds(name: str) -> None:
    with odd_host(frozenset(SUBSETS[name])) as target:
        outcome = run(target, 15)
    assert (outcome.failure, outcome.smallest, outcome.flaky) == ("", "", False)
    assert outcome.examples >= 15


def test_the_reference_holds_over_restarts() -> None:
    with local_host() as target:
        outcome = run(target, 15)
    assert (outcome.failure, outcome.smallest, outcome.flaky) == ("", "", False)
    assert outcome.events["a restart"] > 0


def test_a_failure_is_told_as_a_short_session() -> None:
    with FAULTS["fuzz/byob/sessions/late-humans-wait-for-the-floor"].target() as target:
        outcome = run(target, 100, shrink=True)
    assert "say got E_NOT_FLOOR; the text allows ok" in outcome.failure
    steps = outcome.smallest.strip().split("\n")
    assert [step.split(".")[0].strip() for step in steps] == [str(number) for number in range(1, len(steps) + 1)]
    assert steps[0].strip().startswith("1. table 1: ")
    assert len(steps) <= 6


def test_one_who_answers_no_json_has_failed() -> None:
    class Empty(Api):
        """Answers nothing to a close."""

        async def close(self, request: object) -> object:
            """Break off."""
            raise ConnectionError

    class Broken(Host):
        """Has that side."""

        API = Empty

    def make(store: Store) -> Host:
        return Broken(store)

    with local_host(make) as target:
        assert run(target, 60).failure != ""


def test_the_seed_decides_what_is_tried() -> None:
    events = []
    for _ in range(2):
        with local_host() as target:
            events.append(run(target, 4).events)
    assert events[0] == events[1] != {}


def plain(depth: int = 100, decider: int | None = None) -> Shape:
    """A broadcast of three bots."""
    return Shape("broadcast", 5, depth, 10_000, False, decider, False, None)


def late_human(session: Sessions) -> None:
    session.first(shape=plain())
    session.join(which=0, kind="human", before=1, after=0, then="says")


def late_bot(session: Sessions) -> None:
    session.first(shape=plain(depth=3))
    session.join(which=0, kind="bot", before=2, after=1, then="nothing")


def late_reader(session: Sessions) -> None:
    session.first(shape=plain())
    session.join(which=0, kind="bot", before=1, after=0, then="reads")


def three_decisions(session: Sessions) -> None:
    session.first(shape=plain(decider=0))
    session.decide(which=0, times=3)
    session.look(which=0, seat=1)


PLAYS: dict[str, tuple[Callable[[Sessions], None], str]] = {
    "late-humans-wait-for-the-floor": (late_human, "BYOB-8-07"),
    "a-late-join-begins-the-count-anew": (late_bot, "BYOB-8-21"),
    "late-seats-miss-the-beginning": (late_reader, "BYOB-7-18"),
    "the-third-decision-is-lost": (three_decisions, "BYOB-6-05"),
}


def found(told: str, wrong: str, clauses: tuple[str, ...]) -> NoReturn:
    raise Broken(wrong, clauses)


class Broken(Exception):
    """What a session found."""


@pytest.mark.parametrize("words", PLAYS)
def test_who_comes_late_and_who_decides_is_held_to_the_text(words: str) -> None:
    play, clause = PLAYS[words]
    with FAULTS[f"fuzz/byob/sessions/{words}"].target() as target, pytest.raises(Broken) as raised:
        play(Sessions(target, found))
    assert clause in raised.value.args[1]
    with local_host() as sound:
        play(Sessions(sound, found))
