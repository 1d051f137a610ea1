"""Fuzzing: differential Lens through a Node adapter beside its strategy alone, and two processes beside one."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.timing import Line, ratio
from fuzz import campaign, properties
from harness.adapters.blocking import BlockingAdapter
from harness.campaigns import local
from harness.campaigns.orders import Order, split

EXAMPLES = 1000
LONG = 8_000
"""Examples of a campaign that is long enough for the start of its processes not to count."""

LENS = Path(__file__).parent.parent / "tests" / "vectors" / "lens.mjs"
"""A second Lens in ECMAScript, which is an adapter too."""


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


def _nothing(target: Any, example: Any) -> None:
    """Judge no example: what is left is the strategy."""


def _campaign(entry: properties.Property, target: Any) -> None:
    made = campaign.run(entry, target, examples=EXAMPLES, seconds=None, chosen=1, database=None)
    assert not made.failure  # noqa: S101 - a failure would be no measurement


def _shards(order: Order, count: int) -> None:
    """Run a campaign in so many processes; one is a process of its own, too."""
    local.spread(split(order, count), lambda _: None, lambda _: None)
