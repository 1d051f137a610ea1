"""Sessions with a YEA service: conforming ones hold, broken ones are found, and what is told can be read."""

import asyncio
import contextlib
import time
from collections.abc import Iterator

import pytest

from fuzz import campaign, properties
from harness.clock import VirtualLoop
from harness.faults import fuzz as faults
from harness.fuzzed_services import WIRES, ProfiledService, local_service
from harness.profile import EMPTY, built_in
from harness.targets.blocking import BlockingWire
from reference.yea.conformance import conformance_service
from tests.odd_twin import Settings, Twin
from tests.odd_twin.laboratory import bridge_target, stream_target
from tests.odd_twin.settings import OTHER_CODES
from tests.odd_twin.state import SERVICE_ID

PATIENCE = 5.0
ENTRY = properties.load()["yea/sessions"]
FAULTS = {fault.id: fault for fault in faults.load()["yea/sessions"]}
ODDEST = Settings(
    slow=0.01, demands_grants=("ASK", "INTENT"), non_frames="close", codes=OTHER_CODES, one_shot_handles=True
)


def run(target: ProfiledService, examples: int, *, shrink: bool = False) -> campaign.Outcome:
    return campaign.run(ENTRY, target, examples=examples, seconds=None, chosen=3, database=None, shrink=shrink)


@contextlib.contextmanager
def twins(settings: Settings, transport: str) -> Iterator[ProfiledService]:
    """Serve a twin on a clock that jumps."""
    twin = Twin(settings)
    make = {"tcp": stream_target, "http": bridge_target}[transport]
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        target = make(twin, time.time, 0.0)
        wires = [BlockingWire(target, PATIENCE, runner, large=True) for _ in range(WIRES)]
        yield ProfiledService(SERVICE_ID, wires, built_in("conformance"))
        for wire in wires:
            wire.close()
    assert twin.crashes == []


@pytest.mark.parametrize("transport", ["tcp", "http"])
@pytest.mark.parametrize("settings", [Settings(slow=0.01), ODDEST], ids=["odd", "oddest"])
def test_a_conforming_service_holds(settings: Settings, transport: str) -> None:
    with twins(settings, transport) as target:
        outcome = run(target, 20)
    assert (outcome.failure, outcome.smallest, outcome.flaky) == ("", "", False)
    assert outcome.examples >= 20


def test_a_failure_is_told_as_the_shortest_session() -> None:
    with FAULTS["yea/hash-unchecked"].target() as target:
        outcome = run(target, 300, shrink=True)
    assert outcome.failure == "a COMMIT with another hash passed"
    steps = outcome.smallest.strip().split("\n")
    assert [step.split(".")[0].strip() for step in steps] == ["1", "2"]
    assert '"verb": "INTENT"' in steps[0]
    assert '"verb": "COMMIT"' in steps[1]
    assert "pg1." not in outcome.smallest


def test_the_seed_decides_what_is_tried() -> None:
    events = []
    for _ in range(2):
        with local_service(conformance_service(), PATIENCE) as target:
            events.append(run(target, 4).events)
    assert events[0] == events[1] != {}


def test_a_profile_without_roles_is_no_target() -> None:
    outcome = run(ProfiledService("x", [], EMPTY), 5)
    assert (outcome.failure, outcome.unready[:9]) == ("", "a profile")


def test_the_time_ends_the_search_for_the_shortest() -> None:
    """What failed is told, though there is no time for another session."""
    times = iter(range(10**6))
    with FAULTS["yea/requester-unchecked"].target() as target:
        outcome = campaign.run(
            ENTRY, target, examples=500, seconds=200, chosen=3, database=None, clock=lambda: float(next(times))
        )
    assert outcome.failure.endswith("passed")
    assert outcome.smallest.startswith("\n    1. ")
    assert not outcome.flaky
