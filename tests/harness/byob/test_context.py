"""The context of a check on a table host."""

import asyncio
import re

from harness import check as checks
from harness.bench import Bench
from harness.byob.context import Context
from harness.byob.facts import HostFacts
from harness.byob.nonsense import NonsenseHost
from harness.catalogue import catalogue
from harness.profile import EMPTY
from harness.targets.hosts import app_target
from harness.transcript import Transcript
from reference.byob.http import byob_app
from reference.byob.store import MemoryStore


def clock() -> float:
    return 1790000000.0


def context(check_id: str) -> Context:
    target = app_target(byob_app(NonsenseHost(MemoryStore()), clock), clock, timeout=1)
    transcript = Transcript(clock, lambda *_: None, str, "http", check_id)
    bench = Bench(checks.load("byob")[check_id], target, catalogue("byob"), transcript, "0123456789", 0, asyncio.sleep)
    return Context(bench, HostFacts(), EMPTY)


def test_no_two_checks_of_a_run_make_the_same_table_id() -> None:
    ids = [each.table_id() for each in map(context, checks.load("byob")) for _ in range(12)]
    assert len(set(ids)) == len(ids)
    assert [id for id in ids if not re.fullmatch("[a-z][a-z0-9-]{0,30}[a-z0-9]", id)] == []
