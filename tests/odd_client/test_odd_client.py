"""No check may fail a client for a freedom that the spec leaves it."""

import asyncio
import sys
from collections import Counter
from pathlib import Path

import pytest

from harness.clients import trials
from harness.managed import execute
from harness.selection import compile_selection, everything
from reports.model import Row
from tests.odd_client import FREEDOMS

ODD = f"'{sys.executable}' -m tests.odd_client"
KEYS = "--key {seed_file} --grant {grant} --principal {principal_file} --ca {ca}"
STEADY = "splits,spells,adds,names,greets,chatty,sour,signs"
FEW = "yea-client/2.1 or yea-client/4.3.1/auto-ids-are-new"
ALONE = "yea-client/2 or yea-client/4.3 or yea-client/5 or yea-client/6"


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is a module of the tests."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent.parent))


def rows(odd: str, do: str, keys: str = KEYS, selected: str | None = None) -> list[Row]:
    select = compile_selection(selected) if selected else everything
    command = f"{ODD} --odd '{odd}' {{url}} {do} {{capability}} {{params}} {keys}"
    return asyncio.run(trials.examine(command, execute, select))


def not_passed(found: list[Row]) -> list[str]:
    return [f"{row.id}@{row.transport} {row.outcome} {row.why}" for row in found if row.outcome != "passed"]


def test_all_freedoms_at_once_pass_everything() -> None:
    assert not_passed(rows(",".join(FREEDOMS), "{do}")) == []


def test_freedoms_on_one_connection_pass() -> None:
    assert not_passed(rows(STEADY, "{do}", selected=FEW)) == []


def test_a_client_that_takes_one_job_and_no_keys_fails_nothing() -> None:
    found = rows("", "commit", keys="", selected=ALONE)
    reasons = Counter(row.why for row in found if row.outcome == "not_applicable")
    others = [row for row in found if row.outcome not in ("passed", "not_applicable")]
    assert sorted((row.id, str(row.outcome)) for row in others) == [
        ("yea-client/6.6/unhashable-is-not-shown", "warned"),
        ("yea-client/6.6/wrong-hash-is-not-shown", "warned"),
    ]
    assert reasons == {
        "the command does not take {do}": 8,
        "the command does not take {principal_file}": 2,
        "the command does not take {do}, {principal_file}": 2,
        "the client signs nothing at all, not even a COMMIT": 1,
        "the client signs nothing": 1,
    }
