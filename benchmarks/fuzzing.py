"""Fuzzing: Lens through Node beside its strategy alone, two processes beside one, and sessions beside bare ASKs."""

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from benchmarks.timing import Line, ratio
from fuzz import campaign, properties
from fuzz.properties.yea_sessions import JUNK, ROLES, Sessions
from fuzz.targets import Seen, Wire
from harness.adapters.blocking import BlockingAdapter
from harness.campaigns import local
from harness.campaigns.orders import Order, split
from harness.fuzzed_services import ProfiledService, local_service
from harness.profile import built_in
from reference.yea.conformance import conformance_service

EXAMPLES = 1000
LONG = 8_000
"""Examples of a campaign that is long enough for the start of its processes not to count."""

LENS = Path(__file__).parent.parent / "tests" / "vectors" / "lens.mjs"
"""A second Lens in ECMAScript, which is an adapter too."""


SESSIONS, STEPS = 12, 12

Step = Callable[[Sessions, Random], None]
TAKEN: tuple[Step, ...] = (
    lambda m, r: m.plan(r.choice(ROLES), r.randrange(12), r.randrange(2), r.random() < 0.3, r.random() < 0.3),
    lambda m, r: m.commit(r.randrange(12), r.randrange(12), "right", r.randrange(2)),
    lambda m, r: m.commit_two(r.randrange(12), r.randrange(12), r.randrange(2), False),
    lambda m, r: m.repeat_auto(r.randrange(12), r.randrange(2), False),
    lambda m, r: m.undo(r.randrange(12), r.randrange(12), r.randrange(2)),
    lambda m, r: m.look(r.randrange(12)),
    lambda m, r: m.limit(r.randrange(12), r.randrange(3)),
    lambda m, r: m.delegate(r.randrange(12)),
    lambda m, r: m.order(r.randrange(12), r.randrange(2), r.random() < 0.5),
    lambda m, r: m.bytes(r.choice(JUNK), r.randrange(2)),
)
"""The rules of a session, each as likely, with what Hypothesis would draw; EXPAND is left out, as its time is the
service's, which cuts a long answer."""


class _Counting:
    """A `Wire` that counts what is asked over it."""

    def __init__(self, inner: Wire) -> None:
        self._inner, self.asked = inner, 0
        self.streams, self.large = inner.streams, inner.large
        self.begin, self.finish, self.silent, self.revive = inner.begin, inner.finish, inner.silent, inner.revive

    def send(self, pieces: Sequence[bytes], awaited: Collection[str], more: int = 0) -> Seen:
        """Count, and send."""
        self.asked += len(awaited)
        return self._inner.send(pieces, awaited, more)


def lines() -> Iterator[Line]:
    """Yield every measurement that this machine can show: one takes Node, the other two cores."""
    node = shutil.which("node")
    if node is not None:
        entry = properties.load()["lens/value"]
        bare = replace(entry, judge=_nothing)
        with BlockingAdapter([node, str(LENS), "adapter"], 10, "yea") as adapter:
            speed = ratio(lambda: _campaign(entry, adapter), lambda: _campaign(bare, adapter))
        yield Line("differential Lens through Node against its strategy alone", speed, 0.5, True, "x")
    if (os.cpu_count() or 1) > 1:
        order = Order(("canonical/idempotent",), LONG, None, 1, None, None, None, 10)
        speed = ratio(lambda: _shards(order, 2), lambda: _shards(order, 1))
        yield Line("a property in two processes against one", speed, 1.6, True, "x")
    with local_service(conformance_service(), 10) as service:
        wires = [_Counting(wire) for wire in service.wires]
        counted = ProfiledService(service.service_id, wires, built_in("conformance"))
        _play(counted)
        count = sum(wire.asked for wire in wires)
        speed = ratio(lambda: _play(service), lambda: _ask(service.wires[0], count))
    yield Line(f"{count} requests of YEA sessions over TCP against as many bare ASKs", speed, 0.3, True, "x")


def _play(service: ProfiledService) -> None:
    """Play some sessions, the same each time, without the generation of examples."""
    rng = Random(1)
    for _ in range(SESSIONS):
        machine = Sessions(service, _found)
        for _ in range(STEPS):
            rng.choice(TAKEN)(machine, rng)


def _found(told: str, wrong: str, clauses: tuple[str, ...]) -> NoReturn:
    raise AssertionError(f"{wrong}{told}")


def _ask(wire: Wire, count: int) -> None:
    """Ask for nothing signed, so many times."""
    for number in range(count):
        name = f"bare-{id(wire)}-{number}"
        frame = {"yea": 1, "id": name, "verb": "ASK", "capability": "shop.status", "params": {"order": "o1"}}
        seen = wire.send([json.dumps(frame).encode() + b"\n"], [name])
        assert seen.frames  # noqa: S101 - silence would be no measurement


def _nothing(target: Any, example: Any) -> None:
    """Judge no example: what is left is the strategy."""


def _campaign(entry: properties.Property, target: Any) -> None:
    made = campaign.run(entry, target, examples=EXAMPLES, seconds=None, chosen=1, database=None)
    assert not made.failure  # noqa: S101 - a failure would be no measurement


def _shards(order: Order, count: int) -> None:
    """Run a campaign in so many processes; one is a process of its own, too."""
    local.spread(split(order, count), lambda _: None, lambda _: None)
